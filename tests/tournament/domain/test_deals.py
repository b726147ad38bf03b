"""Duplicate deals: one deal for all tables from a seed, every way to deal as likely, and refused
when it isn't the pack.
"""

from collections import Counter

import pytest

from scoring.errors import RuleViolation
from scoring.games import GAMES
from tournament.domain.deals import Deal, check_deal, commitment, deal_of

PACK = GAMES["precedence"].pack
SEED = "winter cup"
SOUTH_OF_DEAL_1 = "4V 6V 7V 2F 5F 6F CF EF 4B 7B OB 4C CC"
COMMITTED = "0451fd6abb684e1dee1d73e189072d920bf12c5ea59875ee208cf76f1a42d6b9"


def a_deal(number: int = 1) -> Deal:
    return deal_of(SEED, number, PACK)


def test_a_deal_is_the_pack_in_four_holdings_of_13_in_order() -> None:
    for number in range(1, 50):
        deal = a_deal(number)
        check_deal(deal, PACK)
        assert all(list(holding) == sorted(holding, key=PACK.index) for holding in deal)


def test_each_number_and_each_seed_has_a_deal_of_its_own() -> None:
    deals = {deal_of(seed, number, PACK) for seed in ("a", "b") for number in range(1, 51)}

    assert len(deals) == 100
    assert a_deal() == a_deal()


def test_a_seed_s_deals_never_change() -> None:
    """Published seeds must be checkable for ever."""
    assert " ".join(a_deal()[2]) == SOUTH_OF_DEAL_1
    assert commitment(SEED) == COMMITTED


def test_every_card_comes_to_every_seat_about_as_often() -> None:
    """Over 2,000 deals 500 times on average; six standard deviations are 116."""
    times = Counter(
        (seat, card)
        for number in range(2_000)
        for seat, holding in enumerate(a_deal(number))
        for card in holding
    )

    assert len(times) == 4 * 52
    assert all(abs(each - 500) < 116 for each in times.values())


def changed(old: str, *new: str) -> list[list[str]]:
    """A deal with other cards in the place of one."""
    return [
        [each for card in holding for each in (new if card == old else (card,))]
        for holding in a_deal()
    ]


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        (changed("7V"), "52 cards, each once, and here are 51: 7V is missing"),
        (changed("7V", "7V", "7V"), "here are 53: 7V is there 2 times"),
        (changed("7V", "8V"), "here are 52: 7V is missing, 8V is there 2 times"),
        (changed("7V", "7X"), "here are 52: 7X is no card of this game, 7V is missing"),
        (
            [PACK[:12], PACK[12:26], PACK[26:39], PACK[39:]],
            "4 holdings of 13 cards, not of 12, 14, 13, 13",
        ),
        ([PACK[:26], PACK[26:]], "4 holdings of 13 cards, not of 26, 26"),
    ],
)
def test_what_isn_t_the_pack_is_refused_with_what_is_wrong(
    deal: list[list[str]], said: str
) -> None:
    with pytest.raises(RuleViolation) as refused:
        check_deal(deal, PACK)

    assert refused.value.code == "bad_total"
    assert said in refused.value.message
