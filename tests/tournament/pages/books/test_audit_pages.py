"""The auditor's pages: the last audit, checkpoints, proofs, files to check elsewhere, and
signatures of other salons.
"""

import base64
import io
import json
import re

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client
from pytest_django.fixtures import Settings

from ledger import checkpoints, merkle, notes, signing, witness
from ledger.models import Checkpoint, Cosignature, Witnessed
from ledger.standalone import verify_export
from ledger.store import open_log
from tests.ledger.signing import Pocket
from tests.ledger.trees import root_by_inclusion
from tests.ledger.writing import filled
from tests.tournament.helpers.commanding import Ran, run
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.reading import bytes_of, words
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import unguard
from tournament import tasks
from tournament.integrity import audit_runs
from tournament.integrity.signing_keys import load_keyring
from tournament.models import AuditRun, Game, Membership, Salon


@pytest.fixture
def salon(db: None) -> Salon:
    """A salon whose audits are run when a test says so."""
    return opened_salon()


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


@pytest.fixture
def game(salon: Salon) -> Game:
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    return game


def carry_out() -> None:
    for each in AuditRun.objects.filter(ended_at=0):
        audit_runs.carry_out(each)


def signed(salon: Salon) -> Checkpoint:
    found = checkpoints.make(salon.log, load_keyring(), now=1_700_000_000_000_000)
    assert found is not None
    return found


def test_a_new_salon_says_what_will_stand_here(browser: Client) -> None:
    page = words(browser.get("/audit/").text)

    assert "No audit has been made yet." in page
    assert "Nothing has been signed yet." in page


def test_an_audit_begun_on_the_page_shows_its_progress_and_its_result(
    browser: Client, game: Game
) -> None:
    assert browser.post("/audit/runs/").status_code == 302
    assert "it begins in a moment" in words(browser.get("/audit/").text)
    AuditRun.objects.update(taken_at=F("began_at"))
    running = browser.get("/audit/")
    assert "0 per cent done" in words(running.text)
    assert 'hx-trigger="every 2s"' in running.text
    assert "running already" in words(browser.post("/audit/runs/", follow=True).text)
    AuditRun.objects.update(taken_at=0)
    carry_out()

    part = browser.get("/audit/", headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert "every 2s" not in part
    assert "No findings" in part
    assert "proven only by a checkpoint that was kept elsewhere" in part


def test_a_checkpoint_handed_in_proves_what_came_before_it(
    browser: Client, salon: Salon, game: Game
) -> None:
    row = signed(salon)
    record(game, *hand("E", (1, 1, 1, 1), (7, 6)))
    salon.log.refresh_from_db()
    browser.post("/audit/runs/", {"checkpoint": "\r\n" + row.note.replace("\n", "\r\n")})
    carry_out()

    after = salon.log.position - row.size
    said = (
        f"Lines 1 to {row.size} are proven by the checkpoint that was handed in; the "
        f"{after} after it are not."
    )
    assert said in words(browser.get("/audit/").text)
    browser.post("/audit/runs/", {"checkpoint": "x" * 30_000})
    assert AuditRun.objects.count() == 1


def test_findings_lead_to_the_page_that_shows_them(
    browser: Client, salon: Salon, game: Game
) -> None:
    row = signed(salon)
    unguard()
    Checkpoint.objects.filter(pk=row.pk).update(made_at=1)
    Game.objects.filter(pk=game.pk).update(version=1)
    browser.post("/audit/runs/")
    carry_out()

    text = browser.get("/audit/").text
    assert f'href="/checkpoints/{row.size}/"' in text
    assert f'href="/games/{game.pk}/"' in text
    assert "version is 1, its events say" in words(text)


def test_an_audit_that_stopped_says_so(browser: Client, salon: Salon) -> None:
    run = audit_runs.begin(salon)
    assert run is not None
    AuditRun.objects.filter(pk=run.pk).update(ended_at=run.began_at, error="the disk is gone")

    assert "The audit did not come to its end. the disk is gone" in words(
        browser.get("/audit/").text
    )


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "Asked for at"),
        (40, "has not begun. The background work is busy with something else, or it doesn't run."),
        (25 * 3600, "The audit did not come to its end. No background worker began it."),
    ],
)
def test_an_audit_that_no_worker_begins_is_told_within_a_minute_and_lapses_after_a_day(
    browser: Client, seconds: int, said: str
) -> None:
    browser.post("/audit/runs/")
    AuditRun.objects.update(began_at=F("began_at") - seconds * 1_000_000)

    assert said in words(browser.get("/audit/").text).replace("&#x27;", "'")
    browser.post("/audit/runs/")
    assert AuditRun.objects.count() == (2 if seconds > 24 * 3600 else 1)


