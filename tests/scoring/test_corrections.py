"""A corrected game is the game recorded right the first time, for every game (Corrections)."""

from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from scoring.commands import EndGame
from scoring.corrections import CorrectHand, CorrectOptions, ReopenGame
from scoring.errors import NotationError, Refusal, RuleViolation
from scoring.games import GAMES
from tests.scoring.changes import CONSEQUENCES, KINDS, a_ruling, tries
from tests.scoring.corrected import SAID, Corrected, begun, check_as_if_right_first_time
from tests.scoring.sample_games import FILES, a_beginning, records

BEGINNINGS = ("going on", "going on", "to its end", "called")
TRIES = 60


@cache
def hands_like(game: str, number: int) -> list[dict[str, Any]]:
    """Hands of sample games with as many players as this one, as canonical records hold them."""
    seats = records(game)[number]["players"].keys()
    alike = [record for record in records(game) if record["players"].keys() == seats]
    return [dict(hand) for record in alike[:6] for hand in begun(record).intended.hands]


class Correcting(RuleBasedStateMachine):
    """A game goes on, is taken back and corrected in any order."""

    game: str
    done: set[str]
    table: Corrected
    checked: int = 0

    @initialize(
        number=st.integers(0, 1000), hands=st.integers(0, 6), how=st.sampled_from(BEGINNINGS)
    )
    def begin(self, number: int, hands: int, how: str) -> None:
        number %= len(records(self.game))
        self.table, self.pool = (
            a_beginning(self.game, number, hands, how),
            hands_like(self.game, number),
        )

    @rule(seed=st.integers(0, 2**32), kind=st.sampled_from(list(KINDS)))
    def corrects(self, seed: int, kind: str) -> None:
        self.done |= tries(Random(seed), self.table, self.pool, kind)

    @rule(seed=st.integers(0, 2**32))
    def records_the_next_hand(self, seed: int) -> None:
        table = self.table
        hand = {
            key: value
            for key, value in Random(seed).choice(self.pool).items()
            if key not in ("dealer", "trump", "rulings")
        }
        hand |= table.next_opening()
        if table.acts:
            return
        try:
            events, _ = table.game.decide_sheet(
                table.game.read_sheet(hand, table.state.rules), table.state
            )
        except Refusal:
            return
        table.add(events)
        table.intend(hands=(*table.intended.hands, table.game.write_hands(table.state)[-1]))

    @rule(more=st.integers(0, 2))
    def opens_a_hand(self, more: int) -> None:
        table = self.table
        if table.state.hand is not None:
            return
        try:
            table.act("hands", table.next_opening())
            for _ in range(more):
                table.act(*next_act(table))
        except Refusal:
            return

    @rule(seed=st.integers(0, 2**32))
    def is_ruled_in_the_open_hand(self, seed: int) -> None:
        if self.table.state.hand is None or not self.table.acts:
            return
        with suppress(Refusal):
            self.table.rule(a_ruling(Random(seed), self.table))

    @rule()
    def takes_back_an_act(self) -> None:
        table, closed = self.table, len(self.table.state.done)
        if table.game.table(table.state)["undo"] is None:
            return
        table.undo()
        while table.state.hand is not None and len(table.state.done) < closed:
            table.undo()  # a hand that was written as one sheet is taken back as a whole
        table.acts = table.acts[: len(table.acts) - 1] if table.acts else []
        table.intend(
            hands=table.intended.hands[: len(table.state.done)],
            ended=table.intended.ended if table.state.closed else None,
        )

    @rule()
    def is_called(self) -> None:
        table = self.table
        try:
            table.add(table.game.decide(EndGame(kind="called", **SAID), table.state))
        except Refusal:
            return
        table.intend(ended={"kind": "called", **SAID})

    @invariant()
    def it_is_the_game_recorded_right_the_first_time(self) -> None:
        if hasattr(self, "table") and self.checked != self.table.version:
            check_as_if_right_first_time(self.table)
            self.checked = self.table.version


