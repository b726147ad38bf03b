"""The part of a tournament that a command names; each raises RuleViolation with what is missing where it is not there."""

from scoring.errors import RuleViolation
from tournament.directing.state import EntryState, RoundState, State, TableState

RULE = "tournaments"


def a_round(state: State, number: int) -> RoundState:
    """Round `number`, drawn. Raises RuleViolation where it is not, or the tournament does not run."""
    if state.phase != "running":
        raise refused("wrong_phase", f"the tournament is in {state.phase}; rounds change while it runs", "phase")
    if not 1 <= number <= len(state.rounds):
        raise refused("round_missing", f"round {number} is not drawn; {len(state.rounds)} are", "round")
    return state.rounds[number - 1]


def last_round(state: State, number: int) -> RoundState:
    """The round drawn last, which is round `number`."""
    each = a_round(state, number)
    if number != len(state.rounds):
        raise refused("round_drawn", f"round {len(state.rounds)} is drawn; only the last round can be taken back", "round")
    return each


def an_open_round(state: State, number: int) -> RoundState:
    """Round `number`, not closed."""
    each = a_round(state, number)
    if each.closed:
        raise refused("round_closed", f"round {number} is closed; open it again, with a reason, before anything changes", "round")
    return each


def a_published_round(state: State, number: int) -> RoundState:
    """Round `number`, published and not closed."""
    each = an_open_round(state, number)
    if not each.published:
        raise refused("round_published", f"round {number} is not published yet; publish it first", "round")
    return each


def an_open_table(state: State, number: int, table: int) -> TableState:
    """A table of a round that is published and not closed."""
    return a_table(a_published_round(state, number), table)


def a_table(each: RoundState, number: int) -> TableState:
    """The table of a round with this number."""
    table = each.table(number)
    if table is None:
        raise refused("table_missing", f"round {each.number} has no table {number}; it has {len(each.tables)}", "table")
    return table


def an_entry(state: State, key: str) -> EntryState:
    """The entry with this id."""
    entry = state.entry(key)
    if entry is None:
        raise refused("entry_missing", f"there is no entry {key[:20]}; there are {len(state.entries)}", "entry")
    return entry


def refused(code: str, message: str, path: str = "") -> RuleViolation:
    """A refusal by what tournaments demand."""
    return RuleViolation(code, rule=RULE, message=message, path=path)
