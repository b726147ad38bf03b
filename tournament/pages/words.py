"""The table's words for pages, translatable: suits, ranks and cards by their codes, and numbers as they are shown.

English is word for word what `scoring.precedence` says in its messages.
"""

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

SUITS = {"V": _("Void"), "F": _("Frontier"), "B": _("Border"), "C": _("Core")}
COURT = {"O": _("Officer"), "C": _("Commander"), "P": _("StellarPilot"), "E": _("Emperor")}
VOIDPILOT = _("Voidpilot")

# Which sprite and which hue a suit has; the code alone would be ambiguous between games.
SUIT_MARKS = {"V": "void", "F": "frontier", "B": "border", "C": "core"}

MINUS = "\u2212"
NARROW = "\u00a0"


def number(value: int) -> str:
    """A whole number as it is shown: a real minus, thousands apart: `−1 250`."""
    digits = f"{abs(value):,}".replace(",", NARROW)
    return f"{MINUS}{digits}" if value < 0 else digits


def signed(value: int) -> str:
    """A change as it is shown: `+71`, `−100`, `0`."""
    return f"+{number(value)}" if value > 0 else number(value)


def halves(doubled: int) -> str:
    """A number that is kept doubled, as it is shown: `91` is `45.5`."""
    half = ".5" if doubled % 2 else ""
    return f"{MINUS if doubled < 0 else ''}{number(abs(doubled) // 2)}{half}"


def hundredths(value: int) -> str:
    """A number kept in hundredths, as it is shown: `250` is `2.5`."""
    whole, part = divmod(abs(value), 100)
    fraction = f".{part:02}".rstrip("0") if part else ""
    return f"{MINUS if value < 0 else ''}{number(whole)}{fraction}"


def rank_label(rank: str) -> str:
    """What stands on a key or a card: `10` for `T`, else the rank's own code."""
    return "10" if rank == "T" else rank


def rank_name(rank: str, variant: str = "core") -> str:
    """The rank as it is said: `10`, `Officer`; the pilot's name goes by variant (P2)."""
    if rank == "P" and variant != "core":
        return str(VOIDPILOT)
    return str(COURT.get(rank, rank_label(rank)))


def card_name(card: str, variant: str = "core") -> str:
    """The card as it is said: `Emperor of Void`."""
    names = {"rank": rank_name(card[0], variant), "suit": SUITS[card[1]]}
    return pgettext("a card", "%(rank)s of %(suit)s") % names


def excess_warning(excess: int) -> str:
    """What a count of Excess threatens, in words: empty below 8 (P19)."""
    if excess < 8:
        return ""
    return gettext("One from the audit") if excess == 9 else gettext("Two from the audit")
