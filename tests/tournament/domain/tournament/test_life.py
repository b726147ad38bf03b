"""The life of a tournament: phases, entries, check-in, withdrawal, substitutes, penalties; what is
refused, and what undoes what.
"""

from dataclasses import replace
from typing import Any

import pytest

from tests.tournament.domain.tournament.desk import (
    ROBIN,
    SWISS,
    Desk,
    code_of,
    drawn,
    played,
    running,
    with_entries,
)
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.byes import AskBye, DropBye
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.entries import MakeEntry, Return, Withdraw
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.penalties import CancelPenalty, GivePenalty
from tournament.domain.tournament.presence import CancelCheckIn, CheckIn
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.singles import DropSingle, NoteSingle, PairRemaining, PairSingles
from tournament.domain.tournament.stage import ChangeStage, OpenTournament
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subjects import evolve
from tournament.domain.tournament.substitutes import ReplacePlayer

NEW_PAIR = MakeEntry(players=(("1", "new"), ("2", "newer")))
OF_SINGLES = OpenTournament(
    record="s",
    name="Singles",
    game="precedence",
    seed=7,
    stage=SWISS,
    conditions=Conditions(players=1),
)
PENALTY = GivePenalty(entry="1", points=-50, after_round=0, reason="late", by="Mara")


def of_singles() -> Desk:
    """A tournament of single players in registration."""
    return Desk(opening=OF_SINGLES).does(EnterPhase(phase="registration"))


def test_an_event_goes_from_draft_through_registration_and_play_to_the_archive() -> None:
    desk = played(drawn(4))

    desk.does(EnterPhase(phase="finished"), EnterPhase(phase="archived"))

    assert desk.now.phase == "archived"
    assert code_of(desk, NEW_PAIR) == "wrong_phase"


@pytest.mark.parametrize(
    ("desk", "command", "code"),
    [
        (Desk(), EnterPhase(phase="running"), "wrong_phase"),
        (Desk(), NEW_PAIR, "wrong_phase"),
        (Desk(), DrawRound(round=1), "wrong_phase"),
        (with_entries(1), EnterPhase(phase="running"), "too_few"),
        (with_entries(2), EnterPhase(phase="draft", reason="too early"), "wrong_phase"),
        (running(4), EnterPhase(phase="finished"), "result_missing"),
        (drawn(4), EnterPhase(phase="finished"), "round_open"),
        (drawn(4), EnterPhase(phase="registration", reason="more come"), "wrong_phase"),
        (running(4), EnterPhase(phase="registration"), "reason_missing"),
        (
            played(drawn(4)).does(EnterPhase(phase="finished")),
            EnterPhase(phase="running"),
            "reason_missing",
        ),
        (with_entries(2), MakeEntry(players=(("1", "a1"), ("2", "new"))), "player_twice"),
        (with_entries(2), MakeEntry(players=(("1", "new"),)), "bad_entry"),
        (with_entries(2), CheckIn(entry="9"), "entry_missing"),
        (running(2), CheckIn(entry="1"), "checked_in"),
        (with_entries(2), CancelCheckIn(entry="1"), "checked_in"),
        (with_entries(2).does(Withdraw(entry="1")), CheckIn(entry="1"), "withdrawn"),
        (with_entries(2).does(Withdraw(entry="1")), Withdraw(entry="1"), "withdrawn"),
        (with_entries(2), Return(entry="1"), "withdrawn"),
        (drawn(4), AskBye(entry="1", round=1, kind="half"), "round_drawn"),
        (drawn(4), DropBye(entry="1", round=2), "bye_asked"),
        (running(4), AskBye(entry="1", round=1, kind="full"), "bad_record"),
        (running(4), replace(PENALTY, points=0), "bad_record"),
        (running(4), replace(PENALTY, reason=""), "reason_missing"),
        (running(4), replace(PENALTY, after_round=1), "round_missing"),
        (running(4), CancelPenalty(number=1), "penalty_missing"),
        (running(4), BeginSilence(from_round=None), "silence"),
        (drawn(4), ChangeStage(name="x", stage=SWISS), "wrong_phase"),
        (Desk(), ChangeStage(name="x", stage=replace(SWISS, tie_breaks=("coin",))), "bad_record"),
        (Desk(), ChangeStage(name="x", stage=replace(SWISS, rounds=None)), "bad_record"),
        (Desk(), ChangeStage(name="x", stage=Stage(kind="tables")), "bad_record"),
        (Desk(), ChangeStage(name="x", stage=replace(SWISS, scale=Scale(bye=150))), "bad_record"),
        (Desk(), ChangeStage(name="x", stage=replace(SWISS, scale=Scale(draw=55))), "bad_record"),
        (Desk(), ChangeStage(name="x", stage=Stage(kind="pods")), "no_format"),
        (Desk(), ChangeStage(name=" ", stage=SWISS), "bad_record"),
        (
            Desk(),
            OpenTournament(record="r", name="n", game="precedence", seed=1, stage=SWISS),
            "wrong_phase",
        ),
        (drawn(4, ROBIN), NEW_PAIR, "wrong_phase"),
        (with_entries(2), ReplacePlayer(entry="1", players=(("3", "new"),)), "bad_record"),
        (with_entries(2), ReplacePlayer(entry="1", players=(("1", "a2"),)), "player_twice"),
    ],
)
def test_what_can_not_be_is_refused_with_its_code_and_nothing_happens(
    desk: Desk, command: Any, code: str
) -> None:
    assert code_of(desk, command) == code


