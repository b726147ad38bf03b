"""Which tie-breaks can part anybody in a game: the others count what its results don't hold."""

from scoring.games import GAMES
from tournament.domain.standings.formats import scales_for
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import Stage

# What a result must hold for a tie-break to count anything.
OF_A_LIMIT = {"fewest_audits": "audits", "fewest_excess": "excess"}
OF_OPPONENTS = (
    "buchholz",
    "buchholz_cut_1",
    "median_buchholz",
    "sonneborn_berger",
    "direct_encounter",
    "koya",
    "score_difference",
    "average_opponent_rating",
)


def tie_breaks_for(game: str) -> tuple[str, ...]:
    """The tie-breaks that an event of a game can use, by what its results hold and whether anybody
    is met at a table.
    """
    return tuple(name for name in TIE_BREAKS if _fits(name, game))


def _fits(name: str, game: str) -> bool:
    chosen = GAMES[game]
    if name in OF_A_LIMIT:
        return OF_A_LIMIT[name] in chosen.limits
    if name in OF_OPPONENTS:
        return max(map(len, chosen.seatings)) > 1
    if name == "tricks":
        return any(chosen.tricks(len(seats)) is not None for seats in chosen.seatings)
    if name == "chips":
        return "chips" in scales_for(Stage(), game)
    return True
