"""A match of two teams at two tables, from the form that sets it up to the standings: drawn once,
lined up together, played, typed and counted table by table, decided by the sum.
"""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.test import Client

from scoring.errors import RuleViolation
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import does, draft, result
from tests.tournament.helpers.playing import a_command, told
from tournament.accounts.captain_links import links_of
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckInAll
from tournament.domain.tournament.results import ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.domain.tournament.team_line_ups import ChangeLineUp, HandInLineUp, OpenLineUps
from tournament.models import Game, Player, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.recording.tables.start_games import StartRequest, start_round
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

MATCHES = Stage(kind="swiss", rounds=3, line_up=2, tables_a_match=2)
FOXES = ("Asha Renn", "Bruno Sol", "Cato Liss", "Dora Venn", "Emil Lark")
OWLS = ("Fenn Moss", "Gila Hart", "Hanno Bell", "Ida Crane")
FORM = {
    "name": "League Night",
    "game": "precedence",
    "format": "swiss",
    "rounds": "3",
    "scale": "usual",
    "usual": "yes",
    "players": "2",
    "minutes": "45",
    "line_up": "2",
}


def entered(row: Tournament) -> Tournament:
    """Two teams that meet in round 1, which is published."""
    entries = [
        MakeEntry(
            players=tuple((str(place), name) for place, name in enumerate(names, 1)),
            entry_name=called,
        )
        for called, names in (("Foxes", FOXES), ("Owls", OWLS))
    ]
    return does(
        row,
        EnterPhase(phase="registration"),
        *entries,
        CheckInAll(),
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    )


@pytest.fixture
def row(salon: Salon) -> Tournament:
    return entered(draft(salon, MATCHES))


@pytest.fixture
def opened(row: Tournament) -> Tournament:
    """The same with its line-ups open: the Foxes' are named, the Owls' are the first four."""
    names = ("Emil Lark", "Asha Renn", "Dora Venn", "Bruno Sol")
    return does(row, HandInLineUp(round=1, entry="1", members=names), OpenLineUps(round=1))


def scores(row: Tournament, table: int, foxes: int, owls: int) -> object:
    """The result of a table, by what each team reached there."""
    seated = state_of(row).rounds[0].tables[table - 1].entries
    of = {"1": foxes, "2": owls}
    return result(table, of[seated[0]], of[seated[1]])


def test_the_form_sets_up_matches_of_several_tables_and_shows_them_again(owner: Client) -> None:
    def sent(**more: str) -> dict[str, str]:
        return FORM | {"command": a_command()} | more

    refused = owner.post("/tournaments/new/", sent(tables_a_match="5"))
    alone = owner.post("/tournaments/new/", sent(tables_a_match="2", line_up=""))
    words = owner.post("/tournaments/new/", sent(tables_a_match="two"))
    done = owner.post("/tournaments/new/", sent(tables_a_match="2"))

    assert refused.status_code == alone.status_code == 422
    assert words.status_code in (400, 422)
    assert "a match has up to 4 tables, not 5" in told(refused)
    assert "several tables a match are for teams" in told(alone)
    assert 'id="stage.tables_a_match-error"' in refused.text
    assert 'id="stage.tables_a_match-error"' in words.text
    assert done.status_code == 302
    row = Tournament.objects.get()
    assert state_of(row).stage.tables_a_match == 2
    page = owner.get(f"/tournaments/{row.pk}/desk/stage/").text
    assert (
        'name="tables_a_match" inputmode="numeric"\n              autocomplete="off" value="2"'
        in (page.replace("\r", ""))
    )


def test_a_later_stage_has_as_many_tables_where_teams_meet(owner: Client) -> None:
    later = {"stages.2.kind": "knockout", "stages.2.top": "2"}
    sent = FORM | later | {"tables_a_match": "2", "command": a_command()}

    assert owner.post("/tournaments/new/", sent).status_code == 302
    assert [stage.tables_a_match for stage in state_of(Tournament.objects.get()).every_stage] == [
        2,
        2,
    ]


def test_a_captain_names_the_players_of_every_table(row: Tournament) -> None:
    link, client = links_of(row, ["1"])["1"], Client()
    page = f"/captains/{link.token}/"
    client.post(page, {"pin": link.pin})

    asked = told(client.get(page))
    assert "Round 1, tables 1, 2" in asked
    assert asked.count("Table 1, ") == asked.count("Table 2, ") == 2
    chosen = {f"players.{place}": name for place, name in enumerate((*FOXES[:3], FOXES[0]))}
    sent = {"round:number": "1"} | chosen
    refused = client.post(page, sent | {"command": a_command()})
    assert refused.status_code == 422
    assert 'id="c-1-1-players.3-error"' in refused.text
    short = client.post(page, sent | {"command": a_command(), "players.3": ""})
    assert "4 of entry 1 play at the 2 tables of a match, not 3" in told(short)
    done = client.post(page, sent | {"command": a_command(), "players.3": FOXES[4]})
    assert done.status_code == 302
    assert "Handed in, sealed." in told(client.get(page))


