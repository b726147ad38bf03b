"""A file for auditors that was forged and hashed and signed again holds against nobody: not with a
key of the forger's own, and not with the salon's own key where what is said can't be.
"""

import hashlib
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from ledger import checkpoints, notes, signing
from ledger.standalone import verify_export
from tests.ledger.signing import Pocket
from tests.tournament.helpers.commanding import ROOT
from tests.tournament.helpers.tables import a_salon, everything, recorded, simple
from tournament.integrity.auditors_export import auditors_file
from tournament.models import Game

SCRIPT = ROOT / "ledger" / "standalone" / "verify_export.py"
Values = list[dict[str, Any]]


class Exported(NamedTuple):
    """Files of a salon as it wrote them, its key, and a checkpoint that somebody kept."""

    salon: bytes
    game: bytes
    private: Any
    vkey: str
    kept: str


@pytest.fixture(scope="module")
def exported(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Exported]:
    """Made once: what is forged below is only read."""
    with django_db_blocker.unblock(), transaction.atomic():
        salon, pocket = a_salon(), Pocket("salon")
        recorded(salon, everything())
        first = checkpoints.make(salon.log, pocket, now=5_000_000)
        recorded(salon, simple("second"))
        assert first is not None
        assert checkpoints.make(salon.log, pocket, now=6_000_000) is not None
        game = str(Game.objects.get(record="everything").pk)
        yield Exported(
            salon=b"".join(auditors_file(salon, pocket)),
            game=b"".join(auditors_file(salon, pocket, stream=game)),
            private=pocket.keys[0],
            vkey=signing.keys_of(salon.log_id)[0].verifier.vkey,
            kept=checkpoints.with_cosignatures(first),
        )
        transaction.set_rollback(True)


def faults_of(
    file: bytes, *keys: str, witnesses: tuple[str, ...] = (), kept: tuple[str, ...] = ()
) -> list[str]:
    """All that the script says against a file."""
    found = verify_export.Faults()
    outside = [(f"kept-{place}", verify_export.read_note(text)) for place, text in enumerate(kept)]
    try:
        verify_export.check(io.BytesIO(file), keys, outside, found, witnesses)
    except verify_export.UNREADABLE as error:
        found.append(f"can't be read: {error!r}")
    return list(found)


def lines_of(file: bytes) -> Values:
    return [json.loads(line) for line in file.splitlines()]


def joined(values: Values) -> bytes:
    return b"".join(map(verify_export.canonical, values))


def events_of(values: Values) -> Values:
    return [value for value in values if "position" in value]


def signed_note(text: str, private: Any, origin: str, *, cosign: bool = False) -> str:
    lines = [notes.sign(text, private, origin)]
    if cosign:
        lines.append(notes.cosign(text, private, origin, seconds=9))
    return str(notes.Note(text=text, signatures=tuple(lines)))


def hash_again(values: Values) -> None:
    """Give every event the hash of what it says, the one before it, its place and its version."""
    before, versions = events_of(values)[0]["prev"], dict[str, int]()
    for place, value in enumerate(events_of(values), start=1):
        versions[value["stream"]] = versions.get(value["stream"], 0) + 1
        value.update(prev=before, position=place, version=versions[value["stream"]])
        entry = {key: value[key] for key in value.keys() - {"hash", "path"}}
        entry["body"] = hashlib.sha256(value["body"].encode()).hexdigest()
        leaf = b"\x00" + verify_export.canonical(entry)[:-1]
        before = value["hash"] = hashlib.sha256(leaf).hexdigest()


def sign_again(values: Values, private: Any, *, size: int | None = None) -> None:
    """Sign the checkpoint of a salon's file; a key of somebody else announces itself first."""
    head, leaves = values[0], [bytes.fromhex(value["hash"]) for value in events_of(values)]
    origin, key = head["origin"], notes.verifier(private, head["origin"])
    said = signing.announcement(origin, 1, key, after=0, made_at=1)
    announced = signed_note(said, private, origin)
    if key.vkey not in {row["vkey"] for row in head["keys"]}:
        head["keys"] = [
            {"after": 0, "announcement": announced, "made_at": 1, "number": 1, "vkey": key.vkey}
        ]
    root = verify_export.root_of(leaves)
    text = notes.Checkpoint(origin=origin, size=size or len(leaves), root=root).text
    head.update(checkpoint=signed_note(text, private, origin, cosign=True), events=len(leaves))