def test_a_worker_finds_the_audit_that_was_asked_for_on_the_page(browser: Client) -> None:
    browser.post("/audit/runs/")

    tasks.carry_out_requests()

    run = AuditRun.objects.get()
    assert run.ended_at
    assert not run.error
    assert "No findings" in words(browser.get("/audit/").text)


def test_the_owner_signs_and_everybody_can_keep_the_checkpoint(
    browser: Client, salon: Salon, game: Game
) -> None:
    address = browser.post("/checkpoints/")["Location"]
    row = Checkpoint.objects.get()

    assert address == f"/checkpoints/{row.size}/"
    assert row.note in browser.get(address).text.replace("&#x2B;", "+")
    assert 'class="qr"' in browser.get(address).text
    answer = Client().get(address, {"format": "txt"})
    assert answer.text == row.note
    assert "Add another salon" not in Client().get(address).text
    assert browser.get("/checkpoints/9999/").status_code == 404


def test_an_empty_salon_has_nothing_to_sign(browser: Client) -> None:
    assert "there is nothing to sign" in words(browser.post("/checkpoints/", follow=True).text)


def test_a_log_that_was_changed_is_not_signed(browser: Client, salon: Salon, game: Game) -> None:
    signed(salon)
    unguard()
    Checkpoint.objects.update(root="ab" * 32)
    record(game, *hand("E", (1, 1, 1, 1), (7, 6)))

    assert "Nothing was signed: the log does not hold" in words(
        browser.post("/checkpoints/", follow=True).text
    )


def test_another_salons_signature_is_kept_when_it_holds(
    browser: Client, salon: Salon, game: Game
) -> None:
    row, private = signed(salon), Pocket("w").new("", frozenset())
    key = notes.verifier(private, "accord/witness").cosigner
    line = notes.cosign(notes.read_note(row.note).text, private, "accord/witness", seconds=9).line
    address = f"/checkpoints/{row.size}/cosignatures/"

    for note, vkey in ((line, "no key"), ("no line", key.vkey), (line.replace("A", "B"), key.vkey)):
        refused = browser.post(address, {"note": note, "key": vkey})
        assert refused.status_code == 422
        assert 'id="note-error"' in refused.text
    assert (
        browser.post(
            address, {"note": row.note.replace("\n", "\r\n") + line, "key": key.vkey}
        ).status_code
        == 302
    )
    assert Cosignature.objects.count() == 1
    assert "Countersigned by accord/witness" in words(browser.get(f"/checkpoints/{row.size}/").text)


def test_every_entry_has_a_proof_as_a_page_as_json_and_as_text(salon: Salon, game: Game) -> None:
    row = signed(salon)
    proof = json.loads(Client().get("/proofs/entries/5/", {"format": "json"}).text)

    path = [base64.b64decode(each) for each in proof["path"]]
    assert (
        root_by_inclusion(base64.b64decode(proof["leaf"]), 4, proof["size"], path).hex() == row.root
    )
    assert proof["checkpoint"] == row.note
    assert proof["path"][0] in Client().get("/proofs/entries/5/", {"format": "txt"}).text
    assert "leads to the root over 22 lines that was signed" in words(
        Client().get("/proofs/entries/5/").text
    )
    for address in (
        "/proofs/entries/0/",
        "/proofs/entries/999/",
        "/proofs/entries/5/?size=3",
        "/proofs/entries/5/?size=x",
    ):
        assert Client().get(address).status_code == 404


def test_an_entry_that_no_checkpoint_has_yet_says_so(salon: Salon, game: Game) -> None:
    assert "in no signed checkpoint yet" in words(Client().get("/proofs/entries/5/").text)
    assert Client().get("/proofs/consistency/").status_code == 404


def test_a_proof_of_consistency_is_what_a_witness_asks_for(salon: Salon, game: Game) -> None:
    first = signed(salon)
    record(game, *hand("E", (1, 1, 1, 1), (7, 6)))
    second = signed(salon)
    proof = json.loads(
        Client().get("/proofs/consistency/", {"old": str(first.size), "format": "json"}).text
    )

    path = [base64.b64decode(each) for each in proof["path"]]
    before, after = bytes.fromhex(first.root), bytes.fromhex(second.root)
    assert merkle.is_consistent(first.size, second.size, before, after, path)
    asked = witness.read_request(
        Client().get("/proofs/consistency/", {"old": str(first.size), "format": "txt"}).text
    )
    assert (asked.old, asked.checkpoint.size, asked.path) == (first.size, second.size, tuple(path))
    assert f"From {first.size} to {second.size} lines" in words(
        Client().get("/proofs/consistency/", {"old": first.size}).text
    )
    assert Client().get("/proofs/consistency/", {"old": 999}).status_code == 404


