#!/usr/bin/env python3
"""Check a file that an Accord salon made for auditors (accord-export/1). Needs Python 3.11 and
`cryptography`, nothing of Accord.

    python verify_export.py FILE [--key NAME+ID+KEY …] [--checkpoint FILE …]

Is the file byte for byte what the salon signed; has every event the hash of what it says, does it
follow the one before it and lead to the signed root (RFC 6962); do chips go where their event says;
have names and words their digests? The keys stand in the file, so they prove nothing by themselves:
compare them with those you were told, or give them with --key (also that of another salon that
countersigned): then what is signed by another key, which no chain of announcements joins to one of
them, is a fault. A checkpoint that you kept yourself, given with --checkpoint, shows that nothing
before it was rewritten since. Exit status: 0 when everything holds, 1 with what doesn't.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

META = (  # noqa: SIM905
    "actor command command_digest log occurred_at position prev recorded_at schema "
    "stream type version"
).split()
Note = tuple[
    str, list[tuple[str, bytes, bytes]]
]  # a text, and its signature lines: name, key id, value


class Found(list[str]):
    """What doesn't hold; `remarks` is what an auditor should know beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.remarks: list[str] = []

    def unless(self, holds: object, message: str) -> bool:
        """Note the fault unless it holds; whether it does."""
        if not holds and len(self) < 1000:
            self.append(message)
        return bool(holds)


def canonical(value: object) -> bytes:
    """The only way this value can be written, so that no byte changes unseen."""
    return (
        json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        + b"\n"
    )


def unbase64(text: str) -> bytes:
    if base64.b64encode(base64.b64decode(text, validate=True)).decode() != text:
        raise ValueError("base64 that is not canonical")
    return base64.b64decode(text)


