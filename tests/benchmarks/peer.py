"""The yardstick: the `eventsourcing` library storing events of the same size, without rules, chain,
triggers or chips.
"""

import time
import uuid
from pathlib import Path

from django.db import connection
from eventsourcing.persistence import ApplicationRecorder, StoredEvent

BODY = b"x" * 270  # bytes, as in the yardstick of the design


def recorder(folder: Path) -> ApplicationRecorder:
    """The library's recorder on the kind of database that Django has here, in a place of
    its own.
    """
    if connection.vendor == "sqlite":
        from eventsourcing.sqlite import SQLiteApplicationRecorder, SQLiteDatastore

        made: ApplicationRecorder = SQLiteApplicationRecorder(
            SQLiteDatastore(str(folder / "peer.sqlite3"))
        )
    else:
        from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

        at = connection.settings_dict
        store = PostgresDatastore(at["NAME"], at["HOST"], at["PORT"], at["USER"], at["PASSWORD"])
        made = PostgresApplicationRecorder(store, events_table_name="peer_events")
    made.create_table()  # type: ignore[attr-defined]  # both have it, their base has not
    return made


def events_a_second(peer: ApplicationRecorder, *, batches: int, size: int) -> float:
    """How many events a second the library stores in batches of `size`, a transaction each."""
    began = time.perf_counter()
    for _ in range(batches):
        stream = uuid.uuid4()
        peer.insert_events(
            [
                StoredEvent(stream, version, "tournament:BidMade", BODY)
                for version in range(1, size + 1)
            ]
        )
    return batches * size / (time.perf_counter() - began)
