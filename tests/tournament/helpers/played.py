"""Games for tests of the pages that read them: begun and played through the recording door."""

import uuid
from datetime import datetime
from typing import Any

from scoring.precedence.commands import CountTricks, MakeBid, OpenHand
from scoring.precedence.seats import ROUND
from tournament.models import Game, Salon
from tournament.recording import door

PLAYERS = {"N": "Brass Otter", "E": "Paper Comet", "S": "Velvet Heron", "W": "Copper Badger"}


def microseconds(at: str) -> int:
    """A time as `2026-10-31T19:41:00+00:00`, as events carry it."""
    return int(datetime.fromisoformat(at).timestamp()) * 1_000_000


def game_at(
    salon: Salon,
    table: str = "4",
    *,
    actor: str = "user:0",
    at: str | None = None,
    **options: object,
) -> Game:
    """A game of four that has just begun."""
    return door.start_game(
        salon,
        actor=actor,
        command=uuid.uuid4().hex,
        kind="precedence",
        players=PLAYERS,
        options=options,
        table=table,
        played_on="2026-10-31",
        occurred_at=microseconds(at) if at else None,
    )


def record(game: Game, *acts: Any, actor: str = "user:0", at: str | None = None) -> int:
    """Record acts one after another; the version of the game after them."""
    for act in acts:
        game.refresh_from_db()
        door.record_acts(
            game.salon,
            game.pk,
            [act],
            actor=actor,
            command=uuid.uuid4().hex,
            version=game.version,
            occurred_at=microseconds(at) if at else None,
        )
    game.refresh_from_db()
    return game.version


def hand(dealer: str, bids: tuple[int, int, int, int], tricks: tuple[int, int]) -> list[Any]:
    """The acts of a hand: bids in the order N E S W, and the tricks of both teams."""
    first = ROUND["NESW"["NESW".index(dealer) - 3]]
    spoken = dict(zip("NESW", bids, strict=True))
    return [
        OpenHand(dealer=dealer),
        *(MakeBid(seat=seat, tricks=spoken[seat]) for seat in first),
        CountTricks(ns=tricks[0], ew=tricks[1]),
    ]
