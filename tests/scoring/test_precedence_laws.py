"""Laws that hold for every game of Precedence, tried on random ones."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scoring.commands import Undo
from scoring.errors import Refusal
from scoring.events import EntryRetracted
from scoring.precedence.accounts import ACCORD, HAND
from scoring.precedence.commands import CallMisdeal
from scoring.precedence.decide import decide
from scoring.precedence.evolve import evolve
from scoring.precedence.opening import next_dealer
from scoring.precedence.state import State
from scoring.precedence.whole_hand import acts_of
from scoring.records import decide_record, read_record, write_record
from tests.scoring.games_made import records
from tests.scoring.table import dealt
from tests.scoring.table import given as on_table

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
MANY = settings(max_examples=1500, deadline=None, suppress_health_check=SLOW)


def legal(value: dict[str, Any]) -> dict[str, Any]:
    """The record up to the hand that ends the game; a ruling that can't be makes it no example."""
    try:
        decide_record(read_record(value))
    except Refusal as refusal:
        assume(refusal.code == "game_over" and len(value["hands"]) > 1)
        return legal({**value, "hands": value["hands"][:-1]})
    return value


games = records().map(legal)


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
        state = steps[-1][2]
        for act in acts_of(sheet, sheet.opening.dealer or next_dealer(state) or ""):
            before = steps[-1][2]
            steps.append((act, before, folded(decide(act, before), before)))
    return steps


def check_chips(value: dict[str, Any]) -> None:
    """Every chip somebody gained somebody gave, after each event; a pot is never below 0."""
    _, events, state = read_record(value), *decide_record(read_record(value))
    running = None
    for event in events:
        running = evolve(running, event)
        assert sum(running.balances.values()) == 0
        assert running.balances.get(HAND, 0) >= 0
        assert running.balances.get(ACCORD, 0) >= 0
    if state.closed is not None:
        assert (state.balances.get(HAND, 0), state.balances.get(ACCORD, 0)) == (0, 0)


def check_pots(value: dict[str, Any]) -> None:
    """Hand Pot = 4·ante + trick_stake·Σbids + meld_stake·melds + carried, rulings apart."""
    read = read_record(value)
    _, state = decide_record(read)
    carried = 0
    for closed in state.done:
        if closed.result is None:
            continue
        ruled = sum(move.chips * ((move.target == HAND) - (move.source == HAND)) for move in closed.hand.moves if move.why == "ruling")
        staked = 4 * state.rules.ante + state.rules.trick_stake * sum(closed.hand.bids.values())
        assert closed.result.pot == staked + state.rules.meld_stake * len(closed.hand.melds) + carried + ruled
        carried = closed.result.pot - sum(chips for _, chips in closed.result.payouts)


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

    assert game == state
    assert again == events
    assert write_record(read.game, game) == write_record(read.game, state)


def check_undo(value: dict[str, Any]) -> None:
    """Taking back any act gives the table before it, also several in a row; done again, it comes to the same."""
    steps = every_step(value)
    for act, before, after in steps[1:]:
        assert before is not None
        undone = folded(decide(Undo(version=before.version + 1), after), after)
        assert shown(undone) == shown(before)
        assert shown(folded(decide(act, undone), undone)) == shown(after)
    state = steps[-1][2]
    of_last_hand = len(acts_of(read_record(value).sheets[-1], "N"))
    for number, (_, before, _) in enumerate(reversed(steps[1:])):
        if number >= of_last_hand and not state.trail:
            break
        state = folded(decide(Undo(version=state.trail[-1].version + 1), state), state)
        assert before is not None
        assert shown(state) == shown(before)


def check_misdeal(value: dict[str, Any], place: int) -> None:
    """A misdeal called at any moment of an open hand leaves what was before it but the antes, and can be taken back."""
    opened = [state for _, _, state in every_step(value) if state.hand is not None]
    assume(opened)
    state = opened[place % len(opened)]
    opening = next(before.hand for before in (*state.trail, state) if before.version > state.opened)
    called = folded(decide(CallMisdeal(), state), state)

    assert called.done[-1].hand == opening
    assert sum(called.balances.values()) == 0
    assert shown(folded(decide(Undo(version=state.version + 1), called), called)) == shown(state)


