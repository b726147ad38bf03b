"""Trees of knock-outs: how many matches there are, who has a bye, who can meet whom, and when."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import pytest

from scoring.errors import RuleViolation
from tournament.domain.brackets.values import (
    Elimination,
    Knockout,
    Match,
    check_knockout,
    order_seeds,
    tree,
)

COUNTS = [*range(2, 131), 255, 256, 257, 511, 512]


@pytest.mark.parametrize("entries", COUNTS)
def test_a_single_elimination_has_a_match_less_than_entries_and_one_for_the_third_place(
    entries: int,
) -> None:
    assert len(tree(entries)) == len(tree(entries, reseed=True)) == entries - 1
    with_third = entries if entries > 3 else entries - 1  # of three, one alone loses a semi-final
    assert len(tree(entries, third_place=True)) == with_third
    assert len(tree(entries, third_place=True, reseed=True)) == with_third


@pytest.mark.parametrize("entries", COUNTS)
def test_a_double_elimination_has_two_matches_less_than_twice_its_entries_and_the_reset(
    entries: int,
) -> None:
    matches = tree(entries, elimination="double")

    assert len(matches) == 2 * entries - 1
    assert [match.bracket for match in matches[-2:]] == ["final", "reset"]
    assert Counter(match.bracket for match in matches)["winners"] == entries - 1


@pytest.mark.parametrize("elimination", ["single", "double"])
@pytest.mark.parametrize("entries", COUNTS)
def test_every_seed_begins_once_every_winner_goes_on_once_and_numbers_rise(
    entries: int, elimination: Elimination
) -> None:
    matches = tree(entries, elimination=elimination)
    places = [(place.kind, place.number) for match in matches for place in match.places]

    assert [match.number for match in matches] == list(range(1, len(matches) + 1))
    assert len(set(places)) == len(places)
    assert sorted(number for kind, number in places if kind == "seed") == list(
        range(1, entries + 1)
    )
    assert {number for kind, number in places if kind == "winner"} == set(range(1, len(matches)))
    assert all(
        place.number < match.number
        for match in matches
        for place in match.places
        if place.kind != "seed"
    )


@pytest.mark.parametrize("entries", COUNTS)
def test_byes_go_to_the_first_seeds(entries: int) -> None:
    first_round = [
        place.number
        for match in tree(entries)
        for place in match.places
        if place.kind == "seed" and (match.bracket, match.round) in (("winners", 1), ("final", 1))
    ]
    byes = 2 ** (entries - 1).bit_length() - entries

    assert set(range(1, entries + 1)) - set(first_round) == set(range(1, byes + 1))


def test_the_first_two_seeds_meet_in_the_last_round_only_the_first_four_in_the_last_two() -> None:
    for rounds in range(1, 10):
        places = {seed: place for place, seed in enumerate(order_seeds(2**rounds))}
        for upto in range(rounds):
            blocks = {places[seed] >> (rounds - upto) for seed in range(1, 2**upto + 1)}
            assert len(blocks) == 2**upto


# The round of the losers' bracket in which two who have met in the winners' can meet again first;
# counted.
AGAIN = {4: 2, 8: 3, 16: 3, 32: 5, 64: 6, 128: 7, 256: 9, 512: 9}


@pytest.mark.parametrize(("entries", "first"), AGAIN.items())
def test_who_has_met_meets_again_no_sooner_than_counted(entries: int, first: int) -> None:
    assert min(_rounds_of_second_meetings(tree(entries, elimination="double"))) == first


def _rounds_of_second_meetings(matches: Sequence[Match]) -> set[int]:
    """The rounds of the losers' bracket where two who have met can meet again: who may come by one
    place was then in the same part of the winners' bracket as who may come by the other.
    """
    comes: Mapping[int, set[int]] = defaultdict(set)  # match -> who may come to it
    found = set()
    for match in matches:
        sides = [
            {place.number} if place.kind == "seed" else comes[place.number]
            for place in match.places
        ]
        if match.bracket == "losers" and sides[0] & sides[1]:
            found.add(match.round)
        comes[match.number].update(*sides)
    return found


@pytest.mark.parametrize(
    ("knockout", "entries", "message"),
    [
        (Knockout(), 1, "2 to 512 entries, not 1"),
        (Knockout(), 513, "2 to 512 entries, not 513"),
        (Knockout(best_of=2), 8, "odd number of games, not of 2"),
        (Knockout(best_of=-1), 8, "odd number of games, not of -1"),
        (Knockout(elimination="double", third_place=True), 8, "third place by the last match"),
        (Knockout(elimination="double", reseed=True), 8, "single elimination only"),
    ],
)
def test_what_cannot_be_played_is_refused(knockout: Knockout, entries: int, message: str) -> None:
    with pytest.raises(RuleViolation, match=message) as refused:
        check_knockout(knockout, entries)

    assert (refused.value.code, refused.value.rule) == ("bad_stage", "F7")
