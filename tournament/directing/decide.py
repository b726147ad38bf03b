"""Turn what a director does into facts, or refuse it and say what is missing: the life of the event, its entries, its points."""

from collections.abc import Callable
from typing import Any

from scoring.errors import NotationError, RuleViolation
from scoring.games import GAMES
from tournament.directing.commands import (
    AskBye,
    BeginPractice,
    BeginSilence,
    CancelCheckIn,
    CancelPenalty,
    ChangeStage,
    CheckIn,
    DropBye,
    EnterPhase,
    GivePenalty,
    MakeEntry,
    OpenTournament,
    ReplacePlayer,
    Return,
    SetRated,
    Withdraw,
)
from tournament.directing.events import (
    ByeAsked,
    ByeDropped,
    CheckInCancelled,
    EntryCheckedIn,
    EntryMade,
    EntryReturned,
    EntryWithdrawn,
    Event,
    PenaltyCancelled,
    PenaltyGiven,
    PhaseEntered,
    PlayerReplaced,
    PracticeBegun,
    RatedSet,
    SilenceBegun,
    StageChanged,
    TournamentOpened,
)
from tournament.directing.rounds import ROUND_DECISIONS
from tournament.directing.state import EntryState, State
from tournament.standings.tie_breaks import TIE_BREAKS
from tournament.standings.values import HUNDREDTHS, Stage

RULE = "tournaments"
FORMATS = ("swiss", "round_robin")
LONGEST_NAME = 80
LONGEST_KEY = 64
MOST_POINTS = 1_000 * HUNDREDTHS
# Where an event can go from each phase; the ones that lead back need a reason.
FORTH = {"draft": ("registration",), "registration": ("running",), "running": ("finished",), "finished": ("archived",), "archived": ()}
BACK = {"registration": ("draft",), "running": ("registration",), "finished": ("running",), "archived": ("finished",), "draft": ()}
# How many people an entry has, by the game; elsewhere one.
PLAYERS = {"precedence": (1, 2)}


def decide(command: Any, state: State | None) -> list[Event]:
    """The facts that follow from a command.

    Raises RuleViolation with a code and what is missing, NotationError for what can't be in a tournament.
    """
    if state is None:
        return _open(command)
    if isinstance(command, OpenTournament):
        raise _refused("wrong_phase", "this tournament has been opened already")
    if state.phase == "archived" and not isinstance(command, EnterPhase):
        raise _refused("wrong_phase", "the tournament is archived; take it out of the archive first", "phase")
    decisions = DECISIONS | ROUND_DECISIONS
    return decisions[type(command)](command, state)


def _open(command: Any) -> list[Event]:
    if not isinstance(command, OpenTournament):
        raise _refused("wrong_phase", "there is no such tournament; open it first")
    if command.game not in GAMES:
        raise NotationError(f"one of {', '.join(GAMES)} is expected here", path="game")
    _check_stage(command.name, command.stage)
    return [
        TournamentOpened(record=command.record, name=command.name, game=command.game, seed=command.seed, stage=command.stage),
    ]


def _check_stage(name: str, stage: Stage) -> None:
    if not 0 < len(name.strip()) <= LONGEST_NAME:
        raise NotationError(f"a name of 1 to {LONGEST_NAME} characters is expected here", path="name")
    if stage.kind not in FORMATS:
        raise NotationError(f"one of {', '.join(FORMATS)} is expected here; the other formats are not there yet", path="stage.kind")
    if stage.kind == "swiss" and not 1 <= (stage.rounds or 0) <= 99:
        raise NotationError("a Swiss has 1 to 99 rounds", path="stage.rounds")
    unknown = [each for each in stage.tie_breaks if each not in TIE_BREAKS]
    if unknown:
        raise NotationError(f"there is no tie-break {unknown[0]!r}; there are {', '.join(TIE_BREAKS)}", path="stage.tie_breaks")
    if len(set(stage.tie_breaks)) < len(stage.tie_breaks):
        raise NotationError("a tie-break stands twice in the list", path="stage.tie_breaks")


