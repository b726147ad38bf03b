"""Laws that hold for every game whatever its rules: chips, folding, acts one by one, what is
written, what is taken back.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import assume

from scoring.commands import Undo
from scoring.errors import Refusal
from scoring.game import AnyGame
from scoring.patience.play import PATIENCE
from scoring.precedence.opening import next_dealer
from scoring.precedence.play import PRECEDENCE
from scoring.preference.play import PREFERENCE
from scoring.records import decide_record, read_record, write_record
from scoring.sabacc.play import SABACC
from tests.scoring.sheet_acts import (
    patience_acts,
    precedence_acts,
    preference_acts,
    sabacc_acts,
)

type Value = dict[str, Any]
type Step = tuple[Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A game, the acts of a whole sheet of it at a state, and whether chips may stay in this pot at
    the end.
    """

    game: AnyGame
    acts_of: Callable[[Any, Any], Sequence[Any]]
    stays: Callable[[str, Any], bool] = lambda pot, state: False


def dealer_of(sheet: Any, state: Any) -> str:
    """Who deals the hand of a sheet of Precedence."""
    return sheet.opening.dealer or next_dealer(state) or ""


PLAYED = {
    "precedence": Played(
        game=PRECEDENCE,
        acts_of=lambda sheet, state: precedence_acts(sheet, dealer_of(sheet, state)),
    ),
    "preference": Played(
        game=PREFERENCE, acts_of=lambda sheet, state: preference_acts(sheet, state.rules)
    ),
    "contract_sabacc": Played(
        game=SABACC,
        acts_of=lambda sheet, state: sabacc_acts(sheet, len(state.seats)),
        stays=lambda pot, state: pot == "ante" and state.rules.ante_pot_end == "leave",
    ),
    "order_of_precedence": Played(game=PATIENCE, acts_of=lambda sheet, state: patience_acts(sheet)),
}


def legal(value: Value) -> Value:
    """The record up to the hand that ends the game; a ruling that can't be makes it no example."""
    try:
        decide_record(read_record(value))
    except Refusal as refusal:
        if refusal.code != "game_over" and not refusal.path.endswith("rulings"):
            raise
        assume(refusal.code == "game_over" and len(value["hands"]) > 1)
        return legal({**value, "hands": value["hands"][:-1]})
    return value


def folded(game: AnyGame, events: Iterable[Any], state: Any = None) -> Any:
    """The state after these events."""
    for event in events:
        state = game.evolve(state, event)
    return state


def after(game: AnyGame, state: Any, act: Any) -> Any:
    """The state after an act."""
    return folded(game, game.decide(act, state), state)


def shown(state: Any) -> Any:
    """A state without accounts at 0 and without what only taking back needs: versions and earlier
    states.
    """
    balances = {account: chips for account, chips in state.balances.items() if chips}
    return state._replace(version=0, opened=0, trail=(), moves=(), balances=balances)


def every_step(played: Played, value: Value) -> list[Step]:
    """Each act of a record with the state before and after it."""
    read, game = read_record(value), played.game
    steps: list[Step] = [(read.start, None, after(game, None, read.start))]
    for sheet in read.sheets:
        for act in played.acts_of(sheet, steps[-1][2]):
            before = steps[-1][2]
            steps.append((act, before, after(game, before, act)))
    return steps


def check_chips(played: Played, value: Value) -> None:
    """Every chip somebody gained somebody gave, after each event; a pot is never below 0, and empty
    at the end unless it stays.
    """
    events, state = decide_record(read_record(value))
    running = None
    for event in events:
        running = played.game.evolve(running, event)
        assert sum(running.balances.values()) == 0
        assert all(running.balances.get(pot, 0) >= 0 for pot in played.game.pot_names)
    if state.closed is not None:
        assert not any(
            state.balances.get(pot, 0)
            for pot in played.game.pot_names
            if not played.stays(pot, state)
        )


def check_act_by_act(played: Played, value: Value) -> None:
    """Acts one by one give the same events and the same state as whole sheets."""
    events, state = decide_record(read_record(value))
    steps = every_step(played, value)

    assert steps[-1][2] == state == folded(played.game, events)
    assert [
        event for act, before, _ in steps for event in played.game.decide(act, before)
    ] == events


def check_round_trip(played: Played, value: Value) -> None:
    """What is written reads as the same game, and is written the same again."""
    events, state = decide_record(read_record(value))
    written = json.loads(json.dumps(write_record(played.game, state)))
    again, game = decide_record(read_record(written))

    assert (again, game) == (events, state)
    assert write_record(played.game, game) == write_record(played.game, state)


def check_undo(played: Played, value: Value) -> None:
    """Taking back any act gives the table before it; done again, it comes to the same."""
    for act, before, now in every_step(played, value)[1:]:
        undone = after(played.game, now, Undo(version=before.version + 1))
        assert shown(undone) == shown(before)
        assert shown(after(played.game, undone, act)) == shown(now)


def check_undo_in_a_row(played: Played, value: Value) -> None:
    """Acts taken back one after the other lead back through every table of the last hand at
    least.
    """
    steps = every_step(played, value)
    state, taken_back = steps[-1][2], 0
    for _, before, _ in reversed(steps[1:]):
        if not state.trail:
            break
        state = after(played.game, state, Undo(version=state.trail[-1].version + 1))
        assert shown(state) == shown(before)
        taken_back += 1
    openings = [sheet.opening for sheet in read_record(value).sheets]
    of_last_hand = next(
        (number for number, (act, _, _) in enumerate(reversed(steps), 1) if act in openings), 0
    )
    assert taken_back >= of_last_hand


def check_fold(played: Played, value: Value, cut: int) -> None:
    """Folding all is folding parts."""
    events, state = decide_record(read_record(value))
    place = cut % len(events) + 1

    assert folded(played.game, events[place:], folded(played.game, events[:place])) == state
