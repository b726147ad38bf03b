"""Turn what a director does into facts, or refuse it and say what is missing: the life of the
event, and its points.
"""

from scoring.deciding import Decisions
from scoring.errors import NotationError, sentence
from scoring.games import GAMES
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import HUNDREDTHS, SEEDINGS, Stage
from tournament.domain.tournament.clock_decisions import CLOCK_DECISIONS
from tournament.domain.tournament.commands import (
    BeginPractice,
    BeginSilence,
    CancelPenalty,
    ChangeStage,
    ChooseAddress,
    Command,
    EnterPhase,
    GivePenalty,
    OpenTournament,
    SetRated,
)
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.entry_decisions import ENTRY_DECISIONS, allowed_by
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.life_events import (
    PenaltyCancelled,
    PenaltyGiven,
    PhaseEntered,
    PracticeBegun,
    RatedSet,
    SilenceBegun,
    StageChanged,
    TournamentOpened,
)
from tournament.domain.tournament.lookups import an_entry, refused
from tournament.domain.tournament.result_decisions import RESULT_DECISIONS
from tournament.domain.tournament.round_decisions import ROUND_DECISIONS
from tournament.domain.tournament.short_addresses import choose_address
from tournament.domain.tournament.state import State

FORMATS = ("swiss", "round_robin")
LONGEST_NAME = 80
MOST_POINTS = 1_000 * HUNDREDTHS
MOST_MINUTES = 24 * 60
# Where an event can go from each phase; the ones that lead back need a reason.
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


def decide(command: Command, state: State | None) -> list[Event]:
    """The facts that follow from a command.

    Raises RuleViolation with a code and what is missing, NotationError for what can't be in a
    tournament.
    """
    if state is None:
        return _open(command)
    if isinstance(command, OpenTournament):
        raise refused("wrong_phase", sentence("this tournament has been opened already"))
    if state.phase == "archived" and not isinstance(command, EnterPhase):
        raise refused(
            "wrong_phase",
            sentence("the tournament is archived; take it out of the archive first"),
            "phase",
        )
    return [*DECISIONS[type(command)](command, state)]


def _open(command: Command) -> list[Event]:
    if not isinstance(command, OpenTournament):
        raise refused("wrong_phase", sentence("there is no such tournament; open it first"))
    if command.game not in GAMES:
        raise NotationError(
            sentence("one of %(games)s is expected here", games=", ".join(GAMES)), path="game"
        )
    _check_stage(command.name, command.stage)
    _check_conditions(command.conditions, command.game)
    opened = TournamentOpened(
        record=command.record,
        name=command.name,
        game=command.game,
        seed=command.seed,
        stage=command.stage,
        conditions=command.conditions,
    )
    silence = _silence(command.silent_from) if command.silent_from is not None else []
    return [opened, *silence, *([] if command.rated else [RatedSet(rated=False)])]


def _check_stage(name: str, stage: Stage) -> None:
    if not 0 < len(name.strip()) <= LONGEST_NAME:
        raise NotationError(
            sentence(
                "a name of 1 to %(longest_name)s characters is expected here",
                longest_name=LONGEST_NAME,
            ),
            path="name",
        )
    if stage.kind not in FORMATS:
        raise NotationError(
            sentence(
                "one of %(formats)s is expected here; the other formats are not there yet",
                formats=", ".join(FORMATS),
            ),
            path="stage.kind",
        )
    if stage.kind == "swiss" and not 1 <= (stage.rounds or 0) <= 99:
        raise NotationError(sentence("a Swiss has 1 to 99 rounds"), path="stage.rounds")
    if stage.seeding not in SEEDINGS[stage.kind]:
        raise NotationError(
            sentence(
                "one of %(seedings)s is expected here", seedings=", ".join(SEEDINGS[stage.kind])
            ),
            path="stage.seeding",
        )
    unknown = [each for each in stage.tie_breaks if each not in TIE_BREAKS]
    if unknown:
        raise NotationError(
            sentence(
                "there is no tie-break %(tie_break)s; there are %(tie_breaks)s",
                tie_break=repr(unknown[0]),
                tie_breaks=", ".join(TIE_BREAKS),
            ),
            path="stage.tie_breaks",
        )
    if len(set(stage.tie_breaks)) < len(stage.tie_breaks):
        raise NotationError(
            sentence("a tie-break stands twice in the list"), path="stage.tie_breaks"
        )


def _check_conditions(conditions: Conditions, game: str) -> None:
    allowed = allowed_by(game)
    if conditions.players is not None and conditions.players not in allowed:
        raise NotationError(
            sentence(
                "an entry has %(allowed)s players here", allowed=" or ".join(map(str, allowed))
            ),
            path="conditions.players",
        )
    if not 1 <= conditions.minutes <= MOST_MINUTES:
        raise NotationError(
            sentence("a round lasts 1 to %(most_minutes)s minutes", most_minutes=MOST_MINUTES),
            path="conditions.minutes",
        )
    GAMES[game].read_rules(dict(conditions.options))


