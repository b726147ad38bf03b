"""Teams of which some play (F10): line-ups are sealed, opened together, and bind; results count for
the team and for those who sat down.
"""

from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import Desk, drawn, played, result
from tournament.domain.rating import list_rated_tables
from tournament.domain.season.table import regulars, shares
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Entry, Stage
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import ForfeitTable
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import ChangeStage
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.team_line_ups import (
    HandInLineUp,
    LineUp,
    LineUpsOpened,
    OpenLineUps,
    commitment_of,
    find_chosen_places,
    still_sealed,
)

TEAMS = Stage(kind="swiss", rounds=5, tie_breaks=("buchholz",), line_up=2)
SIZES = (3, 4, 6, 2)


def teams(sizes: tuple[int, ...] = SIZES) -> Desk:
    """A tournament of teams with so many members each, round 1 published."""
    desk = Desk(TEAMS).does(EnterPhase(phase="registration"))
    for number, size in enumerate(sizes, 1):
        desk.does(
            MakeEntry(
                players=tuple((str(place), f"p{number}.{place}") for place in range(1, size + 1))
            ),
            CheckIn(entry=str(number)),
        )
    return desk.does(EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))


def sealed(desk: Desk, line_up: LineUp, round: int = 1) -> HandInLineUp:
    """The command by which a line-up is handed in."""
    return HandInLineUp(
        round=round,
        entry=line_up.entry,
        commitment=commitment_of(desk.now.record, round, line_up),
    )


def line_up(entry: str, *places: str, salt: str = "5a" * 32) -> LineUp:
    return LineUp(entry=entry, places=places, salt=salt)


def codes(desk: Desk, *commands: Any) -> list[str]:
    """The refusal of each of these, by its code."""
    found = []
    for command in commands:
        with pytest.raises(Refusal) as refusal:
            desk.does(command)
        found.append(refusal.value.code)
    return found


@pytest.mark.parametrize("seed", range(20))
def test_every_round_counts_for_those_who_were_lined_up_or_stood_in_for_them(seed: int) -> None:
    """The oracle writes down who is behind each place, and who of them sat down."""
    chance, desk = Random(seed), teams()
    behind = {entry.id: dict(entry.players) for entry in desk.now.entries}
    usual: dict[str, tuple[str, ...]] = {entry.id: ("1", "2") for entry in desk.now.entries}
    sat: dict[int, dict[str, tuple[str, ...]]] = {}
    for number in range(1, 4):
        given = []
        for entry in desk.now.entries:
            if chance.random() < 0.7:
                usual[entry.id] = tuple(chance.sample(sorted(behind[entry.id]), 2))
                given.append(line_up(entry.id, *usual[entry.id]))
                desk.does(sealed(desk, given[-1], number))
            if chance.random() < 0.3:
                place = chance.choice(sorted(behind[entry.id]))
                behind[entry.id][place] = f"s{number}.{entry.id}"
                desk.does(
                    ReplacePlayer(
                        entry=entry.id,
                        players=((place, behind[entry.id][place]),),
                        from_round=number,
                    )
                )
        desk.does(OpenLineUps(round=number, line_ups=tuple(given)))
        sat[number] = {
            key: tuple(behind[key][place] for place in places) for key, places in usual.items()
        }
        played(desk).does(DrawRound(round=number + 1), PublishRound(round=number + 1))

    field = field_of(desk.now, {})
    for team in field.entries:
        assert {number: team.players_in(number) for number in sat} == {
            number: people[team.id] for number, people in sat.items()
        }
    seated = [
        tuple(sat[each.number][key] for key in table.entries)
        for each in desk.now.rounds[:3]
        for table in sorted(each.tables, key=lambda table: table.table)
    ]
    assert [table.sides for table in list_rated_tables(field)] == seated
    written = write_tournament(field)
    assert read_tournament(written) == replace(field, entries=tuple(map(_sorted, field.entries)))


def _sorted(entry: Entry) -> Entry:
    return replace(entry, line_ups=tuple(sorted(entry.line_ups)))


def test_no_other_line_up_can_be_opened_than_the_one_that_was_sealed() -> None:
    desk = teams((3, 3))
    given = line_up("1", "1", "3")
    desk.does(sealed(desk, given))
    others = [
        line_up("1", *places, salt=salt)
        for places in permutations("123", 2)
        for salt in ("5a" * 32, "5b" * 32)
        if (places, salt) != (given.places, given.salt)
    ]

    for other in [*others, replace(given, salt=None)]:
        assert codes(desk, OpenLineUps(round=1, line_ups=(other,))) == ["bad_line_up"]
    assert codes(desk, OpenLineUps(round=1)) == ["line_up_missing"]
    desk.does(OpenLineUps(round=1, line_ups=(given,)))

    opened = desk.events[-1]
    assert isinstance(opened, LineUpsOpened)
    assert dict(desk.entry("1").players_in(1)) == {"1": "p1.1", "3": "p1.3"}
    assert [commitment_of("spring-cup", 1, each) for each in opened.line_ups if each.salt] == [
        desk.now.rounds[0].sealed[0][1]
    ]