def end_again(values: Values, private: Any) -> bytes:
    """The file with an end that is signed over what there is now, as the script asks for it."""
    origin, taken = values[0]["origin"], ("name", "words", "salt")
    covered = [
        {key: part for key, part in value.items() if "digest" not in value or key not in taken}
        for value in values[:-1]
    ]
    text = f"accord export\n{origin}\n{hashlib.sha256(joined(covered)).hexdigest()}\n"
    values[-1].update(lines=len(values) - 1, note=signed_note(text, private, origin))
    return joined(values)


def bid_of(values: Values) -> dict[str, Any]:
    return next(value for value in values if value.get("type") == "precedence.bid_made")


def moves_of(values: Values) -> Values:
    return [value for value in values if value.get("transfer")]


def rewrite(event: dict[str, Any], **parts: object) -> None:
    event["body"] = json.dumps(
        json.loads(event["body"]) | parts, sort_keys=True, separators=(",", ":")
    )


def change_origin(values: Values, key: str = "ab" * 16) -> None:
    values[0]["origin"] = f"accord/{key}"
    for value in events_of(values):
        value["log"] = key


def change_chips(event: dict[str, Any], **parts: object) -> None:
    event["transfer"].update(parts)
    rewrite(event, **parts)


def swap(values: Values, first: int, second: int, *members: str) -> None:
    one, other = events_of(values)[first], events_of(values)[second]
    for member in members:
        one[member], other[member] = other[member], one[member]


def person_of(values: Values) -> dict[str, Any]:
    return next(value for value in values if "name" in value)


def words_of(values: Values) -> dict[str, Any]:
    return next(value for value in values if "words" in value)


REWRITTEN: dict[str, Callable[[Values], object]] = {
    "a bid": lambda values: rewrite(bid_of(values), tricks=9),
    "an actor": lambda values: [row.update(actor="user:9") for row in events_of(values)],
    "two actors swapped": lambda values: swap(values, 0, -1, "actor"),
    "when all of it happened": lambda values: [
        row.update(occurred_at=row["occurred_at"] - 86_400_000_000) for row in events_of(values)
    ],
    "the digests of commands": lambda values: [
        row.update(command_digest="f" * 64) for row in events_of(values)
    ],
    "chips": lambda values: change_chips(moves_of(values)[0], chips=99),
    "who pays": lambda values: change_chips(moves_of(values)[0], source="S"),
    "the end of the log cut off": lambda values: values.__delitem__(slice(-12, -8)),
    "the whole of a game left out": lambda values: values.__setitem__(
        slice(1, -1), [row for row in values[1:-1] if row.get("stream") != values[-9].get("stream")]
    ),
    "an event of another type": lambda values: bid_of(values).update(type="precedence.other"),
    "another schema": lambda values: bid_of(values).update(schema=7),
    "another stream": lambda values: [row.update(stream="c" * 32) for row in events_of(values)],
    "the first event": lambda values: events_of(values)[0].update(prev="0" * 64),
    "the salon's name": lambda values: values[0].update(salon="Another salon"),
    "the time of the file": lambda values: values[0].update(made_at=1),
}


def forged(values: Values, how: str, private: Any, *, origin: str = "") -> bytes:
    """The file of a salon with something rewritten, and everything hashed and signed again."""
    REWRITTEN[how](values)
    if origin:
        change_origin(values, origin)
    hash_again(values)
    sign_again(values, private)
    return end_again(values, private)


@pytest.mark.parametrize("origin", ["", "ab" * 16])
@pytest.mark.parametrize("how", REWRITTEN)
def test_a_salon_rewritten_under_another_key_is_refused_once_the_genuine_key_is_given(
    exported: Exported, how: str, origin: str
) -> None:
    """Whatever was rewritten, and whichever name the log was given with it."""
    private = Pocket("forger").new("", frozenset())
    file = forged(lines_of(exported.salon), how, private, origin=origin)

    found = faults_of(file, exported.vkey)
    assert any("is not of the key" in fault for fault in found), found
    assert faults_of(exported.salon, exported.vkey) == []


