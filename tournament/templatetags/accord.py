"""Template tags and filters for pages: icons, suits, numbers, names, and the chart of
a race.

Each tag with a picture has its template in `templates/components/`, where its context is described.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.games import GAMES
from scoring.shape import JsonMapping
from tournament.accounts.permissions import Visitor
from tournament.domain.house.paper import A4
from tournament.models import Game, Salon
from tournament.pages.history import race as races
from tournament.queries import game_templates, number_format, table_names
from tournament.queries.printed_checkpoint import printed_checkpoint
from tournament.salons.paper_sizes import paper_of

register = template.Library()

register.inclusion_tag("components/printed.html", name="printed_checkpoint")(printed_checkpoint)
register.filter("number", number_format.number)
register.filter("signed", number_format.signed)
register.filter("halves", number_format.halves)
register.filter("hundredths", number_format.hundredths)
register.filter("rank_label", number_format.rank_label)
register.filter("wide", table_names.are_wide)
register.filter("long", table_names.are_long)


@register.filter
def at(values: Mapping[str, object] | Sequence[object], place: str | int) -> object:
    """The value at this key or place; "" where there is none."""
    try:
        return values[place]  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return ""


@register.simple_tag
def game_of_record(salon: Salon, record: str) -> Game | None:
    """The game whose record has this id; None where its row is lost."""
    return Game.objects.filter(salon=salon, record=record).first()


@register.simple_tag(takes_context=True)
def paper_style(context: Context, landscape: bool = False) -> str:
    """The styles of a page that is printed on other paper than A4. Raises UnknownPaper."""
    request = context.get("request")
    visitor: Visitor | None = getattr(request, "visitor", None)
    if request is None or visitor is None:
        return ""
    asked = request.GET.get("paper") if request.method in ("GET", "HEAD") else None
    if paper_of(visitor.salon, asked) == A4:
        return ""
    style = "accord/letter-landscape.css" if landscape else "accord/letter.css"
    return format_html('<link rel="stylesheet" href="{}" media="print">', static(style))


@register.filter
def minutes(seconds: int) -> str:
    """`90` → 1:30."""
    whole, left = divmod(abs(seconds), 60)
    return f"{number_format.MINUS if seconds < 0 else ''}{whole}:{left:02}"


@register.filter
def split(text: str) -> list[str]:
    """`"NS EW"` → NS, EW."""
    return text.split()


@register.filter
def after(seats: str, seat: str) -> str:
    """All seats in their order, beginning after this one: `"NESW"|after:"E"` → SWNE."""
    place = seats.index(seat) + 1
    return seats[place:] + seats[:place]


@register.filter
def silent_in(seats: Iterable[str], calls: Iterable[tuple[str, str]]) -> list[str]:
    """The seats that have made none of these calls yet."""
    callers = {seat for seat, _ in calls}
    return [seat for seat in seats if seat not in callers]


@register.filter
def upto(last: int) -> range:
    """`13` → 0, 1 … 13."""
    return range(last + 1)


@register.filter
def less(whole: int, part: int) -> int:
    """`13|less:5` → 8."""
    return whole - part


@register.filter
def sum_of(parts: Iterable[Mapping[str, int]], key: str) -> int:
    """The sum of what all parts have under `key`."""
    return sum(part[key] for part in parts)


@register.filter
def beyond_hands(score: Mapping[str, int], hands: Iterable[JsonMapping]) -> dict[str, int]:
    """The chips of each seat that no closed hand explains: those of an open hand, or a pot shared
    at the end of the game. {} where the hands explain all.
    """
    flows = [hand["result"]["chips"] for hand in hands]
    rest = {seat: chips - sum(flow[seat] for flow in flows) for seat, chips in score.items()}
    return rest if any(rest.values()) else {}


@register.filter
def blank(values: Mapping[str, object]) -> bool:
    """Whether nothing is written under any key yet."""
    return all(value is None for value in values.values())


@register.filter
def values_under(parts: Iterable[Mapping[str, Sequence[object]]], key: str) -> list[object]:
    """Return the values that all parts have under `key`, as one list."""
    return [value for part in parts for value in part[key]]


@register.filter
def cards_of(rank: str, suits: str) -> list[str]:
    """The cards of a rank in these suits: `"7"|cards_of:"VF"` → 7V, 7F."""
    return [rank + suit for suit in suits]


@register.filter
def but(cards: Sequence[str], suit: str) -> list[str]:
    """The cards that aren't of this suit."""
    return [card for card in cards if card[-1] != suit]


