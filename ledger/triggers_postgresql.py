"""The triggers that hold the ledger on PostgreSQL. Checks look once at all the rows of a
statement.
"""

from ledger.cursors import Cursor

FUNCTIONS = {
    "ledger_refuse": """
BEGIN
  RAISE EXCEPTION '% of % is refused: what was recorded stays', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
""",
    "ledger_link": """
DECLARE broken bigint;
BEGIN
  SELECT n.position INTO broken FROM new_rows n
   WHERE n.prev_hash IS DISTINCT FROM CASE
           WHEN n.position = 1 THEN
             (SELECT encode(sha256(convert_to(E'accord log 1\\n' || l.key || E'\\n' || l.command_key, 'UTF8')), 'hex')
                FROM ledger_log l WHERE l.id = n.log_id)
           ELSE (SELECT p.hash FROM ledger_event p WHERE p.log_id = n.log_id AND p.position = n.position - 1)
         END
      OR n.log_id IS DISTINCT FROM CASE
           WHEN n.version = 1 THEN n.log_id
           ELSE (SELECT p.log_id FROM ledger_event p WHERE p.stream = n.stream AND p.version = n.version - 1)
         END
   ORDER BY n.position LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'event % does not follow what is stored', broken USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
""",
    "ledger_post": """
DECLARE broken bigint;
BEGIN
  SELECT n.position INTO broken FROM new_rows n
   WHERE n.stream IS DISTINCT FROM (
           SELECT e.stream FROM ledger_event e
            WHERE e.log_id = n.log_id AND e.position = n.position AND e.type = 'chips.moved')
      OR n.stream IS DISTINCT FROM (SELECT a.stream FROM ledger_account a WHERE a.id = n.source_id AND a.log_id = n.log_id)
      OR n.stream IS DISTINCT FROM (SELECT a.stream FROM ledger_account a WHERE a.id = n.target_id AND a.log_id = n.log_id)
      OR (n.reverses IS NOT NULL AND n.stream IS DISTINCT FROM (
           SELECT r.stream FROM ledger_transfer r
            WHERE r.log_id = n.log_id AND r.position = n.reverses AND r.position < n.position
              AND r.source_id = n.target_id AND r.target_id = n.source_id AND r.chips = n.chips))
   ORDER BY n.position LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the transfer of event % is not what its event, accounts or reversal say', broken
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
""",
    "ledger_sign": """
BEGIN
  IF NEW.previous <> (SELECT coalesce(max(c.size), 0) FROM ledger_checkpoint c WHERE c.log_id = NEW.log_id)
     OR NEW.size > (SELECT l.position FROM ledger_log l WHERE l.id = NEW.log_id) THEN
    RAISE EXCEPTION 'a checkpoint of % entries does not come after the last one', NEW.size USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
""",
    "ledger_witness": """
BEGIN
  IF NEW.old <> (SELECT coalesce(max(w.size), 0) FROM ledger_witnessed w WHERE w.log_id = NEW.log_id AND w.origin = NEW.origin) THEN
    RAISE EXCEPTION 'a checkpoint of % entries does not come after the last one', NEW.size USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
""",
}

# Tables of which no row is ever changed or taken away, beside those whose triggers stand below.
KEPT = (
    "ledger_tile",
    "ledger_signingkey",
    "ledger_checkpoint",
    "ledger_cosignature",
    "ledger_witnessed",
)

# name: (table, when and for what, function)
TRIGGERS = {
    "ledger_event_stays": (
        "ledger_event",
        "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT",
        "ledger_refuse",
    ),
    "ledger_command_stays": (
        "ledger_command",
        "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT",
        "ledger_refuse",
    ),
    "ledger_transfer_stays": (
        "ledger_transfer",
        "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT",
        "ledger_refuse",
    ),
    "ledger_account_stays": (
        "ledger_account",
        "BEFORE DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT",
        "ledger_refuse",
    ),
    "ledger_account_rises": (
        "ledger_account",
        "BEFORE UPDATE ON {table} FOR EACH ROW WHEN (NEW.debits < OLD.debits OR NEW.credits < OLD.credits"
        " OR (NEW.id, NEW.log_id, NEW.stream, NEW.key, NEW.owner)"
        " IS DISTINCT FROM (OLD.id, OLD.log_id, OLD.stream, OLD.key, OLD.owner))",
        "ledger_refuse",
    ),
    "ledger_log_stays": (
        "ledger_log",
        "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT",
        "ledger_refuse",
    ),
    "ledger_log_used": (
        "ledger_log",
        "BEFORE DELETE ON {table} FOR EACH ROW WHEN (OLD.position > 0)",
        "ledger_refuse",
    ),
    "ledger_log_rises": (
        "ledger_log",
        "BEFORE UPDATE ON {table} FOR EACH ROW WHEN (NEW.position < OLD.position OR NEW.recorded_at < OLD.recorded_at"
        " OR (NEW.position = OLD.position AND NEW.hash IS DISTINCT FROM OLD.hash)"
        " OR (NEW.id, NEW.key, NEW.command_key) IS DISTINCT FROM (OLD.id, OLD.key, OLD.command_key))",
        "ledger_refuse",
    ),
    "ledger_event_linked": (
        "ledger_event",
        "AFTER INSERT ON {table} REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT",
        "ledger_link",
    ),
    "ledger_transfer_posted": (
        "ledger_transfer",
        "AFTER INSERT ON {table} REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT",
        "ledger_post",
    ),
    "ledger_checkpoint_rises": (
        "ledger_checkpoint",
        "BEFORE INSERT ON {table} FOR EACH ROW",
        "ledger_sign",
    ),
    "ledger_witnessed_rises": (
        "ledger_witnessed",
        "BEFORE INSERT ON {table} FOR EACH ROW",
        "ledger_witness",
    ),
    **{
        f"{table}_stays": (
            table,
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT",
            "ledger_refuse",
        )
        for table in KEPT
    },
}


def install(cursor: Cursor) -> None:
    """Make every function and trigger as it stands here."""
    for name, body in FUNCTIONS.items():
        cursor.execute(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $ledger${body}$ledger$"
        )
    for name, (table, when, function) in TRIGGERS.items():
        cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        cursor.execute(
            f"CREATE TRIGGER {name} {when.format(table=table)} EXECUTE FUNCTION {function}()"
        )


def remove(cursor: Cursor) -> None:
    """Take every trigger away, for a migration of the ledger."""
    for name, (table, _, _) in TRIGGERS.items():
        cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")


def missing(cursor: Cursor) -> list[str]:
    """The triggers that are absent, switched off, on another table, or whose function is not the
    one here.
    """
    cursor.execute(
        "SELECT t.tgname, c.relname, p.proname, p.prosrc FROM pg_trigger t"
        " JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid"
        " WHERE t.tgenabled IN ('O', 'A') AND pg_table_is_visible(c.oid) AND t.tgname = ANY(%s)",
        [list(TRIGGERS)],
    )
    present = {
        (name, table, function, source) for name, table, function, source in cursor.fetchall()
    }
    return [
        name
        for name, (table, _, function) in TRIGGERS.items()
        if (name, table, function, FUNCTIONS[function]) not in present
    ]
