"""Salons whose rows were made by another version, since nobody ran `rebuild` after an update:
found, told, and settled by a rebuild.
"""

from tournament.models import Salon
from tournament.models.rows_made_by import ROWS_MADE_BY

EARLIER, LATER = "earlier", "later"
ARTICLE = {EARLIER: "an earlier", LATER: "a later"}
REBUILD = "uv run manage.py rebuild"


def made_otherwise() -> dict[str, str]:
    """By slug, each salon whose rows this version did not make whole, and which one did: an EARLIER
    or a LATER one.
    """
    others = Salon.objects.order_by("slug").values_list("slug", "rows_made_by")
    return {slug: _version(number) for slug, number in others if number != ROWS_MADE_BY}


def made_by(salon: Salon) -> str:
    """EARLIER or LATER where another version made the rows of a salon, "" where this one did."""
    number = Salon.objects.values_list("rows_made_by", flat=True).get(pk=salon.pk)
    return "" if number == ROWS_MADE_BY else _version(number)


def in_words(slug: str, version: str) -> str:
    """The message about such a salon."""
    return f"The rows of {slug} were made by {ARTICLE[version]} version of Accord: run `{REBUILD}`."


def _version(number: int | None) -> str:
    """Rows of which nobody knows were made before this was kept."""
    return LATER if number is not None and number > ROWS_MADE_BY else EARLIER
