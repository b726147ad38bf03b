"""The reasons of a draw in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from tournament.domain.pairing.redraw import AimApart
from tournament.domain.pairing.values import NextBest, Reason
from tournament.domain.standings.values import HUNDREDTHS
from tournament.queries import plan_words

# In the order of the seats: who sits at the table, or what its sides are called.
type Named = Sequence[str]


def reason_words(reason: Reason, names: Named = (), sides: Named = ()) -> str:
    """One goal of the pairing as it came out at a table or for a sit-out: `they have not
    met yet`.

    `names` are those of the entries in the order of the seats, `sides` what they sit
    at; without them the words have no names.
    """
    if reason.tier in NAMING and len(names) == 2 and len(reason.numbers) in (2, 4):
        return NAMING[reason.tier](
            reason, names, sides or (_("the first seats"), _("the second seats"))
        )
    return REASONS[reason.tier](reason) if reason.tier in REASONS else reason.tier


def broken_words(reason: Reason) -> str:
    """The extent to which a whole draw had to break a goal: `2 tables where the same
    entries meet again`.
    """
    return _of_aim(reason.tier, reason.cost)


def apart_words(aim: AimApart) -> str:
    """The count of a played round in one aim, beside that of the draw: `2 tables where the same
    entries meet again; none in the draw`.
    """
    played = _of_aim(aim.tier, aim.played)
    if not aim.drawn:
        return _("%(played)s; none in the draw") % {"played": played}
    return _("%(played)s; %(drawn)d in the draw") % {"played": played, "drawn": aim.drawn}


def totals_words(totals: Sequence[Reason]) -> str:
    """The result of a whole draw for every goal: `nobody meets again; ...`."""
    return "; ".join(
        str(KEPT[each.tier]) if not each.cost and each.tier in KEPT else broken_words(each)
        for each in totals
    )


def next_best_words(best: NextBest, totals: Sequence[Reason] = ()) -> str:
    """The goal that the next best draw would have kept worse, or that it is as good: then
    the result of the whole draw either way.
    """
    if best.tier != "lots":
        return _("the whole draw would be worse by %(aim)s") % {
            "aim": _of_aim(best.tier, best.more)
        }
    if not totals:
        return _("as good; the lot decided")
    return _("as good, so the lot decided. Either way the whole draw comes to: %(totals)s") % {
        "totals": totals_words(totals)
    }


def _of_aim(tier: str, count: int) -> str:
    """So many of what an aim counts."""
    return str(AIMS.get(tier, "%(count)d " + tier) % {"count": count})


def _rematch(reason: Reason) -> str:
    if not reason.numbers or not (reason.cost or reason.numbers[0]):
        return _("they have met before") if reason.cost else _("they have not met yet")
    times, *rounds = reason.numbers
    if not rounds:
        return ngettext(
            "they have met once before", "they have met %(times)d times before", times
        ) % {"times": times}
    where = {"times": times, "rounds": ", ".join(map(str, rounds))}
    return (
        ngettext(
            "they met in round %(rounds)s", "they met %(times)d times, in rounds %(rounds)s", times
        )
        % where
    )


def _score_difference(reason: Reason) -> str:
    if not reason.numbers:
        return _("their scores differ") if reason.cost else _("the same score")
    one, two, *lent = reason.numbers
    if lent:
        return _add_acceleration(_score_difference(replace(reason, numbers=(one, two))), lent)
    if one == two:
        return _("the same score, %(score)s") % {"score": _points(one)}
    scores = {
        "apart": _points(abs(one - two)),
        "one": _points(max(one, two)),
        "two": _points(min(one, two)),
    }
    return _("%(apart)s apart in score: one has %(one)s, the other %(two)s") % scores


def _name_scores(reason: Reason, names: Named, _sides: Named) -> str:
    one, two, *lent = reason.numbers
    if one == two:
        return _score_difference(reason)
    if lent:
        scores_alone = replace(reason, numbers=(one, two))
        return _add_acceleration(_name_scores(scores_alone, names, _sides), lent, names)
    scores = {"name": names[0], "score": _points(one), "other": names[1], "theirs": _points(two)}
    return _("scores before the round: %(name)s %(score)s, %(other)s %(theirs)s") % scores


def _add_acceleration(words: str, lent: Sequence[int], names: Named = ()) -> str:
    """Add that acceleration lends some of these scores for this draw only."""
    said = {"scores": words, "points": _points(max(lent))}
    if all(lent):
        return (
            _("%(scores)s; %(points)s of each is lent by acceleration, for this draw alone") % said
        )
    if not names:
        return (
            _("%(scores)s; %(points)s of one is lent by acceleration, for this draw alone") % said
        )
    said["name"] = names[0 if lent[0] else 1]
    return (
        _("%(scores)s; %(points)s of %(name)s is lent by acceleration, for this draw alone") % said
    )


def _describe_repeated_float(reason: Reason) -> str:
    if len(reason.numbers) == 1:
        return (
            _("met a lower score or sat out in the last round, too")
            if reason.cost
            else _("did not meet a lower score in the last round")
        )
    if not reason.cost:
        return _("nobody meets a higher score, or a lower one, two rounds running")
    return ngettext(
        "one of them meets a higher score, or a lower one, two rounds running",
        "both meet a higher score, or a lower one, two rounds running",
        reason.cost,
    )


def _name_floats(reason: Reason, names: Named, _sides: Named) -> str:
    if not reason.cost:
        return _describe_repeated_float(reason)
    words = {
        1: _("%(name)s: a higher score opposite for the second round running"),
        -1: _("%(name)s: a lower score opposite for the second round running"),
    }
    return "; ".join(
        words[way] % {"name": name}
        for name, way in zip(names, reason.numbers, strict=True)
        if way in words
    )


def _same_club(reason: Reason) -> str:
    return _("both of one club") if reason.cost else _("not of one club")


def _seat_balance(reason: Reason) -> str:
    if not reason.numbers:
        return (
            _("their seats are out of balance") if reason.cost else _("their seats are in balance")
        )
    one, two = (f"{number:+d}".replace("-", "\u2212") for number in reason.numbers)
    return _(
        "how much oftener they sat in the first seats than in the second: %(one)s and %(two)s"
    ) % {"one": one, "two": two}


def _name_seats(reason: Reason, names: Named, sides: Named) -> str:
    if not any(reason.numbers):
        return _("both have sat on either side equally often")
    return _("seats until now: %(one)s; %(two)s") % {
        key: _side_of(name, balance, sides)
        for key, name, balance in zip(("one", "two"), names, reason.numbers, strict=True)
    }


def _side_of(name: str, balance: int, sides: Named) -> str:
    if not balance:
        return _("%(name)s equally often on either side") % {"name": name}
    oftener = {"name": name, "times": abs(balance), "side": sides[0 if balance > 0 else 1]}
    return (
        ngettext(
            "%(name)s once more at %(side)s",
            "%(name)s %(times)d times more at %(side)s",
            abs(balance),
        )
        % oftener
    )


def _bye_again(reason: Reason) -> str:
    if not reason.cost:
        return _("has not sat out, nor won without playing, until now")
    times = {"times": reason.cost}
    return (
        ngettext(
            "has sat out or won without playing before",
            "has sat out or won without playing %(times)d times before",
            reason.cost,
        )
        % times
    )


def _bye_above(reason: Reason) -> str:
    if not reason.cost:
        return _("nobody has a lower score")
    lower = reason.numbers[0] if reason.numbers else reason.cost
    return ngettext("%(count)d has a lower score", "%(count)d have a lower score", lower) % {
        "count": lower
    }


def _bye_place(reason: Reason) -> str:
    below = reason.numbers[0] if reason.numbers else reason.cost
    if not below:
        return _("nobody with the same score stands lower")
    return ngettext(
        "%(count)d with the same score stands lower",
        "%(count)d with the same score stand lower",
        below,
    ) % {"count": below}


def _berger(reason: Reason) -> str:
    if not reason.numbers:
        return _("by the Berger tables")
    numbers = dict(zip(("round", "entries", "one", "two", "due"), reason.numbers, strict=False))
    if reason.cost:
        return (
            _(
                "by the Berger tables number %(one)d meets number %(two)d in round %(due)d, not "
                "in this one"
            )
            % numbers
        )
    return (
        _(
            "round %(round)d of the Berger tables for %(entries)d: number %(one)d meets "
            "number %(two)d"
        )
        % numbers
    )


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
    "repeated_float": _describe_repeated_float,
    "same_club": _same_club,
    "seat_balance": _seat_balance,
    "bye_again": _bye_again,
    "bye_above": _bye_above,
    "bye_place": _bye_place,
    "berger": _berger,
    "seeds": _seeds,
    "plan": plan_words.plan_reason_words,
    "same_deals": plan_words.same_deals_words,
    "rover": plan_words.rover_reason_words,
    "met_again": plan_words.describe_repeats,
    "match": plan_words.match_words,
    "scores": plan_words.scores_words,
}
# Aims whose two numbers belong to the two at the table.
NAMING: Mapping[str, Callable[[Reason, Named, Named], str]] = {
    "score_difference": _name_scores,
    "repeated_float": _name_floats,
    "seat_balance": _name_seats,
}
# What is said of a whole draw that keeps an aim.
KEPT: Mapping[str, object] = {
    "rematch": gettext_lazy("nobody meets again"),
    "score_difference": gettext_lazy("equal scores everywhere"),
    "repeated_float": gettext_lazy("nobody meets a higher or a lower score two rounds running"),
    "same_club": gettext_lazy("clubs apart"),
    "seat_balance": gettext_lazy("seats in balance"),
    "berger": gettext_lazy("as the Berger tables have it"),
    "met_again": gettext_lazy("nobody meets again"),
}
AIMS = {
    "rematch": ngettext_lazy(
        "%(count)d table where the same entries meet again",
        "%(count)d tables where the same entries meet again",
        "count",
    ),
    "rematch_again": ngettext_lazy(
        "%(count)d meeting beyond the second", "%(count)d meetings beyond the second", "count"
    ),
    "bye_again": ngettext_lazy(
        "%(count)d bye the one who sits out already had",
        "%(count)d byes the one who sits out already had",
        "count",
    ),
    "bye_above": ngettext_lazy(
        "%(count)d score below that of the one who sits out",
        "%(count)d scores below that of the one who sits out",
        "count",
    ),
    "bye_place": ngettext_lazy(
        "%(count)d with the same score who stands lower than the one who sits out",
        "%(count)d with the same score who stand lower than the one who sits out",
        "count",
    ),
    "score_difference": ngettext_lazy(
        "%(count)d in differences of scores at a table, each squared",
        "%(count)d in differences of scores at a table, each squared",
        "count",
    ),
    "repeated_float": ngettext_lazy(
        "%(count)d entry that meets a higher or a lower score two rounds running",
        "%(count)d entries that meet a higher or a lower score two rounds running",
        "count",
    ),
    "berger": ngettext_lazy(
        "%(count)d table off the Berger tables", "%(count)d tables off the Berger tables", "count"
    ),
    "met_again": ngettext_lazy(
        "%(count)d pair that meets again", "%(count)d pairs that meet again", "count"
    ),
    "same_club": ngettext_lazy(
        "%(count)d table of one club", "%(count)d tables of one club", "count"
    ),
    "seat_balance": ngettext_lazy(
        "%(count)d more of one seat than of the others",
        "%(count)d more of some seats than of the others",
        "count",
    ),
}
