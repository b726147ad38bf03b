"""A hand by totals weighed whole (S8, S11): compared with every way in which the cards of the pack
can lie in three piles.

The reckoning here knows nothing of the one in `scoring`: it deals every kind of card, one kind
after the other, to the talon or aside, the declarer's tricks and the defenders' tricks, and goes
through every way in which the tricks can be won.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from scoring.errors import RuleViolation
from scoring.sabacc.commands import CountPoints
from scoring.sabacc.decide import decide
from scoring.sabacc.state import State
from tests.scoring.sabacc.table import (
    adjust_tricks,
    after,
    aside,
    contract,
    dealt,
    given,
    play_out,
    points,
    refused,
    strong_holdings,
    trick,
    when,
)

# Doubled worth of a card, and how many of them there are: Idiot, Magician, the other honours, and
# so on.
IDIOT, MAGICIAN, HONOURS = (9, 1), (9, 1), (9, 5)
OTHERS = ((7, 4), (5, 4), (3, 4), (1, 59))
TRICKS = {3: 24, 4: 18, 5: 15}
APART = {3: 6, 4: 6, 5: 3}
CONTRACTS = ("take", "push", "guard", "guard_without", "guard_against")
KINDS = ("idiot", "magician", "slam", "grand_slam")
DECLARER, DEFENDER = "B", "C"

type Piles = dict[
    tuple[int, int], frozenset[int]
]  # by cards apart and cards won: the declarer's points


@cache
def piles(players: int, contract: str, last: tuple[str, str] | None) -> Piles:
    """Every way to deal the pack to three piles; who wins the last trick with Idiot or Magician has
    it among their tricks.
    """
    size = APART[players]
    found: dict[tuple[int, int], set[int]] = {(0, 0): {0}}
    for place, (worth, number) in enumerate((IDIOT, MAGICIAN, HONOURS, *OTHERS)):
        held_by = last[1] if last and ("idiot", "magician", *".....")[place] == last[0] else None
        grown: dict[tuple[int, int], set[int]] = defaultdict(set)
        for (apart, won), counts in found.items():
            for more_apart, more_won in shares(
                number, held_by, honour=worth == 9, contract=contract
            ):
                if apart + more_apart <= size:
                    more = worth * (more_won + (more_apart if contract != "guard_against" else 0))
                    grown[apart + more_apart, won + more_won] |= {count + more for count in counts}
        found = grown
    return {piled: frozenset(counts) for piled, counts in found.items() if piled[0] == size}


def shares(
    number: int, held_by: str | None, *, honour: bool, contract: str
) -> Iterator[tuple[int, int]]:
    """How many of some equal cards lie apart and how many in the declarer's tricks; the rest in the
    defenders' (S6).
    """
    may_be_apart = not (honour and contract in ("take", "push", "guard"))
    for apart in range(number + 1 if may_be_apart else 1):
        for won in range(number - apart + 1):
            if held_by is None or (apart, won) == (0, int(held_by == DECLARER)):
                yield apart, won


@cache
def tricks_of(players: int) -> dict[tuple[str, str] | None, frozenset[int]]:
    """How many tricks the declarer may have with each bonus, through every way to share the tricks
    out (S11).
    """
    found: dict[tuple[str, str] | None, set[int]] = defaultdict(set)
    for won in ways(TRICKS[players], players):
        best = max(range(players), key=won.__getitem__)
        if won[best] >= TRICKS[players] - 3:
            kind = "grand_slam" if won[best] == TRICKS[players] else "slam"
            found[kind, DECLARER if best == 0 else DEFENDER].add(won[0])
            continue
        found[None].add(won[0])
        for kind, seat, has_one in (
            (kind, seat, any(won[:1] if seat == DECLARER else won[1:]))
            for kind in KINDS[:2]
            for seat in (DECLARER, DEFENDER)
        ):
            if has_one:
                found[kind, seat].add(won[0])
    return {bonus: frozenset(tricks) for bonus, tricks in found.items()}


def ways(tricks: int, players: int) -> Iterator[tuple[int, ...]]:
    """Every way to share tricks among so many."""
    if players == 1:
        yield (tricks,)
        return
    for mine in range(tricks + 1):
        yield from ((mine, *rest) for rest in ways(tricks - mine, players - 1))


def possible(players: int, contract: str, bonus: tuple[str, str] | None) -> frozenset[int]:
    """The declarer's points (doubled) that can be with this bonus."""
    last = bonus if bonus and bonus[0] in ("idiot", "magician") else None
    lying = piles(players, contract, last)
    tricks = tricks_of(players).get(bonus, frozenset())
    return frozenset(
        count for each in tricks for count in lying.get((APART[players], players * each), ())
    )


