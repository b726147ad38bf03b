"""Accelerated rounds: in the first rounds of a Swiss the upper half by rating is drawn with points
it doesn't have, so that even opponents meet earlier. They count in no standings.

After FIDE's Baku acceleration (C.04.7), as far as it fits: a win's worth in the first half of the
accelerated rounds, a draw's in the others.
"""

from collections.abc import Mapping

from tournament.domain.standings.beginners import by_rating
from tournament.domain.standings.scales import draw_points
from tournament.domain.standings.values import Stage, Tournament

QUARTERS = 4  # the upper half is an even number: twice a quarter of all, rounded up


def upper_half(tournament: Tournament) -> frozenset[str]:
    """The entries that stand at least as high by rating as the last of the first half of those who
    were in the first round; that half is rounded up to an even number.

    Who comes later joins the half that the rating says.
    """
    ordered = by_rating(tournament.entries)
    begun = [entry for entry in ordered if entry.is_in(1)]
    size = 2 * -(-len(begun) // QUARTERS)
    if not begun:
        return frozenset()
    last = begun[min(size, len(begun)) - 1]
    return frozenset(entry.id for entry in ordered[: ordered.index(last) + 1])


def lent(stage: Stage, number: int) -> int:
    """The points (hundredths) that a round lends to the upper half: as many as a win brings in the
    first half of the accelerated rounds, half of that in the others, then none.
    """
    if number > stage.accelerated:
        return 0
    win = stage.scale.win if stage.scale.kind == "match" else 2 * draw_points(stage.scale)
    return win if number <= -(-stage.accelerated // 2) else win // 2


def virtual_points(tournament: Tournament, number: int) -> Mapping[str, int]:
    """The points (hundredths) that each of the upper half is drawn with in round `number` besides
    its own; nobody where the round is not accelerated.
    """
    points = lent(tournament.stage, number)
    return dict.fromkeys(upper_half(tournament), points) if points else {}