def test_the_tables_of_a_match_stand_together_under_its_sum_so_far(
    owner: Client, opened: Tournament
) -> None:
    desk, public = f"/tournaments/{opened.pk}/desk/rounds/1/", f"/tournaments/{opened.pk}/"
    before = told(owner.get(desk))
    does(opened, scores(opened, 1, 240, 250))
    during, seats = told(owner.get(desk)), told(Client().get(public))
    does(opened, scores(opened, 2, 250, 100))
    after = told(owner.get(desk))

    assert before.count("One match at tables 1, 2.") == 1
    assert before.count("Change the line-up") == 4, "of two teams, on the button and the fold"
    for page in (during, seats):
        assert ("So far: 240 : 250." in page) or ("So far: 250 : 240." in page)
        assert "The result of table 2 is still missing." in page
        assert "Table 2 of 2 of the match" in page
    assert ("Sum over its tables: 490 : 350." in after) or (
        "Sum over its tables: 350 : 490." in after
    )
    assert "Emil Lark & Asha Renn" in seats
    assert "Dora Venn & Bruno Sol" in seats


def test_the_standings_say_how_a_match_was_decided_and_who_played_when(
    owner: Client, opened: Tournament
) -> None:
    does(opened, scores(opened, 1, 240, 250), scores(opened, 2, 250, 100), CloseRound(round=1))
    catch_up(opened.salon.log, PROJECTIONS)
    page = f"/tournaments/{opened.pk}/entries/1/"

    points = told(owner.get(f"{page}points/"))
    assert "by the sum over the 2 tables of the match" in points
    assert "Two teams meet at 2 tables at once" in told(
        owner.get(f"/tournaments/{opened.pk}/standings/")
    )
    assert points.count("From one line of the log") == 2
    path = told(owner.get(page))
    assert "240 : 250" in path
    assert "250 : 100" in path
    assert "490 : 350" in path
    assert "Emil Lark in round 1" in path
    assert "Cato Liss not played yet" in path
    assert list(audit(opened.salon)) == []


def test_games_begin_at_every_table_with_those_of_its_line_up(opened: Tournament) -> None:
    wish = StartRequest(
        round=1, actor="user:1", command=a_command(), version=opened.version, tables="all"
    )
    begun = start_round(opened.salon, opened.pk, wish).begun

    assert [each.table for each in begun] == [1, 2]
    opened.refresh_from_db()
    seated = {}
    for table in state_of(opened).rounds[0].tables:
        game = Game.objects.get(pk=table.game)
        names = Player.objects.in_bulk([*game.seats.values()])
        seated[table.table] = {names[player].name for player in game.seats.values()}
    assert seated == {
        1: {"Emil Lark", "Asha Renn", "Fenn Moss", "Gila Hart"},
        2: {"Dora Venn", "Bruno Sol", "Hanno Bell", "Ida Crane"},
    }


def test_the_pad_says_which_table_of_the_match_it_is(owner: Client, opened: Tournament) -> None:
    start_linked_game(
        opened.salon,
        opened.pk,
        round=1,
        table=2,
        label="7",
        actor="user:1",
        command=a_command(),
        version=opened.version,
    )
    pad = told(owner.get("/tables/7/"))
    assert "number 2 of the 2 tables of the match" in pad
    assert "Dora" in pad


def test_a_line_up_is_changed_and_a_substitute_sits_at_the_right_table(
    owner: Client, opened: Tournament
) -> None:
    others = ("Emil Lark", "Cato Liss", "Dora Venn", "Bruno Sol")
    change = ChangeLineUp(round=1, entry="1", members=others, reason="Asha was late")
    stand_in = ReplacePlayer(entry="1", players=(("4", "Nora Quill"),), from_round=1, until_round=1)
    does(opened, change, stand_in)

    seats = told(owner.get(f"/tournaments/{opened.pk}/"))
    assert "Emil Lark & Cato Liss" in seats
    assert "Nora Quill & Bruno Sol" in seats
    with pytest.raises(RuleViolation, match="4 of entry 1 play at the 2 tables of a match, not 2"):
        does(opened, ChangeLineUp(round=1, entry="1", members=others[:2], reason="none"))


def test_a_forfeit_decides_the_match_on_every_page(owner: Client, opened: Tournament) -> None:
    does(opened, scores(opened, 1, 200, 250))
    does(opened, ForfeitTable(round=1, table=2, absent=("2",), reason="They left."))
    does(opened, CloseRound(round=1))
    catch_up(opened.salon.log, PROJECTIONS)

    desk = told(owner.get(f"/tournaments/{opened.pk}/desk/rounds/1/"))
    assert ("Points: 1 : 0." in desk) or ("Points: 0 : 1." in desk)
    assert "won without a game" in told(owner.get(f"/tournaments/{opened.pk}/entries/1/points/"))
    assert owner.get(f"/tournaments/{opened.pk}/entries/2/").status_code == 200