def test_a_key_of_another_salon_does_not_vouch_for_a_file(exported: Exported) -> None:
    """Neither alone nor beside the genuine one: who countersigned is given as a witness."""
    other = notes.verifier(Pocket("w").new("", frozenset()), "accord/witness")
    for keys in ((other.vkey,), (other.cosigner.vkey,), (exported.vkey, other.cosigner.vkey)):
        assert any(
            "is not of the key accord/witness" in each for each in faults_of(exported.salon, *keys)
        )


def test_a_witness_that_was_given_has_to_have_signed(exported: Exported) -> None:
    private, origin = Pocket("w").new("", frozenset()), "accord/witness"
    key = notes.verifier(private, origin).cosigner.vkey
    kept = notes.read_note(exported.kept)
    signed = notes.cosign(kept.text, private, origin, seconds=9)
    countersigned = str(notes.Note(text=kept.text, signatures=(*kept.signatures, signed)))
    bad = notes.Signature(name=signed.name, key_id=signed.key_id, value=signed.value[::-1])
    broken = str(notes.Note(text=kept.text, signatures=(*kept.signatures, bad)))

    asked = {"witnesses": (key,)}
    assert any("is missing" in each for each in faults_of(exported.salon, exported.vkey, **asked))
    assert faults_of(exported.salon, exported.vkey, **asked, kept=(countersigned,)) == []
    for notes_kept in ((broken,), (countersigned, broken), (exported.kept,)):
        found = faults_of(exported.salon, exported.vkey, **asked, kept=notes_kept)
        assert any("does not hold" in each for each in found), notes_kept
    own = faults_of(exported.salon, exported.vkey, witnesses=(exported.vkey,))
    assert any("does not hold" in each for each in own)


def move_salt(line: dict[str, Any]) -> None:
    """Give away the first half of the words as salt: the digest stays what it was."""
    first, _, rest = "It is not true that\nthe game was given up by East.".partition("\n")
    salt = f"{line['salt']}\n{first}"
    line.update(salt=salt, words=rest)


def two_lines(values: Values) -> dict[str, Any]:
    """The line of words that are two lines now, wherever their digest is."""
    line = words_of(values)
    text = "It is not true that\nthe game was given up by East."
    old, new = line["digest"], hashlib.sha256(f"{line['salt']}\n{text}".encode()).hexdigest()
    for row in events_of(values):
        row["body"] = row["body"].replace(old, new)
    line.update(digest=new, words=text)
    return line


def take_back(values: Values) -> None:
    """Say of a transfer that it takes back the first one, which it does not."""
    first, later = moves_of(values)[0], moves_of(values)[3]
    later["transfer"]["reverses"] = first["position"]
    rewrite(later, reverses=first["version"])


def announce_again(values: Values) -> None:
    values[0]["keys"].append(dict(values[0]["keys"][0]))


