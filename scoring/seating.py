"""Seats of the players in a hand (substitutes, exchanged seats)."""

from collections.abc import Collection, Mapping

from scoring.errors import NotationError, Sentence, sentence

type Sitting = tuple[tuple[str, str], ...]
NO_PARTNERS: Mapping[str, str] = {}
SITS_TWICE = sentence("one player sits in two seats; each seat has its own")


def accounts_of(
    players: Mapping[str, str], sitting: Sitting, partners: Mapping[str, str] = NO_PARTNERS
) -> dict[str, str]:
    """For each seat the chip account of whoever sits there: their own seat of the game, or
    `B:player` for a substitute.

    `players` are the game's, `sitting` the (seat, player) pairs of those who sat elsewhere in this
    hand. A substitute plays for the seat that is left without its player: the one beside whose
    partner they sit, where seats have `partners`, else the one they sit at, where that is left.
    """
    if not sitting:
        return dict(zip(players, players, strict=True))
    present = dict(players) | dict(sitting)
    seat_of = {player: seat for seat, player in players.items()}
    accounts = {seat: seat_of[player] for seat, player in present.items() if player in seat_of}
    for seat in players:
        if seat not in accounts:
            taken = {account[0] for account in accounts.values()}
            beside = accounts.get(partners.get(seat, ""))
            wanted = [seat, *players] if beside is None else [partners[beside[0]], seat, *players]
            home = next(home for home in wanted if home not in taken)
            accounts[seat] = f"{home}:{present[seat]}"
    return {seat: accounts[seat] for seat in players}


def check_players(
    sitting: Sitting, seatings: Collection[tuple[str, ...]], expected: Sentence
) -> None:
    """Raise NotationError, with what is `expected`, for seats that are none of the `seatings`, or a
    player who sits twice.
    """
    seats, players = tuple(seat for seat, _ in sitting), {player for _, player in sitting}
    if seats not in seatings:
        raise NotationError(expected, path="players")
    if len(players) != len(seats):
        raise NotationError(SITS_TWICE, path="players")


def check_seating(players: Mapping[str, str], sitting: Sitting) -> None:
    """Raise NotationError for a seat that is not in the game, or a player who sits twice."""
    for seat, _ in sitting:
        check_seat(seat, players, f"players.{seat}")
    present = dict(players) | dict(sitting)
    if len(set(present.values())) != len(present):
        raise NotationError(SITS_TWICE, path="players")


def check_seat(seat: str, seats: Mapping[str, str] | tuple[str, ...], path: str) -> None:
    """Raise NotationError for a seat that nobody has in this game."""
    if seat not in seats:
        raise NotationError(
            "nobody sits at %(seat)s in this game; the seats are %(seats)s",
            path=path,
            seat=seat,
            seats=", ".join(seats),
        )


def substitutions(players: Mapping[str, str], sitting: Sitting) -> Sitting:
    """Those of `sitting` who sit in another's seat."""
    return tuple((seat, player) for seat, player in sitting if players[seat] != player)