def check_points(value: dict[str, Any]) -> None:
    """P16 to P19 computed again, from the record alone."""
    read = read_record(value)
    _, state = decide_record(read)
    carry = value["options"].get("excess_reset") == "carry"
    score, excess = {"NS": 0, "EW": 0}, {"NS": 0, "EW": 0}
    for result, written in zip(read.game.result(state)["hands"], [hand for hand in value["hands"] if "bids" in hand], strict=True):
        swapped = written.get("players", {}).get("E") == "Asha"
        for team, seats in (("NS", "EW" if swapped else "NS"), ("EW", "NS" if swapped else "EW")):
            contract, tricks = sum(written["bids"][seat] for seat in seats), result["tricks"][team]
            melds = sum(
                {"run": 3 if len(meld["cards"]) == 3 else 6, "triad": 5, "quad": 12}[meld["kind"]]
                for meld in written.get("melds", [])
                if meld["seat"] in seats
            )
            ruled = sum(each["points"] for each in written.get("rulings", []) if each.get("side") == seats)
            points = 10 * contract + tricks - contract + melds if tricks >= contract else -10 * contract + melds // 2
            over = max(0, tricks - contract)
            score[team] += points + ruled
            excess[team] += over
            while excess[team] >= 10:
                score[team] -= 100
                excess[team] = excess[team] - 10 if carry else 0
            assert (result["points"][team], result["score"][team], result["excess"][team]) == (points + ruled, score[team], excess[team])


def check_net_chips(value: dict[str, Any]) -> None:
    """Seats and pots sum to zero; before the end, what a seat won is the sum of its hands less the accord stake."""
    read = read_record(value)
    _, state = decide_record(read)
    result = read.game.result(state)

    assert sum(result["chips"].values()) + sum(result["pots"].values()) == 0
    if state.closed is None and state.redealt is None and not any("rulings" in hand for hand in value["hands"]):
        stake = state.rules.accord_stake
        assert result["pots"]["accord"] == 4 * stake
        assert result["chips"] == {seat: sum(hand["chips"][seat] for hand in result["hands"]) - stake for seat in "NESW"}


LAWS = [check_chips, check_pots, check_act_by_act, check_round_trip, check_points, check_net_chips]


@FEW
@given(value=games)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_law_holds_for_every_game(law: Any, value: dict[str, Any]) -> None:
    law(value)


@FEW
@given(value=games, cut=st.integers(0, 10_000))
def test_folding_all_is_folding_parts(value: dict[str, Any], cut: int) -> None:
    check_fold(value, cut)


@settings(FEW, max_examples=25)
@given(value=games)
def test_undo_of_any_act_gives_the_table_before_it(value: dict[str, Any]) -> None:
    check_undo(value)


@FEW
@given(value=games, place=st.integers(0, 10_000))
def test_a_misdeal_called_at_any_moment_can_be_taken_back(value: dict[str, Any], place: int) -> None:
    check_misdeal(value, place)


@pytest.mark.long
@MANY
@given(value=games, number=st.integers(0, 10_000))
def test_all_laws_hold_for_thousands_of_games(value: dict[str, Any], number: int) -> None:
    for law in (*LAWS, check_undo):
        law(value)
    check_fold(value, number)
    check_misdeal(value, number)


def test_only_the_last_act_can_be_taken_back() -> None:
    value = {"format": "salon-record/1", "id": "x", "game": "precedence", "players": {"N": "A", "E": "B", "S": "C", "W": "D"}, "hands": []}
    _, state = decide_record(read_record(value))

    for version in (0, 1, 5, state.version, state.version + 1):
        with pytest.raises(Refusal, match="only the last act") as caught:
            decide(Undo(version=version), state)
        assert (caught.value.code, caught.value.path) == ("out_of_turn", "version")


def test_an_undo_that_names_no_act_changes_nothing_when_folded() -> None:
    """A fact never refuses; one that names the ante after an opening takes nothing back."""
    state = on_table(dealt("N"))

    for version in (state.version - 1, state.version, state.version + 1):
        assert shown(evolve(state, EntryRetracted(version=version))) == shown(state)
