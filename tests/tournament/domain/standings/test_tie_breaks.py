"""Each tie-break by its definition; unplayed rounds as FIDE C.07 has them."""

import pytest

from tests.tournament.domain.standings.made import event, rows_of, values_of
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.results_by_round import field_of
from tournament.domain.standings.tie_breaks import ALL, TIE_BREAKS, direct_encounter
from tournament.domain.standings.values import (
    Adjustment,
    Entry,
    Result,
    Round,
    SeatedTable,
    Stage,
    Tournament,
)

NAMES = [
    *(
        "buchholz",
        "buchholz_cut_1",
        "median_buchholz",
        "sonneborn_berger",
        "progressive",
        "direct_encounter",
        "wins",
        "koya",
    ),
    *(
        "score_difference",
        "score_total",
        "tricks",
        "fewest_audits",
        "fewest_excess",
        "chips",
        "average_opponent_rating",
        "lots",
    ),
]


def test_there_is_one_table_of_all_tie_breaks_each_with_a_sentence_and_a_source() -> None:
    assert [each.name for each in ALL] == NAMES
    for each in ALL:
        assert each.meaning.endswith(".")
        assert each.source.startswith(("FIDE C.07, ", "Accord"))
        assert each.title


def test_buchholz_adds_up_the_points_of_opponents() -> None:
    cup = event("a1-0b c1-0d", "a1-0c b1-0d", tie_breaks=("buchholz",))

    assert values_of(cup, "buchholz") == {"a": 200, "b": 200, "c": 200, "d": 200}


def test_a_round_not_played_counts_as_a_dummy_with_the_own_score_but_a_draw_at_most() -> None:
    """C.07, 16.4: a has 3 of 3 with a bye; its dummy has 1.5."""
    cup = event("a1-0b c1-0d e+", "a1-0c b1-0e d+", "a+ b1-0d c1-0e", tie_breaks=("buchholz",))

    assert rows_of(cup)["a"].points == 300
    assert values_of(cup, "buchholz")["a"] == 200 + 200 + 150


def test_a_forfeit_counts_as_a_dummy_with_the_score_of_the_opponent_at_most() -> None:
    cup = event("a+-b c1-0d", "a1-0c b=d", tie_breaks=("buchholz",))

    assert values_of(cup, "buchholz")["a"] == 50 + 100


def test_byes_asked_for_at_the_end_count_as_draws_for_those_who_met_the_one_that_left() -> None:
    """C.07, 16.3: b lost to a and left; to a it is worth two draws."""
    cup = event("a1-0b c1-0d", "a1-0c d+ b0", "a1-0d c+ b0", tie_breaks=("buchholz",))

    assert values_of(cup, "buchholz")["a"] == 100 + 200 + 100


def test_a_bye_asked_for_before_a_game_counts_as_it_was_awarded() -> None:
    cup = event("a1-0b c1-0d", "a1-0c d+ b0", "a=d b=c", tie_breaks=("buchholz",))

    assert values_of(cup, "buchholz")["a"] == 50 + 150 + 150


def test_the_cut_takes_a_round_the_entry_chose_not_to_play_before_a_weaker_opponent() -> None:
    """C.07, 16.5: a's half bye is worth its own 1.5, at most 1.5; the weakest opponent had less."""
    cup = event(
        "a1-0b c1-0d",
        "a/ b0 c1-0d",
        "a=c b0 d+",
        tie_breaks=("buchholz", "buchholz_cut_1", "median_buchholz"),
    )
    row = dict(rows_of(cup)["a"].tie_breaks)

    assert row["buchholz"] == 100 + 150 + 250
    assert row["buchholz_cut_1"] == 100 + 250
    assert row["median_buchholz"] == 100


def test_sonneborn_berger_takes_all_of_who_was_beaten_and_half_of_who_was_drawn_with() -> None:
    cup = event("a1-0b c=d", "a=c b1-0d", tie_breaks=("sonneborn_berger",))

    assert values_of(cup, "sonneborn_berger") == {"a": 150, "b": 50, "c": 100, "d": 50}


def test_progressive_scores_count_what_was_won_early_more_often() -> None:
    cup = event("a1-0b c1-0d", "b1-0c d1-0a", tie_breaks=("progressive",))

    assert values_of(cup, "progressive") == {"a": 200, "b": 100, "c": 200, "d": 100}


