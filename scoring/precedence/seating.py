"""Seats of the players in a hand, and the side each plays for (substitutes, teams in
each other's seats).
"""

from collections.abc import Mapping

from scoring import seating
from scoring.errors import NotationError
from scoring.precedence.seats import PARTNER, TEAM


def accounts_of(players: Mapping[str, str], sitting: seating.Sitting) -> dict[str, str]:
    """For each seat the chip account of whoever sits there; a substitute plays for the side of whom
    they sit opposite.
    """
    return seating.accounts_of(players, sitting, PARTNER)


def check_seating(players: Mapping[str, str], sitting: seating.Sitting) -> None:
    """Raise NotationError when a player sits twice, or partners of the game don't sit opposite each
    other.
    """
    if not sitting:
        return
    seating.check_seating(players, sitting)
    sides = {seat: TEAM[account[0]] for seat, account in accounts_of(players, sitting).items()}
    if any(sides[seat] != sides[PARTNER[seat]] for seat in sides):
        raise NotationError(
            "partners sit opposite each other; here a player faces one of the other team",
            path="players",
        )
