"""Club, rating, own name and order of an entry can be put right; a draft or practice tournament can
be hidden.
"""

import pytest

from scoring.errors import Refusal, RuleViolation
from tests.tournament.domain.tournament.desk import Desk, drawn, with_entries
from tournament.domain.tournament.entry_changes import ChangeEntry
from tournament.domain.tournament.lifecycle import (
    BeginPractice,
    EnterPhase,
    HideTournament,
    ShowTournament,
)
from tournament.domain.tournament.substitutes import ReplacePlayer


def test_only_what_is_named_changes() -> None:
    desk = with_entries(2).does(ChangeEntry(entry="1", fields=("club", "rating"), rating=1500))
    desk.does(ChangeEntry(entry="1", fields=("club",), club="North"))

    entry = desk.entry("1")
    assert (entry.club, entry.rating, entry.entry_name) == ("North", 1500, None)
    with pytest.raises(RuleViolation, match="that is how entry 1 is already"):
        desk.does(ChangeEntry(entry="1", fields=("club",), club="North"))


def test_the_players_sit_in_another_order_before_their_first_round() -> None:
    desk = with_entries(2).does(
        ReplacePlayer(entry="1", players=(("2", "sue"),), from_round=1, until_round=1),
        ChangeEntry(entry="1", order=("2", "1")),
    )

    assert desk.entry("1").members_in(1) == (("1", "sue"), ("2", "a1"))
    assert desk.entry("1").members_in(2) == (("1", "b1"), ("2", "a1"))
    for wrong in (("1",), ("1", "1"), ("1", "3")):
        with pytest.raises(Refusal, match="every place of entry 1"):
            desk.does(ChangeEntry(entry="1", order=wrong))


def test_once_a_round_is_drawn_it_takes_a_reason_and_keeps_the_order() -> None:
    change = ChangeEntry(entry="1", fields=("club",), club="North")
    with pytest.raises(RuleViolation) as refusal:
        drawn(4).does(change)
    assert refusal.value.code == "reason_missing"
    with pytest.raises(RuleViolation, match="before its first round only"):
        drawn(4).does(ChangeEntry(entry="1", order=("2", "1"), reason="d" * 64))

    desk = drawn(4).does(ChangeEntry(entry="1", fields=("club",), club="North", reason="d" * 64))

    assert desk.entry("1").club == "North"


def test_a_draft_or_practice_is_hidden_and_takes_nothing_until_it_is_shown_again() -> None:
    desk = Desk().does(HideTournament())
    assert desk.now.hidden
    with pytest.raises(RuleViolation, match="is hidden"):
        desk.does(EnterPhase(phase="registration"))

    desk.does(ShowTournament(), BeginPractice(), EnterPhase(phase="registration"), HideTournament())

    assert desk.now.hidden


def test_what_is_no_draft_and_no_practice_stays_in_the_lists() -> None:
    with pytest.raises(RuleViolation, match="this one is in registration"):
        with_entries(2).does(HideTournament())
    with pytest.raises(RuleViolation, match="is not hidden"):
        with_entries(2).does(ShowTournament())