def accepted(state: State, bonus: tuple[str, str] | None) -> frozenset[int]:
    """The points (doubled) that the rules take with this bonus."""
    return frozenset(count for count in range(183) if is_taken(state, count, bonus))


def is_taken(state: State, count: int, bonus: tuple[str, str] | None) -> bool:
    kind, seat = bonus or (None, None)
    try:
        decide(CountPoints(points=count, bonus=kind, seat=seat), state)
    except RuleViolation:
        return False
    return True


@pytest.mark.parametrize("name", CONTRACTS)
@pytest.mark.parametrize(
    "players", [4, *(pytest.param(each, marks=pytest.mark.long) for each in (3, 5))]
)
def test_s11_exactly_the_points_and_bonuses_that_can_be_together_are_taken(
    players: int, name: str
) -> None:
    state = given(dealt("A"), contract(DECLARER, name), players=players)
    for bonus in (None, *((kind, seat) for kind in KINDS for seat in (DECLARER, DEFENDER))):
        assert accepted(state, bonus) == possible(players, name, bonus), bonus


@pytest.mark.parametrize(
    ("count", "kind", "seat"), [(27, "grand_slam", "A"), (91, "idiot", "A"), (3, "magician", "B")]
)
def test_s11_three_players_cannot_have_come_to_this(count: float, kind: str, seat: str) -> None:
    state = given(dealt("C"), contract("B", "take"), players=3)
    with refused("bad_total", rule="S8", path="points", says="no number of tricks comes to that"):
        when(state, points(count, kind, seat))


def test_s11_every_card_point_is_a_grand_slam_and_the_refusal_says_so() -> None:
    state = given(dealt("C"), contract("B", "take"), players=3)
    with refused(
        "bad_total",
        rule="S11",
        path="bonus",
        says="B has 85 card points at most without a bonus; 91 are a Slam or a Grand Slam",
    ):
        when(state, points(91))
    bonus = after(state, points(91, "grand_slam", "B")).done[0].result.bonus
    assert bonus is not None
    assert bonus.kind == "grand_slam"


def test_s11_cards_that_are_recorded_bind_what_the_rest_can_come_to() -> None:
    # A has a trick with three honours; without a Slam the defenders win three more, of twelve plain
    # cards at least.
    taken = given(dealt("D"), contract("B", "take"), trick("14S -5 -21 14T"))

    assert max(accepted(taken, None)) == 2 * 91 - (3 * 9 + 1) - 12


def test_s6_an_aside_that_is_written_down_counts_as_it_is() -> None:
    state = given(dealt("C"), contract("B", "take"), aside("1C 2C 3C 4C 5C 6C"), players=3)

    assert accepted(state, ("grand_slam", "A")) == {6}


def test_s11_who_has_all_but_three_tricks_has_a_slam_and_no_lower_bonus_can_be_said() -> None:
    plays = play_out(
        strong_holdings(
            ["0", *(f"-{number}" for number in range(21, 4, -1))],
            talon=["13T", "12T", "11T", "10T", "9T", "8T"],
        ),
        "D",
    )
    state = given(
        dealt("D"),
        contract("A", "guard_without"),
        *[trick(" ".join(cards)) for cards in plays[:15]],
    )
    with refused(
        "bad_total",
        rule="S11",
        path="bonus",
        says="A has 15 of 18 tricks, which is a Slam or a Grand Slam",
    ):
        when(state, points(80))


def test_s11_tricks_that_were_ruled_count_for_the_bonus() -> None:
    state = given(dealt("C"), contract("B", "take"), adjust_tricks(None, "B", 3), players=3)

    assert not is_taken(state, 2 * 83, None)
    assert is_taken(state, 2 * 80, ("slam", "B"))
    assert (
        max(accepted(state, None))
        == max(accepted(given(dealt("C"), contract("B", "take"), players=3), None)) - 9
    )
