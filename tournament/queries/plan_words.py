"""A plan in words: why those of a table sit together, who moves where, and what was counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from tournament.domain.pairing.values import Counts, PlanCounts, Reason
from tournament.domain.standings.values import BRACKETS
from tournament.queries.number_format import hundredths as number_of

GROUPS = "ABCDE"
BRACKET_WORDS = {
    "winners": gettext_lazy("round %(round)d of the winners"),
    "losers": gettext_lazy("round %(round)d of those who have lost once"),
    "final": gettext_lazy("the final"),
    "reset": gettext_lazy("the second final, for both have lost once"),
    "third": gettext_lazy("for the third place"),
}
SOURCE_WORDS = (
    gettext_lazy("seed %(number)d"),
    gettext_lazy("the winner of %(number)d"),
    gettext_lazy("the loser of %(number)d"),
    gettext_lazy("number %(number)d of those left"),
)

# So many of what is counted, by the name that they have in the words.
COUNTED_WORDS = {
    "pairs": ngettext_lazy("%(pairs)d pair %(times)s", "%(pairs)d pairs %(times)s", "pairs"),
    "people": ngettext_lazy("%(people)d %(times)s", "%(people)d %(times)s", "people"),
    "count": ngettext_lazy("%(count)d entry %(times)s", "%(count)d entries %(times)s", "count"),
    "deals": ngettext_lazy(
        "%(deals)d deal played %(times)s", "%(deals)d deals played %(times)s", "deals"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedLine:
    """One thing that was counted in a plan, `what`, how often for how many, and what that `means`
    in a plain sentence.
    """

    what: str
    words: Sequence[str]
    means: str


def plan_reason_words(reason: Reason) -> str:
    """By which numbers of the plan those of a table sit together."""
    number, rounds, *places = reason.numbers
    said = {
        "round": number,
        "rounds": rounds,
        "numbers": get_text_list([str(place) for place in places if place], _("and")),
    }
    words = _("round %(round)d of the plan’s %(rounds)d: numbers %(numbers)s") % said
    strangers = places.count(0)
    if not strangers:
        return words
    return (
        words
        + "; "
        + ngettext(
            "%(count)d came late and sits where there is room",
            "%(count)d came late and sit where there is room",
            strangers,
        )
        % {"count": strangers}
    )


def describe_repeats(reason: Reason) -> str:
    """The number of pairs of a table that have met before."""
    if not reason.cost:
        return _("nobody here has met before")
    return ngettext(
        "%(count)d pair here has met before", "%(count)d pairs here have met before", reason.cost
    ) % {"count": reason.cost}


def rover_reason_words(reason: Reason) -> str:
    """In whose place the rover plays, by the numbers of the plan."""
    rover, *displaced = reason.numbers
    if not displaced:
        return _("number %(rover)d is the rover, and begins in the next round") % {"rover": rover}
    return _("number %(rover)d is the rover, and plays in the place of number %(number)d") % {
        "rover": rover,
        "number": displaced[0],
    }


def rover_words(rover: str, displaced: str) -> str:
    """In whose place the rover plays, by name."""
    return _("%(rover)s, the rover, plays in the place of %(name)s") % {
        "rover": rover,
        "name": displaced,
    }


def same_deals_words(reason: Reason) -> str:
    """Which deals somebody plays alone, as everybody does."""
    first, last = reason.numbers
    if first == last:
        return _("deal %(number)d, as everybody plays it") % {"number": first}
    return _("deals %(first)d to %(last)d, as everybody plays them") % {
        "first": first,
        "last": last,
    }


def scores_words(reason: Reason) -> str:
    """The range of the scores of a table."""
    least, most = (number_of(points) for points in (min(reason.numbers), max(reason.numbers)))
    if least == most:
        return _("the same score, %(score)s") % {"score": most}
    return _("scores before the round: %(least)s to %(most)s") % {"least": least, "most": most}


def match_words(reason: Reason) -> str:
    """Which match of a knock-out it is, and where its two come from."""
    match, bracket, number, one, first, two, second, game = reason.numbers
    words = _("match %(match)d, %(bracket)s: %(one)s meets %(two)s") % {
        "match": match,
        "bracket": BRACKET_WORDS[BRACKETS[bracket]] % {"round": number},
        "one": SOURCE_WORDS[one] % {"number": first},
        "two": SOURCE_WORDS[two] % {"number": second},
    }
    return words if game == 1 else _("%(match)s; game %(game)d") % {"match": words, "game": game}


def moves_words(moves: Sequence[int]) -> str:
    """The sentence for the room: who stays and who moves how many tables; "" for none."""
    if not moves:
        return ""
    said = [_move(group, tables) for group, tables in zip(GROUPS, moves, strict=False)]
    return _("After each round: %(moves)s. The last table is followed by the first.") % {
        "moves": ", ".join(said)
    }


def counted_lines(counted: PlanCounts) -> list[CountedLine]:
    """The verifier's counts, one line each, without those that say nothing."""
    return [
        CountedLine(what=what, words=words, means=means)
        for what, words, means in _lines_of_counts(counted)
    ]


