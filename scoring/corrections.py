"""Kinds of correction to a recorded game, and the plan of a correction; a hand that is
open at the time comes on top when its turn comes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.common_state import GameState
from scoring.effective_history import Course, Part, Placed, hands_of
from scoring.errors import NotationError, Refusal, RuleViolation, sentence
from scoring.events import ChipsMoved, GameClosed, HandExcused, OpeningPot
from scoring.game import AnyGame
from scoring.shape import JsonObject
from scoring.sheets import HandSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectHand:
    """Record hand `hand` again in its own place; `sheet` is the game's own. Hands count from 1,
    with the misdealt ones.
    """

    hand: int
    sheet: HandSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertHand:
    """Record a hand that was forgotten; it becomes hand `hand`."""

    hand: int
    sheet: HandSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveHand:
    """Take out hand `hand`, which was recorded twice."""

    hand: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectSeats:
    """Say who really sat where in the hands `first` to `last`: (seat, player) pairs, none when all
    sat in their own seats.
    """

    first: int
    last: int
    players: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectOptions:
    """Put the right house rules, a value of the game's own, in the place of those the game was
    started with.
    """

    rules: object


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectOpeningPot:
    """Say what an earlier game left for this one to begin with; None: it began with an
    empty pot.
    """

    opening_pot: OpeningPot | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReopenGame:
    """Take away the end of a game that was called or abandoned."""


type Change = (
    CorrectHand
    | InsertHand
    | RemoveHand
    | CorrectSeats
    | CorrectOptions
    | CorrectOpeningPot
    | ReopenGame
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A change of what was recorded, by whom and why.

    `excused` are the rulings `accept_hand` that hands need after it: each hand's number as it is
    then, and error codes. `table` is where the game goes on; None: where it was played. `game` is
    the stream of the game that a hand moves to or from.
    """

    change: Change
    by: str
    reason: str
    excused: tuple[tuple[int, tuple[str, ...]], ...] = ()
    table: str | None = None
    game: str | None = None


class Slot(NamedTuple):
    """A hand of the corrected course: the part it was (None: it was forgotten) and its sheet (None:
    it is taken out).
    """

    part: Part | None
    sheet: HandSheet | None
    corrected: bool = False


def named(change: Change) -> tuple[str, int, int]:
    """Return the kind of correction in a word, and the first and last hand it is about (0:
    none).
    """
    match change:
        case CorrectHand():
            return "hand", change.hand, change.hand
        case InsertHand():
            return "inserted", change.hand, change.hand
        case RemoveHand():
            return "removed", change.hand, change.hand
        case CorrectSeats():
            return "seats", change.first, change.last
        case CorrectOptions():
            return "options", 0, 0
        case CorrectOpeningPot():
            return "pot", 0, 0
        case ReopenGame():
            return "reopened", 0, 0


def planned(game: AnyGame, course: Course, state: GameState, change: Change) -> list[Slot]:
    """The closed hands of the corrected course in order. Raises Refusal."""
    rules = change.rules if isinstance(change, CorrectOptions) else state.rules
    sheets = _sheets(game, course, rules)
    slots = [Slot(part, sheet) for part, sheet in zip(hands_of(course), sheets, strict=False)]
    seats = list(state.players)
    match change:
        case CorrectHand():
            slot = slots[_place(slots, change.hand)]
            slots[change.hand - 1] = Slot(
                slot.part, _check_sheet(game, change.sheet, seats), corrected=True
            )
        case InsertHand():
            place = _place([*slots, None], change.hand)
            slots.insert(place, Slot(None, _check_sheet(game, change.sheet, seats), corrected=True))
        case RemoveHand():
            slot = slots[_place(slots, change.hand)]
            slots[change.hand - 1] = Slot(slot.part, None, corrected=True)
        case CorrectSeats():
            _seat(game, slots, change, seats)
        case ReopenGame():
            _check_ended(state)
        case CorrectOpeningPot():
            _check_may_begin(game, change)
        case CorrectOptions():
            pass
    return slots


def adapt_sheet(
    game: AnyGame, course: Course, hand: int, state: GameState, there: GameState
) -> HandSheet:
    """The sheet of closed hand `hand` of a game, for another in the state `there`: whoever sits in
    their own seat there is no substitute. Raises Refusal.
    """
    sheets = _sheets(game, course, state.rules)
    sheet = sheets[_place(sheets, hand)]
    players = tuple(
        (seat, player)
        for seat, player in sheet.opening.players
        if there.players.get(seat) != player
    )
    return replace(sheet, opening=replace(sheet.opening, players=players))


