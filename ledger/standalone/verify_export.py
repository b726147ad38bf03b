#!/usr/bin/env python3
"""Check a file of an Accord salon for auditors, with Python 3.11 and `cryptography` alone.

    python verify_export.py FILE [--key KEY …] [--witness KEY …] [--checkpoint FILE …]

Keys in the file prove nothing by themselves: give those the salon showed you with --key. Then it is
a fault if no chain of announcements joins a key that signed to one of them. --witness takes keys of
salons that countersigned: each must have signed the checkpoint of the file, or one that you kept.
Such a checkpoint, given with --checkpoint, shows that nothing before it was rewritten. Exit status:
0 if all holds, else 1.
"""

import argparse
import base64
import json
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SEEN = """\
{events} events, {proven} proven by the signed checkpoint; any others came later and are unproven
{names} names and {words} texts given, {redacted} redacted, {erased} erased in the salon"""
MEMBERS = {  # of each kind of line, and of what is in one; # marks numbers. No hash covers the rest
    "head": "checkpoint earlier events# format keys kind made_at# origin salon stream streams",
    "key": "after# announcement made_at# number# vkey",
    "proof": "path size#",
    "event": "actor body command command_digest hash log occurred_at# position# prev recorded_at# "
    "schema# stream type version#",
    "transfer": "chips# reverses# source source_overdraft# source_owner target target_overdraft# "
    "target_owner",
    "end": "lines# note",
    "a name": "digest name player salt",
    "a redacted name": "digest player",
    "a text": "digest salt words",
    "a redacted text": "digest",
    "an erased text": "digest erased",
}
KINDS = {frozenset(re.findall(r"\w+", members)): kind for kind, members in MEMBERS.items()}
NUMBERS = frozenset(
    word.removesuffix("#") for word in " ".join(MEMBERS.values()).split() if word.endswith("#")
)
LISTS = {"keys": "key", "earlier": "proof", "path": "node", "streams": "stream"}
ID, HASH, PERSONAL = "[0-9a-f]{32}", "[0-9a-f]{64}", {"name", "words", "salt"}
FORMS = {
    **dict.fromkeys(("log", "player", "salt", "stream"), ID),
    **dict.fromkeys(("command_digest", "digest", "hash", "prev"), HASH),
    "format": "accord-export/1",
    "kind": "game|salon|tournament",
    "origin": f"accord/{ID}",
}
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
Line = dict[str, Any]
NAMED = ("house.names_covered", "house.person_renamed", "house.person_erased")
Note = tuple[str, list[tuple[str, bytes, bytes]]]  # a text, and each signer's name, key id, value
Kept = Sequence[tuple[str, Note]]  # checkpoints by the name of their file
Checks = Iterator[tuple[object, str]]  # whether something holds, and the fault when it doesn't