def table_sizes_words(counted: PlanCounts) -> str:
    """Whether everybody sits as often at the larger tables as others; "" where all are of one
    size.
    """
    uneven = [
        (size, counts[0][0], counts[-1][0])
        for size, counts in counted.table_sizes
        if counts[-1][0] - counts[0][0] > 1
    ]
    if not counted.table_sizes:
        return ""
    if not uneven:
        return _("Tables differ in size: everybody sits at each about as often as everybody else.")
    size, least, most = uneven[0]
    return _(
        "Tables differ in size, and not everybody sits equally often at each: at tables of "
        "%(size)d somebody sits %(least)s, somebody else %(most)s. Fewer rounds leave more choice."
    ) % {"size": size, "least": _times(least), "most": _times(most)}


def own_sizes_words(sizes: Sequence[int], counted: PlanCounts) -> str:
    """The number of times that someone at tables of these sizes sits at each size of the
    plan, the largest first; "" if all are of one size.
    """
    if not counted.table_sizes:
        return ""
    times = Counter(sizes)
    said = [
        _("%(times)s at tables of %(size)d") % {"size": size, "times": _times(times[size])}
        for size in sorted({*times, *dict(counted.table_sizes)}, reverse=True)
    ]
    return _("Sits %(sizes)s.") % {"sizes": get_text_list(said, _("and"))}


def _move(group: str, tables: int) -> str:
    if not tables:
        return _("%(group)s stays") % {"group": group}
    if tables < 0:
        return ngettext(
            "%(group)s moves down %(tables)d table",
            "%(group)s moves down %(tables)d tables",
            -tables,
        ) % {"group": group, "tables": -tables}
    return ngettext(
        "%(group)s moves up %(tables)d table", "%(group)s moves up %(tables)d tables", tables
    ) % {"group": group, "tables": tables}


def _lines_of_counts(counted: PlanCounts) -> Iterator[tuple[str, list[str], str]]:
    """Yield the subject of each count, how often for how many, and what that means."""
    if counted.partners:
        together = _("How often any two play together.")
        against = _("How often any two play against each other.")
        yield _("Partners"), _often(counted.partners, "pairs"), together
        yield _("Opponents"), _often(counted.opponents, "pairs"), against
    else:
        here = _("How often any two sit at one table.")
        yield _("Meetings"), _often(counted.meetings, "pairs"), here
    if counted.sit_outs and counted.sit_outs != ((0, counted.size),):
        out = _("In how many rounds somebody has no table.")
        yield _("Sitting out"), _often(counted.sit_outs, "people"), out
    for size, counts in counted.table_sizes:
        title = _("Tables of %(size)d") % {"size": size}
        yield title, _often(counts, "count"), _("In how many rounds somebody sits at one.")
    if counted.deals:
        played = _("At how many tables a deal is played, to be compared there.")
        yield _("Deals"), _often(counted.deals, "deals"), played


def _often(counts: Counts, what: str) -> list[str]:
    """So many of these, so often, a text each."""
    return [COUNTED_WORDS[what] % {what: many, "times": _times(times)} for times, many in counts]


def _times(times: int) -> str:
    return {0: _("never"), 1: _("once"), 2: _("twice")}.get(times) or _("%(times)d times") % {
        "times": times
    }
