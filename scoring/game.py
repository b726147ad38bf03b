"""The interface of every game, tied by one value, so that nothing else needs to know
which game it is.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.common_state import GameState
from scoring.events import OpeningPot
from scoring.legal import LegalNext
from scoring.options import Choice, Option
from scoring.rulings import Rulings
from scoring.shape import JsonObject
from scoring.sheets import HandSheet
from scoring.side_results import SideResult, side_results


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """A game's result for people: column titles, one row a hand, and lines that sum up."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateStock[Command]:
    """Duplicate deals of a game: the same cards for all, from a seed."""

    commitment: Callable[[str], str]
    """What is made known of a seed before anyone plays."""
    stock_of: Callable[[str], tuple[str, ...]]
    """The order of the cards that belongs to a seed."""
    opening: Callable[[tuple[str, ...]], Command]
    """The act that opens a hand with such a stock."""


class Limit(NamedTuple):
    """Most that a side can reach, by `rule`: `each_hand` of a thing, one for each
    `one_in`; in `unsaid` hands if no number was given.
    """

    each_hand: int
    rule: str
    one_in: int = 1
    unsaid: int = 40

    def most(self, hands: int | None) -> int:
        """The most in so many hands."""
        return self.each_hand * (hands or self.unsaid) // self.one_in


class Turns(NamedTuple):
    """Which seat deals after which, and which trump comes after which, where a hand is played out;
    no dealers where nobody deals, no trumps where there are none, or each hand names its own.
    `points` are the numbers by which a page without the rules sees which hand ends a game that ends
    by points (hand-points.js).
    """

    dealers: Mapping[str, str]
    trumps: Mapping[str, str] = {}
    points: Mapping[str, int | bool] = {}


def pots_are_shared(state: object) -> bool:
    """No: every pot is shared at the end, as in most games."""
    return False


def only_chips(state: object) -> dict[str, list[list[JsonObject]]]:
    """Nothing to explain where every number is a count of chips: those are explained by the moves
    themselves.
    """
    return {}


def no_tricks(players: int) -> int | None:
    """None, as where no tricks are played."""
    return None


def seats_are_fixed(sheet: object, seats: Sequence[str]) -> None:
    """Nothing to check where a game is always played at the same seats."""


