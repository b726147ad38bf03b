"""The bracket of a knock-out on a screen that is read from ten metres: as much at a time as fits,
two rounds of it, with who goes on to where.

Units are thousandths of the screen's height.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched

from tournament.domain.brackets.progress import MatchState, Progress
from tournament.domain.brackets.values import BracketName
from tournament.queries.bracket_drawing import text_width
from tournament.queries.bracket_words import last_rounds, names_of_match, round_name

WIDTH, HEIGHT = 1_717, 845
LETTER = 70  # the size of a name
LINE = 76  # from one line of text to the next
BOX = 770  # the width of a match
INSIDE = 24  # between its edge and a name
TICK = 70  # for the mark of who has won
ROOM = BOX - 2 * INSIDE - TICK  # for a name
HEADING = 84
GAP = 20
AT_A_TIME = 4  # matches in the first column, half as many where names take two lines
TIGHT = 130  # per cent of its room: a name that is longer is broken, one below is squeezed
OVER = ("decided", "walk_over", "not_needed")


@dataclass(frozen=True, slots=True, kw_only=True)
class WallName:
    """A line of a name that stands on `y`; `squeezed` is the width into which it is pressed, 0
    where it is narrower.
    """

    text: str
    y: int
    squeezed: int
    won: bool
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WallMatch:
    """A match with its two names; `middle` parts them, `tick` is the line of who has won, 0 where
    nobody has.
    """

    x: int
    y: int
    height: int
    middle: int
    tick: int
    names: tuple[WallName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WallBracket:
    """A window on a bracket: its matches, the ways of winners between them, and the names of the
    rounds above the columns, each as long as its column where it is `squeezed`.
    """

    matches: tuple[WallMatch, ...]
    ways: tuple[str, ...]
    headings: tuple[tuple[int, str, int], ...]


def windows(
    progress: Progress, names: Mapping[str, str], origins: Sequence[str]
) -> list[WallBracket]:
    """The windows on what is played now, in the order of play; on all that is to come where nobody
    is known yet, and on the final where everything is over.
    """
    said = {each.match.number: names_of_match(each, names, origins) for each in progress.states}
    lines = 2 if any(_is_long(text) for both in said.values() for text in both) else 1
    courses = [list(_parts(rounds, AT_A_TIME // lines)) for rounds in _courses(progress)]
    found = [part for parts in courses for part in parts]
    chosen = _on_now(found) or [each for each in found if not _is_over(each)] or courses[0][-1:]
    last = last_rounds(state.match for state in progress.states)
    titles = {
        (state.match.bracket, state.match.round): round_name(
            state.match.bracket, state.match.round, last
        )
        for state in progress.states
    }
    return [_window(each, said, titles, lines) for each in chosen]


type Part = tuple[tuple[MatchState, ...], tuple[MatchState, ...]]


def _both(part: Part) -> tuple[MatchState, ...]:
    return part[0] + part[1]


def _on_now(found: Sequence[Part]) -> list[Part]:
    """Those in which everybody stands who plays or waits: each as far to the left as may be."""
    chosen = {place for place, (one, _two) in enumerate(found) if any(map(_is_on, one))}
    there = {state.match.number for place in chosen for state in _both(found[place])}
    for place, part in enumerate(found):
        if any(_is_on(state) and state.match.number not in there for state in part[1]):
            chosen.add(place)
    return [found[place] for place in sorted(chosen)]


def _is_over(part: Part) -> bool:
    return all(state.status in OVER for state in _both(part))


def _parts(rounds: Sequence[list[MatchState]], most: int) -> Iterator[Part]:
    """A round at a time, so many matches of it and those to which they lead; the last round comes
    with the one before it alone.
    """
    for one, two in zip(rounds, [*rounds[1:], []], strict=True):
        if two or len(rounds) == 1:
            yield from _windows_of(one, two, most)


def _courses(progress: Progress) -> Iterator[list[list[MatchState]]]:
    """The rounds from the first to the final, with the match for the third place beside it, and
    those of the losers.
    """
    last = max(
        (each.match.round for each in progress.states if each.match.bracket == "winners"), default=0
    )
    after: Mapping[str, int] = {"final": last, "third": last, "reset": last + 1}
    rounds: dict[tuple[bool, int], list[MatchState]] = {}
    for state in progress.states:
        match = state.match
        number = after.get(match.bracket, 0) + match.round
        rounds.setdefault((match.bracket == "losers", number), []).append(state)
    for losers in (False, True):
        course = [rounds[key] for key in sorted(rounds) if key[0] is losers]
        if course:
            yield course


def _windows_of(one: list[MatchState], two: list[MatchState], most: int) -> Iterator[Part]:
    shown: set[int] = set()
    for some in batched(_as_drawn(one, two), most, strict=False):
        numbers = {state.match.number for state in some}
        led = tuple(
            state
            for state in two
            if state.match.number not in shown and numbers & set(_feeders(state))
        )
        shown |= {state.match.number for state in led}
        yield some, led
    left = [state for state in two if state.match.number not in shown]
    for some in batched(left, most, strict=False):
        yield some, ()


def _as_drawn(one: list[MatchState], two: list[MatchState]) -> list[MatchState]:
    """Matches in the order in which their winners meet."""
    fed = [number for state in two for number in _feeders(state)]
    place = {number: at for at, number in enumerate(fed)}
    return sorted(one, key=lambda state: (place.get(state.match.number, len(fed)),))


def _is_on(state: MatchState) -> bool:
    """Whether somebody waits for this match or plays it."""
    return state.status not in OVER and any(isinstance(entry, str) for entry in state.entries)


def _feeders(state: MatchState) -> list[int]:
    """The matches from which somebody comes to this one."""
    return [place.number for place in state.match.places if place.kind in ("winner", "loser")]


def _window(
    part: Part,
    said: Mapping[int, tuple[str, str]],
    titles: Mapping[tuple[BracketName, int], str],
    lines: int,
) -> WallBracket:
    right, tall = WIDTH - BOX, _height(lines)
    tops = _tops(part, tall)
    matches = [
        _match(state, said[state.match.number], at * right, tops[state.match.number], lines)
        for at, column in enumerate(part)
        for state in column
    ]
    ways = tuple(
        _way(tops[place.number] + tall // 2, tops[state.match.number] + tall // 2)
        for state in part[1]
        for place in state.match.places
        if place.kind == "winner" and place.number in tops
    )
    headings = tuple(
        (at * right, text, BOX if text_width(text, LETTER) > BOX else 0)
        for at, column in enumerate(part)
        if column
        for text in (titles[column[0].match.bracket, column[0].match.round],)
    )
    return WallBracket(matches=tuple(matches), ways=ways, headings=headings)


def _tops(part: Part, tall: int) -> dict[int, int]:
    """Where each match begins: those of the first column evenly, each other one between those who
    lead to it, or evenly where there is no room for that.
    """
    tops = _evenly(part[0], tall)
    between: dict[int, int] = {}
    least = HEADING
    for state in part[1]:
        fed = [tops[number] for number in _feeders(state) if number in tops]
        between[state.match.number] = max(sum(fed) // len(fed) if fed else least, least)
        least = between[state.match.number] + tall + GAP
    return tops | (between if least - GAP <= HEIGHT else _evenly(part[1], tall))


def _evenly(column: Sequence[MatchState], tall: int) -> dict[int, int]:
    step = (HEIGHT - HEADING) // max(len(column), 1)
    return {
        state.match.number: HEADING + at * step + (step - tall) // 2
        for at, state in enumerate(column)
    }


def _match(state: MatchState, said: tuple[str, str], x: int, y: int, lines: int) -> WallMatch:
    half = _height(lines) // 2
    names, tick = [], 0
    for turn, (entry, text) in enumerate(zip(state.entries, said, strict=True)):
        won = isinstance(entry, str) and entry == state.winner
        broken = _broken(text) if _is_long(text) else (text,)
        first = y + turn * half + (half - len(broken) * LINE) // 2 + LETTER - 12
        tick = first + (len(broken) - 1) * LINE // 2 if won else tick
        names += [
            WallName(
                text=line[:1].upper() + line[1:] if at == 0 else line,
                y=first + at * LINE,
                squeezed=ROOM if text_width(line, LETTER) > ROOM else 0,
                won=won,
                known=isinstance(entry, str),
            )
            for at, line in enumerate(broken)
        ]
    return WallMatch(x=x, y=y, height=2 * half, middle=y + half, tick=tick, names=tuple(names))


def _height(lines: int) -> int:
    return 2 * (lines * LINE + 8)


def _is_long(name: str) -> bool:
    return text_width(name, LETTER) * 100 > ROOM * TIGHT


def _broken(name: str) -> tuple[str, ...]:
    """A name in two lines where that is most even."""
    words = name.split()
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(
        breaks, key=lambda each: max(text_width(part, LETTER) for part in each), default=(name,)
    )


def _way(one: int, other: int) -> str:
    right = WIDTH - BOX
    middle = (BOX + right) // 2
    return f"{BOX},{one} {middle},{one} {middle},{other} {right},{other}"
