"""Two moments of a game side by side, and what differs between them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from ledger.models import Log
from scoring.errors import NotationError
from scoring.game import Game
from tournament.access import Act, SalonRequest, game_or_404, needs
from tournament.models import Game as GameRow
from tournament.people import names_of
from tournament.queries import words
from tournament.queries.accounts import seats_of
from tournament.queries.parts import parts_of
from tournament.queries.picture import CLOCKS, RECORDED, Picture, pictured
from tournament.telling import Moment, moments_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One number or sentence at both moments, as shown; "" where there was none."""

    label: str
    one: str
    other: str

    @property
    def differs(self) -> bool:
        """Whether the two are not the same."""
        return self.one != self.other


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Rows of one kind: scores, pots, hands."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """A moment as it was asked for, and the game as of then, or why it can't be shown."""

    typed: str
    clock: str
    picture: Picture | None
    problem: NotationError | None


@require_GET
@needs(Act.READ_HISTORY)
def comparison(request: SalonRequest, game: str) -> HttpResponse:
    """The game as of `?one=` and as of `?other=` (a time or an entry; nothing: now), each by the clock chosen for it."""
    row = game_or_404(request.visitor, game)
    moments = moments_of(row.salon.log_id, row.pk)
    head = Log.objects.values_list("position", flat=True).get(pk=row.salon.log_id)
    one, other = (_asked(request, moments, name, head) for name in ("one", "other"))
    groups: list[Group] = []
    if one.picture and other.picture:
        groups = list(compared(row, one.picture, other.picture))
    context = {
        "here": "history",
        "game": row,
        "one": one,
        "other": other,
        "clocks": CLOCKS.items(),
        "groups": groups,
        "differing": sum(each.differs for group in groups for each in group.rows),
    }
    return render(request, "history/comparison.html", context, status=400 if one.problem or other.problem else 200)


def _asked(request: SalonRequest, moments: Sequence[Moment], name: str, head: int) -> Moments:
    typed, clock = request.GET.get(name, ""), request.GET.get(f"{name}_clock", RECORDED)
    clock = clock if clock in CLOCKS else RECORDED
    try:
        return Moments(typed=typed, clock=clock, picture=pictured(moments, typed, clock, head=head), problem=None)
    except NotationError as problem:
        return Moments(typed=typed, clock=clock, picture=None, problem=problem)


def compared(row: GameRow, one: Picture, other: Picture) -> Iterator[Group]:
    """What two states of a game have, beside each other: scores, Excess, chips, pots, hands; groups without rows are left out."""
    names = names_of(row.salon, seats_of(row).values())
    players = {seat: names.get(player, "") for seat, player in seats_of(row).items()}
    tables = one.table, other.table
    titles = {"score": _("Score") if not one.game.pot_names or "chips" in tables[0] else _("Chips")}
    titles |= {"excess": _("Excess"), "chips": _("Chips"), "pots": _("Pots")}
    for which, title in titles.items():
        found = [table.get(which, {}) for table in tables]
        labels = {key: _label(one.game, which, key, players) for key in {**found[0], **found[1]}}
        if labels:
            yield Group(title=title, rows=[_counted(label, key, found[0], found[1]) for key, label in labels.items()])
    hands = [_hands(one), _hands(other)]
    if any(hands):
        numbers = range(1, max(map(len, hands)) + 1)
        yield Group(title=_("Hands"), rows=[_hand(number, hands[0], hands[1], row.kind) for number in numbers])


def _counted(label: str, key: str, one: Mapping[str, int], other: Mapping[str, int]) -> Row:
    return Row(label=label, one=_number(one.get(key)), other=_number(other.get(key)))


def _number(value: int | None) -> str:
    return "" if value is None else words.number(value)


def _hands(picture: Picture) -> list[dict[str, Any]]:
    return picture.game.hand_results(picture.state, 0)


def _hand(number: int, one: Sequence[dict[str, Any]], other: Sequence[dict[str, Any]], kind: str) -> Row:
    said = [_said(hands[number - 1], kind) if number <= len(hands) else "" for hands in (one, other)]
    return Row(label=_("Hand %(hand)d") % {"hand": number}, one=said[0], other=said[1])


def _said(hand: dict[str, Any], kind: str) -> str:
    return " ".join(render_to_string(list(parts_of(kind, "history/closed")), {"closed": hand}).split())


def _label(game: Game, which: str, key: str, players: Mapping[str, str]) -> str:
    if which == "pots":
        return _(game.pot_names[key])
    return _(game.teams[key]) if key in game.teams else players.get(key, key)
