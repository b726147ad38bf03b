"""A game or a whole salon as one file for auditors: `accord-export/1`, which `ledger/standalone/verify_export.py` checks.

The file is JSON Lines in UTF-8; each line is one object in canonical form (sorted keys, no white space, no fractions).

1. The head: `format`; `origin`, the name of the log; `kind`, "game" or "salon"; `stream`, the game's id, or null;
   `salon`, its name; `events`, how many follow; `checkpoint`, the signed note the proofs lead to, with every signature under it,
   or null; `keys`, the public keys of the log (`number`, `vkey`, `after`, `made_at`, `announcement`); `earlier`, proofs that
   the log of earlier checkpoints is the beginning of this one (`size`, `path`); `made_at`, microseconds UTC.
2. One line an event, in order: what its hash covers (with `prev`, the hash of the event before it, and `transfer` where
   chips moved), `body` as stored instead of its hash, `hash`; and in the file of a game `path`, its audit path in the
   checkpoint's tree (RFC 6962), where the checkpoint covers it.
3. What is personal, apart: a line for each player (`player`, `name`, `salt`, `digest`) and for each text (`words`,
   `salt`, `digest`), `digest` being SHA-256 of salt, line feed, and name or words. Anybody may redact such a line by
   taking `name` or `words`, and `salt`, out of it. Words that were erased in the salon have `erased`.
4. The end: `lines`, how many stand above it, and `note`: a signed note over the origin and the SHA-256 of the lines above,
   each with its line feed, redacted. So no byte can change unseen, and everything personal can go.
"""

import hashlib
import json
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ledger import checkpoints, merkle, notes, tree
from ledger.exporting import Entry, entries_of, in_text, proven_entries_of
from ledger.models import Checkpoint, SigningKey
from ledger.notes import Note
from ledger.reading import head_of, version_of
from ledger.signing import Keyring, origin_of, signer
from tournament.models import Player, Salon
from tournament.people import names_of
from tournament.texts import digest_of, digests_in, texts_of

FORMAT = "accord-export/1"
SIGNED = "accord export"
PERSONAL = frozenset({"name", "words", "salt"})
EARLIER = 30  # checkpoints before the newest from which the file of a game has a proof
_ID = re.compile(r"[0-9a-f]{32}")

type Line = dict[str, Any]


@dataclass(slots=True)
class _Seal:
    """The lines written so far, as the end of the file signs them."""

    digest: Any = field(default_factory=hashlib.sha256)
    lines: int = 0

    def written(self, line: Line) -> bytes:
        """The line as it stands in the file."""
        self.digest.update(_canonical({key: value for key, value in line.items() if "digest" not in line or key not in PERSONAL}))
        self.lines += 1
        return _canonical(line)


def auditors_file(salon: Salon, keyring: Keyring, *, stream: str | None = None, redacted: bool = False) -> Iterator[bytes]:
    """The file line by line; with `stream` that of one game. `redacted` leaves names and words out.

    Raises KeyIsAway before the first line.
    """
    now = time.time_ns() // 1000
    log, seal = salon.log, _Seal()
    _, private = signer(log, keyring, now=now)
    checkpoint, head = checkpoints.latest(log.pk), head_of(log.pk).position
    events = head if stream is None else version_of(log.pk, stream)
    yield seal.written(_head(salon, stream, checkpoint, events=events, now=now))
    mentioned, digests = set[str](), set[str]()
    for entry in entries_of(log, until=head) if stream is None else proven_entries_of(log, stream, checkpoint):
        _note_people(entry, mentioned, digests)
        yield seal.written(entry)
    for line in (*_people(salon, mentioned, redacted=redacted), *_texts(salon, digests, redacted=redacted)):
        yield seal.written(line)
    text = f"{SIGNED}\n{origin_of(log)}\n{seal.digest.hexdigest()}\n"
    note = Note(text=text, signatures=(notes.sign(text, private, origin_of(log)),))
    yield _canonical({"lines": seal.lines, "note": str(note)})


def file_name(salon: Salon, record: str | None) -> str:
    """What such a file is called."""
    return f"{salon.slug}-{record}.accord.jsonl" if record else f"{salon.slug}.accord.jsonl"


def _head(salon: Salon, stream: str | None, checkpoint: Checkpoint | None, *, events: int, now: int) -> Line:
    keys = SigningKey.objects.filter(log=salon.log).order_by("number")
    return {
        "format": FORMAT,
        "origin": origin_of(salon.log),
        "kind": "salon" if stream is None else "game",
        "stream": stream,
        "salon": salon.name,
        "events": events,
        "checkpoint": checkpoints.with_cosignatures(checkpoint) if checkpoint is not None else None,
        "keys": list(keys.values("number", "vkey", "after", "made_at", "announcement")),
        "earlier": [] if stream is None or checkpoint is None else list(_earlier(salon, checkpoint)),
        "made_at": now,
    }


def _earlier(salon: Salon, checkpoint: Checkpoint) -> Iterator[Line]:
    node = tree.nodes_of(salon.log_id)
    before = Checkpoint.objects.filter(log=salon.log, size__lt=checkpoint.size).order_by("-size").values_list("size", flat=True)
    for size in before[:EARLIER]:
        yield {"size": size, "path": in_text(merkle.consistency(size, checkpoint.size, node))}


def _note_people(entry: Entry, mentioned: set[str], digests: set[str]) -> None:
    """Remember whom an event speaks of, and which texts."""
    mentioned.update(_ID.findall(entry["body"]))
    if '"note"' in entry["body"] or '"by"' in entry["body"] or '"reason"' in entry["body"]:
        digests.update(digest for digest in digests_in(json.loads(entry["body"])) if len(digest) == 64)


def _people(salon: Salon, mentioned: set[str], *, redacted: bool) -> Iterator[Line]:
    known = sorted(player for player in Player.objects.filter(salon=salon).values_list("pk", flat=True) if player in mentioned)
    names = names_of(salon, known)
    for player in known:
        salt = secrets.token_hex(16)
        line: Line = {"player": player, "digest": digest_of(salt, names[player])}
        yield line if redacted else line | {"salt": salt, "name": names[player]}


def _texts(salon: Salon, digests: set[str], *, redacted: bool) -> Iterator[Line]:
    texts = texts_of(salon, digests)
    for digest in sorted(digests):
        if digest not in texts:
            yield {"digest": digest, "erased": True}
        else:
            salt, words = texts[digest]
            yield {"digest": digest} if redacted else {"digest": digest, "salt": salt, "words": words}


def _canonical(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
