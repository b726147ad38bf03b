"""The derivation of one number of a game: its rule, the facts behind it, the
arithmetic; scores, Excess, chips and pots.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scoring.chips import BANK
from scoring.events import ChipsMoved, EntryRetracted, GameClosed, GameCorrected
from scoring.game import AnyGame
from scoring.shape import JsonMapping
from tournament.models import Game as GameRow
from tournament.queries.accounts import seats_of
from tournament.queries.game_templates import build_chips_context, parts_of, words_of_chips
from tournament.queries.history_lines import HistoryLine, history_lines
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.acts import Moment, every_act, find_withdrawn_versions
from tournament.streams.entries import Entry

# The fields by which a fact says whom or what it is about.
NAMING = ("seat", "side", "source", "target", "foundation")
# A hand's number, 0 at the start and the end of the game, and its lines.
type HandLines = tuple[int, list[Line]]
COUNTED = ("score", "excess", "chips", "pots")  # what a table counts, as `Game.table` names it


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One amount of a number: what it is for, the rule, and the facts it comes from."""

    amount: int
    words: str
    rule: str
    facts: Sequence[HistoryLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberPart:
    """The lines of one hand (0: the start or the end of the game) and what the number came to after
    them.
    """

    hand: int
    lines: Sequence[Line]
    total: int
    at_the_end: bool

    @property
    def before(self) -> int:
        """The number before these lines."""
        return self.total - sum(line.amount for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number of a game, its name in words, and its parts, the latest first."""

    code: str
    title: str
    total: int
    parts: Sequence[NumberPart] = field(default_factory=tuple)


def explained(
    row: GameRow, moments: Sequence[Moment], code: str, audience: Audience, *, linked: bool
) -> Number:
    """Explain this number by the last of these acts; with the facts behind each line if
    they are `linked`.

    Raises Http404 for a number that the game hasn't got.
    """
    game, state = moments[0].entry.game, moments[-1].state
    table = game.table(state)
    which, _dot, key = code.partition(".")
    if which not in COUNTED or key not in table.get(which, {}):
        raise Http404
    counted = game.numbers(state).get(code)
    if counted is None:
        parts = _list_chip_moves(row, moments, key, audience, linked=linked)
    else:
        parts = _lines_by_hand(row, moments, counted, audience, linked=linked)
    title = _title(row, game, which, key, audience)
    return Number(
        code=code,
        title=title,
        total=table[which][key],
        parts=list(reversed(list(_sum_parts(parts)))),
    )


def _lines_by_hand(
    row: GameRow,
    moments: Sequence[Moment],
    counted: Sequence[Sequence[Any]],
    audience: Audience,
    *,
    linked: bool,
) -> Iterator[HandLines]:
    """The lines of each closed hand as its game explains them."""
    behind = _standing_by_hand(row, moments, audience) if linked else {}
    templates = parts_of(row.kind, "number_line")
    for hand, lines in enumerate(counted, 1):
        yield hand, [_line(line, templates, behind.get(hand, ())) for line in lines]


def _line(line: JsonMapping, templates: Sequence[str], facts: Iterable[HistoryLine]) -> Line:
    behind = [
        each
        for each in facts
        if each.moment.entry.stored.type in line["facts"] and _is_about(each.fact, line["of"])
    ]
    return Line(
        amount=line["amount"],
        words=_words_from(templates, {"line": line}),
        rule=line["rule"],
        facts=behind,
    )


def _is_about(fact: object, of: Sequence[object]) -> bool:
    """Whether a fact names one of these seats, sides or places; one that names nobody is
    about all.
    """
    named = [getattr(fact, name) for name in NAMING if getattr(fact, name, None) is not None]
    return not of or not named or any(name in of for name in named)


def _standing_by_hand(
    row: GameRow, moments: Sequence[Moment], audience: Audience
) -> Mapping[int, list[HistoryLine]]:
    """The acts of each hand that had not been taken back, in words."""
    standing = [each for each in _standing(moments) if each.hand]
    found: dict[int, list[HistoryLine]] = defaultdict(list)
    for each in history_lines(row.salon, {row.pk: row}, standing, audience):
        found[each.moment.hand].append(each)
    return found


def _standing(moments: Sequence[Moment]) -> list[Moment]:
    """The acts that stood after the last of these, hand by hand."""
    gone = find_withdrawn_versions(moments)
    standing = [
        each
        for each in every_act(moments)
        if each.entry.stored.version not in gone
        and not isinstance(each.entry.fact, EntryRetracted | GameCorrected)
    ]
    return sorted(standing, key=lambda each: (isinstance(each.entry.fact, GameClosed), each.hand))


def _list_chip_moves(
    row: GameRow, moments: Sequence[Moment], key: str, audience: Audience, *, linked: bool
) -> Iterator[HandLines]:
    """The chips that came to an account and left it, act by act, those that went back left out;
    what the bank gave isn't won.
    """
    moves = [(moment, entry) for moment in _standing(moments) for entry in moment.chips]
    mine = [
        (moment, entry)
        for moment, entry in moves
        if key in _ends(entry.fact) and BANK not in _ends(entry.fact)
    ]
    said = (
        history_lines(row.salon, {row.pk: row}, [moment for moment, _entry in mine], audience)
        if linked
        else []
    )
    groups: list[HandLines] = []
    for place, (moment, entry) in enumerate(mine):
        line = _move_line(row, moment, entry, key, said[place : place + 1])
        if not groups or groups[-1][0] != moment.hand:
            groups.append((moment.hand, []))
        groups[-1][1].append(line)
    yield from groups


def _move_line(
    row: GameRow, moment: Moment, entry: Entry, key: str, facts: Sequence[HistoryLine]
) -> Line:
    move: ChipsMoved = entry.fact
    sign = -1 if _ends(move)[0] == key else 1
    about = build_chips_context(moment, move, back=False)
    return Line(
        amount=sign * move.chips,
        words=_words_from(words_of_chips(row.kind, move.why), about),
        rule=move.rule,
        facts=facts,
    )


def _ends(move: ChipsMoved) -> tuple[str, str]:
    """The seats or pots that chips went from and to; a substitute's are those of the seat."""
    return move.source.partition(":")[0], move.target.partition(":")[0]


def _sum_parts(parts: Iterable[HandLines]) -> Iterator[NumberPart]:
    total = 0
    for place, (hand, lines) in enumerate(parts):
        total += sum(line.amount for line in lines)
        yield NumberPart(hand=hand, lines=lines, total=total, at_the_end=bool(place) and not hand)


def _words_from(templates: Sequence[str], about: Mapping[str, object]) -> str:
    return " ".join(render_to_string(list(templates), dict(about)).split())


def _title(row: GameRow, game: AnyGame, which: str, key: str, audience: Audience) -> str:
    """The name of the number."""
    if which == "pots":
        return _(game.pot_names[key])
    who = _(game.teams[key]) if key in game.teams else _player(row, key, audience)
    if which == "excess":
        return _("Excess of %(who)s") % {"who": who}
    is_score = which == "score" and (not game.pot_names or key in game.teams)
    return (_("Score of %(who)s") if is_score else _("Chips of %(who)s")) % {"who": who}


def _player(row: GameRow, seat: str, audience: Audience) -> str:
    player = seats_of(row)[seat]
    return names_of(row.salon, [player], audience).get(player, seat)
