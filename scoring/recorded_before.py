"""Hands that were recorded before a rule of play was asked for: while other hands are corrected they stay as they were played."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from scoring.commands import AcceptPlay
from scoring.errors import Refusal
from scoring.events import PlayAccepted
from scoring.game import Game
from scoring.rulings import FOLLOWING

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


def without_new_rulings(events: Iterable[Any], recorded: Sequence[Any]) -> list[Any]:
    """The events without the rulings on plays that nobody gave: those that weren't `recorded`."""
    return [event for event in events if not isinstance(event, PlayAccepted) or event in recorded]


def _accepted(game: Game, sheet: Any, before: Any, refusal: Refusal) -> Any:
    """The sheet with the play accepted that was refused; None where no such ruling helps."""
    place = PLAY.fullmatch(refusal.path)
    if refusal.code not in FOLLOWING or place is None:
        return None
    for seat in before.players:
        ruling = AcceptPlay(trick=int(place[1]) + 1, seat=seat, by="", reason="")
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
