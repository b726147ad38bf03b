"""The triggers that hold the ledger on SQLite, one row at a time.

INSERT OR REPLACE deletes the old row without a word unless `recursive_triggers` is on, so an insert
that would replace a row is refused here whatever that pragma says.
"""

from ledger.cursors import Cursor

_EVENT_LINKED = """
  EXISTS (SELECT 1 FROM ledger_event e WHERE e.id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_event e WHERE e.log_id = NEW.log_id AND e.position = NEW.position)
  OR EXISTS (SELECT 1 FROM ledger_event e WHERE e.log_id = NEW.log_id AND e.hash = NEW.hash)
  OR EXISTS (SELECT 1 FROM ledger_event e WHERE e.stream = NEW.stream AND e.version = NEW.version)
  OR NEW.prev_hash IS NOT CASE
       WHEN NEW.position = 1 THEN (SELECT l.hash FROM ledger_log l WHERE l.id = NEW.log_id AND l.position = 0)
       ELSE (SELECT p.hash FROM ledger_event p WHERE p.log_id = NEW.log_id AND p.position = NEW.position - 1)
     END
  OR NEW.log_id IS NOT CASE
       WHEN NEW.version = 1 THEN NEW.log_id
       ELSE (SELECT p.log_id FROM ledger_event p WHERE p.stream = NEW.stream AND p.version = NEW.version - 1)
     END"""

_COMMAND_NEW = """
  EXISTS (SELECT 1 FROM ledger_command c WHERE c.id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_command c WHERE c.log_id = NEW.log_id AND c.key = NEW.key)
  OR EXISTS (SELECT 1 FROM ledger_command c WHERE c.log_id = NEW.log_id AND c.first_position = NEW.first_position)"""

_ACCOUNT_NEW = """
  EXISTS (SELECT 1 FROM ledger_account a WHERE a.id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_account a WHERE a.stream = NEW.stream AND a.key = NEW.key)"""

_ACCOUNT_FALLS = """
  NEW.debits < OLD.debits OR NEW.credits < OLD.credits OR NEW.id IS NOT OLD.id OR NEW.log_id IS NOT OLD.log_id
  OR NEW.stream IS NOT OLD.stream OR NEW.key IS NOT OLD.key OR NEW.owner IS NOT OLD.owner"""

_LOG_NEW = """
  EXISTS (SELECT 1 FROM ledger_log l WHERE l.id = NEW.id OR l.key = NEW.key)"""

_LOG_FALLS = """
  NEW.position < OLD.position OR NEW.recorded_at < OLD.recorded_at
  OR (NEW.position = OLD.position AND NEW.hash IS NOT OLD.hash)
  OR NEW.id IS NOT OLD.id OR NEW.key IS NOT OLD.key OR NEW.command_key IS NOT OLD.command_key"""

_TRANSFER_POSTED = """
  EXISTS (SELECT 1 FROM ledger_transfer t WHERE t.id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_transfer t WHERE t.log_id = NEW.log_id AND t.position = NEW.position)
  OR EXISTS (SELECT 1 FROM ledger_transfer t WHERE t.log_id = NEW.log_id AND t.reverses = NEW.reverses)
  OR NEW.stream IS NOT (
       SELECT e.stream FROM ledger_event e
        WHERE e.log_id = NEW.log_id AND e.position = NEW.position AND e.type = 'chips.moved')
  OR NEW.stream IS NOT (SELECT a.stream FROM ledger_account a WHERE a.id = NEW.source_id AND a.log_id = NEW.log_id)
  OR NEW.stream IS NOT (SELECT a.stream FROM ledger_account a WHERE a.id = NEW.target_id AND a.log_id = NEW.log_id)
  OR (NEW.reverses IS NOT NULL AND NEW.stream IS NOT (
       SELECT r.stream FROM ledger_transfer r
        WHERE r.log_id = NEW.log_id AND r.position = NEW.reverses AND r.position < NEW.position
          AND r.source_id = NEW.target_id AND r.target_id = NEW.source_id AND r.chips = NEW.chips))"""

_CHECKPOINT_NEW = """
  EXISTS (SELECT 1 FROM ledger_checkpoint c WHERE c.id = NEW.id)
  OR NEW.previous IS NOT (SELECT coalesce(max(c.size), 0) FROM ledger_checkpoint c WHERE c.log_id = NEW.log_id)
  OR NEW.size > (SELECT l.position FROM ledger_log l WHERE l.id = NEW.log_id)"""