def says_all(value: JsonObject, recorded: JsonObject) -> JsonObject:
    """The value itself, as in a game whose sheet has a field for everything."""
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Game[State: GameState, Command, Event, Rules, Sheet: HandSheet]:
    """One game: its names, its options, and its rules as functions.

    `State` is what its events fold into, `Command` an act of its table, `Event` a fact, `Rules` the
    house rules of one game, `Sheet` a whole hand as a table wrote it down. What is said in
    `JsonObject` is for pads, boards and files.
    """

    name: str
    """What it is called in files, addresses and the stored names of its events."""
    title: str
    """What people call it."""
    sign: str
    """The mark that stands for it."""
    letter: str
    """What the numbers of its rules begin with."""
    players: str
    """How many play, and who with whom, in words."""
    seatings: tuple[tuple[str, ...], ...]
    """The sets of seats it is played at."""
    seat_names: Mapping[str, str]
    """What each seat is called."""
    pot_names: Mapping[str, str]
    """What each pot is called."""
    teams: Mapping[str, str] = field(default_factory=dict)
    """The names of those who play together, by their seats (`NS`); empty where everybody plays
    alone.
    """
    options: tuple[Option, ...]
    """The house rules that a salon may choose."""
    shapes: Mapping[tuple[str, int], type]
    """The events by stored name and schema, the latest of each name last."""
    upcasters: Mapping[tuple[str, int], Callable[[Any], Event]] = field(default_factory=dict)
    """How a fact of an older shape is read as one of the next, by the name and schema of
    the older.
    """

    read_rules: Callable[[object], Rules]
    """The options of a record as house rules. Raises NotationError."""
    write_rules: Callable[[Rules], dict[str, Choice]]
    """House rules as a record holds them."""
    acts: Mapping[str, Callable[[object, Rules], Command]]
    """How an act is read, by the noun it adds to (`bids`). Each raises NotationError."""
    read_sheet: Callable[[object, Rules], Sheet]
    """A whole hand as a record holds it. Raises NotationError."""
    check_seats: Callable[[Sheet, Sequence[str]], None] = seats_are_fixed
    """Refuses a sheet with seats that a game of this many doesn't have. Raises NotationError."""
    completed: Callable[[JsonObject, JsonObject], JsonObject] = says_all
    """A corrected sheet said whole, with what its form has no field for as it was recorded."""

    decide: Callable[[Command, State | None], list[Event]]
    """The events of an act. Raises a Refusal."""
    evolve: Callable[[State | None, Event], State]
    """The state after one more event."""
    decide_sheet: Callable[[Sheet, State], tuple[list[Event], State]]
    """The events of a whole hand and the state after them. Raises a Refusal."""

    write_hands: Callable[[State], list[JsonObject]]
    """The hands that are over as a record holds them."""
    hand_results: Callable[[State, int], list[JsonObject]]
    """Each hand's part of the result with its explanation, those with a number above the
    given one.
    """
    sides: Callable[[JsonObject], list[SideResult]] = side_results
    """What such a hand came to for each side, or each seat where everybody plays alone."""
    result: Callable[[State], JsonObject]
    """What `manage.py score` prints."""
    result_table: Callable[[JsonObject], ResultTable]
    """The result for people."""
    numbers: Callable[[State], dict[str, list[list[JsonObject]]]] = only_chips
    """What explains the numbers a game counts besides chips.

    For each number (`score.NS`) a list for each closed hand of the lines that add up to it, each
    with `what`, its `rule`, its `amount`, and the `facts` behind it by stored name, those `of`
    these seats, sides or places.
    """

    table: Callable[[State], JsonObject]
    """What a pad or a board shows."""
    legal_next: Callable[[JsonObject], LegalNext]
    """Which acts may come next at such a table, exactly (`scoring.legal`)."""
    offer: Callable[[JsonObject, Sequence[str]], JsonObject]
    """What may come next there on the cards drafted for the open trick."""
    tally: Callable[[JsonObject, JsonObject], JsonObject] | None = None
    """What a count on the pad comes to there before it is recorded; None in a game that counts no
    cards.
    """
    turns: Callable[[Rules, Sequence[str]], Turns] | None = None
    """How deal and trump pass on at these seats, so that a table can go on by hand sheets while it
    hears of nobody; None in a game that can't.
    """
    place: Callable[[State], dict[str, int]]
    """Where the game is (`hand`, `trick`), so that a late act can't mean another place."""

    may_overdraw: Callable[[State], bool]
    """Whether players' accounts may go below 0."""
    leaves_pots: Callable[[State], bool] = pots_are_shared
    """Whether the house rules leave chips in a pot at the end."""
    opening_pot: Callable[[State], OpeningPot | None] | None = None
    """Which pot of an earlier game one began with and holds; None where no game begins with any."""
    rulings: Rulings | None = None
    """What a director may rule in a hand; None where nothing is ruled."""
    tricks: Callable[[int], int | None] = no_tricks
    """How many tricks a hand of so many players, or sides, has."""
    has_dealer: bool = True
    """Whether somebody deals."""
    ends_itself: bool = True
    """Whether the rules say when it is over; a game without such a rule ends when those at the
    table do.
    """
    target: str = ""
    """The option that says at which score the game is won, "" where none does."""
    limits: Mapping[str, Limit] = field(default_factory=dict)
    """What a side can reach at most of what a result counts (`excess`, `built`, …)."""
    duplicates: DuplicateStock[Command] | None = None
    """How several are dealt the same cards; None where that isn't done."""
    pack: tuple[str, ...] = ()
    """The cards of a deal that several tables can play, in order; empty where that isn't done."""

    def folded(self, events: Iterable[Event], state: State | None = None) -> State:
        """The state after these events; where there is none before them, there is at least one."""
        for event in events:
            state = self.evolve(state, event)
        assert state is not None
        return state

    @property
    def winning_score(self) -> int | None:
        """The score at which it is won by default, None where no score wins."""
        return next(
            (int(option.default or 0) for option in self.options if option.name == self.target),
            None,
        )


# One of the games, whichever it is: its acts, events, house rules and sheets are its own and pass
# through unread.
type AnyGame = Game[Any, Any, Any, Any, Any]
