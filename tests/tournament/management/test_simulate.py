"""A simulated evening ends with clean books, and the same seed plays the same evening."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ledger.store import open_log
from tournament.demo.evening import play_evening_of_pairs
from tournament.domain.pairing.redraw import redrawn
from tournament.domain.standings.reading import read_tournament
from tournament.exchange.tournament_records import export_tournament
from tournament.models import Salon, Tournament
from tournament.projections.standings import standings_of
from tournament.salons.public_names import Audience


def played(slug: str) -> tuple[Salon, str]:
    """A small evening in a new salon."""
    salon = Salon.objects.create(slug=slug, name=slug, log=open_log())
    stream = play_evening_of_pairs(
        salon, entries=8, rounds=3, seed=5, hands=1, actor="simulation", progress=lambda done: None
    ).stream
    return salon, stream


@pytest.mark.long
def test_the_same_seed_plays_the_same_evening(db: None) -> None:
    one, two = played("one"), played("two")

    assert standings_of(*one) == standings_of(*two)


def test_every_round_of_a_simulated_evening_is_drawn_again_from_its_file(db: None) -> None:
    salon, stream = played("one")

    file = read_tournament(export_tournament(salon, stream, Audience.SALON))

    assert [(each.round, each.same) for each in redrawn(file)] == [(1, True), (2, True), (3, True)]


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


def test_a_stage_is_simulated_with_what_it_asks(
    db: None, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--stage", "pods", "--game", "contract_sabacc", "--sizes", "4,3", "--hands", "1"]
    call_command("simulate", *arguments, "--entries", "11", "--rounds", "2")

    out = capfd.readouterr().out
    assert "pods of contract_sabacc, 11 players, 2 rounds" in out
    assert "audit clean" in out


def test_a_mitchell_is_simulated_with_a_rover_whose_draws_are_those_of_its_file(
    db: None, capfd: pytest.CaptureFixture[str]
) -> None:
    rover = ("--rover", "--small-groups", "averages", "--trouble", "0")
    told = simulated(capfd, "--stage", "movement", "--entries", "9", *rover)

    row = Tournament.objects.get()
    file = read_tournament(export_tournament(row.salon, row.pk, Audience.SALON))
    assert file.stage.movement.rover
    assert file.stage.small_groups == "averages"
    assert [each.same for each in redrawn(file)] == [True] * told["rounds"]
    assert [len(each.tables) for each in file.rounds] == [4] * told["rounds"]
    assert told["findings"] == []


def simulated(capfd: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What `simulate --json` says."""
    call_command("simulate", *arguments, "--hands", "1", "--json")
    told: dict[str, Any] = json.loads(capfd.readouterr().out)
    return told


FINAL = ("--entries", "9", "--rounds", "2", "--then", "knockout", "--cut", "4")


@pytest.mark.long
def test_several_stages_are_simulated_and_each_cut_says_what_decided_it(
    db: None, capfd: pytest.CaptureFixture[str]
) -> None:
    told = simulated(capfd, "--stage", "swiss", *FINAL, "--trouble", "4")

    (cut,) = told["cuts"]
    assert told["played"] == "swiss, then knockout of precedence, 9 pairs"
    assert len(cut["entries"]) == 4
    assert "just missed it" in " ".join(cut["words"])
    assert told["recorded"]["tournament.stage_begun"] >= 1
    assert told["findings"] == []


def test_who_is_level_at_a_cut_plays_off(db: None, capfd: pytest.CaptureFixture[str]) -> None:
    event = ("--entries", "8", "--rounds", "3", "--then", "knockout", "--cut", "4", "--seed", "2")
    told = simulated(capfd, "--stage", "swiss", *event, "--ties", "play_off")

    assert told["happened"]["play_offs"] == 1
    assert "the play-off decided" in " ".join(told["cuts"][0]["words"])
    assert told["findings"] == []


@pytest.mark.long
def test_the_same_seed_plays_the_same_stages_with_the_same_mishaps(
    db: None, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--stage", "swiss", "--line-up", "2", *FINAL, "--trouble", "5", "--seed", "8")
    one, two = (simulated(capfd, *arguments, "--salon", slug) for slug in ("one", "two"))

    assert one["happened"] == two["happened"]
    assert one["recorded"] == two["recorded"]
    assert one["cuts"] == two["cuts"]
    assert one["happened"]["line_ups"] > 0


def test_where_nothing_goes_wrong_every_round_of_all_stages_is_drawn_again_from_the_file(
    db: None, capfd: pytest.CaptureFixture[str]
) -> None:
    told = simulated(capfd, "--stage", "swiss", *FINAL, "--trouble", "0")

    row = Tournament.objects.get()
    file = read_tournament(export_tournament(row.salon, row.pk, Audience.SALON))
    assert {*told["happened"]} <= {"typed"}
    assert [each.same for each in redrawn(file)] == [True] * told["rounds"]
    assert [each.round for each in redrawn(file)] == [*range(1, told["rounds"] + 1)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stage", "movement", "--entries", "3"], "from 4 pairs on a Howell works"),
        (["--stage", "swiss", "--then", "knockout", "--cut", "9", "--entries", "8"], "take 2 to 8"),
        (["--stage", "swiss", "--then", "movement", "--cut", "3"], "it can for 5"),
        (["--stage", "swiss", "--cut", "4"], "say --then before"),
        (["--then", "knockout"], "say with --stage"),
        (["--stage", "rotating", "--then", "pods"], "can't be played in the format"),
        (["--stage", "swiss", "--line-up", "3"], "play at a table of this game"),
        (["--stage", "swiss", "--line-up", "2", "--players", "9"], "2 or 3 or 4"),
        (["--stage", "swiss", "--line-up", "2", "--players", "8", "--entries", "400"], "names for"),
        (["--stage", "movement", "--entries", "5", "--rover"], "from 3 to 14 tables, not at 2"),
        (["--stage", "swiss", "--trouble", "-1"], "--trouble"),
        (["--stage", "swiss", "--accelerated", "9"], "as many rounds of a Swiss"),
    ],
)
def test_an_event_that_can_not_be_is_refused_before_a_salon_is_opened(
    db: None, arguments: list[str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("simulate", *arguments)

    assert not Salon.objects.exists()


def test_a_format_that_a_game_can_not_have_is_refused_in_words(db: None) -> None:
    with pytest.raises(CommandError, match="can't be played in the format"):
        call_command("simulate", "--stage", "pods", "--game", "precedence", "--entries", "8")


def test_entries_that_a_format_can_not_seat_are_refused_before_a_salon_is_opened(db: None) -> None:
    arguments = ["--stage", "pods", "--game", "contract_sabacc", "--sizes", "5,4"]
    with pytest.raises(CommandError, match="with tables of 3 too all can"):
        call_command("simulate", *arguments, "--entries", "7")

    assert not Salon.objects.exists()


@pytest.mark.parametrize("size", ["x", "\N{SUPERSCRIPT TWO}", "", "-3"])
def test_a_size_of_tables_that_is_no_number_is_refused(db: None, size: str) -> None:
    arguments = ["--stage", "pods", "--game", "contract_sabacc", "--sizes", f"4,{size}"]
    with pytest.raises(CommandError, match=r"stage\.sizes\[1\]: a whole number"):
        call_command("simulate", *arguments, "--entries", "8")

    assert not Salon.objects.exists()
