"""The plan of an event: who may see it when, what stands in it, and that it is what is drawn."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import combinations

import pytest
from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.answers import Shown
from tests.tournament.helpers.evenings import does, draft, here, registered
from tests.tournament.helpers.every_format import plays
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import member, owner_of
from tests.tournament.helpers.singles import drawn, entered, published
from tournament.domain.pairing.schedule import schedule, write_schedule
from tournament.domain.standings.deal_points import shown_points_of_rounds
from tournament.domain.standings.values import Movement, Pods, Result, Scale, Stage, Takes
from tournament.domain.standings.values import Tournament as Counted
from tournament.domain.tournament.cuts import BeginStage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.standings_view import field_of, view_current_stage
from tournament.models import Salon, Tournament
from tournament.recording.tournaments import open_tournament
from tournament.streams.tournament_rows import state_of

PODS = Stage(kind="pods", pods=Pods(sizes=(3,)), scale=Scale(kind="chips", bye=0))
ROUND_ROBIN = Stage(kind="round_robin", tie_breaks=("wins",))


class Rows(HTMLParser):
    """The cells of every row of a page's tables, as words."""

    def __init__(self, answer: Shown) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(answer.content.decode())

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.inside = tag in ("td", "th") or (self.inside and tag not in ("tr", "table"))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside and self.rows:
            self.rows[-1][-1] = " ".join(f"{self.rows[-1][-1]} {data}".split())


def plan(row: Tournament, client: Client | None = None, query: str = "") -> Shown:
    return (client or Client()).get(f"/tournaments/{row.pk}/plan/{query}")


@pytest.mark.parametrize("page", ["plan/", "plan/crosstable/", "files/plan.csv"])
def test_there_is_no_plan_before_round_1_is_published_but_for_the_director(
    salon: Salon, page: str
) -> None:
    row, owner = drawn(salon, 5), owner_of(salon)

    for client, status in ((Client(), 404), (member(salon, "scorer"), 404), (owner, 200)):
        assert client.get(f"/tournaments/{row.pk}/{page}").status_code == status

    does(row, PublishRound(round=1))
    assert Client().get(f"/tournaments/{row.pk}/{page}").status_code == 200


def test_before_the_first_draw_the_director_sees_a_preview(salon: Salon) -> None:
    row = entered(salon, 5)

    assert "A preview for the desk" in told(owner_of(salon).get(f"/tournaments/{row.pk}/plan/"))
    assert Client().get(f"/tournaments/{row.pk}/plan/").status_code == 404


def test_a_swiss_and_a_draft_have_no_plan(salon: Salon) -> None:
    owner = owner_of(salon)

    for row in (registered(salon), draft(salon, ROUND_ROBIN)):
        assert owner.get(f"/tournaments/{row.pk}/plan/").status_code == 404


def test_every_round_is_on_the_page_with_its_tables_and_who_sits_out(salon: Salon) -> None:
    row = published(salon, 5)

    rows = Rows(plan(row)).rows

    tables = [cells for cells in rows if cells[0] == "1"]
    out = [cells[1] for cells in rows if cells[0].startswith("–")]
    assert len(tables) == len(out) == 5
    assert {each.split(" sits")[0] for each in out} == {
        f"Player 0{number}" for number in range(1, 6)
    }
    assert all(re.findall(r"Player 0\d ([NESW])\b", cells[1]) == [*"NESW"] for cells in tables)
    assert "bose-cameron 5" in told(plan(row))
    assert "10 pairs once" in told(plan(row))


def test_what_is_planned_is_what_is_drawn(salon: Salon) -> None:
    row = published(salon, 5)
    before = [cells for cells in Rows(plan(row)).rows if cells[0] == "1"]

    for number in (1, 2):
        results = (Result(score=25000), Result(score=18000))
        does(
            row,
            EnterResult(round=number, table=1, results=results),
            CloseRound(round=number),
            DrawRound(round=number + 1),
            PublishRound(round=number + 1),
        )

    assert [cells for cells in Rows(plan(row)).rows if cells[0] == "1"] == before
    assert told(plan(row)).count("as drawn") == 3


