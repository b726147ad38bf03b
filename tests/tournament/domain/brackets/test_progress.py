"""How far a knock-out has come: who is out after how many losses, walk-overs, drawn games, and what
a corrected result changes.
"""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.errors import NotationError
from tests.tournament.domain.brackets.play import (
    better_seed_wins,
    by_lot,
    entries_of,
    first_wins,
    played_out,
    second_wins,
    seeds_of,
    won,
)
from tournament.domain.brackets.places import champion, is_over, places
from tournament.domain.brackets.progress import (
    Absent,
    Played,
    Progress,
    progress,
    ready,
    wrong_premises,
)
from tournament.domain.brackets.values import Knockout

SINGLE, DOUBLE = Knockout(), Knockout(elimination="double")
KINDS = st.sampled_from([SINGLE, DOUBLE, Knockout(third_place=True), Knockout(reseed=True)])
COUNTS = st.integers(2, 40)
LOTS = st.integers(0, 10_000)


def losses(now: Progress) -> Counter[object]:
    return Counter(state.loser for state in now.states if state.status in ("decided", "walk_over"))


@given(count=COUNTS, lots=LOTS)
def test_in_a_double_elimination_nobody_is_out_after_one_loss(count: int, lots: int) -> None:
    now, results = played_out(DOUBLE, seeds_of(count), by_lot(lots))

    winner = champion(now)
    assert {entry: losses(now)[entry] for entry in now.seeds if entry != winner} == dict.fromkeys(
        set(now.seeds) - {winner}, 2
    )
    assert losses(now)[winner] <= 1
    assert len(results) == 2 * count - 2 + losses(now)[winner]


@given(count=COUNTS, lots=LOTS, reseed=st.booleans())
def test_in_a_single_elimination_everybody_but_the_winner_loses_once(
    count: int, lots: int, reseed: bool
) -> None:
    now, results = played_out(Knockout(reseed=reseed), seeds_of(count), by_lot(lots))

    assert len(results) == count - 1
    assert set(losses(now).values()) == {1}
    assert set(losses(now)) == set(now.seeds) - {champion(now)}


def test_the_reset_is_played_only_when_who_came_by_the_losers_bracket_wins_the_final() -> None:
    quiet, _ = played_out(DOUBLE, seeds_of(8), better_seed_wins)
    final = quiet.states[-2]

    assert (quiet.states[-1].status, champion(quiet)) == ("not_needed", "e1")

    again, _ = played_out(
        DOUBLE,
        seeds_of(8),
        lambda state: second_wins(state) if state.match == final.match else better_seed_wins(state),
    )
    assert entries_of(again.states[-1]) == entries_of(again.states[-2])
    assert (again.states[-1].status, champion(again)) == ("decided", "e1")


def test_there_is_no_reset_where_nobody_comes_to_the_final_without_a_loss() -> None:
    semis = [
        Played(match=1, entries=("e1", "e4"), winners=("e1",)),
        Played(match=2, entries=("e2", "e3"), winners=("e2",)),
    ]
    now, _ = played_out(DOUBLE, seeds_of(4), results=semis, withdrawn={"e1", "e2"})

    assert [state.status for state in now.states[-2:]] == ["walk_over", "not_needed"]
    assert champion(now) == "e3"


def test_matches_of_both_brackets_are_ready_in_the_same_round() -> None:
    seeds = seeds_of(8)
    begun = progress(DOUBLE, seeds)
    then = progress(DOUBLE, seeds, [won(state, first_wins(state)) for state in ready(begun)])

    assert [state.match.bracket for state in ready(begun)] == ["winners"] * 4
    assert [state.match.bracket for state in ready(then)] == ["winners"] * 2 + ["losers"] * 2


def test_a_match_is_won_by_more_than_half_of_its_games_and_drawn_ones_are_played_again() -> None:
    best_of_3 = Knockout(best_of=3)

    def after(*winners: str | None) -> tuple[str, object, int]:
        played = Played(match=1, entries=("e1", "e2"), winners=winners)
        state = progress(best_of_3, ["e1", "e2"], [played]).state(1)
        return state.status, state.winner, len(state.games)

    assert after() == ("ready", Absent.UNKNOWN, 0)
    assert after("e1") == ("ready", Absent.UNKNOWN, 1)
    assert after("e1", None, "e2", None) == ("ready", Absent.UNKNOWN, 4)
    assert after("e1", None, "e2", None, "e2") == ("decided", "e2", 5)
    assert after("e2", "e2", "e1", "e1") == ("decided", "e2", 2)  # what came after isn't of it


