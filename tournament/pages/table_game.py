"""The game at a table as pages show it, read from its row; nothing here knows which game it is."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.http import QueryDict
from django.utils import timezone

from ledger.models import Event
from scoring.errors import Refusal
from scoring.game import Game
from scoring.games import GAMES
from tournament.access import Visitor
from tournament.models import Game as GameRow
from tournament.models import Hand
from tournament.pages.form_values import Problem, plain_value, problem_of
from tournament.people import names_of

STILL_SHOWN = timedelta(hours=12)  # so long a finished game stays on the pad of its table


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A game with its rules, the table as `Game.table` gives it, and who sits at which seat by name."""

    row: GameRow
    game: Game
    table: dict[str, Any]
    players: Mapping[str, str]


def game_at(visitor: Visitor, label: str) -> TableGame | None:
    """The open game of this table, else the one that ended there not long ago, else None."""
    row = GameRow.objects.filter(salon=visitor.salon, table=label).order_by("finished", "-started_position").first()
    if row is None or (row.finished and not _is_fresh(row)):
        return None
    return shown(visitor, row)


def shown(visitor: Visitor, row: GameRow) -> TableGame:
    """A game's row unpacked; whoever sits in another's seat in the open hand is named there."""
    table = json.loads(row.state)
    seats = json.loads(row.seats) | ((table["hand"] or {}).get("players") or {})
    names = names_of(visitor.salon, seats.values())
    return TableGame(row=row, game=GAMES[row.kind], table=table, players={seat: names.get(player, "") for seat, player in seats.items()})


def last_hand(row: GameRow) -> dict[str, Any] | None:
    """The result of the hand that closed last and why it is so; None before the first."""
    hand = Hand.objects.filter(game=row).order_by("-number").first()
    return json.loads(hand.result) if hand else None


def drafted_offer(at: TableGame, cards: Sequence[str]) -> tuple[dict[str, Any] | None, Problem | None]:
    """What may come next on the cards drafted for the open trick; a card that may not lie there is left out, and why.

    None where no trick is open.
    """
    if at.table["stage"] != "play":
        return None, None
    kept, problem = list(cards), None
    while True:
        try:
            return at.game.offer(at.table, kept), problem
        except Refusal as refusal:
            problem = problem_of(refusal)
        except ValueError as unknown:
            problem = Problem(message=str(unknown))
        kept.pop()


def tallied(at: TableGame, query: QueryDict) -> dict[str, Any] | None:
    """What the cards counted in a pad's address (`pile.…`) come to, nothing where they can't be read; None in a game that counts none."""
    if at.game.tally is None or at.table["stage"] != "play":
        return None
    try:
        return at.game.tally(dict(at.table), plain_value(query).get("pile", {}))
    except Refusal:
        return at.game.tally(dict(at.table), {})


def _is_fresh(row: GameRow) -> bool:
    recorded_at = Event.objects.filter(log=row.salon.log_id, position=row.position).values_list("recorded_at", flat=True).get()
    return timezone.now() - datetime.fromtimestamp(recorded_at / 1_000_000, UTC) < STILL_SHOWN