BEYOND_THE_HASHES: dict[str, Callable[[Values], object]] = {
    "words beside a name": lambda values: person_of(values).update(words="East folded."),
    "a name beside words": lambda values: words_of(values).update(name="Mara"),
    "a note beside a name": lambda values: person_of(values).update(salt2="x"),
    "a salt without words": lambda values: words_of(values).pop("words"),
    "words without a salt": lambda values: words_of(values).update(salt=""),
    "erased beside words": lambda values: words_of(values).update(erased=True),
    "erased that says no": lambda values: [
        words_of(values).update(erased=False, words=None, salt=None)
    ],
    "words moved into the salt": lambda values: move_salt(two_lines(values)),
    "a member of the head": lambda values: values[0].update(verdict="all is well"),
    "a member of a key": lambda values: values[0]["keys"][0].update(told="by Mara"),
    "a key twice": announce_again,
    "the number of a key": lambda values: values[0]["keys"][0].update(number=7),
    "a member of an event": lambda values: bid_of(values).update(seen_by="Mara"),
    "a digest in an event, so that a name is not covered": lambda values: bid_of(values).update(
        digest="0" * 64, name="Mara"
    ),
    "a member of a transfer": lambda values: moves_of(values)[0]["transfer"].update(tip=1),
    "a path in the file of a salon": lambda values: bid_of(values).update(path=[]),
    "streams in the file of a salon": lambda values: values[0].update(streams=["c" * 32]),
    "a truth for a number": lambda values: bid_of(values).update(schema=True),
    "a fraction": lambda values: values[0].update(made_at=1.5),
    "a number in words": lambda values: bid_of(values).update(occurred_at="5"),
    "a number beyond 2^53": lambda values: bid_of(values).update(occurred_at=2**60),
    "a body with a member twice": lambda values: bid_of(values).update(
        body='{"seat":"W","tricks":1,"tricks":9}'
    ),
    "a body with white space": lambda values: bid_of(values).update(
        body=bid_of(values)["body"].replace(":", ": ")
    ),
    "a body that is a list": lambda values: bid_of(values).update(body="[]"),
    "a body of brackets": lambda values: bid_of(values).update(body="[" * 200_000),
    "a body of objects": lambda values: bid_of(values).update(
        body='{"a":' * 200_000 + "1" + "}" * 200_000
    ),
    "a name twice": lambda values: values.insert(-1, dict(person_of(values))),
    "another name of one player": lambda values: values.insert(
        -1,
        person_of(values)
        | {"name": "Mara", "digest": hashlib.sha256(f"{'a' * 32}\nMara".encode()).hexdigest()}
        | {"salt": "a" * 32},
    ),
    "words twice": lambda values: values.insert(-1, dict(words_of(values))),
    "a name between events": lambda values: values.insert(3, values.pop(-2)),
    "a second head": lambda values: values.insert(-1, dict(values[0])),
    "a line of another kind": lambda values: values.insert(-1, {"remark": "all is well"}),
    "an event of another log": lambda values: bid_of(values).update(log="c" * 32),
    "a command that begins twice": lambda values: events_of(values)[-1].update(
        command=events_of(values)[0]["command"]
    ),
    "a command of two actors": lambda values: next(
        row
        for row, after in zip(events_of(values), events_of(values)[1:], strict=False)
        if row["command"] == after["command"]
    ).update(actor="user:9"),
    "times that run back": lambda values: swap(values, 0, -1, "recorded_at"),
    "chips that nobody has": lambda values: change_chips(
        next(row for row in moves_of(values) if not row["transfer"]["source_overdraft"]), chips=900
    ),
    "chips from an account to itself": lambda values: change_chips(
        moves_of(values)[0], target=moves_of(values)[0]["transfer"]["source"]
    ),
    "chips taken back that were not moved": take_back,
    "chips of an event of another type": lambda values: bid_of(values).update(
        transfer=moves_of(values)[0]["transfer"]
    ),
}


@pytest.mark.parametrize("how", BEYOND_THE_HASHES)
def test_what_can_not_be_is_refused_also_under_the_genuine_key(
    exported: Exported, how: str
) -> None:
    """Whoever has the key has hashed and signed it again: still it is not what a salon says."""
    values = lines_of(exported.salon)
    BEYOND_THE_HASHES[how](values)
    hash_again(values)
    sign_again(values, exported.private)

    assert faults_of(end_again(values, exported.private), exported.vkey)


def test_a_file_signed_again_as_it_is_holds(exported: Exported) -> None:
    """So what is refused above is refused for what was changed in it."""
    values = lines_of(exported.salon)
    hash_again(values)
    sign_again(values, exported.private)

    assert faults_of(end_again(values, exported.private), exported.vkey) == []


