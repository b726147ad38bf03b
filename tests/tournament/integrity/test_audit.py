"""`manage.py audit` and the audits that are kept: all parts are asked, what is wrong is named, how
far history is proven is said.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from ledger import checkpoints, signing
from ledger.models import Account
from ledger.verify_outside import OutsideText
from tests.conftest import OwnDatabase
from tests.ledger.signing import Pocket
from tests.ledger.writing import run as sql
from tests.scoring.lone_defenders import with_rulings
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import (
    MATERIAL,
    a_salon,
    everything,
    lines_of,
    recorded,
    samples,
    simple,
    sit_down,
    unguard,
)
from tournament import tasks
from tournament.integrity import audit as auditing
from tournament.integrity import audit_runs
from tournament.integrity.audit import audit
from tournament.integrity.signing_keys import load_keyring
from tournament.integrity.work_requests import take
from tournament.models import AuditRun, Game, Salon


@pytest.fixture
def salon(db: None) -> Salon:
    place = a_salon()
    for value in (*samples()[1:3], everything()):
        recorded(place, value)
    sit_down(place)
    return place


def sign(salon: Salon) -> str:
    signed = checkpoints.make(salon.log, load_keyring(), now=5_000_000)
    assert signed is not None
    return signed.note


def test_a_salon_as_it_was_recorded_has_no_findings_and_is_unproven_without_a_checkpoint(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = run(capsys, "audit")

    assert ran.status == 0
    assert "events audited, no findings" in ran.out
    assert "unproven: no checkpoint kept outside holds" in ran.out


def test_a_checkpoint_kept_outside_proves_what_came_before_it(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, events = tmp_path / "kept.txt", salon.log.position
    kept.write_text(sign(salon))
    salon.log.refresh_from_db()
    events = salon.log.position
    recorded(salon, simple("later"))

    said = run(capsys, "audit", "--checkpoint", kept).out
    assert f"salon: lines 1 to {events} are proven by {kept}; 22 later ones are unproven." in said
    (told,) = run(capsys, "audit", "--checkpoint", kept, "--json").lines
    assert (told["proven"], told["unproven"], told["by"], told["findings"]) == (
        events,
        22,
        str(kept),
        [],
    )


def test_a_checkpoint_that_was_given_first_counts_too(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, none = tmp_path / "kept.txt", tmp_path / "none.txt"
    kept.write_text(sign(salon))
    none.write_text("no checkpoint\n")

    for pair in ((none, kept), (kept, none)):
        ran = run(capsys, "audit", "--checkpoint", pair[0], "--checkpoint", pair[1])
        assert (ran.status, "are proven by" in ran.out) == (1, True)
        assert f"{none} is no checkpoint" in ran.out


def test_a_key_that_nobody_announced_fails_the_audit_until_somebody_says_that_it_is_the_salons(
    salon: Salon, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DATA_DIR = tmp_path
    sign(salon)
    key = signing.renew(
        salon.log, Pocket("of somebody else"), now=6_000_000, lost=True
    ).verifier.vkey

    ran = run(capsys, "audit")
    assert (ran.status, "Key 2 was not announced by the key before it" in ran.out) == (1, True)
    once = run(capsys, "audit", "--accept-key", key)
    assert (once.status, "remark: Key 2 was not announced" in once.out) == (0, True)
    assert run(capsys, "audit").status == 1
    assert "is no key of this salon" in run(capsys, "keys", "--accept-key", "accord/x+1+y").err
    assert run(capsys, "keys", "--accept-key", key).status == 0
    assert run(capsys, "audit").status == 0


def test_a_key_begun_here_because_the_one_before_was_lost_is_remarked_alone(
    salon: Salon, settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DATA_DIR, settings.SIGNING_KEY = tmp_path, ""
    sign(salon)
    assert run(capsys, "keys", "--renew", "--lost").status == 0

    ran = run(capsys, "audit")
    assert (ran.status, "remark: Key 2 was not announced" in ran.out) == (0, True)


def test_a_file_that_cannot_be_read_is_said(
    salon: Salon, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        "can't be read: No such file" in run(capsys, "audit", "--checkpoint", tmp_path / "none").err
    )


HARM = {
    "hash": "UPDATE ledger_event SET actor = 'other' WHERE position = 5",
    "account": (
        "UPDATE ledger_account SET credits = credits + 1 WHERE id = (SELECT min(id) "
        "FROM ledger_account)"
    ),
    "checkpoint": "UPDATE ledger_checkpoint SET size = size - 1, root = 'ab'",
    "key": "UPDATE ledger_signingkey SET made_at = made_at + 1",
    "row": "UPDATE tournament_game SET version = 1 WHERE record = 'everything'",
    "text": "UPDATE tournament_text SET text = 'other' WHERE text = 'the window table'",
}


@pytest.mark.parametrize("kind", HARM)
def test_every_part_is_asked(salon: Salon, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    sign(salon)
    unguard()
    sql(HARM[kind])

    ran = run(capsys, "audit", "--json")
    assert ran.status == 1
    assert {kind, "guard"} <= {each["kind"] for each in ran.lines[0]["findings"]}


def test_accounts_of_one_game_that_do_not_balance_are_named_though_the_whole_salon_does(
    salon: Salon,
) -> None:
    unguard()
    streams = list(Account.objects.order_by("stream").values_list("stream", flat=True).distinct())
    for stream, column in zip(streams, ("credits", "debits"), strict=False):
        account = Account.objects.filter(stream=stream, overdraft=True).order_by("pk").first()
        assert account is not None
        Account.objects.filter(pk=account.pk).update(**{column: getattr(account, column) + 1})

    messages = [each.message for each in audit(salon).findings]
    for stream, chips in zip(streams, (1, -1), strict=False):
        assert (
            f"The accounts of stream {stream} are not balanced: together they hold {chips} chips."
            in messages
        )
    assert not any("accounts of log" in each for each in messages)


def test_a_pot_with_chips_in_a_game_that_is_over_is_named(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As events can't be written wrongly here, a game is said to have another pot: a player's
    account.
    """
    game = Game.objects.get(record="everything")
    monkeypatch.setattr("tournament.projections.audit.is_pot", lambda game, key: key == "N")

    assert ("pot", f"{game.pk}/N") in {(each.kind, each.row) for each in audit(salon).findings}