_WITNESSED_NEW = """
  EXISTS (SELECT 1 FROM ledger_witnessed w WHERE w.id = NEW.id)
  OR NEW.old IS NOT (SELECT coalesce(max(w.size), 0) FROM ledger_witnessed w WHERE w.log_id = NEW.log_id AND w.origin = NEW.origin)"""

# Tables of which no row is ever changed or taken away, with what may not be there yet when a row
# comes.
_KEPT = {
    "ledger_tile": "SELECT 1 FROM ledger_tile k WHERE k.id = NEW.id"
    " OR (k.log_id = NEW.log_id AND k.level = NEW.level AND k.number = NEW.number)",
    "ledger_signingkey": "SELECT 1 FROM ledger_signingkey k WHERE k.id = NEW.id OR (k.log_id = NEW.log_id AND k.number = NEW.number)",
    "ledger_cosignature": "SELECT 1 FROM ledger_cosignature k WHERE k.id = NEW.id"
    " OR (k.log_id = NEW.log_id AND k.size = NEW.size AND k.vkey = NEW.vkey)",
}
_SIGNED = ("ledger_checkpoint", "ledger_witnessed")

_STAYS = "what was recorded stays"

# name: (what it comes before, the condition under which it refuses or "", the message)
TRIGGERS = {
    "ledger_event_unchanged": ("UPDATE ON ledger_event", "", _STAYS),
    "ledger_event_undeleted": ("DELETE ON ledger_event", "", _STAYS),
    "ledger_event_linked": (
        "INSERT ON ledger_event",
        _EVENT_LINKED,
        "an event does not follow what is stored",
    ),
    "ledger_command_unchanged": ("UPDATE ON ledger_command", "", _STAYS),
    "ledger_command_undeleted": ("DELETE ON ledger_command", "", _STAYS),
    "ledger_command_new": ("INSERT ON ledger_command", _COMMAND_NEW, _STAYS),
    "ledger_transfer_unchanged": ("UPDATE ON ledger_transfer", "", _STAYS),
    "ledger_transfer_undeleted": ("DELETE ON ledger_transfer", "", _STAYS),
    "ledger_transfer_posted": (
        "INSERT ON ledger_transfer",
        _TRANSFER_POSTED,
        "a transfer is not what its event, accounts or reversal say",
    ),
    "ledger_account_rises": ("UPDATE ON ledger_account", _ACCOUNT_FALLS, _STAYS),
    "ledger_account_undeleted": ("DELETE ON ledger_account", "", _STAYS),
    "ledger_account_new": ("INSERT ON ledger_account", _ACCOUNT_NEW, _STAYS),
    "ledger_log_rises": ("UPDATE ON ledger_log", _LOG_FALLS, _STAYS),
    "ledger_log_used": ("DELETE ON ledger_log", "OLD.position > 0", _STAYS),
    "ledger_log_new": ("INSERT ON ledger_log", _LOG_NEW, _STAYS),
    "ledger_checkpoint_rises": (
        "INSERT ON ledger_checkpoint",
        _CHECKPOINT_NEW,
        "a checkpoint does not come after the last one",
    ),
    "ledger_witnessed_rises": (
        "INSERT ON ledger_witnessed",
        _WITNESSED_NEW,
        "a checkpoint does not come after the last one",
    ),
    **{
        f"{table}_new": (f"INSERT ON {table}", f"EXISTS ({there})", _STAYS)
        for table, there in _KEPT.items()
    },
    **{f"{table}_unchanged": (f"UPDATE ON {table}", "", _STAYS) for table in (*_KEPT, *_SIGNED)},
    **{f"{table}_undeleted": (f"DELETE ON {table}", "", _STAYS) for table in (*_KEPT, *_SIGNED)},
}


def _definition(name: str) -> str:
    before, condition, message = TRIGGERS[name]
    when = f" WHEN {condition}" if condition else ""
    return f"CREATE TRIGGER {name} BEFORE {before} FOR EACH ROW{when} BEGIN SELECT RAISE(ABORT, '{message}'); END"


def install(cursor: Cursor) -> None:
    """Make every trigger as it stands here."""
    for name in TRIGGERS:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        cursor.execute(_definition(name))


def remove(cursor: Cursor) -> None:
    """Take every trigger away, for a migration of the ledger."""
    for name in TRIGGERS:
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def missing(cursor: Cursor) -> list[str]:
    """The triggers that are absent or read otherwise than here."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    present = dict(cursor.fetchall())
    return [name for name in TRIGGERS if present.get(name) != _definition(name)]
