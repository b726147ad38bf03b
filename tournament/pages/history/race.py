"""The race to the target as a drawing: plain numbers in, places in per cent out, for
`components/race.html`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

from django.utils.translation import gettext

from tournament.queries import number_format

LAST = 96.0  # the last hand stands here, so that its mark isn't cut off
LABELS = 12  # more hands than this and only every second, fifth … is numbered


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A level across the chart: `y` in per cent from the top."""

    y: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A score on the chart: `x`, `y` in per cent; `dy` in pixels for the words beside it."""

    x: str
    y: str
    label: str = ""
    dy: int = 0
    low: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """The names of a side: beside its line, and in a sentence."""

    short: str
    whole: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """The chart's parts for a side: its line, the mark of each hand, and the mark at the
    line's end.
    """

    path: str
    marks: tuple[Mark, ...]
    end: Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """All that the chart draws. Paths are in a square of 100 by 100."""

    lines: tuple[Line, ...]
    goal: Line
    hands: tuple[Mark, ...]
    first: Side
    second: Side
    marked: tuple[Mark, ...]
    summary: str


def race_chart(
    scores: Sequence[Sequence[int]],
    *,
    target: int,
    marked: Sequence[tuple[int, int]],
    names: Sequence[Name],
) -> Race:
    """The chart of at least one hand: `scores` are those of both sides after each, `marked` (hand,
    side) pairs, sides 0 and 1.
    """
    low = min(0, *(min(pair) for pair in scores))
    high = max(target, *(max(pair) for pair in scores))
    room = (high - low) * 0.08
    top, bottom = high + room, low - room if low < 0 else 0

    def y(score: float) -> float:
        return 100 * (top - score) / (top - bottom)

    def x(hand: int) -> float:
        return LAST * hand / len(scores)

    def mark(hand: int, score: int) -> Mark:
        return Mark(x=_percent(x(hand)), y=_percent(y(score)), low=y(score) > 80)

    def path(side: int) -> str:
        return "M" + "L".join(
            f"{x(hand):.1f} {y(score):.1f}"
            for hand, score in enumerate([0, *(pair[side] for pair in scores)])
        )

    def side(place: int) -> Side:
        last, other = scores[-1][place], scores[-1][1 - place]
        above = last > other or (
            last == other and place == 0
        )  # so the words beside the two ends never meet
        label = f"{names[place].short} {number_format.number(last)}"
        end = Mark(
            x=_percent(x(len(scores))), y=_percent(y(last)), dy=-6 if above else 20, label=label
        )
        return Side(
            path=path(place),
            marks=tuple(mark(hand, pair[place]) for hand, pair in enumerate(scores, 1)),
            end=end,
        )

    return Race(
        lines=tuple(
            Line(y=_percent(y(level)), label=number_format.number(level))
            for level in _levels(low, high, target)
        ),
        goal=Line(y=_percent(y(target)), label=number_format.number(target)),
        hands=tuple(
            Mark(x=_percent(x(hand)), y="100%", label=str(hand))
            for hand in _choose_labelled_hands(len(scores))
        ),
        first=side(0),
        second=side(1),
        marked=tuple(mark(hand, scores[hand - 1][place]) for hand, place in marked),
        summary=_in_one_sentence(scores, names),
    )


def _percent(value: float) -> str:
    return f"{value:.1f}%"


def _levels(low: int, high: int, target: int) -> list[int]:
    """Round numbers across the chart, the target's own neighbourhood left free for it."""
    larger = (times * 10**power for power in count(2) for times in (1, 2, 5))
    step = next(size for size in chain((25, 50), larger) if (high - low) / size <= 6)
    first = -(-low // step) * step
    return [level for level in range(first, high + 1, step) if abs(level - target) > step / 5]


def _choose_labelled_hands(hands: int) -> range:
    step = next(
        size for size in (1, 2, 5, 10, 20, 50, 100, 1_000, 10_000) if hands / size <= LABELS
    )
    return range(step, hands + 1, step)


def _in_one_sentence(scores: Sequence[Sequence[int]], names: Sequence[Name]) -> str:
    """The same in one sentence, for those who don't see the picture."""
    sentence = gettext("hand %(hand)d: %(first)s %(one)s, %(second)s %(other)s")
    first, second = (name.whole for name in names)
    numbers_by_hand = (
        {"hand": hand, "one": number_format.number(pair[0]), "other": number_format.number(pair[1])}
        for hand, pair in enumerate(scores, 1)
    )
    return "; ".join(
        sentence % {**numbers, "first": first, "second": second} for numbers in numbers_by_hand
    )
