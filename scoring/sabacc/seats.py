"""Seats: A B C D E clockwise, of which three to five are taken; all goes counterclockwise."""

ALL = ("A", "B", "C", "D", "E")
SEATINGS = (ALL[:3], ALL[:4], ALL)
SEAT_NAMES = {seat: f"Seat {seat}" for seat in ALL}
INDEX = {seat: place for place, seat in enumerate(ALL)}

# By number of players: cards each, and so tricks; cards in the talon (S2).
HOLDING = {3: 24, 4: 18, 5: 15}
TALON = {3: 6, 4: 6, 5: 3}


def _counterclockwise(seats: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    backwards = seats[::-1]
    return {seat: backwards[place:] + backwards[:place] for place, seat in enumerate(backwards)}


# By number of players: all seats counterclockwise from each, and who sits at each one's right and
# left.
ROUND = {len(seats): _counterclockwise(seats) for seats in SEATINGS}
RIGHT = {
    players: {seat: order[1] for seat, order in rounds.items()} for players, rounds in ROUND.items()
}
LEFT = {
    players: {seat: order[-1] for seat, order in rounds.items()}
    for players, rounds in ROUND.items()
}
