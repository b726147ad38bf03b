"""Laws that hold for every game of Contract Sabacc, tried on random ones."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.commands import Undo
from scoring.records import decide_record, read_record, write_record
from scoring.sabacc.decide import decide
from scoring.sabacc.evolve import evolve
from scoring.sabacc.pots import ANTE, WAGER, payouts_of
from scoring.sabacc.state import State
from scoring.sabacc.whole_hand import acts_of
from tests.scoring.sabacc.games_made import records

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
FEW = settings(max_examples=50, deadline=None, suppress_health_check=SLOW)
MANY = settings(max_examples=1500, deadline=None, suppress_health_check=SLOW)


def folded(events: list[Any], state: State | None = None) -> State:
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def shown(state: State) -> State:
    """A state without accounts at 0 and without what only taking back needs: versions and earlier states."""
    balances = {account: chips for account, chips in state.balances.items() if chips}
    return state._replace(version=0, opened=0, trail=(), moves=(), balances=balances)


def every_step(value: dict[str, Any]) -> list[tuple[Any, State | None, State]]:
    """Each act of a record with the state before and after it."""
    read = read_record(value)
    steps: list[tuple[Any, State | None, State]] = [(read.start, None, folded(decide(read.start, None)))]
    for sheet in read.sheets:
        for act in acts_of(sheet, len(value["players"])):
            before = steps[-1][2]
            steps.append((act, before, folded(decide(act, before), before)))
    return steps


def check_chips(value: dict[str, Any]) -> None:
    """Every chip somebody gained somebody gave, after each event; a pot is never below 0, no wager outlives its hand."""
    events, state = decide_record(read_record(value))
    running = None
    for event in events:
        running = evolve(running, event)
        assert sum(running.balances.values()) == 0
        assert running.balances.get(ANTE, 0) >= 0
        assert running.balances.get(WAGER, 0) >= 0
    assert state.balances.get(WAGER, 0) == 0
    if state.closed is not None and state.rules.ante_pot_end == "split":
        assert state.balances.get(ANTE, 0) == 0


def check_hands(value: dict[str, Any]) -> None:
    """Each hand's chips and the change of the Ante Pot sum to zero; 46 make it; the bonus fits the pot after the antes."""
    read = read_record(value)
    _, state = decide_record(read)
    pot = 0
    for result, closed in zip(read.game.result(state)["hands"], state.done, strict=True):
        assert sum(result["chips"].values()) + result["ante_pot"] - pot == 0
        assert closed.hand.anted == pot + state.rules.ante * len(state.seats)
        if result["declarer"] is not None:
            assert result["made"] == (result["points"] >= 46)
            quarters = {"idiot": 1, "magician": 2, "slam": 3, "grand_slam": 4}
            bonus = result["bonus"]
            assert bonus is None or bonus["chips"] == closed.hand.anted * quarters[bonus["kind"]] // 4
        pot = result["ante_pot"]


def check_wagers(value: dict[str, Any]) -> None:
    """S5 and S10 computed again: what the declarer wins the defenders lose, or they share all but the odd chips."""
    read = read_record(value)
    _, state = decide_record(read)
    stakes = {"take": 1, "push": 1, "guard": 2, "guard_without": 4, "guard_against": 6}
    for closed in state.done:
        hand, defenders = closed.hand, len(state.seats) - 1
        if hand.declarer is None:
            continue
        bid = {seat: max((stakes.get(call, 0) for caller, call in hand.calls if caller == seat), default=0) for seat in state.seats}
        own = bid if state.rules.wager == "bidders_only" else dict.fromkeys(state.seats, stakes[hand.contract or ""])
        assert closed.result.wagered == sum(own.values()) + defenders * stakes[hand.contract or ""]
        shares = [move.chips for move in payouts_of(hand) if move.why == "failed"]
        assert closed.result.made or shares == [closed.result.wagered // defenders] * defenders


def check_fold(value: dict[str, Any], cut: int) -> None:
    """Folding all is folding parts."""
    events, state = decide_record(read_record(value))
    place = cut % len(events) + 1

    assert folded(events[place:], folded(events[:place])) == state == folded(events)


def check_act_by_act(value: dict[str, Any]) -> None:
    """Acts one by one give the same state as whole sheets; and the same events."""
    events, state = decide_record(read_record(value))
    steps = every_step(value)

    assert steps[-1][2] == state
    assert [event for act, before, _ in steps for event in decide(act, before)] == events


def check_round_trip(value: dict[str, Any]) -> None:
    """What is written reads as the same game, and is written the same again."""
    read = read_record(value)
    events, state = decide_record(read)
    written = json.loads(json.dumps(write_record(read.game, state)))
    again, game = decide_record(read_record(written))

    assert (again, game) == (events, state)
    assert write_record(read.game, game) == write_record(read.game, state)


def check_undo(value: dict[str, Any]) -> None:
    """Taking back any act gives the table before it; done again, it comes to the same."""
    for act, before, after in every_step(value)[1:]:
        assert before is not None
        undone = folded(decide(Undo(version=before.version + 1), after), after)
        assert shown(undone) == shown(before)
        assert shown(folded(decide(act, undone), undone)) == shown(after)


def check_undo_in_a_row(value: dict[str, Any]) -> None:
    """Acts taken back one after the other lead back through every table of the last hand."""
    steps = every_step(value)
    state = steps[-1][2]
    for _, before, _ in reversed(steps[1:]):
        if not state.trail:
            return
        state = folded(decide(Undo(version=state.trail[-1].version + 1), state), state)
        assert before is not None
        assert shown(state) == shown(before)


LAWS = [check_chips, check_hands, check_wagers, check_act_by_act, check_round_trip]


@FEW
@given(value=records())
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_holds_for_every_game(law: Any, value: dict[str, Any]) -> None:
    law(value)


@FEW
@given(value=records(), cut=st.integers(0, 10_000))
def test_folding_all_is_folding_parts(value: dict[str, Any], cut: int) -> None:
    check_fold(value, cut)


@settings(FEW, max_examples=20)
@given(value=records())
def test_undo_of_any_act_gives_the_table_before_it(value: dict[str, Any]) -> None:
    check_undo(value)
    check_undo_in_a_row(value)


@pytest.mark.long
@MANY
@given(value=records(), number=st.integers(0, 10_000))
def test_all_laws_hold_for_thousands_of_games(value: dict[str, Any], number: int) -> None:
    for law in (*LAWS, check_undo, check_undo_in_a_row):
        law(value)
    check_fold(value, number)
