"""Phones that asked for it are told what concerns their entry: once a matter, no more than the
entry's own page shows, and nobody but they can read it.
"""

from collections.abc import Iterator
from concurrent.futures import wait
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from scoring.confirmation import ConfirmHands, DisputeHand
from scoring.errors import RuleViolation
from tests.conftest import OwnDatabase
from tests.tournament.helpers.evenings import does, in_round_1, registered, result
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.running import PATIENCE
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tests.tournament.helpers.vapid import checked
from tests.tournament.pushes.receiving import Browser, a_push_service
from tests.tournament.webhooks.receiving import Receiver
from tournament.accounts.personal_links import end, links_of, renew
from tournament.domain.tournament.clock import PauseClock, StartClock
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.rounds import CloseRound, PublishRound, UnpublishRound
from tournament.domain.tournament.state import MICROSECONDS
from tournament.domain.tournament.swaps import SwapEntries
from tournament.models import Game, Notice, Player, PushSubscription, Salon, Tournament
from tournament.privacy import retention
from tournament.privacy.erasure import erase
from tournament.privacy.personal_data import collect_personal_data
from tournament.pushes import delivery, subscriptions
from tournament.pushes.delivery import serve_salon
from tournament.pushes.notification_triggers import look_for_matters
from tournament.pushes.subscriptions import MOST, begin, forget_ended
from tournament.pushes.vapid import public_key_of
from tournament.recording.confirmations import record_attestation
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of
from tournament.tasks import tell_phones


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A push service on this machine, which no setting of a server would let phones name."""
    monkeypatch.setattr(subscriptions, "WITHIN", True)
    with a_push_service() as receiver:
        yield receiver


@dataclass(slots=True, kw_only=True)
class Phone:
    """A phone that is told of an entry by this push service."""

    service: Receiver
    row: Tournament
    entry: str
    browser: Browser = field(default_factory=Browser.new)
    name: str = field(default_factory=a_command)

    @property
    def endpoint(self) -> str:
        return f"{self.service.address}/{self.name}"

    def asks(self, **other: str) -> Any:
        """Send what its page sends when the button is pressed."""
        keys = {"p256dh": self.browser.p256dh, "auth": self.browser.auth}
        sent = {"endpoint": self.endpoint, **keys, **other}
        return Client().post(f"{page_of(self.row, self.entry)}phones/", sent)

    @property
    def told(self) -> list[str]:
        """What it was told so far, in order."""
        return [said["body"] for said in self.read]

    @property
    def read(self) -> list[dict[str, Any]]:
        return [
            self.browser.read(body)
            for path, (_headers, body) in zip(
                self.service.paths, self.service.received, strict=True
            )
            if path.endswith(self.name)
        ]


def page_of(row: Tournament, entry: str = "1") -> str:
    return f"/me/{links_of(row, [entry])[entry].token}/"


def a_phone(service: Receiver, row: Tournament, entry: str = "1") -> Phone:
    """A phone that was let be told."""
    phone = Phone(service=service, row=row, entry=entry)
    assert phone.asks().status_code == 204
    return phone


def sent(salon: Salon) -> None:
    """What a worker does, all that is to come at once: twice, as lost and doubled hints would."""
    for _ in range(2):
        look_for_matters()
        Notice.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
        serve_salon(salon.pk)


def ready_for_round_1(salon: Salon, count: int = 4) -> Tournament:
    """Everybody is here and round 1 is drawn, and not published."""
    row = registered(salon, count)
    here = [CheckIn(entry=str(number)) for number in range(1, count + 1)]
    return does(row, *here, EnterPhase(phase="running"), DrawRound(round=1))


def table_of(row: Tournament, entry: str, number: int = 1) -> int:
    each = state_of(row).rounds[number - 1]
    return next(table.table for table in each.tables if entry in table.entries)


def elsewhere(row: Tournament) -> str:
    """An entry at another table than entry 1."""
    own = table_of(row, "1")
    return next(entry for entry in ("2", "3", "4") if table_of(row, entry) != own)


def a_game(row: Tournament, entry: str = "1") -> Game:
    """A game at the table of an entry in round 1, with one hand closed."""
    row.refresh_from_db()
    game = start_linked_game(
        row.salon, row.pk, round=1, table=table_of(row, entry), label=str(table_of(row, entry)),
        actor="user:1", command=a_command(), version=row.version,
    )  # fmt: skip
    record(game, *hand("S", (4, 3, 3, 2), (7, 6)))
    return game


def says(game: Game, *said: Any) -> None:
    for each in said:
        game.refresh_from_db()
        record_attestation(
            game.salon, game.pk, each, actor="user:1", command=a_command(), version=game.version
        )


def now() -> int:
    return int(timezone.now().timestamp()) * MICROSECONDS


# what is told


def test_a_published_seat_is_told_to_its_entry_and_to_no_other(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    phones = {entry: a_phone(service, row, entry) for entry in ("1", "2", "3")}
    sent(salon)
    assert service.received == []  # the draw is the director's alone

    row = does(row, PublishRound(round=1))
    sent(salon)

    for entry, phone in phones.items():
        (said,) = phone.read
        table = next(each for each in state_of(row).rounds[0].tables if entry in each.entries)
        side = "N–S" if table.entries[0] == entry else "E–W"
        assert said["body"] == f"Round 1: table {table.table}, {side}."
        assert said["tag"] == "seat"
    assert phones["1"].read[0]["title"] == "Asha Renn & Cato Liss"


def test_a_round_that_begins_later_says_when_and_its_start_is_told_then(
    service: Receiver, salon: Salon
) -> None:
    salon.time_zone = "Europe/Tallinn"
    salon.save(update_fields=["time_zone"])
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    begins = now() + 300 * MICROSECONDS
    does(row, PublishRound(round=1), StartClock(round=1, at=begins, seconds=3600))
    look_for_matters()
    serve_salon(salon.pk)

    there = datetime.fromtimestamp(begins // MICROSECONDS, ZoneInfo("Europe/Tallinn"))
    assert phone.told == [f"{start_of(row, 'Round 1: ')} Starts {there:%H:%M}."]
    (waiting,) = Notice.objects.filter(due_at__isnull=False)
    assert waiting.due_at == there


def test_a_round_that_has_begun_is_told_with_when_it_ends(service: Receiver, salon: Salon) -> None:
    row = in_round_1(salon)
    phone = a_phone(service, row)
    begun = now()
    does(row, StartClock(round=1, at=begun, seconds=3600))
    sent(salon)

    ends = datetime.fromtimestamp(begun // MICROSECONDS + 3600, UTC)
    assert phone.told == [f"{start_of(row, 'Round 1 has started: ')} Until {ends:%H:%M}."]
    assert phone.read[0]["tag"] == "seat"  # it stands in for the seat that was told before


def start_of(row: Tournament, words: str) -> str:
    table = next(each for each in state_of(row).rounds[0].tables if "1" in each.entries)
    side = "N–S" if table.entries[0] == "1" else "E–W"
    return f"{words}table {table.table}, {side}."


def test_a_clock_that_goes_on_after_a_pause_is_no_start(service: Receiver, salon: Salon) -> None:
    row = in_round_1(salon)
    phone = a_phone(service, row)
    does(row, StartClock(round=1, at=now(), seconds=3600))
    sent(salon)
    does(row, PauseClock(round=1, at=now() + MICROSECONDS))
    does(row, StartClock(round=1, at=now() + 2 * MICROSECONDS, seconds=3600))
    sent(salon)

    assert [said.partition(":")[0] for said in phone.told] == ["Round 1 has started"]


def test_who_changes_places_after_the_round_was_published_is_told_again(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    other = elsewhere(row)
    phone, unmoved = a_phone(service, row), a_phone(service, row, _third(row, other))
    there = table_of(row, other)
    row = does(row, SwapEntries(round=1, one="1", two=other, reason="a chair is broken"))
    sent(salon)

    assert [said.split(",")[0] for said in phone.told] == [f"Round 1: table {there}"]
    assert unmoved.told == []


def _third(row: Tournament, other: str) -> str:
    return next(entry for entry in ("2", "3", "4") if entry != other and table_of(row, entry) != 0)


def test_of_a_round_that_is_taken_back_or_over_nothing_is_told(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    row = does(row, PublishRound(round=1))
    look_for_matters()
    row = does(row, UnpublishRound(round=1))
    sent(salon)
    assert phone.told == []

    row = does(row, PublishRound(round=1))
    look_for_matters()
    does(row, result(1, 251, 180), result(2, 251, 180), CloseRound(round=1))
    sent(salon)
    assert phone.told == []


def test_who_sits_out_is_told_so(service: Receiver, salon: Salon) -> None:
    row = ready_for_round_1(salon, count=5)
    (out,) = [bye.entry for bye in state_of(row).rounds[0].byes]
    phone = a_phone(service, row, out)
    does(row, PublishRound(round=1), StartClock(round=1, at=now(), seconds=3600))
    sent(salon)

    assert phone.told == ["Round 1: You sit out and get 1 point."]


def test_a_hand_is_told_to_those_whom_it_waits_for_once_it_has_waited(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    phone, other = a_phone(service, row), a_phone(service, row, elsewhere(row))
    game = a_game(row)
    look_for_matters()
    serve_salon(salon.pk)
    assert phone.told == []  # a minute for the table itself

    sent(salon)
    assert phone.told == [f"Confirm hand 1: round 1, table {table_of(row, '1')}."]
    assert other.told == []

    record(game, *hand("W", (4, 3, 3, 2), (7, 6)))
    sent(salon)
    assert phone.told[1:] == [f"Confirm hands 1, 2: round 1, table {table_of(row, '1')}."]


def test_a_hand_that_was_confirmed_meanwhile_is_told_to_nobody(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    phone = a_phone(service, row)
    game = a_game(row)
    look_for_matters()
    says(game, *(ConfirmHands(hands=(1,), seat=seat) for seat in "NE"))
    sent(salon)

    assert phone.told == []


def test_a_dispute_and_what_the_desk_changes_are_told_to_their_table(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    phone, other = a_phone(service, row), a_phone(service, row, elsewhere(row))
    game = a_game(row)
    says(game, DisputeHand(hand=1, seat="E", reason="six, not five"))
    sent(salon)
    table = table_of(row, "1")
    assert phone.told == [f"Hand 1 is disputed: round 1, table {table}. The director decides."]

    row = does(row, result(table_of(row, other.entry), 251, 180))
    sent(salon)
    assert other.told == []  # they know what they have played
    does(row, result(table_of(row, other.entry), 180, 251))
    sent(salon)
    there = table_of(row, other.entry)
    assert other.told == [f"The desk changed your result: round 1, table {there}."]
    assert len(phone.told) == 1


def test_nothing_of_a_silent_round_is_told_but_where_one_sits(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    desk = a_phone(service, row, elsewhere(row))
    row = does(row, BeginSilence(from_round=1), PublishRound(round=1))
    game = a_game(row)
    sent(salon)
    says(game, DisputeHand(hand=1, seat="E", reason="six, not five"))
    table = table_of(row, "1")
    other = table_of(row, elsewhere(row))
    does(row, result(other, 251, 180), result(other, 180, 251))
    sent(salon)

    assert [said.split(":")[0] for said in (*phone.told, *desk.told)] == ["Round 1"] * 2
    assert f"table {table}," in phone.told[0]
    assert Notice.objects.count() > 1


def test_what_was_before_the_button_is_not_told(service: Receiver, salon: Salon) -> None:
    row = ready_for_round_1(salon)
    before = a_phone(service, row)
    row = does(row, PublishRound(round=1))
    phone = a_phone(service, row)
    does(row, StartClock(round=1, at=now(), seconds=3600))
    sent(salon)

    assert len(before.told) == 2
    assert [said.partition(":")[0] for said in phone.told] == ["Round 1 has started"]


def test_several_phones_of_an_entry_are_told_and_one_that_stops_is_not(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    one, two = a_phone(service, row), a_phone(service, row)
    assert one.asks(what="stop").status_code == 204
    does(row, PublishRound(round=1))
    sent(salon)

    assert (len(one.told), len(two.told)) == (0, 1)


# how it goes out


def test_a_notice_goes_out_encrypted_signed_and_with_the_time_it_is_worth(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    a_phone(service, row)
    does(row, PublishRound(round=1))
    sent(salon)

    ((headers, body),) = service.received
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["content-type"] == "application/octet-stream"
    assert 7100 < int(headers["ttl"]) <= 7200
    assert headers["urgency"] == "high"
    assert len(headers["topic"]) == 32
    assert b"table" not in body
    assert b"Asha" not in body
    assert len(body) < 400
    _head, claims = checked(headers["authorization"])
    assert claims["aud"] == service.address.removesuffix("/send")
    assert claims["sub"] == "https://testserver"
    assert headers["authorization"].endswith(f"k={public_key_of(salon)}")


def test_a_push_service_that_is_busy_is_asked_again_and_not_before_it_likes(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    does(row, PublishRound(round=1))
    service.statuses, service.headers = [429], {"Retry-After": "100"}
    look_for_matters()
    before = timezone.now()
    serve_salon(salon.pk)
    serve_salon(salon.pk)

    notice = Notice.objects.get()
    assert notice.due_at is not None
    assert notice.due_at >= before + timedelta(seconds=100)
    assert PushSubscription.objects.get().trouble.startswith("429")
    assert len(phone.told) == 1
    sent(salon)
    assert len(phone.told) == 2
    assert PushSubscription.objects.get().trouble == ""


@pytest.mark.parametrize("asked", ["9" * 5_000, "a week", "-1", "\N{SUPERSCRIPT TWO}"])
def test_a_push_service_that_asks_for_no_time_or_an_endless_one_holds_nothing_up(
    service: Receiver, salon: Salon, asked: str
) -> None:
    row = ready_for_round_1(salon)
    a_phone(service, row)
    does(row, PublishRound(round=1))
    service.statuses, service.headers = [429], {"Retry-After": asked}
    look_for_matters()
    serve_salon(salon.pk)

    due = Notice.objects.get().due_at
    assert due is not None
    assert due <= timezone.now() + timedelta(seconds=delivery.LONGEST_PAUSE)


def test_each_failure_waits_longer_and_after_the_last_try_there_is_none(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    does(row, PublishRound(round=1))
    look_for_matters()
    service.statuses = [503] * 10
    pauses = []
    for _ in range(8):
        Notice.objects.filter(due_at__isnull=False).update(due_at=timezone.now())
        serve_salon(salon.pk)
        due = Notice.objects.get().due_at
        pauses.append((due - timezone.now()).total_seconds() if due is not None else None)

    assert len(phone.told) == 5
    assert pauses[4:] == [None] * 4
    for pause, wanted in zip(pauses, delivery.PAUSES, strict=False):
        assert pause == pytest.approx(wanted, rel=0.25)


@pytest.mark.parametrize("status", [404, 410])
def test_a_phone_that_its_service_knows_no_more_is_forgotten(
    service: Receiver, salon: Salon, status: int
) -> None:
    row = ready_for_round_1(salon)
    a_phone(service, row)
    does(row, PublishRound(round=1))
    service.statuses = [status]
    sent(salon)

    assert not PushSubscription.objects.exists()
    assert not Notice.objects.exists()


def test_a_service_that_refuses_is_not_asked_again_and_the_owner_reads_why(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    does(row, PublishRound(round=1))
    service.statuses, service.text = [403], b"BadJwtToken"
    sent(salon)

    assert len(phone.told) == 1
    page = owner_of(salon).get("/settings/").text
    assert "403 BadJwtToken" in page
    assert "One phone is told now." in page


def test_a_worker_that_dies_between_leaves_the_notice_to_another(
    service: Receiver, salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    does(row, PublishRound(round=1))
    look_for_matters()
    with monkeypatch.context() as dying:
        dying.setattr(delivery, "_post_letter", lambda _letter: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            serve_salon(salon.pk)
    serve_salon(salon.pk)
    assert phone.told == []  # it is claimed for a minute

    sent(salon)
    assert len(phone.told) == 1


def test_a_notice_that_waited_too_long_is_worth_nothing(service: Receiver, salon: Salon) -> None:
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    does(row, PublishRound(round=1))
    look_for_matters()
    Notice.objects.update(made_at=timezone.now() - timedelta(hours=2))
    sent(salon)

    assert phone.told == []
    assert Notice.objects.get().due_at is None


def test_a_phone_that_listens_to_a_former_key_of_the_server_is_forgotten(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    a_phone(service, row)
    PushSubscription.objects.update(server_key="another")
    does(row, PublishRound(round=1))
    sent(salon)

    assert service.received == []
    assert not PushSubscription.objects.exists()


def test_the_work_of_the_background_tells_them(
    own_database: OwnDatabase, service: Receiver
) -> None:
    salon = opened_salon()
    row = ready_for_round_1(salon)
    phone = a_phone(service, row)
    does(row, PublishRound(round=1))
    tell_phones()
    wait(delivery.SENDERS.serving.values(), timeout=PATIENCE)

    assert len(phone.told) == 1


# who is told, and until when


def test_a_phone_is_told_until_its_link_is_renewed_or_ended(
    service: Receiver, salon: Salon
) -> None:
    row = ready_for_round_1(salon)
    for entry, ends in (("1", renew), ("2", end)):
        a_phone(service, row, entry)
        assert PushSubscription.objects.count() == 1
        ends(links_of(row, [entry])[entry])
        assert not PushSubscription.objects.exists()


def test_with_the_tournament_it_is_over(service: Receiver, salon: Salon) -> None:
    row = in_round_1(salon)
    phone = a_phone(service, row)
    row = does(row, result(1, 251, 180), result(2, 251, 180), CloseRound(round=1))
    does(row, EnterPhase(phase="finished"))
    forget_ended()

    assert not PushSubscription.objects.exists()
    assert phone.asks().status_code == 404


def test_by_night_phones_go_whose_page_nobody_opened_for_long(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    a_phone(service, row, "1")
    a_phone(service, row, "2")
    PushSubscription.objects.filter(link__entry="1").update(
        seen_at=timezone.now() - subscriptions.KEPT_FOR - timedelta(minutes=1)
    )
    retention.carry_out(salon, timezone.now())

    assert [phone.link.entry for phone in PushSubscription.objects.select_related("link")] == ["2"]


def test_an_erased_person_s_entry_has_no_phone_that_is_told(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    a_phone(service, row, "1")
    a_phone(service, row, "2")
    player = Player.objects.get(salon=salon, name="Cato Liss")
    (held,) = collect_personal_data(player)["phones"]
    assert (held["entry"], held["service"]) == ("1", "localhost")
    page = owner_of(salon).get(f"/players/{player.pk}/held/").text
    assert "entry 1, by localhost" in " ".join(page.split())
    erase(player, actor="user:1")

    assert [phone.link.entry for phone in PushSubscription.objects.select_related("link")] == ["2"]


def test_an_owner_switches_it_off_for_the_whole_salon(service: Receiver, salon: Salon) -> None:
    row = in_round_1(salon)
    phone = a_phone(service, row)
    assert 'id="told"' in Client().get(page_of(row)).text
    form = {"name": salon.name, "names_shown": "whole", "forget_players_days": "0"}
    owner_of(salon).post("/settings/", form)
    assert PushSubscription.objects.exists()  # a form that says nothing of it changes nothing
    owner_of(salon).post("/settings/", {**form, "tells_phones": "no"})

    assert not PushSubscription.objects.exists()
    assert 'id="told"' not in Client().get(page_of(row)).text
    assert phone.asks().status_code == 404
    owner_of(salon).post("/settings/", {**form, "tells_phones": "yes"})
    assert phone.asks().status_code == 204


def test_nobody_else_switches_it(salon: Salon) -> None:
    form = {"name": salon.name, "names_shown": "whole", "tells_phones": "no"}
    for role in ("director", "scorer", "auditor", "player"):
        assert member(salon, role).post("/settings/", form).status_code == 403, role

    salon.refresh_from_db()
    assert salon.tells_phones


def test_whoever_has_the_link_asks_and_nobody_without_it(service: Receiver, salon: Salon) -> None:
    row = in_round_1(salon)
    address, phone = f"{page_of(row)}phones/", Phone(service=service, row=row, entry="1")
    keys = {"p256dh": phone.browser.p256dh, "auth": phone.browser.auth}
    asked = {"endpoint": phone.endpoint, **keys}
    members = [member(salon, role) for role in ("director", "scorer", "auditor", "player")]
    for client in (Client(), owner_of(salon), *members):
        assert client.post(f"/me/{'0' * 32}/phones/", asked).status_code == 404
        assert client.get(address)["Location"] == page_of(row)
        assert client.post(address, asked).status_code == 204
    assert Client(enforce_csrf_checks=True).post(address, asked).status_code == 403
    other = opened_salon("Salon at Low Bridge", "nils@example.org")
    assert Client().post(f"/salons/{other.slug}{address}", asked).status_code == 404


def test_one_phone_more_than_an_entry_may_have_is_refused_in_words(
    service: Receiver, salon: Salon
) -> None:
    row = in_round_1(salon)
    phones = [a_phone(service, row) for _ in range(MOST)]
    again = phones[0].asks()
    refused = Phone(service=service, row=row, entry="1").asks()

    assert (again.status_code, refused.status_code) == (204, 422)
    assert refused.text.startswith("8 phones are told of this entry")
    assert a_phone(service, row, "2")
    assert PushSubscription.objects.count() == MOST + 1


NO_ENDPOINTS = (
    "",
    "http://push.example.net/send",
    "https://localhost/send",
    "https://127.0.0.1/send",
    "https://192.168.1.1/send",
    "https://[::1]/send",
    "https://[broken/send",
    "https://user:word@push.example.net/send",
    "https://100%s.invalid/send",
    "ftp://push.example.net/send",
    "https://1.1.1.1:22/send",
    "https://1.1.1.1:8443/send",
    "https://push.example.net/" + "x" * 1000,
)


@pytest.mark.parametrize("within", [True, False])
def test_no_phone_names_an_address_inside_whatever_webhooks_may(
    salon: Salon, settings: Settings, within: bool
) -> None:
    settings.WEBHOOKS_WITHIN = within
    link = links_of(in_round_1(salon), ["1"])["1"]
    browser = Browser.new()
    keys = {"public_key": browser.p256dh, "secret": browser.auth}

    for endpoint in NO_ENDPOINTS:
        with pytest.raises(RuleViolation):
            begin(link, endpoint=endpoint, contact="https://testserver", **keys)
    assert not PushSubscription.objects.exists()


def test_an_address_that_leads_inside_later_is_not_written_to_but_forgotten(
    service: Receiver, salon: Salon, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.WEBHOOKS_WITHIN = True
    row = ready_for_round_1(salon)
    a_phone(service, row)
    does(row, PublishRound(round=1))
    monkeypatch.setattr(subscriptions, "WITHIN", False)
    sent(salon)

    assert service.received == []
    assert not PushSubscription.objects.exists()


def test_keys_that_are_none_are_refused_in_words(service: Receiver, salon: Salon) -> None:
    phone = Phone(service=service, row=in_round_1(salon), entry="1")

    answer = phone.asks(p256dh="BBBB")
    assert (answer.status_code, answer.text) == (422, "The keys of this browser can't be read.")
