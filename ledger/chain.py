"""The hash chain: what is hashed of an event, and how each event holds the one before it."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import NamedTuple

import orjson

GENESIS_PREFIX = b"accord log 1\n"
LEAF_PREFIX = b"\x00"

# A named tuple of all its values at once: its own constructor takes three times as long.
_made = tuple.__new__

type Metadata = dict[str, int | str | Mapping[str, object] | None]


class Stored(NamedTuple):
    """An event as it is stored. Times are microseconds UTC; `body` is canonical JSON text; hashes
    are 64 hex digits.
    """

    log: int
    position: int
    stream: str
    version: int
    type: str
    schema: int
    occurred_at: int
    recorded_at: int
    actor: str
    command: str
    body: str
    prev_hash: str
    hash: str


class Posted(NamedTuple):
    """A transfer as its event's hash covers it; overdrafts are 0 or 1, `reverses` a position of the
    same log.
    """

    source: str
    source_owner: str
    source_overdraft: int
    target: str
    target_owner: str
    target_overdraft: int
    chips: int
    reverses: int | None


def genesis(key: str, command_key: str) -> str:
    """The hash of an empty log, which its first event follows. Another key or another command key
    gives another hash.
    """
    return hashlib.sha256(GENESIS_PREFIX + f"{key}\n{command_key}".encode()).hexdigest()


def command_digest(command_key: str, content: bytes) -> str:
    """HMAC-SHA256 of a command's content: tells the same content from another, and nobody can guess
    the content from it.
    """
    return hmac.digest(bytes.fromhex(command_key), content, "sha256").hex()


def metadata(event: Stored, *, log_key: str, digest: str, posted: Posted | None) -> Metadata:
    """All that an event's hash covers: the event with its body's hash, its log, its command's
    digest and its transfer.
    """
    entry: Metadata = {
        "actor": event.actor,
        "body": hashlib.sha256(event.body.encode()).hexdigest(),
        "command": event.command,
        "command_digest": digest,
        "log": log_key,
        "occurred_at": event.occurred_at,
        "position": event.position,
        "prev": event.prev_hash,
        "recorded_at": event.recorded_at,
        "schema": event.schema,
        "stream": event.stream,
    }
    if posted is not None:
        entry["transfer"] = _transfer(posted)
    entry["type"] = event.type
    entry["version"] = event.version
    return entry


def _transfer(posted: Posted) -> dict[str, int | str | None]:
    # In the order of its keys: in any other order an event takes a sixth longer to hash.
    return {
        "chips": posted.chips,
        "reverses": posted.reverses,
        "source": posted.source,
        "source_overdraft": posted.source_overdraft,
        "source_owner": posted.source_owner,
        "target": posted.target,
        "target_overdraft": posted.target_overdraft,
        "target_owner": posted.target_owner,
    }


def encode(entry: Metadata) -> bytes:
    """The canonical JSON of `entry`: ASCII keys in order, integers, no white space."""
    return orjson.dumps(entry, option=orjson.OPT_SORT_KEYS)


def leaf_hash(entry: bytes) -> str:
    """The hash of an event: the leaf hash of RFC 6962, section 2.1."""
    return hashlib.sha256(LEAF_PREFIX + entry).hexdigest()


def sealed(event: Stored, *, log_key: str, digest: str, posted: Posted | None) -> Stored:
    """`event` with its hash."""
    return _made(
        Stored,
        (
            *event[:-1],
            leaf_hash(encode(metadata(event, log_key=log_key, digest=digest, posted=posted))),
        ),
    )
