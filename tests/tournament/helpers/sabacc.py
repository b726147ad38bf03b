"""A game of Contract Sabacc at table 4, played without its page."""

from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

SABACC = GAMES["contract_sabacc"]
FIVE = {"A": "Asha Renn", "B": "Ilse Marrow", "C": "Cato Liss", "D": "Juno Dray", "E": "Rosa Thule"}


def a_game(salon: Salon, players: int = 5, **options: object) -> Game:
    """A game of Contract Sabacc that has just been started; no hand is open."""
    seated = dict(list(FIVE.items())[:players])
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind="contract_sabacc",
        players=seated,
        options=options,
        table="4",
        played_on="2026-11-21",
    )


def done(game: Game, collection: str, **value: object) -> Game:
    """The game after one act, recorded without the page."""
    game.refresh_from_db()
    act = SABACC.acts[collection](value, SABACC.read_rules({}))
    record_acts(
        game.salon, game.pk, [act], actor="user:1", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    return game


def guarded(salon: Salon, players: int = 5, **options: object) -> Game:
    """A game whose first hand is open: the last seat deals, A declares guard."""
    dealer = list(FIVE)[players - 1]
    return done(
        done(a_game(salon, players, **options), "hands", dealer=dealer),
        "contracts",
        declarer="A",
        contract="guard",
    )
