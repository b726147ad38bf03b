"""Who sits out of a Swiss: the lowest placed of the lowest score who may, as FIDE has it; older
engines draw as they did.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.domain.pairing.generated import an_event, rounds_played
from tests.tournament.domain.pairing.reference import Reference, can_all_meet_anew
from tests.tournament.domain.standings.made import event
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import Reason
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import ENGINES, Round, Tournament
from tournament.domain.standings.writing import write_tournament

FIRST_ENGINE = (Path(__file__).parent / "samples" / "engine_1.jsonl").read_text().splitlines()
EVENTS = 400


def may_sit_out(tournament: Tournament) -> list[str]:
    """Those of the lowest score among the playing who never got a win's points without playing,
    counted from the rounds alone.
    """
    reference = Reference(tournament)
    had = {
        bye.entry for played in tournament.rounds for bye in played.byes if bye.kind == "pairing"
    }
    had |= {entry for played in tournament.rounds for entry in forfeits_won(played)}
    free = [entry for entry in reference.playing if entry not in had]
    lowest = min((reference.points[entry] for entry in free), default=0)
    return [entry for entry in free if reference.points[entry] == lowest]


def forfeits_won(played: Round) -> Iterator[str]:
    for table in played.tables:
        if table.forfeit:
            best = max(result.points or 0 for result in table.results)
            yield from (
                entry
                for entry, result in zip(table.entries, table.results, strict=True)
                if result.points == best
            )


def lowest_placed(tournament: Tournament, among: list[str]) -> set[str]:
    """Those of the worst rank, by the standings that a page would show before the draw."""
    ranks = {row.entry: row.rank for row in standings(tournament).rows}
    worst = max(ranks[entry] for entry in among)
    return {entry for entry in among if ranks[entry] == worst}


def check_byes(first: int, last: int) -> None:
    """In every odd round that can be drawn so without a rematch, one of the lowest placed who may
    sits out.
    """
    seen = 0
    for seed in range(first, last):
        made = an_event(seed, least=5, most=21)
        made = replace(
            made, stage=replace(made.stage, tie_breaks=("buchholz_cut_1", "buchholz", "wins"))
        )
        for tournament, drawn in rounds_played(made):
            free = may_sit_out(tournament) if drawn.byes else []
            due = lowest_placed(tournament, free) if free else set()
            if due and can_all_meet_anew(Reference(tournament), *due):
                seen += 1
                assert set(drawn.byes) <= due, (seed, drawn.round)
                assert drawn.byes_why[0][0].cost == 0
    assert seen > (last - first) // 2


def test_the_lowest_placed_of_the_lowest_score_sits_out() -> None:
    check_byes(0, 40)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, EVENTS, 40))
def test_the_lowest_placed_sits_out_in_many_events(first: int) -> None:
    check_byes(first, first + 40)


def test_tie_breaks_decide_which_of_equal_scores_sits_out() -> None:
    """b and d have half a point each; d's opponents have fewer points than b's."""
    played = event("a1-0b c1-0d e1-0f g+", "a1-0c e1-0g b=d f+", tie_breaks=("buchholz",))

    assert {draw(replace(played, seed=seed)).byes for seed in range(20)} == {("d",)}
    assert {draw(replace(played, seed=seed, engine=ENGINES[0])).byes for seed in range(20)} == {
        ("b",),
        ("d",),
    }


def test_the_option_lets_whoever_leaves_the_best_draw_sit_out() -> None:
    """Among the lowest score; the standings don't choose."""
    cup = event("a1-0b c1-0d e1-0f g=h i+", tie_breaks=("score_difference",))
    free = replace(cup, stage=replace(cup.stage, bye_to="lowest_score"))

    byes = {draw(replace(free, seed=seed)).byes[0] for seed in range(40)}
    assert len(byes) > 1
    assert byes <= set("bdf")
    assert all(reason.tier != "bye_place" for reason in draw(free).byes_why[0])
    assert read_tournament(write_tournament(free)) == free


def test_who_won_by_forfeit_does_not_sit_out() -> None:
    """FIDE C.04.1: who has scored a win without playing does not receive the
    pairing-allocated bye.
    """
    cup = event("c+-a b1-0d e+", "b1-0c a1-0e d+")

    assert {draw(replace(cup, seed=seed)).byes for seed in range(20)} == {("a",)}
    assert {draw(replace(cup, seed=seed, engine=ENGINES[0])).byes for seed in range(20)} == {("c",)}


def test_a_forfeit_counts_for_the_bye_as_one_who_sat_out() -> None:
    """Everybody got a point without playing; the draw says that somebody does again."""
    drawn = draw(event("c+-a b1-0d e+", "a1-0c b1-0e d+", "b+-c d1-0e a+"))

    assert [
        (reason.tier, reason.cost) for reason in drawn.broken if reason.tier == "bye_again"
    ] == [("bye_again", 1)]


@pytest.mark.parametrize("line", FIRST_ENGINE)
def test_a_draw_of_the_first_engine_is_drawn_again_as_it_was(line: str) -> None:
    known: dict[str, Any] = json.loads(line)
    before = read_tournament(known["before"] | {"draw": {"engine": known["engine"]}})
    again = draw(before)

    assert (again.engine, again.digest, list(again.byes)) == (
        ENGINES[0],
        known["digest"],
        known["byes"],
    )
    assert [[table.table, list(table.entries), table.dealer] for table in again.tables] == known[
        "tables"
    ]


def test_the_reasons_of_a_bye_say_where_the_standings_place_it() -> None:
    drawn = draw(event("a1-0b d1-0c e+", "a1-0d e1-0b c+"))

    assert drawn.byes == ("b",)
    assert drawn.byes_why[0] == (
        Reason(tier="bye_again", cost=0),
        Reason(tier="bye_above", cost=0, numbers=(0,)),
        Reason(tier="bye_place", cost=0, numbers=(0,)),
        Reason(tier="repeated_float", cost=0, numbers=(0,)),
    )
