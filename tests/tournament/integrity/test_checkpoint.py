"""`manage.py checkpoint` and `keys`, the job that signs, and where private keys lie."""

import json
import stat
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from ledger import checkpoints, notes, signing
from ledger.models import Checkpoint, SigningKey
from tests.ledger.writing import run as sql
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import a_salon, recorded, simple, unguard
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Salon
from tournament.tasks import sign_checkpoints

SECRETS = ["first secret " * 3, "second secret " * 3]


@pytest.fixture
def salon(db: None) -> Salon:
    place = a_salon()
    recorded(place, simple())
    place.log.refresh_from_db()
    return place


@pytest.fixture
def files(settings: Settings, tmp_path: Path) -> Path:
    """Keys in files, in a folder of this test's own."""
    settings.SIGNING_KEY, settings.DATA_DIR = "", tmp_path
    return tmp_path / "signing-keys"


def private_keys(folder: Path) -> list[Path]:
    """The files of private keys; what is remembered beside them has a name with a point."""
    return sorted(each for each in folder.iterdir() if not each.suffix)


def vkeys(salon: Salon) -> list[str]:
    return [key.verifier.vkey for key in signing.keys_of(salon.log_id)]


def test_the_checkpoint_that_is_printed_is_the_signed_note(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "checkpoint")

    note = notes.read_note(ran.out)
    assert notes.read_checkpoint(note.text).size == salon.log.position
    assert notes.is_signed(note, signing.keys_of(salon.log_id)[0].verifier)
    assert json.loads(run(capsys, "checkpoint", "--json").out)["note"] == ran.out
    assert Checkpoint.objects.count() == 1


def test_an_empty_salon_has_nothing_to_sign(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    a_salon()

    ran = run(capsys, "checkpoint")
    assert (ran.status, ran.err) == (1, "Nothing has been recorded yet: there is nothing to sign.")
    assert "has no key yet" in run(capsys, "keys").out


def test_a_private_key_lies_in_a_file_of_its_own_that_only_its_owner_reads(
    salon: Salon, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "checkpoint")

    (file,) = private_keys(files)
    assert {stat.S_IMODE(each.stat().st_mode) for each in files.iterdir()} == {0o600}
    assert stat.S_IMODE(files.stat().st_mode) == 0o700
    private = file.read_text().strip()
    assert not any(
        private in str(value) for row in SigningKey.objects.values() for value in row.values()
    )


def test_a_second_salon_has_a_key_of_its_own(salon: Salon, files: Path) -> None:
    other = a_salon("other")
    recorded(other, simple())
    sign_checkpoints()

    assert len(private_keys(files)) == 2
    assert vkeys(salon) != vkeys(other)


def test_a_lost_file_is_said_and_a_new_key_begun_only_when_asked_for(
    salon: Salon, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "checkpoint")
    private_keys(files)[0].unlink()
    recorded(salon, simple("another"))

    refused = run(capsys, "checkpoint")
    assert refused.status == 1
    assert "the private key of accord/" in refused.err
    assert "say --lost" in run(capsys, "keys", "--renew").err
    assert run(capsys, "keys", "--renew", "--lost").status == 0
    assert run(capsys, "checkpoint").status == 0
    assert len(vkeys(salon)) == 2


@pytest.mark.parametrize("harm", ["", "not base64!", "AAAA", "A" * 43 + "="])
def test_a_file_that_holds_another_key_is_not_taken_for_this_one(
    salon: Salon, files: Path, harm: str
) -> None:
    checkpoints.make(salon.log, load_keyring(), now=1)
    private_keys(files)[0].write_text(harm)

    with pytest.raises(signing.KeyIsAway):
        signing.signer(salon.log, load_keyring(), now=2)


def test_keys_follow_from_a_secret_in_the_environment(
    salon: Salon, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DATA_DIR, settings.SIGNING_KEY = tmp_path, SECRETS[0]
    run(capsys, "checkpoint")
    assert run(capsys, "keys", "--renew").err.startswith("SIGNING_KEY holds no new secret")
    settings.SIGNING_KEY = f"{SECRETS[1]},{SECRETS[0]}"
    assert run(capsys, "keys", "--renew").status == 0
    settings.SIGNING_KEY = SECRETS[1]
    recorded(salon, simple("another"))
    assert run(capsys, "checkpoint").status == 0

    assert [each.suffix for each in (tmp_path / "signing-keys").iterdir()] == [".last"]
    assert [row.key for row in Checkpoint.objects.order_by("size")] == [1, 2]


def test_a_secret_too_short_to_be_one_is_refused(
    salon: Salon, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.SIGNING_KEY = "short"

    assert "at least 32 characters" in run(capsys, "checkpoint").err


def test_keys_are_listed_with_the_entries_they_sign(
    salon: Salon, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "checkpoint")
    listed = run(capsys, "keys", "--renew", "--json").lines

    size = salon.log.position
    assert [(each["number"], each["after"], each["until"]) for each in listed] == [
        (1, 0, size),
        (2, size, None),
    ]
    assert [each["vkey"] for each in listed] == vkeys(salon)
    assert f"checkpoints above 0 to {size} lines" in run(capsys, "keys").out
    assert run(capsys, "keys", "--lost").err == "--lost goes with --renew."


def test_the_job_signs_every_log_that_moved_and_goes_on_after_one_that_cannot_be_signed(
    salon: Salon,
) -> None:
    broken, empty = a_salon("broken"), a_salon("empty")
    recorded(broken, simple())
    unguard()
    sql("DELETE FROM ledger_event WHERE log_id = %s AND position = 3", [broken.log_id])

    sign_checkpoints()
    sign_checkpoints()

    salon.log.refresh_from_db()
    assert list(Checkpoint.objects.values_list("log", "size")) == [
        (salon.log_id, salon.log.position)
    ]
    assert vkeys(empty) == []
