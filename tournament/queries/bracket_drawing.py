"""A knock-out as it is shown: the drawing's boxes with names in them, and the same as a list in
words, for `tournaments/bracket.html`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournament.domain.brackets.layout import HEIGHT, WIDTH, Box, Heading, blocks, layout, pages
from tournament.domain.brackets.progress import Absent, MatchState, Occupant, Progress
from tournament.domain.brackets.values import Match
from tournament.queries import bracket_words
from tournament.queries.number_format import hundredths
from tournament.queries.word_lists import list_words

NOT_PLAYED: Mapping[int, tuple[int, ...]] = {}
NO_SCORES: Mapping[int, Mapping[str, int]] = {}
SIDE = HEIGHT // 2  # the height of one entry in its box
FOOT = 26  # the height of the line that says which part of a drawing a page is
ROOM = WIDTH - 72  # for a name, beside the number of the match and who won
TICK = 28  # how far from the right edge the tick begins, beside a digit
DIGIT = 8  # the width of each further one
LARGE, SMALL = 16, 13  # the sizes of a name in one line, and in two
# How wide letters are, in hundredths of their size: what has no line of its own is of the last.
NARROW, WIDE, CAPITAL, USUAL = 32, 92, 72, 57


@dataclass(frozen=True, slots=True, kw_only=True)
class NameLine:
    """A line of a name: `base` is what it stands on, `squeezed` the width into which it is pressed
    where it would be longer than its room, else 0.
    """

    text: str
    base: int
    squeezed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSide:
    """An entry in its box: `lines` are who it is or where it will come from, in letters of `size`,
    `score` its won games where a match has several, else that of its game, on the line `base`;
    the tick of who won begins `tick` before the edge. `bye`: it had no match before this one.
    """

    lines: tuple[NameLine, ...]
    size: int
    known: bool
    won: bool
    score: str
    base: int
    tick: int
    bye: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBox:
    """A match in the drawing: `label` is its short number, by which the places of others name it;
    `state_words` says it in words.
    """

    number: int
    label: str
    x: int
    y: int
    width: int
    height: int
    sides: tuple[DrawnSide, ...]
    state_words: str
    wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHeading:
    """The name of a round above its column."""

    text: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPage:
    """One page of the drawing, in the units of its layout; `number` from 1 on, and `part` says
    which of how many it is at its foot, "" for the only one.
    """

    number: int
    width: int
    height: int
    boxes: tuple[DrawnBox, ...]
    lines: tuple[str, ...]
    headings: tuple[DrawnHeading, ...]
    part: str = ""


def bracket_pages(
    progress: Progress,
    names: Mapping[str, str],
    *,
    paged: bool,
    played_in: Mapping[int, tuple[int, ...]] = NOT_PLAYED,
    origins: Sequence[str] = (),
    scores: Mapping[int, Mapping[str, int]] = NO_SCORES,
) -> tuple[DrawnPage, ...]:
    """The drawing as it stands on a screen, or `paged` to be printed. `names` are those of the
    entries, `origins` say of the seeds where they come from while they aren't known, `played_in`
    are the rounds of the tournament that each match has tables in, `scores` (hundredths) those of
    its last game.
    """
    matches = tuple(state.match for state in progress.states)
    parts = pages(matches) if paged else blocks(matches)
    sides = _sides_of(progress, names, origins, parts)
    return tuple(
        DrawnPage(
            number=number,
            width=made.width,
            height=made.height + (FOOT if len(parts) > 1 else 0),
            boxes=tuple(
                _box(
                    box, progress, sides[number], _scores(progress.state(number), progress, scores)
                )
                for box in made.boxes
                for number in (box.match.number,)
            ),
            lines=tuple(" ".join(f"{x},{y}" for x, y in line.points) for line in made.lines),
            headings=tuple(_heading(each, matches, played_in) for each in made.headings),
            part=_part(number, len(parts)),
        )
        for number, made in enumerate(map(layout, parts), start=1)
    )


def _part(number: int, parts: int) -> str:
    if parts == 1:
        return ""
    return _("Part %(number)d of %(parts)d") % {"number": number, "parts": parts}


def _sides_of(
    progress: Progress,
    names: Mapping[str, str],
    origins: Sequence[str],
    parts: Sequence[Sequence[Match]],
) -> dict[int, tuple[str, str]]:
    """The names in the two places of each match, or where they come from; a source in
    another part of the bracket names that part.
    """
    part_of = {match.number: number for number, part in enumerate(parts, start=1) for match in part}
    found = {}
    for state in progress.states:
        number, words = state.match.number, bracket_words.names_of_match(state, names, origins)
        if state.status == "not_needed":
            words = (_("not needed"), "")
        one, two = (
            _on_part(text, part_of[place.number])
            if entry is Absent.UNKNOWN
            and place.kind in ("winner", "loser")
            and part_of[place.number] != part_of[number]
            else text
            for text, entry, place in zip(words, state.entries, state.match.places, strict=True)
        )
        found[number] = (one, two)
    return found


def _on_part(text: str, part: int) -> str:
    return _("%(match)s, part %(part)d") % {"match": text, "part": part}


def _scores(
    state: MatchState, progress: Progress, scores: Mapping[int, Mapping[str, int]]
) -> tuple[str, ...]:
    """The number beside each side of a match: its won games of several, or its score; "" for both
    while there is none.
    """
    if progress.knockout.best_of > 1:
        return tuple(str(state.games.count(str(each))) for each in state.entries if state.games)
    known = scores.get(state.match.number, {})
    if not state.games or any(str(entry) not in known for entry in state.entries):
        return ()
    return tuple(hundredths(known[str(entry)]) for entry in state.entries)


def _box(box: Box, progress: Progress, sides: tuple[str, str], scores: Sequence[str]) -> DrawnBox:
    state = progress.state(box.match.number)
    further = DIGIT * max((len(score) - 1 for score in scores), default=0)
    return DrawnBox(
        number=box.match.number,
        label=bracket_words.number_words(box.match.number),
        x=box.x,
        y=box.y,
        width=box.width,
        height=box.height,
        sides=tuple(
            DrawnSide(
                lines=lines,
                size=LARGE if len(lines) == 1 else SMALL,
                known=isinstance(entry, str),
                won=isinstance(entry, str) and entry == state.winner,
                score=scores[turn] if scores else "",
                base=turn * SIDE + SIDE - 9,
                tick=TICK + further,
                bye=bracket_words.has_bye_before(state.match, turn),
            )
            for turn, entry in enumerate(state.entries)
            for lines in (_lines(_as_label(entry, sides[turn]), turn * SIDE, ROOM - further),)
        ),
        state_words=_in_words(state, sides),
        wrong=bool(state.wrong),
    )


def _as_label(entry: Occupant, text: str) -> str:
    """A name as it is written, where a place comes from with a capital."""
    return text if isinstance(entry, str) else capfirst(text)


def _in_words(state: MatchState, sides: tuple[str, str]) -> str:
    """A match in a sentence, with its number and who came to it by a bye."""
    byes = [
        side for turn, side in enumerate(sides) if bracket_words.has_bye_before(state.match, turn)
    ]
    values = {
        "number": bracket_words.number_words(state.match.number),
        "match": bracket_words.match_state_words(state, sides),
        "byes": list_words(byes),
    }
    if not byes:
        return _("%(number)s: %(match)s") % values
    return _("%(number)s: %(match)s (by a bye: %(byes)s)") % values


def _lines(name: str, top: int, room: int) -> tuple[NameLine, ...]:
    """A name in one line, or broken where it is most even, never cut."""
    words = name.split()
    places = [at for at in range(1, len(words)) if words[at] != "&"]
    if text_width(name, LARGE) <= room or not places:
        return (_line(name, LARGE, top + SIDE - 9, room),)
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in places]
    first, second = min(breaks, key=lambda each: max(text_width(part, SMALL) for part in each))
    return (
        _line(first, SMALL, top + SIDE - 16, room),
        _line(second, SMALL, top + SIDE - 4, room),
    )


def _line(text: str, size: int, base: int, room: int) -> NameLine:
    return NameLine(text=text, base=base, squeezed=room if text_width(text, size) > room else 0)


def text_width(text: str, size: int) -> int:
    """About how wide a text is, in the units of the drawing: rather too much than too little."""
    return sum(map(_letter, text)) * size // 100


def _letter(letter: str) -> int:
    if letter in " .,;:'’!|iljtfrI()[]":
        return NARROW
    if letter in "mwMW&@—" or east_asian_width(letter) in "WF":
        return WIDE
    return CAPITAL if letter.isupper() else USUAL


def _heading(
    heading: Heading, matches: Sequence[Match], played_in: Mapping[int, tuple[int, ...]]
) -> DrawnHeading:
    """A round of the bracket, and in which rounds of the tournament it is played where that is
    known and is one or follows on.
    """
    name = bracket_words.round_name(
        heading.bracket, heading.round, bracket_words.last_rounds(matches)
    )
    numbers = sorted(
        {
            number
            for match in matches
            if (match.bracket, match.round) == (heading.bracket, heading.round)
            for number in played_in.get(match.number, ())
        }
    )
    text = _("%(name)s · round %(rounds)s") % {"name": name, "rounds": _span(numbers)}
    return DrawnHeading(text=text if numbers else name, x=heading.x, y=heading.y)


def _span(numbers: Sequence[int]) -> str:
    ends = dict.fromkeys((*numbers[:1], *numbers[-1:]))
    return "\N{EN DASH}".join(map(str, ends))
