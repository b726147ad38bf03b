"""The stock of a duplicate deal: one order for all from a seed, every order as likely, nothing told
before (O7).
"""

import json
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from scoring.patience.deal import CARDS, commitment, stock_of
from scoring.patience.decide import check_stock
from scoring.shuffling import below

SEED = "winter cup, deal 1"
TOP = "8H 4S 7C TD 6H 5D 2D 2S 7H 3H JC 2S KS"
COMMITTED = "46410375fb040ab8f6e4ac129ed293f84b37d94604c6e9e72a639553cbd4dc42"


def test_a_seed_gives_everybody_the_same_two_packs() -> None:
    check_stock(stock_of(SEED))
    assert stock_of(SEED) == stock_of(SEED) != stock_of("winter cup, deal 2")


def test_the_order_of_a_seed_never_changes() -> None:
    """Published seeds must be checkable for ever."""
    assert " ".join(stock_of(SEED)[:13]) == TOP
    assert commitment(SEED) == COMMITTED


def test_the_commitment_is_the_seed_s_own_and_not_the_first_block_of_its_order() -> None:
    assert len({commitment(f"deal {number}") for number in range(100)}) == 100
    assert len(commitment("")) == 64


def test_every_card_comes_first_about_as_often() -> None:
    """Over 2,000 seeds 38.5 times on average; six standard deviations are 37."""
    first = Counter(stock_of(str(seed))[0] for seed in range(2_000))

    assert set(first) == set(CARDS)
    assert max(first.values()) <= 75
    assert min(first.values()) >= 2


def test_numbers_that_would_favour_some_are_passed_over() -> None:
    assert below(3, iter([2**32 - 1, 5])) == 2
    assert below(2**32, iter([2**32 - 1])) == 2**32 - 1


def test_the_command_repeats_a_seed_and_draws_another_each_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for arguments in (["--seed", SEED], [], []):
        call_command("stock", "--json", *arguments, stdout=StringIO())
    repeated, first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())

    assert repeated == {"seed": SEED, "commitment": commitment(SEED), "stock": list(stock_of(SEED))}
    assert first["seed"] != second["seed"]
    assert first["stock"] == list(stock_of(first["seed"]))


def test_in_words_it_says_what_to_publish_when(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("stock", "--seed", SEED)
    said = capsys.readouterr().out

    assert f"before play):  {COMMITTED}" in said
    assert TOP in said