def _change_stage(command: ChangeStage, state: State) -> list[Event]:
    if state.rounds:
        raise _refused("wrong_phase", "the first round is drawn; drop its draw before the stage is changed", "stage")
    _check_stage(command.name, command.stage)
    return [StageChanged(name=command.name, stage=command.stage)]


def _set_rated(command: SetRated, state: State) -> list[Event]:
    if state.practice:
        raise _refused("practice", "this event is one to practise with; it counts for no rating", "rated")
    if command.rated == state.rated:
        raise _refused("rated", "that is how it is already", "rated")
    return [RatedSet(rated=command.rated)]


def _begin_practice(_command: BeginPractice, state: State) -> list[Event]:
    if state.practice or state.phase != "draft":
        raise _refused("wrong_phase", "only a draft can become an event to practise with", "phase")
    return [PracticeBegun()]


def _enter_phase(command: EnterPhase, state: State) -> list[Event]:
    if command.phase not in FORTH[state.phase] + BACK[state.phase]:
        ways = " or ".join(FORTH[state.phase] + BACK[state.phase])
        raise _refused("wrong_phase", f"the tournament is in {state.phase}; from there it goes to {ways}", "phase")
    if command.phase in BACK[state.phase] and not command.reason:
        raise _refused("reason_missing", f"say why it goes back to {command.phase}", "reason")
    if command.phase == "registration" and state.rounds:
        raise _refused("wrong_phase", "rounds are drawn already; drop them before registration is opened again", "phase")
    if command.phase == "draft" and state.entries:
        raise _refused("wrong_phase", "there are entries already; a draft has none", "phase")
    if command.phase == "running" and state.phase == "registration" and _playing(state) < 2:
        raise _refused("too_few", f"a tournament needs two entries or more; {_playing(state)} would play", "entries")
    if command.phase == "finished":
        _check_finished(state)
    return [PhaseEntered(phase=command.phase, reason=command.reason)]


def _check_finished(state: State) -> None:
    if not state.rounds:
        raise _refused("result_missing", "no round has been played yet", "rounds")
    still_open = [str(each.number) for each in state.rounds if not each.closed]
    if still_open:
        raise _refused("round_open", f"round {', '.join(still_open)} is not closed yet; close it first", "rounds")


def _playing(state: State) -> int:
    return sum(not entry.is_withdrawn for entry in state.entries)


def _make_entry(command: MakeEntry, state: State) -> list[Event]:
    if state.phase not in ("registration", "running"):
        raise _refused("wrong_phase", f"entries are taken in registration or while it runs; it is in {state.phase}", "phase")
    if state.stage.kind == "round_robin" and state.rounds:
        raise _refused("wrong_phase", "a round robin is drawn for its entries as they were; nobody can join it now", "phase")
    key = command.entry or str(len(state.entries) + 1)
    if state.entry(key) is not None or not 0 < len(key) <= LONGEST_KEY:
        raise _refused("bad_entry", f"there is an entry {key[:LONGEST_KEY]} already, or its id is too long", "entry")
    _check_players(command.players, state, key)
    joined_in = max(command.joined_in or 1, state.next_round if state.phase == "running" else 1)
    return [EntryMade(entry=key, players=command.players, rating=command.rating, club=command.club or None, joined_in=joined_in)]


def _check_players(players: tuple[tuple[str, str], ...], state: State, key: str) -> None:
    allowed = {len(entry.players) for entry in state.entries} or set(PLAYERS.get(state.game, (1,)))
    if len(players) not in allowed:
        message = f"an entry of this event has {' or '.join(map(str, sorted(allowed)))} players, not {len(players)}"
        raise _refused("bad_entry", message, "players")
    for place, player in players:
        taken = next((entry for entry in state.entries if _plays_for(player, entry) and entry.id != key), None)
        if taken is not None:
            raise _refused("player_twice", f"this player is in entry {taken.id} already; nobody plays for two entries", f"players.{place}")


def _plays_for(player: str, entry: EntryState) -> bool:
    return not entry.is_withdrawn and player in dict(entry.players).values()


