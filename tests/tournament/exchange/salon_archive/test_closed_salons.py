"""A salon that has moved takes nothing more by any door, says where it went, and records again
after a further fact.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from ledger.models import Log
from ledger.reading import head_of
from scoring.errors import RuleViolation
from scoring.precedence.commands import MakeBid
from tests.conftest import OwnDatabase
from tests.tournament.api.calling import SEATED, owner_calls
from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.taking_in import taken, written
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.playing import a_command, a_game, bidding, tap, told
from tests.tournament.helpers.salons import member, opened_salon, owner_of, scorer_at
from tests.tournament.helpers.tables import recorded, simple
from tournament.integrity.audit import audit
from tournament.models import Game, House, Salon
from tournament.projections.rebuild import differences
from tournament.recording.confirmations import finalise_when_due
from tournament.recording.door import record_acts
from tournament.recording.house_rules import move_salon, reopen_salon, set_correction_hours
from tournament.streams.correction_period import house_of

PLACE = "https://salon.example"


@pytest.fixture
def salon(own_database: OwnDatabase) -> Salon:
    """A salon with an open hand at table 4."""
    place = opened_salon()
    bidding(place)
    return place


def moves(salon: Salon, command: str = "") -> None:
    version = house_of(salon).version
    move_salon(
        salon,
        PLACE,
        reason="larger rooms",
        actor="user:1",
        command=command or a_command(),
        version=version,
    )


def reopens(salon: Salon) -> None:
    reopen_salon(
        salon, reason="", actor="user:1", command=a_command(), version=house_of(salon).version
    )


def bid(salon: Salon, command: str = "") -> Any:
    game = Game.objects.get(salon=salon)
    return record_acts(
        salon,
        game.pk,
        [MakeBid(seat="W", tricks=2)],
        actor="user:1",
        command=command or a_command(),
        version=game.version,
    )


def sends(client: Client, **fields: str) -> Answer:
    """The form of the house."""
    version = str(house_of(Salon.objects.get()).version)
    return client.post(
        "/house/", {"command": a_command(), "version": version, "why": "larger rooms"} | fields
    )


def test_nothing_is_recorded_after_a_move_by_any_door(
    salon: Salon, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    moves(salon)
    before = head_of(salon.log_id)

    for attempt in (
        lambda: bid(salon),  # on the head this process knows
        lambda: a_game(salon, table="5"),
        lambda: recorded(salon, simple()),
        lambda: set_correction_hours(
            salon,
            36,
            reason="r",
            actor="user:1",
            command=a_command(),
            version=house_of(salon).version,
        ),
        lambda: moves(salon),
    ):
        with pytest.raises(RuleViolation) as refused:
            attempt()
        assert refused.value.code == "moved"
    page = tap(scorer_at(salon, "4"), "bids", seat="W", **{"tricks:number": "2"})
    assert (page.status_code, "moved to another place" in page.text) == (422, True)
    by_api = owner_calls(salon).post(
        "games/", {"game": "precedence", "players": SEATED, "table": "6"}
    )
    assert (by_api.status, by_api.value["code"]) == (422, "moved")
    (tmp_path / "game.json").write_text(json.dumps(simple()))
    assert "[moved]" in run(capsys, "record", tmp_path / "game.json").out
    assert finalise_when_due(salon, now=2**60) == 0
    assert head_of(salon.log_id) == before
    assert audit(salon).findings == []


def test_a_command_that_was_taken_before_the_move_has_its_answer_still(salon: Salon) -> None:
    first = bid(salon, "b" * 32)
    moves(salon, "d" * 32)

    game = Game.objects.get(salon=salon)
    act = [MakeBid(seat="W", tricks=2)]
    again = record_acts(
        salon, game.pk, act, actor="user:1", command="b" * 32, version=first.version - 1
    )
    assert (again.version, again.repeated) == (first.version, True)


def test_a_further_fact_opens_it_again(salon: Salon) -> None:
    with pytest.raises(RuleViolation, match="it records here"):
        reopens(salon)
    moves(salon)
    reopens(salon)
    assert bid(salon).version > 1
    moves(salon)
    reopens(salon)
    assert (house_of(salon).moved_to, house_of(salon).version) == ("", 4)
    assert audit(salon).findings == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


def test_a_log_that_was_opened_by_hand_is_found(salon: Salon) -> None:
    moves(salon)
    assert Log.objects.get().closed
    with connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_log SET closed = %s", [False])
    assert [(each.table, each.column) for each in audit(salon).findings] == [
        ("ledger_log", "closed")
    ]


def test_the_owner_closes_and_opens_it_on_the_page_of_the_house(salon: Salon) -> None:
    owner = owner_of(salon)
    assert sends(member(salon, "director"), what="move", place=PLACE).status_code == 403
    for wrong in ({"place": " "}, {"place": "x" * 201}, {"place": PLACE, "why": ""}):
        answer = sends(owner, what="move", **wrong)
        assert (answer.status_code, 'aria-invalid="true"' in answer.text) == (422, True)
    assert not House.objects.exists()

    assert sends(owner, what="move", place=PLACE).status_code == 302
    assert all(
        f"The salon has moved to {PLACE}." in told(Client().get(page)) for page in ("/", "/house/")
    )
    assert (
        f"The salon moved: it goes on at {PLACE}, and nothing more is recorded here. "
        f"“larger rooms” Mara Ilves"
    ) in told(owner.get("/house/"))
    assert owner_calls(salon).get("house/").value["moved_to"] == PLACE
    assert "moved" in told(sends(owner, hours="12", reason="r"))
    assert sends(owner, what="reopen").status_code == 302
    assert "The salon records again: from here on it goes on at this place." in told(
        owner.get("/history/")
    )
    assert "has moved to" not in told(Client().get("/house/"))


def test_a_salon_that_was_closed_opens_on_the_server_it_came_to(
    salon: Salon, another_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "salon", "move", PLACE, "--reason", "larger rooms").status == 0
    archive, last = written(salon, tmp_path / "a"), head_of(salon.log_id).position
    with another_server():
        assert taken(archive, dry_run=True).outcome == "sound"
        taken(archive)
        there = Salon.objects.get()
        assert (head_of(there.log_id).position, house_of(there).moved_to) == (last + 1, "")
        bid(there)
        assert audit(there).findings == []
        assert taken(archive).outcome == "unchanged"
    with pytest.raises(RuleViolation):
        bid(salon)
    assert run(capsys, "salon", "reopen").status == 0
    assert run(capsys, "salon", "reopen").err.startswith(
        "Nothing was recorded: the salon has not moved"
    )
