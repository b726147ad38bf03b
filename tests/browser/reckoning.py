"""The standings of an evening reckoned on paper: points and score differences, from what was typed
and played.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

WIN, HALF, NOTHING = 100, 50, 0


@dataclass(slots=True, kw_only=True)
class Paper:
    """What somebody notes beside the desk: the score of every table (round, table) by entry, and
    points without a game.
    """

    scores: dict[tuple[int, int], tuple[tuple[str, int], tuple[str, int]]] = field(
        default_factory=dict
    )
    without_a_game: dict[tuple[int, str], int] = field(default_factory=dict)

    def note(self, round: int, table: int, entries: Iterable[str], scores: tuple[int, int]) -> None:
        """A table's result, in the place of an earlier one."""
        one, two = entries
        self.scores[round, table] = ((one, scores[0]), (two, scores[1]))

    def forfeit(self, round: int, came: str, absent: str) -> None:
        """A win for who came, nothing for who did not."""
        self.without_a_game |= {(round, came): WIN, (round, absent): NOTHING}

    def standings(self, entries: Iterable[str]) -> list[tuple[str, int, int]]:
        """Entry, points and score difference (both in hundredths), best first; those equal in both
        in the order of their numbers.
        """
        points, difference = dict.fromkeys(entries, 0), dict.fromkeys(entries, 0)
        for pair in self.scores.values():
            for (entry, own), (_other, others) in (pair, pair[::-1]):
                points[entry] += WIN if own > others else HALF if own == others else NOTHING
                difference[entry] += 100 * (own - others)
        for (_round, entry), worth in self.without_a_game.items():
            points[entry] += worth
        found = [(entry, points[entry], difference[entry]) for entry in points]
        return sorted(found, key=lambda each: (-each[1], -each[2], int(each[0])))
