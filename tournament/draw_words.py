"""The reasons of a draw in words."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.pairing.values import NextBest, Reason
from tournament.standings.values import HUNDREDTHS


def reason_words(reason: Reason) -> str:
    """What one aim came to at a table, or for who sits out: `they have not met yet`."""
    return REASONS[reason.tier](reason) if reason.tier in REASONS else reason.tier


def broken_words(reason: Reason) -> str:
    """How far a whole draw had to break an aim: `2 tables where the same entries meet again`."""
    return _of_aim(reason.tier, reason.cost)


def next_best_words(best: NextBest) -> str:
    """What the next best would have kept worse: `4 more squared differences of score`."""
    if best.tier == "lots":
        return _("as good; the lot decided")
    return _("worse by %(aim)s") % {"aim": _of_aim(best.tier, best.more)}


def _of_aim(tier: str, count: int) -> str:
    """So many of what an aim counts."""
    return (AIMS[tier](count) if tier in AIMS else "%(count)d " + tier) % {"count": count}


def _rematch(reason: Reason) -> str:
    if not reason.cost:
        return _("they have not met yet")
    times = reason.numbers[0] if reason.numbers else 1
    return ngettext("they have met once before", "they have met %(times)d times before", times) % {"times": times}


def _score_difference(reason: Reason) -> str:
    if not reason.numbers:
        return _("their scores differ") if reason.cost else _("the same score")
    one, two = reason.numbers
    if one == two:
        return _("the same score, %(score)s") % {"score": _points(one)}
    scores = {"apart": _points(abs(one - two)), "one": _points(one), "two": _points(two)}
    return _("%(apart)s apart in score: %(one)s and %(two)s") % scores


def _repeated_float(reason: Reason) -> str:
    if not reason.cost:
        return _("nobody floats again")
    return ngettext("one of them floats the same way again", "both of them float the same way again", reason.cost)


def _same_club(reason: Reason) -> str:
    return _("both of one club") if reason.cost else _("not of one club")


def _seat_balance(reason: Reason) -> str:
    if not reason.numbers:
        return _("their seats are out of balance") if reason.cost else _("their seats are in balance")
    one, two = (f"{number:+d}".replace("-", "\u2212") for number in reason.numbers)
    return _("first seats less second ones before: %(one)s and %(two)s") % {"one": one, "two": two}


def _bye_again(reason: Reason) -> str:
    if not reason.cost:
        return _("has not sat out yet")
    return ngettext("has sat out once before", "has sat out %(times)d times before", reason.cost) % {"times": reason.cost}


def _bye_above(reason: Reason) -> str:
    if not reason.cost:
        return _("nobody has a lower score")
    lower = reason.numbers[0] if reason.numbers else reason.cost
    return ngettext("%(count)d has a lower score", "%(count)d have a lower score", lower) % {"count": lower}


def _berger(reason: Reason) -> str:
    if not reason.numbers:
        return _("by the Berger tables")
    names = ("round", "entries", "one", "two")
    words = _("round %(round)d of the Berger tables for %(entries)d: number %(one)d meets number %(two)d")
    return words % dict(zip(names, reason.numbers, strict=True))


def _seeds(reason: Reason) -> str:
    count, *places = reason.numbers
    said = {"count": count, "one": places[0], "two": places[-1]}
    if len(places) == 1:
        return _("the last by rating, number %(one)d of %(count)d, sits out") % said
    return _("round 1 goes by rating: number %(one)d of %(count)d meets number %(two)d") % said


def _points(hundredths: int) -> str:
    return f"{hundredths / HUNDREDTHS:g}".replace("-", "\u2212")


REASONS: Mapping[str, Callable[[Reason], str]] = {
    "rematch": _rematch,
    "score_difference": _score_difference,
    "repeated_float": _repeated_float,
    "same_club": _same_club,
    "seat_balance": _seat_balance,
    "bye_again": _bye_again,
    "bye_above": _bye_above,
    "berger": _berger,
    "seeds": _seeds,
}
AIMS: Mapping[str, Callable[[int], str]] = {
    "rematch": lambda count: ngettext(
        "%(count)d table where the same entries meet again", "%(count)d tables where the same entries meet again", count
    ),
    "rematch_again": lambda count: ngettext("%(count)d meeting beyond the second", "%(count)d meetings beyond the second", count),
    "bye_again": lambda count: ngettext(
        "%(count)d bye the one who sits out already had", "%(count)d byes the one who sits out already had", count
    ),
    "bye_above": lambda count: ngettext(
        "%(count)d score below that of the one who sits out", "%(count)d scores below that of the one who sits out", count
    ),
    "score_difference": lambda count: ngettext("%(count)d squared difference of score", "%(count)d squared differences of score", count),
    "repeated_float": lambda count: ngettext("%(count)d float repeated", "%(count)d floats repeated", count),
    "same_club": lambda count: ngettext("%(count)d table of one club", "%(count)d tables of one club", count),
    "seat_balance": lambda count: ngettext("%(count)d seat out of balance", "%(count)d seats out of balance", count),
}