def test_the_plan_of_one_entry_says_with_whom_and_against_whom(salon: Salon) -> None:
    row = published(salon, 5)

    steps = Rows(plan(row, query="?entry=1")).rows[1:]

    said = [
        re.findall(r"with (Player \d\d), against (Player \d\d) and (Player \d\d)", each[2])
        for each in steps
    ]
    played = [found[0] for found in said if found]
    assert len(steps) == 5
    assert [each[2] for each, found in zip(steps, said, strict=True) if not found] == ["sits out"]
    assert sorted(partner for partner, *_ in played) == [
        f"Player 0{number}" for number in range(2, 6)
    ]


def test_whoever_sits_out_has_the_seat_of_who_left_in_the_rounds_to_come(salon: Salon) -> None:
    row = does(published(salon, 5), Withdraw(entry="2", reason=None))

    page = plan(row)

    assert "free seat" not in told(page)
    later = [cells[1] for cells in Rows(page).rows if cells[0] == "1"][1:]
    assert not any("Player 02" in cells for cells in later)
    assert all(f"Player 0{number}" in cells for number in (1, 3, 4, 5) for cells in later)


def test_who_sits_how_often_at_tables_of_which_size_is_said_to_all_and_to_each(
    salon: Salon,
) -> None:
    four = Stage(kind="pods", rounds=4, pods=Pods(sizes=(4, 3)), scale=Scale(kind="chips", bye=0))
    row = published(salon, 13, four, "contract_sabacc")

    page = told(plan(row))
    counted = schedule(view_current_stage(state_of(row), {})[0]).counted
    assert {size for size, _counts in counted.table_sizes} == {4, 3}
    for size, counts in counted.table_sizes:
        assert f"Tables of {size}" in page
        assert sum(many for _times, many in counts) == 13
    assert "not everybody sits equally often at each: at tables of 4 somebody sits once" in page
    own = told(plan(row, query="?entry=1"))
    assert re.search(r"Sits \S+( times)? at tables of 4 and \S+( times)? at tables of 3\.", own)
    assert not re.search(r"Tables of \d", told(plan(published(salon, 9, PODS, "preference"))))


def test_the_seats_of_a_pod_to_come_are_not_named_for_its_dealer_is_drawn_with_the_round(
    salon: Salon,
) -> None:
    row = published(salon, 9, PODS, "preference")

    tables = [cells[1] for cells in Rows(plan(row)).rows if cells[0] in ("1", "2", "3")]

    assert [bool(re.search(r"Player \d\d [ABC]\b", each)) for each in tables[:4]] == [True] * 3 + [
        False
    ]


def test_the_crosstable_has_each_meeting_on_both_sides(salon: Salon) -> None:
    row = published(salon, 5)

    crossed = Rows(Client().get(f"/tournaments/{row.pk}/plan/crosstable/")).rows[1:]

    assert len(crossed) == 5
    for one, two in combinations(range(5), 2):
        met = crossed[one][two + 1]
        assert met == crossed[two][one + 1]
        assert len(met.split()) - met.count("as partners") * 2 == 3
        assert met.count("+") == 1


def test_results_come_into_the_crosstable_and_stay_out_of_silent_rounds(salon: Salon) -> None:
    row = published(salon, 5)
    (table,) = state_of(row).rounds[0].tables
    does(row, EnterResult(round=1, table=1, results=(Result(score=25100), Result(score=18000))))
    address = f"/tournaments/{row.pk}/plan/crosstable/"
    winner, loser = table.entries[0], table.entries[1]

    crossed = Rows(Client().get(address)).rows[1:]
    assert "1 1" in crossed[int(winner) - 1][int(loser)]
    assert "1 0" in crossed[int(loser) - 1][int(winner)]

    does(row, BeginSilence(from_round=1))
    assert "1 1" not in Rows(Client().get(address)).rows[int(winner)][int(loser)]
    assert "<small>" in owner_of(salon).get(address).text
    assert "<small>" not in Client().get(address).text


