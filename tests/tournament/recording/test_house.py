"""The correction period: laid down by the owner as a fact, and what became final by it can be
worked out again from the log.
"""

import time
from typing import Any

import pytest
from django.test import Client

from ledger.models import Event
from scoring.commands import EndGame
from scoring.errors import NotationError, RuleViolation
from tests.tournament.helpers.playing import a_command, a_game, done, told
from tests.tournament.helpers.salons import scorer_at
from tournament.domain.house.rules import (
    SHAPES,
    CorrectionPeriodSet,
    SetCorrectionPeriod,
    State,
    decide,
    evolve,
)
from tournament.models import Game, House, Salon
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.confirmations import ended_at, finalise_when_due
from tournament.recording.door import record_acts
from tournament.recording.house_rules import set_correction_hours
from tournament.streams.codec import decode, encode
from tournament.streams.correction_period import HOUR, house_of, periods_of


def changed(
    client: Client, hours: str, *, reason: str = "League night", version: int = 0, command: str = ""
) -> Any:
    return client.post(
        "/house/",
        {
            "hours": hours,
            "reason": reason,
            "version": str(version),
            "command": command or a_command(),
        },
    )


def over(salon: Salon, table: str) -> Game:
    """A game that was called after one hand."""
    game = done(a_game(salon, table=table), "hands", dealer="S")
    for seat in "WNES":
        done(game, "bids", seat=seat, tricks=3)
    done(game, "totals", NS=7, EW=6)
    end = EndGame(kind="called", by="Elder", reason="late")
    record_acts(salon, game.pk, [end], actor="user:1", command=a_command(), version=game.version)
    return Game.objects.get(pk=game.pk)


def is_final(game: Game) -> bool:
    game.refresh_from_db()
    return bool(game.confirmation) and game.confirmation["final"]


def test_the_owner_lays_down_the_period_with_a_reason_and_it_stands_in_the_log(
    salon: Salon, owner: Client
) -> None:
    assert "24 hours" in told(owner.get("/house/"))

    assert changed(owner, "72").status_code == 302

    page = told(owner.get("/house/"))
    assert "72 hours" in page
    assert (
        "Correction period: from here on games become final 72 hours after something was "
        "last recorded in them. “League night” Mara Ilves,"
    ) in page
    assert "Correction period: from here on" in told(owner.get("/history/"))
    assert House.objects.get().correction_hours == 72
    assert list(audit(salon)) == []


def test_everybody_may_know_the_period_and_nobody_else_changes_it(salon: Salon) -> None:
    for client in (Client(), scorer_at(salon, "4")):
        assert "24 hours" in told(client.get("/house/"))
        assert changed(client, "1").status_code == 403
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    ("hours", "reason"),
    [("0", "why"), ("8785", "why"), ("two", "why"), ("", "why"), ("24", "why"), ("48", " ")],
)
def test_what_is_no_change_with_a_reason_is_refused_with_what_was_typed(
    salon: Salon, owner: Client, hours: str, reason: str
) -> None:
    answer = changed(owner, hours, reason=reason)

    assert answer.status_code == 422
    assert f'value="{reason}"' in answer.text or not reason.strip()
    assert not Event.objects.exists()


def test_who_was_second_is_told_and_the_same_form_twice_is_one_change(
    salon: Salon, owner: Client
) -> None:
    sent_twice = a_command()
    changed(owner, "48", command=sent_twice)
    changed(owner, "48", command=sent_twice)

    assert changed(owner, "12").status_code == 409
    assert changed(owner, "12", version=1).status_code == 302
    assert [period.hours for period in periods_of(salon.log)] == [24, 48, 12]


def test_a_change_holds_for_games_that_end_after_it_and_for_no_other(
    salon: Salon, owner: Client
) -> None:
    before = over(salon, "1")
    changed(owner, "2")
    after = over(salon, "2")
    changed(owner, "100", version=1)
    now = ended_at(after) or 0

    assert finalise_when_due(salon, now=now + 2 * HOUR) == 1
    assert (is_final(before), is_final(after)) == (False, True)
    assert finalise_when_due(salon, now=now + 24 * HOUR) == 1
    assert is_final(before)


def test_what_became_final_too_early_is_found_by_the_audit(salon: Salon) -> None:
    game = over(salon, "1")
    finalise_when_due(
        salon, now=(ended_at(game) or 0) + 24 * HOUR
    )  # the clock of this test is a day ahead of the log's

    (finding,) = [finding for finding in audit(salon) if finding.kind == "final"]

    last = Event.objects.order_by("-position")[0]
    assert (finding.row, last.type) == (last.position, "game.finalised")
    assert f"less than 24 hours after its last line, {last.position - 1}." in finding.message


def test_what_became_final_when_it_was_due_is_no_finding(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = over(salon, "1")
    due = (ended_at(game) or 0) + 24 * HOUR
    monkeypatch.setattr(time, "time_ns", lambda: 1000 * due)
    finalise_when_due(salon)

    assert is_final(game)
    assert list(audit(salon)) == []


def test_the_house_is_folded_again_from_its_facts(salon: Salon, owner: Client) -> None:
    changed(owner, "48")
    House.objects.update(correction_hours=1)

    found = list(differences(salon, mend=True, progress=lambda done: None))

    assert [each.column for each in found] == ["correction_hours"]
    assert house_of(salon).correction_hours == 48


def test_the_same_command_again_gives_the_same_answer(salon: Salon) -> None:
    first, second = (
        set_correction_hours(salon, 36, reason="r", actor="user:1", command="c" * 32, version=0)
        for _ in range(2)
    )

    assert (first.version, second.version, second.repeated) == (1, 1, True)


def test_a_house_without_facts_has_a_day() -> None:
    assert evolve(None, CorrectionPeriodSet(hours=3, reason="")) == State(
        version=1, correction_hours=3
    )
    with pytest.raises(RuleViolation, match="24 hours already"):
        decide(SetCorrectionPeriod(hours=24, reason="r"), None)
    with pytest.raises(NotationError, match="1 to 8784"):
        decide(SetCorrectionPeriod(hours=8785, reason="r"), None)


def test_its_facts_are_read_as_they_were_stored_first() -> None:
    known = {name for name, _schema in SHAPES}
    for name, stored in (
        ("house.correction_period_set", '{"hours":72,"reason":"ab"}'),
        ("house.moved", '{"place":"https://salon.example","reason":"ab"}'),
        ("house.reopened", '{"reason":""}'),
        ("house.names_covered", '{"gone":["ab"],"names":[["cd","ef"]]}'),
        ("house.person_erased", '{"player":"cd","texts":["ab"]}'),
        (
            "house.person_renamed",
            '{"digest":"ab","earlier_name":"cd","player":"ef","reason":""}',
        ),
        ("house.persons_merged", '{"merged":"ab","player":"cd","reason":""}'),
        ("house.persons_separated", '{"merged":"ab","reason":""}'),
        ("house.tables_found", '{"labels":["1","2"]}'),
        ("house.tables_added", '{"labels":["9","Window"]}'),
        ("house.table_renamed", '{"label":"Window","table":4,"was":"4"}'),
        ("house.table_retired", '{"label":"4","table":4}'),
        ("house.table_taken_back", '{"label":"4","table":4}'),
        ("house.place_set", '{"language":"en-us","time_zone":"America/Chicago"}'),
        ("house.logo_set", '{"picture":"ab"}'),
        ("house.paper_set", '{"paper":"letter"}'),
        ("house.confirming_set", '{"reason":"ab","way":"tap"}'),
    ):
        known.discard(name)
        assert encode(decode(name, 1, stored)).decode() == stored
    assert not known
