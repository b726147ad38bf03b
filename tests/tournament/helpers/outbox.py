"""Acts at table 4 as a phone keeps and sends them."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon

PACKED = re.compile(r'<script id="packgame" type="application/json">(.*?)</script>', re.DOTALL)
type Entry = dict[str, Any]
MINUTE = 60_000  # milliseconds
TYPED = 1_795_000_000_000  # milliseconds of a phone's clock, which is wrong by however much
BIDS: list[tuple[str, dict[str, object]]] = [
    ("bids", {"seat": seat, "tricks:number": tricks}) for seat, tricks in ("W2", "N4", "E3")
]
WINNERS: list[tuple[str, dict[str, object]]] = [
    ("winners", {"seat": seat}) for seat in "NNESWNNESWNES"
]
A_HAND: list[tuple[str, dict[str, object]]] = [
    ("hands", {"dealer": "S"}),
    *BIDS,
    ("bids", {"seat": "S", "tricks:number": 3}),
    *WINNERS,
    ("hands", {}),
    ("bids", {"seat": "N", "tricks:number": 2}),
]


def packed(client: Client) -> dict[str, Any]:
    """The game as the page of table 4 knows it without the server."""
    found = PACKED.search(client.get("/tables/4/pack/").text)
    assert found is not None
    value: dict[str, Any] = json.loads(found[1])
    return value


def kept(game: Game, acts: Sequence[tuple[str, Mapping[str, object]]], **first: Any) -> list[Entry]:
    """These acts as a phone keeps them, which saw the game as it stands now."""
    game.refresh_from_db()
    entries: list[Entry] = []
    for collection, fields in acts:
        entries.append(
            {
                "command": a_command(),
                "collection": collection,
                "body": urlencode({"game": game.pk, **fields}),
                "after": entries[-1]["command"] if entries else None,
                "version": None if entries else game.version,
                **({} if entries else first),
            }
        )
    return entries


def sent(client: Client, entries: Sequence[Entry], *, sent_at: object = "") -> list[Entry]:
    """What the outbox of table 4 answers to these entries."""
    form = {"acts": json.dumps(list(entries)), "sent_at": sent_at}
    answer = client.post("/tables/4/outbox/", form)
    assert answer.status_code == 200, answer.content
    found: list[Entry] = answer.json()["answers"]
    assert answer["Accord-Command"] == " ".join(each["command"] for each in found)
    return found


def in_words(entries: Sequence[Entry]) -> Any:
    """The answer of the outbox of table 4 to what these entries would record."""
    form = {"acts": json.dumps(list(entries)), "preview": "1"}
    return owner_of(Salon.objects.get()).post("/tables/4/outbox/", form)


def commands_of(game: Game) -> list[str]:
    """The commands of a game in the order of its stream, each once, but the one it began with."""
    found = Event.objects.filter(stream=game.pk).order_by("version").values_list("command")
    return list(dict.fromkeys(command for (command,) in found))[1:]
