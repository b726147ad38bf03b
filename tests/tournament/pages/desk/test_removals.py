"""An entry made by mistake is removed and taken in again: at the desk, by the API, by command."""

import json

import pytest
from django.test import Client

from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import after_round_1, does, in_round_1, registered, send
from tests.tournament.helpers.playing import told
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.removals import RemoveEntry
from tournament.models import Salon, TournamentPlayer
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

LATE = MakeEntry(players=(("1", "Una Frey"), ("2", "Vito Lark")))


def test_an_entry_is_removed_and_taken_in_again(owner: Client, salon: Salon) -> None:
    row = registered(salon)
    entry, entries = (
        f"/tournaments/{row.pk}/desk/entries/4/",
        f"/tournaments/{row.pk}/desk/entries/",
    )
    assert "Remove the entry" in told(owner.get(entry))

    answer = send(owner, row, "removals", "entry-4", entry="4", reason="typed twice")

    assert answer.headers["Location"] == entries
    listed = told(owner.get(entries))
    assert "Removed: Rhea Sol & Tomas Quill." in listed
    assert "Enter again" in listed
    assert owner.get(entry).status_code == 404
    assert "Entry 4, Rhea Sol & Tomas Quill, is removed" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    assert TournamentPlayer.objects.filter(stream=row).count() == 6

    send(owner, row, "removal-cancellations", "entries", entry="4")

    row.refresh_from_db()
    assert [entry.id for entry in state_of(row).entries] == ["1", "2", "3", "4"]
    assert "is entered again" in told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert list(audit(salon)) == []


def test_the_page_of_one_that_has_played_says_why_it_stays(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon)

    page = told(owner.get(f"/tournaments/{row.pk}/desk/entries/1/"))

    assert "It can't be removed: entry 1 is in round 1; withdraw it" in page
    assert send(owner, row, "removals", "entry-1", entry="1").status_code == 422


def test_standings_computed_while_it_was_there_show_it_no_longer(
    owner: Client, salon: Salon
) -> None:
    row = does(after_round_1(salon), LATE)
    catch_up(salon.log, PROJECTIONS)
    row = does(row, RemoveEntry(entry="5"))

    for page in ("", "standings/", "desk/", "desk/entries/", "desk/slips/"):
        answer = owner.get(f"/tournaments/{row.pk}/{page}")
        assert answer.status_code == 200, page
    assert "Una Frey" not in told(owner.get(f"/tournaments/{row.pk}/standings/"))


def test_a_command_directs_act_by_act(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    row = registered(salon)

    ran = run(capsys, "tournament", "act", row.record, "removals", '{"entry": "4"}', "--json")

    assert ran.status == 0
    row.refresh_from_db()
    assert json.loads(ran.out) == {"id": row.pk, "version": row.version}
    again = run(capsys, "tournament", "act", row.record, "removals", '{"entry": "4"}')
    assert again.status == 1
    assert "Nothing was recorded: there is no entry 4" in again.err
    for wrong in (("gone", "removals"), (row.record, "nothing"), (row.record, "removals", "{")):
        assert run(capsys, "tournament", "act", *wrong).status == 1
