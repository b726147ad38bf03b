"""The sides of a table in words: where an entry sits down."""

from django.utils.translation import gettext as _

from tournament.domain.tournament.sides import sides_at


def side_words(game: str, entries: int = 2) -> tuple[str, ...]:
    """The words for the seats of each entry at a table of this many, in their order: `N–S`
    and `E–W`, a seat each, or the first and the second seat; nothing for a single
    entry, or for more of them.
    """
    sides = sides_at(game, entries)
    if sides:
        return tuple("\N{EN DASH}".join(side) for side in sides) if entries > 1 else ("",)
    return (_("first seat"), _("second seat"), *("",) * (entries - 2))[:entries]
