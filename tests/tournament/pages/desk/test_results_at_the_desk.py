"""Results at the desk: what counts is said, a live game is asked about, differences are flagged,
and one step changes a result.
"""

import re
from typing import Any

import pytest
from django.test import Client

from scoring.commands import EndGame
from tests.tournament.api.calling import Answered, Caller, owner_calls
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import does, in_round_1, result, send
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command, about, flat, told
from tests.tournament.helpers.salons import scorer_at
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.games import DetachGame
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Game, Salon, Tournament, TournamentGame
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.projections.standings import read_computed_standings
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

A_HAND = hand("N", (4, 3, 3, 4), (9, 4))
ENDS = {"called": "Time was up.", "abandoned": "They quarrelled."}


@pytest.fixture
def row(salon: Salon) -> Tournament:
    return in_round_1(salon)


def play(
    owner: Client, row: Tournament, table: int = 1, *, label: str = "4", round: int = 1
) -> Game:
    """Start the game of a table at one of the salon's."""
    row.refresh_from_db()
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": str(round),
        "table": str(table),
        "label": label,
    }
    assert (
        owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-{round}", sent).status_code == 302
    )
    return Game.objects.order_by("-started_position")[0]


def over(game: Game, kind: str = "called") -> Game:
    """The game after a hand, ended."""
    record(game, *A_HAND)
    record(game, EndGame(kind=kind, by="Mara", reason=ENDS[kind]))
    return game


def typed(owner: Client, row: Tournament, table: int, one: str, two: str, **more: str) -> Answer:
    """Type the result of a table on the form of all."""
    row.refresh_from_db()
    scores = {
        f"tables.t{table}.results.0.score:half": one,
        f"tables.t{table}.results.1.score:half": two,
    }
    named = {f"tables.t{table}.{name}": value for name, value in more.items()}
    sent = {"version": str(row.version), "command": a_command()}
    return owner.post(
        f"/tournaments/{row.pk}/desk/rounds/1/results/?page=round-1", sent | scores | named
    )


def changed(owner: Client, row: Tournament, one: str, two: str, **more: str) -> Answer:
    """Change the result of table 1 in place."""
    scores = {"results.0.score:half": one, "results.1.score:half": two}
    return send(
        owner, row, "results", "round-1", round__number="1", table__number="1", **scores, **more
    )


def desk_round(owner: Client, row: Tournament, number: int = 1) -> str:
    return told(owner.get(f"/tournaments/{row.pk}/desk/rounds/{number}/"))


def desk(owner: Client, row: Tournament) -> str:
    return told(owner.get(f"/tournaments/{row.pk}/desk/"))


def scores_of(row: Tournament, table: int = 1) -> list[int]:
    found = state_of(row).rounds[0].table(table)
    assert found is not None
    return [(each.score or 0) // HUNDREDTHS for each in found.results]


def is_sound(salon: Salon) -> bool:
    catch_up(salon.log, PROJECTIONS)
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )


