"""A game, a tournament or a whole salon as one file for auditors: `accord-export/1`, which
`ledger/standalone/verify_export.py` checks.

The file is JSON Lines in UTF-8; each line is one object in canonical form (sorted keys, no white
space, no fractions).

1. The head: `format`; `origin`, the name of the log; `kind`, "game", "tournament" or "salon";
   `stream`, the game's or tournament's id, or null; `streams`, that one and those of all games that
   ever counted in the tournament; `salon`, its name; `events`, how many follow; `checkpoint`, the
   signed note the proofs lead to, with every signature under it, or null; `keys`, the public keys
   of the log (`number`, `vkey`, `after`, `made_at`, `announcement`); `earlier`, proofs that the log
   of earlier checkpoints is the beginning of this one (`size`, `path`); `made_at`, microseconds
   UTC.
2. One line an event, in order: what its hash covers (with `prev`, the hash of the event before it,
   and `transfer` where chips moved), `body` as stored instead of its hash, `hash`; and but for the
   file of a salon `path`, its audit path in the checkpoint's tree (RFC 6962), where the checkpoint
   covers it.
3. What is personal, apart: a line for each player (`player`, `name`, `salt`, `digest`) and for each
   text (`words`, `salt`, `digest`), `digest` being SHA-256 of salt, line feed, and name or words:
   for a name the one by which an event covers it, where one does. Anybody may redact such a line by
   taking `name` or `words`, and `salt`, out of it. Words that were erased in the salon have
   `erased`.
4. The end: `lines`, how many stand above it, and `note`: a signed note over the origin and the
   SHA-256 of the lines above, each with its line feed, redacted. So no byte can change unseen, and
   everything personal can go.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db.models import Count, Min

from ledger import checkpoints, merkle, notes, times, tree
from ledger.exporting import Entry, entries_of, in_text, proven_entries_of
from ledger.models import Checkpoint, SigningKey
from ledger.notes import Note
from ledger.reading import events_in, head_of, read_stream, snapshot
from ledger.signing import Keyring, origin_of, signer
from scoring.shape import JsonObject
from tournament.models import Player, Salon, Tournament
from tournament.streams.covered_names import digests_of_names, find_text_digests
from tournament.streams.texts import digest_of, texts_of

FORMAT = "accord-export/1"
SIGNED = "accord export"
LINKED = "tournament.game_linked"
PERSONAL = frozenset({"name", "words", "salt"})
# Checkpoints before the newest from which the file of a game or a tournament has a proof.
EARLIER = 30
_ID = re.compile(r"[0-9a-f]{32}")

type Line = JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Part of the log a file is about: its streams, the chief one first, the position
    where they begin, and how many events they have.
    """

    kind: str
    streams: tuple[str, ...]
    first: int
    events: int


@dataclass(slots=True)
class _Seal:
    """The lines written so far, as the end of the file signs them."""

    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    lines: int = 0

    def seal_line(self, line: Line) -> bytes:
        """The line as it stands in the file."""
        taken = PERSONAL if "digest" in line else frozenset()
        self.digest.update(_canonical({key: line[key] for key in line if key not in taken}))
        self.lines += 1
        return _canonical(line)


def auditors_file(
    salon: Salon, keyring: Keyring, *, stream: str | None = None, redacted: bool = False
) -> Iterator[bytes]:
    """The file line by line; with `stream` that of one game or tournament. `redacted` leaves names
    and words out.

    All of it is read as it was at one moment, whatever is recorded meanwhile. Raises KeyIsAway and
    Inconsistent before the first line.
    """
    now = times.now()
    _, private = signer(salon.log, keyring, now=now)
    with snapshot():
        yield from _lines(salon, private, stream=stream, redacted=redacted, now=now)


def _lines(
    salon: Salon, private: Ed25519PrivateKey, *, stream: str | None, redacted: bool, now: int
) -> Iterator[bytes]:
    log, seal = salon.log, _Seal()
    checkpoint, head = checkpoints.latest(log.pk), head_of(log.pk).position
    part = _part(salon, stream, until=head) if stream is not None else None
    yield seal.seal_line(
        _head(salon, part, checkpoint, events=part.events if part is not None else head, now=now)
    )
    mentioned, digests = set[str](), set[str]()
    for entry in _entries(salon, part, checkpoint, until=head):
        _note_people(entry, mentioned, digests)
        yield seal.seal_line(entry)
    people = _people(salon, mentioned, redacted=redacted)
    for line in (*people, *_texts(salon, digests, redacted=redacted)):
        yield seal.seal_line(line)
    text = f"{SIGNED}\n{origin_of(log)}\n{seal.digest.hexdigest()}\n"
    note = Note(text=text, signatures=(notes.sign(text, private, origin_of(log)),))
    yield _canonical({"lines": seal.lines, "note": str(note)})


