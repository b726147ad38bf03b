"""Results as a feed and rounds as a calendar: the same things keep the same ids, and what nobody is
to know is in neither.
"""

from typing import Any
from xml.etree import ElementTree

import icalendar
from django.test import Client

from tests.tournament.helpers.evenings import after_round_1, does, in_round_1, result
from tests.tournament.helpers.salons import owner_of
from tournament.accounts.personal_links import links_of
from tournament.domain.tournament.clock import ExtendTime, PauseClock, StartClock
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.state import MICROSECONDS
from tournament.formats.atom import NAMESPACE, TAG
from tournament.models import Player, Salon, Tournament

NOW = 1_700_000_000 * MICROSECONDS


def fed(row: Tournament, client: Client | None = None) -> dict[str, tuple[str, str]]:
    """The entries of the feed: what was updated when, and the title, by id."""
    answer = (client or Client()).get(f"/tournaments/{row.pk}/results.atom")
    assert answer.status_code == 200
    root = ElementTree.fromstring(answer.content)

    def text(node: ElementTree.Element, name: str) -> str:
        return node.findtext(f"{{{NAMESPACE}}}{name}") or ""

    found = root.findall(f"{{{NAMESPACE}}}entry")
    return {text(node, "id"): (text(node, "updated"), text(node, "title")) for node in found}


def calendar(row: Tournament, entry: str = "1") -> dict[str, Any]:
    """The appointments of an entry's calendar by uid."""
    link = links_of(row, [entry])[entry]
    answer = Client().get(f"/me/{link.token}/rounds.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    read = icalendar.Calendar.from_ical(answer.content)
    return {str(event["UID"]): event for event in read.walk("VEVENT")}


def test_every_result_is_in_the_feed_under_an_id_that_stays(salon: Salon) -> None:
    row = does(in_round_1(salon), result(1, 251, 180))
    key = f"{TAG}{row.pk}/round-1/table-1"
    before = fed(row)
    assert before.keys() == {key}

    after = fed(does(row, result(2, 252, 180)))

    assert after[key] == before[key]
    assert after.keys() == {key, f"{TAG}{row.pk}/round-1/table-2"}
    assert "252" in after[f"{TAG}{row.pk}/round-1/table-2"][1]


def test_one_that_is_changed_is_updated_and_one_taken_back_is_gone(salon: Salon) -> None:
    row = does(in_round_1(salon), result(1, 251, 180))
    ((key, (then, _title)),) = fed(row).items()

    changed = fed(does(row, ClearTable(round=1, table=1), result(1, 190, 180)))
    assert changed[key][0] > then
    assert "190" in changed[key][1]
    assert fed(does(row, ClearTable(round=1, table=1))) == {}


def test_who_has_the_feed_already_is_told_so(salon: Salon) -> None:
    row = after_round_1(salon)
    feed = f"/tournaments/{row.pk}/results.atom"
    etag = Client().get(feed).headers["ETag"]

    def again(client: Client) -> int:
        return client.get(feed, headers={"If-None-Match": etag}).status_code

    assert again(Client()) == 304
    assert again(owner_of(salon)) == 200
    does(row, DrawRound(round=2))
    assert again(Client()) == 200


def test_silent_results_are_in_nobody_s_feed_but_the_directors(salon: Salon) -> None:
    row = does(after_round_1(salon), BeginSilence(from_round=2), DrawRound(round=2))
    row = does(row, PublishRound(round=2), result(1, 999, 180, round=2))

    assert len(fed(row)) == 2
    assert len(fed(row, owner_of(salon))) == 3


def test_players_stand_in_the_feed_as_they_want_to(salon: Salon) -> None:
    row = after_round_1(salon)
    Player.objects.filter(salon=salon).update(names_shown="pseudonym")

    assert "Asha" not in str(fed(row))
    assert "Asha" in str(fed(row, owner_of(salon)))


def test_a_round_is_in_the_calendar_while_its_clock_runs_and_keeps_its_id(salon: Salon) -> None:
    row = in_round_1(salon)
    assert calendar(row) == {}

    ((key, event),) = calendar(does(row, StartClock(round=1, at=NOW, seconds=3000))).items()
    assert event["DTSTART"].dt.timestamp() == NOW // MICROSECONDS
    assert (event["DTEND"].dt - event["DTSTART"].dt).seconds == 3000
    assert "round 1: table" in event["SUMMARY"]
    assert "against" in event["DESCRIPTION"]

    (later,) = calendar(does(row, ExtendTime(round=1, seconds=600))).values()
    assert (later["DTEND"].dt - later["DTSTART"].dt).seconds == 3600
    assert str(later["UID"]) == key
    assert calendar(does(row, PauseClock(round=1, at=NOW + MICROSECONDS))) == {}
    assert list(calendar(does(row, StartClock(round=1, at=NOW + 2, seconds=3000)))) == [key]


def test_who_has_the_calendar_already_is_told_so(salon: Salon) -> None:
    row = does(in_round_1(salon), StartClock(round=1, at=NOW, seconds=3000))
    page = f"/me/{links_of(row, ['1'])['1'].token}/rounds.ics"
    etag = Client().get(page).headers["ETag"]

    assert Client().get(page, headers={"If-None-Match": etag}).status_code == 304
    does(row, ExtendTime(round=1, seconds=600))
    assert Client().get(page, headers={"If-None-Match": etag}).status_code == 200
