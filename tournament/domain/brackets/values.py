"""The values of a knock-out: how it is played, and its matches with where their entries come
from.
"""

from dataclasses import dataclass
from typing import Literal

from scoring.errors import RuleViolation

type Elimination = Literal["single", "double"]
type BracketName = Literal["winners", "losers", "final", "reset", "third"]

FEWEST, MOST = 2, 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where an entry of a match comes from: a `seed` by its place in the order, the `winner` or the
    `loser` of the match of this number, or, where survivors are seeded again, the so many-th
    `survivor` of the round before by the seeds.
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
    """How a knock-out is played (F7): `third_place` has the losers of the semi-finals meet,
    `reseed` folds the survivors of every round anew, a match is the `best_of` so many games;
    `seeds` are in the `order` of the list, or by `rating`.
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