def _part(salon: Salon, stream: str, *, until: int) -> _Part:
    """A game, or a tournament with every game that ever counted in it."""
    log = salon.log_id
    is_tournament = Tournament.objects.filter(salon=salon, pk=stream).exists()
    games = _list_linked_games(log, stream, until=until) if is_tournament else []
    streams = (stream, *games)
    held = events_in(log, streams).filter(position__lte=until)
    span = held.aggregate(first=Min("position"), events=Count("pk"))
    kind, first = "tournament" if is_tournament else "game", span["first"] or 1
    return _Part(kind=kind, streams=streams, first=first, events=span["events"])


def _list_linked_games(log: int, tournament: str, *, until: int) -> list[str]:
    linked = (event for event in read_stream(log, tournament) if event.type == LINKED)
    return sorted({json.loads(each.body)["game"] for each in linked if each.position <= until})


def _entries(
    salon: Salon, part: _Part | None, checkpoint: Checkpoint | None, *, until: int
) -> Iterator[Entry]:
    if part is None:
        return entries_of(salon.log, until=until)
    return proven_entries_of(salon.log, part.streams, checkpoint, first=part.first, until=until)


def file_name(salon: Salon, record: str | None) -> str:
    """Return the name of such a file."""
    return f"{salon.slug}-{record}.accord.jsonl" if record else f"{salon.slug}.accord.jsonl"


def _head(
    salon: Salon, part: _Part | None, checkpoint: Checkpoint | None, *, events: int, now: int
) -> Line:
    keys = SigningKey.objects.filter(log=salon.log).order_by("number")
    return {
        "format": FORMAT,
        "origin": origin_of(salon.log),
        "kind": part.kind if part is not None else "salon",
        "stream": part.streams[0] if part is not None else None,
        "streams": list(part.streams) if part is not None else [],
        "salon": salon.name,
        "events": events,
        "checkpoint": checkpoints.with_cosignatures(checkpoint) if checkpoint is not None else None,
        "keys": list(keys.values("number", "vkey", "after", "made_at", "announcement")),
        "earlier": [] if part is None or checkpoint is None else list(_earlier(salon, checkpoint)),
        "made_at": now,
    }


def _earlier(salon: Salon, checkpoint: Checkpoint) -> Iterator[Line]:
    node = tree.nodes_of(salon.log_id)
    before = Checkpoint.objects.filter(log=salon.log, size__lt=checkpoint.size).order_by("-size")
    for size in before.values_list("size", flat=True)[:EARLIER]:
        yield {"size": size, "path": in_text(merkle.consistency(size, checkpoint.size, node))}


def _note_people(entry: Entry, mentioned: set[str], digests: set[str]) -> None:
    """Remember whom an event speaks of, and which texts."""
    mentioned.update(_ID.findall(entry["body"]))
    digests.update(find_text_digests(entry["body"]))


def _people(salon: Salon, mentioned: set[str], *, redacted: bool) -> Iterator[Line]:
    covered = digests_of_names(salon)
    for player, name, kept in (
        Player.objects.filter(salon=salon).order_by("pk").values_list("pk", "name", "salt")
    ):
        if player in mentioned:
            salt = kept if covered.get(player) else secrets.token_hex(16)
            line: Line = {"player": player, "digest": digest_of(salt, name)}
            yield line if redacted else line | {"salt": salt, "name": name}


def _texts(salon: Salon, digests: set[str], *, redacted: bool) -> Iterator[Line]:
    texts = texts_of(salon, digests)
    for digest in sorted(digests):
        if digest not in texts:
            yield {"digest": digest, "erased": True}
        else:
            salt, words = texts[digest]
            known = {} if redacted else {"salt": salt, "words": words}
            yield {"digest": digest} | known


def _canonical(line: Line) -> bytes:
    return (
        json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    )
