"""Keeping the salon's tables: more of them, other names, and those that are used no more."""

from dataclasses import dataclass

from scoring.shape import a_list, a_text
from tournament.accounts.permissions import Act
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import Answer, Done, recorded
from tournament.domain.house.table_labels import MOST_TABLES
from tournament.recording.tables.keep import add_tables as added
from tournament.recording.tables.keep import rename_table as renamed
from tournament.recording.tables.keep import retire_table as retired
from tournament.recording.tables.listed import tables_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTables:
    """What tables are to be called, one that is retired among them to be in use again."""

    labels: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLabel:
    """What a table is to be called from now on."""

    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiredTable:
    """A table at which no game begins any more."""

    label: str


@operation(Act.MANAGE_TABLES, answers=Done, status=201, body=NewTables, keyed=True)
def add_tables(call: Call) -> Answer:
    """Add tables to the salon, each with a link and a PIN of its own. The answer is about the
    house.
    """
    given = a_list(call.body.labels, "labels")[: MOST_TABLES + 1]
    labels = [a_text(label, f"labels[{place}]") for place, label in enumerate(given)]
    return recorded(
        added(call.visitor.salon, labels, actor=call.visitor.actor, command=call.command)
    )


@operation(Act.MANAGE_TABLES, answers=Done, status=201, body=NewLabel, keyed=True)
def rename_table(call: Call, label: str) -> Answer:
    """Call a table otherwise, while no game is on there; games that were played there keep the name
    it had.
    """
    new = a_text(call.body.label, "new_label")
    return recorded(
        renamed(call.visitor.salon, label, new, actor=call.visitor.actor, command=call.command)
    )


@operation(Act.MANAGE_TABLES, answers=list[RetiredTable])
def list_retired_tables(call: Call) -> list[RetiredTable]:
    """The tables at which no game begins any more."""
    return [
        RetiredTable(label=table.label) for table in tables_of(call.visitor.salon, retired=True)
    ]


@operation(Act.MANAGE_TABLES, answers=Done, status=201, body=RetiredTable, keyed=True)
def retire_table(call: Call) -> Answer:
    """Let no game begin at a table any more, while none is on there. Added again it is in use
    again.
    """
    label = a_text(call.body.label, "label")
    return recorded(
        retired(call.visitor.salon, label, actor=call.visitor.actor, command=call.command)
    )
