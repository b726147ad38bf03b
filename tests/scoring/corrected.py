"""A game that is recorded with mistakes and corrected, beside the record it should have been from
the first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from scoring.commands import Undo
from scoring.correcting import decide_correction
from scoring.corrections import Change, Correction
from scoring.effective_history import Course, course_of, fold_course
from scoring.events import ChipsMoved, GameCorrected
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.records import decide_record, read_record


class Said(TypedDict):
    """Who corrects, and why."""

    by: str
    reason: str


BY, REASON = "Director", "seen three hands later"
SAID: Said = {"by": BY, "reason": REASON}


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """The game as it should have been recorded; hands after its end are kept, and count when the
    end moves.
    """

    record: Mapping[str, Any]
    options: Mapping[str, Any]
    hands: tuple[Mapping[str, Any], ...] = ()
    ended: Mapping[str, Any] | None = None


@dataclass(slots=True)
class Corrected:
    """What was recorded: its facts, the state folded one by one, what was intended, the acts of the
    open hand, the last correction.
    """

    game: AnyGame
    intended: Intended
    facts: list[Any] = field(default_factory=list)
    state: Any = None
    acts: list[Any] = field(default_factory=list)
    last: Correction | None = None

    @property
    def version(self) -> int:
        return len(self.facts)

    @property
    def course(self) -> Course:
        return course_of(self.game, enumerate(self.facts, 1))

    def add(self, events: Sequence[Any]) -> None:
        """Facts of ordinary acts, folded as they come."""
        for event in events:
            self.state = self.game.evolve(self.state, event)
        self.facts += events

    def correct(
        self, change: Change, intended: Intended
    ) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Correct what was recorded, with every ruling it needs. Raises Refusal."""
        course = self.course
        seen = decide_correction(
            self.game,
            course,
            self.version,
            Correction(change=change, by=BY, reason=REASON),
            lenient=True,
        )
        told = Correction(change=change, by=BY, reason=REASON, excused=seen.excused)
        done = decide_correction(self.game, course, self.version, told)
        self.facts += [stated.fact for stated in done.facts]
        assert self.course == done.course
        self.state, self.intended, self.last = (
            done.state,
            _with_rulings(intended, done.excused),
            told,
        )
        return done.excused

    def intend(self, **changes: Any) -> None:
        """What was recorded last is as it was intended."""
        self.intended = replace(self.intended, **changes)

    def next_opening(self) -> dict[str, Any]:
        """The opening that is due."""
        due = self.game.table(self.state)["next"]
        opening = (
            {"dealer": due.get("dealer") or min(self.state.players)} if self.game.has_dealer else {}
        )
        trump = (due.get("trump") or "V") if "trump" in due else None
        return opening | ({"trump": trump} if trump else {})

    def act(self, noun: str, value: Mapping[str, Any]) -> None:
        """One act of the open hand. Raises Refusal."""
        self._decided(self.game.acts[noun](value, self.state.rules))

    def rule(self, ruling: Mapping[str, Any]) -> None:
        """A ruling in the open hand. Raises Refusal."""
        assert self.game.rulings is not None
        self._decided(self.game.rulings.read_all({"rulings": [ruling]})[0])

    def _decided(self, act: Any) -> None:
        self.add(self.game.decide(act, self.state))
        self.acts.append(act)

    def undo(self) -> None:
        """Take back the last act. Raises Refusal."""
        undo = self.game.table(self.state)["undo"]
        self.add(self.game.decide(Undo(version=undo["version"] if undo else 1), self.state))
        if any(isinstance(fact, GameCorrected) for fact in self.facts):
            self.state = fold_course(self.game, self.course, self.version)


def begun(value: Mapping[str, Any]) -> Corrected:
    """A game recorded as this record says."""
    game, record = GAMES[value["game"]], read_record(value)
    events, state = decide_record(record)
    table = Corrected(game=game, intended=Intended(record={}, options={}))
    table.add(events)
    table.intended = Intended(
        record={key: value[key] for key in ("format", "id", "game", "players")},
        options=game.write_rules(record.start.rules),
        hands=tuple(game.write_hands(state)),
        ended=value.get("ended")
        if state.closed is not None and state.closed.kind != "played"
        else None,
    )
    return table


def right_first_time(table: Corrected) -> Any:
    """The state of the game as it should have been recorded: its record, as far as its end, decided
    and folded.
    """
    game, intended = table.game, table.intended
    value = {**intended.record, "options": intended.options, "hands": []}
    _, state = decide_record(read_record(value))
    for hand in intended.hands:
        if state.closed is not None:
            return state
        _, state = game.decide_sheet(game.read_sheet(hand, state.rules), state)
        value["hands"].append(hand)
    for act in table.acts:
        for event in game.decide(act, state):
            state = game.evolve(state, event)
    if intended.ended is None or state.closed is not None:
        return state
    return decide_record(read_record({**value, "ended": intended.ended}))[1]


def shown(game: AnyGame, state: Any) -> list[Any]:
    """All that people see of a game, and its chips; what `Undo` would take back has other
    versions.
    """
    table = {key: value for key, value in game.table(state).items() if key != "undo"}
    return [
        table,
        game.result(state),
        game.hand_results(state, 0),
        game.write_hands(state),
        _chips(state.balances),
    ]


def check_as_if_right_first_time(table: Corrected) -> None:
    """Law 1: scores, Excess, pots, chips and hands are those of the game recorded right the first
    time; chips add up.
    """
    assert shown(table.game, table.state) == shown(table.game, right_first_time(table))
    if any(isinstance(fact, GameCorrected) for fact in table.facts):
        assert fold_course(table.game, table.course, table.version) == table.state
    assert _chips(_moved(table.facts)) == _chips(table.state.balances)


def _moved(facts: Sequence[Any]) -> Mapping[str, int]:
    """Chips by account from every move ever made, each reversal the opposite of one move that
    nothing else reverses.
    """
    chips: Counter[str] = Counter()
    reversed_once: set[int] = set()
    for fact in facts:
        if not isinstance(fact, ChipsMoved):
            continue
        chips[fact.source] -= fact.chips
        chips[fact.target] += fact.chips
        assert sum(chips.values()) == 0
        if fact.reverses is not None:
            move = facts[fact.reverses - 1]
            assert (move.source, move.target, move.chips, move.reverses) == (
                fact.target,
                fact.source,
                fact.chips,
                None,
            )
            assert fact.reverses not in reversed_once
            reversed_once.add(fact.reverses)
    return chips


def _chips(balances: Mapping[str, int]) -> dict[str, int]:
    return {account: chips for account, chips in balances.items() if chips}


def _with_rulings(intended: Intended, excused: Sequence[tuple[int, tuple[str, ...]]]) -> Intended:
    hands = [dict(hand) for hand in intended.hands]
    for number, codes in excused:
        ruling = {"kind": "accept_hand", "excuses": list(codes), **SAID}
        hands[number - 1]["rulings"] = [*hands[number - 1].get("rulings", []), ruling]
    return replace(intended, hands=tuple(hands))