def test_a_late_entry_plays_from_the_next_round_and_has_nothing_before() -> None:
    desk = played(drawn(4)).does(NEW_PAIR, DrawRound(round=2))

    assert desk.now.entries[-1].joined_in == 2
    assert "5" in desk.now.rounds[1].seated


def test_a_withdrawn_entry_is_seated_in_no_further_round_and_can_return() -> None:
    desk = played(drawn(5)).does(Withdraw(entry="2"), DrawRound(round=2))
    assert "2" not in desk.now.rounds[1].seated

    desk.does(DropRound(round=2), Return(entry="2"), DrawRound(round=2))

    assert "2" in desk.now.rounds[1].seated


def test_the_rounds_between_withdrawal_and_return_were_missed() -> None:
    desk = played(drawn(5)).does(Withdraw(entry="2"), DrawRound(round=2)).does(Return(entry="2"))

    assert desk.entry("2").absent == (2,)
    assert not field_of(desk.now, {}).entries[1].plays_in(2)


def test_who_withdraws_before_a_draw_is_seen_is_not_seated_by_it() -> None:
    desk = played(drawn(6)).does(DrawRound(round=2), Withdraw(entry="2"))

    assert code_of(desk, PublishRound(round=2)) == "withdrawn"
    assert desk.entry("2").withdrawn_after == 1
    desk.does(DrawRound(round=2), PublishRound(round=2))
    assert "2" not in desk.now.rounds[1].seated


def test_who_withdraws_once_the_draw_is_seen_leaves_after_that_round() -> None:
    desk = played(drawn(6)).does(DrawRound(round=2), PublishRound(round=2), Withdraw(entry="2"))

    assert desk.entry("2").withdrawn_after == 2


def test_a_player_of_a_withdrawn_entry_may_play_for_another() -> None:
    desk = with_entries(3).does(Withdraw(entry="1"), MakeEntry(players=(("1", "a1"), ("2", "new"))))

    assert dict(desk.now.entries[-1].players) == {"1": "a1", "2": "new"}
    assert code_of(desk, Return(entry="1")) == "player_twice"


def test_a_half_bye_asked_for_keeps_the_entry_from_the_draw_and_counts_half() -> None:
    desk = running(4).does(AskBye(entry="3", round=1, kind="half"), DrawRound(round=1))

    byes = {bye.entry: bye.kind for bye in desk.now.rounds[0].byes}

    assert byes["3"] == "half"
    assert sorted(desk.now.rounds[0].seated) == ["1", "2", "3", "4"]


def test_a_substitute_takes_the_place_of_a_player_and_the_entry_stays() -> None:
    desk = drawn(4).does(ReplacePlayer(entry="1", players=(("2", "new"),), reason="ill"))

    assert dict(desk.entry("1").players) == {"1": "a1", "2": "new"}


def test_a_penalty_counts_until_it_is_cancelled() -> None:
    desk = played(drawn(4))
    before = {row.entry: row.points or 0 for row in standings(field_of(desk.now, {})).rows}

    desk.does(replace(PENALTY, after_round=1))
    after = {row.entry: row.points for row in standings(field_of(desk.now, {})).rows}
    desk.does(CancelPenalty(number=1))

    assert after["1"] == before["1"] - 50
    assert {row.entry: row.points for row in standings(field_of(desk.now, {})).rows} == before


@pytest.mark.parametrize(
    ("desk", "there", "back"),
    [
        (with_entries(2), CheckIn(entry="1"), CancelCheckIn(entry="1")),
        (with_entries(2), Withdraw(entry="1"), Return(entry="1")),
        (running(4).does(DrawRound(round=1)), Withdraw(entry="1"), Return(entry="1")),
        (running(4), AskBye(entry="1", round=1, kind="zero"), DropBye(entry="1", round=1)),
        (running(4), DrawRound(round=1), DropRound(round=1)),
        (
            running(4),
            EnterPhase(phase="registration", reason="more come"),
            EnterPhase(phase="running"),
        ),
        (
            drawn(4),
            ReplacePlayer(entry="1", players=(("1", "new"),)),
            ReplacePlayer(entry="1", players=(("1", "a1"),)),
        ),
        (running(4), BeginSilence(from_round=3), BeginSilence(from_round=None)),
    ],
)
def test_what_a_director_did_is_undone_by_a_further_event(
    desk: Desk, there: Any, back: Any
) -> None:
    before = desk.now

    desk.does(there)
    assert replace(desk.now, version=0) != replace(before, version=0)
    desk.does(back)

    assert replace(desk.now, version=0) == replace(before, version=0)


