"""The bracket of a knock-out on its page, in its places and on the desk: only what its visitor may
know, with what was played on a wrong premise and by whom.
"""

import re

import pytest
from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import SWISS, does, in_round_1, registered
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import owner_of
from tournament.domain.brackets.values import Knockout
from tournament.domain.standings.values import Result, Stage, Takes
from tournament.domain.tournament.byes import AskBye
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import ChangeStage
from tournament.models import Salon, Tournament
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

SINGLE = Stage(kind="knockout")
BEST_OF_3 = Stage(kind="knockout", knockout=Knockout(best_of=3))
ASHA, ILSE, ORLA, RHEA = (
    "Asha Renn & Cato Liss",
    "Ilse Marrow & Juno Dray",
    "Orla Venn & Pim Aster",
    "Rhea Sol & Tomas Quill",
)


def wins(row: Tournament, match: int, winner: str, reason: str | None = None) -> Tournament:
    """The result of a match where it was last drawn."""
    row.refresh_from_db()
    each, table = next(
        (each, table)
        for each in reversed(state_of(row).rounds)
        for table in each.tables
        if table.match == match
    )
    scores = (251, 180) if table.entries[0] == winner else (180, 251)
    results = tuple(Result(score=100 * score) for score in scores)
    return does(
        row, EnterResult(round=each.number, table=table.table, results=results, reason=reason)
    )


def played_round(row: Tournament, winners: dict[int, str]) -> Tournament:
    for match, winner in winners.items():
        wins(row, match, winner)
    return does(row, CloseRound(round=len(state_of(row).rounds)))


def next_round(row: Tournament) -> Tournament:
    number = state_of(row).next_round
    return does(row, DrawRound(round=number), PublishRound(round=number))


def after_semi_finals(salon: Salon, stage: Stage = SINGLE) -> Tournament:
    return played_round(in_round_1(salon, 4, stage), {1: "1", 2: "2"})


def matches_on(page: str) -> list[str]:
    """The list beside the drawing."""
    return re.findall(r'<li value="\d+">(.*?)</li>', page.replace("&amp;", "&"))