def write_closed_hands(game: AnyGame, course: Course) -> list[JsonObject]:
    """Each closed hand of a course, surplus ones too, as a canonical record holds it."""
    state: GameState | None = None
    apart: dict[int, JsonObject] = {}
    for part in course:
        if _is_apart(part):
            apart[part.opened] = game.write_hands(_fold_facts(game, (*part.begun, *part.facts)))[-1]
        else:
            state = _fold_facts(game, part.facts, state)
    counted = iter(game.write_hands(state))
    hands = (apart.get(part.opened) or next(counted, None) for part in hands_of(course))
    return [hand for hand in hands if hand is not None]


def _is_apart(part: Part) -> bool:
    """Whether a hand is surplus and was played under options that are corrected since: it is read
    by those it was played under.
    """
    return part.surplus and bool(part.begun) and not part.is_end


def _fold_facts(
    game: AnyGame, facts: Iterable[Placed], state: GameState | None = None
) -> GameState:
    folded: GameState = game.folded(
        (fact for _, fact in facts if not isinstance(fact, GameClosed)), state
    )
    return folded


def _sheets(game: AnyGame, course: Course, rules: object) -> list[HandSheet]:
    sheets = []
    for place, (part, hand) in enumerate(
        zip(hands_of(course), write_closed_hands(game, course), strict=False)
    ):
        own = _fold_facts(game, part.begun).rules if _is_apart(part) else rules
        try:
            sheets.append(game.read_sheet(hand, own))
        except Refusal as refusal:
            raise refusal.under(f"hands[{place}]") from None
    return sheets


def _seat(game: AnyGame, slots: list[Slot], change: CorrectSeats, seats: Sequence[str]) -> None:
    first, last = _place(slots, change.first, "first"), _place(slots, change.last, "last")
    if first > last:
        raise NotationError("the last of these hands comes before the first", path="last")
    for place in range(first, last + 1):
        sheet = slots[place].sheet
        assert sheet is not None
        seated = replace(sheet, opening=replace(sheet.opening, players=change.players))
        slots[place] = Slot(slots[place].part, _check_sheet(game, seated, seats), corrected=True)


def _place(slots: Sequence[object], hand: int, path: str = "hand") -> int:
    if not 1 <= hand <= len(slots):
        closed = f"hands 1 to {len(slots)} can be meant" if slots else "no hand is closed"
        raise NotationError(
            "there is no closed hand %(hand)s here; %(closed)s", path=path, hand=hand, closed=closed
        )
    return hand - 1


def _check_sheet(game: AnyGame, sheet: HandSheet, seats: Sequence[str]) -> HandSheet:
    game.check_seats(sheet, seats)
    return sheet


def _check_may_begin(game: AnyGame, change: CorrectOpeningPot) -> None:
    if game.opening_pot is None and change.opening_pot is not None:
        raise NotationError(
            "%(game)s begins with no pot of another game", path="opening_pot", game=game.title
        )


def _check_ended(state: GameState) -> None:
    if state.closed is None:
        raise RuleViolation(
            "out_of_turn", "the game is not over; it goes on as it is", rule="Corrections"
        )
    if state.closed.kind == "played":
        message = sentence(
            "the game was played to its end; it goes on when the hand that ended it, or the "
            "options, are corrected"
        )
        raise RuleViolation("out_of_turn", message, rule="Corrections")


def decide_open_hand(
    game: AnyGame, part: Part, before: GameState, state: GameState
) -> list[object]:
    """The facts of the open hand on top of `state`; it was opened on top of `before`. Raises
    RuleViolation when it can't have been.
    """
    act = _opening(game, part, before)
    recorded = game.decide(act, before)
    facts = [fact for _, fact in part.facts]
    try:
        return [*game.decide(act, state), *facts[len(recorded) :]]
    except RuleViolation as violation:
        message = sentence(
            "the hand that is open could not have been opened then: %(message)s. Close it "
            "or undo its opening first",
            message=violation.sentence,
        )
        raise RuleViolation(violation.code, message, rule=violation.rule) from None


def _opening(game: AnyGame, part: Part, before: GameState) -> object:
    """The act that opened it."""
    opened = part.first
    players: tuple[tuple[str, str], ...] = getattr(opened, "players", ())
    keys = ("dealer", "trump", "stock", "at", "note")
    given = {key: getattr(opened, key) for key in keys if getattr(opened, key, None)}
    given |= {key: list(given[key]) for key in ("stock",) if key in given}
    excused = [fact for _, fact in part.facts if isinstance(fact, HandExcused)]
    given["players"] = dict(players)
    given["rulings"] = [
        {"kind": "accept_hand", "excuses": list(fact.excuses), "by": fact.by, "reason": fact.reason}
        for fact in excused
    ]
    bought = [
        fact for _, fact in part.facts if isinstance(fact, ChipsMoved) and fact.why == "buy_in"
    ]
    if bought:
        seats = {
            account: seat for seat, account in game.evolve(before, opened).hand.accounts.items()
        }
        given["buy_ins"] = {seats[fact.target]: fact.chips for fact in bought}
    return game.acts["hands"](given, before.rules)
