"""The way back to the list of entries: who is next at the door, and what can be taken back in one
go.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.presence import CancelCheckIn, CheckIn, CheckInAll
from tournament.domain.tournament.singles import NoteSingle
from tournament.domain.tournament.state import EntryState, State
from tournament.queries.tournament import TournamentView

NARROWING = ("here", "q")
BETWEEN = "."


def is_missing(entry: EntryState) -> bool:
    """Whether somebody has still to say that this entry is here."""
    return not entry.checked_in and not entry.is_withdrawn


def read_filters(query: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of the list."""
    return {name: query[name] for name in NARROWING if query.get(name)}


def way_back(
    query: Mapping[str, str], before: TournamentView, after: TournamentView, act: object
) -> str:
    """Query and anchor of the list after an act: at the next one to check in, or at the form for
    the next one to enter.
    """
    kept, anchor = read_filters(query), ""
    match act:
        case CheckIn(entry=key):
            anchor = f"#entry-{_next_missing(after.state, key)}"
        case CancelCheckIn(entry=key):
            anchor = f"#entry-{key}"
        case CheckInAll():
            kept["all"] = BETWEEN.join(
                _list_checked_in(after.state) - _list_checked_in(before.state)
            )
        case MakeEntry() | NoteSingle():
            kept = {"door": "open"}  # and no anchor: a browser doesn't focus a field beside one
    return f"?{urlencode(kept)}{anchor}" if kept else anchor


def together(query: Mapping[str, str], state: State) -> list[str]:
    """The entries that were checked in all at once just before, as far as they still are."""
    asked = set(query.get("all", "").split(BETWEEN))
    return [entry.id for entry in state.entries if entry.id in asked and entry.checked_in]


def _list_checked_in(state: State) -> set[str]:
    return {entry.id for entry in state.entries if entry.checked_in}


def _next_missing(state: State, key: str) -> str:
    """The first entry below this one that is not here yet, else the first of all, else itself."""
    keys = [entry.id for entry in state.entries]
    at = keys.index(key)
    missing = [
        entry.id for entry in (*state.entries[at:], *state.entries[:at]) if is_missing(entry)
    ]
    return missing[0] if missing else key
