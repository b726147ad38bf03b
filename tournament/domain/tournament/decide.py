"""Turn what a director does into facts, or refuse it and say what is missing."""

from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.stage import OpenTournament, open_tournament
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event
from tournament.domain.tournament.subjects import SUBJECTS

DECISIONS = {
    command: decision for subject in SUBJECTS for command, decision in subject.decisions.items()
}


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
    return [*DECISIONS[type(command)](command, state)]
