"""The door for the salon's tables: added, renamed, retired, taken back into use, through the one
door for facts.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tournament.domain.house import tables
from tournament.models import Salon, Table
from tournament.recording import door
from tournament.recording.tables.table_labels import labels_of, list_busy_tables
from tournament.streams.codec import encode
from tournament.streams.correction_period import house_of, house_stream
from tournament.streams.folds import Folded, advance_fold
from tournament.streams.types import HOUSE


def add_tables(salon: Salon, labels: Sequence[str], *, actor: str, command: str) -> door.Recorded:
    """More tables, each with its own link and PIN; one that is retired is taken back into use.

    The same command again gives the same answer. Raises Refusal, StreamMoved, CommandReused.
    """
    return _record(salon, tables.AddTables(labels=tuple(labels)), actor=actor, command=command)


def rename_table(
    salon: Salon, label: str, new_label: str, *, actor: str, command: str
) -> door.Recorded:
    """Call a table otherwise; else as `add_tables`."""
    return _record(
        salon, tables.RenameTable(label=label, new_label=new_label), actor=actor, command=command
    )


def retire_table(salon: Salon, label: str, *, actor: str, command: str) -> door.Recorded:
    """Let no game begin at a table any more; else as `add_tables`."""
    return _record(salon, tables.RetireTable(label=label), actor=actor, command=command)


def take_table_back(salon: Salon, label: str, *, actor: str, command: str) -> door.Recorded:
    """Use a retired table again; else as `add_tables`."""
    return _record(salon, tables.TakeTableBack(label=label), actor=actor, command=command)


def _record(salon: Salon, act: tables.Command, *, actor: str, command: str) -> door.Recorded:
    """Record an act about tables. Values found in rows are no part of the command: sent
    again it says the same.
    """
    stream = house_stream(salon.log)
    content = encode([stream, [type(act).__name__, act]])
    order = door.WriteRequest(
        salon=salon, stream=stream, actor=actor, command=command, content=content
    )
    seeing = _add_tables_seen(salon, act)
    version = house_of(salon).version
    if not version:
        return door.record_new(
            order, HOUSE, lambda prepare: door.decide_and_fold(HOUSE, prepare(seeing), None)
        )
    return door.record_on(order, version, partial(_decide, seeing))


def _add_tables_seen(salon: Salon, act: tables.Command) -> tables.Command:
    """The act with the tables that stand already, and whether a game is on at its own."""
    numbered = Table.objects.filter(salon=salon, number__isnull=False).exists()
    seen: dict[str, Any] = {} if numbered else {"found": tuple(labels_of(salon))}
    if isinstance(act, tables.RenameTable | tables.RetireTable):
        seen["playing"] = act.label in list_busy_tables(salon)
    return replace(act, **seen)


def _decide(act: tables.Command, folded: Folded, prepare: door.Prepare) -> door.Outcome:
    events, state = door.decide_and_fold(HOUSE, prepare(act), folded.state)
    return door.Outcome(events, advance_fold(folded, state))
