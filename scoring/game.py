"""What every game offers, tied by one value, so that nothing else needs to know which game it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.events import OpeningPot
from scoring.legal import LegalNext
from scoring.options import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """A game's result for people: column titles, one row a hand, and lines that sum up."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """What a director may rule in a hand of a game: the kinds of ruling, the pots chips may move from and to, and how rulings are read."""

    kinds: tuple[str, ...]
    pots: tuple[str, ...]
    read: Callable[[Mapping[str, Any]], Sequence[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateStock:
    """How a game deals the same cards to everybody: from a seed.

    `commitment` is what is made known of a seed before anyone plays, `stock_of` the order of the cards that belongs to
    it, `opening` the act that opens a hand with such a stock.
    """

    commitment: Callable[[str], str]
    stock_of: Callable[[str], tuple[str, ...]]
    opening: Callable[[tuple[str, ...]], Any]


def pots_are_shared(state: Any) -> bool:
    """No: every pot is shared at the end, as in most games."""
    return False


def only_chips(state: Any) -> dict[str, list[list[dict[str, Any]]]]:
    """Nothing to explain where every number is a count of chips: those are explained by the moves themselves."""
    return {}


def no_tricks(players: int) -> int | None:
    """None, as where no tricks are played."""
    return None


def seats_are_fixed(sheet: Any, seats: Sequence[str]) -> None:
    """Nothing to check where a game is always played at the same seats."""


def says_all(value: dict[str, Any], recorded: Mapping[str, Any]) -> dict[str, Any]:
    """The value itself, as in a game whose sheet has a field for everything."""
    return value


class Limit(NamedTuple):
    """What a side reaches at most, by `rule`: `each_hand` of a thing, one for each `one_in`; in `unsaid` hands where nobody said."""

    each_hand: int
    rule: str
    one_in: int = 1
    unsaid: int = 40

    def most(self, hands: int | None) -> int:
        """The most in so many hands."""
        return self.each_hand * (hands or self.unsaid) // self.one_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: its names, its options, and its rules as functions.

    `sign` is the mark that stands for it, `letter` begins the numbers of its rules. `seatings` are the sets of seats it is
    played at, `teams` the names of those who play together by their seats (`NS`), where anybody does; `shapes` the events
    by stored name and schema, the latest of each name last, and `upcasters` how a fact of an older shape is read as one of
    the next, by the name and schema of the older. `decide` turns an act into events or raises a Refusal; `evolve` folds events
    into a state; `decide_sheet` decides a whole hand and gives its events and the state after them.
    `result` is what `manage.py score` prints, `result_table` the same for people, `hand_results` each closed hand's part
    of it with its explanation (those with a number above the given one), `table` what a pad or board shows, all as JSON
    values. `legal_next` says from a table which acts may come next, exactly (`scoring.legal`), `offer` what may on the cards
    drafted for the open trick; `place` names where the game is (`hand`, `trick`), so that a late act can't mean another one.
    `acts` reads an act by the noun it adds to (`bids`), `read_sheet` a whole hand as a record holds it; `check_seats` refuses
    a sheet with seats that a game of this many doesn't have, `completed` says a corrected sheet whole, with what its form has no
    field for as it was recorded; `write_hands` gives the closed hands in the same form. `may_overdraw` says whether players'
    accounts may go below 0, `has_dealer` whether somebody deals, `ends_itself` whether its rules say when it is over; a game
    without such a rule ends when those at the table do; `leaves_pots` says whether its house rules leave chips in a pot
    then, and `opening_pot` which pot of an earlier game one began with and holds (None where no game begins with any).
    `tally`, in a game that counts cards, says what a count on the pad comes to before it is recorded. `numbers`
    explains what a game counts besides chips: for each number (`score.NS`) a list for each closed hand of the lines that add
    up to it, each with `what`, its `rule`, its `amount`, and the `facts` behind it by stored name, those `of` these seats,
    sides or places. `rulings` is what a director may rule in a hand, None where nothing is ruled. `tricks` is how many
    tricks a hand of so many players has, `target` the option that says at which score the game is won, "" where none does;
    `duplicates` how several are dealt the same cards, None where that isn't done. `limits` are what a side can reach at most of
    what a result counts (`excess`, `built`, …).
    """

    name: str
    title: str
    sign: str
    letter: str
    players: str
    seatings: tuple[tuple[str, ...], ...]
    seat_names: Mapping[str, str]
    pot_names: Mapping[str, str]
    options: tuple[Option, ...]
    shapes: Mapping[tuple[str, int], type]
    read_rules: Callable[[object], Any]
    write_rules: Callable[[Any], dict[str, Any]]
    read_sheet: Callable[[object, Any], Any]
    acts: Mapping[str, Callable[[object, Any], Any]]
    decide: Callable[[Any, Any], list[Any]]
    decide_sheet: Callable[[Any, Any], tuple[list[Any], Any]]
    evolve: Callable[[Any, Any], Any]
    write_hands: Callable[[Any], list[dict[str, Any]]]
    hand_results: Callable[[Any, int], list[dict[str, Any]]]
    result: Callable[[Any], dict[str, Any]]
    result_table: Callable[[dict[str, Any]], ResultTable]
    table: Callable[[Any], dict[str, Any]]
    legal_next: Callable[[dict[str, Any]], LegalNext]
    offer: Callable[[dict[str, Any], Sequence[str]], dict[str, Any]]
    place: Callable[[Any], dict[str, int]]
    may_overdraw: Callable[[Any], bool]
    teams: Mapping[str, str] = field(default_factory=dict)
    has_dealer: bool = True
    ends_itself: bool = True
    check_seats: Callable[[Any, Sequence[str]], None] = seats_are_fixed
    completed: Callable[[dict[str, Any], Mapping[str, Any]], dict[str, Any]] = says_all
    leaves_pots: Callable[[Any], bool] = pots_are_shared
    opening_pot: Callable[[Any], OpeningPot | None] | None = None
    numbers: Callable[[Any], dict[str, list[list[dict[str, Any]]]]] = only_chips
    rulings: Rulings | None = None
    tally: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] | None = None
    tricks: Callable[[int], int | None] = no_tricks
    target: str = ""
    duplicates: DuplicateStock | None = None
    limits: Mapping[str, Limit] = field(default_factory=dict)
    upcasters: Mapping[tuple[str, int], Callable[[Any], Any]] = field(default_factory=dict)

    @property
    def won_at(self) -> int | None:
        """The score at which it is won by default, None where no score wins."""
        return next((int(option.default or 0) for option in self.options if option.name == self.target), None)
