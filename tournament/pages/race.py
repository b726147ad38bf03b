"""The race to the target as a drawing: plain numbers in, places in per cent out, for `components/race.html`."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tournament.pages import words

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
class Race:
    """All that the chart draws. Paths are in a square of 100 by 100."""

    lines: tuple[Line, ...]
    goal: Line
    hands: tuple[Mark, ...]
    ns_path: str
    ew_path: str
    ns: tuple[Mark, ...]
    ew: tuple[Mark, ...]
    audits: tuple[Mark, ...]
    ends: tuple[Mark, Mark]
    told: str


def drawn(scores: Sequence[tuple[int, int]], *, target: int, audits: Sequence[tuple[int, str]]) -> Race:
    """The chart of at least one hand: `scores` are (NS, EW) after each, `audits` (hand, team) pairs."""
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
        return "M" + "L".join(f"{x(hand):.1f} {y(score):.1f}" for hand, score in enumerate([0, *(pair[side] for pair in scores)]))

    ns, ew = scores[-1]
    return Race(
        lines=tuple(Line(y=_percent(y(level)), label=words.number(level)) for level in _levels(low, high, target)),
        goal=Line(y=_percent(y(target)), label=words.number(target)),
        hands=tuple(Mark(x=_percent(x(hand)), y="100%", label=str(hand)) for hand in _numbered(len(scores))),
        ns_path=path(0),
        ew_path=path(1),
        ns=tuple(mark(hand, pair[0]) for hand, pair in enumerate(scores, 1)),
        ew=tuple(mark(hand, pair[1]) for hand, pair in enumerate(scores, 1)),
        audits=tuple(mark(hand, scores[hand - 1][team == "EW"]) for hand, team in audits),
        ends=_ends(_percent(x(len(scores))), (ns, ew), (_percent(y(ns)), _percent(y(ew)))),
        told=_told(scores),
    )


def _percent(value: float) -> str:
    return f"{value:.1f}%"


def _levels(low: int, high: int, target: int) -> list[int]:
    """Round numbers across the chart, the target's own neighbourhood left free for it."""
    step = next(size for size in (25, 50, 100, 200, 500, 1_000, 10_000, 1_000_000) if (high - low) / size <= 6)
    first = -(-low // step) * step
    return [level for level in range(first, high + 1, step) if abs(level - target) > step / 5]


def _numbered(hands: int) -> range:
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1_000, 10_000) if hands / size <= LABELS)
    return range(step, hands + 1, step)


def _ends(x: str, scores: tuple[int, int], places: tuple[str, str]) -> tuple[Mark, Mark]:
    """The two last scores in words; the higher one above its mark, the lower one below, so that they never meet."""
    up, down = (-6, 20) if scores[0] >= scores[1] else (20, -6)
    (ns, ew), (ns_y, ew_y) = scores, places
    return (
        Mark(x=x, y=ns_y, dy=up, label=f"N–S {words.number(ns)}"),
        Mark(x=x, y=ew_y, dy=down, label=f"E–W {words.number(ew)}"),
    )


def _told(scores: Sequence[tuple[int, int]]) -> str:
    """The same in one sentence, for those who don't see the picture."""
    sentence = gettext("hand %(hand)d: North–South %(ns)s, East–West %(ew)s")
    told = ({"hand": hand, "ns": words.number(ns), "ew": words.number(ew)} for hand, (ns, ew) in enumerate(scores, 1))
    return "; ".join(sentence % numbers for numbers in told)
