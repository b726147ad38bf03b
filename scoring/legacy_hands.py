"""Hands that were recorded before a rule was asked for: they stay as they were taken, and are known
again.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from scoring.commands import AcceptHand, AcceptPlay
from scoring.common_state import GameState
from scoring.errors import Refusal
from scoring.events import HandExcused, PlayAccepted
from scoring.game import AnyGame
from scoring.records import Record
from scoring.rulings import FOLLOWING, UNWEIGHED
from scoring.sheets import HandSheet

NOBODY = ""
PLAY = re.compile(r"plays\[(\d+)\]\[\d+\]")
TOTALS = "bad_total"
TAKEN_BEFORE = (*FOLLOWING, TOTALS)  # what is refused today and may be in a hand recorded before

type Allowance = AcceptPlay | AcceptHand


def allowances(game: AnyGame, sheet: HandSheet, before: GameState) -> tuple[Allowance, ...]:
    """Return the allowances that the sheet needs on top of `before` without a ruling,
    since it was taken then and is refused now.

    None where nothing is refused, or something else is.
    """
    return tuple(allowance for _, allowance in _answers(game, sheet, before) or ())


def apply_allowances(sheet: HandSheet, given: Iterable[Allowance]) -> HandSheet:
    """The sheet with these allowances."""
    return reduce(_with, given, sheet)


def as_taken(game: AnyGame, sheet: HandSheet, before: GameState) -> HandSheet:
    """The sheet of a hand that was recorded on top of `before`, with what it needs to be taken once
    more.
    """
    return apply_allowances(sheet, allowances(game, sheet, before))


def as_taken_beside(
    game: AnyGame, other: HandSheet, sheet: HandSheet, before: GameState
) -> HandSheet:
    """Another sheet of that hand, taken where it is refused for the very same as the hand itself
    and nowhere else.
    """
    same = [refused for refused, _ in _answers(game, sheet, before) or ()]
    refusals = [
        (refused, allowance)
        for refused, allowance in _answers(game, other, before) or ()
        if refused in same
    ]
    return apply_allowances(other, (allowance for _, allowance in refusals))


def without_allowances(events: Iterable[object]) -> list[object]:
    """The events without those of allowances, which nobody ruled."""
    return [
        event
        for event in events
        if not isinstance(event, PlayAccepted | HandExcused) or event.by != NOBODY
    ]


def state_as_taken(record: Record) -> GameState | None:
    """The state of a whole record whose hands were taken before; None where something else in it is
    refused.
    """
    try:
        state: GameState = record.game.folded(record.game.decide(record.start, None))
        for sheet in record.sheets:
            events, _ = record.game.decide_sheet(as_taken(record.game, sheet, state), state)
            state = record.game.folded(without_allowances(events), state)
        return (
            record.game.folded(record.game.decide(record.ended, state), state)
            if record.ended is not None
            else state
        )
    except Refusal:
        return None


def _answers(
    game: AnyGame, sheet: HandSheet, before: GameState
) -> Sequence[tuple[tuple[str, str, str], Allowance]] | None:
    """Each refusal on the way through the sheet, with the allowance that it needs; None where none
    helps.
    """
    found: list[tuple[tuple[str, str, str], Allowance]] = []
    while (refusal := _refused(game, sheet, before)) is not None:
        allowance = _allowance(game, sheet, before, refusal)
        if allowance is None:
            return None
        found.append(((refusal.code, refusal.path, str(refusal)), allowance))
        sheet = _with(sheet, allowance)
    return found


def _allowance(
    game: AnyGame, sheet: HandSheet, before: GameState, refusal: Refusal
) -> Allowance | None:
    """Return the allowance that gets the sheet past this refusal; None if none does."""
    for allowance in _propose_allowances(before, refusal):
        after = _refused(game, _with(sheet, allowance), before)
        if after is None or (after.code, after.path) != (refusal.code, refusal.path):
            return allowance
    return None


def _propose_allowances(before: GameState, refusal: Refusal) -> list[Allowance]:
    place = PLAY.fullmatch(refusal.path)
    if refusal.code in FOLLOWING and place is not None:
        return [
            AcceptPlay(trick=int(place[1]) + 1, seat=seat, by=NOBODY, reason="")
            for seat in before.players
        ]
    return (
        [AcceptHand(excuses=(UNWEIGHED,), by=NOBODY, reason="")] if refusal.code == TOTALS else []
    )


def _with(sheet: HandSheet, allowance: Allowance) -> HandSheet:
    if isinstance(allowance, AcceptPlay):
        return replace(sheet, rulings=(*sheet.rulings, allowance))
    return replace(
        sheet, opening=replace(sheet.opening, accepted=(*sheet.opening.accepted, allowance))
    )


def _refused(game: AnyGame, sheet: HandSheet, before: GameState) -> Refusal | None:
    try:
        game.decide_sheet(sheet, before)
    except Refusal as refusal:
        return refusal
    return None