def canonical(value: object) -> bytes:
    """The only way this value can be written, so that no byte changes unseen."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode() + b"\n"


def read_line(raw: bytes) -> Line:
    """The values of a line; nothing if it is not as it was written."""
    try:
        value = json.loads(raw, parse_float=int, parse_constant=int)
        return value if isinstance(value, dict) and canonical(value) == raw else {}
    except (ValueError, RecursionError):
        return {}


def fits(name: str, value: object) -> object:
    """Whether a value has the form that all of its name have."""
    if name in LISTS:
        return isinstance(value, list) and all(fits(LISTS[name], each) for each in value)
    if name in MEMBERS:
        return isinstance(value, dict) and kind_of(value) == name
    if name in NUMBERS and value is not None:
        return type(value) is int and abs(value) < 2**53
    if name == "erased" or value is None:
        return value is True or name in ("checkpoint", "reverses", "stream")
    return isinstance(value, str) and re.fullmatch(FORMS.get(name, "(?s:.*)"), value)


def kind_of(value: Line) -> str:
    """The kind of line that has just these members, each of its form; "" for none."""
    optional = {"path", "transfer"} if "body" in value else set()
    kind = KINDS.get(frozenset(value.keys() - optional), "")
    return kind if all(fits(name, part) for name, part in value.items() if name != kind) else ""


def unbase64(text: str) -> bytes:
    value = base64.b64decode(text, validate=True)
    if base64.b64encode(value).decode() != text:
        raise ValueError("base64 that is not canonical")
    return value


def read_note(written: str) -> Note:
    text, empty_line, below = written.rpartition("\n\n")
    if not empty_line or not re.fullmatch("(\u2014 [^ +\n]+ [A-Za-z0-9+/=]+\n)+", below):
        raise ValueError("no signed note")
    lines = [line.split(" ") for line in below[:-1].split("\n")]
    return f"{text}\n", [(name, unbase64(key)[:4], unbase64(key)[4:]) for _, name, key in lines]


def read_checkpoint(note: Note) -> tuple[str, int, bytes]:
    """Origin, size and root."""
    said = re.fullmatch("(.+)\n([1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n", note[0])
    if not said:
        raise ValueError("no checkpoint")
    return said[1], int(said[2]), unbase64(said[3])


def signed(note: Note, vkey: str, kind: int = 0) -> bool:
    """Whether the key NAME+ID+KEY (C2SP; kind 1 signs, 4 countersigns) has lines and all hold."""
    name, given_id, rest = vkey.split("+", 2)
    named, own_kind, public = f"{name}\n".encode(), unbase64(rest)[0], unbase64(rest)[1:]
    ids = {each: sha256(named + bytes([each]) + public).digest()[:4] for each in (1, 4)}
    if own_kind not in ids or ids[own_kind].hex() != given_id:
        raise ValueError(f"{vkey} is no key")
    kind, key = kind or own_kind, Ed25519PublicKey.from_public_bytes(public)
    values = [value for signer, key_id, value in note[1] if (signer, key_id) == (name, ids[kind])]
    try:
        for value in values:
            time = f"cosignature/v1\ntime {int.from_bytes(value[:8], 'big')}\n" if kind == 4 else ""
            key.verify(value[8:] if time else value, f"{time}{note[0]}".encode())
    except InvalidSignature:
        return False
    return bool(values)


def node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root_of(level: list[bytes]) -> bytes:
    """The root of a tree of RFC 6962 over these leaves: pairs become nodes, an odd one moves up."""
    while len(level) > 1:
        level = [*map(node, level[::2], level[1::2]), *level[len(level) // 2 * 2 :]]
    return level[0] if level else b""


def climb(here: int, last: int, start: bytes, path: Sequence[str]) -> tuple[bytes, bytes]:
    """The roots that a path leads to: over all that ends with the start, and over everything."""
    siblings, left, right = map(unbase64, path), start, start
    for _ in range(last.bit_length()):
        if here & 1:
            sibling = next(siblings, b"")
            left, right = node(sibling, left), node(sibling, right)
        elif here < last:
            right = node(right, next(siblings, b""))
        here, last = here >> 1, last >> 1
    return (b"", b"") if list(siblings) else (left, right)


def consistent(old: int, new: int, old_root: bytes, new_root: bytes, proof: list[str]) -> bool:
    """Whether the tree of `new` leaves begins with that of `old` leaves."""
    if old == new or not proof:
        return (old, old_root, proof) == (new, new_root, [])
    start, path = (unbase64(proof[0]), proof[1:]) if old & (old - 1) else (old_root, proof)
    level = (old & -old).bit_length() - 1  # of the last complete subtree of the old tree
    return climb((old - 1) >> level, (new - 1) >> level, start, path) == (old_root, new_root)


class Faults(list[str]):
    """Faults of a file as far as it is read; `remarks` is what to know beside it."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self.linked, self.mentions = set[str](), set[str]()  # games; ids and digests in events
        self.names = dict[str, str]()  # the digest that covers each player's, "" once erased
        self.size, self.root, self.leaves = 0, b"", list[bytes]()
        self.before, self.versions, self.personal = Line(), dict[str, int](), set[str]()
        self.moves, self.accounts = dict[int, Any](), dict[tuple[str, str], tuple[int, int]]()
        self.commands, self.act = set[str](), tuple[Any, ...]()
        self.seen = dict.fromkeys(("proven", "names", "words", "redacted", "erased"), 0)

    def checks(
        self, stream: BinaryIO, given: Sequence[str], kept: Kept, witnesses: Sequence[str]
    ) -> Checks:
        """Is each line as it was written, does it hold, and is it what the end signs?"""
        first = stream.readline()
        self.head = read_line(first)
        if kind_of(self.head) != "head":
            raise ValueError("line 1 is not as it was written, or not of accord-export/1")
        self.whole, self.origin = self.head["kind"] == "salon", self.head["origin"]
        self.keys = [row["vkey"] for row in self.head["keys"]]
        self.streams = {self.head["stream"], *self.head["streams"]} - {None}
        yield from self.check_keys(given)
        own = [read_note(self.head["checkpoint"])] if self.head["checkpoint"] is not None else []
        for note in own:
            yield from self.check_checkpoint(note)
        yield from self.check_witnesses(own + [note for _, note in kept], witnesses)
        digest, place = sha256(first), 0
        for number, raw in enumerate(stream, start=2):
            line, value = f"line {number}", read_line(raw)
            yield value, f"{line} is not as it was written"
            yield not value or kind_of(value), f"{line} has something that no hash covers"
            yield place < 2, f"{line} comes after the end"
            place = max(place, 0 if "position" in value else 2 if "note" in value else 1)
            try:
                if "position" in value:
                    yield place == 0, f"{line} is an event that comes after names and words"
                    yield from self.check_event(f"{line}: event {value['position']}", value)
                elif "note" in value:
                    note, said = read_note(value["note"]), f"{self.origin}\n{digest.hexdigest()}\n"
                    holds = note[0] == f"accord export\n{said}" and value["lines"] == number - 1
                    holds = holds and signed(note, self.keys[-1]) and len(note[1]) == 1
                    yield holds, "the file is not what the salon signed: something was changed"
                elif value:
                    yield from self.check_personal(line, value)
            except UNREADABLE as error:
                yield False, f"{line} can't be read: {type(error).__name__}: {error}"
            redacted = {key: value[key] for key in value.keys() - PERSONAL}
            digest.update(canonical(redacted) if place == 1 and "digest" in value else raw)
        yield place == 2, "the end of the file is missing"
        yield from self.check_whole()
        for name, note in kept:
            yield from self.check_kept(name, note)

    def check_whole(self) -> Checks:
        """Is all here that belongs to it, do accounts hold what they may, is the root as signed?"""
        kind, written, here = self.head["kind"], self.head["events"], len(self.leaves)
        needed = set() if self.whole else self.streams | self.linked
        lacking = ", ".join(sorted(needed - self.versions.keys()))
        yield not lacking, f"no event is here of {lacking}, which belongs to this {kind}"
        belong = set() if self.whole else self.linked | {self.head["stream"]}
        yield self.streams <= belong, f"a stream is here that does not belong to this {kind}"
        yield written == here, f"{written} events were written, {here} are here"
        for (stream, account), (chips, overdraft) in self.accounts.items():
            yield chips >= 0 or overdraft, f"account {account} of {stream} is below zero"
        if self.whole and self.size:
            holds = self.size <= here and root_of(self.leaves[: self.size]) == self.root
            self.seen["proven"] = self.size if holds else 0
            yield holds, "the events do not have the root that was signed"

    def check_keys(self, given: Sequence[str]) -> Checks:
        """Is each what was announced, and do announcements join each to one that was given?"""
        first, chains = 1, dict[int, set[str]]()  # each key of a chain announced the next one
        for number, row in enumerate(self.head["keys"], start=1):
            note, vkey = read_note(row["announcement"]), row["vkey"]
            place = f"after {row['after']}\ntime {row['made_at']}"
            said = note[0] == f"accord signing key {number}\n{self.origin}\n{vkey}\n{place}\n"
            own = row["number"] == number and vkey.startswith(f"{self.origin}+")
            known = said and own and signed(note, vkey)
            yield known, f"key {number} is not the one that was announced"
            first = number if number > 1 and not signed(note, self.keys[number - 2]) else first
            chains.setdefault(first, set()).add(vkey)
        yield len(set(self.keys)) == len(self.keys) > 0, "the file has no key, or one key twice"
        for vkey in sorted(set(given) - set(self.keys)):
            yield False, f"the file is not of the key {vkey} (--witness is for other salons' keys)"
        for number, chain in chains.items():
            alone = f"key {number} was not announced by"
            not_given = f"{alone} a key that was given, and was not given itself"
            yield not given or chain & set(given), f"{not_given}: what it signed proves nothing"
            if number > 1 and not given:
                self.remarks.append(f"{alone} the key before it: ask the salon why")
        if not given:
            self.remarks.append(f"compare the key with the one the salon shows: {self.keys[-1]}")

    def check_checkpoint(self, note: Note) -> Checks:
        """Is it signed by the key of its time?"""
        origin, self.size, self.root = read_checkpoint(note)
        own = self.keys[: sum(row["after"] < self.size for row in self.head["keys"])][-1:]
        holds = own and signed(note, own[0]) and signed(note, own[0], kind=4)
        yield holds and origin == self.origin, "the checkpoint is not signed by the key of the log"

    def check_witnesses(self, notes: Sequence[Note], witnesses: Sequence[str]) -> Checks:
        """Has each countersigned a checkpoint? Who else did is remarked."""
        theirs = {name for note in notes for name, _, _ in note[1]} - {self.origin}
        for vkey in witnesses:
            name = vkey.partition("+")[0]
            own = [note for note in notes if name in {signer for signer, _, _ in note[1]}]
            holds = name in theirs and all(signed(note, vkey, kind=4) for note in own)
            yield holds, f"the countersignature of {name} does not hold, or is missing"
        given = {vkey.partition("+")[0] for vkey in witnesses}
        for name in sorted(theirs):
            unknown = "" if name in given else ", not checked: its key was not given"
            self.remarks.append(f"the checkpoint is countersigned by {name}{unknown}")

    def check_event(self, name: str, event: Line) -> Checks:
        """Has it the hash of what it says, and is it where it belongs?"""
        position, stream, before = event["position"], event["stream"], self.before
        entry = {key: event[key] for key in event.keys() - {"hash", "path"}}
        entry["body"] = sha256(event["body"].encode()).hexdigest()
        leaf = sha256(b"\x00" + canonical(entry)[:-1]).digest()
        yield leaf.hex() == event["hash"], f"{name} does not have the hash of what it says"
        yield position > before.get("position", 0), f"{name} is out of order"
        follows = position - 1 != before.get("position") or event["prev"] == before["hash"]
        yield follows, f"{name} does not follow event {position - 1}"
        is_next = event["version"] == self.versions.get(stream, 0) + 1
        yield is_next, f"{name} is not the next one of stream {stream}"
        later = event["recorded_at"] >= before.get("recorded_at", 0)
        yield later, f"{name} was recorded before the event it follows"
        ours = stream is not None and (self.whole or stream in self.streams)
        yield ours and self.origin == f"accord/{event['log']}", f"{name} belongs elsewhere"
        chief = self.head["kind"] == "tournament" and stream == self.head["stream"]
        of_kind = self.whole or event["type"].startswith("tournament.") == chief
        yield of_kind, f"{name} is of another kind than the file says"
        act = tuple(event[each] for each in ("command", "actor", "command_digest", "recorded_at"))
        goes_on = event["command"] not in self.commands or act == self.act
        yield goes_on, f"{name} is said to come of a command of other events"
        self.act = act
        self.commands.add(event["command"])
        self.leaves.append(leaf)
        if self.whole:
            size = len(self.leaves)
            yield position == size, f"{name}: event {size} is missing before it"
        elif position <= self.size:
            _, led = climb(position - 1, self.size - 1, leaf, event.get("path", []))
            self.seen["proven"] += led == self.root
            yield led == self.root, f"{name} does not lead to the signed root"
        proven = not self.whole and position <= self.size
        yield proven or "path" not in event, f"{name} has a path that leads nowhere"
        self.before, self.versions[stream] = event, event["version"]
        body = read_line(f"{event['body']}\n".encode())
        yield body or event["body"] == "{}", f"{name} has a body that is not as it was written"
        yield from self.check_chips(name, event, body)
        if event["type"] == "tournament.game_linked":
            self.linked.add(body["game"])
        elif event["type"] in NAMED:
            self.names.update(body.get("names") or {body.get("player", ""): body.get("digest", "")})
        self.mentions.update(re.findall("[0-9a-f]{64}|[0-9a-f]{32}", event["body"]))

    def check_chips(self, name: str, event: Line, body: Line) -> Checks:
        """Do chips go where it says, and does it take back what it says?"""
        moved, stream = event.get("transfer", {}), event["stream"]
        same = all(body.get(part) == moved.get(part) for part in ("source", "target", "chips"))
        says = same and moved.get("chips", 0) > 0 if event["type"] == "chips.moved" else not moved
        yield says, f"{name} says other chips than were moved"
        if not moved:
            return
        back, (source, target) = moved["reverses"], (moved["source"], moved["target"])
        self.moves[event["position"]] = (stream, event["version"], source, target, moved["chips"])
        taken = (stream, body.get("reverses"), target, source, moved["chips"])
        exact = self.moves.get(back) == taken if back is not None else taken[1] is None
        yield exact and source != target, f"{name} does not take back what it says"
        for account, chips in ((source, -moved["chips"]), (target, moved["chips"])):
            overdraft = moved["source_overdraft" if chips < 0 else "target_overdraft"]
            held, _ = self.accounts.get((stream, account), (0, 0))
            self.accounts[stream, account] = held + chips, overdraft

    def check_personal(self, line: str, value: Line) -> Checks:
        """Has a name, or have words, their digest? Both may be missing: the chain needs neither."""
        digest, text = value["digest"], value.get("name", value.get("words"))
        kind, key = "names" if "player" in value else "words", str(value.get("player", digest))
        yield key not in self.personal, f"{line} is about what an earlier line was about"
        self.personal.add(key)
        if text is None:
            kind = "erased" if "erased" in value else "redacted"
        self.seen[kind] += 1
        own = text is None or sha256(f"{value.get('salt')}\n{text}".encode()).hexdigest() == digest
        yield own, f"{line}: the {kind} are not what the salon gave"
        covered = (self.names.get(value.get("player", "")) or digest) == digest
        yield covered, f"{line}: an event here covers another name of this player"
        yield key in self.mentions, f"{line}: no event here speaks of this"

    def check_kept(self, name: str, note: Note) -> Checks:
        """Does a checkpoint that somebody kept hold for this file?"""
        origin, old, root = read_checkpoint(note)
        paths = {self.size: []} | {each["size"]: each["path"] for each in self.head["earlier"]}
        ours = origin == self.origin and any(signed(note, vkey) for vkey in self.keys)
        known = ours and old in (range(1, len(self.leaves) + 1) if self.whole else paths)
        if self.whole:
            holds = known and root_of(self.leaves[:old]) == root
        else:
            holds = known and consistent(old, self.size, root, self.root, paths[old])
        yield ours, f"{name} is not of this log"
        yield known or not ours, f"{name}: this file has no proof from {old} events on"
        yield holds or not known, f"{name} signs other events than these {old}: they were rewritten"
        if holds:
            self.remarks.append(f"{name} holds: events 1 to {old} are as when it was signed")


