"""An entry that has not played can be removed and taken in again; its number is nobody else's."""

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import ROBIN, Desk, drawn, played, with_entries
from tournament.domain.tournament.draws import DropRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.penalties import CancelPenalty, GivePenalty
from tournament.domain.tournament.removals import (
    EnterListAgain,
    RemoveEntry,
    RestoreEntry,
    TakeBackList,
)

LATE = MakeEntry(players=(("1", "late"), ("2", "later")))


def ids(desk: Desk) -> list[str]:
    return [entry.id for entry in desk.now.entries]


def test_an_entry_made_by_mistake_is_gone_and_no_other_gets_its_number() -> None:
    desk = with_entries(4).does(RemoveEntry(entry="4"), LATE)

    assert ids(desk) == ["1", "2", "3", "5"]


def test_its_people_can_play_for_another_entry() -> None:
    desk = with_entries(3).does(
        RemoveEntry(entry="3"), MakeEntry(players=(("1", "a3"), ("2", "b1x")))
    )

    assert ids(desk) == ["1", "2", "4"]
    with pytest.raises(RuleViolation, match="is in entry 4 already") as refusal:
        desk.does(RestoreEntry(entry="3"))
    assert refusal.value.code == "player_twice"


def test_it_is_taken_in_again_at_its_place() -> None:
    before = with_entries(4)
    desk = with_entries(4).does(RemoveEntry(entry="2"), RestoreEntry(entry="2"))

    assert desk.now.entries == before.now.entries
    assert desk.now.removed == ()
    with pytest.raises(RuleViolation, match="no entry 2 was removed"):
        desk.does(RestoreEntry(entry="2"))


def test_with_its_last_entries_gone_a_tournament_goes_back_to_a_draft() -> None:
    desk = with_entries(2).does(RemoveEntry(entry="1"), RemoveEntry(entry="2"))

    desk.does(EnterPhase(phase="draft", reason="begun too early"))

    assert desk.now.phase == "draft"


def test_whoever_sits_in_a_round_is_withdrawn_and_not_removed() -> None:
    desk = drawn(5)
    sits_out = desk.now.rounds[0].byes[0].entry

    for key in ("1", sits_out):
        with pytest.raises(RuleViolation, match="withdraw it") as refusal:
            desk.does(RemoveEntry(entry=key))
        assert refusal.value.code == "entry_played"


def test_once_the_draw_is_taken_back_it_can_go() -> None:
    desk = with_entries(4).does(EnterPhase(phase="running"))

    assert ids(drawn(4).does(DropRound(round=1), RemoveEntry(entry="4"))) == ["1", "2", "3"]
    assert ids(desk.does(RemoveEntry(entry="4"))) == ["1", "2", "3"]


def test_a_late_entry_that_waits_for_its_first_round_can_go_and_come_back_later() -> None:
    desk = played(drawn(4)).does(LATE, RemoveEntry(entry="5"))
    assert ids(desk) == ["1", "2", "3", "4"]

    desk.does(RestoreEntry(entry="5"))

    assert desk.entry("5").joined_in == 2


def test_a_round_robin_keeps_whom_it_was_drawn_for() -> None:
    desk = with_entries(5, ROBIN).does(Withdraw(entry="5"), EnterPhase(phase="running"))
    desk = drawn(5, ROBIN)

    with pytest.raises(RuleViolation, match="withdraw it"):
        desk.does(RemoveEntry(entry="5"))


def test_points_that_count_for_it_are_cancelled_first() -> None:
    given = GivePenalty(entry="3", points=-50, after_round=0, reason="late", by="d" * 64)
    desk = with_entries(3).does(given)
    with pytest.raises(RuleViolation, match="cancel that first"):
        desk.does(RemoveEntry(entry="3"))

    assert ids(desk.does(CancelPenalty(number=1), RemoveEntry(entry="3"))) == ["1", "2"]


def test_nothing_is_removed_once_it_is_over() -> None:
    desk = played(drawn(4)).does(LATE, EnterPhase(phase="finished"))

    with pytest.raises(RuleViolation, match="it is in finished"):
        desk.does(RemoveEntry(entry="5"))


def test_a_list_goes_and_comes_back_as_one_act() -> None:
    before = with_entries(5)

    desk = with_entries(5).does(TakeBackList(entries=("2", "1", "4")))
    assert ids(desk) == ["3", "5"]
    desk = desk.does(EnterListAgain(entries=("1", "2", "4")))

    assert desk.now.entries == before.now.entries
    assert desk.now.removed == ()


def test_a_list_of_which_somebody_has_played_stays_whole() -> None:
    desk = with_entries(4)
    before = desk.now

    with pytest.raises(RuleViolation):
        desk.does(TakeBackList(entries=("1", "9")))
    with pytest.raises(RuleViolation, match="a list has an entry or more"):
        desk.does(TakeBackList())
    with pytest.raises(RuleViolation, match="no single 7 waits"):
        desk.does(TakeBackList(singles=(7,)))

    assert desk.now == before
