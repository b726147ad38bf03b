"""Who sits where in a hand, and for which side (substitutes, teams in each other's seats)."""

from collections.abc import Mapping

from scoring.errors import NotationError
from scoring.precedence.seats import PARTNER, SEATS, TEAM


def accounts_of(players: Mapping[str, str], sitting: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """For each seat the chip account of whoever sits there: their own seat of the game, or `N:player` for a substitute.

    `players` are the game's, `sitting` the (seat, player) pairs of those who sat elsewhere in this hand. A substitute
    plays for the side of the seat that is left without its player.
    """
    if not sitting:
        return dict(zip(SEATS, SEATS, strict=True))
    present = dict(players) | dict(sitting)
    seat_of = {player: seat for seat, player in players.items()}
    accounts = {seat: seat_of[player] for seat, player in present.items() if player in seat_of}
    for seat in SEATS:
        if seat not in accounts:
            taken = {account[0] for account in accounts.values()}
            accounts[seat] = f"{_vacant(seat, taken, accounts)}:{present[seat]}"
    return {seat: accounts[seat] for seat in SEATS}


def _vacant(seat: str, taken: set[str], accounts: Mapping[str, str]) -> str:
    partner = accounts.get(PARTNER[seat])
    wanted = [seat, *SEATS] if partner is None else [PARTNER[partner[0]], seat, *SEATS]
    return next(home for home in wanted if home not in taken)


def check_seating(players: Mapping[str, str], sitting: tuple[tuple[str, str], ...]) -> None:
    """Raise NotationError when a player sits twice, or partners of the game don't sit opposite each other."""
    if not sitting:
        return
    present = dict(players) | dict(sitting)
    if len(set(present.values())) != len(present):
        raise NotationError("one player sits in two seats; each seat has its own", path="players")
    accounts = accounts_of(players, sitting)
    sides = {seat: TEAM[account[0]] for seat, account in accounts.items()}
    if any(sides[seat] != sides[PARTNER[seat]] for seat in SEATS):
        raise NotationError("partners sit opposite each other; here a player faces one of the other team", path="players")
