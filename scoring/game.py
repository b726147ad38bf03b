"""What every game offers, tied by one value, so that nothing else needs to know which game it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.options import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """A game's result for people: column titles, one row a hand, and lines that sum up."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]


def seats_are_fixed(sheet: Any, seats: Sequence[str]) -> None:
    """Nothing to check where a game is always played at the same seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """One game: its names, its options, and its rules as functions.

    `seatings` are the sets of seats it is played at; `shapes` the events by stored name and schema. `decide` turns an
    act into events or raises a Refusal; `evolve` folds events into a state; `decide_sheet` decides a whole hand and
    gives its events and the state after them.
    `result` is what `manage.py score` prints, `result_table` the same for people, `hand_results` each closed hand's part
    of it with its explanation (those with a number above the given one), `table` what
    a pad or board shows, all as JSON values. `offer` says from a table and the cards drafted for the open trick what may
    come next; `place` names where the game is (`hand`, `trick`), so that a late act can't mean another one. `acts` reads
    an act by the noun it adds to (`bids`), `read_sheet` a whole hand as a record holds it; `check_seats` refuses a sheet with
    seats that a game of this many doesn't have; `write_hands` gives the closed hands in the same form. `may_overdraw` says
    whether players' accounts may go below 0, `has_dealer` whether somebody deals. `tally`, in a game that counts cards,
    says what a count on the pad comes to before it is recorded.
    """

    name: str
    title: str
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
    offer: Callable[[dict[str, Any], Sequence[str]], dict[str, Any]]
    place: Callable[[Any], dict[str, int]]
    may_overdraw: Callable[[Any], bool]
    has_dealer: bool = True
    check_seats: Callable[[Any, Sequence[str]], None] = seats_are_fixed
    tally: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] | None = None