def test_a_commitment_is_of_one_tournament_round_entry_line_up_and_salt() -> None:
    given = [
        (record, number, line_up(entry, *places, salt=salt))
        for record in ("cup", "cup2")
        for number in (1, 12)
        for entry in ("1", "2")
        for places in (("1", "2"), ("2", "1"), ("12",))
        for salt in ("00", "01")
    ]

    assert len({commitment_of(*each) for each in given}) == len(given)


def test_until_a_line_up_is_open_it_can_be_handed_in_anew_and_afterwards_not() -> None:
    desk = teams((3, 3))
    first, then = line_up("1", "1", "2"), line_up("1", "2", "3")

    desk.does(sealed(desk, first), sealed(desk, then))

    assert codes(desk, OpenLineUps(round=1, line_ups=(first,))) == ["bad_line_up"]
    desk.does(OpenLineUps(round=1, line_ups=(then,)))
    assert codes(desk, sealed(desk, first), OpenLineUps(round=1)) == ["line_ups_open"] * 2
    assert desk.entry("1").players_in(1) == (("2", "p1.2"), ("3", "p1.3"))
    assert still_sealed(desk.now) == {}


def test_who_hands_nothing_in_plays_with_the_first_members_and_then_as_last_time() -> None:
    desk = teams((3, 3))
    given = line_up("1", "3", "2")
    desk.does(sealed(desk, given), OpenLineUps(round=1, line_ups=(given,)))
    played(desk).does(DrawRound(round=2), PublishRound(round=2), OpenLineUps(round=2))

    lined_up = {entry.id: dict(entry.line_ups) for entry in desk.now.entries}

    assert lined_up == {
        "1": {1: ("3", "2"), 2: ("3", "2")},
        "2": {1: ("1", "2"), 2: ("1", "2")},
    }


def test_nothing_is_played_or_typed_at_a_table_before_its_line_ups_are_open() -> None:
    desk = teams((3, 3))

    assert (
        codes(desk, result(), LinkGame(round=1, table=1, game="f" * 32)) == ["line_ups_sealed"] * 2
    )
    desk.does(ForfeitTable(round=1, table=1, absent=("1",)))
    assert codes(desk, OpenLineUps(round=1)) == ["line_ups_open"], "nobody plays there"


def test_a_draw_made_anew_or_dropped_forgets_the_line_ups_of_its_round() -> None:
    desk = teams((3, 3))
    desk.does(sealed(desk, line_up("1", "1", "2")))
    desk.does(DrawRound(round=1), PublishRound(round=1))
    assert still_sealed(desk.now) == {}

    desk.does(OpenLineUps(round=1), DropRound(round=1))

    assert [entry.line_ups for entry in desk.now.entries] == [(), ()]


def test_a_team_that_is_seated_elsewhere_keeps_its_line_up() -> None:
    desk = teams((3, 3, 3, 3))
    one, other = desk.now.rounds[0].tables
    desk.does(OpenLineUps(round=1, table=one.table))
    desk.does(SwapEntries(round=1, one=one.entries[0], two=other.entries[0]))

    assert codes(desk, result(one.table)) == ["line_ups_sealed"]
    desk.does(OpenLineUps(round=1), result(one.table), result(other.table))

    assert [len(entry.line_ups) for entry in desk.now.entries] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        (("Asha", "Zoe"), "Zoe is no member of entry 1; name 2 of Asha, Bruno, Cato"),
        (("Asha", "Asha"), "Asha stands in the line-up twice"),
        (("Asha",), "2 of entry 1 play at a table, not 1"),
        (("Asha", "Bruno", "Cato"), "2 of entry 1 play at a table, not 3"),
        ((), "2 of entry 1 play at a table, not 0"),
    ],
)
def test_a_line_up_of_strangers_too_few_too_many_or_one_twice_is_refused(
    chosen: tuple[str, ...], words: str
) -> None:
    members = (("1", "Asha"), ("2", "Bruno"), ("3", "Cato"))

    with pytest.raises(Refusal, match=words) as refusal:
        find_chosen_places("1", members, chosen, 2)

    assert refusal.value.code == "bad_line_up"
    assert find_chosen_places("1", members, ("Cato", "Asha"), 2) == ("3", "1")


def test_a_line_up_is_for_a_published_round_and_an_entry_that_sits_in_it() -> None:
    desk = teams((3, 3, 3))
    out = desk.now.rounds[0].byes[0].entry

    assert codes(
        desk,
        HandInLineUp(round=2, entry="1"),
        HandInLineUp(round=1, entry=out),
        HandInLineUp(round=1, entry="9"),
        OpenLineUps(round=1, table=9),
    ) == ["round_missing", "entry_missing", "entry_missing", "table_missing"]
    assert (
        codes(drawn(4), HandInLineUp(round=1, entry="1"), OpenLineUps(round=1))
        == ["no_line_ups"] * 2
    )


