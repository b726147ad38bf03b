"""A game at table 4, and a browser that fills in its pad as a person would: by the fields that the
page offers.
"""

import re
import uuid
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from django.test import Client

from scoring.commands import EndGame
from scoring.games import GAMES
from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.reading import match_in
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

SEATED = {"N": "Asha Renn", "E": "Ilse Marrow", "S": "Cato Liss", "W": "Juno Dray"}
PRECEDENCE = GAMES["precedence"]
WEST_AND_ALL_BIDS = (("W", 2), ("N", 4), ("E", 3), ("S", 3))


def a_game(salon: Salon, *, table: str = "4", options: dict[str, object] | None = None) -> Game:
    """A game that has just been started; no hand is open."""
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind="precedence",
        players=SEATED,
        options=options or {},
        table=table,
        played_on="2026-11-21",
    )


def done(game: Game, collection: str, **value: Any) -> Game:
    """The game after one act, recorded without the page."""
    game.refresh_from_db()
    act = PRECEDENCE.acts[collection](value, PRECEDENCE.read_rules({}))
    record_acts(
        game.salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    return game


def bidding(salon: Salon, **options: object) -> Game:
    """A game whose first hand is open: South deals, West bids first."""
    return done(a_game(salon, options=options), "hands", dealer="S")


def playing(salon: Salon, **options: object) -> Game:
    """The same after the bids: North–South hold 7, East–West 5; West leads."""
    game = bidding(salon, **options)
    for seat, tricks in WEST_AND_ALL_BIDS:
        done(game, "bids", seat=seat, tricks=tricks)
    return game


def a_command() -> str:
    """A fresh id of a command."""
    return uuid.uuid4().hex


def about(answer: Shown) -> dict[str, str]:
    """What a pad's forms say about themselves: game, version, command, place."""
    names = ("game", "version", "command", "hand", "trick")
    page = answer.content.decode()
    return {name: match_in(page, rf'name="{name}" value="([^"]*)"')[1] for name in names}


def tap(client: Client, collection: str, answer: Shown | None = None, /, **fields: str) -> Answer:
    """Send one act from the pad as it stands (or as it stood in `answer`); `bids__N` stands for
    `bids.N`.
    """
    page = answer or client.get("/tables/4/")
    named = {name.replace("__", "."): value for name, value in fields.items()}
    return client.post(f"/tables/4/{collection}/", about(page) | named)


def told(answer: Shown) -> str:
    """The words of a page, one space between them."""
    words = _Words()
    words.feed(answer.content.decode())
    return " ".join(" ".join(words.parts).split())


def flat(markup: str) -> str:
    """A page's markup as if each element stood in one line: one space between attributes, none
    where an element begins or ends.
    """
    in_line = re.sub(r"<[^>]*>", lambda tag: " ".join(tag[0].split()).replace(" >", ">"), markup)
    return re.sub(r"(?<=>)\s+|\s+(?=</)", "", in_line)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)


def state_of(game: Game) -> dict[str, Any]:
    game.refresh_from_db()
    state: dict[str, Any] = game.state
    return state


def say(client: Client, game: Game, collection: str, **fields: Any) -> Any:
    """Send a word about a game as its page would."""
    game.refresh_from_db()
    form = {"game": game.pk, "version": game.version, "command": a_command()}
    named = {
        f"{name}:number" if name == "number" else name: str(value) for name, value in fields.items()
    }
    return client.post(f"/games/{game.pk}/attestations/{collection}/", form | named)


def scores(page: str) -> list[str]:
    """The scores on the board that a page shows."""
    return re.findall(r'<p class="score"><a [^>]*>([^<]+)</a></p>', flat(page))


def played_to_the_end(game: Game, hands: Sequence[tuple[str, int, int]]) -> Game:
    """Hands of a linked game, each with its dealer and the tricks of both teams; bids of 3 each."""
    for dealer, ns, ew in hands:
        done(game, "hands", dealer=dealer)
        for seat in "NESW"["NESW".index(dealer) + 1 :] + "NESW"[: "NESW".index(dealer) + 1]:
            done(game, "bids", seat=seat, tricks=3)
        done(game, "totals", NS=ns, EW=ew)
    return game


def called(game: Game) -> None:
    game.refresh_from_db()
    end = EndGame(kind="called", by="Elder", reason="time is up")
    record_acts(
        game.salon, game.pk, [end], actor="user:1", command=a_command(), version=game.version
    )
