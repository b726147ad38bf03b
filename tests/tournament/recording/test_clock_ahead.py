"""A clock that was ahead, and was set back, stops nothing for longer than it takes and leaves
nothing that fails for ever.
"""

import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from ledger import checkpoints
from ledger.models import Checkpoint
from ledger.signing import SECOND
from tests.ledger.writing import run as sql
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import a_salon, recorded, simple, unguard
from tournament.integrity import audit_runs
from tournament.integrity.signing_keys import load_keyring
from tournament.models import AuditRun, RetentionRun, Salon, Turn, Webhook
from tournament.privacy import retention
from tournament.projections.background import LogLease
from tournament.recording.name_digests import cover_names
from tournament.webhooks.delivery import build_due_filter, ping

HOUR = 3600 * SECOND


@pytest.fixture
def salon(db: None, settings: Settings, tmp_path: Path) -> Salon:
    settings.DATA_DIR, settings.SIGNING_KEY = tmp_path, ""
    place = a_salon()
    recorded(place, simple())
    place.log.refresh_from_db()
    return place


def now() -> int:
    return time.time_ns() // 1000


def sign(salon: Salon, at: int) -> Checkpoint:
    salon.log.refresh_from_db()
    made = checkpoints.make(salon.log, load_keyring(), now=at)
    assert made is not None
    return made


def test_times_of_checkpoints_never_fall(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    ahead = sign(salon, now() + HOUR)
    recorded(salon, simple("later"))
    cover_names(salon)
    after = sign(salon, now())

    assert after.made_at == ahead.made_at
    told = run(capsys, "audit", "--json").lines[0]
    assert (told["findings"], told["remarks"]) == ([], [])


def falling(salon: Salon, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkpoints as a version before left them: each with the time that the clock said."""
    sign(salon, now() + HOUR)
    recorded(salon, simple("later"))
    monkeypatch.setattr(checkpoints, "max", min, raising=False)
    sign(salon, now())
    monkeypatch.undo()


def test_times_that_fell_before_are_a_remark_with_what_happened(
    salon: Salon, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = load_keyring().memory
    falling(salon, monkeypatch)
    assert data is not None

    ran = run(capsys, "audit", "--json", "--salon", "salon")
    (told,) = ran.lines
    assert (ran.status, told["findings"]) == (0, [])
    assert "set back" in told["remarks"][0]


def test_a_time_that_was_changed_in_the_row_is_still_a_finding(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    sign(salon, now())
    unguard()
    sql("UPDATE ledger_checkpoint SET made_at = made_at - 1000000")

    assert "was signed at another time" in run(capsys, "audit").out


def test_a_turn_left_in_the_future_is_nobodys(salon: Salon, settings: Settings) -> None:
    settings.CELERY_BROKER_URL = "redis://nowhere"
    Turn.objects.create(log=salon.log, holder="a worker that was killed", until=now() + 24 * HOUR)

    assert LogLease(salon.log).take()


def test_a_turn_that_somebody_has_is_theirs_until_it_runs_out(
    salon: Salon, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = "redis://nowhere"
    Turn.objects.create(log=salon.log, holder="a worker", until=now() + 9 * SECOND)

    assert not LogLease(salon.log).take()


def test_a_turn_taken_before_the_clock_was_set_back_is_taken_again(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, true = LogLease(salon.log), time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: true() + 24 * HOUR * 1000)
    assert turns.take()
    monkeypatch.undo()

    assert turns.take()
    assert Turn.objects.get().until < now() + 60 * SECOND


def test_an_audit_that_moved_in_the_future_is_not_taken_to_be_running(salon: Salon) -> None:
    run_ahead = AuditRun.objects.create(
        salon=salon, began_at=now() + 24 * HOUR, moved_at=now() + 24 * HOUR
    )

    assert not audit_runs.is_running(run_ahead)
    assert audit_runs.is_due(salon, timezone.now())


def test_the_work_of_a_night_in_the_future_does_not_put_off_the_next(salon: Salon) -> None:
    night = timezone.now().replace(hour=3)
    RetentionRun.objects.create(
        salon=salon, ran_at=night + timedelta(days=400), invitations=0, players=0
    )

    assert retention.is_due(salon, night)


def test_a_message_that_was_put_off_further_than_any_pause_is_due(salon: Salon) -> None:
    hook = Webhook.objects.create(
        salon=salon,
        address="https://example.org/",
        events=[],
        secret="x",
        since=0,
        standings_told=0,
    )
    delivery = ping(hook)
    for ahead, due in ((timedelta(hours=1), False), (timedelta(days=30), True)):
        type(delivery).objects.update(due_at=timezone.now() + ahead)
        assert type(delivery).objects.filter(build_due_filter()).exists() is due, ahead
