"""The derivation of an entry's standing points: round by round the points by the
scale, those that a director gave or took, and the entries behind.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.domain.standings.deal_points import Played, counts_deals
from tournament.domain.standings.exact import Exact, round_half_up, round_terms
from tournament.domain.standings.ranking import Standing, tie_break_terms
from tournament.domain.standings.results_by_round import (
    FORFEIT_LOST,
    LET_OUT,
    PLAYED,
    Line,
    round_terms_of,
)
from tournament.domain.standings.stages import (
    deals_compared,
    stage_that_counts,
)
from tournament.domain.standings.values import (
    DEAL_SCALES,
    MATCHPOINTS,
    Scale,
    Stage,
    Tournament,
)
from tournament.domain.tournament.byes import ByeAsked
from tournament.domain.tournament.draws import RoundDrawn
from tournament.domain.tournament.games import GameCounted, GameLinked, GameUnlinked
from tournament.domain.tournament.penalties import PenaltyGiven
from tournament.domain.tournament.results import ResultEntered, TableCleared, TableForfeited
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import Penalty
from tournament.queries.history_lines import HistoryLine, history_lines
from tournament.queries.number_format import hundredths
from tournament.queries.tie_break_words import KINDS, BrokenTie, broken_ties
from tournament.queries.tournament import TournamentView, names_then
from tournament.queries.tournament_as_of import TournamentPicture
from tournament.streams.acts import Moment

SCALES = {
    "margin": gettext_lazy("victory points by the difference of the scores"),
    "points": gettext_lazy("the score itself"),
    "chips": gettext_lazy("the chips won or lost"),
    "built": gettext_lazy("the cards built"),
    "matchpoints": gettext_lazy("the share of those with the same seats or cards that it beat"),
    "imps": gettext_lazy("how far it was from the mean of each deal, in IMPs"),
    "victory_points": gettext_lazy("what its IMPs are worth as a match"),
}
AT_ONE_SIZE = gettext_lazy("what was won from each opponent, times those that count at any table")


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsLine:
    """One amount of the points (hundredths, rounded so that all of them add up): what it is for,
    how the scale counts that, and the acts it comes from.
    """

    round: int
    amount: int
    words: str
    why: str
    facts: Sequence[HistoryLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingPoints:
    """The standing of an entry with its name, the lines that its points add up from by the `scale`
    of its stage, and its tie-breaks.
    """

    standing: Standing
    scale: Scale
    name: str
    lines: Sequence[PointsLine]
    broken: Sequence[BrokenTie]


@dataclass(slots=True)
class _Behind:
    """The act that gave each table of a round what counts there, drew each round, gave points for a
    missed one, made each adjustment.
    """

    tables: dict[tuple[int, int], Moment]
    games: dict[tuple[int, int], Moment]
    drawn: dict[int, Moment]
    given: dict[int, Moment]
    missed: dict[tuple[int, str], Moment]


def standing_points(
    at: TournamentView,
    picture: TournamentPicture,
    moments: Sequence[Moment],
    entry: str,
    *,
    linked: bool,
) -> StandingPoints:
    """The points of an entry as of a picture, whose acts are `moments`; with the acts behind each
    line where they are `linked`, for which alone the acts are needed.

    Raises Http404 for an entry that wasn't there.
    """
    standing = next((row for row in picture.standings.rows if row.entry == entry), None)
    if standing is None:
        raise Http404
    state, last = picture.then.state, picture.standings.after_round
    behind = _behind(moments)
    field = field_of(state, picture.then.outcomes)
    part, before = stage_that_counts(field, entry, last=last)
    counted = range(before + 1, before + len(part.rounds) + 1)
    there, tie_breaks = tie_break_terms(part, entry)
    course = tuple(replace(line, round=line.round + before) for line in there.courses[entry])
    terms = round_terms_of(part.stage.scale, course)
    stages = {line.round: state.stage_in(line.round) for line in course}
    deals = sum(line.deals for line in course if line.has_played or line.kind == FORFEIT_LOST)
    factored = _list_factored_deals(field, entry)
    lines = [
        (
            (
                line.round,
                term,
                _round_words(at, line),
                "; ".join(_why(stages[line.round], line, deals, factored[line.round])),
            ),
            list(_of_round(picture, behind, entry, line.round)),
        )
        for line, term in zip(course, terms, strict=True)
    ]
    lines += [
        (
            _describe_adjustment(penalty.after_round, penalty.points),
            [act for act in (behind.given.get(penalty.number),) if act is not None],
        )
        for penalty in state.penalties
        if penalty.entry == entry
        and standing.points is not None
        and not penalty.cancelled
        and _counts(penalty, counted)
    ]
    acts = (
        _lines_by_position(at, [act for _line, found in lines for act in found]) if linked else {}
    )
    amounts = round_terms(amount for (_number, amount, _words, _why), _found in lines)
    return StandingPoints(
        standing=standing,
        scale=state.stage_in(course[0].round).scale if course else state.stage.scale,
        name=names_then(at, state).get(entry, entry),
        lines=[
            PointsLine(round=number, amount=amount, words=words, why=why, facts=_facts(acts, found))
            for ((number, _exact, words, why), found), amount in zip(lines, amounts, strict=True)
        ],
        broken=broken_ties(
            part, before, (there, tie_breaks), standing.tie_breaks, at.list_names_in
        ),
    )


def _facts(acts: Mapping[int, HistoryLine], found: Sequence[Moment]) -> list[HistoryLine]:
    positions = [act.entry.stored.position for act in found]
    return [acts[position] for position in positions if position in acts]


def _counts(penalty: Penalty, rounds: range) -> bool:
    """Whether points were given or taken in these rounds, or before the first of all."""
    return penalty.after_round in rounds or penalty.after_round == 0 == rounds.start - 1


def _lines_by_position(at: TournamentView, acts: Sequence[Moment]) -> dict[int, HistoryLine]:
    return {
        each.position: each
        for each in history_lines(at.row.salon, {at.row.pk: at.row}, acts, at.audience)
    }


def _behind(moments: Sequence[Moment]) -> _Behind:
    found = _Behind(tables={}, games={}, drawn={}, given={}, missed={})
    for moment in moments:
        match moment.entry.fact:
            case (
                ResultEntered(round=number, table=table) | TableForfeited(round=number, table=table)
            ):
                found.tables[number, table] = moment
            case TableCleared(round=number, table=table):
                found.tables.pop((number, table), None)
            case GameCounted(round=number, table=table):
                found.tables.pop((number, table), None)
                found.games[number, table] = moment
            case GameLinked(round=number, table=table):
                found.games[number, table] = moment
            case GameUnlinked(round=number, table=table):
                found.games.pop((number, table), None)
            case RoundDrawn(round=number):
                found.drawn[number] = moment
            case ByeAsked(round=number, entry=entry):
                found.missed[number, entry] = moment
            case PenaltyGiven(number=number):
                found.given[number] = moment
    return found


def _of_round(
    picture: TournamentPicture, behind: _Behind, entry: str, number: int
) -> Iterator[Moment]:
    """The acts behind an entry's points of a round: the result of its table, or of each of
    its match, the game that counts there, or the draw that let it sit out.
    """
    drawn = next(each for each in picture.then.state.rounds if each.number == number)
    tables = [table.table for table in drawn.tables if entry in table.entries]
    if not tables:
        joined = picture.then.state.entry(entry)
        before = joined is not None and number < joined.joined_in
        found = behind.missed.get((number, entry)) if before else behind.drawn.get(number)
        yield from (() if found is None else (found,))
    for table in tables:
        act = behind.tables.get((number, table)) or behind.games.get((number, table))
        if act is not None:
            yield act


def _round_words(at: TournamentView, line: Line) -> str:
    said = {
        "round": line.round,
        "others": " · ".join(at.list_names_in(line.round, line.opponents)),
    }
    words = _("Round %(round)d against %(others)s") if line.opponents else _("Round %(round)d")
    return words % said


def _list_factored_deals(field: Tournament, entry: str) -> dict[int, list[Played]]:
    """The deals of an entry that Neuberg's formula was applied to, by their rounds."""
    found: defaultdict[int, list[Played]] = defaultdict(list)
    for lines in deals_compared(field).values():
        for played in lines:
            if entry in played.table.entries and played.factored:
                found[played.round].append(played)
    return found


