"""The patience at table 4, begun by its form or without a page."""

from django.test import Client

from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command, told
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

PATIENCE = GAMES["order_of_precedence"]


def opened(salon: Salon, stock: list[str] | None = None, **options: object) -> Game:
    """A patience at table 4, its first deal open."""
    game = start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind="order_of_precedence",
        players={"A": "Asha Renn"},
        options=options,
        table="4",
    )
    act = PATIENCE.acts["hands"]({"stock": stock} if stock else {}, None)
    record_acts(salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version)
    game.refresh_from_db()
    return game


def begun(owner: Client, **changes: str) -> Game:
    """A patience at table 4, its first deal open."""
    form = {
        "command": a_command(),
        "game": "order_of_precedence",
        "table": "4",
        "players.A": "Asha Renn",
    }
    answer = owner.post(
        "/games/new/", form | {name.replace("__", "."): value for name, value in changes.items()}
    )
    assert answer.status_code == 302, told(answer)
    return Game.objects.get()


def lengths(*built: int) -> dict[str, str]:
    """The fields of eight lengths."""
    return {f"built.{place}:number": str(length) for place, length in enumerate(built)}
