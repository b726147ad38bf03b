"""The phases of a tournament from draft to archive, and what it is besides: rated, silent, one to
practise with.
"""

from dataclasses import dataclass, replace

from scoring.errors import NotationError, sentence
from scoring.shape import one_of
from tournament.domain.brackets.progress import Absent
from tournament.domain.pairing.berger import rounds_of
from tournament.domain.standings.knockout import has_tree, knockout_so_far
from tournament.domain.standings.stages import check_sources
from tournament.domain.tournament.counting import Outcomes
from tournament.domain.tournament.lookups import need_closed, refused
from tournament.domain.tournament.outcomes import Outcome, by_stream
from tournament.domain.tournament.reading import Given, a_reason, one_from, perhaps_a_count, reads
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import PHASES, State
from tournament.domain.tournament.subject import Command, Event, Subject

FORTH = {
    "draft": ("registration",),
    "registration": ("running",),
    "running": ("finished",),
    "finished": ("archived",),
    "archived": (),
}


BACK = {
    "registration": ("draft",),
    "running": ("registration",),
    "finished": ("running",),
    "archived": ("finished",),
    "draft": (),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPhase(Command):
    """Go on to a phase, or with a reason back to one. A tournament with matches that were not
    played is finished with a reason, too; `outcomes` are the finished games of all tables.
    """

    phase: str
    reason: str | None = None
    outcomes: tuple[Outcome, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseEntered(Event):
    """The tournament went on to `phase` (draft, registration, running, finished, archived), or back
    with a reason.
    """

    phase: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRated(Command):
    """Let the tournament count for the ratings of its players, or not."""

    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSet(Event):
    """From now on the tournament counts for the ratings of its players, or doesn't."""

    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginPractice(Command):
    """Make a draft a practice tournament, for good."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeBegun(Event):
    """The tournament is one to practise with: its players are nobody, and it counts for no rating
    and in no season.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginSilence(Command):
    """Hide results from this round on until the end (None: hide nothing)."""

    from_round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SilenceBegun(Event):
    """Results from this round on stay hidden until the tournament is finished (None: nothing is
    hidden).
    """

    from_round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HideTournament(Command):
    """Take a draft or a practice tournament out of every list."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentHidden(Event):
    """The tournament is in no list any more."""

    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTournament(Command):
    """Put a hidden tournament into the lists again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentShownAgain(Event):
    """The tournament is in the lists again."""


def _enter_phase(command: EnterPhase, state: State) -> list[Event]:
    if command.phase not in FORTH[state.phase] + BACK[state.phase]:
        ways = FORTH[state.phase] + BACK[state.phase]
        message = sentence(
            "the tournament is in %(phase)s; from there it goes to one of: %(phases)s",
            phase=state.phase,
            phases=ways,
        )
        raise refused("wrong_phase", message, "phase")
    if command.phase in BACK[state.phase] and not command.reason:
        raise refused(
            "reason_missing", "say why it goes back to %(phase)s", "reason", phase=command.phase
        )
    if command.phase == "registration" and state.rounds:
        raise refused(
            "wrong_phase",
            "rounds are drawn already; drop them before registration is opened again",
            "phase",
        )
    if command.phase == "draft" and state.entries:
        raise refused("wrong_phase", "there are entries already; a draft has none", "phase")
    if command.phase == "running" and state.phase == "registration" and _count_playing(state) < 2:
        raise refused(
            "too_few",
            "a tournament needs two entries or more; %(playing)s would play",
            "entries",
            playing=_count_playing(state),
        )
    if command.phase == "running" and state.phase == "registration":
        check_sources(state.stages, len(state.entries), {})
    if command.phase == "finished":
        if not state.rounds:
            raise refused("result_missing", "no round has been played yet", "rounds")
        need_closed(state.rounds)
        if not command.reason:
            _need_played(state, by_stream(command.outcomes))
    return [PhaseEntered(phase=command.phase, reason=command.reason)]


def _need_played(state: State, outcomes: Outcomes) -> None:
    """Raise RuleViolation `matches_missing` while a match or a stage is still to be played."""
    if state.stage_number < len(state.stages):
        raise refused(
            "matches_missing",
            "stage %(stage)s has not been played; give a reason to finish the tournament without "
            "it",
            "reason",
            stage=state.stage_number + 1,
        )
    missing = list_unplayed_matches(state, outcomes)
    if missing:
        raise refused(
            "matches_missing",
            "not played yet: match %(matches)s; give a reason to finish the tournament without it",
            "reason",
            matches=" and ".join(map(str, missing)),
        )
    rounds = count_unplayed_rounds(state, outcomes)
    if rounds:
        raise refused(
            "matches_missing",
            "%(rounds)s rounds of the round robin have not been played; give a reason to finish "
            "the tournament without them",
            "reason",
            rounds=rounds,
        )


def list_unplayed_matches(state: State, outcomes: Outcomes) -> tuple[int, ...]:
    """The numbers of the matches of a knock-out that are not decided; () in another format."""
    seen, _before = view_current_stage(state, outcomes)
    if state.stage.kind != "knockout" or not has_tree(seen):
        return ()
    return tuple(
        each.match.number for each in knockout_so_far(seen).states if each.winner is Absent.UNKNOWN
    )


def count_unplayed_rounds(state: State, outcomes: Outcomes) -> int:
    """Return the number of rounds of a round robin that are not drawn; 0 in another
    format.
    """
    seen, _before = view_current_stage(state, outcomes)
    if state.stage.kind != "round_robin":
        return 0
    there = state.stage.rounds or rounds_of(len(seen.entries), double=seen.stage.double)
    return max(0, there - len(seen.rounds))


def _count_playing(state: State) -> int:
    return sum(not entry.has_left(1) for entry in state.entries)


def _set_rated(command: SetRated, state: State) -> list[Event]:
    if state.practice:
        raise refused("practice", "this is a practice tournament; it counts for no rating", "rated")
    if command.rated == state.rated:
        raise refused("rated", "that is how it is already", "rated")
    return [RatedSet(rated=command.rated)]


def _begin_practice(_command: BeginPractice, state: State) -> list[Event]:
    if state.practice or state.phase != "draft":
        raise refused("wrong_phase", "only a draft can become a practice tournament", "phase")
    return [PracticeBegun()]


def _hide(command: HideTournament, state: State) -> list[Event]:
    if not state.practice and state.phase != "draft":
        raise refused(
            "wrong_phase",
            "a draft or a practice tournament can be hidden; this one is in %(phase)s",
            "phase",
            phase=state.phase,
        )
    return [TournamentHidden(reason=command.reason)]


def _show(_command: ShowTournament, state: State) -> list[Event]:
    if not state.hidden:
        raise refused("hidden", "the tournament is not hidden")
    return [TournamentShownAgain()]


def _begin_silence(command: BeginSilence, state: State) -> list[Event]:
    if command.from_round == state.silent_from:
        raise refused("silence", "that is how it is already", "from_round")
    return silence_begun(command.from_round)


def silence_begun(from_round: int | None) -> list[Event]:
    """The fact that results are hidden from this round on. Raises NotationError for no round."""
    if from_round is not None and from_round < 1:
        raise NotationError("the number of a round is expected here", path="from_round")
    return [SilenceBegun(from_round=from_round)]


def _read_rated(given: Given, name: str) -> bool:
    return one_of(given.get(name), ("yes", "no"), name) == "yes"


SUBJECT = Subject(
    decisions={
        EnterPhase: _enter_phase,
        SetRated: _set_rated,
        BeginPractice: _begin_practice,
        BeginSilence: _begin_silence,
        HideTournament: _hide,
        ShowTournament: _show,
    },
    changes={
        PhaseEntered: lambda state, event: replace(state, phase=event.phase),
        RatedSet: lambda state, event: replace(state, rated=event.rated),
        PracticeBegun: lambda state, _event: replace(state, practice=True, rated=False),
        SilenceBegun: lambda state, event: replace(state, silent_from=event.from_round),
        TournamentHidden: lambda state, _event: replace(state, hidden=True),
        TournamentShownAgain: lambda state, _event: replace(state, hidden=False),
    },
    shapes={
        ("tournament.phase_entered", 1): PhaseEntered,
        ("tournament.rated_set", 1): RatedSet,
        ("tournament.practice_begun", 1): PracticeBegun,
        ("tournament.silence_begun", 1): SilenceBegun,
        ("tournament.hidden", 1): TournamentHidden,
        ("tournament.shown_again", 1): TournamentShownAgain,
    },
    readers={
        "phases": reads(EnterPhase, phase=one_from(PHASES), reason=a_reason),
        "ratings": reads(SetRated, rated=_read_rated),
        "hidings": reads(HideTournament, reason=a_reason),
        "hiding-cancellations": reads(ShowTournament),
        "silences": reads(BeginSilence, from_round=perhaps_a_count),
    },
)