@register.filter
def cards_left(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    """The cards that aren't gone."""
    return [card for card in cards if card not in gone]


@register.filter
def any_in(cards: Sequence[str], gone: Sequence[str]) -> bool:
    """Whether any of the cards is gone."""
    return not set(cards).isdisjoint(gone)


@register.filter
def but_last(values: Sequence[object]) -> Sequence[object]:
    """All but the last."""
    return values[:-1]


@register.filter
def first_suit(legal: Sequence[str], led: str | None) -> str:
    """The suit whose cards a phone shows at first: the led one while it may come, else that of
    another card that may.

    A suit is the letter at the end of a card's code, `-` where there is none.
    """
    suits = [code[-1] if code[-1].isalpha() else "-" for code in legal]
    return led if led and led in suits else next(iter(suits), led or "")


@register.filter
def reasons(refused: Mapping[str, Mapping[str, str]]) -> list[dict[str, object]]:
    """Refused cards by the reason they have in common: its rule, its words without the card's own
    code, the cards.
    """
    common: dict[tuple[str, str], list[str]] = {}
    for code, why in refused.items():
        common.setdefault((why["rule"], why["message"].replace(code, "it", 1)), []).append(code)
    return [
        {"rule": number, "message": message, "cards": cards}
        for (number, message), cards in common.items()
    ]


@register.filter
def naming(words: str, called: Mapping[str, str]) -> str:
    """Words about seats with who sits there in their place; `called` are players by what the words
    call their seats.
    """
    if not called:
        return words
    seats = "|".join(re.escape(seat) for seat in sorted(called, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])({seats})(?![\w-])", lambda found: called[found[0]], words)


@register.simple_tag
def seat_called(seat: str, players: Mapping[str, str], kind: str) -> str:
    """Return the name of a seat, a side or a pot on a page: the player if all play alone,
    else the seat or the team.
    """
    alone = "" if GAMES[kind].teams or not players else players.get(seat, "")
    return alone or (
        place_name(seat, kind) if seat in GAMES[kind].pot_names else team_name(seat, kind)
    )


@register.simple_tag
def seat_key(seat: str, players: Mapping[str, str], kind: str) -> str:
    """Return the text on a small key of a seat: the letter that a table goes by, the
    player's name if it goes by none.
    """
    return seat if GAMES[kind].teams else players.get(seat) or seat


@register.filter
def part(kind: str, name: str) -> tuple[str, str, str]:
    """The templates that may show this part of a game: one of its folder, a partial of its only
    one, or what games share.
    """
    return game_templates.parts_of(kind, name)


@register.filter
def seat_name(seat: str, kind: str) -> str:
    """`N` in Precedence → North; what is no seat of this game stays as it is."""
    if not isinstance(seat, str):
        return ""
    names = GAMES[kind].seat_names
    return _(names[seat]) if seat in names else seat


@register.filter
def team_name(side: str, kind: str) -> str:
    """`NS` in Precedence → North–South; a seat where everybody plays alone, and what is neither, as
    `seat_name` has it.
    """
    teams = GAMES[kind].teams
    return _(teams[side]) if side in teams else seat_name(side, kind)


@register.filter
def place_name(place: str, kind: str) -> str:
    """Name the place of chips in a game: a pot by its name, else as `seat_name` has it."""
    pots = GAMES[kind].pot_names
    return _(pots[place]) if place in pots else seat_name(place, kind)


@register.filter
def signed_points(points: float) -> str:
    """Points given or taken by a ruling, halves too: `+4.5`."""
    whole = number_format.signed(int(points))
    if points == int(points):
        return whole
    sign = "+" if points > 0 else number_format.MINUS
    return f"{sign}{number_format.number(abs(int(points)))}.5"


@register.filter
def team_short(team: str) -> str:
    """`NS` → N–S."""
    return "–".join(team)


@register.filter
def team_of(seat: str, kind: str) -> str:
    """The class name and icon of the team that a seat belongs to, `ns`; "" where everybody plays
    alone.
    """
    return game_templates.team_mark(GAMES[kind], seat)


@register.simple_tag
def wording(template_name: str | tuple[str, ...], **about: object) -> SafeString:
    """The words that a small template writes about these values, to stand inside a sentence: `{%
    wording "…" code=code as suit %}`.
    """
    return _text_of_template(template_name, tuple(about.items()), get_language())


@lru_cache(maxsize=2048)
def _text_of_template(
    template_name: str | tuple[str, ...],
    about: tuple[tuple[str, object], ...],
    language: str | None,
) -> SafeString:
    """The words in this language; a card is called the same for ever, and a deck asks for all of
    them.
    """
    return render_to_string(template_name, dict(about))


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """One icon of icons.svg. Without a label it is for the eye only: a word must stand
    beside it.
    """
    return _symbol(static("accord/icons.svg"), name, "i", label)


@register.simple_tag
def suit(mark: str, label: str = "", extra: str = "") -> SafeString:
    """A suit's silhouette by its mark (`sabres`), for the eye only unless it has a label."""
    return _symbol(static("accord/suits.svg"), mark, f"suit {mark} {extra}".rstrip(), label)


@lru_cache(maxsize=2048, typed=True)
def _symbol(sprite: str, name: str, css: str, label: str) -> SafeString:
    if label:
        return format_html(
            '<svg class="{}" role="img" aria-label="{}"><use href="{}#{}"/></svg>',
            css,
            label,
            sprite,
            name,
        )
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', css, sprite, name
    )


