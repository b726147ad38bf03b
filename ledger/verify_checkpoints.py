"""Verify what is signed: every key, every checkpoint and everything that follows from them against
the events as they are.

The tree is hashed again from the events' hashes, in memory that does not grow with the log. A
checkpoint kept outside says more than those in the database: whoever has the database could have
put others in their place.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ledger import notes
from ledger.checkpoint_times import find_falling_times
from ledger.findings import CHECKPOINT, COSIGNATURE, EVENT, SIGNING_KEY, TILE, WITNESSED, Finding
from ledger.merkle import TILE as TILE_EVENTS
from ledger.merkle import Frontier
from ledger.models import Checkpoint, Cosignature, Log, SigningKey, Tile, Witnessed
from ledger.notes import BadNote, Note, Verifier
from ledger.reading import fetch_all, head_of
from ledger.signing import SECOND, announcement, origin_of
from ledger.verdict import KnownKey, Signed, Verdict, describe_change
from ledger.verify_outside import OutsideText, check_outside, readable

PAGE = 5000
_HASHES = (
    "SELECT position, hash FROM ledger_event WHERE log_id = %s AND position > %s "
    "AND position <= %s ORDER BY position LIMIT %s"
)


def verify_checkpoints(
    log: int,
    outside: Sequence[OutsideText] = (),
    *,
    accepted: Collection[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Verdict:
    """Every way in which what was signed is not what the log holds. `progress` is told events done
    and in all.

    `accepted` are keys (vkeys) that somebody vouches for outside the database: one that no key
    before it announced is a finding unless it is among them.
    """
    place, verdict = Log.objects.get(pk=log), Verdict()
    # In this order: what is signed while this reads refers to nothing that was read too early.
    cosignatures = list(Cosignature.objects.filter(log=log).order_by("pk"))
    witnessed = list(Witnessed.objects.filter(log=log).order_by("origin", "size", "pk"))
    rows = list(Checkpoint.objects.filter(log=log).order_by("size", "pk"))
    keys = _keys(place, verdict, accepted)
    others = list(readable(outside, verdict))
    sizes = {row.size for row in rows} | {each.said.size for each in others}
    roots, length = _roots(place, sizes, rows[-1].size if rows else 0, verdict, progress)
    signed = Signed(
        log=place,
        origin=origin_of(place),
        keys=keys,
        rows={row.size: row for row in rows},
        roots=roots,
        length=length,
    )
    verdict.findings += [
        *_row_findings(signed, rows),
        *_cosignature_findings(signed, cosignatures),
        *_check_witnessed(signed, witnessed),
    ]
    verdict.remarks += find_falling_times(rows)
    check_outside(signed, others, verdict)
    return verdict


def _keys(place: Log, verdict: Verdict, accepted: Collection[str]) -> dict[int, KnownKey]:
    """The keys that can be read, with a finding for each that is not what was announced."""
    rows = list(SigningKey.objects.filter(log=place).order_by("number", "pk"))
    found: dict[int, KnownKey] = {}
    for place_in_order, row in enumerate(rows, start=1):
        if row.number != place_in_order:
            message = f"Key {place_in_order} is missing before key {row.number}."
            verdict.add_finding("key", SIGNING_KEY, row.number, message)
        try:
            verifier, note = notes.read_vkey(row.vkey), notes.read_note(row.announcement)
        except BadNote as fault:
            message = f"Key {row.number} can't be read: {fault}."
            verdict.add_finding("key", SIGNING_KEY, row.number, message)
            continue
        until = rows[place_in_order].after if place_in_order < len(rows) else None
        text = announcement(
            origin_of(place), row.number, verifier, after=row.after, made_at=row.made_at
        )
        if (
            note.text != text
            or verifier.name != origin_of(place)
            or not notes.is_signed(note, verifier)
        ):
            message = f"Key {row.number} is not the one that was announced."
            verdict.add_finding("key", SIGNING_KEY, row.number, message)
        _announcers(row, note, verifier, found.get(row.number - 1), accepted, verdict)
        found[row.number] = KnownKey(
            number=row.number, verifier=verifier, after=row.after, until=until
        )
    return found


def _announcers(
    row: SigningKey,
    note: Note,
    key: Verifier,
    before: KnownKey | None,
    accepted: Collection[str],
    verdict: Verdict,
) -> None:
    """Note whoever signed an announcement besides its key and the one before it, and that the one
    before it did not.
    """
    announced = before is not None and notes.is_signed(note, before.verifier)
    if _signers(note) != _names(*([before.verifier] if before and announced else []), key):
        message = (
            f"The announcement of key {row.number} has another signature than those of the "
            f"key and of the one before it."
        )
        verdict.add_finding("key", SIGNING_KEY, row.number, message, "announcement")
    if row.number > 1 and not announced:
        message = (
            f"Key {row.number} was not announced by the key before it: nothing but its own "
            f"word says that it belongs to this log."
        )
        if row.vkey in accepted:
            verdict.remarks.append(f"{message} It was accepted here.")
        else:
            verdict.add_finding("key", SIGNING_KEY, row.number, message, "announcement")


def _roots(
    place: Log, sizes: set[int], grown: int, verdict: Verdict, progress: Callable[[int, int], None]
) -> tuple[Mapping[int, bytes], int]:
    """The root at each of these sizes as far as the events go without a gap, and how far that is;
    tiles are compared on the way.
    """
    tiles = {
        (level, number): found
        for level, number, found in Tile.objects.filter(log=place).values_list(
            "level", "number", "hash"
        )
    }
    frontier, roots, total = Frontier(), {0: Frontier().root()}, head_of(place.pk).position
    for position, found in _hashes(place.pk, total):
        if position != frontier.size + 1:
            message = f"Event {frontier.size + 1} is missing: no later checkpoint can be checked."
            verdict.add_finding("tree", EVENT, frontier.size + 1, message)
            break
        leaf = _leaf(found)
        if leaf is None:
            message = f"The hash of event {position} is none: {found!r}."
            verdict.add_finding("tree", EVENT, position, message, "hash")
            break
        frontier.append(leaf)
        if frontier.tiles:
            verdict.findings += _tile_findings(frontier, tiles, grown)
        if position in sizes:
            roots[position] = frontier.root()
        if not position % PAGE:
            progress(position, total)
    for level, number in sorted(tiles):
        if (number + 1) * TILE_EVENTS**level > frontier.size or level < 1:
            name = f"{level}/{number}"
            verdict.add_finding(
                "tile", TILE, name, f"Tile {name} is over events that are not there."
            )
    return roots, frontier.size


def _tile_findings(
    frontier: Frontier, tiles: dict[tuple[int, int], str], grown: int
) -> Iterator[Finding]:
    """The tiles that the last event completed, where they are not as stored; those up to `grown`
    events must be there.
    """
    for level, number, found in frontier.tiles:
        stored = tiles.pop((level, number), None)
        name = f"{level}/{number}"
        if stored is None and frontier.size <= grown:
            yield Finding("tile", TILE, name, f"Tile {name} is missing.")
        elif stored is not None and stored != found.hex():
            message = f"Tile {name} is not the hash over its events."
            yield Finding("tile", TILE, name, message, "hash")
    frontier.tiles.clear()


def _row_findings(signed: Signed, rows: Sequence[Checkpoint]) -> Iterator[Finding]:
    """Is each checkpoint what its key signed, and does the log still hold it?"""
    before, held = 0, 0
    for row in rows:
        for column, what in _row_faults(signed, row, before):
            yield _checkpoint(row.size, what, column)
        if row.size > signed.length:
            what = f"signs {row.size} lines; the log has {signed.length} without a gap"
            yield _checkpoint(row.size, what, "size")
        elif signed.roots[row.size].hex() != row.root:
            yield _checkpoint(row.size, f"does not hold: {describe_change(held, row.size)}", "root")
        else:
            held = row.size
        before = row.size


def _row_faults(signed: Signed, row: Checkpoint, before: int) -> Iterator[tuple[str, str]]:
    if row.previous != before:
        yield (
            "previous",
            (
                f"follows one of {row.previous} lines, and the one before it has {before}: one "
                f"was taken away or put in"
            ),
        )
    try:
        note = notes.read_note(row.note)
        said = notes.read_checkpoint(note.text)
    except BadNote as fault:
        yield "note", f"can't be read: {fault}"
        return
    if (said.origin, said.size, said.root.hex()) != (signed.origin, row.size, row.root):
        yield "note", f"stands where the one of {said.size} lines of {said.origin} was signed"
    key = signed.keys.get(row.key)
    if key is None:
        yield "key", f"was signed by key {row.key}, which is not there"
    elif not key.signs(row.size):
        yield (
            "key",
            (
                f"is said to be signed by key {row.key}, which does not sign checkpoints of "
                f"{row.size} lines"
            ),
        )
    elif not notes.is_signed(note, key.verifier):
        yield "note", f"was not signed by key {row.key}"
    elif _signers(note) != _names(key.verifier, key.verifier.cosigner):
        yield "note", "has another signature under it than the two of its key: somebody put it in"
    elif not _is_cosigned(note, key.verifier, row.made_at):
        yield "made_at", "was signed at another time"


def _signers(note: Note) -> list[tuple[str, bytes]]:
    """The names and ids under a note, in order."""
    return [(each.name, each.key_id) for each in note.signatures]


def _names(*keys: Verifier) -> list[tuple[str, bytes]]:
    return [(key.name, key.key_id) for key in keys]


def _is_cosigned(note: Note, key: Verifier, at: int) -> bool:
    """Whether the owner of `key` put a time under the note, and it is `at` (microseconds)."""
    times = {
        notes.read_cosignature_time(each) * SECOND
        for each in note.signatures
        if each.key_id == key.cosigner.key_id
    }
    return notes.is_signed(note, key.cosigner) and times == {at}


def _cosignature_findings(signed: Signed, cosignatures: Sequence[Cosignature]) -> Iterator[Finding]:
    for each in cosignatures:
        if not _is_valid_cosignature(each, signed.rows.get(each.size)):
            message = (
                f"The signature of {each.vkey.partition('+')[0]} does not hold under the "
                f"checkpoint of {each.size} lines."
            )
            yield Finding("cosignature", COSIGNATURE, each.pk, message)


def _is_valid_cosignature(cosignature: Cosignature, checkpoint: Checkpoint | None) -> bool:
    """Whether a signature holds under its checkpoint and was made when its row says."""
    try:
        key, line = notes.read_vkey(cosignature.vkey), notes.read_signature(cosignature.line)
        text = notes.read_note(checkpoint.note).text if checkpoint is not None else ""
    except BadNote:
        return False
    signed_at = notes.read_cosignature_time(line) * SECOND if key.kind == notes.COSIGNED else 0
    return notes.holds(line, text, key) and cosignature.signed_at == signed_at


def _check_witnessed(signed: Signed, witnessed: Sequence[Witnessed]) -> Iterator[Finding]:
    """Is each checkpoint of another log what both signed, after the one before it?"""
    before: dict[str, int] = {}
    for row in witnessed:
        last = before.get(row.origin, 0)
        if row.old != last:
            what = f"follows one of {row.old}, and the one before it has {last}"
            yield _report_witnessed(row, what, "old")
        try:
            note = notes.read_note(row.note)
            said = notes.read_checkpoint(note.text)
            theirs = notes.is_signed(note, notes.read_vkey(row.vkey))
        except BadNote:
            theirs, said = False, None
        if not theirs or said != notes.Checkpoint(
            origin=row.origin, size=row.size, root=_leaf(row.root) or b""
        ):
            yield _report_witnessed(row, "is not what its salon signed", "note")
        elif not any(_is_cosigned(note, key.verifier, row.seen_at) for key in signed.keys.values()):
            yield _report_witnessed(row, "was not countersigned here, or at another time", "note")
        before[row.origin] = row.size


def _report_witnessed(row: Witnessed, what: str, column: str) -> Finding:
    message = f"The checkpoint of {row.size} lines of {row.origin} {what}."
    return Finding("witnessed", WITNESSED, row.pk, message, column)


def _hashes(log: int, total: int) -> Iterator[tuple[int, object]]:
    after = 0
    while page := fetch_all(_HASHES, [log, after, total, PAGE]):
        yield from page
        after = page[-1][0]


def _leaf(stored: object) -> bytes | None:
    try:
        found = bytes.fromhex(str(stored))
    except ValueError:
        return None
    return found if len(found) == 32 else None


def _checkpoint(size: int, what: str, column: str) -> Finding:
    message = f"The checkpoint of {size} lines {what}."
    return Finding("checkpoint", CHECKPOINT, size, message, column)
