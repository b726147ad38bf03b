"""The tables of the house: added, renamed, retired and taken back into use. A table keeps its
number, whatever it is called.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import RuleViolation, sentence
from tournament.domain.house.table_labels import MOST_TABLES, clean_label, same_label


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesFound:
    """The tables that the salon had before its log told of tables, numbered from 1 on."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesAdded:
    """The salon has these tables too, numbered on from those it had."""

    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRenamed:
    """From here on the table is called `label`; games that were played there keep what it was
    called then.
    """

    table: int
    was: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRetired:
    """No game begins at this table any more; games that were played there keep it."""

    table: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableTakenBack:
    """A retired table is in use again."""

    table: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AddTables:
    """Add tables; one of them that is retired is taken back into use. `found` are those that stood
    before the log told of any.
    """

    labels: tuple[str, ...]
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameTable:
    """Call a table otherwise. `playing` says that a game is on there."""

    label: str
    new_label: str
    playing: bool = False
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RetireTable:
    """Let no game begin at a table any more. `playing` says that a game is on there."""

    label: str
    playing: bool = False
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeTableBack:
    """Use a retired table again."""

    label: str
    found: tuple[str, ...] = ()


type Event = TablesFound | TablesAdded | TableRenamed | TableRetired | TableTakenBack
type Command = AddTables | RenameTable | RetireTable | TakeTableBack

SHAPES: dict[tuple[str, int], type[Event]] = {
    ("house.tables_found", 1): TablesFound,
    ("house.tables_added", 1): TablesAdded,
    ("house.table_renamed", 1): TableRenamed,
    ("house.table_retired", 1): TableRetired,
    ("house.table_taken_back", 1): TableTakenBack,
}


class HouseTable(NamedTuple):
    """A table of the house; its number is its place in the list, `first_label` what it was called
    when the log first told of it.
    """

    label: str
    retired: bool = False
    first_label: str = ""


type Tables = tuple[HouseTable, ...]


def decide_tables(command: Command, tables: Tables | None) -> list[Event]:
    """The facts that follow; `tables` is None before the log told of any: then those found are told
    first.

    Raises NotationError for a label that can't be, RuleViolation `table_there`, `no_table`,
    `table_playing`, `same_label`, `too_many_tables`, `table_retired`, `table_in_use`.
    """
    known: list[Event] = [] if tables is not None else [TablesFound(labels=command.found)]
    there = tables if tables is not None else tuple(map(HouseTable, command.found))
    match command:
        case AddTables():
            return [*known, *_decide_adding(command, there)]
        case RenameTable():
            return [*known, _decide_renaming(command, there)]
        case RetireTable():
            number = _number_of(command.label, there)
            _check_in_use(there[number - 1])
            _check_free(command)
            return [*known, TableRetired(table=number, label=there[number - 1].label)]
        case TakeTableBack():
            number = _number_of(command.label, there)
            if not there[number - 1].retired:
                raise RuleViolation(
                    "table_in_use", "table %(table)s is in use", path="label", table=command.label
                )
            _check_room(there, 1)
            return [*known, TableTakenBack(table=number, label=there[number - 1].label)]


def evolve_tables(tables: Tables | None, event: Event) -> Tables:
    """The tables after one more fact."""
    there = tables or ()
    match event:
        case TablesFound() | TablesAdded():
            return (*there, *(HouseTable(label, first_label=label) for label in event.labels))
        case TableRenamed():
            return _replace_table(
                there, event.table, there[event.table - 1]._replace(label=event.label)
            )
        case TableRetired():
            return _replace_table(there, event.table, there[event.table - 1]._replace(retired=True))
        case TableTakenBack():
            return _replace_table(
                there, event.table, there[event.table - 1]._replace(retired=False)
            )


def _decide_adding(command: AddTables, there: Tables) -> list[Event]:
    labels = [clean_label(label, f"labels[{place}]") for place, label in enumerate(command.labels)]
    if not labels:
        raise RuleViolation("no_table", "say what the new tables are called", path="labels")
    for place, label in enumerate(labels):
        in_use = [each.label for each in there if not each.retired]
        if any(same_label(label, each) for each in (*in_use, *labels[:place])):
            message = sentence("there is a table %(table)s already", table=label)
            raise RuleViolation("table_there", message, path=f"labels[{place}]")
    _check_room(there, len(labels))
    retired = {
        each.label.casefold(): number for number, each in enumerate(there, 1) if each.retired
    }
    back = [
        TableTakenBack(table=number, label=there[number - 1].label)
        for label in labels
        if (number := retired.get(label.casefold()))
    ]
    new = tuple(label for label in labels if label.casefold() not in retired)
    return [*back, *([TablesAdded(labels=new)] if new else [])]


def _decide_renaming(command: RenameTable, there: Tables) -> TableRenamed:
    number, label = _number_of(command.label, there), clean_label(command.new_label, "new_label")
    _check_in_use(there[number - 1])
    _check_free(command)
    if label == there[number - 1].label:
        raise RuleViolation(
            "same_label", "table %(table)s has this name already", path="new_label", table=label
        )
    if any(same_label(label, each.label) for place, each in enumerate(there, 1) if place != number):
        raise RuleViolation(
            "table_there", "there is a table %(table)s already", path="new_label", table=label
        )
    return TableRenamed(table=number, was=there[number - 1].label, label=label)


def _number_of(label: str, there: Tables) -> int:
    for number, table in enumerate(there, 1):
        if table.label == label:
            return number
    raise RuleViolation("no_table", "the salon has no table %(table)s", path="label", table=label)


def _check_in_use(table: HouseTable) -> None:
    if table.retired:
        message = sentence(
            "table %(table)s is retired; take it back into use first", table=table.label
        )
        raise RuleViolation("table_retired", message, path="label")


def _check_free(command: RenameTable | RetireTable) -> None:
    if command.playing:
        message = sentence(
            "a game is on at table %(table)s; it has to be over first", table=command.label
        )
        raise RuleViolation("table_playing", message, path="label")


def _check_room(there: Sequence[HouseTable], more: int) -> None:
    if sum(not each.retired for each in there) + more > MOST_TABLES:
        message = sentence("a salon has %(most)s tables at most", most=MOST_TABLES)
        raise RuleViolation("too_many_tables", message, path="labels")


def _replace_table(there: Tables, number: int, table: HouseTable) -> Tables:
    return (*there[: number - 1], table, *there[number:])
