"""Fold facts into the state of a tournament. What happened, happened: nothing here refuses."""

from dataclasses import replace

from tournament.domain.tournament.stage import TournamentOpened, as_opened
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Event
from tournament.domain.tournament.subjects import SUBJECTS

CHANGES = {fact: change for subject in SUBJECTS for fact, change in subject.changes.items()}


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, TournamentOpened)
        return as_opened(event)
    change = CHANGES.get(type(event))
    changed = change(state, event) if change is not None else state
    return replace(changed, version=state.version + 1)
