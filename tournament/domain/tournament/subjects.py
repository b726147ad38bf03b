"""All subjects of a tournament, and what comes of them: how acts are read, decided and folded, and
the names under which facts are stored.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tournament.domain.tournament import (
    added_tables,
    awards,
    byes,
    clock,
    cuts,
    deals,
    draws,
    ended_games,
    entries,
    entry_changes,
    games,
    leavers,
    lifecycle,
    manual_pairing,
    penalties,
    play_offs,
    presence,
    removals,
    results,
    rounds,
    short_addresses,
    singles,
    stage,
    substitutes,
    swaps,
    table_places,
    team_line_ups,
)
from tournament.domain.tournament.lifecycle import EnterPhase, ShowTournament
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.stage import (
    OpenTournament,
    TournamentOpened,
    as_opened,
    open_tournament,
)
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event
from tournament.domain.tournament.upcasters import RoundDrawnInWords, with_numbers

SUBJECTS = (
    stage.SUBJECT,
    lifecycle.SUBJECT,
    short_addresses.SUBJECT,
    entries.SUBJECT,
    leavers.SUBJECT,
    entry_changes.SUBJECT,
    removals.SUBJECT,
    singles.SUBJECT,
    presence.SUBJECT,
    byes.SUBJECT,
    substitutes.SUBJECT,
    deals.SUBJECT,
    team_line_ups.SUBJECT,
    draws.SUBJECT,
    swaps.SUBJECT,
    table_places.SUBJECT,
    added_tables.SUBJECT,
    manual_pairing.SUBJECT,
    rounds.SUBJECT,
    clock.SUBJECT,
    games.SUBJECT,
    ended_games.SUBJECT,
    results.SUBJECT,
    awards.SUBJECT,
    penalties.SUBJECT,
    cuts.SUBJECT,
    play_offs.SUBJECT,
)
SHAPES: Mapping[tuple[str, int], type] = {("tournament.round_drawn", 1): RoundDrawnInWords} | {
    stored: shape for subject in SUBJECTS for stored, shape in subject.shapes.items()
}
# How a fact of an older shape is read as one of the next.
UPCASTERS: Mapping[tuple[str, int], Callable[[Any], Any]] = {
    ("tournament.round_drawn", 1): with_numbers
}
DECISIONS = {
    command: decision for subject in SUBJECTS for command, decision in subject.decisions.items()
}
CHANGES = {fact: change for subject in SUBJECTS for fact, change in subject.changes.items()}
# The collections that a director's acts are sent to, and how each is read.
ACTS = {collection: read for subject in SUBJECTS for collection, read in subject.readers.items()}


def decide(command: Command, state: State | None) -> list[Event]:
    """The facts that follow from a command.

    Raises RuleViolation with a code and what is missing, NotationError for what can't be in a
    tournament.
    """
    if state is None:
        return open_tournament(command)
    if isinstance(command, OpenTournament):
        raise refused("wrong_phase", "this tournament has been opened already")
    if state.phase == "archived" and not isinstance(command, EnterPhase):
        raise refused(
            "wrong_phase", "the tournament is archived; take it out of the archive first", "phase"
        )
    if state.hidden and not isinstance(command, ShowTournament):
        raise refused("hidden", "the tournament is hidden; put it into the lists again first")
    return [*DECISIONS[type(command)](command, state)]


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, TournamentOpened)
        return as_opened(event)
    change = CHANGES.get(type(event))
    changed = change(state, event) if change is not None else state
    return replace(changed, version=state.version + 1)
