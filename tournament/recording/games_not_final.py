"""The games of a salon that are not final yet: few, however many there were."""

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from tournament.models import Game, Salon

# SQLite finds an index of some rows only by a condition that is written out, and would rather have
# one in the order of a page.
_KEYS = """
SELECT n.id FROM tournament_game n INDEXED BY games_that_are_not_final
 WHERE n.salon_id = %s AND n.final = 0"""


def not_final(salon: Salon) -> QuerySet[Game]:
    """These games, in no order."""
    if connection.vendor == "sqlite":
        return Game.objects.filter(pk__in=RawSQL(_KEYS, [salon.pk]))  # noqa: S611 - constants only
    return Game.objects.filter(salon=salon, final=False)
