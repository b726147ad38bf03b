"""Fields that no page of ours sends, odd or long or deep, are refused with words at every form of a
table: a phone sends again for ever what is answered with 500.
"""

import random
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.test import Client

from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

NAMES = {"precedence": "NESW", "preference": "ABC", "contract_sabacc": "ABC"}
FIELDS = re.findall(
    r"\S+",
    """
    seat side source target dealer trump call contract soloist declarer kind reason by trick hand
    cards deal widow talon aside discards plays winners tricks calls bids melds points bonus
    choices defenders in_succession rulings excuses chips codes players seats options misdeal
    foundations moves waste stock passes seconds ended number version outcome pin text what
    bids.N deal.A deal.N melds.0.cards melds.0.kind melds.0.seat bonus.kind bonus.seat
    rulings.0.kind rulings.0.seat tricks.NS tricks.A players.N options.ante substitutes.N
""",
)
ENDINGS = (
    "", ".x", ".0.0.x", ":number", ":list", ":null", ":flag", ":half", ":tricks", ":cards",
    ".0:trick",
)  # fmt: skip
TOO_MUCH = ("a" * 150, "a" + ".a" * 30)
MORE = ("retractions", "rulings", "endings", "sheet", "sheet/preview")


def begun(salon: Salon, kind: str) -> Game:
    """A game of this kind at table 4 whose first hand is open where that needs no cards."""
    game = start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=kind,
        players={seat: f"Player {seat}" for seat in NAMES.get(kind, "A")},
        options={},
        table="4",
    )
    opening: dict[str, Any] = {} if kind == "order_of_precedence" else {"dealer": NAMES[kind][0]}
    act = GAMES[kind].acts["hands"](opening, GAMES[kind].read_rules({}))
    record_acts(salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version)
    game.refresh_from_db()
    return game


def addresses_of(game: Game) -> list[str]:
    """Every address of the game's table that takes a form with paths."""
    collections = dict.fromkeys((*GAMES[game.kind].acts, *MORE))
    of_the_game = (
        "corrections/seats/",
        "corrections/options/",
        "corrections/end/",
        "attestations/confirmations/",
        "attestations/disputes/",
        "hands/1/second-entry/",
    )
    return [
        *(f"/tables/4/{collection}/" for collection in collections),
        *(f"/games/{game.pk}/{address}" for address in of_the_game),
    ]


def odd_forms(game: Game, share: float) -> Iterator[tuple[str, dict[str, str]]]:
    """Addresses, each with a form that has one odd field: a share of all, drawn by seed."""
    lots = random.Random(game.kind)
    fields = [*(field + ending for field, ending in product(FIELDS, ENDINGS)), *TOO_MUCH]
    for address, field in product(addresses_of(game), fields):
        if field in TOO_MUCH or lots.random() < share:
            yield address, {field: lots.choice(("1", "N", "A", "x y", "\u00b2"))}


def answered_with_500(client: Client, game: Game, share: float) -> list[tuple[str, ...]]:
    """The addresses and fields that broke the server."""
    about = {"game": game.pk, "hand": "1", "trick": "1"}
    broken = []
    for address, odd in odd_forms(game, share):
        game.refresh_from_db()
        form = about | {"version": str(game.version), "command": a_command()} | odd
        if client.post(address, form).status_code >= 500:
            broken.append((address, *odd))
    return broken


@pytest.mark.parametrize("kind", GAMES)
def test_a_share_of_odd_fields_is_never_an_error_of_the_server(salon: Salon, kind: str) -> None:
    client = owner_of(salon)
    client.raise_request_exception = False

    assert answered_with_500(client, begun(salon, kind), 0.01) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", GAMES)
def test_more_odd_fields_are_never_an_error_of_the_server(salon: Salon, kind: str) -> None:
    client = owner_of(salon)
    client.raise_request_exception = False

    assert answered_with_500(client, begun(salon, kind), 0.2) == []
