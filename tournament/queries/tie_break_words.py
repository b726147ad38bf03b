"""Tie-breaks of an entry itemised in words: round by round whom it met and what that counts, what
is left out, and what stands for a round without a game.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.domain.standings.exact import Exact, round_half_up, round_terms
from tournament.domain.standings.results_by_round import FORFEIT_LOST, FORFEIT_WON, PLAYED, Field
from tournament.domain.standings.tie_breaks import TIE_BREAKS, Term, TieBreak
from tournament.domain.standings.values import Tournament
from tournament.queries.number_format import hundredths
from tournament.queries.scale_words import amount_words

KINDS = {
    FORFEIT_WON: gettext_lazy("won without a game"),
    FORFEIT_LOST: gettext_lazy("lost without a game"),
    "pairing": gettext_lazy("sat out"),
    "full": gettext_lazy("a bye with full points"),
    "half": gettext_lazy("a bye with half the points"),
    "zero": gettext_lazy("did not play"),
}
OF_OPPONENTS = ("buchholz", "buchholz_cut_1", "median_buchholz", "sonneborn_berger")


@dataclass(frozen=True, slots=True, kw_only=True)
class TermLine:
    """One amount (hundredths, rounded so that those that count add up): the round it is of, 0 for
    none, against whom, and why it is so much. `left_out`: it doesn't count.
    """

    round: int
    words: str
    why: str
    amount: int
    left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenTie:
    """A tie-break of an entry with its value (hundredths) and the lines that it adds up from."""

    tie_break: TieBreak
    value: int
    lines: Sequence[TermLine]


def broken_ties(
    part: Tournament,
    before: int,
    counted: tuple[Field, Mapping[str, Sequence[Term]]],
    values: Sequence[tuple[str, int]],
    named: Callable[[int, Sequence[str]], Sequence[str]],
) -> list[BrokenTie]:
    """The tie-breaks of an entry in a stage, `part`, after `before` rounds of others, as they are
    `counted` (`tie_break_terms`), with their `values`; `named` says what entries are called in a
    round.
    """
    field, terms = counted
    return [
        BrokenTie(
            tie_break=TIE_BREAKS[name],
            value=value,
            lines=[*_lines(part, field, name, terms[name], before, named)],
        )
        for name, value in values
    ]


def _lines(
    part: Tournament,
    field: Field,
    name: str,
    terms: Sequence[Term],
    before: int,
    named: Callable[[int, Sequence[str]], Sequence[str]],
) -> Iterator[TermLine]:
    counted = iter([*round_terms(term.amount for term in terms if not term.left_out)])
    for term in terms:
        line = term.line
        number = 0 if line is None else line.round + before
        others = () if line is None else named(number, line.opponents)
        yield TermLine(
            round=number,
            words=_round_words(number, others),
            why="; ".join(filter(None, _why(part, field, name, term))),
            amount=round_half_up(term.amount) if term.left_out else next(counted),
            left_out=term.left_out,
        )


def _round_words(number: int, others: Sequence[str]) -> str:
    if not number:
        return _("The whole tournament")
    said = {"round": number, "others": " · ".join(others)}
    return (_("Round %(round)d against %(others)s") if others else _("Round %(round)d")) % said


def _why(part: Tournament, field: Field, name: str, term: Term) -> Iterator[str]:
    line = term.line
    if line is None:
        yield _("the place that was drawn by lot")
        return
    if line.kind != PLAYED:
        yield str(KINDS[line.kind])
    said = {
        "own": hundredths(round_half_up(line.points)),
        "of": hundredths(round_half_up(term.of)),
        "win": hundredths(field.win),
        "times": field.last + 1 - line.round,
    }
    if name in OF_OPPONENTS:
        yield from _of_opponents(part, field, term)
        if name == "sonneborn_berger":
            yield _("%(own)s of %(win)s were won, and as much of these counts") % said
    elif name == "progressive":
        yield (
            _("%(own)s points, which count after this round and each later one: %(times)d times")
            % said
        )
    elif name == "wins":
        yield _("as many points as a win") if line.won else _("fewer points than a win")
    elif name == "koya":
        yield (
            _("they have less than half of what could be reached")
            if term.left_out
            else _("they have half of what could be reached, or more")
        )
    elif name == "direct_encounter":
        yield _("not all who are tied have met") if term.left_out else ""
    elif name == "average_opponent_rating":
        yield _("its part of the mean, for a rating of %(of)s") % said
    if term.left_out and name in OF_OPPONENTS:
        yield (
            _("left out first, for this round was skipped (C.07, 16.5)")
            if line.voluntary and not field.fixed
            else _("left out")
        )


def _of_opponents(part: Tournament, field: Field, term: Term) -> Iterator[str]:
    """Name the source of the points of an opponent, or of who stands for one."""
    line = term.line
    assert line is not None
    if line.opponents and (line.kind == PLAYED or field.fixed):
        if len(line.opponents) > 1:
            yield _("the mean of %(points)s") % {
                "points": ", ".join(_points_text(field.seen[each]) for each in line.opponents)
            }
        else:
            yield amount_words(round_half_up(term.of))
        if any(field.seen[each] != field.own[each] for each in line.opponents):
            yield _("rounds that they skipped at the end count as draws here (C.07, 16.3)")
        if any(each.entry in line.opponents for each in part.adjustments):
            yield _("without what the director gave or took")
    elif field.fixed:
        yield _("sitting out of a plan has no opponent (C.07, 15.2)")
    else:
        yield _(
            "a virtual opponent with %(points)s: the own ones, at most a draw a round (C.07, 16.4)"
        ) % {"points": amount_words(round_half_up(term.of))}
        if line.opponents:
            yield _("and at most those of who was to be met")


def _points_text(points: Exact) -> str:
    return hundredths(round_half_up(points))
