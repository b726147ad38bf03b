"""A director's rulings as a form or a request says them, and in words."""

from typing import Any

from django.http import Http404

from scoring.commands import Ruling
from scoring.errors import NotationError
from scoring.game import AnyGame
from scoring.shape import JsonObject
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.permissions import Visitor
from tournament.models import Salon
from tournament.salons.public_names import Audience
from tournament.streams.texts import digests_in, with_words, words_of

RULINGS = "rulings"  # the key of a hand under which they stand
LONGEST_NAME = 80


def name_in_records(salon: Salon, actor: str) -> str:
    """The name of an actor in records."""
    return actors_in_words(salon, [actor], Audience.SALON)[actor][:LONGEST_NAME]


def name_of(visitor: Visitor) -> str:
    """The name of the visitor in records."""
    return name_in_records(visitor.salon, visitor.actor)


def read_ruling(game: AnyGame, value: JsonObject) -> Ruling:
    """The one ruling that a form says. Raises NotationError, with the paths of the form."""
    if game.rulings is None:
        raise Http404
    try:
        return game.rulings.read_all({RULINGS: [value]})[0]
    except NotationError as error:
        raise NotationError(
            error.sentence,
            path=error.path.removeprefix(f"{RULINGS}[0]").lstrip("."),
            rule=error.rule,
        ) from None


def in_words(salon: Salon, *parts: object) -> tuple[Any, ...]:
    """Hands as their rows hold them, and tables, with the words of their rulings."""
    found = [each for part in parts for each in _rulings_in(part)]
    if not found:
        return parts
    words = words_of(salon, digests_in(found))
    return tuple(_fill_in_words(part, words) for part in parts)


def _rulings_in(part: object) -> list[JsonObject]:
    if isinstance(part, list):
        return [ruling for each in part for ruling in _rulings_in(each)]
    return list(part.get(RULINGS, ())) if isinstance(part, dict) else []


def _fill_in_words(part: object, words: dict[str, str]) -> object:
    if isinstance(part, list):
        return [_fill_in_words(each, words) for each in part]
    return (
        part | {RULINGS: with_words(part[RULINGS], words)}
        if isinstance(part, dict) and RULINGS in part
        else part
    )
