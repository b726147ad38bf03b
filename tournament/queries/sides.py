"""The sides of a table in words: where an entry sits down."""

from django.utils.translation import gettext as _

from tournament.domain.tournament.sides import sides_at


def side_words(game: str) -> tuple[str, str]:
    """What the two entries of a table sit at, in their order: `N–S` and `E–W`, or the first and the
    second seat.
    """
    sides = tuple("\N{EN DASH}".join(side) for side in sides_at(game))
    return (sides[0], sides[1]) if len(sides) == 2 else (_("first seat"), _("second seat"))