class Key:
    """A public key NAME+ID+KEY as C2SP writes it; `kind` 1 signs, 4 countersigns with a time."""

    def __init__(self, vkey: str, kind: int = 0) -> None:
        self.vkey = vkey
        self.name, given, rest = vkey.split("+", 2)
        self.kind, self.public = kind or unbase64(rest)[0], unbase64(rest)[1:]
        self.id = hashlib.sha256(
            f"{self.name}\n".encode() + bytes([self.kind]) + self.public
        ).digest()[:4]
        if not kind and (
            self.id.hex() != given or self.kind not in (1, 4) or len(self.public) != 32
        ):
            raise ValueError(f"{vkey} is no key")

    def signed(self, note: Note) -> bool:
        """Whether the key's owner signed the note: every line under its name and id holds, and
        there is one.
        """
        mine = [value for name, key_id, value in note[1] if (name, key_id) == (self.name, self.id)]
        return bool(mine) and all(self.holds(note[0], value) for value in mine)

    def holds(self, text: str, value: bytes) -> bool:
        if self.kind == 4:
            text, value = (
                f"cosignature/v1\ntime {int.from_bytes(value[:8], 'big')}\n{text}",
                value[8:],
            )
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(value, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


def read_note(written: str) -> Note:
    text, empty_line, lines = written.rpartition("\n\n")
    matches = [
        re.fullmatch("\u2014 ([^ +]+) ([A-Za-z0-9+/=]+)", line) for line in lines[:-1].split("\n")
    ]
    if not empty_line or not lines.endswith("\n") or not all(matches):
        raise ValueError("no signed note")
    values = [(match[1], unbase64(match[2])) for match in matches if match]
    return text + "\n", [(name, value[:4], value[4:]) for name, value in values]


def read_checkpoint(note: Note) -> tuple[str, int, bytes]:
    """Origin, size and root."""
    origin, size, root = note[0].split("\n")[:3]
    if not re.fullmatch("0|[1-9][0-9]{0,17}", size):
        raise ValueError("no checkpoint")
    return origin, int(size), unbase64(root)


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def grow(subtrees: list[bytes], leaf: bytes, index: int) -> None:
    """Add the leaf at `index` to a tree of RFC 6962 that is kept as the roots of its complete
    subtrees.
    """
    while index & 1:
        leaf, index = node(subtrees.pop(), leaf), index >> 1
    subtrees.append(leaf)


def climb(here: int, last: int, start: bytes, path: Sequence[bytes]) -> tuple[bytes, bytes] | None:
    """The roots that a path leads to: over what lies left of it alone, and over everything."""
    left = right = start
    for sibling in path:
        if not last:
            return None
        if here & 1 or here == last:
            left, right = node(sibling, left), node(sibling, right)
            while not here & 1 and here:
                here, last = here >> 1, last >> 1
        else:
            right = node(right, sibling)
        here, last = here >> 1, last >> 1
    return None if last else (left, right)


def consistent(
    old: int, new: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the tree of `new` leaves begins with that of `old` leaves."""
    if old == new:
        return not proof and old_root == new_root
    path = list(proof) if old & (old - 1) else [old_root, *proof]
    whole = (
        old & -old
    ).bit_length() - 1  # levels of the last complete subtree, which both trees have
    here, last = (old - 1) >> whole, (new - 1) >> whole
    return bool(path) and climb(here, last, path[0], path[1:]) == (old_root, new_root)


def read_lines(stream: BinaryIO, found: Found) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """Each line as its number, its value ({} when it is none) and the bytes that the end signs:
    without names and words.
    """
    for number, raw in enumerate(stream, start=1):
        try:
            value = json.loads(raw)
        except ValueError:
            value = None
        if not found.unless(
            isinstance(value, dict) and canonical(value) == raw,
            f"line {number} is not as it was written",
        ):
            value = {}
        covered = {key: part for key, part in value.items() if key not in ("name", "words", "salt")}
        yield number, value, canonical(covered) if "digest" in value else raw


class Export:
    """The file as far as it has been read."""

    def __init__(self, head: dict[str, Any], given: Sequence[str], found: Found) -> None:
        self.head, self.found, self.whole, self.origin = (
            head,
            found,
            head["kind"] == "salon",
            head["origin"],
        )
        self.seen = dict.fromkeys(("events", "proven", "names", "words", "redacted", "erased"), 0)
        self.keys, self.size, self.root = (
            [(row["after"], Key(row["vkey"])) for row in head["keys"]],
            0,
            b"",
        )
        self.subtrees, self.roots, self.wanted = list[bytes](), dict[int, bytes](), set[int]()
        self.before: dict[str, Any] = {}
        self.versions, self.named, self.spoken, self.linked = (
            dict[str, int](),
            dict[str, str](),
            set[str](),
            set[str](),
        )
        self.streams = {head["stream"], *head.get("streams", [])} - {None}
        self.check_keys(given)
        if head["checkpoint"] is not None:
            self.check_checkpoint(
                read_note(head["checkpoint"]), {key.name: key for key in map(Key, given)}
            )

    def check_keys(self, given: Sequence[str]) -> None:
        """Is each key what was announced? Where a key of the log was given, a chain of
        announcements leads from such a one to each.
        """
        chains: list[
            dict[str, int]
        ] = []  # vkeys with their numbers, each announced by the one before it
        for number, (row, (_, key)) in enumerate(
            zip(self.head["keys"], self.keys, strict=True), start=1
        ):
            note, place = (
                read_note(row["announcement"]),
                f"after {row['after']}\ntime {row['made_at']}",
            )
            text = f"accord signing key {number}\n{self.origin}\n{row['vkey']}\n{place}\n"
            self.found.unless(
                note[0] == text and key.signed(note),
                f"key {number} is not the one that was announced",
            )
            chains += [] if number > 1 and self.keys[number - 2][1].signed(note) else [{}]
            chains[-1][key.vkey] = number
        known = {vkey for chain in chains for vkey in chain}
        for vkey in given:
            self.found.unless(
                vkey in known or not vkey.startswith(f"{self.origin}+"),
                f"the file is not of the key {vkey}",
            )
        for chain in chains if known & set(given) else []:
            alone = (
                f"key {min(chain.values())} was not announced by a key that was given, and was "
                f"not given itself"
            )
            self.found.unless(chain.keys() & set(given), f"{alone}: what it signed proves nothing")
        if not known & set(given):
            later = [
                (
                    f"key {min(chain.values())} was not announced by the key before it: ask the "
                    f"salon why"
                )
                for chain in chains[1:]
            ]
            self.found.remarks += [
                *later,
                f"compare the key with the one that the salon shows: {self.keys[-1][1].vkey}",
            ]

    def check_checkpoint(self, note: Note, others: dict[str, Key]) -> None:
        origin, self.size, self.root = read_checkpoint(note)
        later = [*(after for after, _ in self.keys[1:]), None]
        own = [
            key
            for (after, key), end in zip(self.keys, later, strict=True)
            if after < self.size and (end is None or self.size <= end)
        ]
        signed = (
            origin == self.origin
            and own
            and own[0].signed(note)
            and Key(own[0].vkey, 4).signed(note)
        )
        self.found.unless(signed, "the checkpoint is not signed by the key of the log")
        for name in sorted({name for name, _, _ in note[1]} - {self.origin}):
            known = name in others and self.found.unless(
                others[name].signed(note), f"the countersignature of {name} does not hold"
            )
            self.found.remarks.append(
                f"the checkpoint is countersigned by "
                f"{name}{'' if known else ', not checked: its key was not given'}"
            )

    def event(self, number: int, event: dict[str, Any]) -> None:
        """Has it the hash of what it says, is it where it belongs, and does it lead to the signed
        root?
        """
        position, stream, before, unless = (
            event["position"],
            event["stream"],
            self.before,
            self.found.unless,
        )
        entry = {key: event[key] for key in (*META, "transfer") if key in event}
        entry["body"] = hashlib.sha256(event["body"].encode()).hexdigest()
        leaf, name = (
            hashlib.sha256(b"\x00" + canonical(entry)[:-1]).digest(),
            f"line {number}: event {position}",
        )
        unless(
            leaf.hex() == event["hash"],
            f"{name} does not have the hash of what it says: it was changed",
        )
        unless(position > before.get("position", 0), f"{name} is out of order")
        unless(
            position - 1 != before.get("position") or event["prev"] == before["hash"],
            f"{name} does not follow event {position - 1}",
        )
        unless(
            event["version"] == self.versions.get(stream, 0) + 1,
            f"{name} is not the next one of stream {stream}",
        )
        unless(
            f"accord/{event['log']}" == self.origin and (self.whole or stream in self.streams),
            f"{name} belongs elsewhere",
        )
        moved, body = event.get("transfer", {}), json.loads(event["body"])
        same = (
            all(body.get(part) == moved.get(part) for part in ("source", "target", "chips"))
            and moved.get("chips", 0) > 0
        )
        unless(
            same if event["type"] == "chips.moved" else not moved,
            f"{name} says other chips than were moved",
        )
        self.linked |= {body["game"]} if event["type"] == "tournament.game_linked" else set()
        if self.whole:
            size = self.seen["events"] + 1
            unless(position == size, f"{name}: event {size} is missing before it")
            grow(self.subtrees, leaf, size - 1)
            self.roots |= (
                {size: reduce(lambda right, left: node(left, right), reversed(self.subtrees))}
                if size in self.wanted
                else {}
            )
        elif position <= self.size:
            led = climb(
                position - 1,
                self.size - 1,
                leaf,
                [unbase64(each) for each in event.get("path", [])],
            )
            self.seen["proven"] += unless(
                led and led[1] == self.root, f"{name} does not lead to the signed root"
            )
        self.before, self.versions[stream] = event, event["version"]
        self.seen["events"] += 1
        self.named |= dict(body["names"]) if event["type"] == "house.names_covered" else {}
        self.named |= {body["player"]: ""} if event["type"] == "house.person_erased" else {}
        self.spoken.update(re.findall("[0-9a-f]{64}|[0-9a-f]{32}", event["body"]))

    def personal(self, number: int, value: dict[str, Any]) -> None:
        """Has a name, or have words, their digest? They may be redacted or erased: the chain does
        not need them.
        """
        what = "name" if "player" in value else "words"
        if what in value:
            digest = hashlib.sha256(f"{value.get('salt')}\n{value[what]}".encode()).hexdigest()
            self.found.unless(
                digest == value["digest"], f"line {number}: the {what} are not what the salon gave"
            )
        covered = self.named.get(value.get("player", "")) or value["digest"]
        self.found.unless(
            value["digest"] == covered,
            f"line {number}: an event here covers another name of this player",
        )
        self.found.unless(
            value.get("player", value["digest"]) in self.spoken,
            f"line {number}: no event here speaks of this",
        )
        self.seen[
            ("names" if what == "name" else "words")
            if what in value
            else "erased"
            if value.get("erased")
            else "redacted"
        ] += 1

    def outside(self, name: str, note: Note) -> None:
        """Does a checkpoint that somebody kept hold for this file?"""
        origin, old, root = read_checkpoint(note)
        paths = {
            self.size: [],
            **{
                each["size"]: [unbase64(part) for part in each["path"]]
                for each in self.head["earlier"]
            },
        }
        if not self.found.unless(
            origin == self.origin and any(key.signed(note) for _, key in self.keys),
            f"{name} is not of this log",
        ):
            return
        if not self.found.unless(
            old in (self.roots if self.whole else paths),
            f"{name}: this file has no proof from {old} entries on",
        ):
            return
        holds = (
            self.roots[old] == root
            if self.whole
            else consistent(old, self.size, root, self.root, paths[old])
        )
        if self.found.unless(
            holds,
            f"{name}: the log does not begin with the {old} entries that it signs: they were "
            f"rewritten",
        ):
            self.found.remarks.append(
                f"{name} holds: entries 1 to {old} are what they were when it was signed"
            )


def check(
    stream: BinaryIO, given: Sequence[str], kept: Sequence[tuple[str, Note]], found: Found
) -> dict[str, int]:
    """Go through the file line by line; what was seen."""
    lines, digest, end = read_lines(stream, found), hashlib.sha256(), dict[str, Any]()
    _, head, raw = next(lines, (0, {}, b""))
    if not found.unless(
        head.get("format") == "accord-export/1", "this is no file of the format accord-export/1"
    ):
        return {}
    digest.update(raw)
    export = Export(head, given, found)
    export.wanted = {export.size, *(read_checkpoint(note)[1] for _, note in kept)}
    for number, value, raw in lines:
        found.unless(not end, f"line {number} comes after the end")
        if "note" in value and "position" not in value:
            note, end = read_note(value["note"]), value
            same = (
                note[0] == f"accord export\n{export.origin}\n{digest.hexdigest()}\n"
                and end["lines"] == number - 1
            )
            found.unless(
                same and export.keys[-1][1].signed(note),
                "the file is not what the salon signed: something was changed",
            )
        elif "position" in value:
            export.event(number, value)
        elif value:
            export.personal(number, value)
        digest.update(raw)
    found.unless(end, "the end of the file is missing")
    lacking = (set() if export.whole else export.streams | export.linked) - export.versions.keys()
    found.unless(
        not lacking,
        f"no event is here of {', '.join(sorted(lacking))}, which belongs to this {head['kind']}",
    )
    found.unless(
        export.seen["events"] == head["events"],
        f"{head['events']} events were written, {export.seen['events']} are here",
    )
    if export.whole and found.unless(
        export.roots.get(export.size, b"") == export.root,
        "the events do not have the root that was signed",
    ):
        export.seen["proven"] = export.size
    for name, note in kept:
        export.outside(name, note)
    return export.seen


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Check a file that an Accord salon made for auditors."
    )
    parser.add_argument("file")
    parser.add_argument("--key", nargs="+", default=[], help="keys that you were told: NAME+ID+KEY")
    parser.add_argument("--checkpoint", nargs="+", default=[], help="checkpoints that you kept")
    asked, found, seen = parser.parse_args(arguments), Found(), dict[str, int]()
    try:
        kept = [(name, read_note(Path(name).read_bytes().decode())) for name in asked.checkpoint]
        with Path(asked.file).open("rb") as stream:
            seen = check(stream, asked.key, kept, found)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        found.append(f"something can't be read: {type(error).__name__}: {error}")
    print(
        "".join(
            [f"FAULT   {each}\n" for each in found]
            + [f"remark  {each}\n" for each in found.remarks]
        ),
        end="",
    )
    if seen:
        print(
            (
                "{events} events, {proven} proven by the signed checkpoint; any others came "
                "later and are unproven"
            ).format(**seen)
        )
        print(
            (
                "{names} names and {words} texts given, {redacted} redacted, {erased} erased in "
                "the salon"
            ).format(**seen)
        )
    print("NOT as it was recorded." if found else "Everything holds.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
