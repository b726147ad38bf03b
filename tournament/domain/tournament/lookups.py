"""The part of a tournament that a command names; each raises RuleViolation with what is missing
where it is not there.
"""

from collections.abc import Iterable

from scoring.errors import RuleViolation, Sentence, sentence
from tournament.domain.tournament.state import EntryState, RoundState, State, TableState

RULE = "tournaments"


def a_round(state: State, number: int) -> RoundState:
    """Round `number`, drawn. Raises RuleViolation where it is not, or the tournament does
    not run.
    """
    need_running(state, "the tournament is in %(phase)s; rounds change while it runs")
    if not 1 <= number <= len(state.rounds):
        raise refused(
            "round_missing",
            "round %(number)s is not drawn; %(rounds)s are",
            "round",
            number=number,
            rounds=len(state.rounds),
        )
    return state.rounds[number - 1]


def last_round(state: State, number: int) -> RoundState:
    """The round drawn last, which is round `number`."""
    each = a_round(state, number)
    if number != len(state.rounds):
        raise refused(
            "round_drawn",
            "round %(rounds)s is drawn; only the last round can be taken back",
            "round",
            rounds=len(state.rounds),
        )
    if each.stage != state.stage_number:
        raise refused(
            "round_drawn",
            "stage %(stage)s has begun; take that back before a round before it",
            "round",
            stage=state.stage_number,
        )
    return each


def an_open_round(state: State, number: int) -> RoundState:
    """Round `number`, not closed."""
    each = a_round(state, number)
    if each.closed:
        raise round_refused(
            "round_closed",
            "round %(number)s is closed; open it again, with a reason, before anything changes",
            number,
        )
    return each


def a_published_round(state: State, number: int) -> RoundState:
    """Round `number`, published and not closed."""
    each = an_open_round(state, number)
    if not each.published:
        raise round_refused(
            "round_published", "round %(number)s is not published yet; publish it first", number
        )
    return each


def an_open_table(state: State, number: int, table: int) -> TableState:
    """A table of a round that is published and not closed."""
    return a_table(a_published_round(state, number), table)


def a_table_to_settle(state: State, number: int, table: int, reason: str | None) -> TableState:
    """A table of a published round; of a closed one only with a reason why its result changes."""
    each = a_round(state, number)
    if not each.closed:
        return an_open_table(state, number, table)
    found = a_table(each, table)
    if not reason:
        raise refused(
            "round_closed",
            "round %(number)s is closed; say why its result changes",
            "reason",
            number=number,
        )
    return found


def a_table(each: RoundState, number: int) -> TableState:
    """The table of a round with this number."""
    table = each.table(number)
    if table is None:
        raise refused(
            "table_missing",
            "round %(round)s has no table %(table)s; it has %(tables)s",
            "table",
            round=each.number,
            table=number,
            tables=len(each.tables),
        )
    return table


def line_ups_are_open(state: State, number: int, table: TableState) -> bool:
    """Whether who plays at a table of round `number` is known: of each team there is a line-up."""
    entries = (state.entry(key) for key in table.entries)
    return not state.stage_in(number).line_up or all(
        entry is not None and number in dict(entry.line_ups) for entry in entries
    )


def need_line_ups(state: State, number: int, table: TableState) -> None:
    """Raise RuleViolation `line_ups_sealed` where nobody knows yet who plays at a table."""
    if not line_ups_are_open(state, number, table):
        raise refused(
            "line_ups_sealed",
            "the line-ups of table %(table)s in round %(number)s are not open yet; open them first",
            "table",
            table=table.table,
            number=number,
        )


def an_entry(state: State, key: str) -> EntryState:
    """The entry with this id."""
    entry = state.entry(key)
    if entry is None:
        raise refused(
            "entry_missing",
            "there is no entry %(entry)s; there are %(entries)s",
            "entry",
            entry=key[:20],
            entries=len(state.entries),
        )
    return entry


def refused(code: str, message: str | Sentence, path: str = "", **values: object) -> RuleViolation:
    """A refusal by what tournaments demand."""
    return RuleViolation(code, message, rule=RULE, path=path, **values)


def round_refused(code: str, message: str, number: int, **values: object) -> RuleViolation:
    """A refusal because of a round, whose `number` the message says."""
    return refused(code, message, "round", number=number, **values)


def table_refused(code: str, message: str, table: TableState) -> RuleViolation:
    """A refusal because of a table, whose number (`table`) the message says."""
    return refused(code, message, "table", table=table.table)


def entry_refused(code: str, message: str, entry: EntryState) -> RuleViolation:
    """A refusal because of an entry, whose id (`entry`) the message says."""
    return refused(code, message, "entry", entry=entry.id)


def need_running(state: State, message: str) -> None:
    """Raise RuleViolation `wrong_phase`, with this message, which says the `phase`, unless the
    tournament runs.
    """
    if state.phase != "running":
        raise refused("wrong_phase", message, "phase", phase=state.phase)


def need_closed(rounds: Iterable[RoundState]) -> None:
    """Raise RuleViolation `round_open` where some of these rounds are not closed."""
    still_open = ", ".join(str(each.number) for each in rounds if not each.closed)
    if still_open:
        message = sentence(
            "round %(still_open)s is not closed yet; close it first", still_open=still_open
        )
        raise refused("round_open", message, "rounds")


def need_reason(reason: str | None, message: str, **values: object) -> None:
    """Raise RuleViolation `reason_missing`, with this message, where nobody said why."""
    if not reason:
        raise refused("reason_missing", message, "reason", **values)