def _check_in(command: CheckIn, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if entry.is_withdrawn:
        raise _refused("withdrawn", f"entry {entry.id} has withdrawn; let it return first", "entry")
    if entry.checked_in:
        raise _refused("checked_in", f"entry {entry.id} is checked in already", "entry")
    return [EntryCheckedIn(entry=entry.id)]


def _cancel_check_in(command: CancelCheckIn, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if not entry.checked_in:
        raise _refused("checked_in", f"entry {entry.id} is not checked in", "entry")
    return [CheckInCancelled(entry=entry.id)]


def _withdraw(command: Withdraw, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if entry.is_withdrawn:
        raise _refused("withdrawn", f"entry {entry.id} has withdrawn already", "entry")
    return [EntryWithdrawn(entry=entry.id, after_round=len(state.rounds), reason=command.reason)]


def _return(command: Return, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if not entry.is_withdrawn:
        raise _refused("withdrawn", f"entry {entry.id} has not withdrawn", "entry")
    _check_players(entry.players, state, entry.id)
    return [EntryReturned(entry=entry.id, in_round=state.next_round)]


def _ask_bye(command: AskBye, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if command.kind not in ("half", "zero"):
        raise NotationError("one of half, zero is expected here", path="kind")
    if command.round < state.next_round:
        raise _refused("round_drawn", f"round {command.round} is drawn already; ask before the draw, or drop it first", "round")
    if dict(entry.asked).get(command.round) == command.kind:
        raise _refused("bye_asked", f"entry {entry.id} has asked for that bye already", "round")
    return [ByeAsked(entry=entry.id, round=command.round, kind=command.kind)]


def _drop_bye(command: DropBye, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if command.round not in dict(entry.asked) or command.round < state.next_round:
        raise _refused("bye_asked", f"entry {entry.id} has no bye to drop in round {command.round}", "round")
    return [ByeDropped(entry=entry.id, round=command.round)]


def _replace_player(command: ReplacePlayer, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    for place, _player in command.players:
        if place not in dict(entry.players):
            raise NotationError(f"entry {entry.id} has no place {place}", path="players")
    _check_players(tuple((dict(entry.players) | dict(command.players)).items()), state, entry.id)
    return [PlayerReplaced(entry=entry.id, players=command.players, reason=command.reason)]


def _give_penalty(command: GivePenalty, state: State) -> list[Event]:
    entry = _entry(state, command.entry)
    if not command.points or abs(command.points) > MOST_POINTS:
        raise NotationError("points from -1000 to 1000, and not 0, are expected here", path="points")
    if not command.reason:
        raise _refused("reason_missing", "say what the points are for", "reason")
    if not 0 <= command.after_round <= len(state.rounds):
        raise _refused("round_missing", f"round {command.after_round} is not drawn; {len(state.rounds)} are", "after_round")
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
        raise _refused("penalty_missing", f"there is no penalty {command.number} that counts", "number")
    return [PenaltyCancelled(number=command.number, reason=command.reason)]


def _begin_silence(command: BeginSilence, state: State) -> list[Event]:
    if command.from_round == state.silent_from:
        raise _refused("silence", "that is how it is already", "from_round")
    if command.from_round is not None and command.from_round < 1:
        raise NotationError("the number of a round is expected here", path="from_round")
    return [SilenceBegun(from_round=command.from_round)]


def _entry(state: State, key: str) -> EntryState:
    entry = state.entry(key)
    if entry is None:
        raise _refused("entry_missing", f"there is no entry {key[:20]}; there are {len(state.entries)}", "entry")
    return entry


def _refused(code: str, message: str, path: str = "") -> RuleViolation:
    return RuleViolation(code, rule=RULE, message=message, path=path)


DECISIONS: dict[type, Callable[[Any, State], list[Event]]] = {
    ChangeStage: _change_stage,
    SetRated: _set_rated,
    BeginPractice: _begin_practice,
    EnterPhase: _enter_phase,
    MakeEntry: _make_entry,
    CheckIn: _check_in,
    CancelCheckIn: _cancel_check_in,
    Withdraw: _withdraw,
    Return: _return,
    AskBye: _ask_bye,
    DropBye: _drop_bye,
    ReplacePlayer: _replace_player,
    GivePenalty: _give_penalty,
    CancelPenalty: _cancel_penalty,
    BeginSilence: _begin_silence,
}
