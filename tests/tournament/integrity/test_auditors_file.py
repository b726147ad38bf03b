"""The file for auditors holds with nothing but Python and `cryptography`, and no byte of it can
change unseen.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from ledger import checkpoints, notes, signing
from ledger.models import Event
from ledger.standalone import verify_export
from tests.ledger.rewriting import rewrite_with_head
from tests.ledger.signing import Pocket
from tests.ledger.writing import run as sql
from tests.tournament.helpers.auditors_files import checked, joined, lines, sign, stream, written
from tests.tournament.helpers.commanding import ROOT, run
from tests.tournament.helpers.tables import a_salon, everything, recorded, samples, simple, unguard
from tournament.integrity.signing_keys import load_keyring, open_signed_last
from tournament.models import Salon, Text

SCRIPT = ROOT / "ledger" / "standalone" / "verify_export.py"


@pytest.fixture
def salon(db: None) -> Salon:
    """A salon with two checkpoints, and a game that came after them."""
    place = a_salon()
    recorded(place, everything())
    sign(place)
    recorded(place, simple("second"))
    sign(place)
    recorded(place, simple("late"))
    return place


@pytest.mark.parametrize("record", [None, "everything", "second"])
def test_a_file_as_it_was_written_holds(salon: Salon, record: str | None) -> None:
    found, seen = checked(written(salon, record))

    head = lines(written(salon, record))[0]
    assert list(found) == []
    assert seen["events"] == head["events"] > 0
    assert seen["proven"] == (
        notes.read_checkpoint(head["checkpoint"].split("\n\n")[0] + "\n").size
        if record is None
        else seen["events"]
    )
    assert head["kind"] == ("game" if record else "salon")


def test_what_came_after_the_checkpoint_is_there_and_unproven(salon: Salon) -> None:
    found, seen = checked(written(salon, "late"))

    assert list(found) == []
    assert seen["events"] > 0 == seen["proven"]


def test_names_and_words_stand_apart_and_can_be_left_out(salon: Salon) -> None:
    whole, redacted = written(salon, "everything"), written(salon, "everything", redacted=True)

    events = [line for line in lines(whole) if "position" in line]
    assert "Birch" in whole.decode()
    assert "the window table" in whole.decode()
    for text in (redacted.decode(), json.dumps(events)):
        assert "Birch" not in text
        assert "window" not in text
    found, seen = checked(redacted)
    assert list(found) == []
    assert (seen["names"], seen["words"]) == (0, 0)
    assert seen["redacted"] == checked(whole)[1]["names"] + checked(whole)[1]["words"] > 5


def test_anybody_can_redact_a_line_of_a_file_that_was_signed(salon: Salon) -> None:
    values = lines(written(salon, "everything"))
    for value in values:
        if value.get("name") == "Birch":
            del value["name"], value["salt"]

    found, seen = checked(joined(values))
    assert list(found) == []
    assert seen["redacted"] == 1


def test_words_that_were_erased_in_the_salon_are_said(salon: Salon) -> None:
    Text.objects.filter(text="the window table").delete()

    found, seen = checked(written(salon, "everything"))
    assert list(found) == []
    assert seen["erased"] == 1


def changes(file: bytes, step: int) -> Iterator[tuple[int, bytes]]:
    for place in range(0, len(file), step):
        yield place, file[:place] + bytes([file[place] ^ 1]) + file[place + 1 :]


def test_not_a_single_byte_of_a_small_file_can_change_unseen(salon: Salon) -> None:
    """A patience that has only begun."""
    recorded(salon, simple("begun", game="order_of_precedence", players={"A": "Ash"}, hands=[]))
    sign(salon)
    file = written(salon, "begun")
    for place, changed in changes(file, 1):
        assert checked(changed)[0], (place, file[max(0, place - 30) : place + 30])


def test_no_byte_of_a_file_can_change_unseen(salon: Salon) -> None:
    file = written(salon, "second")
    for place, changed in changes(file, 499):
        found, _ = checked(changed)
        assert found, (place, file[max(0, place - 30) : place + 30])


@pytest.mark.long
@pytest.mark.parametrize("record", [None, "everything", "second"])
def test_not_a_single_byte_of_a_file_can_change_unseen(salon: Salon, record: str | None) -> None:
    file = written(salon, record)
    for place, changed in changes(file, 1 if record == "second" else 11):
        assert checked(changed)[0], (place, file[max(0, place - 30) : place + 30])


def event(values: list[dict[str, Any]], number: int) -> dict[str, Any]:
    return [value for value in values if "position" in value][number]


def swap(values: list[dict[str, Any]]) -> None:
    values[5], values[6] = values[6], values[5]


def rechain(values: list[dict[str, Any]], number: int = 3) -> None:
    """Change an event and give it, and all after it, the hashes they would have."""
    event(values, number)["body"] = '{"other":1}'
    before = event(values, number - 1)
    for value in [value for value in values if "position" in value][number:]:
        value["prev"] = before["hash"]
        entry = {key: value[key] for key in value.keys() - {"hash", "path"}}
        entry["body"] = hashlib.sha256(value["body"].encode()).hexdigest()
        value["hash"] = hashlib.sha256(b"\x00" + verify_export.canonical(entry)[:-1]).hexdigest()
        before = value


TAMPERED: dict[str, tuple[Callable[[list[dict[str, Any]]], object], str]] = {
    "a body changed": (
        lambda values: event(values, 3).update(body="{}"),
        "line 5: event 4 does not have the hash of what it says",
    ),
    "an actor changed": (
        lambda values: event(values, 3).update(actor="user:9"),
        "line 5: event 4 does not have the hash",
    ),
    "a digest changed": (
        lambda values: event(values, 3).update(command_digest="0"),
        "line 5: event 4 does not have the hash",
    ),
    "chips changed": (
        lambda values: event(values, 1)["transfer"].update(chips=99),
        "line 3: event 2 says other chips",
    ),
    "an event taken away": (lambda values: values.pop(5), "is not the next one of stream"),
    "an event put in": (lambda values: values.insert(5, dict(values[5])), "is out of order"),
    "events swapped": (swap, "is out of order"),
    "a chain made anew": (rechain, "line 5: event 4 does not lead to the signed root"),
    "a path changed": (
        lambda values: event(values, 3)["path"].reverse(),
        "line 5: event 4 does not lead to the signed root",
    ),
    "the end taken away": (lambda values: values.pop(), "the end of the file is missing"),
    "a line after the end": (lambda values: values.append(dict(values[3])), "comes after the end"),
    "a name changed": (
        lambda values: values[-2].update(words="other"),
        "are not what the salon gave",
    ),
    "a stranger put in": (
        lambda values: values.insert(-1, {"player": "f" * 32, "digest": "0"}),
        "no event here speaks of this",
    ),
    "the salon's name changed": (
        lambda values: values[0].update(salon="Other"),
        "the file is not what the salon signed",
    ),
    "the checkpoint taken away": (
        lambda values: values[0].update(checkpoint=None),
        "the file is not what the salon signed",
    ),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_changed_is_named(salon: Salon, how: str) -> None:
    values = lines(written(salon, "everything"))
    harm, named = TAMPERED[how]
    harm(values)

    found, _ = checked(joined(values))
    assert any(named in each for each in found), list(found)


def test_a_chain_made_anew_in_the_file_of_a_salon_does_not_come_to_the_signed_root(
    salon: Salon,
) -> None:
    values = lines(written(salon))
    rechain(values)

    assert "the events do not have the root that was signed" in checked(joined(values))[0]


def test_a_checkpoint_kept_outside_holds_for_the_salon_and_for_a_game(salon: Salon) -> None:
    kept = sign(salon)
    recorded(salon, simple("later"))
    sign(salon)

    for record in (None, "second"):
        found, _ = checked(written(salon, record), kept)
        assert list(found) == []
        assert any(each.startswith("kept-0 holds: events 1 to") for each in found.remarks)


def test_a_history_rewritten_and_signed_again_does_not_hold_against_a_checkpoint_kept_outside(
    salon: Salon,
) -> None:
    kept = sign(salon)
    unguard()
    for table in ("ledger_checkpoint", "ledger_tile"):
        sql(f"DELETE FROM {table}")
    open_signed_last().store(
        signing.origin_of(salon.log), ""
    )  # who has the disk takes away what was remembered there, too
    bid = Event.objects.filter(type="precedence.bid_made").earliest("position")
    rewrite_with_head(salon.log_id, bid.position, body='{"other":1}')
    sign(salon)

    for record in (None, "everything"):
        file = written(salon, record)
        assert list(checked(file)[0]) == []
        found, _ = checked(file, kept)
        assert any("they were rewritten" in each for each in found) or (
            record and any("no proof from" in each for each in found)
        )


def test_a_checkpoint_that_the_file_has_no_proof_from_is_said(salon: Salon) -> None:
    kept = sign(salon)
    older = written(salon, "second")
    for number in range(3):
        recorded(salon, simple(f"more-{number}"))
    newer = sign(salon)

    assert any("no proof from" in each for each in checked(older, newer)[0])
    assert list(checked(older, kept)[0]) == []


def test_the_key_that_was_told_is_the_files_or_it_is_another_salons(salon: Salon) -> None:
    file, key = written(salon), signing.keys_of(salon.log_id)[0].verifier.vkey
    other = notes.verifier(Pocket("x").new("", frozenset()), signing.origin_of(salon.log)).vkey

    assert "compare the key" in checked(file)[0].remarks[0]
    assert (list(checked(file, keys=(key,))[0]), checked(file, keys=(key,))[0].remarks) == ([], [])
    assert any("is not of the key" in each for each in checked(file, keys=(other,))[0])


def forged(salon: Salon, file: bytes, *, private: Any = None) -> bytes:
    """The file with a bid rewritten and all after it hashed anew, signed throughout by a second key
    that only announces itself.
    """
    private, values, origin = (
        private or Pocket("forger").new("", frozenset()),
        lines(file),
        signing.origin_of(salon.log),
    )
    bid = next(
        place
        for place, value in enumerate(values[1:])
        if value.get("type") == "precedence.bid_made"
    )
    rechain(values, bid)
    events, key = (
        [value for value in values if "position" in value],
        notes.verifier(private, origin),
    )
    root = verify_export.root_of([bytes.fromhex(value["hash"]) for value in events])
    text = notes.Checkpoint(origin=origin, size=len(events), root=root).text
    signed = notes.Note(
        text=text,
        signatures=(
            notes.sign(text, private, origin),
            notes.cosign(text, private, origin, seconds=9),
        ),
    )
    said = signing.announcement(origin, 2, key, after=0, made_at=1)
    announced = str(notes.Note(text=said, signatures=(notes.sign(said, private, origin),)))
    values[0]["keys"].append(
        {"number": 2, "vkey": key.vkey, "after": 0, "made_at": 1, "announcement": announced}
    )
    values[0]["checkpoint"] = str(signed)
    covered = [
        {part: each for part, each in value.items() if part not in ("name", "words", "salt")}
        for value in values[1:-1]
    ]
    digest = hashlib.sha256(joined([values[0], *covered])).hexdigest()
    end = f"accord export\n{origin}\n{digest}\n"
    values[-1]["note"] = str(notes.Note(text=end, signatures=(notes.sign(end, private, origin),)))
    return joined(values)


def test_a_salon_rewritten_under_a_key_that_only_announces_itself_is_refused_once_a_key_is_given(
    salon: Salon,
) -> None:
    """So the key that an auditor was told leads to all that is signed, or it is said that it
    doesn't.
    """
    genuine, private = (
        signing.keys_of(salon.log_id)[0].verifier.vkey,
        Pocket("forger").new("", frozenset()),
    )
    file = forged(salon, written(salon), private=private)
    own = notes.verifier(private, signing.origin_of(salon.log)).vkey

    found, seen = checked(file)
    assert (list(found), seen["proven"]) == (
        [],
        seen["events"],
    )  # nothing but the remark can tell without a key
    assert "key 2 was not announced by the key before it: ask the salon why" in found.remarks
    alone = (
        "was not announced by a key that was given, and was not given itself: what it "
        "signed proves nothing"
    )
    assert list(checked(file, keys=(genuine,))[0]) == [f"key 2 {alone}"]
    assert list(checked(file, keys=(own,))[0]) == [f"key 1 {alone}"]
    assert list(checked(file, keys=(genuine, own))[0]) == []


def test_a_key_that_was_given_leads_to_those_it_announced_and_to_those_before_it(
    salon: Salon, settings: Settings
) -> None:
    settings.SIGNING_KEY = f"{'another secret of the salon ' * 2},{settings.SIGNING_KEY}"
    signing.renew(salon.log, load_keyring(), now=6_000_000)
    for _ in range(2):
        first, second = (key.verifier.vkey for key in signing.keys_of(salon.log_id))
        assert [list(checked(written(salon), keys=(key,))[0]) for key in (first, second)] == [
            [],
            [],
        ]
        sign(salon)


def test_a_countersignature_is_checked_when_its_key_is_told(salon: Salon) -> None:
    signed = checkpoints.latest(salon.log_id)
    assert signed is not None
    private = Pocket("w").new("", frozenset())
    key = notes.verifier(private, "accord/witness").cosigner
    checkpoints.cosigned(
        signed,
        notes.cosign(notes.read_note(signed.note).text, private, "accord/witness", seconds=9).line,
        key,
    )
    file = written(salon)

    assert any("not checked: its key was not given" in each for each in checked(file)[0].remarks)
    assert (
        "the checkpoint is countersigned by accord/witness"
        in checked(file, witnesses=(key.vkey,))[0].remarks
    )
    forged = notes.verifier(Pocket("v").new("", frozenset()), "accord/witness").cosigner.vkey
    assert any(
        "countersignature of accord/witness does not hold" in each
        for each in checked(file, witnesses=(forged,))[0]
    )


def test_a_salon_that_has_signed_nothing_yet_gives_a_file_without_proofs(db: None) -> None:
    place = a_salon()
    recorded(place, samples()[0])

    for record in (None, samples()[0]["id"]):
        found, seen = checked(written(place, record))
        assert (list(found), seen["proven"]) == ([], 0)


def test_the_script_needs_nothing_of_ours_and_is_short_enough_to_be_read(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, file = tmp_path / "kept.txt", tmp_path / "salon.jsonl"
    kept.write_text(sign(salon))
    assert run(capsys, "auditors_file", "--output", file).status == 0
    command = [sys.executable, "-I", str(SCRIPT), str(file), "--checkpoint", str(kept)]

    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("Everything holds.\n")
    file.write_bytes(file.read_bytes().replace(b"Birch", b"Beech"))
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "FAULT   line " in ran.stdout
    assert ran.stdout.endswith("NOT as it was recorded.\n")
    source = SCRIPT.read_text().splitlines()
    assert len(source) < 420
    assert {
        line.split()[1].partition(".")[0]
        for line in source
        if line.startswith(("import ", "from "))
    } <= {
        *sys.stdlib_module_names,
        "cryptography",
    }


def test_the_command_writes_one_game_or_all_and_leaves_names_out(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one"
    assert run(capsys, "auditors_file", "everything", "--redact", "--output", file).status == 0

    assert lines(file.read_bytes())[0]["stream"] == stream("everything")
    assert b"Birch" not in file.read_bytes()
    assert checked(file.read_bytes())[0] == []
    assert (
        run(capsys, "auditors_file", "nothing").err
        == "The salon has no game and no tournament 'nothing'."
    )
    assert (
        "can't be written"
        in run(capsys, "auditors_file", "--output", tmp_path / "no" / "folder").err
    )
