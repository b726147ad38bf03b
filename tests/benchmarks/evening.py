"""The games that are measured: whole hands with every card, played by chance from a seed."""

import json
import uuid
from collections.abc import Sequence
from random import Random
from typing import Any

from scoring.commands import StartGame
from scoring.games import GAMES
from scoring.precedence.commands import OpenHand
from scoring.precedence.sheet import Sheet
from scoring.records import Record, decide_record, write_record
from tests.invented_hands import SEATS, acts_of_a_hand
from tournament.demo.card_play import play_hand, sheet_of

DEALERS = "NESW"
TRUMPS = "VFBC"
OPTIONS = {"target_score": 1_000_000}  # the game goes on for as many hands as are measured
PLAYERS = {"N": "North", "E": "East", "S": "South", "W": "West"}


def sheets(count: int, *, seed: int) -> list[Sheet]:
    """So many hands of one game, every card of them."""
    rng = Random(seed)
    return [_sheet(rng, place) for place in range(count)]


def _sheet(rng: Random, place: int) -> Sheet:
    dealer, trump = DEALERS[place % 4], TRUMPS[place % 4]
    opening = OpenHand(dealer=dealer, trump=trump)
    return sheet_of(play_hand(rng, dealer=dealer, trump=trump), detail="cards", opening=opening)


def record(hands: Sequence[Sheet], identity: str) -> Record:
    """These hands as a record."""
    game = GAMES["precedence"]
    start = StartGame(
        record=identity, players=tuple(PLAYERS.items()), rules=game.read_rules(OPTIONS)
    )
    return Record(game=game, start=start, sheets=tuple(hands), ended=None)


def line(hands: Sequence[Sheet]) -> str:
    """These hands as a line of a file."""
    made = record(hands, uuid.uuid4().hex)
    _, state = decide_record(made)
    written: dict[str, Any] = write_record(made.game, state)
    return json.dumps(written)


def elsewhere(kind: str, *, hands: int, seed: int) -> str:
    """So many hands of another game, every card of them, as a line of a file; fewer where the game
    ends before.
    """
    game, rng = GAMES[kind], Random(seed)
    players = tuple((seat, f"Player {seat}") for seat in SEATS[kind])
    _, state = decide_record(
        Record(
            game=game,
            start=StartGame(record=uuid.uuid4().hex, players=players, rules=game.read_rules({})),
            sheets=(),
            ended=None,
        )
    )
    while state.closed is None and state.played < hands:
        for act in acts_of_a_hand(rng, kind, state):
            for event in game.decide(act, state):
                state = game.evolve(state, event)
    return json.dumps(write_record(game, state))
