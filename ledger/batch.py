"""One append made ready for either database: the values `write_postgresql` and
`write_sqlite` share.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ledger.chain import Posted, Stored

EVENT_COLUMNS = (
    "log_id, position, stream, version, type, schema, occurred_at, recorded_at, "
    "actor, command, body, prev_hash, hash"
)
HEAD_COLUMNS = "id, key, command_key, position, hash, recorded_at"


class Head(NamedTuple):
    """The head row of a log: the position, hash and time of its last event, and what its chain is
    keyed with.
    """

    log: int
    key: str
    command_key: str
    position: int
    hash: str
    recorded_at: int


class EarlierCommand(NamedTuple):
    """A command as it was taken before."""

    digest: str
    first: int
    last: int


class Locked(NamedTuple):
    """State read once the head row is locked. `versions` has every stream asked for, 0 for
    a new one.
    """

    head: Head | None
    closed: bool
    taken: EarlierCommand | None
    versions: Mapping[str, int]


class Net(NamedTuple):
    """Total that a whole append pays out of an account and into it."""

    stream: str
    key: str
    owner: str
    overdraft: bool
    debits: int
    credits: int


class Moved(NamedTuple):
    """A transfer with the place of its event."""

    position: int
    stream: str
    posted: Posted


class Statement(NamedTuple):
    """An SQL statement and its values."""

    sql: str
    values: Sequence[Any]


class Beside(NamedTuple):
    """Rows of other tables that change with the events of an append, and the query that finds what
    they belong to.

    Each change holds the mark `{recorded}` as a condition: it changes nothing where the events were
    not written. None of them reads what another writes. What `there` does not find has no rows to
    be changed.
    """

    there: Statement
    changes: Sequence[Statement]


class Batch(NamedTuple):
    """One append: its events in order, its command, and what its chips do."""

    head: Head
    events: Sequence[Stored]
    digest: str
    moved: Sequence[Moved]
    nets: Sequence[Net]

    @property
    def head_after(self) -> Head:
        """The head of the log once this is written."""
        last = self.events[-1]
        return self.head._replace(
            position=last.position, hash=last.hash, recorded_at=last.recorded_at
        )