def check(
    stream: BinaryIO, given: Sequence[str], kept: Kept, found: Faults, witnesses: Sequence[str] = ()
) -> dict[str, int]:
    """Go through the file line by line; what was seen."""
    for holds, fault in found.checks(stream, given, kept, witnesses):
        if not holds and len(found) < 1000:
            found.append(fault)
    return found.seen | {"events": len(found.leaves)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a file that a salon made for auditors.")
    parser.add_argument("file")
    for option, text in (
        ("--key", "the salon's keys that you were told: NAME+ID+KEY"),
        ("--witness", "keys of salons that countersigned: NAME+ID+KEY"),
        ("--checkpoint", "checkpoints that you kept"),
    ):
        parser.add_argument(option, nargs="+", action="extend", default=[], help=text)
    asked, found, seen = parser.parse_args(), Faults(), dict[str, int]()
    try:
        kept = [(name, read_note(Path(name).read_bytes().decode())) for name in asked.checkpoint]
        with Path(asked.file).open("rb") as stream:
            seen = check(stream, asked.key, kept, found, asked.witness)
    except (OSError, *UNREADABLE) as error:
        found.append(f"something can't be read: {type(error).__name__}: {error}")
    report = [f"FAULT   {each}" for each in found] + [f"remark  {each}" for each in found.remarks]
    report += [SEEN.format(**seen)] if seen else []
    print(*report, "NOT as it was recorded." if found else "Everything holds.", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