def next_act(table: Corrected) -> tuple[str, dict[str, Any]]:
    """What may come after a hand's opening: a bid of 2, or a pass."""
    hand = table.game.table(table.state)["hand"]
    if "bidder" in hand:
        return "bids", {"seat": hand["bidder"], "tricks": 2}
    if "calls" in hand:
        return "calls", {"seat": hand.get("caller") or "A", "call": "pass"}
    return "wastes", {"card": "9C"}


def play(game: str, examples: int, steps: int) -> None:
    """Let the machine play games of one kind. Whatever it never came to must come about by itself:
    nothing is always refused.
    """
    done: set[str] = set()
    machine = type(f"Correcting_{game}", (Correcting,), {"game": game, "done": done})
    quick = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine, settings=quick)
    assert [
        what for what in expected(game) if what not in done and not comes_about(game, what)
    ] == []


def expected(game: str) -> list[str]:
    """The kinds of corrections of a game, and what may come of one."""
    return [*KINDS, *(CONSEQUENCES if GAMES[game].ends_itself else ())]


def comes_about(game: str, what: str) -> bool:
    """Whether one of many corrections is such a one, or has that consequence; law 1 holds
    after it.
    """
    for seed in range(TRIES):
        chance = Random(seed)
        how = "called" if what == "reopened" else "going on" if what == "is over" else "to its end"
        number = seed % len(records(game))
        table = a_beginning(game, number, 3, how)
        for _ in range(4):
            if what in tries(
                chance, table, hands_like(game, number), what if what in KINDS else ""
            ):
                check_as_if_right_first_time(table)
                return True
    return False


@pytest.mark.parametrize("game", FILES)
def test_a_corrected_game_is_the_game_recorded_right_the_first_time(game: str) -> None:
    play(game, examples=5, steps=10)


@pytest.mark.long
@pytest.mark.parametrize("game", FILES)
def test_very_many_corrected_games_are_games_recorded_right_the_first_time(game: str) -> None:
    play(game, examples=25, steps=25)


@pytest.mark.parametrize(
    "game", ["precedence", "preference", "contract_sabacc", "order_of_precedence"]
)
def test_the_end_of_a_called_game_is_taken_away(game: str) -> None:
    value = records(game)[0]
    table = begun({**value, "hands": value["hands"][:1], "ended": {"kind": "called", **SAID}})

    table.correct(ReopenGame(), replace(table.intended, ended=None))

    assert table.state.closed is None
    check_as_if_right_first_time(table)


@pytest.mark.parametrize(
    ("game", "shorter"),
    [("precedence", "target_score"), ("preference", "hands"), ("contract_sabacc", "hands")],
)
def test_a_called_game_that_other_options_end_before_the_call_can_be_corrected_again(
    game: str, shorter: str
) -> None:
    """The call counts no more, but it stays: it was made under the options before."""
    value = next(value for value in records(game) if len(value["hands"]) > len(value["players"]))
    seats = len(value["players"])
    long, short = (20 * seats, seats) if shorter == "hands" else (400, 1)
    options = {**value["options"], shorter: long}
    table = begun(
        {
            **value,
            "options": options,
            "hands": value["hands"][: seats + 1],
            "ended": {"kind": "called", **SAID},
        }
    )

    for length in (short, long):
        changed = {**table.intended.options, shorter: length}
        table.correct(
            CorrectOptions(rules=table.game.read_rules(changed)),
            replace(table.intended, options=changed),
        )
        check_as_if_right_first_time(table)
    assert table.state.closed.kind == "called"


def test_a_correction_that_changes_nothing_is_refused() -> None:
    table = begun(records("precedence")[0])
    same = table.game.read_sheet(table.intended.hands[0], table.state.rules)

    with pytest.raises(NotationError, match="nothing would change"):
        table.correct(CorrectHand(hand=1, sheet=same), table.intended)


def test_a_game_played_to_its_end_is_not_simply_reopened() -> None:
    table = next(table for table in map(begun, records("preference")) if table.state.closed)

    with pytest.raises(RuleViolation, match="played to its end"):
        table.correct(ReopenGame(), table.intended)
