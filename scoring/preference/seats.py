"""Seats of Preference: A B C clockwise, each for themselves (R1)."""

SEATS = ("A", "B", "C")
SEAT_NAMES = {"A": "Seat A", "B": "Seat B", "C": "Seat C"}
INDEX = {"A": 0, "B": 1, "C": 2}
LEFT = {"A": "B", "B": "C", "C": "A"}
RIGHT = {"A": "C", "B": "A", "C": "B"}
# The three seats clockwise from each.
ROUND = {seat: SEATS[place:] + SEATS[:place] for place, seat in enumerate(SEATS)}


def defenders_of(soloist: str) -> tuple[str, str]:
    """The two who defend against the soloist, clockwise."""
    return LEFT[soloist], RIGHT[soloist]
