"""Drawing lots: each as likely, and the same again for the same game, so that nobody can draw until
it suits.
"""

from collections.abc import Sequence

from django.utils.crypto import salted_hmac


def draw_first_dealer(seats: Sequence[str], game: str) -> str:
    """The seat that is drawn to deal the first hand of `game` (R3)."""
    lot = int.from_bytes(salted_hmac("first dealer", game, algorithm="sha256").digest())
    return seats[lot % len(seats)]