def test_folding_all_events_is_folding_them_in_parts() -> None:
    desk = played(drawn(6)).does(Withdraw(entry="1"), NEW_PAIR, DrawRound(round=2))
    state: State | None = None

    for event in desk.events:
        state = evolve(state, event)

    assert state == desk.state
    assert desk.now.version == len(desk.events)


def alone(name: str, **more: Any) -> NoteSingle:
    return NoteSingle(players=(("1", name),), **more)


def test_two_singles_become_a_pair_rated_by_their_mean_and_of_the_club_that_is_both_s() -> None:
    desk = with_entries(1).does(
        alone("x", rating=1500, club="Core"), alone("y", rating=1401, club="Core"), alone("z")
    )

    desk.does(PairSingles(one=1, two=2))

    pair = desk.now.entries[-1]
    assert (pair.players, pair.rating, pair.club) == ((("1", "x"), ("2", "y")), 1450, "Core")
    assert [single.player for single in desk.now.singles] == ["z"]


@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_the_remaining_singles_are_paired_as_they_came_and_the_odd_one_waits_on(count: int) -> None:
    names = [f"s{number}" for number in range(count)]
    desk = with_entries(2).does(*map(alone, names)).does(PairRemaining())

    pairs = [tuple(player for _place, player in entry.players) for entry in desk.now.entries[2:]]

    assert pairs == list(zip(names[::2], names[1::2], strict=False))
    assert [single.player for single in desk.now.singles] == names[count // 2 * 2 :]


def test_a_single_who_plays_for_an_entry_waits_no_longer() -> None:
    desk = with_entries(2).does(
        alone("x"), alone("y"), MakeEntry(players=(("1", "x"), ("2", "new")))
    )
    assert [single.player for single in desk.now.singles] == ["y"]

    desk.does(ReplacePlayer(entry="1", players=(("2", "y"),)))

    assert desk.now.singles == ()


def test_a_single_s_number_is_given_once() -> None:
    desk = with_entries(2).does(alone("x"), DropSingle(number=1), alone("y"))

    assert [single.number for single in desk.now.singles] == [2]


@pytest.mark.parametrize(
    ("desk", "command", "code"),
    [
        (with_entries(1), alone("a1"), "player_twice"),
        (with_entries(1).does(alone("x")), alone("x"), "player_twice"),
        (with_entries(1).does(alone("x")), PairRemaining(), "too_few"),
        (with_entries(1).does(alone("x")), PairSingles(one=1, two=1), "bad_entry"),
        (with_entries(1).does(alone("x")), PairSingles(one=1, two=2), "entry_missing"),
        (with_entries(1), DropSingle(number=1), "entry_missing"),
        (Desk(), alone("x"), "wrong_phase"),
        (of_singles(), alone("x"), "bad_entry"),
        (of_singles(), NEW_PAIR, "bad_entry"),
        (drawn(4, ROBIN), alone("x"), "wrong_phase"),
    ],
)
def test_what_singles_can_not_do_is_refused(desk: Desk, command: Any, code: str) -> None:
    assert code_of(desk, command) == code


@pytest.mark.parametrize(
    "conditions",
    [
        Conditions(players=3),
        Conditions(minutes=0),
        Conditions(options=(("ante", -1),)),
        Conditions(options=(("colour", 1),)),
    ],
)
def test_conditions_that_the_game_does_not_have_are_refused(conditions: Conditions) -> None:
    assert (
        code_of(Desk(), ChangeStage(name="x", stage=SWISS, conditions=conditions)) == "bad_record"
    )


def test_conditions_change_until_the_first_draw_but_not_the_size_of_entries_there_are() -> None:
    desk = with_entries(2).does(
        ChangeStage(name="x", stage=SWISS, conditions=Conditions(players=2, minutes=45))
    )

    assert desk.now.conditions.minutes == 45
    assert (
        code_of(desk, ChangeStage(name="x", stage=SWISS, conditions=Conditions(players=1)))
        == "bad_entry"
    )


def test_silent_rounds_and_that_it_is_not_rated_can_be_set_with_the_tournament() -> None:
    desk = Desk(
        opening=OpenTournament(
            record="r", name="n", game="precedence", seed=1, stage=SWISS, silent_from=4, rated=False
        )
    )

    assert (desk.now.silent_from, desk.now.rated, desk.now.version) == (4, False, 3)
