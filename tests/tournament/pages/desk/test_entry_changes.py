"""What is put right about an entry is seen everywhere; an entry shows who plays now, with those it
was entered with beside them.
"""

import pytest
from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import (
    MEMBERS,
    TEAMS,
    after_round_1,
    does,
    draft,
    registered,
    send,
)
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import member, opened_salon
from tournament.domain.standings.reading import read_tournament
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.entry_changes import ChangeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.models import Salon, Text, Tournament
from tournament.privacy.erasure import erase, player_called
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

NOW, BEGAN = "Asha Renn & Sue Kint", "Asha Renn & Cato Liss"


def teams(salon: Salon) -> Tournament:
    """Two teams with names of their own, in registration."""
    entries = [
        MakeEntry(
            players=tuple((str(place), name) for place, name in enumerate(names, 1)),
            entry_name=name,
        )
        for names, name in zip(MEMBERS, ("Red Rooks", "Blue Bells"), strict=True)
    ]
    return does(draft(salon, TEAMS), EnterPhase(phase="registration"), *entries)


def test_an_entry_is_put_right_at_the_desk(owner: Client, salon: Salon) -> None:
    row = registered(salon)
    address = f"/tournaments/{row.pk}/desk/entries/1/"
    assert "Change the entry" in told(owner.get(address))

    answer = send(
        owner,
        row,
        "entry-changes",
        "entry-1",
        entry="1",
        whole="yes",
        club="North",
        rating__number="1500",
        order__list="2 1",
    )

    assert answer.headers["Location"] == address
    page = told(owner.get(address))
    assert "Cato Liss & Asha Renn" in page
    assert "North, rated 1500" in page
    assert "is changed: club North, rated 1500, the players in another order" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    send(owner, row, "entry-changes", "entry-1", entry="1", whole="yes")
    row.refresh_from_db()
    assert (state_of(row).entries[0].club, state_of(row).entries[0].rating) == (None, None)
    assert list(audit(salon)) == []


def test_a_team_has_a_name_everywhere(owner: Client, salon: Salon) -> None:
    row = teams(salon)
    for page in ("", "desk/entries/", "desk/entries/1/", "desk/slips/", "entries/1/"):
        assert "Red Rooks" in told(owner.get(f"/tournaments/{row.pk}/{page}")), page
    detail = owner_calls(salon).get(f"tournaments/{row.pk}/").value
    assert [(entry["name"], entry["entry_name"]) for entry in detail["entries"]] == [
        ("Red Rooks", "Red Rooks"),
        ("Blue Bells", "Blue Bells"),
    ]
    does(row, ChangeEntry(entry="1", fields=("entry_name",), entry_name="Green Geese"))
    assert "Green Geese" in told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))
    written = export_tournament(salon, row.pk, Audience.SALON)
    assert written["entries"][0]["entry_name"] == "Green Geese"
    other = opened_salon("elsewhere", "other@example.org")
    import_tournament(other, read_tournament(written), actor="user:1")
    copied = Tournament.objects.get(salon=other)
    assert export_tournament(other, copied.pk, Audience.SALON) == written


def test_a_name_of_an_entry_that_names_someone_goes_with_them(salon: Salon) -> None:
    row = does(draft(salon, TEAMS), EnterPhase(phase="registration"))
    players = tuple((str(place), name) for place, name in enumerate(MEMBERS[0], 1))
    does(row, MakeEntry(players=players, entry_name="Asha Renn and friends"))
    person = player_called(salon, "Asha Renn")
    assert person is not None

    erase(person, actor="user:1")

    assert not Text.objects.filter(text__contains="Asha Renn").exists()
    assert list(audit(salon)) == []


def test_an_entry_shows_who_plays_now_and_whom_it_was_entered_with(
    owner: Client, salon: Salon
) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    row = does(row, ReplacePlayer(entry="1", players=(("2", "Sue Kint"),), from_round=2))
    catch_up(salon.log, PROJECTIONS)
    at = f"/tournaments/{row.pk}"

    for page in ("/standings/", "/entries/1/", "/desk/", "/desk/entries/", "/files/standings.csv"):
        assert f"{NOW} (entered as {BEGAN})" in told(owner.get(f"{at}{page}")), page
    entry = owner_calls(salon).get(f"tournaments/{row.pk}/").value["entries"][0]
    assert (entry["name"], entry["entered_as"]) == (NOW, BEGAN)
    written = export_tournament(salon, row.pk, Audience.SALON)["entries"][0]
    assert (written["name"], written["players"]) == (NOW, ["Asha Renn", "Sue Kint"])


def test_a_draft_is_taken_out_of_the_lists_and_put_back(
    owner: Client, salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    row, listed = draft(salon), "/tournaments/"
    assert "Delete it" in told(owner.get(f"/tournaments/{row.pk}/desk/"))

    send(owner, row, "hidings", reason="a trial")

    assert "Spring Cup" not in told(owner.get(listed))
    assert "1 hidden tournament" in told(owner.get(listed))
    assert "Spring Cup" in told(owner.get(f"{listed}?hidden=yes"))
    assert "hidden" not in told(member(salon, "scorer").get(listed))
    calls = owner_calls(salon)
    assert calls.get("tournaments/").value["items"] == []
    assert len(calls.get("tournaments/", hidden="true").value["items"]) == 1
    send(owner, row, "hiding-cancellations")
    assert "Spring Cup" in told(owner.get(listed))
    assert run(capsys, "tournament", "act", row.record, "hidings").status == 0
    assert list(audit(salon)) == []