def test_wins_count_rounds_with_the_points_of_a_win_played_or_not() -> None:
    cup = event("a1-0b c+-d e+", "a=b c1-0d e/", tie_breaks=("wins",))

    assert values_of(cup, "wins") == {"a": 100, "b": 0, "c": 200, "d": 0, "e": 100}


def test_koya_counts_points_won_against_those_with_half_of_the_points_or_more() -> None:
    cup = event("a1-0b c1-0d", "a1-0c b1-0d", "a=d b1-0c", kind="round_robin", tie_breaks=("koya",))

    assert {entry: row.points for entry, row in rows_of(cup).items()} == {
        "a": 250,
        "b": 200,
        "c": 100,
        "d": 50,
    }
    assert values_of(cup, "koya") == {"a": 100, "b": 0, "c": 0, "d": 50}


def test_forfeits_count_as_games_where_the_pairings_were_fixed() -> None:
    """C.07, 15.2."""
    cup = event("a+-b c1-0d", "a1-0c b1-0d", kind="round_robin", tie_breaks=("sonneborn_berger",))

    assert values_of(cup, "sonneborn_berger")["a"] == 200


def test_a_direct_encounter_decides_between_those_who_are_tied() -> None:
    cup = event("b0-1a c=d", "a0-1c b1-0d", tie_breaks=("direct_encounter",))

    assert [(row.entry, row.rank, row.points) for row in standings(cup).rows] == [
        ("c", 1, 150),
        ("a", 2, 100),
        ("b", 3, 100),
        ("d", 4, 50),
    ]


def test_a_direct_encounter_does_not_count_while_some_of_the_tied_have_not_met() -> None:
    """a beat b; c has met neither and could have won against both."""
    rows = rows_of(event("a1-0b c1-0d", "b1-0d a0 c0", tie_breaks=("direct_encounter",)))

    assert [
        (rows[entry].rank, dict(rows[entry].tie_breaks)["direct_encounter"]) for entry in "abc"
    ] == [(1, 0)] * 3


def test_who_is_first_of_the_tied_whatever_missing_meetings_would_bring_is_first() -> None:
    """C.07, 6: a beat b and c; b and c have not met, and neither could pass a."""
    cup = event(
        "a1-0b c+ d0", "a1-0c b+ d0", "b1-0d a0 c0", "c1-0d a0 b0", tie_breaks=("direct_encounter",)
    )
    rows = rows_of(cup)

    assert [rows[entry].points for entry in "abc"] == [200, 200, 200]
    assert [rows[entry].rank for entry in "abc"] == [1, 2, 2]


def with_results(*results: Result) -> Tournament:
    entries = tuple(
        Entry(id=name, name=name, players=(name,), rating=rating)
        for name, rating in (("a", 1500), ("b", 1601))
    )
    names = (
        "score_difference",
        "score_total",
        "tricks",
        "fewest_audits",
        "fewest_excess",
        "chips",
        "average_opponent_rating",
    )
    table = SeatedTable(table=1, entries=("a", "b"), results=results)
    played = (Round(tables=(table,)),)
    return Tournament(
        id="x",
        name="x",
        game="precedence",
        seed=1,
        stage=Stage(tie_breaks=names),
        entries=entries,
        rounds=played,
    )


def test_tie_breaks_of_the_games_themselves_add_up_what_results_say() -> None:
    cup = with_results(
        Result(points=50, score=25000, tricks=7, audits=1, excess=4, chips=5),
        Result(points=50, score=24150, tricks=6, audits=2, excess=3, chips=-5),
    )
    rows = rows_of(cup)

    assert [value for _, value in rows["a"].tie_breaks] == [850, 25000, 700, 100, 400, 500, 160100]
    assert [value for _, value in rows["b"].tie_breaks] == [
        -850,
        24150,
        600,
        200,
        300,
        -500,
        150000,
    ]


@pytest.mark.parametrize("name", ["fewest_audits", "fewest_excess"])
def test_of_audits_and_excess_the_fewest_come_first(name: str) -> None:
    cup = with_results(Result(points=50, audits=2, excess=9), Result(points=50, audits=1, excess=2))
    cup = Tournament(
        id="x",
        name="x",
        game="precedence",
        seed=1,
        stage=Stage(tie_breaks=(name,)),
        entries=cup.entries,
        rounds=cup.rounds,
    )

    assert [(row.rank, row.entry) for row in standings(cup).rows] == [(1, "b"), (2, "a")]


