"""Press every button that starts background work in a salon that is served, and wait for what comes
of each.
"""

import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.middleware.csrf import CSRF_SECRET_LENGTH
from django.test.utils import override_settings

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.running import PATIENCE, Running, wait_for
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.accounts.permissions import Permission
from tournament.backups.folder import backups_in
from tournament.demo.practice import open_practice
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import AuditRun, Delivery, Player, Progress, Salon, Tournament, Webhook
from tournament.projections.background import catch_up
from tournament.projections.careers import CAREERS
from tournament.streams.tournament_rows import state_of
from tournament.webhooks import subscriptions

FORMS = "a" * CSRF_SECRET_LENGTH  # the secret of the forms, which a browser holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The owner of a served salon, signed in with a second step, and a token of theirs that may
    audit.
    """

    salon: Salon
    practice: Tournament
    hook: Webhook
    session: str
    token: str

    def presses(self, service: Running, address: str, **fields: str) -> None:
        """Send a form to this address."""
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": FORMS, **fields})
        request = urllib.request.Request(service.url + address, body.encode())
        request.add_header("Cookie", f"sessionid={self.session}; csrftoken={FORMS}")
        request.add_header("Origin", service.url.rstrip("/"))
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert answer.status == 200

    def asks_api(self, service: Running, path: str) -> None:
        """Write this to the API of the salon, as a program does."""
        address = f"{service.url}api/v1/salons/{self.salon.slug}/{path}"
        request = urllib.request.Request(address, b"{}")
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Content-Type", "application/json")
        request.add_header("Idempotency-Key", str(uuid.uuid4()))
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            assert answer.status in (200, 201, 202)

    def takes_along(self, service: Running, address: str) -> bytes:
        """The file at this address."""
        request = urllib.request.Request(service.url + address)
        request.add_header("Cookie", f"sessionid={self.session}")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return bytes(answer.read())


def salon_with_work() -> Owner:
    """A salon with a tournament under way, a published round of an event to practise with, an
    address that is told what happens, and a computation that was parked.
    """
    salon = opened_salon()
    after_round_1(salon)
    practice = open_practice(salon, name="Practice", actor="user:1", command=a_command(), seed=3)
    here = [CheckIn(entry=entry.id) for entry in state_of(practice).entries]
    does(practice, *here, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    with override_settings(WEBHOOKS_WITHIN=True):
        hook, _secret = subscriptions.add(
            salon, address="https://127.0.0.1:9/", events=["hand.closed"], actor="user:1"
        )
    catch_up(salon.log, [CAREERS.projection])
    Progress.objects.filter(projection="careers").update(error="once", error_position=1)
    owner = User.objects.get(is_superuser=True)
    Authenticator.objects.create(user=owner, type=Authenticator.Type.TOTP, data={})
    session = owner_of(salon).cookies["sessionid"].value
    return Owner(
        salon=salon,
        practice=practice,
        hook=hook,
        session=session,
        token=owner_calls(salon, Permission.AUDIT).token,
    )


def served_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment in which a served salon knows the sessions of this process, and may send to
    this machine.
    """
    return {**environment, "SECRET_KEY": settings.SECRET_KEY, "WEBHOOKS_WITHIN": "1"}


def press_every_button(owner: Owner, service: Running, backups: Path) -> None:
    """Press them all, and see that everything asked for comes to its end.

    The parked computation goes first: an audit would find it.
    """
    owner.presses(service, "settings/tasks/careers/")
    assert wait_for(lambda: Progress.objects.filter(projection="careers", error="").exists())
    owner.presses(service, "settings/backups/")
    owner.presses(service, "audit/runs/")
    owner.presses(service, f"webhooks/{owner.hook.pk}/pings/")

    assert wait_for(lambda: len(backups_in(backups)) == 1), service.said()
    assert wait_for(lambda: AuditRun.objects.filter(ended_at__gt=0, error="").count() == 1)
    assert wait_for(lambda: Delivery.objects.filter(webhook=owner.hook, tries__gt=0).exists())
    assert wait_for(_has_results(owner.practice))
    owner.asks_api(service, "audits/")
    assert wait_for(lambda: AuditRun.objects.filter(ended_at__gt=0, error="").count() == 2)
    (backup,) = backups_in(backups)
    for address in ("audit/log.jsonl", "settings/salon.jsonl", f"settings/backups/{backup.name}"):
        assert owner.takes_along(service, address), address
    player = Player.objects.filter(salon=owner.salon, practice=False).earliest("pk")
    owner.presses(service, f"players/{player.pk}/erasure/", name=player.name)
    assert wait_for(lambda: AuditRun.objects.filter(ended_at__gt=0, error="").count() == 3)
    assert not AuditRun.objects.exclude(findings=[]).values_list("findings", flat=True)


def _has_results(practice: Tournament) -> Callable[[], bool]:
    def has() -> bool:
        practice.refresh_from_db()
        return any(table.is_settled for table in state_of(practice).rounds[0].tables)

    return has
