"""Hands that were recorded before a rule of play was asked for: they stay as they were played, and are known again."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any

from scoring.commands import AcceptPlay
from scoring.errors import Refusal
from scoring.events import PlayAccepted
from scoring.game import Game
from scoring.records import Record
from scoring.rulings import FOLLOWING

NOBODY = ""
PLAY = re.compile(r"plays\[(\d+)\]\[\d+\]")


def as_taken(game: Game, sheet: Any, before: Any) -> Any:
    """The sheet of a hand that was recorded on top of `before`, each play accepted that was taken then and is refused now.

    The sheet itself where nothing is refused, or something else is.
    """
    taken = sheet
    while (refusal := _refused(game, taken, before)) is not None:
        accepted = _accepted(game, taken, before, refusal)
        if accepted is None:
            return sheet
        taken = accepted
    return taken


def without_such_rulings(events: Iterable[Any]) -> list[Any]:
    """The events without the rulings of `as_taken`, which nobody gave."""
    return [event for event in events if not isinstance(event, PlayAccepted) or event.by != NOBODY]


def state_as_taken(record: Record) -> Any:
    """The state of a whole record whose plays were taken before; None where something else in it is refused."""
    state: Any = None
    try:
        state = _folded(record.game, record.game.decide(record.start, None), None)
        for sheet in record.sheets:
            events, _ = record.game.decide_sheet(as_taken(record.game, sheet, state), state)
            state = _folded(record.game, without_such_rulings(events), state)
        return _folded(record.game, record.game.decide(record.ended, state), state) if record.ended is not None else state
    except Refusal:
        return None


def _folded(game: Game, events: Iterable[Any], state: Any) -> Any:
    return reduce(game.evolve, events, state)


def _accepted(game: Game, sheet: Any, before: Any, refusal: Refusal) -> Any:
    """The sheet with the play accepted that was refused; None where no such ruling helps."""
    place = PLAY.fullmatch(refusal.path)
    if refusal.code not in FOLLOWING or place is None:
        return None
    for seat in before.players:
        ruling = AcceptPlay(trick=int(place[1]) + 1, seat=seat, by=NOBODY, reason="")
        ruled = replace(sheet, rulings=(*sheet.rulings, ruling))
        after = _refused(game, ruled, before)
        if after is None or after.path != refusal.path:
            return ruled
    return None


def _refused(game: Game, sheet: Any, before: Any) -> Refusal | None:
    try:
        game.decide_sheet(sheet, before)
    except Refusal as refusal:
        return refusal
    return None