def _why(stage: Stage, line: Line, deals: int, factored: Sequence[Played]) -> Iterator[str]:
    """The result, and how the scale counts it; of a mean, over how many `deals` of all. Said too:
    which deals were `factored`, as if more results had been had of them.
    """
    scale = stage.scale
    if line.kind != PLAYED:
        yield str(KINDS[line.kind])
    elif stage.tables_a_match > 1:
        yield _("by the sum over the %(tables)d tables of the match") % {
            "tables": stage.tables_a_match
        }
    if scale.kind in DEAL_SCALES and line.kind in LET_OUT:
        yield _("counts as the mean of what was played")
    if scale.kind == MATCHPOINTS and (line.has_played or line.kind == FORFEIT_LOST):
        said = {
            "points": hundredths(round_half_up(line.points)),
            "count": line.deals,
            "all": deals,
        }
        words = _("%(points)s %% in a mean over %(all)d rounds")
        if counts_deals(stage):
            words = ngettext(
                "%(points)s %% of %(count)d deal, in a mean over %(all)d",
                "%(points)s %% of %(count)d deals, in a mean over %(all)d",
                line.deals,
            )
        yield words % said
    for each in factored:
        yield _("deal %(deal)d by Neuberg’s formula, %(results)d results as %(expected)d") % {
            "deal": each.board.deal,
            "results": each.factored[0],
            "expected": each.factored[1],
        }
    if line.kind != PLAYED:
        return
    result = line.result
    if result is not None and result.score is not None:
        yield _("score %(score)s") % {"score": hundredths(result.score)}
    if result is not None and result.points is not None:
        yield _("points as they were given")
    elif scale.kind == "match":
        yield (
            _("the share of the others left behind")
            if scale.opponents
            else _match_words(scale, line.points)
        )
    elif scale.opponents and scale.kind in ("chips", "points"):
        yield str(AT_ONE_SIZE)
    else:
        yield str(SCALES[scale.kind])


def _match_words(scale: Scale, points: Exact) -> str:
    worth = {
        scale.loss: _("a loss counts %(points)s"),
        scale.draw: _("a draw counts %(points)s"),
        scale.win: _("a win counts %(points)s"),
    }
    words = next((words for amount, words in worth.items() if amount == points), "%(points)s")
    return words % {"points": hundredths(round_half_up(points))}


def _describe_adjustment(after_round: int, points: int) -> tuple[int, Exact, str, str]:
    words = _("Given by the director") if points > 0 else _("Taken by the director")
    return after_round, points, words, _("counts after round %(round)d") % {"round": after_round}
