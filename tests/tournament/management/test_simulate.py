"""A simulated evening ends with clean books, and the same seed plays the same evening."""

import pytest
from django.core.management import CommandError, call_command

from ledger.store import open_log
from tournament.demo.evening import play_evening
from tournament.models import Salon
from tournament.projections.standings import standings_of


def played(slug: str) -> tuple[Salon, str]:
    """A small evening in a new salon."""
    salon = Salon.objects.create(slug=slug, name=slug, log=open_log())
    stream = play_evening(
        salon, entries=8, rounds=3, seed=5, hands=1, actor="simulation", progress=lambda done: None
    )
    return salon, stream


def test_the_same_seed_plays_the_same_evening(db: None) -> None:
    one, two = played("one"), played("two")

    assert standings_of(*one) == standings_of(*two)


def test_a_simulated_evening_ends_with_a_clean_audit(
    db: None, capfd: pytest.CaptureFixture[str]
) -> None:
    call_command("simulate", "--entries", "9", "--rounds", "3", "--hands", "2", "--seed", "3")

    out = capfd.readouterr().out
    assert "audit clean" in out
    assert "9 pairs, 3 rounds" in out


@pytest.mark.parametrize(
    "arguments",
    [["--entries", "3"], ["--entries", "8", "--rounds", "8"], ["--hands", "0"], ["--seed", "-1"]],
)
def test_an_evening_that_can_not_be_is_refused(db: None, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="pairs"):
        call_command("simulate", *arguments)

    assert not Salon.objects.exists()
