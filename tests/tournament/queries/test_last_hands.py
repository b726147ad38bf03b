"""The hands that closed last at a table are read once, and anew as soon as a row says otherwise."""

from functools import cache
from typing import Any

from django.template import engines

from tests.tournament.helpers.tables import a_salon, recorded, simple
from tournament.models import Game, Hand, Salon
from tournament.queries.table import last_hands

SHOWN = """
{% kept_part hands %}
  {% for each in hands %}{{ each.result.points.NS }} {% endfor %}
{% endkept_part %}
"""


def test_hands_are_the_same_until_a_row_says_otherwise(db: None) -> None:
    game = a_game(a_salon())
    first, again = last_hands(game), last_hands(game)
    shown = written(game)

    row = Hand.objects.get(game=game, number=1)
    row.result["result"]["points"]["NS"] += 1000
    row.save()

    assert first == again
    assert first[0] is again[0]
    assert last_hands(game) == [Hand.objects.get(game=game, number=1).result]
    assert written(game) != shown


def test_hands_of_two_games_are_told_apart(db: None) -> None:
    salon = a_salon()
    won, lost = a_game(salon, "won", tricks=9), a_game(salon, "lost", tricks=2)

    assert written(won) != written(lost)
    assert last_hands(won) != last_hands(lost)


def a_game(salon: Salon, identity: str = "simple", *, tricks: int = 7) -> Game:
    recorded(salon, simple(identity, tricks=tricks))
    return Game.objects.get(salon=salon, record=identity)


def written(game: Game) -> str:
    """What a kept piece of a page says of them."""
    return str(template().render({"hands": last_hands(game)}))


@cache
def template() -> Any:
    """One for all: a kept piece belongs to its template."""
    return engines["django"].from_string(SHOWN)
