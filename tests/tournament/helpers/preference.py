"""A game of Preference at table 4, played without its page."""

from typing import Any

from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

PREFERENCE = GAMES["preference"]
SEATED = {"A": "Asha Renn", "B": "Ilse Marrow", "C": "Cato Liss"}


def done(game: Game, collection: str, **value: Any) -> Game:
    """The game after one act, recorded without the page."""
    game.refresh_from_db()
    act = PREFERENCE.acts[collection](value, PREFERENCE.read_rules({}))
    record_acts(
        game.salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    return game


def dealt(salon: Salon, **options: object) -> Game:
    """A game whose first hand is open: Cato at C deals, Asha at A speaks first."""
    game = start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind="preference",
        players=SEATED,
        options=options,
        table="4",
        played_on="2026-11-21",
    )
    return done(game, "hands", dealer="C")


def playing(salon: Salon, contract: str = "three", **defence: str) -> Game:
    """The same up to the first trick: Asha plays."""
    game = done(dealt(salon), "contracts", soloist="A", contract=contract)
    return done(game, "defences", **defence)
