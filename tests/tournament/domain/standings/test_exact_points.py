"""Points are ranked as they are exactly and rounded once, where they are shown: against sums of
fractions made here, in every format by every scale.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

import pytest

from tests.tournament.domain.standings.played_formats import an_event, rounds_of, settings
from tournament.domain.season.rules import BY_PLACE, SeasonRule
from tournament.domain.season.table import Placed, Share, season_table
from tournament.domain.standings.exact import Exact, round_terms
from tournament.domain.standings.ranking import exact_points, standings, tie_break_terms
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import (
    BoardResult,
    Entry,
    Movement,
    Result,
    Round,
    Scale,
    SeatedTable,
    Stage,
    Tournament,
)

SHARED = [each for each in settings() if "knockout" not in each[0]]
BY_DEALS = ("matchpoints", "imps", "victory_points")


def by_hand(event: Tournament) -> dict[str, Fraction | None]:
    """Everybody's points as fractions, from the tables alone; those of comparing deals apart. Per
    cents are the mean of the tables somebody played at, a forfeit counting for who lost it; None
    for who played at none.
    """
    if event.stage.scale.kind == "matchpoints":
        return means_by_hand(event)
    return {**sums_by_hand(event)}


def means_by_hand(event: Tournament) -> dict[str, Fraction | None]:
    scale = event.stage.scale
    reached: dict[str, list[Fraction]] = {entry.id: [] for entry in event.entries}
    played = set()
    for each in event.rounds:
        for table in each.tables:
            points = [*of_table(scale, each, table)]
            for entry, had in zip(table.entries, points, strict=True):
                if not table.forfeit:
                    played.add(entry)
                if not table.forfeit or had != max(points) or had == min(points):
                    reached[entry].append(had)
    means: dict[str, Fraction | None] = dict.fromkeys(reached)
    for entry in played:
        taken = sum(
            Fraction(each.points, 100)
            for each in event.adjustments
            if each.entry == entry and each.after_round <= len(event.rounds)
        )
        means[entry] = sum(reached[entry], Fraction()) / len(reached[entry]) + taken
    return means


def sums_by_hand(event: Tournament) -> dict[str, Fraction]:
    scale = event.stage.scale
    total: dict[str, Fraction] = {entry.id: Fraction() for entry in event.entries}
    for each in event.rounds:
        for table in each.tables:
            for entry, points in zip(table.entries, of_table(scale, each, table), strict=True):
                total[entry] += points
        for bye in each.byes:
            half = {"match": 50, "margin": len(scale.steps)}.get(scale.kind)
            half = 0 if scale.kind in ("chips", "imps") else half
            worth = Fraction(scale.bye, 100)
            half_bye = worth / 2 if half is None else Fraction(half, 100 if half == 50 else 1)
            total[bye.entry] += worth if bye.kind == "pairing" else half_bye
    for adjustment in event.adjustments:
        if adjustment.after_round <= len(event.rounds):
            total[adjustment.entry] += Fraction(adjustment.points, 100)
    return total


def of_table(scale: Scale, each: Round, table: SeatedTable) -> Iterator[Fraction]:
    if table.forfeit:
        yield from (Fraction(result.points or 0, 100) for result in table.results)
        return
    scores = [Fraction(result.score or 0, 100) for result in table.results]
    sides = scores[:2] if table.partners else scores
    for place, score in enumerate(scores):
        others = (
            sides[:place] + sides[place + 1 :] if not table.partners else [sides[1 - place % 2]]
        )
        match scale.kind:
            case "match" if scale.opponents:
                each_beaten = (Fraction(2 * (o < score) + (o == score), 2) for o in others)
                beaten = sum(each_beaten, Fraction())
                yield beaten / len(others)
            case "match":
                best = max(others)
                yield Fraction(2 if score > best else 1 if score == best else 0, 2)
            case "margin":
                apart = score - Fraction(sum(others)) / len(others)
                moved = sum(abs(apart) >= Fraction(step, 100) for step in scale.steps)
                yield Fraction(len(scale.steps) + (moved if apart > 0 else -moved))
            case "points" | "chips":
                yield Fraction(scale.opponents or len(others), len(others)) * score
            case "built":
                yield Fraction(table.results[place].built or 0)
            case "matchpoints":
                elsewhere = [
                    lead(other, place)
                    for other in each.tables
                    if len(other.entries) == len(table.entries) and not other.forfeit
                ]
                yield share(lead(table, place), elsewhere)


def lead(table: SeatedTable, place: int) -> int:
    scores = [result.score or 0 for result in table.results]
    if table.partners:
        scores, place = scores[:2], place % 2
    return 2 * scores[place] - sum(scores)


def share(mine: int, everybody: list[int]) -> Fraction:
    if len(everybody) == 1:
        return Fraction(50)
    beaten = sum((mine > other) * 2 + (mine == other) for other in everybody) - 1
    return Fraction(50 * beaten, len(everybody) - 1)


def is_above(one: Exact | None, other: Exact | None) -> bool:
    return one is not None and (other is None or one > other)


def half_up(points: Fraction) -> int:
    return floor(points + Fraction(1, 2))


@pytest.mark.parametrize(("name", "scale"), SHARED)
def test_the_order_is_that_of_exact_sums_and_the_points_are_rounded_once(
    name: str, scale: str
) -> None:
    for seed in range(3):
        for event in rounds_of(an_event(name, scale, seed=seed)):
            exact = exact_points(event)
            if not (event.stage.plays_same_deals and scale in BY_DEALS):
                assert exact == {
                    entry: None if each is None else 100 * each
                    for entry, each in by_hand(event).items()
                }
            rows = standings(event).rows
            for row in rows:
                there = [one for one in rows if one.side == row.side]
                had = exact[row.entry]
                above = [one for one in there if is_above(exact[one.entry], had)]
                assert row.points == (None if had is None else half_up(Fraction(had)))
                assert row.rank == 1 + len(above)


def test_three_seconds_are_worth_two_firsts_and_a_last_at_tables_of_four() -> None:
    order = ("6138", "5274"), ("2134", "5678"), ("7128", "3465")
    rounds = [
        {
            "tables": [
                {
                    "table": place,
                    "entries": list(table),
                    "result": {
                        entry: {"score": 30 - 10 * seat} for seat, entry in enumerate(table)
                    },
                }
                for place, table in enumerate(tables, start=1)
            ]
        }
        for tables in order
    ]
    event = read_tournament(
        {
            "format": "salon-tournament/1",
            "id": "fours",
            "game": "contract_sabacc",
            "stage": {"kind": "pods", "rounds": 3, "sizes": [4]},
            "entries": [{"id": str(number)} for number in range(1, 9)],
            "rounds": rounds,
        }
    )
    rows = standings(event).rows
    assert {row.entry for row in rows if row.rank == 1} == {"1", "2", "5", "6"}
    assert {row.points for row in rows if row.rank == 1} == {200}


def test_pairs_with_the_same_matchpoints_share_a_rank() -> None:
    """Four tables, one deal a round: 100, 33⅓ and so on; sums that only fractions keep equal."""
    stage = Stage(
        kind="movement",
        movement=Movement(movement="howell", deals_a_round=1),
        scale=Scale(kind="matchpoints", bye=5000),
    )
    entries = tuple(Entry(id=each, name=each, players=(each,)) for each in "abcdefgh")
    scores = {"a": (3, 1, 1), "b": (1, 1, 3)}
    rounds = []
    for number in range(3):
        north_south = ["a", "b", "c", "d"]
        reached = [scores[each][number] if each in scores else 2 for each in north_south]
        rounds.append(
            Round(
                tables=tuple(
                    SeatedTable(
                        table=place + 1,
                        entries=(pair, "efgh"[place]),
                        deals=(number + 1,),
                        boards=(BoardResult(deal=number + 1, scores=(100 * score, 0)),),
                        results=(Result(score=100 * score), Result(score=0)),
                    )
                    for place, (pair, score) in enumerate(zip(north_south, reached, strict=True))
                )
            )
        )
    event = Tournament(
        id="h",
        name="H",
        game="precedence",
        seed=0,
        stage=stage,
        entries=entries,
        rounds=tuple(rounds),
    )
    ranks = {row.entry: row.rank for row in standings(event).rows}
    assert ranks["a"] == ranks["b"]
    assert ranks["c"] == ranks["d"]


def test_three_shared_places_are_worth_as_much_as_the_three_places() -> None:
    rule = SeasonRule(points=BY_PLACE, places=(1000, 600, 300))
    shared = [Placed(players=(each,), rank=1, points=0) for each in "xyz"]
    alone = [[Placed(players=("w",), rank=rank, points=0)] for rank in (1, 2, 3)]
    events = [
        (f"event {number}", [*shared, *own][:3] if number < 4 else own)
        for number, own in enumerate([*([[]] * 3), *alone], start=1)
    ]
    table = season_table(rule, events)
    points = {row.player: row.points for row in table.rows}
    assert points == {"x": 1900, "y": 1900, "z": 1900, "w": 1900}
    assert [row.rank for row in table.rows] == [1, 1, 1, 4], "w was first once, they three times"
    stood_in = (Share(player="v", points=0, rounds=1, of=3),)
    placed = [Placed(players=("x",), rank=1, points=0, shares=stood_in)]
    thrice = season_table(
        SeasonRule(points=BY_PLACE, places=(1000,)),
        [(f"event {number}", placed) for number in range(3)],
    )
    assert {row.player: row.points for row in thrice.rows} == {"x": 3000, "v": 1000}


def test_rounded_terms_add_up_to_the_rounded_sum() -> None:
    for count in range(1, 40):
        amounts = [Fraction(100 * number % 731, 3 + number % 5) for number in range(count)]
        terms = list(round_terms(amounts))
        assert sum(terms) == half_up(sum(amounts, Fraction()))
        assert all(abs(term - amount) <= 1 for term, amount in zip(terms, amounts, strict=True))


@pytest.mark.parametrize(("name", "scale"), settings())
def test_what_a_tie_break_adds_up_comes_to_its_value(name: str, scale: str) -> None:
    for event in rounds_of(an_event(name, scale, tie_breaks=tuple(TIE_BREAKS))):
        for row in standings(event).rows:
            _field, terms = tie_break_terms(event, row.entry)
            assert [*terms] == [*TIE_BREAKS]
            for tie_break, value in row.tie_breaks:
                amounts = [term.amount for term in terms[tie_break] if not term.left_out]
                assert sum(round_terms(amounts)) == value, (tie_break, row.entry)