def test_survivors_meet_by_their_seeds_where_they_are_folded_anew() -> None:
    seeds = seeds_of(8)
    plain, anew = (
        progress(
            Knockout(reseed=reseed),
            seeds,
            [
                Played(match=1, entries=("e1", "e8"), winners=("e8",)),
                Played(match=2, entries=("e4", "e5"), winners=("e4",)),
                Played(match=3, entries=("e2", "e7"), winners=("e2",)),
                Played(match=4, entries=("e3", "e6"), winners=("e3",)),
            ],
        )
        for reseed in (False, True)
    )

    assert [state.entries for state in ready(plain)] == [("e8", "e4"), ("e2", "e3")]
    assert [state.entries for state in ready(anew)] == [("e2", "e8"), ("e3", "e4")]


@given(count=COUNTS, lots=LOTS)
def test_where_survivors_are_folded_anew_first_meets_last_in_every_round(
    count: int, lots: int
) -> None:
    now, _ = played_out(Knockout(reseed=True), seeds_of(count), by_lot(lots))
    rounds: dict[int, list[list[int]]] = {}
    for state in now.states:
        pair = sorted(int(entry[1:]) for entry in entries_of(state))
        rounds.setdefault(state.match.round, []).append(pair)

    for pairs in rounds.values():
        assert sorted(pairs) == sorted(pairs, key=lambda pair: -pair[1])


def test_a_round_of_survivors_waits_until_the_round_before_is_over() -> None:
    first = Played(match=1, entries=("e1", "e8"), winners=("e8",))
    now = progress(Knockout(reseed=True), seeds_of(8), [first])

    assert [state.match.number for state in ready(now)] == [2, 3, 4]
    assert now.state(5).entries == (Absent.UNKNOWN, Absent.UNKNOWN)


def test_who_leaves_before_a_match_gives_it_away_and_what_was_played_stays() -> None:
    seeds = seeds_of(4)
    semi = Played(match=1, entries=("e1", "e4"), winners=("e1",))
    now = progress(SINGLE, seeds, [semi], withdrawn={"e1", "e3"})

    assert [(state.status, state.winner) for state in now.states] == [
        ("decided", "e1"),
        ("walk_over", "e2"),
        ("walk_over", "e2"),
    ]


def test_where_both_are_gone_nobody_goes_on_and_the_next_is_a_walk_over() -> None:
    now = progress(SINGLE, seeds_of(4), withdrawn={"e1", "e4"})

    assert (now.state(1).winner, now.state(1).status) == (Absent.NOBODY, "walk_over")
    assert [state.match.number for state in ready(now)] == [2]
    over, _ = played_out(SINGLE, seeds_of(4), withdrawn={"e1", "e4"})
    assert (over.state(3).status, champion(over)) == ("walk_over", "e2")


@given(knockout=KINDS, count=COUNTS, lots=LOTS, everything=st.data())
def test_a_knock_out_comes_to_its_end_whoever_leaves_whenever(
    knockout: Knockout, count: int, lots: int, everything: st.DataObject
) -> None:
    seeds = seeds_of(count)
    _, results = played_out(knockout, seeds, by_lot(lots))
    upto = everything.draw(st.integers(0, len(results)))
    gone = everything.draw(st.sets(st.sampled_from(seeds)))
    now, _ = played_out(knockout, seeds, by_lot(lots), results=results[:upto], withdrawn=gone)

    assert is_over(now)
    assert not wrong_premises(now)
    before = progress(knockout, seeds, results[:upto])
    still_in = set(seeds) - {entry for group in places(before) for entry in group.entries} - gone
    if still_in and not knockout.third_place:  # who plays for the third place can't win any more
        assert champion(now) in still_in
    assert sorted(entry for group in places(now) for entry in group.entries) == sorted(seeds)


@given(knockout=KINDS, count=COUNTS, lots=LOTS)
def test_a_knock_out_folded_at_once_is_what_it_was_when_it_was_played(
    knockout: Knockout, count: int, lots: int
) -> None:
    seeds = seeds_of(count)
    live, results = played_out(knockout, seeds, by_lot(lots))

    assert progress(knockout, seeds, results) == live
    assert progress(knockout, seeds, sorted(results, key=lambda each: -each.match)) == live