@register.simple_tag
def rule(number: str) -> SafeString:
    """A rule's number, or the name of one that holds in every game, as a link to its text."""
    game = next(
        (game for game in GAMES.values() if game.letter == number[:1] and number[1:].isdecimal()),
        None,
    )
    return format_html(
        '<a class="rulebook" href="{}#{}" hx-boost="false">{}</a>',
        reverse("rules", args=[game.name]) if game else reverse("general_rules"),
        number if game else slugify(number),
        number,
    )


@register.inclusion_tag("components/race.html")
def race(
    hands: Sequence[JsonMapping], target: int, kind: str, marks: str = "", mark: str = ""
) -> dict[str, object]:
    """The scores of a game's two teams after each hand as a chart; `hands` are results as their
    rows hold them, at least one.

    `marks` is the key of a result that says which team got a mark there, `mark` what is written at
    one.
    """
    results, teams = [hand["result"] for hand in hands], GAMES[kind].teams
    scores = [tuple(result["score"][team] for team in teams) for result in results]
    sides = list(enumerate(teams))
    marked = [
        (hand, side)
        for hand, result in enumerate(results, 1)
        for side, team in sides
        if result.get(marks, {}).get(team)
    ]
    names = [races.Name(short=team_short(team), whole=_(name)) for team, name in teams.items()]
    return {
        "race": races.race_chart(scores, target=target, marked=marked, names=names),
        "mark": mark,
    }


class ChipsBar(NamedTuple):
    """A player's chips as a bar from the middle of a line: `x` and `width` in per cent of it."""

    name: str
    chips: int
    x: str
    width: str


@register.inclusion_tag("components/chips_chart.html")
def chips_chart(chips: Mapping[str, int], names: Mapping[str, str]) -> dict[str, object]:
    """The chips that everybody has won or lost, by seat, as bars to the right and to the left."""
    most = max(1, *map(abs, chips.values()))
    bars = [
        ChipsBar(
            name=names[seat],
            chips=won,
            x=f"{50 + min(0, 50 * won / most):.1f}%",
            width=f"{abs(50 * won / most):.1f}%",
        )
        for seat, won in chips.items()
    ]
    return {"bars": bars}