def test_typing_over_a_live_game_asks_what_becomes_of_it_and_keeps_what_was_typed(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    record(game, *hand("N", (1, 1, 1, 1), (9, 4))[:2])  # a hand is open

    asked = typed(owner, row, 1, "255", "190")

    assert asked.status_code == 422
    words = told(asked)
    assert "the game at table 1 still goes on; say what becomes of it" in words
    assert "What becomes of the game that goes on there?" in words
    assert "It was not played" in words
    assert asked.text.count('value="255"') == 1
    assert not scores_of(row)

    without = typed(owner, row, 1, "255", "190", its_game="end")
    assert without.status_code == 422
    assert "say why the game at table 1 ends" in told(without)
    assert "say what becomes of it" not in told(without)
    assert (
        typed(
            owner, row, 1, "255", "190", its_game="end", reason="They played elsewhere"
        ).status_code
        == 302
    )
    game.refresh_from_db()
    assert (game.not_played, scores_of(row)) == (True, [255, 190])
    assert not TournamentGame.objects.filter(game=game.pk).exists()
    assert "Counts: the typed result" in desk_round(owner, row)
    assert is_sound(salon)


@pytest.mark.parametrize("becomes", [{}, {"its_game": "end"}])
def test_a_result_takes_the_place_of_a_game_without_any_hand_unasked(
    owner: Client, salon: Salon, row: Tournament, becomes: dict[str, str]
) -> None:
    game = play(owner, row)
    assert "What becomes of the game" not in desk_round(owner, row)

    assert typed(owner, row, 1, "255", "190", **becomes).status_code == 302

    game.refresh_from_db()
    assert (game.not_played, scores_of(row)) == (True, [255, 190])
    assert "Counts: the typed result" in desk_round(owner, row)
    history = told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert "Round 1, table 1: the game was not played." in history
    assert "No hand of it was recorded." in told(owner.get(f"/games/{game.pk}/history/"))
    assert is_sound(salon)


def test_an_impossible_result_leaves_a_game_without_any_hand_alone(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)

    assert typed(owner, row, 1, "255", "").status_code in (400, 422)

    game.refresh_from_db()
    assert not game.finished
    assert TournamentGame.objects.filter(game=game.pk).exists()


def test_a_forfeit_and_an_excuse_settle_a_game_without_any_hand_too(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    first, second = play(owner, row, 1), play(owner, row, 2, label="5")
    absent = state_of(row).rounds[0].tables[0].entries[0]
    one, two = {"round__number": "1", "table__number": "1"}, {"round__number": "1"}
    more = {"table__number": "2", "reason": "lost"}

    answers = [
        send(owner, row, "forfeits", "round-1", **one, absent__list=absent),
        send(owner, row, "excuses", "round-1", **two, **more),
    ]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert [Game.objects.get(pk=each.pk).not_played for each in (first, second)] == [True, True]
    assert is_sound(salon)


def test_a_live_game_with_a_closed_hand_is_abandoned_beside_the_typed_result(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    record(game, *A_HAND)
    record(game, *hand("E", (1, 1, 1, 1), (9, 4))[:2])  # a second hand is open

    assert (
        typed(owner, row, 1, "255", "190", its_game="end", reason="Too late to finish").status_code
        == 302
    )

    game.refresh_from_db()
    assert (game.finished, game.state["closed"], game.state["hands"]) == (
        True,
        "abandoned",
        1,
    )
    assert "Its game says" not in desk_round(owner, row)
    assert is_sound(salon)


def test_a_live_game_goes_on_without_counting(owner: Client, salon: Salon, row: Tournament) -> None:
    game = play(owner, row)
    record(game, *A_HAND)
    refused = typed(owner, row, 1, "255", "190", its_game="detach")
    assert "say why the game at table 1 does not count" in told(refused)

    assert (
        typed(
            owner, row, 1, "255", "190", its_game="detach", reason="They play on for fun"
        ).status_code
        == 302
    )

    game.refresh_from_db()
    assert not game.finished
    assert "Round 1, table 1: the game does not count. “They play on for fun”" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    send(owner, row, "counted-games", "round-1", round__number="1", table__number="1")
    assert not scores_of(row)
    assert is_sound(salon)


@pytest.mark.parametrize(
    "act", [("forfeits", {"absent__list": "1"}), ("excuses", {"reason": "lost"})]
)
def test_a_forfeit_and_an_excuse_ask_about_a_live_game_too(
    owner: Client, salon: Salon, row: Tournament, act: Any
) -> None:
    collection, fields = act
    table = next(table.table for table in state_of(row).rounds[0].tables if "1" in table.entries)
    game = play(owner, row, table)
    record(game, *hand("N", (1, 1, 1, 1), (9, 4))[:2])
    about_it = {"round__number": "1", "table__number": str(table)} | fields

    assert "still goes on" in told(send(owner, row, collection, "round-1", **about_it))
    answer = send(
        owner,
        row,
        collection,
        "round-1",
        **(about_it | {"its_game": "end", "reason": "They never began"}),
    )

    game.refresh_from_db()
    assert (answer.status_code, game.not_played) == (302, True)
    assert is_sound(salon)


def test_the_desk_says_that_a_game_was_not_played_and_another_can_start_at_its_table(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    assert "This game was not played, because" in desk_round(owner, row)

    send(
        owner,
        row,
        "ended-games",
        "round-1",
        round__number="1",
        table__number="1",
        reason="The wrong table",
    )

    game.refresh_from_db()
    assert game.not_played
    assert "Count it here" not in desk_round(owner, row)
    assert play(owner, row).pk != game.pk
    history = told(owner.get(f"/tournaments/{row.pk}/history/"))
    assert "Round 1, table 1: the game was not played. “The wrong table”" in history


def test_a_game_not_played_at_its_pad_leaves_its_table_of_the_round_free(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    record(game, EndGame(kind="not_played", by="Mara", reason="The wrong table"))

    assert "Its game was not played." in desk_round(owner, row)
    assert "Record it live at table" in desk_round(owner, row)
    assert play(owner, row).pk != game.pk
    assert is_sound(salon)


def test_a_typed_result_that_contradicts_its_game_is_flagged_until_it_is_accepted(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    over(play(owner, row))
    assert "Counts: the game" in desk_round(owner, row)

    assert changed(owner, row, "190", "255").status_code == 302

    assert "Its game says 72 : −70." in desk_round(owner, row)
    assert "Round 1, table 1: its game says otherwise" in desk(owner, row)
    answer = send(
        owner, row, "accepted-differences", "round-1", round__number="1", table__number="1"
    )
    assert (answer.status_code, "say why something else counts" in told(answer)) == (422, True)
    send(
        owner,
        row,
        "accepted-differences",
        "round-1",
        round__number="1",
        table__number="1",
        reason="The pad was wrong",
    )
    assert "its game says otherwise" not in desk(owner, row)
    assert "what counts is right, though the game says otherwise. “The pad was wrong”" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    assert is_sound(salon)


def test_an_override_with_a_reason_is_no_open_difference_and_the_game_can_count_again(
    owner: Client, row: Tournament
) -> None:
    over(play(owner, row))

    changed(owner, row, "190", "255", reason="The pad was wrong")
    assert "its game says otherwise" not in desk(owner, row)
    send(owner, row, "counted-games", "round-1", round__number="1", table__number="1")

    assert "Counts: the game" in desk_round(owner, row)


def test_taking_a_typed_result_back_never_lets_an_abandoned_game_count(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    typed(owner, row, 1, "255", "190", its_game="detach", reason="They play on")
    over(game, "abandoned")
    send(
        owner, row, "counted-games", "round-1", round__number="1", table__number="1"
    )  # attached again: it was abandoned, and that is said
    changed(owner, row, "255", "190", reason="As typed before")

    send(owner, row, "clearings", "round-1", round__number="1", table__number="1")

    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/")
    assert "Its game was abandoned at" in told(page)
    assert 'name="tables.t1.results.0.score:half"' in page.text
    assert "The game at table 1 of round 1 was abandoned" in desk(owner, row)
    does(row, result(2, 250, 100))
    assert "Close the round" not in desk_round(owner, row)
    send(owner, row, "counted-games", "round-1", round__number="1", table__number="1")
    assert "Close the round" in desk_round(owner, row)
    assert is_sound(salon)


def test_after_taking_a_result_back_there_is_a_field_to_type_in_whatever_the_game_is(
    owner: Client, row: Tournament
) -> None:
    for kind in ENDS:
        over(play(owner, row), kind)
        changed(owner, row, "255", "190", reason="x")
        send(owner, row, "clearings", "round-1", round__number="1", table__number="1")
        page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
        assert re.search(r'name="(tables\.t1\.)?results\.0\.score:half"', page)
        send(owner, row, "unlinked-games", "round-1", round__number="1", table__number="1")
        assert (
            'name="tables.t1.results.0.score:half"'
            in owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
        )


def closed(row: Tournament) -> Tournament:
    return does(row, result(1, 262, 187), result(2, 250, 100), CloseRound(round=1))


def test_a_typed_result_is_changed_in_place_in_one_step(owner: Client, row: Tournament) -> None:
    does(row, result(1, 262, 187))
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
    assert re.search(r'name="results\.0\.score:half"[^>]*value="262"', page)

    assert changed(owner, row, "187", "262").status_code == 302

    assert scores_of(row) == [187, 262]


def test_in_a_closed_round_the_change_asks_why_and_the_round_stays_closed(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    closed(row)
    catch_up(salon.log, PROJECTIONS)
    before = read_computed_standings(row)[0]

    refused = changed(owner, row, "187", "262")
    assert (
        refused.status_code,
        "round 1 is closed; say why its result changes" in told(refused),
    ) == (422, True)
    assert 'id="cr-1" name="reason" maxlength="2000" value="" aria-invalid="true"' in flat(
        refused.text
    )
    assert (
        changed(owner, row, "187", "262", reason="They sat the other way round").status_code == 302
    )

    assert state_of(row).rounds[0].closed
    catch_up(salon.log, PROJECTIONS)
    assert read_computed_standings(row)[0] != before
    assert "Round 1, table 1: 187 : 262 “They sat the other way round”" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    assert is_sound(salon)


def test_all_tables_start_at_once_and_so_does_one_whose_game_was_not_played(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    record(game, EndGame(kind="not_played", by="Mara", reason="The wrong table"))
    row.refresh_from_db()
    sent = {"version": str(row.version), "command": a_command(), "round": "1", "table": "all"}

    assert owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent).status_code == 302

    assert {each.game for each in TournamentGame.objects.all()} == set(
        Game.objects.filter(finished=False).values_list("pk", flat=True)
    )
    assert Game.objects.filter(finished=False).count() == 2


def detached(owner: Client, row: Tournament) -> Game:
    """Round 1 is closed, round 2 drawn, and a game of round 1 goes on at table 4 without
    counting.
    """
    game = play(owner, row)
    typed(owner, row, 1, "255", "190", its_game="detach", reason="They play on")
    does(row, result(2, 250, 100), CloseRound(round=1), DrawRound(round=2))
    return game


def test_the_next_round_is_published_when_the_tables_that_old_games_hold_are_freed_with_one_tap(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = detached(owner, row)
    assert "A game of an earlier round holds table 1" in desk(owner, row)
    assert "games of an earlier round still hold table 1; end them first" in told(
        send(owner, row, "publications", "round-2", round__number="2")
    )
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/2/").text
    reason = re.search(r'id="held-reason" name="reason" maxlength="2000" value="([^"]*)"', page)
    assert reason is not None

    send(owner, row, "freed-tables", "round-2", round__number="2", reason=reason[1])
    send(owner, row, "publications", "round-2", round__number="2")

    game.refresh_from_db()
    assert (game.not_played, state_of(row).rounds[1].published) == (True, True)
    assert play(owner, row, 1, round=2).table == "4"
    assert "the game was not played. “Round 2 begins”" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    assert is_sound(salon)


def test_the_pad_of_a_table_whose_round_is_over_takes_nothing_but_from_a_director(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = play(owner, row)
    scorer = scorer_at(salon, "4")
    before = about(scorer.get("/tables/4/"))
    over(game)
    does(row, result(2, 250, 100), CloseRound(round=1))
    from scoring.commands import Undo

    version = Game.objects.get(pk=game.pk).state["undo"]["version"]
    assert "Undo" not in told(scorer.get("/tables/4/"))
    game.refresh_from_db()
    sent = before | {
        "version": str(game.version),
        "command": a_command(),
        "version:number": str(version),
    }
    refused = scorer.post("/tables/4/retractions/", sent)
    assert (refused.status_code, "round 1 of Spring Cup is over" in told(refused)) == (422, True)

    record(
        game, Undo(version=version)
    )  # the director opened it again: it goes on in a round that is closed
    pad = told(scorer.get("/tables/4/"))
    assert "Round 1 is over" in pad
    assert "Where you sit next" in pad
    assert "Open hand 2" not in pad
    assert scorer.post("/tables/4/hands/", about_now(game)).status_code == 422
    directors = told(owner.get("/tables/4/"))
    assert "Round 1 of Spring Cup is over. Only a director still records here." in directors
    assert "Open hand 2" in directors
    assert owner.post("/tables/4/hands/", about_now(game)).status_code == 303


def about_now(game: Game) -> dict[str, str]:
    game.refresh_from_db()
    place = {"hand": str(game.state["hands"] + 1), "trick": "0"}
    return {"game": game.pk, "version": str(game.version), "command": a_command()} | place


def test_a_game_that_goes_on_without_counting_takes_entries_until_the_next_round_is_published(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game = detached(owner, row)
    scorer = scorer_at(salon, "4")

    assert "Round 1 is over" not in told(scorer.get("/tables/4/"))
    record(game, *A_HAND)
    assert "Hand 1 is over" in told(scorer.get("/tables/4/"))


def api(caller: Caller, row: Tournament, collection: str, **body: Any) -> Answered:
    row.refresh_from_db()
    return caller.post(
        f"tournaments/{row.pk}/acts/{collection}/",
        {"round": 1, "table": 1} | body,
        version=row.version,
    )


def test_a_program_is_asked_the_same_and_says_it_the_same_way(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    caller, scores = owner_calls(salon), [{"score": 255}, {"score": 190}]
    game = play(owner, row)
    record(game, *A_HAND)

    refused = api(caller, row, "results", results=scores)
    assert (refused.status, refused.value["code"], refused.value["path"]) == (
        422,
        "game_unsettled",
        "its_game",
    )
    assert api(caller, row, "results", results=scores, its_game="leave").status == 400
    assert api(caller, row, "results", results=scores, its_game="end").value["code"] == (
        "reason_missing"
    )
    assert (
        api(caller, row, "results", results=scores, its_game="detach", reason="They play on").status
        == 201
    )
    record(game, EndGame(kind="called", by="Mara", reason=ENDS["called"]))
    assert api(caller, row, "counted-games").status == 201
    assert api(caller, row, "results", results=scores).status == 201
    table = caller.get(f"tournaments/{row.pk}/rounds/1/").value["tables"][0]
    assert (table["counts"], table["differs"], table["status"]) == ("typed", True, "done")
    assert api(caller, row, "accepted-differences", reason="The pad was wrong").status == 201
    assert caller.get(f"tournaments/{row.pk}/rounds/1/").value["tables"][0]["differs"] is False
    assert api(caller, row, "detached-games", reason="x").status == 201
    assert api(caller, row, "ended-games", reason="x").value["code"] == "game_over"
    assert is_sound(salon)


def test_a_program_frees_the_tables_of_earlier_rounds(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    game, caller = detached(owner, row), owner_calls(salon)
    row.refresh_from_db()
    address = f"tournaments/{row.pk}/acts"
    held = caller.post(f"{address}/publications/", {"round": 2}, version=row.version)
    assert (held.status, held.value["code"]) == (422, "tables_held")

    freed = caller.post(
        f"{address}/freed-tables/", {"round": 2, "reason": "Round 2 begins"}, version=row.version
    )
    assert freed.status == 201
    assert (
        caller.post(f"{address}/publications/", {"round": 2}, version=freed.value["version"]).status
        == 201
    )
    game.refresh_from_db()
    assert game.finished


def test_the_same_write_twice_ends_a_game_once(
    owner: Client, salon: Salon, row: Tournament
) -> None:
    caller = owner_calls(salon)
    play(owner, row)
    row.refresh_from_db()
    body = {
        "round": 1,
        "table": 1,
        "results": [{"score": 255}, {"score": 190}],
        "its_game": "end",
        "reason": "elsewhere",
    }
    key = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f"

    first, again = (
        caller.post(f"tournaments/{row.pk}/acts/results/", body, version=row.version, key=key)
        for _ in range(2)
    )

    assert (first.status, again.status) == (201, 201)
    assert first.value == again.value
    assert is_sound(salon)


def test_a_director_of_another_table_is_not_asked(owner: Client, row: Tournament) -> None:
    play(owner, row, 1)

    assert typed(owner, row, 2, "250", "100").status_code == 302
    assert does(row, DetachGame(round=1, table=1, reason="x")).version