def test_a_team_has_as_many_members_as_play_or_more_and_eight_at_most() -> None:
    desk = Desk(TEAMS).does(EnterPhase(phase="registration"))

    assert (
        codes(
            desk,
            *(MakeEntry(players=tuple((str(n), f"p{n}") for n in range(size))) for size in (1, 9)),
        )
        == ["bad_entry"] * 2
    )
    assert codes(Desk(), ChangeStage(name="Cup", stage=replace(TEAMS, line_up=3))) == ["no_format"]
    two = drawn(2).does(DropRound(round=1))
    two.does(ChangeStage(name="Cup", stage=TEAMS))
    assert two.now.stage.line_up == 2
    three = teams((3, 3)).does(DropRound(round=1))
    assert codes(three, ChangeStage(name="Cup", stage=replace(TEAMS, line_up=0))) == ["bad_entry"]


def test_in_a_season_all_who_sat_down_take_the_teams_rank_and_share_what_they_won() -> None:
    desk = teams((3, 3))
    first, then = line_up("1", "1", "2"), line_up("1", "1", "3")
    desk.does(sealed(desk, first), OpenLineUps(round=1, line_ups=(first,)))
    played(desk).does(DrawRound(round=2), PublishRound(round=2))
    desk.does(sealed(desk, then, 2), OpenLineUps(round=2, line_ups=(then,)))
    played(desk)
    team = next(entry for entry in field_of(desk.now, {}).entries if entry.id == "1")

    assert regulars(team, 2) == ("p1.1", "p1.2", "p1.3")
    assert {each.player: each.points for each in shares(team, {1: 100, 2: 50}, 2)} == {
        "p1.1": 150, "p1.2": 100, "p1.3": 50,
    }  # fmt: skip


WRITTEN = {
    "format": "salon-tournament/1",
    "id": "cup",
    "game": "precedence",
    "stage": {"kind": "swiss", "rounds": 3, "line_up": 2},
    "entries": [
        {"id": "1", "players": ["Asha", "Bruno", "Cato"]},
        {"id": "2", "players": ["Dora", "Emil"]},
    ],
}
TABLE: dict[str, Any] = {
    "table": 1,
    "entries": ["1", "2"],
    "line_ups": {"1": ["Asha", "Cato"], "2": ["Emil", "Dora"]},
    "result": {"1": {"score": 250}, "2": {"score": 180}},
}


def written(**changed: Any) -> dict[str, Any]:
    """The file with its one table changed; what is None is left out."""
    table = {key: value for key, value in (TABLE | changed).items() if value is not None}
    return WRITTEN | {"rounds": [{"tables": [table]}]}


def test_a_file_says_at_each_table_who_played_and_is_written_the_same() -> None:
    tournament = read_tournament(written())

    assert tournament.entries[0].players_in(1) == ("Asha", "Cato")
    again = write_tournament(tournament)
    assert again["rounds"][0]["tables"][0]["line_ups"] == TABLE["line_ups"]
    assert again["stage"]["line_up"] == 2
    assert read_tournament(again) == tournament


@pytest.mark.parametrize(
    ("line_ups", "words", "path"),
    [
        ({"1": ["Asha", "Zoe"], "2": ["Emil", "Dora"]}, "Zoe is no member of entry 1", "1[1]"),
        ({"1": ["Asha"], "2": ["Emil", "Dora"]}, "2 of entry 1 play at a table, each once", "1"),
        ({"1": ["Asha", "Asha"], "2": ["Emil", "Dora"]}, "name 2 of Asha, Bruno, Cato", "1"),
        ({"2": ["Emil", "Dora"]}, "who of entry 1 played in round 1", "1"),
        (None, "who of entry 1 played in round 1", "1"),
        ({"3": ["Emil", "Dora"]}, "3", "3"),
        ({"1": [7, "Asha"]}, "text", "1[0]"),
        ({"1": "Asha"}, "list", "1"),
    ],
)
def test_a_file_with_a_line_up_that_cant_be_is_refused_where_it_stands(
    line_ups: object, words: str, path: str
) -> None:
    with pytest.raises(Refusal, match=words) as refusal:
        read_tournament(written(line_ups=line_ups))

    assert refusal.value.path == f"rounds[0].tables[0].line_ups.{path}"


def test_a_file_without_a_line_up_in_its_stage_has_none_at_its_tables() -> None:
    pairs = [{"id": "1", "players": ["Asha", "Cato"]}, {"id": "2", "players": ["Dora", "Emil"]}]
    file = written() | {"stage": {"kind": "swiss", "rounds": 3}, "entries": pairs}

    with pytest.raises(Refusal, match="all of an entry play at a table here"):
        read_tournament(file)


def test_a_team_without_a_name_of_its_own_is_read_as_long_as_it_is_written() -> None:
    members = [f"{letter * 60} of the Hall" for letter in "ABCDEFGH"]
    file = WRITTEN | {
        "entries": [
            {"id": "1", "name": " & ".join(members), "players": members},
            {"id": "2", "players": ["Dora", "Emil"]},
        ],
        "rounds": [],
    }

    tournament = read_tournament(file)
    assert read_tournament(write_tournament(tournament)) == tournament