@pytest.mark.parametrize("query", ["", "?names=no"])
def test_the_log_can_be_downloaded_and_checked_by_the_script_that_lies_beside_it(
    browser: Client, salon: Salon, game: Game, query: str
) -> None:
    signed(salon)
    script = Client().get("/audit/verify_export.py")
    assert script.content.startswith(b"#!/usr/bin/env python3")
    for address in ("/audit/log.jsonl", f"/games/{game.pk}/log.jsonl"):
        file = bytes_of(browser.get(address + query))
        found = verify_export.Faults()
        seen = verify_export.check(io.BytesIO(file), [], [], found)
        assert list(found) == []
        assert (b"Brass Otter" in file) is not query.startswith("?")
        assert seen["proven"] == seen["events"] > 20


def test_without_the_private_key_no_file_is_made(
    browser: Client, salon: Salon, game: Game, settings: Settings
) -> None:
    signed(salon)
    settings.SIGNING_KEY = "another secret " * 3

    assert "the private key of the salon is not on this machine" in words(
        browser.get("/audit/log.jsonl", follow=True).text
    )
    record(game, *hand("E", (1, 1, 1, 1), (7, 6)))
    assert "Nothing could be signed" in words(browser.post("/checkpoints/", follow=True).text)


def test_a_salon_countersigns_for_another_and_says_why_it_does_not(
    browser: Client, salon: Salon
) -> None:
    other, theirs = open_log(), Pocket("theirs")
    row = checkpoints.make(filled(other.pk, 4), theirs, now=1)
    assert row is not None
    key = signing.keys_of(other.pk)[0].verifier.vkey

    refused = browser.post("/countersigning/", {"request": row.note})
    assert refused.status_code == 422
    assert "its key is needed" in words(refused.text)
    assert "a key is written name+id+key" in words(
        browser.post("/countersigning/", {"request": "none", "key": "x"}).text
    )
    done = browser.post("/countersigning/", {"request": row.note.replace("\n", "\r\n"), "key": key})
    assert "Countersigned: 4 lines" in words(done.text)
    own = signing.keys_of(salon.log_id)[0].verifier.cosigner
    line = notes.read_note(Witnessed.objects.get().note).signatures[-1].line
    assert line in done.text.replace("&#x2B;", "+")
    assert checkpoints.cosigned(row, line, own)
    assert f"{row.note.split()[0]}" in words(browser.get("/countersigning/").text)


def test_an_auditor_reads_all_and_changes_nothing(salon: Salon, game: Game) -> None:
    signed(salon)
    user = User.objects.create_user(username="auditor@example.org")
    Membership.objects.create(salon=salon, user=user, role=Membership.Role.AUDITOR)
    auditor = Client()
    auditor.force_login(user)

    for address in (
        "/audit/",
        "/history/",
        "/ledger/",
        f"/games/{game.pk}/history/",
        f"/ledger/games/{game.pk}/",
        "/audit/log.jsonl",
    ):
        assert auditor.get(address).status_code == 200, address
    assert auditor.post("/audit/runs/").status_code == 302
    for address in (
        "/checkpoints/",
        "/countersigning/",
        "/games/new/",
        "/tables/4/bids/",
        "/tables/4/link/",
    ):
        assert auditor.post(address).status_code == 403, address
    assert "Sign what there is now" not in auditor.get("/audit/").text


def test_a_printed_result_carries_the_checkpoint_that_covers_it(
    browser: Client, salon: Salon, game: Game
) -> None:
    addresses = (f"/games/{game.pk}/", f"/ledger/games/{game.pk}/")
    assert all('class="printed"' not in browser.get(address).text for address in addresses)
    row = signed(salon)
    assert all("It covers this result." in browser.get(address).text for address in addresses)
    assert row.root[:4] + " " + row.root[4:8] in browser.get(addresses[0]).text
    record(game, *hand("E", (1, 1, 1, 1), (7, 6)))

    assert all("print again in a few minutes" in browser.get(address).text for address in addresses)
    assert 'class="printed"' not in browser.get(addresses[0], headers={"HX-Request": "true"}).text


def test_an_owner_gives_the_role_of_auditor_and_takes_it_away(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    def ran(*arguments: str) -> Ran:
        return run(capsys, "auditor", *arguments)

    assert "is no e-mail address" in ran("nobody").err
    link = re.search(
        r"ada@example.org joins as auditor at (/\S+) within 7 days", ran("Ada@example.org").out
    )
    assert link is not None
    browser = Client()
    browser.post(
        link[1], {"name": "Ada", "email": "ada@example.org", "password": "velvet ladder comet"}
    )
    assert browser.get("/audit/").status_code == 200
    assert "has a role already" in ran("ada@example.org").err
    assert "has a role already" in ran("mara@example.org").err
    assert ran("ada@example.org", "--end").status == 0
    assert browser.get("/audit/").status_code == 302
    assert ran("mara@example.org", "--end").err == "mara@example.org is no auditor of this salon."
