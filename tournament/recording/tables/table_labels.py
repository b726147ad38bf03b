"""Which tables a salon has, in the order in which people look for them."""

from ledger.reading import fetch_all
from tournament.domain.house.table_labels import place_of
from tournament.models import Game, Salon, Table

# From each label to the next one in the index: as many looks as there are labels, not games.
_PLAYED_AT = """
WITH RECURSIVE played (label) AS (
  SELECT min(g."table") FROM tournament_game g WHERE g.salon_id = %s AND g."table" > ''
   UNION ALL
  SELECT (SELECT min(g."table") FROM tournament_game g WHERE g.salon_id = %s
    AND g."table" > played.label)
    FROM played WHERE played.label IS NOT NULL
)
SELECT label FROM played WHERE label IS NOT NULL"""


def tables_of(salon: Salon, *, retired: bool = False) -> list[Table]:
    """The salon's tables in use, or those retired, 2 before 10."""
    rows = Table.objects.filter(salon=salon, retired=retired)
    return sorted(rows, key=lambda table: place_of(table.label))


def labels_of(salon: Salon) -> list[str]:
    """The labels of the salon's tables in use, 2 before 10."""
    return sorted(
        Table.objects.filter(salon=salon, retired=False).values_list("label", flat=True),
        key=place_of,
    )


def labels_played_at(salon: Salon) -> list[str]:
    """The labels, present and past, of every table where games were played, in use or not."""
    known = set(Table.objects.filter(salon=salon).values_list("label", flat=True))
    return sorted(
        known | {label for (label,) in fetch_all(_PLAYED_AT, [salon.pk, salon.pk])}, key=place_of
    )


def is_retired(salon: Salon, label: str) -> bool:
    """Whether the table with this label is retired."""
    return Table.objects.filter(salon=salon, label=label, retired=True).exists()


def list_busy_tables(salon: Salon) -> set[str]:
    """The labels of tables at which a game is on."""
    return set(
        Game.objects.filter(salon=salon, finished=False)
        .exclude(table="")
        .values_list("table", flat=True)
    )


def free_labels(salon: Salon) -> list[str]:
    """The labels of the tables in use at which no one plays."""
    playing = list_busy_tables(salon)
    return [label for label in labels_of(salon) if label not in playing]
