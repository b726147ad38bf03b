"""To-do items in the salon's games for a visitor: disputes for the director,
unconfirmed hands for a player and the director.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.confirmation import side_of
from scoring.games import GAMES
from tournament.accounts.permissions import Permission, Visitor, own_games
from tournament.models import Game, Salon
from tournament.pages.common.games import title_of_game
from tournament.queries.confirmation_rows import Confirmed, read_confirmation
from tournament.recording.games_not_final import not_final

MOST = 20  # so many games stand in a list


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something that somebody should look at: `kind` is `bad` or `wait`; `step` the one thing to do
    about it.
    """

    kind: str
    what: str
    why: str
    step: str = ""
    url: str = ""


def to_look_at(kind: str, what: str, why: str, url: str) -> Waiting:
    """Something that a page shows."""
    return Waiting(kind=kind, what=what, why=why, step=_("Look at it"), url=url)


def disputes(visitor: Visitor) -> Iterator[Waiting]:
    """The disputed hands, for who may rule."""
    if visitor.may(Permission.RULE):
        disputed = _latest(visitor.salon, disputed=True)
        yield from (_dispute(game, _read_confirmed_hands(game)) for game in _by_last_act(disputed))


def own_hands(visitor: Visitor) -> Iterator[Waiting]:
    """For a player, the hands that wait for the own side."""
    if not visitor.seat and not visitor.player:
        return
    own = Q(pk=visitor.game) if visitor.seat else Q(pk__in=own_games(visitor))
    mine = _open_games(visitor.salon).filter(own).order_by("-started_position")[:MOST]
    yield from (each for game in _by_last_act(mine) for each in _for_player(visitor, game))


def list_unconfirmed(visitor: Visitor) -> Iterator[Waiting]:
    """Yield the finished games with unconfirmed hands, the latest first, for visitors who
    can give rulings.
    """
    if visitor.may(Permission.CONFIRM) and visitor.may(Permission.RULE):
        over = _latest(visitor.salon, finished=True, disputed=False)
        yield from (
            each
            for game in _by_last_act(over)
            for each in _list_unconfirmed_hands(game, _read_confirmed_hands(game))
        )


def _by_last_act(games: Iterable[Game]) -> list[Game]:
    """Those first in which something was recorded last."""
    return sorted(games, key=lambda game: -game.position)


def _open_games(salon: Salon) -> QuerySet[Game]:
    """The salon's games that are not final."""
    return not_final(salon).select_related("salon")


def _latest(salon: Salon, **which: bool) -> QuerySet[Game]:
    return _open_games(salon).filter(**which).order_by("-started_position")[:MOST]


def _read_confirmed_hands(game: Game) -> Confirmed:
    return read_confirmation(game, list(game.seats), closed=game.state["hands"])


def _for_player(visitor: Visitor, game: Game) -> Iterator[Waiting]:
    side = side_of(GAMES[game.kind], visitor.seat_in(game))
    hands = [hand.number for hand in _read_confirmed_hands(game).list_hands_waiting_for(side)]
    if hands:
        what = ngettext("One hand waits for you", "%(hands)d hands wait for you", len(hands)) % {
            "hands": len(hands)
        }
        why = _("Say whether they are recorded right: hand %(first)d first.") % {"first": hands[0]}
        yield _describe_waiting_game(game, "wait", what, why)


def _dispute(game: Game, found: Confirmed) -> Waiting:
    hand = found.disputed[0]
    said = next(each for each in found.hands if each.number == hand)
    why = said.dispute["reason"] if said.dispute else _("It was entered twice, and not the same.")
    words = {"hand": hand, "game": title_of_game(game)}
    address = f"{reverse('confirmation', args=[game.pk])}#hand-{hand}"
    return to_look_at("bad", _("Hand %(hand)d is disputed: %(game)s") % words, why, address)


def _list_unconfirmed_hands(game: Game, found: Confirmed) -> Iterator[Waiting]:
    hands = found.waiting
    if hands:
        words = {"hands": len(hands), "game": title_of_game(game)}
        what = ngettext(
            "One hand is not confirmed: %(game)s",
            "%(hands)d hands are not confirmed: %(game)s",
            len(hands),
        )
        why = _("The players confirm them, or the correction period makes the game final.")
        yield _describe_waiting_game(game, "wait", what % words, why)


def _describe_waiting_game(game: Game, kind: str, what: str, why: str) -> Waiting:
    return to_look_at(kind, what, why, reverse("confirmation", args=[game.pk]))