def test_a_program_reads_the_match_and_its_tables(opened: Tournament) -> None:
    call, cup = owner_calls(opened.salon), f"tournaments/{opened.pk}/"
    does(opened, scores(opened, 1, 240, 250))

    read = call.get(f"{cup}rounds/1/").value
    (match,) = read["matches"]
    assert match["tables"] == [1, 2]
    assert match["lacking"] == [2]
    assert {
        team["entry"]: (team["name"], team["sum"], team["points"]) for team in match["teams"]
    } == {
        "1": ("Foxes", 240, None),
        "2": ("Owls", 250, None),
    }
    line_ups = {seat["entry"]: seat["line_up"] for seat in read["tables"][1]["seated"]}
    assert line_ups["1"] == ["Dora Venn", "Bruno Sol"]
    (step,) = call.get(f"{cup}entries/1/").value["path"]
    assert (step["tables"], step["own"], step["theirs"]) == ([1, 2], "240", "250")
    assert call.get(cup).value["stage"]["tables_a_match"] == 2


@pytest.mark.parametrize(
    "address",
    [
        "",
        "rounds/1/",
        "rounds/1/why/",
        "standings/",
        "entries/1/",
        "history/",
        "desk/",
        "desk/slips/",
    ],
)
def test_every_page_shows_a_match_of_several_tables(
    owner: Client, opened: Tournament, address: str
) -> None:
    for table in (1, 2):
        page = owner.get(f"/tournaments/{opened.pk}/{address}")
        assert page.status_code == 200
        does(opened, scores(opened, table, 250, 240))


def test_sheets_say_who_of_a_team_sits_at_which_table(owner: Client, opened: Tournament) -> None:
    does(opened, scores(opened, 1, 240, 250), scores(opened, 2, 250, 100))
    event = f"/tournaments/{opened.pk}/"
    results = owner.get(f"{event}files/results.csv?round=1").text.splitlines()

    assert [line for line in results if "Foxes: Emil Lark & Asha Renn,Owls: Fenn" in line]
    (second,) = [line for line in results if line.startswith("1,2,1,")]
    assert "Foxes: Dora Venn & Bruno Sol,Owls: Hanno Bell & Ida Crane,250,," in second


def of_four(salon: Salon, stage: Stage) -> Tournament:
    """Four teams in round 1, which is played: each match won by a table and lost by another."""
    row = draft(salon, stage)
    entries = [
        MakeEntry(players=tuple((str(place), f"{letter}{place} Venn") for place in range(1, 6)))
        for letter in "ABCD"
    ]
    does(row, EnterPhase(phase="registration"), *entries, CheckInAll())
    does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    does(row, OpenLineUps(round=1))
    results = [result(1, 240, 250), result(2, 250, 100), result(3, 240, 250), result(4, 250, 100)]
    return does(row, *results, CloseRound(round=1))


def test_a_match_of_a_knock_out_is_won_by_the_sum_over_its_tables(
    owner: Client, salon: Salon
) -> None:
    row = of_four(salon, replace(MATCHES, kind="knockout", rounds=None))
    winners = [table.entries[0] for table in state_of(row).rounds[0].tables[::2]]
    does(row, DrawRound(round=2), PublishRound(round=2))

    final = state_of(row).rounds[1].tables
    assert [set(table.entries) for table in final] == [set(winners)] * 2
    bracket = told(owner.get(f"/tournaments/{row.pk}/bracket/"))
    assert "490" in bracket
    assert "Match 3, Final; Table 2 of 2 of the match" in told(
        owner.get(f"/tournaments/{row.pk}/desk/rounds/2/")
    )


@pytest.mark.parametrize(
    "kind",
    [
        "round_robin",
        pytest.param("swiss", marks=pytest.mark.long),
        pytest.param("knockout", marks=pytest.mark.long),
    ],
)
def test_all_that_the_pages_of_such_matches_lead_to_answers(
    owner: Client, salon: Salon, kind: str
) -> None:
    rounds = 3 if kind == "swiss" else None
    row = of_four(salon, replace(MATCHES, kind=kind, rounds=rounds))
    catch_up(salon.log, PROJECTIONS)
    of_event = re.compile(f'href="(/tournaments/{row.pk}/[^"#]*)')
    seen = {f"/tournaments/{row.pk}/", f"/tournaments/{row.pk}/desk/"}
    waiting = sorted(seen)
    while waiting:
        page = owner.get(waiting.pop())
        assert page.status_code in (200, 302), page.request["PATH_INFO"]
        if page.headers.get("Content-Type", "").startswith("text/html"):
            links = {unescape(link) for link in of_event.findall(page.text)} - seen
            near = {link for link in links if "?at=" not in link and link.count("/") < 8}
            seen |= links
            waiting += sorted(near)
    assert any(link.endswith(".pdf") or "pdf" in link for link in seen)
