"""The table of games: a fifth game is one more line here."""

from scoring.game import Game
from scoring.patience.play import PATIENCE
from scoring.precedence.play import PRECEDENCE
from scoring.preference.play import PREFERENCE
from scoring.sabacc.play import SABACC

GAMES: dict[str, Game] = {game.name: game for game in (PRECEDENCE, PREFERENCE, SABACC, PATIENCE)}
