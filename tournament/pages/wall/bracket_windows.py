"""The bracket of a knock-out on a screen that is read from ten metres: as much at a time as fits,
two rounds of it, with who goes on to where.

Units are thousandths of the screen's height.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import batched, combinations, pairwise

from tournament.domain.brackets.progress import MatchState, Progress
from tournament.domain.brackets.values import BracketName
from tournament.queries.bracket_drawing import text_width
from tournament.queries.bracket_words import last_rounds, names_of_match, round_name

HEIGHT = 845
EDGES = 60  # at the sides of the screen, both together
LETTER = 70  # the size of a name
LINE = 76  # from one line of text to the next
WAYS = 177  # between two columns
INSIDE = 24  # between its edge and a name
TICK = 70  # for the mark of who has won
HEADING = 84
GAP = 20
AT_A_TIME = 4  # matches in the first column, fewer where names take more than a line
# Per cent of its room: a name that is longer is broken in two, or in three; below it is squeezed.
TIGHT = (130, 170)
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
    """A window on a bracket as wide as the screen: its matches, each as wide as a `box`, the ways
    of winners between them, and the names of the rounds above the columns, each as long as its
    column where it is squeezed.
    """

    width: int
    box: int
    matches: tuple[WallMatch, ...]
    ways: tuple[str, ...]
    headings: tuple[tuple[int, str, int], ...]

    @property
    def tick(self) -> int:
        """The x position in a match where the winner's mark begins."""
        return self.box - TICK - 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """The measures of a window: its `width`, and how many `lines` a name may take."""

    width: int
    lines: int = 1

    @property
    def box(self) -> int:
        """The width of a match."""
        return (self.width - WAYS) // 2

    @property
    def right(self) -> int:
        """The x position where the second column begins."""
        return self.width - self.box

    @property
    def room(self) -> int:
        """For a name."""
        return self.box - 2 * INSIDE - TICK

    @property
    def tall(self) -> int:
        """The height of a match."""
        return 2 * (self.lines * LINE + 8)

    def broken(self, name: str) -> tuple[str, ...]:
        """A name in as many lines as it has to have, broken where that is most even."""
        for lines, tight in enumerate(TIGHT, start=1):
            parts = _evenly_broken(name, lines)
            if all(text_width(part, LETTER) * 100 <= self.room * tight for part in parts):
                return parts
        return _evenly_broken(name, len(TIGHT) + 1)


def windows(
    progress: Progress, names: Mapping[str, str], origins: Sequence[str], *, screen: int = 178
) -> list[WallBracket]:
    """The windows on what is played now, in the order of play; on all that is to come where nobody
    is known yet, and on the final where everything is over. The `screen` is so wide in hundredths
    of its height.
    """
    said = {each.match.number: names_of_match(each, names, origins) for each in progress.states}
    frame = _Frame(width=screen * 10 - EDGES)
    needed = {len(frame.broken(text)) for both in said.values() for text in both}
    frame = replace(frame, lines=max(needed, default=1))
    courses = [list(_parts(rounds, AT_A_TIME // frame.lines)) for rounds in _courses(progress)]
    found = [part for parts in courses for part in parts]
    chosen = _on_now(found) or [each for each in found if not _is_over(each)] or courses[0][-1:]
    last = last_rounds(state.match for state in progress.states)
    titles = {
        (state.match.bracket, state.match.round): round_name(
            state.match.bracket, state.match.round, last
        )
        for state in progress.states
    }
    return [_window(each, said, titles, frame) for each in chosen]


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
    frame: _Frame,
) -> WallBracket:
    tops = _tops(part, frame.tall)
    matches = [
        _match(state, said[state.match.number], at * frame.right, tops[state.match.number], frame)
        for at, column in enumerate(part)
        for state in column
    ]
    half = frame.tall // 2
    ways = tuple(
        _way(frame, tops[place.number] + half, tops[state.match.number] + half)
        for state in part[1]
        for place in state.match.places
        if place.kind == "winner" and place.number in tops
    )
    headings = tuple(
        (at * frame.right, text, frame.box if text_width(text, LETTER) > frame.box else 0)
        for at, column in enumerate(part)
        if column
        for text in (titles[column[0].match.bracket, column[0].match.round],)
    )
    return WallBracket(
        width=frame.width, box=frame.box, matches=tuple(matches), ways=ways, headings=headings
    )


def _tops(part: Part, tall: int) -> dict[int, int]:
    """Return the y position of each match: evenly in the first column, elsewhere between
    the two matches that feed it, or evenly if there is no room for that.
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


def _match(state: MatchState, said: tuple[str, str], x: int, y: int, frame: _Frame) -> WallMatch:
    half = frame.tall // 2
    names, tick = [], 0
    for turn, (entry, text) in enumerate(zip(state.entries, said, strict=True)):
        won = isinstance(entry, str) and entry == state.winner
        broken = frame.broken(text)
        first = y + turn * half + (half - len(broken) * LINE) // 2 + LETTER - 12
        tick = first + (len(broken) - 1) * LINE // 2 if won else tick
        names += [
            WallName(
                text=line[:1].upper() + line[1:] if at == 0 else line,
                y=first + at * LINE,
                squeezed=frame.room if text_width(line, LETTER) > frame.room else 0,
                won=won,
                known=isinstance(entry, str),
            )
            for at, line in enumerate(broken)
        ]
    return WallMatch(x=x, y=y, height=2 * half, middle=y + half, tick=tick, names=tuple(names))


def _evenly_broken(name: str, lines: int) -> tuple[str, ...]:
    """A name in so many lines, the widest of them as narrow as can be; in fewer where it has fewer
    words.
    """
    words = name.split()
    count = min(lines, len(words))
    if count < 2:
        return (" ".join(words),)
    breaks = [
        tuple(" ".join(words[one:other]) for one, other in pairwise((0, *places, len(words))))
        for places in combinations(range(1, len(words)), count - 1)
    ]
    return min(breaks, key=lambda each: max(text_width(part, LETTER) for part in each))


def _way(frame: _Frame, one: int, other: int) -> str:
    middle = (frame.box + frame.right) // 2
    return f"{frame.box},{one} {middle},{one} {middle},{other} {frame.right},{other}"