def bracket(row: Tournament, client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/tournaments/{row.pk}/bracket/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_bracket_says_who_meets_whom_and_who_has_won(salon: Salon) -> None:
    row = after_semi_finals(salon)

    page = bracket(row)

    assert matches_on(page) == [
        f"M1: {ASHA} against {RHEA}: {ASHA} won",
        f"M2: {ILSE} against {ORLA}: {ILSE} won",
        f"M3: {ASHA} against {ILSE}: to be played",
    ]
    assert f'href="/tournaments/{row.pk}/bracket/" aria-current="page"' in page


def test_only_a_knock_out_has_a_bracket_and_before_two_entries_it_says_so(salon: Salon) -> None:
    swiss, small = registered(salon, 4), registered(salon, 0, SINGLE)

    assert Client().get(f"/tournaments/{swiss.pk}/bracket/").status_code == 404
    assert "as soon as there are two entries" in bracket(small)
    assert "/bracket/" not in Client().get(f"/tournaments/{swiss.pk}/").content.decode()


def test_a_knock_out_to_come_shows_from_which_places_of_which_stages_it_takes(
    salon: Salon,
) -> None:
    final = Stage(
        kind="knockout",
        knockout=Knockout(third_place=True),
        takes=Takes(from_stage=1, top=2),
        also=(Takes(from_stage=1, first=4, top=1), Takes(from_stage=2, top=2)),
    )
    second = Stage(rounds=2, takes=Takes(top=8))
    row = does(registered(salon, 4), ChangeStage(name="Cup", stage=SWISS, later=(second, final)))

    page, found = bracket(row), owner_calls(salon).get(f"tournaments/{row.pk}/bracket/").value

    assert matches_on(page) == [
        "M1: place 1 of stage 2 against place 2 of stage 2",
        "M2: place 1 of stage 1 against winner of M1 (by a bye: place 1 of stage 1)",
        "M3: place 2 of stage 1 against place 4 of stage 1 (by a bye: place 2 of stage 1 and "
        "place 4 of stage 1)",
        "M4: winner of M2 against winner of M3",
        "M5: loser of M2 against loser of M3",
    ]
    assert "Stage 3 has not begun" in page
    assert f'href="/tournaments/{row.pk}/bracket/" aria-current="page"' in page
    assert (found["stage"], found["coming"], found["seeds"], found["places"]) == (3, True, [], [])
    side = found["matches"][1]["sides"][0]
    assert (side["label"], side["bye"], side["entry"]) == ("place 1 of stage 1", True, None)
    sheet = Client().get(f"/tournaments/{row.pk}/files/bracket.csv").content.decode()
    assert "place 1 of stage 2,place 2 of stage 2" in sheet


def test_a_knock_out_to_come_that_seeds_by_rating_names_no_places(salon: Salon) -> None:
    by_rating = Stage(kind="knockout", knockout=Knockout(seeds="rating"), takes=Takes(top=2))
    played = Stage(kind="knockout")
    row = does(registered(salon, 4), ChangeStage(name="Cup", stage=played, later=(by_rating,)))

    assert matches_on(bracket(row))[0] == f"M1: {ASHA} against {RHEA}: to be played"
    answer = Client().get(f"/tournaments/{row.pk}/bracket/?stage=2").content.decode()
    assert matches_on(answer) == ["M1: no. 1 by rating against no. 2 by rating"]
    assert "?stage=1" in answer


def test_silent_rounds_stay_out_of_the_bracket_but_not_for_the_director(salon: Salon) -> None:
    row = does(in_round_1(salon, 4, SINGLE), BeginSilence(from_round=1))
    played_round(row, {1: "4", 2: "2"})

    for client, shown in ((Client(), False), (owner_of(salon), True)):
        page = bracket(row, client)
        assert (f"{RHEA} won" in page.replace("&amp;", "&")) is shown
        assert ("Later rounds are silent" in page) is not shown


def test_a_match_on_a_wrong_premise_is_told_with_who_played_and_who_should(salon: Salon) -> None:
    row = next_round(after_semi_finals(salon))
    played_round(row, {3: "1"})
    wins(row, 1, "4", "typed the wrong way round")

    page = " ".join(told(Client().get(f"/tournaments/{row.pk}/bracket/")).split())
    desk = told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/"))

    assert "Match 3, round 2, table 1" in page
    assert f"it should be {RHEA} against {ILSE}. The next draw has the right match." in page
    assert "Round 2, table 1: played on a wrong premise" in desk
    assert "bracket__box--wrong" in bracket(row)
    address, box = f"/tournaments/{row.pk}/bracket/", 'class="note{}" aria-labelledby="premises"'
    assert box.format(" note--bad") in Client().get(address).text
    next_round(row)
    settled = Client().get(address)
    assert "Nothing is left to do about it." in told(settled)
    assert box.format("") in settled.text
    assert "wrong premise" not in told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/"))


def test_a_table_says_which_game_of_its_match_it_is_and_how_it_stands(salon: Salon) -> None:
    row = next_round(after_semi_finals(salon, BEST_OF_3))
    seated = {table.match: table.entries for table in state_of(row).rounds[1].tables}

    page = told(Client().get(f"/tournaments/{row.pk}/rounds/2/"))

    first = "1 : 0" if seated[1][0] == "1" else "0 : 1"
    assert f"Match 1, Semi-final, game 2, {first}" in page
    assert "Match 1, Semi-final, game 2" in told(
        owner_of(salon).get(f"/tournaments/{row.pk}/desk/")
    )
    does(row, BeginSilence(from_round=1))
    hidden = told(Client().get(f"/tournaments/{row.pk}/rounds/2/"))
    assert "Match 1, Semi-final, game 2" in hidden
    assert "1 : 0" not in hidden
    assert "0 : 1" not in hidden


def test_places_are_shared_and_no_points_stand_in_the_standings(salon: Salon) -> None:
    row = played_round(next_round(after_semi_finals(salon)), {3: "2"})
    does(row, EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)

    page = Client().get(f"/tournaments/{row.pk}/standings/")
    podium = told(Client().get(f"/tournaments/{row.pk}/"))

    cells = re.findall(r'<td class="r">\s*<b>(.*?)</b>\s*</td>', page.content.decode())
    assert cells == ["1", "2", "3–4", "3–4"]
    assert "Points" not in told(page)
    assert "points" not in podium
    assert "a shared place" in podium
    entry = told(Client().get(f"/tournaments/{row.pk}/entries/3/"))
    assert "Place 3–4." in entry
    assert f"{ILSE} against {ORLA}: {ILSE} won" in entry
    assert "did not play" not in entry


def test_the_desk_says_what_is_to_be_played_and_who_is_waited_for(salon: Salon) -> None:
    row = does(after_semi_finals(salon), AskBye(entry="2", round=2, kind="zero"))

    desk = told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/"))

    assert "One match waits" in desk
    assert f"waits for {ILSE}" in desk
    assert "of 0" not in desk
    assert "of 0" not in told(owner_of(salon).get("/"))


def test_who_withdraws_makes_a_walk_over(salon: Salon) -> None:
    row = does(after_semi_finals(salon), Withdraw(entry="1"))

    assert matches_on(bracket(row))[2] == (
        f"M3: {ASHA} against {ILSE}: {ILSE} goes on without playing"
    )


def test_the_bracket_is_read_through_the_api_as_it_is_shown(salon: Salon) -> None:
    row = next_round(after_semi_finals(salon))
    played_round(row, {3: "1"})
    wins(row, 1, "4", "typed the wrong way round")

    found = owner_calls(salon).get(f"tournaments/{row.pk}/bracket/").value

    final = found["matches"][2]
    assert [side["entry"] for side in final["sides"]] == ["4", "2"]
    assert [side["source"] for side in final["sides"]] == [
        {"kind": "winner", "number": 1},
        {"kind": "winner", "number": 2},
    ]
    assert (final["status"], final["winner"]) == ("ready", None)
    assert final["wrong"] == [{"entries": ["1", "2"], "winners": ["1"]}]
    assert found["places"] == [{"first": 3, "last": 4, "entries": ["1", "3"]}]
    assert found["seeds"] == ["1", "2", "3", "4"]


@pytest.mark.parametrize("ending", ["csv", "json", "xlsx", "pdf"])
def test_the_bracket_is_a_file_like_the_standings(salon: Salon, ending: str) -> None:
    row = after_semi_finals(salon)

    answer = Client().get(f"/tournaments/{row.pk}/files/bracket.{ending}")

    assert answer.status_code == 200
    if ending == "csv":
        assert (
            answer.content.decode("utf-8-sig")
            .splitlines()[3]
            .endswith(f"{ASHA},{ILSE},,,to be played")
        )
