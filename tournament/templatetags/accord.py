"""What templates write in one word: icons, suits, cards, numbers, names, and the gauges drawn from a number.

Each tag with a picture has its template in `templates/components/`, where its context is described.
"""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.pages import race as races
from tournament.pages import words

register = template.Library()

register.filter("number", words.number)
register.filter("signed", words.signed)
register.filter("rank_label", words.rank_label)
register.filter("rank_name", words.rank_name)
register.filter("card_name", words.card_name)


@register.filter
def seat_name(seat: str) -> str:
    """`N` → North."""
    return str(words.SEATS[seat])


@register.filter
def team_name(team: str) -> str:
    """`NS` → North–South."""
    return str(words.TEAMS[team])


@register.filter
def team_short(team: str) -> str:
    """`NS` → N–S."""
    return str(words.TEAMS_SHORT[team])


@register.filter
def team_of(seat: str) -> str:
    """The team's class name and icon for a seat or a team: `ns` or `ew`."""
    return words.TEAM_OF[seat[0]]


@register.filter
def game_sign(name: str) -> str:
    """The suit that stands for a game: the mark of its sprite."""
    return words.GAME_SIGNS[name]


@register.filter
def suit_name(suit: str) -> str:
    """`V` → Void."""
    return str(words.SUITS[suit])


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """One icon of icons.svg. Without a label it is for the eye only: a word must stand beside it."""
    return _symbol(static("accord/icons.svg"), name, "i", label)


@register.simple_tag
def suit(code: str, label: str = "", extra: str = "") -> SafeString:
    """A suit's silhouette by its code (`V`) or its mark (`sabres`), for the eye only unless it has a label."""
    mark = words.SUIT_MARKS.get(code, code)
    return _symbol(static("accord/suits.svg"), mark, f"suit {mark} {extra}".rstrip(), label)


def _symbol(sprite: str, name: str, css: str, label: str) -> SafeString:
    if label:
        return format_html('<svg class="{}" role="img" aria-label="{}"><use href="{}#{}"/></svg>', css, label, sprite, name)
    return format_html('<svg class="{}" aria-hidden="true"><use href="{}#{}"/></svg>', css, sprite, name)


@register.simple_tag
def rule(number: str) -> SafeString:
    """A rule's number, as it is cited everywhere."""
    return format_html('<span class="rulebook">{}</span>', number)


@register.inclusion_tag("components/card.html")
def card(code: str, mark: str = "", variant: str = "core", said: str = "") -> dict[str, str]:
    """A card by its code. `mark` is `win` or `meld`; `said` follows the card's name for those who don't see it."""
    spoken = words.card_name(code, variant)
    return {"rank": words.rank_label(code[0]), "suit": code[1], "mark": mark, "spoken": f"{spoken}, {said}" if said else spoken}


@register.inclusion_tag("components/gauge.html")
def gauge(excess: int, *, quiet: bool = False) -> dict[str, object]:
    """Excess against the audit at 10 (P19); `quiet` leaves the warning in words away."""
    return {
        "excess": excess,
        "notches": [place < excess for place in range(9)],
        "near": excess >= 8,
        "warning": "" if quiet else words.excess_warning(excess),
    }


@register.inclusion_tag("components/meter.html")
def meter(tricks: int, contract: int) -> dict[str, object]:
    """Tricks taken against the contract (P16), out of 13."""
    return {
        "tricks": tricks,
        "contract": contract,
        "over": max(0, tricks - contract),
        "inside": [place < tricks for place in range(contract)],
        "outside": [place < tricks for place in range(contract, 13)],
    }


@register.inclusion_tag("components/race.html")
def race(scores: list[tuple[int, int]], target: int, audits: list[tuple[int, str]]) -> dict[str, object]:
    """Scores after each hand as a chart; `audits` are (hand, team) pairs."""
    return {"race": races.drawn(scores, target=target, audits=audits)}
