"""Laws that hold for every game of Preference, tried on random ones."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from scoring.commands import Undo
from scoring.errors import Refusal
from scoring.preference.decide import decide
from scoring.preference.evolve import evolve
from scoring.preference.payments import POT
from scoring.preference.state import State
from scoring.preference.whole_hand import acts_of
from scoring.records import decide_record, read_record, write_record
from tests.scoring.preference.made import SIX_TRICKS, records

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
MANY = settings(max_examples=1500, deadline=None, suppress_health_check=SLOW)


def legal(value: dict[str, Any]) -> dict[str, Any]:
    """The record up to the hand that ends the game; a ruling that can't be makes it no example."""
    try:
        decide_record(read_record(value))
    except Refusal as refusal:
        if refusal.code != "game_over" and not refusal.path.endswith("rulings"):
            raise
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
        for act in acts_of(sheet, read.start.rules):
            before = steps[-1][2]
            steps.append((act, before, folded(decide(act, before), before)))
    return steps


def check_chips(value: dict[str, Any]) -> None:
    """Every chip somebody gained somebody gave, after each event; the pot is never below 0 and empty at the end."""
    events, state = decide_record(read_record(value))
    running = None
    for event in events:
        running = evolve(running, event)
        assert sum(running.balances.values()) == 0
        assert running.balances.get(POT, 0) >= 0
    if state.closed is not None:
        assert state.balances.get(POT, 0) == 0


def check_fold(value: dict[str, Any], cut: int) -> None:
    """Folding all is folding parts."""
    events, state = decide_record(read_record(value))
    place = cut % len(events) + 1

    assert folded(events[place:], folded(events[:place])) == state == folded(events)


def check_act_by_act(value: dict[str, Any]) -> None:
    """Acts one by one give the same events and the same state as whole sheets."""
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


def check_settlement(value: dict[str, Any]) -> None:
    """R2 and R13 to R16 computed again, from the record alone; hands with rulings apart."""
    assume(not any("rulings" in hand or "players" in hand for hand in value["hands"]))
    rules = {"ante": 10, "take": 10, "forfeit": 20, "duty": 10} | value["options"]
    read = read_record(value)
    pot = 0
    for hand, result in zip(value["hands"], read.game.result(decide_record(read)[1])["hands"], strict=True):
        ante = 0 if pot else rules["ante"]
        chips, soloist = dict.fromkeys("ABC", -ante), hand["soloist"]
        pot += 3 * ante
        if soloist is not None:
            made, tricks = result["made"], result["tricks"]
            if tricks is not None:
                six = hand.get("in_succession", soloist * 6 in "".join(winners_of(hand, result)))
                enough = tricks[soloist] >= 6 and (hand["contract"] != "no_trump" or six)
                assert made == (enough if hand["contract"] in SIX_TRICKS else tricks[soloist] == 0)
            taken = min(rules["take"], pot) if made else -rules["forfeit"]
            chips[soloist] += taken
            due = hand["contract"] in SIX_TRICKS or rules.get("misere_duty", False)
            for seat, choice in hand["defenders"].items():
                insisted = choice == "along" and "insisted" in hand["defenders"].values() and made and rules.get("insister_pays", False)
                if tricks and due and ((choice == "along" and tricks[seat] < 2) or insisted):
                    chips[seat] -= rules["duty"]
                    pot += rules["duty"]
            pot -= taken
        assert (result["chips"], result["pot"]) == (chips, pot)


def winners_of(hand: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """The winners as far as the record tells them by name; the state's own otherwise."""
    if len(hand.get("winners", [])) == 10:
        return list(hand["winners"])
    return [hand["soloist"]] * 6 if result["made"] else []


LAWS = [check_chips, check_act_by_act, check_round_trip, check_settlement]


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


@pytest.mark.long
@MANY
@given(value=games, number=st.integers(0, 10_000))
def test_all_laws_hold_for_thousands_of_games(value: dict[str, Any], number: int) -> None:
    for law in (check_chips, check_act_by_act, check_round_trip, check_undo):
        law(value)
    check_fold(value, number)


def test_only_the_last_act_can_be_taken_back() -> None:
    value = {"format": "salon-record/1", "id": "x", "game": "preference", "players": {"A": "A", "B": "B", "C": "C"}, "hands": []}
    _, state = decide_record(read_record(value))

    for version in (0, 1, state.version, state.version + 1):
        with pytest.raises(Refusal, match="only the last act") as caught:
            decide(Undo(version=version), state)
        assert (caught.value.code, caught.value.path) == ("out_of_turn", "version")
