"""The table of games: a fifth game is one more line here."""

from scoring.game import AnyGame
from scoring.patience.play import PATIENCE
from scoring.precedence.play import PRECEDENCE
from scoring.preference.play import PREFERENCE
from scoring.sabacc.play import SABACC

GAMES: dict[str, AnyGame] = {game.name: game for game in (PRECEDENCE, PREFERENCE, SABACC, PATIENCE)}
# The one game whose deals can be the same for all; another that joins it is named in the facts of a
# stock.
DUPLICATED, STOCKS = next(
    (game, game.duplicates) for game in GAMES.values() if game.duplicates is not None
)
