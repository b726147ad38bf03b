"""A database that is older than what was signed here, or lost what was, is named and not signed a
second time.
"""

import shutil
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django.fixtures import Settings

from ledger import checkpoints, signing
from ledger.last_signed import Inconsistent
from ledger.models import Checkpoint, Log, SigningKey
from tests.ledger.writing import run as sql
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.tables import a_salon, recorded, simple, unguard
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Salon
from tournament.tasks import sign_checkpoints

AFTER = ("ledger_event", "ledger_transfer")


@pytest.fixture(params=["", "a secret of more than thirty-two letters"])
def kept_in(request: pytest.FixtureRequest, settings: Settings, tmp_path: Path) -> Path:
    """The folder of this test's own, with keys in files, or worked out from a secret."""
    settings.SIGNING_KEY, settings.DATA_DIR = request.param, tmp_path
    return tmp_path


@pytest.fixture
def salon(db: None, kept_in: Path) -> Salon:
    place = a_salon()
    for number in range(3):
        recorded(place, simple(f"game {number}"))
        sign_checkpoints()
    place.log.refresh_from_db()
    return place


def heads(salon: Salon) -> list[int]:
    return list(
        Checkpoint.objects.filter(log=salon.log_id).order_by("size").values_list("size", flat=True)
    )


def cut_off(salon: Salon, size: int) -> None:
    """Take the log back to `size` entries, with all that was signed of it since, as an older copy
    of the database has it.
    """
    unguard()
    for table in AFTER:
        sql(f"DELETE FROM {table} WHERE log_id = %s AND position > %s", [salon.log_id, size])
    sql("DELETE FROM ledger_command WHERE log_id = %s AND last_position > %s", [salon.log_id, size])
    sql("DELETE FROM ledger_checkpoint WHERE log_id = %s AND size > %s", [salon.log_id, size])
    sql(
        (
            "UPDATE ledger_log SET position = %s, hash = (SELECT hash FROM ledger_event "
            "WHERE position = %s AND log_id = %s) WHERE id = %s"
        ),
        [size, size, salon.log_id, salon.log_id],
    )
    salon.log.refresh_from_db()


def found(capsys: pytest.CaptureFixture[str], table: str = "ledger_checkpoint") -> list[str]:
    (told,) = run(capsys, "audit", "--json").lines
    return [each["message"] for each in told["findings"] if each["table"] == table]