@given(knockout=KINDS, count=st.integers(3, 40), lots=LOTS, everything=st.data())
def test_after_a_correction_a_knock_out_stands_as_if_nobody_had_erred(
    knockout: Knockout, count: int, lots: int, everything: st.DataObject
) -> None:
    seeds = seeds_of(count)
    _, results = played_out(knockout, seeds, by_lot(lots))
    place = everything.draw(st.integers(0, len(results) - 1))
    wrong = results[place]
    other = next(entry for entry in wrong.entries if entry != wrong.winners[0])
    right = Played(match=wrong.match, entries=wrong.entries, winners=(other,))

    corrected = progress(knockout, seeds, [*results, right])
    never_erred = progress(knockout, seeds, [*results[:place], right, *results[place + 1 :]])
    assert corrected == never_erred

    # Of what was played nothing is lost: it counts, or it is flagged with who should have played.
    kept = {state.match.number for state in corrected.states if state.status == "decided"}
    flagged = {each.played.match for each in wrong_premises(corrected)}
    assert kept | flagged == {each.match for each in results}
    assert all(set(each.played.entries) != set(each.should) for each in wrong_premises(corrected))

    # What was played before is what it was, and what follows is as in an event without the error.
    before = [each for each in results if each.match < wrong.match]
    fresh = progress(knockout, seeds, [*before, right])
    for state in fresh.states:
        if state.status in ("decided", "ready") and not state.games:
            now = corrected.state(state.match.number)
            assert set(now.entries) == set(state.entries)


@given(knockout=KINDS, count=st.integers(3, 40), lots=LOTS, everything=st.data())
def test_played_on_after_a_correction_it_ends_as_the_event_without_the_error_would(
    knockout: Knockout, count: int, lots: int, everything: st.DataObject
) -> None:
    seeds = seeds_of(count)
    _, results = played_out(knockout, seeds, by_lot(lots))
    wrong = everything.draw(st.sampled_from(results))
    other = next(entry for entry in wrong.entries if entry != wrong.winners[0])
    right = Played(match=wrong.match, entries=wrong.entries, winners=(other,))

    corrected, _ = played_out(knockout, seeds, by_lot(lots), results=[*results, right])
    clean, _ = played_out(
        knockout,
        seeds,
        lambda state: other if _is(state.match.number, wrong) else by_lot(lots)(state),
    )

    assert _who_won(corrected) == _who_won(clean)
    assert places(corrected) == places(clean)


def _is(number: int, played: Played) -> bool:
    return number == played.match


def _who_won(now: Progress) -> list[tuple[object, object]]:
    return [(state.entries, state.winner) for state in now.states]


def test_a_match_played_by_others_than_the_tree_says_now_is_kept_and_flagged() -> None:
    results = [
        Played(match=1, entries=("e1", "e4"), winners=("e1",)),
        Played(match=2, entries=("e2", "e3"), winners=("e2",)),
        Played(match=3, entries=("e1", "e2"), winners=("e1",)),
    ]
    corrected = Played(match=1, entries=("e1", "e4"), winners=("e4",))
    now = progress(SINGLE, seeds_of(4), [*results, corrected])

    assert [(each.played, each.should) for each in wrong_premises(now)] == [
        (results[2], ("e4", "e2"))
    ]
    assert [state.match.number for state in ready(now)] == [3]
    back = progress(SINGLE, seeds_of(4), [*results, corrected, results[0]])
    assert (champion(back), wrong_premises(back)) == ("e1", ())


def test_a_reset_that_a_correction_makes_needless_is_flagged() -> None:
    now, results = played_out(DOUBLE, seeds_of(4), second_wins)
    final = now.states[-2]
    corrected = won(final, first_wins(final))
    then = progress(DOUBLE, seeds_of(4), [*results, corrected])

    assert then.states[-1].status == "not_needed"
    assert [each.played for each in wrong_premises(then)] == [results[-1]]
    assert champion(then) == first_wins(final)


@pytest.mark.parametrize(
    ("played", "message"),
    [
        (Played(match=4, entries=("e1", "e4"), winners=()), "no match 4 among 3"),
        (Played(match=1, entries=("e1", "e9"), winners=()), "not e1 and e9"),
        (Played(match=1, entries=("e1", "e1"), winners=()), "not e1 and e1"),
        (Played(match=1, entries=("e1", "e4"), winners=("e2",)), "e2 isn't in the match"),
    ],
)
def test_a_result_that_cannot_be_of_this_knock_out_is_not_read(
    played: Played, message: str
) -> None:
    with pytest.raises(NotationError, match=message):
        progress(SINGLE, seeds_of(4), [played])


def test_nobody_is_seeded_twice() -> None:
    with pytest.raises(NotationError, match="e1 is seeded twice"):
        progress(SINGLE, ["e1", "e2", "e1"])