def test_lots_give_everybody_another_place_by_the_seed_alone() -> None:
    names = "abcdefgh"
    drawn = {
        seed: values_of(event(entries=names, seed=seed, tie_breaks=("lots",)), "lots")
        for seed in range(20)
    }

    assert all(
        sorted(places.values()) == [100 * place for place in range(1, 9)]
        for places in drawn.values()
    )
    assert drawn[3] == values_of(
        event("a1-0b c=d", entries=names, seed=3, tie_breaks=("lots",)), "lots"
    )
    assert len({tuple(places[name] for name in names) for places in drawn.values()}) == 20
    assert TIE_BREAKS["lots"].fewest


def test_equal_entries_share_a_rank_and_the_next_is_counted_on() -> None:
    assert [(row.rank, row.entry) for row in standings(event("a=b c1-0d")).rows] == [
        (1, "c"),
        (2, "a"),
        (2, "b"),
        (4, "d"),
    ]


def test_a_penalty_lowers_the_points_but_not_the_buchholz_of_opponents() -> None:
    late = Adjustment(entry="a", points=-50, reason="late", by="director", after_round=1)
    cup = event("a1-0b c=d", adjustments=(late,), tie_breaks=("buchholz",))
    rows = rows_of(cup)

    assert rows["a"].points == 50
    assert dict(rows["b"].tie_breaks)["buchholz"] == 100
    assert rows_of(event("a1-0b c=d", adjustments=()))["a"].points == 100


def test_a_table_without_a_result_is_named_and_counts_for_nobody() -> None:
    found = standings(event("a1-0b c=d", "a?c b=d"))

    assert (found.after_round, found.missing) == (2, ((2, 1),))
    assert {row.entry: (row.points, row.played) for row in found.rows} == {
        "a": (100, 1),
        "b": (50, 2),
        "c": (50, 1),
        "d": (100, 2),
    }


def test_a_round_in_which_nothing_is_recorded_is_not_counted() -> None:
    assert standings(event("a1-0b c=d", "a?c b?d")).after_round == 1


def test_before_the_first_round_everybody_is_first() -> None:
    found = standings(
        event(entries="abc", tie_breaks=tuple(name for name in NAMES if name != "lots"))
    )

    assert found.after_round == 0
    assert {row.rank for row in found.rows} == {1}


def test_standings_of_an_earlier_round_are_what_they_were() -> None:
    first = event("a1-0b c=d", tie_breaks=tuple(NAMES))
    both = event("a1-0b c=d", "a=c b1-0d", tie_breaks=tuple(NAMES))

    assert standings(both, after_round=1) == standings(first)


def test_nobody_at_all_gives_empty_standings() -> None:
    assert standings(event(tie_breaks=tuple(NAMES))).rows == ()


def test_sitting_out_of_a_round_robin_is_worth_nothing() -> None:
    """C.07, 15.2: a sat out with a point, b lost to it and beat c."""
    cup = event(
        "a+ b1-0c",
        "c+ a1-0b",
        "b+ a=c",
        kind="round_robin",
        tie_breaks=("buchholz", "sonneborn_berger"),
    )

    assert rows_of(cup)["a"].tie_breaks == (("buchholz", 200 + 150), ("sonneborn_berger", 200 + 75))


def test_a_penalty_counts_from_its_round_on() -> None:
    late = Adjustment(entry="a", points=-50, reason="late", by="director", after_round=2)
    cup = event("a1-0b c=d", "a1-0c b=d", adjustments=(late,))

    after = {
        number: {row.entry: row.points for row in standings(cup, after_round=number).rows}["a"]
        for number in (1, 2)
    }
    assert after == {1: 100, 2: 150}


CYCLE = ("a1-0b", "b1-0c", "c1-0a")  # the third is in no table and in no bye


def test_in_a_round_robin_rounds_sat_out_at_the_end_are_no_draws_for_anybody() -> None:
    """16.3 is for Swiss systems: of three who beat each other in a circle nobody is before
    another.
    """
    cup = event(*CYCLE, kind="round_robin", tie_breaks=("buchholz",))

    assert values_of(cup, "buchholz") == {"a": 200, "b": 200, "c": 200}
    assert [row.rank for row in standings(cup).rows] == [1, 1, 1]


