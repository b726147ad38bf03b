"""A round paired by hand: it begins before the round is published, holds it back, and ends by a
word or a new draw.
"""

from typing import Any

import pytest

from tests.tournament.domain.tournament.desk import Desk, code_of, drawn, running
from tournament.domain.tournament.draws import DrawRound, DropRound
from tournament.domain.tournament.manual_pairing import (
    BeginManualPairing,
    EndManualPairing,
    ManualPairingBegun,
    ManualPairingEnded,
)
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.state import RoundState
from tournament.domain.tournament.swaps import SwapEntries
from tournament.domain.tournament.todo import todo

BEGIN = BeginManualPairing(round=1, reason="The guests play each other.")
END = EndManualPairing(round=1)


def before() -> Desk:
    return running(6).does(DrawRound(round=1))


def round_of(desk: Desk) -> RoundState:
    assert desk.now.last is not None
    return desk.now.last


@pytest.mark.parametrize(
    ("desk", "command", "code"),
    [
        (drawn(4), BEGIN, "round_started"),
        (before().does(BEGIN), BEGIN, "manual_pairing"),
        (before(), END, "manual_pairing"),
        (before().does(BEGIN), PublishRound(round=1), "manual_pairing"),
        (before().does(BEGIN, END), END, "manual_pairing"),
        (running(4), BEGIN, "round_missing"),
        (before(), BeginManualPairing(round=1, reason=""), "reason_missing"),
    ],
)
def test_what_cannot_be_is_refused(desk: Desk, command: Any, code: str) -> None:
    assert code_of(desk, command) == code


def test_it_begins_and_ends_with_a_fact_each_and_the_swaps_between_stay() -> None:
    desk = before()
    one, two = round_of(desk).tables[0].entries[0], round_of(desk).tables[1].entries[0]
    kept = round_of(desk).tables
    desk.does(BEGIN, SwapEntries(round=1, one=one, two=two))

    assert desk.events[-2] == ManualPairingBegun(round=1, reason=BEGIN.reason)
    assert (round_of(desk).manual, round_of(desk).manual_reason) == (True, BEGIN.reason)
    desk.does(END)
    assert desk.events[-1] == ManualPairingEnded(round=1)
    assert not round_of(desk).manual
    drawn_then = round_of(desk).drawn
    assert drawn_then is not None
    assert [table.entries for table in drawn_then.tables] == [table.entries for table in kept]
    assert desk.does(PublishRound(round=1)).now.rounds[0].published


@pytest.mark.parametrize("command", [DrawRound(round=1), DropRound(round=1)])
def test_a_new_draw_ends_it_and_so_does_taking_the_draw_back(command: Any) -> None:
    desk = before().does(BEGIN, command)

    assert not any(each.manual for each in desk.now.rounds)


def test_the_desk_is_told_to_end_it_before_anything_else_of_the_round() -> None:
    steps = [(each.step, each.act) for each in todo(before().does(BEGIN).now, {})]

    assert steps == [("manual_pairing", "manual-pairing-endings")]
