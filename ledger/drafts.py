"""The values that go into the store and come out of it, and the two ways it refuses."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

CHIPS_MOVED = "chips.moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRef:
    """An account of a stream by its key; it is opened when chips first move. `owner` is an opaque
    id or "".
    """

    key: str
    owner: str = ""
    overdraft: bool = False


class TransferDraft(NamedTuple):
    """Whole chips > 0 that `source` pays to `target`; `reverses` is the stream version of the event
    it takes back.
    """

    source: AccountRef
    target: AccountRef
    chips: int
    reverses: int | None = None


class Draft(NamedTuple):
    """An event to be stored: `occurred_at` in microseconds UTC, `body` canonical JSON.

    A draft has a transfer exactly when its type is `chips.moved`.
    """

    stream: str
    type: str
    schema: int
    occurred_at: int
    body: bytes
    transfer: TransferDraft | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandClaim:
    """The command behind an append: an id chosen by who sent it (at most 36 characters), its actor,
    and what it said.
    """

    id: str
    actor: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """The positions a command's events have, and the version each stream it wrote had after
    them.
    """

    first: int
    last: int
    versions: Mapping[str, int]
    repeated: bool


class StreamMoved(Exception):
    """Someone else wrote the stream first."""

    def __init__(self, stream: str, *, expected: int, actual: int) -> None:
        super().__init__(f"stream {stream} is at version {actual}, not {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class LogClosed(Exception):
    """The log takes no further events until it is opened again."""

    def __init__(self) -> None:
        super().__init__("the log is closed")


class CommandReused(Exception):
    """A command id came again with other content."""

    def __init__(self, command: str) -> None:
        super().__init__(f"command {command} was already taken with other content")
        self.command = command


class Overdrawn(Exception):
    """An append would leave an account below zero that may not be."""

    def __init__(self) -> None:
        super().__init__("an account would be left below zero")
