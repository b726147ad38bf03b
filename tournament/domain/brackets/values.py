"""The values of a knock-out: how it is played, its matches with where their entries come from, and
the tree they make.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from scoring.errors import RuleViolation

type Elimination = Literal["single", "double"]
type BracketName = Literal["winners", "losers", "final", "reset", "third"]

FEWEST, MOST = 2, 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The source of an entry of a match.

    A `seed` by its place in the order, the `winner` or the `loser` of the match of this
    number, or, if survivors are seeded again, a `survivor` of the round before, counted
    by the seeds.
    """

    kind: Literal["seed", "winner", "loser", "survivor"]
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match that is played: no bye is one. Whoever comes to it has a lower number behind it.

    `round` counts within its bracket from 1; the final of a single elimination has the last.
    """

    number: int
    bracket: BracketName
    round: int
    places: tuple[Source, Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockout:
    """The settings of a knock-out (F7).

    `third_place` has the losers of the semi-finals meet, `reseed` folds the survivors
    of every round anew, a match is the `best_of` that number of games; `seeds` are in
    the `order` of the list, or by `rating`.
    """

    elimination: Elimination = "single"
    third_place: bool = False
    reseed: bool = False
    best_of: int = 1
    seeds: str = "order"


def check_knockout(knockout: Knockout, entries: int) -> None:
    """Refuse what cannot be played.

    Raises RuleViolation `bad_stage` for fewer than 2 or more than 512 entries, a best of an even
    number, and for a double elimination with a third place match or with survivors seeded again.
    """
    if not FEWEST <= entries <= MOST:
        raise _refused(
            "a knock-out has %(fewest)s to %(most)s entries, not %(count)s",
            path="entries",
            fewest=FEWEST,
            most=MOST,
            count=entries,
        )
    if knockout.best_of < 1 or knockout.best_of % 2 == 0:
        raise _refused(
            "a match is the best of an odd number of games, not of %(count)s",
            path="stage.best_of",
            count=knockout.best_of,
        )
    if knockout.elimination == "single":
        return
    if knockout.third_place:
        raise _refused(
            "a double elimination has its third place by the last match of the losers' bracket",
            path="stage.third_place",
        )
    if knockout.reseed:
        raise _refused(
            "survivors are seeded again in a single elimination only", path="stage.reseed"
        )


def _refused(message: str, *, path: str, **values: object) -> RuleViolation:
    return RuleViolation("bad_stage", message, rule="F7", path=path, **values)


type Slot = Source | None  # None: a bye


def tree(
    entries: int,
    *,
    elimination: Elimination = "single",
    third_place: bool = False,
    reseed: bool = False,
) -> tuple[Match, ...]:
    """The matches of so many entries by number: the winners' bracket round by round, then the
    losers', the final, then its reset or the match for the third place.

    What would be a bye isn't a match: who has it stands in the next one. Raises RuleViolation
    `bad_stage` for what cannot be played (`check_knockout`).
    """
    check_knockout(
        Knockout(elimination=elimination, third_place=third_place, reseed=reseed), entries
    )
    if elimination == "double":
        return _double(entries)
    return _single(entries, third_place=third_place, reseed=reseed)


def tree_of(knockout: Knockout, entries: int) -> tuple[Match, ...]:
    """The matches of a knock-out of so many entries, as `tree` has them."""
    return tree(
        entries,
        elimination=knockout.elimination,
        third_place=knockout.third_place,
        reseed=knockout.reseed,
    )


def size_of(entries: int) -> int:
    """The power of two that a bracket of so many entries has places."""
    return 1 << (entries - 1).bit_length()


def order_seeds(size: int) -> list[int]:
    """The seeds in the order of their places in a bracket of `size`, a power of two: 1 and 2 can
    meet in the last round only, 1 to 4 not before the one before it, and so on.
    """
    places = [1]
    while len(places) < size:
        doubled = 2 * len(places)
        places = [seed for one in places for seed in (one, doubled + 1 - one)]
    return places


class _Matches:
    """The matches made so far, numbered as they come."""

    def __init__(self) -> None:
        self.made: list[Match] = []

    def play(self, bracket: BracketName, number: int, one: Slot, two: Slot) -> tuple[Slot, Slot]:
        """Return the sources of the winner and the loser of two slots, adding a match if
        both are filled.
        """
        if one is None or two is None:
            return one or two, None
        match = Match(number=len(self.made) + 1, bracket=bracket, round=number, places=(one, two))
        self.made.append(match)
        return winner_of(match), loser_of(match)


def winner_of(match: Match) -> Source:
    """The winner of a match, as the source of another."""
    return Source(kind="winner", number=match.number)


def loser_of(match: Match) -> Source:
    """The loser of a match, as the source of another."""
    return Source(kind="loser", number=match.number)


def _single(entries: int, *, third_place: bool, reseed: bool) -> tuple[Match, ...]:
    """With `reseed` who meets whom after round 1 is by the seeds of those who are left."""
    matches = _Matches()
    slots, losers = _first_slots(entries), list[Slot]()
    for number in count(1):
        if len(slots) == 2:
            break
        slots, losers = _round(matches, "winners", number, slots)
        if reseed:
            slots = [Source(kind="survivor", number=place) for place in order_seeds(len(slots))]
    matches.play("final", number, *slots)
    if third_place and entries > 2:
        matches.play("third", 1, *losers)
    return tuple(matches.made)


def _double(entries: int) -> tuple[Match, ...]:
    matches = _Matches()
    slots = _first_slots(entries)
    dropping: list[list[Slot]] = []
    for number in count(1):
        slots, losers = _round(matches, "winners", number, slots)
        dropping.append(losers)
        if len(slots) == 1:
            break
    way_back = _losers(matches, dropping)
    winner, loser = matches.play("final", 1, slots[0], way_back)
    matches.play("reset", 1, loser, winner)  # it is played when the second place won
    return tuple(matches.made)


def _losers(matches: _Matches, dropping: Sequence[list[Slot]]) -> Slot:
    """The losers' bracket: a round among those in it, then one against those who drop from the next
    round of the winners', by turns. Its winner.
    """
    orders = ORDERS[len(dropping)]
    slots, number = orders[0](dropping[0]), 1
    for losers, order in zip(dropping[1:], orders[1:], strict=True):
        slots, number = _losers_round(matches, number, slots)
        facing = [slot for pair in zip(order(losers), slots, strict=True) for slot in pair]
        slots, number = _losers_round(matches, number, facing)
    return slots[0]


def _losers_round(matches: _Matches, number: int, slots: Sequence[Slot]) -> tuple[list[Slot], int]:
    """The winners of a round of the losers' bracket, and the number of the next: a round of byes
    alone is none.
    """
    before = len(matches.made)
    winners, _ = _round(matches, "losers", number, slots)
    return winners, number + (len(matches.made) > before)


def _first_slots(entries: int) -> list[Slot]:
    return [
        Source(kind="seed", number=seed) if seed <= entries else None
        for seed in order_seeds(size_of(entries))
    ]


def _round(
    matches: _Matches, bracket: BracketName, number: int, slots: Sequence[Slot]
) -> tuple[list[Slot], list[Slot]]:
    """The winners and the losers of a round, two slots a match."""
    played = [
        matches.play(bracket, number, one, two)
        for one, two in zip(slots[::2], slots[1::2], strict=True)
    ]
    return [winner for winner, _ in played], [loser for _, loser in played]


# In which order those who lose a round of the winners' bracket come into the losers', from its
# first round on: the later two who have met can meet again, the better. By how many rounds the
# winners' bracket has; up to seven those of F7, above the best by counting of these five orders.
type Order = Callable[[Sequence[Slot]], list[Slot]]


def _natural(slots: Sequence[Slot]) -> list[Slot]:
    return list(slots)


def _reverse(slots: Sequence[Slot]) -> list[Slot]:
    return list(slots[::-1])


def _half_shift(slots: Sequence[Slot]) -> list[Slot]:
    half = len(slots) // 2
    return [*slots[half:], *slots[:half]]


def _reverse_half_shift(slots: Sequence[Slot]) -> list[Slot]:
    return _half_shift(_reverse(slots))


def _pair_flip(slots: Sequence[Slot]) -> list[Slot]:
    return [slot for pair in zip(slots[1::2], slots[::2], strict=True) for slot in pair]


ORDERS: dict[int, tuple[Order, ...]] = {
    1: (_natural,),
    2: (_natural, _natural),
    3: (_natural, _reverse, _natural),
    4: (_natural, _reverse_half_shift, _reverse, _natural),
    5: (_natural, _reverse, _half_shift, _natural, _natural),
    6: (_natural, _reverse, _half_shift, _reverse, _natural, _natural),
    7: (_natural, _reverse, _half_shift, _pair_flip, _pair_flip, _pair_flip, _natural),
    8: (
        *(_natural, _reverse, _half_shift, _reverse_half_shift, _pair_flip),
        *(_natural, _natural, _natural),
    ),
    9: (
        *(_natural, _reverse, _half_shift, _reverse_half_shift, _pair_flip),
        *(_pair_flip, _natural, _natural, _natural),
    ),
}