ENDS: dict[str, Callable[[Exported], bytes]] = {
    "another member in the last line": lambda files: other_end(files, remark="all is well"),
    "another signature in the last line": lambda files: other_end(
        files,
        note=lines_of(files.salon)[-1]["note"]
        + "\u2014 Mara is right AAAAAAAA\n".replace(" is right", "+"),
    ),
    "a signature of somebody else in the last line": lambda files: other_end(
        files, note=lines_of(files.salon)[-1]["note"] + "\u2014 Mara-is-right AAAAAAAA\n"
    ),
    "words in the last line": lambda files: other_end(files, words="all is well"),
    "lines that were not counted": lambda files: other_end(files, lines=True),
    "a second end": lambda files: files.salon + files.salon.splitlines(keepends=True)[-1],
    "a second file": lambda files: files.salon + files.salon,
    "a line feed more": lambda files: files.salon + b"\n",
    "a byte more": lambda files: files.salon + b"\0",
    "no line feed at the end": lambda files: files.salon[:-1],
    "half of it": lambda files: files.salon[: len(files.salon) // 2],
    "nothing": lambda files: b"",
    "carriage returns": lambda files: files.salon.replace(b"\n", b"\r\n"),
    "a mark of UTF-8": lambda files: b"\xef\xbb\xbf" + files.salon,
    "UTF-16": lambda files: files.salon.decode().encode("utf-16"),
    "letters escaped": lambda files: files.salon.replace(b"Birch", b"\\u0042irch"),
    "half of a letter": lambda files: files.salon.replace(b"Birch", b"\\ud800irch"),
    "a line of brackets": lambda files: files.salon + b"[" * 200_000 + b"\n",
    "a head of brackets": lambda files: b"[" * 200_000 + files.salon,
    "a number of 5,000 digits": lambda files: files.salon + b'{"a":' + b"9" * 5000 + b"}\n",
    "a checkpoint of more events": lambda files: of_other_size(files, 1),
    "a checkpoint of fewer events": lambda files: of_other_size(files, -1),
    "a checkpoint of no events": lambda files: of_other_size(files, None),
    "a checkpoint that says more": lambda files: with_checkpoint(files, "all is well\n"),
    "a game's file that says it is a tournament's": lambda files: of_game(files, kind="tournament"),
    "a game's file that says it is a salon's": lambda files: of_game(files, kind="salon"),
    "a game's file of no stream": lambda files: of_game(files, stream=None),
    "a game's file of two streams": lambda files: of_game(
        files, streams=[lines_of(files.game)[0]["stream"], "c" * 32]
    ),
    "a game's file of another kind": lambda files: of_game(files, kind="match"),
}


def other_end(files: Exported, **parts: object) -> bytes:
    values = lines_of(files.salon)
    values[-1].update(parts)
    return joined(values)


def of_other_size(files: Exported, more: int | None) -> bytes:
    values = lines_of(files.salon)
    size = 0 if more is None else len(events_of(values)) + more
    sign_again(values, files.private, size=size)
    if more is None:
        text = f"{values[0]['origin']}\n0\n{'A' * 43}=\n"
        values[0]["checkpoint"] = signed_note(text, files.private, values[0]["origin"], cosign=True)
    return end_again(values, files.private)


def with_checkpoint(files: Exported, more: str) -> bytes:
    values = lines_of(files.salon)
    text = notes.read_note(values[0]["checkpoint"]).text + more
    values[0]["checkpoint"] = signed_note(text, files.private, values[0]["origin"], cosign=True)
    return end_again(values, files.private)


def of_game(files: Exported, **parts: object) -> bytes:
    values = lines_of(files.game)
    values[0].update(parts)
    return end_again(values, files.private)


@pytest.mark.parametrize("how", ENDS)
def test_a_file_of_another_form_is_refused(exported: Exported, how: str) -> None:
    assert faults_of(ENDS[how](exported), exported.vkey)


def ran(tmp_path: Path, file: bytes, *options: str) -> tuple[int, str]:
    path = tmp_path / "file.jsonl"
    path.write_bytes(file)
    command = [sys.executable, "-I", str(SCRIPT), str(path), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_an_option_that_is_given_twice_counts_twice(exported: Exported, tmp_path: Path) -> None:
    private = Pocket("forger").new("", frozenset())
    file = forged(lines_of(exported.salon), "a bid", private)
    own = notes.verifier(private, lines_of(file)[0]["origin"]).vkey
    for keys in ((exported.vkey, own), (own, exported.vkey)):
        status, out = ran(tmp_path, file, "--key", keys[0], "--key", keys[1])
        assert (status, "is not of the key" in out) == (1, True)
    values = lines_of(exported.salon)
    rewrite(bid_of(values), tricks=9)
    hash_again(values)
    sign_again(values, exported.private)
    rewritten, kept = end_again(values, exported.private), tmp_path / "kept"
    new = tmp_path / "new"
    kept.write_text(exported.kept)
    new.write_text(values[0]["checkpoint"])
    for pair in ((kept, new), (new, kept)):
        status, out = ran(
            tmp_path, rewritten, "--checkpoint", str(pair[0]), "--checkpoint", str(pair[1])
        )
        assert (status, "they were rewritten" in out) == (1, True)


def test_the_script_says_what_it_can_not_read(exported: Exported, tmp_path: Path) -> None:
    """In words, whatever it is given."""
    for file in (b"[" * 200_000, b"", b"\xff\xfe", exported.salon + b"[" * 200_000):
        status, out = ran(tmp_path, file)
        assert (status, out.splitlines()[-1]) == (1, "NOT as it was recorded.")
