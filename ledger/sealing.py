"""Give the drafts of an append their places, their transfers and their hashes.

The metadata of each is written here as text in canonical order, since most of it is the same for a
whole append: the bytes are those of `chain.encode(chain.metadata(…))`, by which everything stored
is checked.
"""

import hashlib
from collections.abc import Mapping, Sequence

import orjson

from ledger.batch import Batch, Head, Moved, Net
from ledger.chain import LEAF_PREFIX, Posted, Stored
from ledger.drafts import CommandClaim, Draft, TransferDraft

# A named tuple of all its values at once: its own constructor takes three times as long.
_made = tuple.__new__


def seal_batch(
    head: Head,
    claim: CommandClaim,
    drafts: Sequence[Draft],
    digest: str,
    *,
    now: int,
    versions: Mapping[str, int],
    positions: dict[tuple[str, int], int],
) -> Batch:
    """The drafts as the next events after `head`, of streams that are at these `versions`.

    `positions` has the place of each stored event whose transfer is taken back, and learns that of
    every new one. Raises ValueError for a transfer that takes back what is not there.
    """
    recorded_at = max(now, head.recorded_at)
    seal = Seal(head.key, claim, digest, recorded_at)
    at, prev = dict(versions), head.hash
    events: list[Stored] = []
    moved: list[Moved] = []
    for position, draft in enumerate(drafts, head.position + 1):
        stream, kind, schema, occurred_at, body, transfer = draft
        version = at[stream] = at[stream] + 1
        positions[stream, version] = position
        posted = _build_posted(stream, transfer, positions) if transfer else None
        if posted:
            moved.append(_made(Moved, (position, stream, posted)))
        sealed = seal.hash_of(draft, position, version, prev, posted)
        place = (
            head.log,
            position,
            stream,
            version,
            kind,
            schema,
            occurred_at,
            recorded_at,
            claim.actor,
            claim.id,
        )
        events.append(_made(Stored, (*place, body.decode(), prev, sealed)))
        prev = sealed
    return Batch(head, events, digest, moved, nets_of(moved))


class Seal:
    """Hasher of the events of one append: the metadata that is the same for each is
    written once.
    """

    def __init__(self, log_key: str, claim: CommandClaim, digest: str, recorded_at: int) -> None:
        self._quoted: dict[str, str] = {}
        command, log = self._json(claim.id), self._json(log_key)
        self._until_body = f'{{"actor":{self._json(claim.actor)},"body":"'
        head = f'","command":{command},"command_digest":{self._json(digest)}'
        self._until_time = f'{head},"log":{log},"occurred_at":'
        self._until_schema = f'","recorded_at":{recorded_at},"schema":'

    def hash_of(
        self, draft: Draft, position: int, version: int, prev: str, posted: Posted | None
    ) -> str:
        """The hash of an event: the leaf hash of RFC 6962, section 2.1, over its metadata."""
        stream, kind, schema, occurred_at, body, _ = draft
        entry = (
            f"{self._until_body}{hashlib.sha256(body).hexdigest()}{self._until_time}{occurred_at},"
            f'"position":{position},"prev":"{prev}{self._until_schema}{schema},"stream":{self._json(stream)},'
            f'{self._transfer(posted) if posted else ""}"type":{self._json(kind)},'
            f'"version":{version}}}'
        )
        return hashlib.sha256(LEAF_PREFIX + entry.encode()).hexdigest()

    def _transfer(self, posted: Posted) -> str:
        reverses = "null" if posted.reverses is None else posted.reverses
        return (
            f'"transfer":{{"chips":{posted.chips},"reverses":{reverses},'
            f'"source":{self._json(posted.source)},"source_overdraft":{posted.source_overdraft},'
            f'"source_owner":{self._json(posted.source_owner)},'
            f'"target":{self._json(posted.target)},"target_overdraft":{posted.target_overdraft},'
            f'"target_owner":{self._json(posted.target_owner)}}},'
        )

    def _json(self, text: str) -> str:
        if text not in self._quoted:
            self._quoted[text] = orjson.dumps(text).decode()
        return self._quoted[text]


def _build_posted(
    stream: str, transfer: TransferDraft, positions: Mapping[tuple[str, int], int]
) -> Posted:
    source, target, chips, reverses = transfer
    if reverses is not None and (stream, reverses) not in positions:
        raise ValueError(f"stream {stream} has no version {reverses} to take back")
    taken_back = None if reverses is None else positions[stream, reverses]
    pays = (source.key, source.owner, int(source.overdraft))
    return _made(
        Posted, (*pays, target.key, target.owner, int(target.overdraft), chips, taken_back)
    )


def nets_of(moved: Sequence[Moved]) -> list[Net]:
    """Sum what each account pays and gets in all; its last transfer says whether it may go
    below zero.
    """
    owners: dict[tuple[str, str], tuple[str, bool]] = {}
    debits: dict[tuple[str, str], int] = {}
    credits_: dict[tuple[str, str], int] = {}
    for _, stream, posted in moved:
        source, source_owner, source_overdraft, target, target_owner, target_overdraft, chips, _ = (
            posted
        )
        owners[stream, source] = source_owner, bool(source_overdraft)
        owners[stream, target] = target_owner, bool(target_overdraft)
        debits[stream, source] = debits.get((stream, source), 0) + chips
        credits_[stream, target] = credits_.get((stream, target), 0) + chips
    return [
        Net(*account, *owner, debits.get(account, 0), credits_.get(account, 0))
        for account, owner in owners.items()
    ]