@pytest.mark.parametrize(
    "name",
    [
        "precedence_simulated",
        "preference_simulated",
        "contract_sabacc_simulated",
        "order_of_precedence_games",
    ],
)
def test_games_of_the_material_are_audited_without_a_finding(db: None, name: str) -> None:
    place = a_salon()
    for value in lines_of(MATERIAL / f"{name}.jsonl")[:12]:
        recorded(place, with_rulings(value))

    assert list(audit(place).findings) == []


def test_a_second_process_hashes_a_long_log_and_finds_the_same(
    own_database: OwnDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", own_database.url)
    monkeypatch.setattr(auditing, "BESIDE_FROM", 1)
    place = a_salon()
    recorded(place, simple())
    unguard()
    sql("UPDATE ledger_event SET body = '{}' WHERE position = 3")

    seen: list[tuple[int, int]] = []
    found = audit(place, beside=True, progress=lambda *steps: seen.append(steps))
    assert found == audit(place)
    assert "hash" in {each.kind for each in found.findings}
    total = found.events * auditing.PASSES
    assert seen == sorted(seen)
    assert seen[-1] == (total, total)


def test_more_findings_than_are_listed_are_said(
    salon: Salon, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(auditing, "MOST", 1)
    Game.objects.update(version=1)

    assert "there are more findings than these" in run(capsys, "audit").out


# Audits that are kept


def test_a_run_keeps_what_it_found(salon: Salon) -> None:
    kept = sign(salon)
    salon.log.refresh_from_db()
    Game.objects.filter(record="everything").update(version=1)
    run_ = audit_runs.begin(salon, asked_by="user:1", outside=[OutsideText(name="kept", text=kept)])
    assert run_ is not None
    assert audit_runs.begin(salon) is None
    tasks.carry_out_requests()
    audit_runs.carry_out(run_)

    ended = audit_runs.newest(salon)
    assert ended is not None
    assert (ended.pk, ended.count, ended.proven, ended.by) == (
        run_.pk,
        1,
        salon.log.position,
        "kept",
    )
    assert [each["column"] for each in ended.findings] == ["version"]
    assert ended.ended_at >= ended.began_at
    assert not audit_runs.is_running(ended)
    assert audit_runs.begin(salon) is not None


def test_a_run_that_failed_says_why_and_another_can_begin(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_ = audit_runs.begin(salon)
    assert run_ is not None

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the disk is gone")

    monkeypatch.setattr(audit_runs, "audit", broken)
    with pytest.raises(RuntimeError):
        audit_runs.carry_out(run_)

    ended = audit_runs.newest(salon)
    assert ended is not None
    assert ended.error == "RuntimeError: the disk is gone"
    assert not audit_runs.is_running(ended)


def test_a_run_that_has_not_moved_for_long_is_taken_for_dead(salon: Salon) -> None:
    run_ = audit_runs.begin(salon)
    assert run_ is not None
    assert take(run_)
    AuditRun.objects.filter(pk=run_.pk).update(moved_at=run_.moved_at - 16 * 60 * 1_000_000)

    assert audit_runs.begin(salon) is not None


def test_progress_is_kept_while_a_run_goes_on(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_runs, "SECONDS_BETWEEN_MOVES", 0)
    run_ = audit_runs.begin(salon)
    assert run_ is not None
    audit_runs.carry_out(run_)

    run_.refresh_from_db()
    salon.log.refresh_from_db()
    assert run_.done == run_.total == salon.log.position * auditing.PASSES


def test_only_the_last_runs_are_kept(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_runs, "KEPT", 3)
    for _ in range(5):
        run_ = audit_runs.begin(salon)
        assert run_ is not None
        AuditRun.objects.filter(pk=run_.pk).update(ended_at=1)

    assert AuditRun.objects.count() == 3


@pytest.mark.parametrize(
    ("hours", "hour", "is_due"),
    [
        (1, 3, False),
        (19, 3, False),
        (21, 3, True),
        (21, 12, False),
        (47, 12, False),
        (49, 12, True),
    ],
)
def test_a_salon_is_audited_every_night_or_by_day_when_the_nights_were_missed(
    salon: Salon, hours: int, hour: int, is_due: bool
) -> None:
    now = datetime(2026, 11, 21, hour, 30, tzinfo=UTC)
    with timezone.override(UTC):
        Salon.objects.filter(pk=salon.pk).update(created_at=now - timedelta(hours=hours))
        salon.refresh_from_db()
        assert audit_runs.is_due(salon, now) is is_due
        began = int((now - timedelta(hours=hours)).timestamp() * 1_000_000)
        AuditRun.objects.create(salon=salon, began_at=began, moved_at=began, ended_at=began)
        AuditRun.objects.create(
            salon=salon, asked_by="user:1", began_at=began * 2, moved_at=began, ended_at=began
        )
        assert audit_runs.is_due(salon, now) is is_due


def test_the_nightly_job_audits_those_that_wait(salon: Salon) -> None:
    a_salon("new")
    Salon.objects.filter(pk=salon.pk).update(created_at=timezone.now() - timedelta(days=3))

    tasks.audit_by_night()
    tasks.audit_by_night()
    assert list(AuditRun.objects.values_list("salon__slug", "count", "asked_by")) == [
        ("salon", 0, "")
    ]