def test_paper_takes_a_crosstable_that_can_be_read_there(salon: Salon) -> None:
    few, many = published(salon, 9), published(salon, 44)

    answers = [Client().get(f"/tournaments/{row.pk}/files/crosstable.pdf") for row in (few, many)]

    assert [answer.status_code for answer in answers] == [200, 422]
    assert "paper has room for 42 columns, not for 46" in answers[1].content.decode()


def test_the_schedule_of_the_api_is_that_of_the_command(salon: Salon) -> None:
    row, calls = published(salon, 5), owner_calls(salon)
    state = state_of(row)
    field = field_of(state, {})

    answer = calls.get(f"tournaments/{row.pk}/schedule/")

    assert answer.status == 200
    told_there = dict(answer.value)
    assert told_there.pop("moves") == ""
    assert told_there == json.loads(json.dumps(write_schedule(field, schedule(field))))


def test_a_round_of_the_api_has_its_construction_counts_and_dealers(salon: Salon) -> None:
    row = published(salon, 5)

    answer = owner_calls(salon).get(f"tournaments/{row.pk}/rounds/1/").value

    assert answer["construction"] == "bose-cameron 5"
    assert answer["counted"]["partners"] == [[1, 10]]
    assert answer["tables"][0]["dealer"] in [*"NESW"]


def test_deals_stand_in_the_plan_of_a_movement(salon: Salon) -> None:
    stage = Stage(kind="movement", movement=Movement(movement="howell"), tie_breaks=("wins",))
    row = registered(salon, 6, stage)

    rows = Rows(owner_of(salon).get(f"/tournaments/{row.pk}/plan/")).rows

    assert ["Table", "Who sits there", "Deals"] in rows
    assert any(cells[-1] == "1–2" for cells in rows)


def test_a_round_robin_has_a_plan_too(salon: Salon) -> None:
    row = registered(salon, 4, ROUND_ROBIN)

    page = owner_of(salon).get(f"/tournaments/{row.pk}/plan/")

    assert "berger 4" in told(page)
    assert "6 pairs once" in told(page)


def test_where_no_plan_fits_the_page_and_the_desk_say_so_with_what_would(salon: Salon) -> None:
    stage = Stage(kind="pods", pods=Pods(sizes=(5, 4)), scale=Scale(kind="chips", bye=0))
    row, owner = entered(salon, 7, stage, "contract_sabacc"), owner_of(salon)

    words = told(owner.get(f"/tournaments/{row.pk}/plan/"))
    desk = told(owner.get(f"/tournaments/{row.pk}/desk/"))

    why = "7 players can't all sit at tables of 5, 4"
    assert why in words
    assert why in desk
    assert "with tables of 3 too all can" in desk
    assert "The format doesn’t fit the entries" in desk


def test_the_desk_warns_of_three_pairs_for_a_movement_and_is_content_with_five(
    salon: Salon,
) -> None:
    stage = Stage(kind="movement", tie_breaks=("wins",))
    owner = owner_of(salon)

    few, enough = registered(salon, 3, stage), registered(salon, 5, stage)

    assert "3 pairs are too few for a movement" in told(owner.get(f"/tournaments/{few.pk}/desk/"))
    assert "too few" not in told(owner.get(f"/tournaments/{enough.pk}/desk/"))


def test_why_they_meet_shows_what_was_counted(salon: Salon) -> None:
    row = published(salon, 5)

    words = told(Client().get(f"/tournaments/{row.pk}/rounds/1/why/"))

    assert "Made as bose-cameron 5" in words
    assert "How often any two play together. 10 pairs once" in words
    assert "sits out" in words


def test_a_plan_without_a_number_of_rounds_does_not_end_after_the_first(salon: Salon) -> None:
    row = does(
        published(salon, 5),
        EnterResult(round=1, table=1, results=(Result(score=25100), Result(score=18000))),
        CloseRound(round=1),
    )

    assert "Draw round 2" in told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/"))


