"""The published movements of the material as plans, whole and with one entry changed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.material import MATERIAL, lines_of
from tournament.domain.pairing.given_plan import import_movement
from tournament.domain.schedules.values import Plan, Sitting


@dataclass(frozen=True, kw_only=True)
class Published:
    """A movement as it is printed: tables with the round they belong to, numbers from 0."""

    name: str
    size: int
    partners: bool
    tables: tuple[tuple[int, Sitting], ...]

    @property
    def plan(self) -> Plan:
        return import_movement(self.name, self.size, self.tables, partners=self.partners)


def movements() -> dict[str, Published]:
    """All of them by name."""
    return {
        line["name"]: Published(
            name=line["name"],
            size=line["size"],
            partners=line["partners"],
            tables=tuple(
                (
                    number,
                    Sitting(
                        table=table,
                        places=tuple(place - 1 for place in places),
                        deals=tuple(deals),
                    ),
                )
                for number, table, places, deals in line["tables"]
            ),
        )
        for line in lines_of(MATERIAL / "tournament" / "movements.jsonl")
    }


def with_one_entry_changed(movement: Published) -> Iterator[Published]:
    """Every movement with one number, deal, table, round or the size put in the place of another,
    those that are used elsewhere and one that isn't.
    """
    for size in (movement.size - 1, movement.size + 1):
        yield replace(movement, size=size)
    for place, (number, sitting) in enumerate(movement.tables):
        for changed in _changed(movement, number, sitting):
            tables = list(movement.tables)
            tables[place] = changed
            yield replace(movement, tables=tuple(tables))


def _changed(movement: Published, number: int, sitting: Sitting) -> Iterator[tuple[int, Sitting]]:
    sittings = [each for _number, each in movement.tables]
    rounds = {each for each, _sitting in movement.tables}
    deals = {deal for each in sittings for deal in each.deals}
    tables = {each.table for each in sittings}
    for other in range(-1, movement.size + 1):
        for changed in _with_another(sitting.places, other):
            yield number, replace(sitting, places=changed)
    for other in (*deals, max(deals) + 1):
        for changed in _with_another(sitting.deals, other):
            yield number, replace(sitting, deals=changed)
    for other in {*tables, max(tables) + 1} - {sitting.table}:
        yield number, replace(sitting, table=other)
    for other in {*rounds, max(rounds) + 1} - {number}:
        yield other, sitting


def _with_another(entries: tuple[int, ...], other: int) -> Iterator[tuple[int, ...]]:
    for place, entry in enumerate(entries):
        if entry != other:
            yield (*entries[:place], other, *entries[place + 1 :])
