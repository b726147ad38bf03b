"""Substitutes: from a round on another person plays at a place of an entry, and each round counts
for those who sat in it.
"""

from random import Random
from typing import Any

import pytest

from scoring.errors import Refusal
from tests.tournament.domain.tournament.desk import Desk, drawn, played, result, with_entries
from tournament.domain.rating import list_rated_tables
from tournament.domain.season.table import regulars
from tournament.domain.standings.values import Entry
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subjects import evolve
from tournament.domain.tournament.substitutes import PlayerReplaced, ReplacePlayer

type Lineups = dict[int, dict[str, dict[str, str]]]  # by round and entry who plays at which place

ROUNDS = 4


def substitute(
    entry: str,
    place: str,
    player: str,
    from_round: int | None = None,
    until_round: int | None = None,
) -> ReplacePlayer:
    return ReplacePlayer(
        entry=entry, players=((place, player),), from_round=from_round, until_round=until_round
    )


def players_of(desk: Desk, entry: str, number: int) -> dict[str, str]:
    found = desk.now.entry(entry)
    assert found is not None
    return dict(found.players_in(number))


@pytest.mark.parametrize("seed", range(40))
def test_every_round_counts_for_those_who_sat_in_it(seed: int) -> None:
    """The oracle writes each round's people down in a table, and overwrites them from the round of
    a substitute on.
    """
    chance = Random(seed)
    desk = drawn(6)
    sat: Lineups = {
        n: {str(e): {"1": f"a{e}", "2": f"b{e}"} for e in range(1, 7)} for n in range(1, ROUNDS + 2)
    }
    for number in range(1, ROUNDS + 1):
        for new in range(chance.randrange(3)):
            entry, place, begins = (
                str(chance.randint(1, 6)),
                chance.choice("12"),
                chance.randint(1, number),
            )
            until = chance.choice([None, begins, begins + 1])
            desk.does(substitute(entry, place, f"s{number}.{new}", begins, until))
            for later in range(begins, ROUNDS + 2 if until is None else min(until, ROUNDS + 1) + 1):
                sat[later][entry][place] = f"s{number}.{new}"
        played(desk)
        if number < ROUNDS:
            desk.does(DrawRound(round=number + 1), PublishRound(round=number + 1))

    for number, of_entries in sat.items():
        assert {entry: players_of(desk, entry, number) for entry in of_entries} == of_entries
    seated = [
        tuple(tuple(sat[each.number][entry].values()) for entry in table.entries)
        for each in desk.now.rounds
        for table in sorted(each.tables, key=lambda table: table.table)
    ]
    assert [table.sides for table in list_rated_tables(field_of(desk.now, {}))] == seated


def test_a_substitute_counts_from_the_round_the_entry_has_not_begun_to_play() -> None:
    desk = drawn(4)
    table = next(table for table in desk.now.rounds[0].tables if "1" in table.entries)

    assert desk.now.next_to_play("1") == 1, "published, nothing played: this very round"
    desk.does(result(table.table))
    assert desk.now.next_to_play("1") == 2, "the own table is played"
    other = next(entry for entry in ("2", "3", "4") if entry not in table.entries)
    assert desk.now.next_to_play(other) == 1, "the others still play"

    desk.does(substitute("1", "2", "new"))

    assert players_of(desk, "1", 1) == {"1": "a1", "2": "b1"}
    assert players_of(desk, "1", 2) == {"1": "a1", "2": "new"}


def test_a_game_that_has_begun_is_played_by_those_who_sat_down_to_it() -> None:
    desk = drawn(4).does(LinkGame(round=1, table=1, game="f" * 32))
    entry = desk.now.rounds[0].tables[0].entries[0]

    desk.does(substitute(entry, "1", "new"))

    assert players_of(desk, entry, 1)["1"] == f"a{entry}"
    assert players_of(desk, entry, 2)["1"] == "new"


def test_a_fact_stored_without_a_round_counts_from_the_one_the_entry_was_to_play_next() -> None:
    desk = played(drawn(4)).does(DrawRound(round=2), PublishRound(round=2))

    state = evolve(desk.now, PlayerReplaced(entry="1", players=(("2", "new"),)))

    assert state == evolve(
        desk.now, PlayerReplaced(entry="1", players=(("2", "new"),), from_round=2)
    )


def test_who_was_replaced_by_mistake_and_put_back_leaves_no_trace() -> None:
    desk = played(drawn(4)).does(DrawRound(round=2), PublishRound(round=2))
    before = desk.now.entries

    desk.does(substitute("1", "2", "new"), substitute("1", "2", "b1"))

    assert desk.now.entries == before


