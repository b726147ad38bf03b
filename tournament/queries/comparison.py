"""Two moments side by side, and what differs between them: rows in groups, and those of a game."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.game import Game
from tournament.models import Game as GameRow
from tournament.people import names_of
from tournament.queries import words
from tournament.queries.accounts import seats_of
from tournament.queries.parts import parts_of
from tournament.queries.picture import Picture


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
class Moments[P]:
    """A moment as it was asked for, and the picture as of then, or why it can't be shown."""

    typed: str
    clock: str
    picture: P | None
    problem: NotationError | None


def moment_asked[P](typed: str, clock: str, pictured: Callable[[str, str], P]) -> Moments[P]:
    """The picture as of what was typed, or why there is none."""
    try:
        return Moments(typed=typed, clock=clock, picture=pictured(typed, clock), problem=None)
    except NotationError as problem:
        return Moments(typed=typed, clock=clock, picture=None, problem=problem)


def differing(groups: Sequence[Group]) -> int:
    """How many rows differ."""
    return sum(row.differs for group in groups for row in group.rows)


def compared(row: GameRow, one: Picture, other: Picture) -> Iterator[Group]:
    """What two states of a game have, beside each other: scores, Excess, audits, chips, pots, hands; groups without rows are left out."""
    names = names_of(row.salon, seats_of(row).values())
    players = {seat: names.get(player, "") for seat, player in seats_of(row).items()}
    tables = _with_audits(one), _with_audits(other)
    titles = {"score": _("Score") if not one.game.pot_names or "chips" in tables[0] else _("Chips")}
    titles |= {"excess": _("Excess"), "audits": _("Imperial Audits"), "chips": _("Chips"), "pots": _("Pots")}
    for which, title in titles.items():
        found = [table.get(which, {}) for table in tables]
        labels = {key: _label(one.game, which, key, players) for key in {**found[0], **found[1]}}
        if labels:
            yield Group(title=title, rows=[_counted(label, key, found[0], found[1]) for key, label in labels.items()])
    hands = [_hands(one), _hands(other)]
    if any(hands):
        numbers = range(1, max(map(len, hands)) + 1)
        yield Group(title=_("Hands"), rows=[_hand(number, hands[0], hands[1], row.kind) for number in numbers])


def _with_audits(picture: Picture) -> dict[str, Any]:
    """The table, and how many audits each side has had in all, where the game has any."""
    audits: Counter[str] = Counter()
    for each in _hands(picture):
        audits.update(each["result"].get("audits") or {})
    return {**picture.table, "audits": dict(audits)}


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
    """The words of our own template, which has escaped whatever it was given."""
    return mark_safe(" ".join(render_to_string(list(parts_of(kind, "history/closed")), {"closed": hand}).split()))  # noqa: S308


def _label(game: Game, which: str, key: str, players: Mapping[str, str]) -> str:
    if which == "pots":
        return _(game.pot_names[key])
    return _(game.teams[key]) if key in game.teams else players.get(key, key)
