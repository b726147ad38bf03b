"""A tournament on its pages: set up, entered, drawn, played, told, and the same after rebuild and
verification.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ledger.drafts import StreamMoved
from ledger.models import Event
from ledger.verify import verify_log
from scoring.commands import Undo
from tests.tournament.helpers.evenings import (
    PAIRS,
    SWISS,
    after_round_1,
    command_on,
    does,
    draft,
    in_round_1,
    registered,
    result,
    send,
)
from tests.tournament.helpers.played import game_at, record
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import scorer_at
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.counting import Outcomes
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import ChangeStage
from tournament.models import (
    Game,
    Progress,
    Reckoning,
    Salon,
    Tournament,
    TournamentGame,
    TournamentRound,
)
from tournament.models.written_json import JSONText, json_text
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.projections.standings import STANDINGS, read_computed_standings
from tournament.recording import table_games
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_at
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def standings_row() -> Reckoning:
    return Reckoning.objects.get(projection=STANDINGS.name)


def test_a_tournament_is_set_up_on_its_form(owner: Client, salon: Salon) -> None:
    page = owner.get("/tournaments/new/")
    form = {
        "command": command_on(page),
        "game": "precedence",
        "format": "swiss",
        "rounds": "5",
        "scale": "match",
    }

    assert owner.post("/tournaments/new/", form | {"name": " "}).status_code == 422
    assert (
        owner.post("/tournaments/new/", form | {"name": "Cup", "rounds": "many"}).status_code == 422
    )
    answer = owner.post("/tournaments/new/", form | {"name": "Spring Cup"})

    assert answer["Location"] == f"/tournaments/{form['command']}/desk/"
    assert (
        owner.post("/tournaments/new/", form | {"name": "Spring Cup"})["Location"]
        == answer["Location"]
    )
    assert Tournament.objects.count() == 1
    assert "Open registration" in told(owner.get(answer["Location"]))


def test_a_draft_is_the_directors_alone(owner: Client, salon: Salon) -> None:
    row = draft(salon)

    assert Client().get(f"/tournaments/{row.pk}/").status_code == 404
    assert "Spring Cup" not in told(Client().get("/tournaments/"))
    assert "Spring Cup" in told(owner.get("/tournaments/"))


def test_the_desk_leads_through_an_evening_one_step_after_the_other(
    owner: Client, salon: Salon
) -> None:
    row = draft(salon)
    desk = f"/tournaments/{row.pk}/desk/"
    send(owner, row, "phases", phase="registration")
    for one, two in PAIRS[:4]:
        assert (
            send(
                owner, row, "entries", "entries", **{"players.0": one, "players.1": two}
            ).status_code
            == 302
        )
    assert "4 entries are not checked in" in told(owner.get(desk))
    for entry in "1234":
        send(owner, row, "check-ins", "entries", entry=entry)
    assert "are not checked in" not in told(owner.get(desk))
    send(owner, row, "phases", phase="running")
    assert "Draw round 1" in told(owner.get(desk))
    assert send(owner, row, "draws", "round-1", round__number="1")["Location"].endswith(
        "/desk/rounds/1/"
    )
    assert "Drawn, not published: only the desk sees it." in told(owner.get(f"{desk}rounds/1/"))
    send(owner, row, "publications", "round-1", round__number="1")
    assert "2 results of round 1 are missing" in told(owner.get(desk))
    for table in "12":
        fields = {"results.0.score:number": "262", "results.1.score:number": "187"}
        assert (
            send(
                owner, row, "results", "round-1", round__number="1", table__number=table, **fields
            ).status_code
            == 302
        )
    assert "Every result is in." in told(owner.get(desk))
    send(owner, row, "closings", round__number="1")

    assert "Draw round 2" in told(owner.get(desk))
    assert state_of(row).rounds[0].closed


def test_what_is_refused_is_said_on_its_page_with_what_was_typed(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon)
    before = Event.objects.count()

    answer = send(
        owner,
        row,
        "results",
        "round-1",
        round__number="1",
        table__number="2",
        **{"results.0.score:number": "262"},
    )
    early = send(owner, row, "draws", round__number="2")
    unreadable = send(
        owner,
        row,
        "results",
        "round-1",
        round__number="1",
        table__number="2",
        **{"results.0.score:number": "many"},
    )

    assert answer.status_code == 422
    assert "2 entries, and 1 results are given" in told(answer)
    assert 'value="262"' in answer.text
    assert early.status_code == 422
    assert "table 1 of round 1 has no result" in told(early)
    assert unreadable.status_code == 400
    assert Event.objects.count() == before


def test_two_directors_at_once_lose_nothing_and_the_later_one_is_told(
    owner: Client, salon: Salon
) -> None:
    row = registered(salon)
    sent = {"version": str(row.version), "command": a_command(), "entry": "1"}
    does(row, Withdraw(entry="2"))

    answer = owner.post(f"/tournaments/{row.pk}/acts/withdrawals/?page=entries", sent)

    assert answer.status_code == 409
    assert "Somebody else was first" in told(answer)
    assert not state_of(row).entries[0].is_withdrawn


def test_two_at_the_door_do_not_wait_for_each_other(owner: Client, salon: Salon) -> None:
    row = registered(salon)
    acts = f"/tournaments/{row.pk}/acts"
    sent = {"version": str(row.version)}
    does(row, Withdraw(entry="2"))

    owner.post(f"{acts}/check-ins/?page=entries", sent | {"command": a_command(), "entry": "1"})
    owner.post(f"{acts}/check-ins/?page=entries", sent | {"command": a_command(), "entry": "3"})
    owner.post(
        f"{acts}/entries/?page=entries",
        sent | {"command": a_command(), "players.0": "Una Frey", "players.1": "Vito Lark"},
    )
    refused = owner.post(
        f"{acts}/check-ins/?page=entries", sent | {"command": a_command(), "entry": "2"}
    )

    row.refresh_from_db()
    assert [entry.checked_in for entry in state_of(row).entries] == [
        True,
        False,
        True,
        False,
        False,
    ]
    assert "entry 2 has withdrawn" in told(refused), "what can't be is still refused"


def test_the_same_tap_twice_counts_once(owner: Client, salon: Salon) -> None:
    row = registered(salon)
    sent = {"version": str(row.version), "command": a_command(), "entry": "1"}

    answers = [
        owner.post(f"/tournaments/{row.pk}/acts/check-ins/?page=entries", sent).status_code
        for _ in range(2)
    ]

    assert answers == [302, 302]
    assert Event.objects.filter(type="tournament.entry_checked_in").count() == 1


def test_a_pasted_list_is_entered_line_by_line_and_the_refused_lines_stay(
    owner: Client, salon: Salon
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    text = (
        "Asha Renn & Cato Liss; Core; 1510\n\nIlse Marrow,Juno Dray,Border\nLonely\nPim "
        "Aster & asha renn\n"
    )

    answer = owner.post(
        f"/tournaments/{row.pk}/desk/lists/", {"command": a_command(), "list": text, "keep": "yes"}
    )

    entries = state_of(Tournament.objects.get()).entries
    assert answer.status_code == 422
    assert [(entry.club, entry.rating) for entry in entries] == [("Core", 1510), ("Border", None)]
    assert "Line 1, “Asha Renn & Cato Liss; Core; 1510”: entered" in told(answer)
    assert "2 names are expected" in told(answer)
    assert "is in entry 1 already" in told(answer)
    assert "Lonely\nPim Aster &amp; asha renn</textarea>" in answer.text


def test_entries_are_found_by_two_letters(owner: Client, salon: Salon) -> None:
    row = registered(salon)

    page = told(owner.get(f"/tournaments/{row.pk}/desk/entries/?q=or"))

    assert "Orla Venn & Pim Aster" in page
    assert "Asha Renn & Cato Liss" not in page
    assert "No entry has such a name." in told(
        owner.get(f"/tournaments/{row.pk}/desk/entries/?q=zz")
    )


def test_a_game_started_at_the_desk_has_the_right_seats_and_its_result_flows_back(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon)
    table = state_of(row).rounds[0].tables[0]
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "1",
        "label": "4",
    }

    answer = owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)
    game = Game.objects.get()

    assert answer.status_code == 302
    seats = game.seats
    by_entry = {
        entry.id: [player for _place, player in entry.players] for entry in state_of(row).entries
    }
    assert [seats["N"], seats["S"]] == by_entry[table.entries[0]]
    assert [seats["E"], seats["W"]] == by_entry[table.entries[1]]
    assert TournamentGame.objects.get().game == game.pk
    page = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert "Game in progress" in page
    assert owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent).status_code in (
        302,
        422,
    )
    assert Game.objects.count() == 1


def test_a_finished_game_is_a_result_and_the_round_can_be_closed(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon, 2)
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "1",
        "label": "4",
    }
    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)
    assert send(owner, row, "closings", round__number="1").status_code == 422
    finish(Game.objects.get())
    catch_up(salon.log, PROJECTIONS)

    rows = read_computed_standings(row)[0]
    assert rows is not None
    assert sorted(each.points or 0 for each in rows.rows) == [0, 100]
    assert "Every result is in." in told(owner.get(f"/tournaments/{row.pk}/desk/"))
    assert send(owner, row, "closings", round__number="1").status_code == 302


@pytest.mark.parametrize("act", [CloseRound(round=1), DrawRound(round=2)])
def test_what_relies_on_a_game_is_refused_when_a_hand_is_recorded_in_between(
    owner: Client, salon: Salon, monkeypatch: pytest.MonkeyPatch, act: object
) -> None:
    row = in_round_1(salon, 2)
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "1",
        "label": "4",
    }
    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)
    game = Game.objects.get()
    finish(game)
    folded = fold_of(salon.log_id, game.pk)
    assert folded is not None
    last_act = folded.state.trail[-1].version + 1
    row.refresh_from_db()
    before = row.version

    def taken_back_meanwhile(salon: Salon, versions: Mapping[str, int], **more: Any) -> Outcomes:
        found = outcomes_at(salon, versions, **more)
        record(game, Undo(version=last_act))
        return found

    monkeypatch.setattr(table_games, "outcomes_at", taken_back_meanwhile)
    with pytest.raises(StreamMoved):
        does(row, act)

    row.refresh_from_db()
    assert row.version == before


def test_a_linked_game_has_the_house_rules_of_its_tournament(owner: Client, salon: Salon) -> None:
    row = registered(salon)
    rules = Conditions(players=2, options=(("hands_limit", 9),))
    does(
        row,
        ChangeStage(name="Spring Cup", stage=SWISS, conditions=rules),
        EnterPhase(phase="running"),
    )
    row = does(row, DrawRound(round=1), PublishRound(round=1))
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "1",
        "label": "4",
    }

    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)

    folded = fold_of(salon.log_id, Game.objects.get().pk)
    assert folded is not None
    assert folded.game.write_rules(folded.state.rules)["hands_limit"] == 9


def finish(game: Game) -> None:
    """Play a hand of a game and call it."""
    from scoring.commands import EndGame
    from tests.tournament.helpers.played import hand

    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, EndGame(kind="called", by="Mara", reason="Time was up."))


def test_standings_are_computed_in_the_background_and_say_how_far_they_count(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon)
    head = Event.objects.count()

    page = told(Client().get(f"/tournaments/{row.pk}/standings/"))
    assert "After round 1." in page
    assert f"up to {head}" in page
    assert "Up to date" in told(owner.get(f"/tournaments/{row.pk}/desk/"))
    does(row, GivePenalty(entry="1", points=-50, after_round=1, reason="late", by="Mara"))
    assert "one is not counted yet" in told(owner.get(f"/tournaments/{row.pk}/desk/"))


@pytest.mark.parametrize("times", [1, 3])
def test_doubled_and_late_jobs_change_no_standings(salon: Salon, times: int) -> None:
    row = in_round_1(salon)
    for table in (1, 2):
        does(row, result(table, 250 + table, 200))
        for _ in range(times):
            catch_up(salon.log, PROJECTIONS)
    stepwise = standings_row().state
    Reckoning.objects.all().delete()
    Progress.objects.filter(projection=STANDINGS.name).delete()

    catch_up(salon.log, PROJECTIONS)

    assert standings_row().state == stepwise


def test_parked_standings_are_shown_at_the_desk_and_tried_again(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon)
    Progress.objects.filter(projection=STANDINGS.name).update(error="KeyError: 9", error_position=3)

    assert "They could not be computed:" in told(owner.get(f"/tournaments/{row.pk}/desk/"))
    owner.post(f"/tournaments/{row.pk}/desk/standings/")
    assert Progress.objects.get(projection=STANDINGS.name).error == ""


def test_a_player_finds_the_own_table_by_two_letters(salon: Salon) -> None:
    row = in_round_1(salon, 5)
    each = state_of(row).rounds[0]
    seated = each.tables[0].entries[0]

    page = told(Client().get(f"/tournaments/{row.pk}/?q={PAIRS[int(seated) - 1][0].split()[0]}"))

    assert "Table 1 " + " & ".join(PAIRS[int(seated) - 1]) in page
    assert "sits out and gets 1 point" in page


def test_a_round_that_is_not_published_is_seen_by_nobody_else(owner: Client, salon: Salon) -> None:
    row = does(after_round_1(salon), DrawRound(round=2))

    assert Client().get(f"/tournaments/{row.pk}/rounds/2/").status_code == 404
    assert "Seats of round 1" in told(Client().get(f"/tournaments/{row.pk}/"))
    does(row, PublishRound(round=2))
    assert Client().get(f"/tournaments/{row.pk}/rounds/2/").status_code == 200


def test_an_entrys_path_leads_from_round_to_round(salon: Salon) -> None:
    row = after_round_1(salon)

    page = told(Client().get(f"/tournaments/{row.pk}/entries/1/"))

    assert "Round by round" in page
    assert "Table" in page
    assert Client().get(f"/tournaments/{row.pk}/entries/99/").status_code == 404


def test_the_clock_is_started_extended_paused_and_called_from_the_desk(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon)

    send(owner, row, "clock-starts", round__number="1", minutes__number="50")
    send(owner, row, "extensions", round__number="1", minutes__number="5", table__number="2")
    assert re.search(r"(50:00|49:5\d) left", told(owner.get(f"/tournaments/{row.pk}/desk/")))
    assert "Finish the hand in progress." not in told(Client().get(f"/tournaments/{row.pk}/"))
    send(owner, row, "last-hands", round__number="1")
    assert "Finish the hand in progress." in told(Client().get(f"/tournaments/{row.pk}/"))
    send(owner, row, "clock-pauses", round__number="1")

    each = state_of(row).rounds[0]
    assert each.clock is not None
    assert (each.clock.seconds, each.clock.since, each.tables[1].extension) == (3000, None, 300)
    assert list(audit(salon)) == []


def test_silent_rounds_hide_their_results_until_the_end(owner: Client, salon: Salon) -> None:
    row = does(after_round_1(salon), BeginSilence(from_round=1))
    catch_up(salon.log, PROJECTIONS)

    assert "251" not in told(Client().get(f"/tournaments/{row.pk}/rounds/1/"))
    assert "Later rounds are silent" in told(Client().get(f"/tournaments/{row.pk}/standings/"))
    assert "251" in told(owner.get(f"/tournaments/{row.pk}/rounds/1/"))
    does(row, EnterPhase(phase="finished"))
    assert "251" in told(Client().get(f"/tournaments/{row.pk}/rounds/1/"))


def test_every_fact_of_a_tournament_is_told_in_words(owner: Client, salon: Salon) -> None:
    row = after_round_1(salon, 5)
    send(
        owner,
        row,
        "penalties",
        entry="1",
        points__number="-1",
        after_round__number="1",
        reason="Late for the round.",
    )
    send(owner, row, "penalty-cancellations", number__number="1")

    page = told(owner.get(f"/tournaments/{row.pk}/history/"))

    assert "−1 points for Asha Renn & Cato Liss. “Late for the round.” Mara Ilves." in page
    assert "Round 1, table 1: 251 : 180" in page
    assert "Round 1 is drawn:" in page
    assert "take part as entry 5" in page
    assert "Round 1 is closed" in told(owner.get("/history/"))


def test_every_stored_fact_has_its_sentence() -> None:
    text = Path("templates/tournament/history/events.html").read_text()
    from tournament.domain.tournament.subjects import SHAPES

    assert all(f"partialdef {name.partition('.')[2]} %" in text for name, _schema in SHAPES)


def test_rebuild_and_verification_find_no_difference_after_an_evening(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon, 5)
    does(
        row,
        Withdraw(entry="2"),
        DrawRound(round=2),
        PublishRound(round=2),
        result(1, 250, 240, 2),
        result(2, 100, 250, 2),
    )
    does(row, CloseRound(round=2))

    assert list(verify_log(salon.log_id, full=True)) == []
    assert list(audit(salon)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


@pytest.mark.parametrize(
    "column", ["record", "name", "game", "phase", "rounds", "version", "state", "started_position"]
)
def test_a_changed_row_of_a_tournament_is_found_and_mended(salon: Salon, column: str) -> None:
    row = in_round_1(salon)
    Tournament.objects.update(
        **{column: 77 if column in ("version", "rounds", "started_position") else "changed"}
    )

    assert [(finding.row, finding.column) for finding in audit(salon)] == [(row.pk, column)]
    assert [each.column for each in differences(salon, mend=True, progress=lambda done: None)] == [
        column
    ]
    assert list(audit(salon)) == []


def test_a_changed_round_is_found_and_mended(salon: Salon) -> None:
    in_round_1(salon)
    TournamentRound.objects.update(state={})

    assert [finding.column for finding in audit(salon)] == ["state"]
    assert len(list(differences(salon, mend=True, progress=lambda done: None))) == 1
    assert list(audit(salon)) == []


def test_changed_standings_are_found_and_mended(salon: Salon) -> None:
    row = after_round_1(salon)
    good = standings_row().state
    false = JSONText(json_text(good).replace("100", "900", 1))
    Reckoning.objects.filter(projection=STANDINGS.name).update(state=false)

    assert [(finding.row, finding.column) for finding in audit(salon)] == [(row.pk, "state")]
    assert len(list(differences(salon, mend=True, progress=lambda done: None))) == 1
    assert standings_row().state == good


def test_home_and_board_lead_to_the_tournament(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon)
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "1",
        "label": "4",
    }
    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)

    assert "Spring Cup" in told(Client().get("/"))
    assert "Spring Cup: round 1, table 1" in told(Client().get(f"/games/{Game.objects.get().pk}/"))


def test_a_scorer_directs_nothing(salon: Salon) -> None:
    row, scorer = in_round_1(salon), scorer_at(salon, "4")

    assert scorer.get(f"/tournaments/{row.pk}/desk/").status_code == 403
    assert send(scorer, row, "results", round__number="1", table__number="1").status_code == 403
    assert scorer.get(f"/tournaments/{row.pk}/").status_code == 200


@pytest.mark.parametrize(
    "page",
    [
        "",
        "standings/",
        "rounds/1/",
        "entries/1/",
        "history/",
        "desk/",
        "desk/entries/",
        "desk/rounds/1/",
    ],
)
def test_every_page_is_there_for_its_owner(owner: Client, salon: Salon, page: str) -> None:
    row = after_round_1(salon, 5)

    assert owner.get(f"/tournaments/{row.pk}/{page}").status_code == 200


def test_a_game_elsewhere_moves_no_standings(salon: Salon) -> None:
    after_round_1(salon)
    before = standings_row().position

    game_at(salon)
    catch_up(salon.log, PROJECTIONS)

    assert standings_row().position == before


def test_rows_from_before_reasons_were_numbers_are_shown_until_they_are_rebuilt(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon)
    kept = TournamentRound.objects.get()
    older = json.loads(json_text(kept.state))
    del older["byes_why"]
    for table in older["tables"]:
        del table["instead"]
        table |= {
            "next_best": "1 and 2: as good; the lot decided",
            "why": [{"tier": "rematch", "cost": 0, "words": "they have not met yet"}],
        }
    TournamentRound.objects.update(state=older)
    head = json.loads(json_text(Tournament.objects.get().state))
    for name in ("conditions", "singles", "singles_noted"):
        del head[name]
    Tournament.objects.update(state=head)

    assert owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").status_code == 200
    assert Client().get(f"/tournaments/{row.pk}/").status_code == 200
    assert {each.column for each in differences(salon, mend=True, progress=lambda done: None)} == {
        "state"
    }
    assert TournamentRound.objects.get().state == kept.state


def test_a_knock_out_with_open_matches_is_finished_early_with_a_reason(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon, 4, Stage(kind="knockout"))
    page = f"/tournaments/{row.pk}/desk/"
    assert "Finish early" in told(owner.get(page))

    refused = send(owner, row, "phases", phase="finished")
    assert refused.status_code == 422
    assert "match 3; give a reason to finish the tournament without it" in told(refused)
    sent = send(owner, row, "phases", phase="finished", reason="The hall closes.")
    assert sent.status_code == 302
    row.refresh_from_db()
    assert state_of(row).phase == "finished"
    assert "Finish early" not in told(owner.get(page))