def test_a_log_that_was_signed_and_is_whole_has_no_findings(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run(capsys, "audit", "--json").lines[0]
    assert (told["findings"], told["remarks"]) == ([], [])


def test_a_tail_that_was_cut_off_is_named_and_nothing_is_signed_on_what_is_left(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _, last = heads(salon)
    cut_off(salon, first)

    assert (
        f"This database is older than what was signed here: {last} lines were signed, "
        f"and the log has {first}."
    ) in found(capsys)[0]
    assert "--accept-rollback" in found(capsys)[0]
    sign_checkpoints()
    assert heads(salon) == [first]
    with pytest.raises(Inconsistent):
        checkpoints.make(salon.log, load_keyring(), now=9)


def test_another_history_of_the_same_length_is_named_and_not_signed(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _, last = heads(salon)
    cut_off(salon, first)
    for number in range(3):
        recorded(salon, simple(f"another game {number}"))
    salon.log.refresh_from_db()
    assert salon.log.position > last

    assert f"the first {last} lines are not those that were signed" in found(capsys)[0]
    sign_checkpoints()
    assert heads(salon) == [first]


@pytest.mark.parametrize("what", ["the newest", "all"])
def test_checkpoints_that_were_taken_away_are_named(
    salon: Salon, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    unguard()
    sql(
        "DELETE FROM ledger_checkpoint WHERE log_id = %s AND size >= %s",
        [salon.log_id, heads(salon)[-1] if what == "the newest" else 0],
    )

    assert any("was signed here and is not among the checkpoints" in each for each in found(capsys))
    recorded(salon, simple("later"))
    sign_checkpoints()
    assert bool(found(capsys)) == (what == "all")


def test_the_newest_checkpoint_that_is_not_stored_is_put_back_as_it_was_signed(
    salon: Salon,
) -> None:
    before = list(
        Checkpoint.objects.filter(log=salon.log_id)
        .order_by("size")
        .values("previous", "size", "root", "key", "note", "made_at")
    )
    unguard()
    sql(
        "DELETE FROM ledger_checkpoint WHERE log_id = %s AND size = %s",
        [salon.log_id, heads(salon)[-1]],
    )
    sign_checkpoints()

    after = (
        Checkpoint.objects.filter(log=salon.log_id)
        .order_by("size")
        .values("previous", "size", "root", "key", "note", "made_at")
    )
    assert list(after) == before


@pytest.mark.parametrize("rows", ["keys", "keys, checkpoints and tiles"])
def test_keys_that_were_taken_away_are_named_and_no_other_takes_their_place(
    salon: Salon, rows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    unguard()
    sql("DELETE FROM ledger_signingkey")
    if rows != "keys":
        sql("DELETE FROM ledger_checkpoint")
        sql("DELETE FROM ledger_tile")
    recorded(salon, simple("later"))

    assert any(
        "is not among the keys of the log" in each for each in found(capsys, "ledger_signingkey")
    )
    sign_checkpoints()
    assert not SigningKey.objects.exists()


def test_a_restore_that_is_meant_is_accepted_once_and_every_audit_tells_it_afterwards(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    first, _, last = heads(salon)
    cut_off(salon, first)
    assert run(capsys, "keys", "--accept-rollback").status == 0

    recorded(salon, simple("anew"))
    sign_checkpoints()
    told = run(capsys, "audit", "--json").lines[0]
    assert {each["kind"] for each in told["findings"]} & {
        "rolled_back",
        "checkpoint",
        "key",
        "tree",
        "gap",
    } == set()
    assert any(
        f"{last} lines were signed" in each and f"taken back to {first}" in each
        for each in told["remarks"]
    )
    assert heads(salon)[-1] == Log.objects.get(pk=salon.log_id).position > first


def test_there_is_nothing_to_accept_where_nothing_is_lost(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "nothing to accept" in run(capsys, "keys", "--accept-rollback").err
    assert run(capsys, "audit", "--json").lines[0]["remarks"] == []


def test_without_a_memory_the_newest_checkpoint_that_holds_is_remembered_from_now_on(
    salon: Salon, kept_in: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for each in (kept_in / "signing-keys").glob("*.last"):
        each.unlink()
    sign_checkpoints()
    cut_off(salon, heads(salon)[0])

    assert "is older than what was signed here" in found(capsys)[0]


def test_a_memory_that_cannot_be_read_is_named_and_nothing_is_signed(
    salon: Salon, kept_in: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (memory,) = (kept_in / "signing-keys").glob("*.last")
    memory.write_text("x")
    recorded(salon, simple("later"))

    assert "can't be read" in found(capsys)[0]
    before = heads(salon)
    sign_checkpoints()
    assert heads(salon) == before


def test_a_new_key_that_the_database_forgot_is_told(
    salon: Salon, kept_in: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not list((kept_in / "signing-keys").glob("*.origin")):
        pytest.skip("a secret makes every key again: none lies in a file")
    key = signing.renew(salon.log, load_keyring(), now=7)
    unguard()
    sql("DELETE FROM ledger_signingkey WHERE number = 2")

    (remark,) = run(capsys, "audit", "--json").lines[0]["remarks"]
    assert key.verifier.public[:8].hex() in remark


def test_the_pages_say_that_nothing_is_signed_and_how_to_go_on(salon: Salon) -> None:
    User.objects.create_user("mara@example.org").membership_set.create(salon=salon, role="owner")
    browser = owner_of(salon)
    assert "older than what was signed here" not in browser.get("/audit/").content.decode()
    cut_off(salon, heads(salon)[0])

    page = browser.get("/audit/").content.decode()
    assert "older than what was signed here" in page
    assert "manage.py keys --accept-rollback" in page
    for url in ("/audit/log.jsonl", "/settings/salon.jsonl"):
        assert browser.get(url, follow=True).status_code == 200, url


def test_a_copy_of_the_folder_says_the_same(
    salon: Salon, kept_in: Path, tmp_path: Path, settings: Settings
) -> None:
    shutil.copytree(kept_in / "signing-keys", tmp_path / "copy" / "signing-keys")
    settings.DATA_DIR = tmp_path / "copy"
    cut_off(salon, heads(salon)[0])
    with pytest.raises(Inconsistent):
        checkpoints.make(salon.log, load_keyring(), now=9)
