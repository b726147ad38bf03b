"""The rows of a salon and its tables that follow what the house laid down; links and PINs in them
are nowhere else.
"""

from collections.abc import Iterator, Mapping

from scoring.shape import JsonObject
from tournament.domain.house.persons import stands_for
from tournament.domain.house.rules import State
from tournament.models import Player, Salon, Table, new_pin

OF_THE_SALON = ("time_zone", "language", "logo", "paper")

type Differing = tuple[str, str, str, str]  # table, key, column, message


def keep_in_step(salon: int, state: State) -> None:
    """Let the rows of the salon and its tables say what the house laid down; a table that has no
    row gets one, with a link and a PIN.
    """
    Salon.objects.filter(pk=salon).update(**_of_the_salon(state))
    _merge_players(salon, state)
    rows = _rows(salon, state)
    # By a name in between, which nobody can type, so that tables can have swapped theirs.
    for number, row in rows.items():
        if row is not None and row.label != _table_columns(state)[number]["label"]:
            Table.objects.filter(pk=row.pk).update(label=f"\u00a0{number}")
    for number, columns in _table_columns(state).items():
        row = rows[number]
        if row is None:
            Table.objects.create(salon_id=salon, pin=new_pin(), **columns)
        else:
            Table.objects.filter(pk=row.pk).update(**columns)


def out_of_step(salon: int, state: State) -> Iterator[Differing]:
    """Yield the differences between these rows and their events."""
    kept = Salon.objects.filter(pk=salon).values(*OF_THE_SALON).get()
    for column, value in _of_the_salon(state).items():
        if kept[column] != value:
            yield (
                Salon._meta.db_table,
                str(salon),
                column,
                f"{column} is {kept[column]!r}, its events say {value!r}",
            )
    yield from _wrongly_merged(salon, state)
    rows = _rows(salon, state)
    for number, columns in _table_columns(state).items():
        row = rows[number]
        if row is None:
            yield (
                Table._meta.db_table,
                str(number),
                "",
                f"the row of table {columns['label']} is missing",
            )
            continue
        for column, value in columns.items():
            if getattr(row, column) != value:
                yield (
                    Table._meta.db_table,
                    str(number),
                    column,
                    f"{column} is {getattr(row, column)!r}, its events say {value!r}",
                )


def _merge_players(salon: int, state: State) -> None:
    """Let the rows of players say who stands for them."""
    for player, (_said, right) in _find_wrong_merges(salon, state).items():
        Player.objects.filter(salon=salon, pk=player).update(merged_into=right)


def _wrongly_merged(salon: int, state: State) -> Iterator[Differing]:
    for player, (said, right) in sorted(_find_wrong_merges(salon, state).items()):
        message = f"merged_into is {said!r}, its events say {right!r}"
        yield (Player._meta.db_table, player, "merged_into", message)


def _find_wrong_merges(salon: int, state: State) -> Mapping[str, tuple[str, str]]:
    """The players who are merged otherwise than the events say: into whom by the rows, and
    by the events.
    """
    right = stands_for(state.merged)
    rows = Player.objects.filter(salon=salon)
    said = dict(rows.exclude(merged_into="").values_list("pk", "merged_into"))
    return {
        player: (said.get(player, ""), right.get(player, ""))
        for player in said.keys() | right.keys()
        if said.get(player, "") != right.get(player, "")
    }


def _of_the_salon(state: State) -> dict[str, str]:
    return {column: getattr(state, column) for column in OF_THE_SALON}


def _table_columns(state: State) -> dict[int, JsonObject]:
    """The columns of the row of each table of the house, by its number."""
    return {
        number: {"number": number, "label": table.label, "retired": table.retired}
        for number, table in enumerate(state.tables or (), 1)
    }


def _rows(salon: int, state: State) -> Mapping[int, Table | None]:
    """The row of each table: that of its number, else one without a number that is called as it is,
    or as it was at first.
    """
    found = list(Table.objects.filter(salon=salon)) if state.tables else []
    numbered = {row.number: row for row in found if row.number is not None}
    others = {row.label: row for row in found if row.number is None}
    return {
        number: numbered.get(number) or others.get(table.label) or others.get(table.first_label)
        for number, table in enumerate(state.tables or (), 1)
    }
