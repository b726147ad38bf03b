"""Line-ups of teams on their way through the door for facts: sealed in the log, kept beside it
until they are open, and then gone from there.
"""

import json
from functools import partial
from typing import Any

import pytest

from ledger.models import Event
from scoring.errors import Refusal
from tests.tournament.helpers.evenings import does, of_teams, result
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.domain.standings.reading import read_tournament
from tournament.domain.tournament.draws import DropRound
from tournament.domain.tournament.rounds import CloseRound
from tournament.domain.tournament.team_line_ups import (
    HandInLineUp,
    LineUp,
    OpenLineUps,
    commitment_of,
)
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.models import Game, Player, SealedLineUp, Tournament
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.tournaments import direct
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of


@pytest.fixture
def row(db: None) -> Tournament:
    """Two teams that meet in round 1, which is published."""
    return of_teams(opened_salon())


def hands_in(row: Tournament, entry: str, *names: str, round: int = 1) -> Tournament:
    return does(row, HandInLineUp(round=round, entry=entry, members=names))


def facts(row: Tournament, name: str) -> list[dict[str, Any]]:
    """What was stored under this name, in order."""
    found = Event.objects.filter(stream=row.pk, type=f"tournament.{name}").order_by("version")
    return [json.loads(body) for body in found.values_list("body", flat=True)]


def test_the_line_ups_of_a_table_open_when_the_last_of_them_is_handed_in(row: Tournament) -> None:
    hands_in(row, "1", "Cato Liss", "Asha Renn")
    assert facts(row, "line_ups_opened") == []
    assert SealedLineUp.objects.count() == 1

    hands_in(row, "2", "Dora Venn", "Gila Hart")

    [opened] = facts(row, "line_ups_opened")
    assert {each["entry"]: each["places"] for each in opened["line_ups"]} == {
        "1": ["3", "1"],
        "2": ["1", "4"],
    }
    sealed = {each["entry"]: each["commitment"] for each in facts(row, "line_up_sealed")}
    for each in opened["line_ups"]:
        line_up = LineUp(entry=each["entry"], places=tuple(each["places"]), salt=each["salt"])
        assert commitment_of("tournament-" + row.pk[:16], 1, line_up) == sealed[each["entry"]]
    assert not SealedLineUp.objects.exists()


def test_the_director_opens_what_there_is_and_the_others_play_as_usual(row: Tournament) -> None:
    hands_in(row, "2", "Emil Lark", "Gila Hart")

    does(row, OpenLineUps(round=1))

    [opened] = facts(row, "line_ups_opened")
    assert {each["entry"]: (each["places"], bool(each["salt"])) for each in opened["line_ups"]} == {
        "1": (["1", "2"], False),
        "2": (["2", "4"], True),
    }
    with pytest.raises(Refusal, match="is open; a director changes it, with a reason"):
        hands_in(row, "2", "Emil Lark", "Dora Venn")


def test_the_last_one_handed_in_is_the_one_that_counts(row: Tournament) -> None:
    hands_in(row, "1", "Cato Liss", "Asha Renn")
    hands_in(row, "1", "Bruno Sol", "Asha Renn")

    does(row, OpenLineUps(round=1))

    state = state_of(row)
    team = state.entry("1")
    assert team is not None
    assert [place for place, _player in team.players_in(1)] == ["2", "1"]


def test_the_same_command_again_says_the_same_and_another_line_up_under_its_id_is_refused(
    row: Tournament,
) -> None:
    command = a_command()
    act = HandInLineUp(round=1, entry="1", members=("Cato Liss", "Asha Renn"))
    sent = partial(direct, row.salon, row.pk, actor="user:1", command=command, version=row.version)

    first, again = sent([act]), sent([act])

    assert (again.version, again.repeated) == (first.version, True)
    other = HandInLineUp(round=1, entry="1", members=("Cato Liss", "Bruno Sol"))
    with pytest.raises(Exception, match=command):
        sent([other])


def test_a_stranger_is_refused_and_not_made_a_player(row: Tournament) -> None:
    before = Player.objects.count()

    with pytest.raises(Refusal, match="Zoe is no member of entry 1; name 2 of Asha Renn, Bruno"):
        hands_in(row, "1", "Asha Renn", "Zoe")

    assert (Player.objects.count(), SealedLineUp.objects.count()) == (before, 0)


def test_what_was_sealed_for_a_draw_that_is_taken_back_is_forgotten(row: Tournament) -> None:
    hands_in(row, "1", "Cato Liss", "Asha Renn")

    does(row, DropRound(round=1))

    assert not SealedLineUp.objects.exists()


def test_what_is_not_kept_here_any_more_is_handed_in_again(row: Tournament) -> None:
    hands_in(row, "1", "Cato Liss", "Asha Renn")
    SealedLineUp.objects.all().delete()
    assert list(audit(row.salon)) == []

    hands_in(row, "2", "Emil Lark", "Gila Hart")
    with pytest.raises(Refusal, match="has to hand it in again"):
        does(row, OpenLineUps(round=1))

    hands_in(row, "1", "Cato Liss", "Bruno Sol")
    assert len(facts(row, "line_ups_opened")) == 1


def test_an_audit_names_a_line_up_that_was_changed_or_put_there(row: Tournament) -> None:
    hands_in(row, "1", "Cato Liss", "Asha Renn")
    assert list(audit(row.salon)) == []

    SealedLineUp.objects.update(places="1,2")
    assert [each.kind for each in audit(row.salon)] == ["line_up"]
    SealedLineUp.objects.update(places="3,1", entry="2")
    assert [each.kind for each in audit(row.salon)] == ["line_up"]
    SealedLineUp.objects.update(entry="1", tournament="f" * 32)
    assert [each.kind for each in audit(row.salon)] == ["line_up"]


def test_those_who_are_lined_up_sit_down_and_the_rows_can_be_folded_again(row: Tournament) -> None:
    client = owner_of(row.salon)
    address = f"/tournaments/{row.pk}/desk/games/?page=round-1"
    start = {"round": "1", "table": "1", "label": "8", "version": str(row.version)}
    refused = client.post(address, start | {"command": a_command()})
    hands_in(row, "1", "Cato Liss", "Asha Renn")
    hands_in(row, "2", "Dora Venn", "Gila Hart")

    start["version"] = str(row.version)
    begun = client.post(address, start | {"command": a_command()})

    assert (refused.status_code, begun.status_code) == (422, 302)
    seats = Game.objects.get().seats
    names = dict(Player.objects.values_list("pk", "name"))
    one, _two = state_of(row).rounds[0].tables[0].entries
    sat = ["Cato Liss", "Dora Venn", "Asha Renn", "Gila Hart"]
    if one == "2":
        sat = ["Dora Venn", "Cato Liss", "Gila Hart", "Asha Renn"]
    assert [names[seats[seat]] for seat in "NESW"] == sat
    assert list(audit(row.salon)) == []
    assert list(differences(row.salon, mend=False, progress=lambda _done: None)) == []


def test_a_file_goes_out_and_in_with_who_played(row: Tournament) -> None:
    hands_in(row, "1", "Cato Liss", "Asha Renn")
    does(row, OpenLineUps(round=1), result(1, 250, 180), CloseRound(round=1))
    file = export_tournament(row.salon, row.pk, Audience.SALON)

    other = opened_salon("Elsewhere", "else@example.org")
    import_tournament(other, read_tournament(file), actor="user:1")

    copy = Tournament.objects.get(salon=other)
    assert export_tournament(other, copy.pk, Audience.SALON) == file
    assert import_tournament(other, read_tournament(file), actor="user:1").name == "UNCHANGED"