def _change_stage(command: ChangeStage, state: State) -> list[Event]:
    if state.rounds:
        raise refused(
            "wrong_phase",
            sentence("the first round is drawn; drop its draw before the stage is changed"),
            "stage",
        )
    _check_stage(command.name, command.stage)
    _check_conditions(command.conditions, state.game)
    if state.entries and command.conditions.players not in (
        None,
        *(len(entry.players) for entry in state.entries),
    ):
        raise refused(
            "bad_entry",
            sentence("there are entries already; how many people an entry has can't change now"),
            "conditions.players",
        )
    return [StageChanged(name=command.name, stage=command.stage, conditions=command.conditions)]


def _set_rated(command: SetRated, state: State) -> list[Event]:
    if state.practice:
        raise refused(
            "practice",
            sentence("this event is one to practise with; it counts for no rating"),
            "rated",
        )
    if command.rated == state.rated:
        raise refused("rated", sentence("that is how it is already"), "rated")
    return [RatedSet(rated=command.rated)]


def _begin_practice(_command: BeginPractice, state: State) -> list[Event]:
    if state.practice or state.phase != "draft":
        raise refused(
            "wrong_phase", sentence("only a draft can become an event to practise with"), "phase"
        )
    return [PracticeBegun()]


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
            "reason_missing",
            sentence("say why it goes back to %(phase)s", phase=command.phase),
            "reason",
        )
    if command.phase == "registration" and state.rounds:
        raise refused(
            "wrong_phase",
            sentence("rounds are drawn already; drop them before registration is opened again"),
            "phase",
        )
    if command.phase == "draft" and state.entries:
        raise refused(
            "wrong_phase", sentence("there are entries already; a draft has none"), "phase"
        )
    if command.phase == "running" and state.phase == "registration" and _playing(state) < 2:
        raise refused(
            "too_few",
            sentence(
                "a tournament needs two entries or more; %(playing)s would play",
                playing=_playing(state),
            ),
            "entries",
        )
    if command.phase == "finished":
        _check_finished(state)
    return [PhaseEntered(phase=command.phase, reason=command.reason)]


def _check_finished(state: State) -> None:
    if not state.rounds:
        raise refused("result_missing", sentence("no round has been played yet"), "rounds")
    still_open = [str(each.number) for each in state.rounds if not each.closed]
    if still_open:
        raise refused(
            "round_open",
            sentence(
                "round %(still_open)s is not closed yet; close it first",
                still_open=", ".join(still_open),
            ),
            "rounds",
        )


def _playing(state: State) -> int:
    return sum(not entry.is_withdrawn for entry in state.entries)


def _give_penalty(command: GivePenalty, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if not command.points or abs(command.points) > MOST_POINTS:
        raise NotationError(
            sentence("points from -1000 to 1000, and not 0, are expected here"), path="points"
        )
    if not command.reason:
        raise refused("reason_missing", sentence("say what the points are for"), "reason")
    if not 0 <= command.after_round <= len(state.rounds):
        raise refused(
            "round_missing",
            sentence(
                "round %(after_round)s is not drawn; %(rounds)s are",
                after_round=command.after_round,
                rounds=len(state.rounds),
            ),
            "after_round",
        )
    return [
        PenaltyGiven(
            number=len(state.penalties) + 1,
            entry=entry.id,
            points=command.points,
            after_round=command.after_round,
            reason=command.reason,
            by=command.by,
        )
    ]


def _cancel_penalty(command: CancelPenalty, state: State) -> list[Event]:
    penalty = next((each for each in state.penalties if each.number == command.number), None)
    if penalty is None or penalty.cancelled:
        raise refused(
            "penalty_missing",
            sentence("there is no penalty %(number)s that counts", number=command.number),
            "number",
        )
    return [PenaltyCancelled(number=command.number, reason=command.reason)]


def _begin_silence(command: BeginSilence, state: State) -> list[Event]:
    if command.from_round == state.silent_from:
        raise refused("silence", sentence("that is how it is already"), "from_round")
    return _silence(command.from_round)


def _silence(from_round: int | None) -> list[Event]:
    if from_round is not None and from_round < 1:
        raise NotationError(sentence("the number of a round is expected here"), path="from_round")
    return [SilenceBegun(from_round=from_round)]


DECISIONS: Decisions[State, Event] = {
    ChangeStage: _change_stage,
    SetRated: _set_rated,
    ChooseAddress: choose_address,
    BeginPractice: _begin_practice,
    EnterPhase: _enter_phase,
    GivePenalty: _give_penalty,
    CancelPenalty: _cancel_penalty,
    BeginSilence: _begin_silence,
    **ENTRY_DECISIONS,
    **ROUND_DECISIONS,
    **CLOCK_DECISIONS,
    **RESULT_DECISIONS,
}