def with_a_final_of_all(salon: Salon) -> Tournament:
    """Two rounds of Swiss, then three pairs of four in a round robin whose first round is drawn."""
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Festival",
        game="precedence",
        stage=Stage(rounds=2),
        later=(Stage(kind="round_robin", takes=Takes(top=4)),),
        seed=7,
    )
    pairs = [(("1", f"Ada {number}"), ("2", f"Ben {number}")) for number in range(1, 7)]
    row = does(row, EnterPhase(phase="registration"), *map(entry_of, pairs))
    row = does(row, *here(row), EnterPhase(phase="running"))
    for number in (1, 2):
        row = plays(row, number)
    return does(row, BeginStage(stage=2), DrawRound(round=3))


def entry_of(pair: tuple[tuple[str, str], ...]) -> MakeEntry:
    return MakeEntry(players=pair)


def test_the_plan_of_a_later_stage_counts_its_rounds_after_those_before_it(salon: Salon) -> None:
    row, owner = with_a_final_of_all(salon), owner_of(salon)

    page = told(plan(row, owner))

    assert re.findall(r"Round (\d+) as (\w+)", page) == [
        ("3", "drawn"),
        ("4", "planned"),
        ("5", "planned"),
    ]
    crossed = told(owner.get(f"/tournaments/{row.pk}/plan/crosstable/"))
    assert "1.0" not in crossed.split("Who meets whom in which round")[-1], "nothing is played"


def test_the_plan_of_a_later_stage_is_there_for_everybody_once_its_first_round_is_published(
    salon: Salon,
) -> None:
    """Until then it would say who goes on, and whom they meet."""
    row = with_a_final_of_all(salon)

    for page in ("plan/", "plan/crosstable/", "files/plan.csv"):
        assert Client().get(f"/tournaments/{row.pk}/{page}").status_code == 404
    does(row, PublishRound(round=3))
    assert Client().get(f"/tournaments/{row.pk}/plan/").status_code == 200


@pytest.mark.parametrize("page", ["plan/crosstable/", "entries/1/", "files/crosstable.csv"])
def test_the_points_of_a_page_with_many_rounds_are_counted_once(
    salon: Salon, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = registered(salon, 4, ROUND_ROBIN)
    row = does(row, *here(row), EnterPhase(phase="running"))
    for number in (1, 2, 3):
        row = plays(row, number)
    counted = Counter[str]()

    def counting(tournament: Counted) -> object:
        counted["rounds"] += 1
        return shown_points_of_rounds(tournament)

    monkeypatch.setattr("tournament.queries.tournament.shown_points_of_rounds", counting)

    assert Client().get(f"/tournaments/{row.pk}/{page}").status_code == 200
    assert counted["rounds"] == 1


def test_a_crosstable_larger_than_a_page_is_a_file(salon: Salon) -> None:
    row, owner = drawn(salon, 56), owner_of(salon)

    assert "Who meets whom in which round" not in told(plan(row, owner))
    assert owner.get(f"/tournaments/{row.pk}/plan/crosstable/").status_code == 404
    assert owner.get(f"/tournaments/{row.pk}/files/crosstable.csv").status_code == 200


def test_of_a_long_plan_a_page_has_a_round_the_first_that_is_not_drawn_else_the_one_asked_for(
    salon: Salon,
) -> None:
    row, owner = drawn(salon, 56), owner_of(salon)

    assert re.findall(r"Round (\d+) as (\w+)", told(plan(row, owner))) == [("2", "planned")]
    assert re.findall(r"Round (\d+) as", told(plan(row, owner, "?round=40"))) == ["40"]
    assert re.findall(r"Round (\d+) as", told(plan(row, owner, "?round=nonsense"))) == ["2"]
    assert len(Rows(plan(row, owner, "?entry=1")).rows) == 1 + 55
