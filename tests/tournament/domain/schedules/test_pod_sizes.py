"""Which tables a round has."""

from itertools import product

import pytest

from scoring.errors import RuleViolation
from tournament.domain.schedules.pod_sizes import table_sizes


@pytest.mark.parametrize(
    "sizes", [(3,), (4,), (4, 3), (3, 4), (5, 4), (5, 4, 3), (3, 5), (4, 5, 3)]
)
def test_as_few_tables_as_can_be_are_not_of_the_preferred_size(sizes: tuple[int, ...]) -> None:
    """The oracle tries every number of tables of every size."""
    for players in range(3, 41):
        possible = [
            counts
            for counts in product(*(range(players // size + 1) for size in sizes))
            if sum(count * size for count, size in zip(counts, sizes, strict=True)) == players
        ]
        if not possible:
            with pytest.raises(RuleViolation):
                table_sizes(players, sizes)
            continue
        found = table_sizes(players, sizes)
        assert sum(found) == players
        counted = tuple(found.count(size) for size in sizes)
        assert counted in possible
        # Fewest beside the first size, then beside the first two, and so on.
        order = range(1, len(sizes))
        assert [sum(counted[at:]) for at in order] == min(
            [sum(counts[at:]) for at in order] for counts in possible
        )


@pytest.mark.parametrize("sizes", [(3,), (4, 3), (5, 4), (5, 4, 3), (5,)])
def test_where_some_may_sit_out_as_few_as_possible_do(sizes: tuple[int, ...]) -> None:
    for players in range(max(sizes), 251):
        found = table_sizes(players, sizes, may_sit_out=True)
        for more in range(sum(found) + 1, players + 1):
            with pytest.raises(RuleViolation):
                table_sizes(more, sizes)


@pytest.mark.parametrize(
    ("players", "sizes", "said"),
    [
        (7, (5, 4), "5 can while 2 sit out, or 8; with tables of 3 too all can"),
        (4, (3,), "3 can while 1 sit out, or 6; with tables of 4 too all can"),
        (3, (5, 4), "too few for tables of 5, 4; 4 can sit there; with tables of 3 too all can"),
        (7, (5,), "5 can while 2 sit out, or 10"),
        (2, (3,), "3 to 250 players, not for 2"),
        (251, (3,), "3 to 250 players, not for 251"),
        (9, (), "the preferred one first"),
        (9, (3, 3), "the preferred one first"),
        (9, (3, 1), "the preferred one first"),
    ],
)
def test_a_refusal_says_what_would_work(players: int, sizes: tuple[int, ...], said: str) -> None:
    with pytest.raises(RuleViolation, match=said) as refused:
        table_sizes(players, sizes)
    assert refused.value.code == "no_sizes"


def test_nobody_can_sit_out_of_a_round_without_tables() -> None:
    with pytest.raises(RuleViolation, match="too few"):
        table_sizes(3, (5, 4), may_sit_out=True)