def test_after_a_substitute_for_one_round_the_first_plays_again_by_themselves() -> None:
    desk = drawn(4).does(substitute("1", "2", "new", 1, 1))

    assert players_of(desk, "1", 1) == {"1": "a1", "2": "new"}
    assert players_of(desk, "1", 2) == {"1": "a1", "2": "b1"}
    played(desk).does(DrawRound(round=2), PublishRound(round=2), substitute("2", "2", "new"))
    assert players_of(desk, "2", 2)["2"] == "new", "who stood in for one round is free in the next"


def test_a_substitute_for_one_round_taken_back_leaves_no_trace() -> None:
    desk = played(drawn(4)).does(DrawRound(round=2), PublishRound(round=2))
    before = desk.now.entries

    desk.does(substitute("1", "2", "new", 2, 2), substitute("1", "2", "b1", 2, 2))

    assert desk.now.entries == before


def code_of(desk: Desk, command: Any) -> str:
    before = desk.state
    with pytest.raises(Refusal) as refusal:
        desk.does(command)
    assert desk.state == before
    return refusal.value.code


def after_a_change() -> Desk:
    """Round 1 closed, round 2 drawn; from it on `new` plays for entry 1 in the place of b1."""
    desk = played(drawn(4)).does(DrawRound(round=2), PublishRound(round=2))
    return desk.does(substitute("1", "2", "new"))


@pytest.mark.parametrize(
    ("desk", "command", "code"),
    [
        (drawn(4), substitute("1", "2", "new", 0), "round_missing"),
        (drawn(4), substitute("1", "2", "new", 3), "round_missing"),
        (with_entries(4), substitute("1", "2", "new", 2), "round_missing"),
        (drawn(4), substitute("1", "2", "a1"), "player_twice"),
        (after_a_change(), substitute("2", "1", "b1", 1), "player_twice"),
        (after_a_change(), substitute("2", "1", "new"), "player_twice"),
        (after_a_change(), substitute("2", "1", "new", 1, 2), "player_twice"),
        (after_a_change(), substitute("2", "1", "other", 2, 1), "round_missing"),
    ],
)
def test_nobody_plays_twice_in_a_round_or_from_a_round_that_is_none(
    desk: Desk, command: Any, code: str
) -> None:
    assert code_of(desk, command) == code


def test_who_was_replaced_may_play_for_another_from_then_on() -> None:
    desk = after_a_change().does(substitute("2", "1", "b1", 2))

    assert players_of(desk, "2", 2)["1"] == "b1"
    desk.does(MakeEntry(players=(("1", "a2"), ("2", "fresh"))))
    assert desk.now.entries[-1].joined_in == 3


def test_folding_in_parts_is_folding_all_with_substitutes() -> None:
    desk = played(after_a_change()).does(EnterPhase(phase="finished"))
    state: State | None = None

    for event in desk.events:
        state = evolve(state, event)

    assert state == desk.state


def entry_of(
    *earlier: tuple[int, tuple[str, ...]],
    now: tuple[str, ...],
    joined_in: int = 1,
    withdrawn_after: int | None = None,
) -> Entry:
    return Entry(
        id="1",
        name="1",
        players=now,
        earlier=earlier,
        joined_in=joined_in,
        withdrawn_after=withdrawn_after,
    )


@pytest.mark.parametrize(
    ("entry", "rounds", "expected"),
    [
        (entry_of(now=("a", "b")), 5, {"a", "b"}),
        (entry_of((4, ("a", "b")), now=("a", "c")), 5, {"a", "b"}),
        (entry_of((1, ("a", "b")), now=("a", "c")), 5, {"a", "c"}),
        (entry_of((2, ("a", "b")), now=("a", "c")), 4, {"a", "b", "c"}),
        (entry_of((3, ("a", "b")), now=("a", "c"), joined_in=3), 6, {"a", "c"}),
        (entry_of((3, ("a", "b")), now=("a", "c"), withdrawn_after=4), 9, {"a", "b"}),
        (entry_of((1, ("a", "b")), now=("a", "c")), 0, {"a", "c"}),
    ],
)
def test_a_season_counts_for_those_who_played_half_of_an_entry_s_rounds(
    entry: Entry, rounds: int, expected: set[str]
) -> None:
    assert set(regulars(entry, rounds)) == expected
