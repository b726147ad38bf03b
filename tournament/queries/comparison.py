"""Two moments side by side, and what differs between them: rows in groups, and those of a game."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.game import AnyGame
from scoring.shape import JsonObject
from tournament.models import Game as GameRow
from tournament.queries import number_format
from tournament.queries.accounts import seats_of
from tournament.queries.game_as_of import Picture
from tournament.queries.game_templates import parts_of
from tournament.queries.seats_as_of import called, sitting
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience


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
    """The number of rows that differ."""
    return sum(row.differs for group in groups for row in group.rows)


def compared(row: GameRow, one: Picture, other: Picture, *, audience: Audience) -> Iterator[Group]:
    """Yield the values of two states of a game beside each other: scores, Excess, audits,
    chips, pots, hands; groups without rows are left out.
    """
    names = names_of(row.salon, seats_of(row).values(), audience)
    players = {seat: names.get(player, "") for seat, player in seats_of(row).items()}
    tables = _with_audits(one), _with_audits(other)
    titles = {"score": _("Score") if not one.game.pot_names or "chips" in tables[0] else _("Chips")}
    titles |= {
        "excess": _("Excess"),
        "audits": _("Imperial Audits"),
        "chips": _("Chips"),
        "pots": _("Pots"),
    }
    for which, title in titles.items():
        found = [table.get(which, {}) for table in tables]
        labels = {key: _label(one.game, which, key, players) for key in {**found[0], **found[1]}}
        if labels:
            yield Group(
                title=title,
                rows=[_number_row(label, key, *found) for key, label in labels.items()],
            )
    hands = [_hands_told(row, picture, audience) for picture in (one, other)]
    if any(hands):
        numbers = range(1, max(map(len, hands)) + 1)
        yield Group(title=_("Hands"), rows=[_hand(number, *hands) for number in numbers])


def _with_audits(picture: Picture) -> JsonObject:
    """The table, and how many audits each side has had in all, where the game has any."""
    audits: Counter[str] = Counter()
    for each in _hands(picture):
        audits.update(each["result"].get("audits") or {})
    return {**picture.table, "audits": dict(audits)}


def _number_row(label: str, key: str, one: Mapping[str, int], other: Mapping[str, int]) -> Row:
    return Row(label=label, one=_number(one.get(key)), other=_number(other.get(key)))


def _number(value: int | None) -> str:
    return "" if value is None else number_format.number(value)


def _hands(picture: Picture) -> list[JsonObject]:
    return picture.game.hand_results(picture.state, 0)


def _hands_told(row: GameRow, picture: Picture, audience: Audience) -> list[str]:
    """The closed hands in words, with those who sat there then."""
    hands = _hands(picture)
    seats = [sitting(picture.state, each["result"]["number"]) for each in hands]
    names = names_of(row.salon, {player for each in seats for player in each.values()}, audience)
    return [
        _hand_words(hand, row.kind, called(picture.game, sat, names))
        for hand, sat in zip(hands, seats, strict=True)
    ]


def _hand(number: int, one: Sequence[str], other: Sequence[str]) -> Row:
    said = [hands[number - 1] if number <= len(hands) else "" for hands in (one, other)]
    return Row(label=_("Hand %(hand)d") % {"hand": number}, one=said[0], other=said[1])


def _hand_words(hand: JsonObject, kind: str, seats: Mapping[str, str]) -> str:
    """The words of our own template, which has escaped whatever it was given."""
    about = {"closed": hand, "called": seats}
    return mark_safe(  # noqa: S308
        " ".join(render_to_string(list(parts_of(kind, "history/closed")), about).split())
    )


def _label(game: AnyGame, which: str, key: str, players: Mapping[str, str]) -> str:
    if which == "pots":
        return _(game.pot_names[key])
    return _(game.teams[key]) if key in game.teams else players.get(key, key)
