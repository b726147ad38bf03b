"""Round robins: the Berger tables of the FIDE Handbook, and what holds for every number of
entries.
"""

from collections import Counter
from pathlib import Path

import pytest

from scoring.errors import RuleViolation
from tournament.domain.pairing.berger import berger_round, rounds_of
from tournament.domain.pairing.draw import draw
from tournament.domain.standings.values import Entry, Stage, Tournament

SAMPLES = Path(__file__).parent / "samples"


def test_round_robins_of_4_to_16_are_the_berger_tables_of_the_fide_handbook() -> None:
    lines = [
        line
        for line in (SAMPLES / "berger_fide.txt").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    counts = []
    for line in lines:
        count, rounds = line.split(":")
        counts.append(int(count))
        for number, pairs in enumerate(rounds.split("|"), start=1):
            expected = [tuple(map(int, pair.split("-"))) for pair in pairs.split()]
            assert berger_round(int(count), number) == expected
            assert berger_round(int(count) - 1, number) == expected  # the highest number is nobody
    assert counts == [4, 6, 8, 10, 12, 14, 16]


@pytest.mark.parametrize("count", range(2, 42))
def test_everybody_meets_everybody_once_and_sits_in_both_places_as_often_as_can_be(
    count: int,
) -> None:
    rounds = [
        berger_round(count, number) for number in range(1, rounds_of(count, double=False) + 1)
    ]
    pairs = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    first = Counter(pair[0] for pairs in rounds for pair in pairs)

    size = count + count % 2
    assert set(pairs.values()) == {1}
    assert len(pairs) == size * (size - 1) // 2
    assert all(
        sorted(place for pair in pairs for place in pair) == list(range(1, size + 1))
        for pairs in rounds
    )
    assert all(abs(2 * first[player] - (size - 1)) == 1 for player in range(1, size + 1))


def test_in_a_double_round_robin_the_second_meeting_has_the_seats_changed() -> None:
    rounds = [berger_round(6, number) for number in range(1, rounds_of(6, double=True) + 1)]

    assert len(rounds) == 10
    assert [[pair[::-1] for pair in pairs] for pairs in rounds[:5]] == rounds[5:]


def round_robin(count: int, *, double: bool = False, **changes: Entry) -> Tournament:
    entries = tuple(
        changes.get(name, Entry(id=name, name=name, players=(name,)))
        for name in "abcdefghijklm"[:count]
    )
    stage = Stage(kind="round_robin", double=double)
    return Tournament(id="x", name="x", game="precedence", seed=5, stage=stage, entries=entries)


def test_an_odd_field_sits_out_in_turn() -> None:
    drawn = [draw(round_robin(5), number) for number in range(1, 6)]

    assert sorted(out for each in drawn for out in each.byes) == list("abcde")
    assert {len(each.tables) for each in drawn} == {2}


def test_who_would_meet_one_that_left_sits_out() -> None:
    gone = Entry(id="b", name="b", players=("b",), withdrawn_after=1)
    first, second = (draw(round_robin(4, b=gone), number) for number in (1, 2))

    assert ([table.entries for table in first.tables], first.byes) == ([("a", "d"), ("b", "c")], ())
    assert ([table.entries for table in second.tables], second.byes) == ([("d", "c")], ("a",))
    assert [table.table for table in second.tables] == [1]


def test_after_everybody_met_everybody_there_is_no_round_more() -> None:
    assert draw(round_robin(4, double=True), 6).tables
    for tournament, number in ((round_robin(4), 4), (round_robin(4, double=True), 7)):
        with pytest.raises(RuleViolation, match=r"4 entries have met (once|twice)") as refused:
            draw(tournament, number)
        assert refused.value.code == "game_over"