def test_in_a_round_robin_the_cut_leaves_out_an_opponent_and_not_the_round_sat_out() -> None:
    """As TieBreakServer counts it: 2 without one opponent of 2, and nothing without the other."""
    cup = event(
        "a1-0b",
        "b1-0c",
        "c1-0a",
        kind="round_robin",
        tie_breaks=("buchholz_cut_1", "median_buchholz"),
    )
    five = event(
        "b=e c=d a0",
        "a=b e=c d0",
        "d=a c=b e0",
        "a=e b=d c0",
        "a=c d=e b0",
        kind="round_robin",
        tie_breaks=("buchholz_cut_1",),
    )

    assert values_of(cup, "buchholz_cut_1") == {"a": 100, "b": 100, "c": 100}
    assert set(values_of(cup, "median_buchholz").values()) == {0}
    assert set(values_of(five, "buchholz_cut_1").values()) == {600}


def test_in_a_round_robin_half_of_the_points_is_counted_over_the_rounds_that_could_be_played() -> (
    None
):
    cup = event(*CYCLE, kind="round_robin", tie_breaks=("koya",))

    assert values_of(cup, "koya") == {"a": 100, "b": 100, "c": 100}


def test_points_for_sitting_out_bring_nobody_to_half_of_the_points() -> None:
    """d and e have 1.5 of 4 from their tables, and a point for the round they sat out."""
    rounds = (
        "b1-0e c1-0d a+",
        "a1-0b e1-0c d+",
        "d1-0a c1-0b e+",
        "a1-0e b1-0d c+",
        "a1-0c e=d b+",
    )
    cup = event(*rounds, kind="round_robin", tie_breaks=("koya",))

    assert rows_of(cup)["d"].points == 250
    assert values_of(cup, "koya") == {"a": 200, "b": 0, "c": 100, "d": 100, "e": 100}


def test_a_direct_encounter_is_applied_again_to_those_still_tied() -> None:
    """C.07, 6: of four who are tied two have 2 points among them, and of these two the one who beat
    the other is first.
    """
    cup = event(
        "a1-0b c1-0d",
        "a1-0c d1-0b",
        "d1-0a b1-0c",
        kind="round_robin",
        tie_breaks=("direct_encounter",),
    )
    penalties = (("a", -100), ("d", -100))
    level = event(
        "a1-0b c1-0d",
        "a1-0c d1-0b",
        "d1-0a b1-0c",
        kind="round_robin",
        tie_breaks=("direct_encounter",),
        adjustments=tuple(
            Adjustment(entry=entry, points=points, reason="late", by="director")
            for entry, points in penalties
        ),
    )

    assert [(row.entry, row.rank) for row in standings(cup).rows] == [
        ("d", 1),
        ("a", 2),
        ("b", 3),
        ("c", 4),
    ]
    assert [(row.entry, row.rank) for row in standings(level).rows] == [
        ("d", 1),
        ("a", 2),
        ("b", 3),
        ("c", 4),
    ]


def test_a_direct_encounter_counts_opponents_met_and_not_how_often() -> None:
    """Of a, b and c, a met both of the others twice; b and c have never met."""
    late = Adjustment(entry="d", points=-100, reason="late", by="director")
    rounds = ("a1-0b d1-0c", "a1-0b d1-0c", "c1-0a b1-0d", "c1-0a b1-0d")
    cup = event(*rounds, tie_breaks=("direct_encounter",), adjustments=(late,))

    assert [row.points for row in standings(cup).rows] == [200, 200, 200, 100]
    assert [row.rank for row in standings(cup).rows] == [1, 1, 1, 4]


def test_two_who_met_more_than_once_count_the_mean_of_their_tables_in_a_direct_encounter() -> None:
    """C.07, 6.1.2: a and b met twice, a won once and lost once; a beat c, b lost to c."""
    rounds = ("a1-0b d1-0c", "b1-0a c1-0d", "a1-0c b1-0d", "d1-0a c1-0b")
    field = field_of(event(*rounds, tie_breaks=("direct_encounter",)))

    assert direct_encounter(field, ("a", "b", "c")) == {"a": 150, "b": 50, "c": 100}
