"""How an entry's standing points came to be: round by round what the scale gave, what a director
gave or took, and the entries behind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.domain.standings.ranking import Standing
from tournament.domain.standings.results_by_round import (
    FORFEIT_LOST,
    FORFEIT_WON,
    PLAYED,
    Line,
)
from tournament.domain.standings.stages import courses_of_stages, rounds_that_count
from tournament.domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from tournament.domain.standings.values import Scale
from tournament.domain.tournament.byes import ByeAsked
from tournament.domain.tournament.draws import RoundDrawn
from tournament.domain.tournament.games import GameCounted, GameLinked, GameUnlinked
from tournament.domain.tournament.penalties import PenaltyGiven
from tournament.domain.tournament.results import ResultEntered, TableCleared, TableForfeited
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import Penalty
from tournament.queries.history_lines import HistoryLine, history_lines
from tournament.queries.number_format import hundredths
from tournament.queries.tournament import Directed, names_then
from tournament.queries.tournament_as_of import TournamentPicture
from tournament.streams.acts import Moment

KINDS = {
    FORFEIT_WON: gettext_lazy("won without a game"),
    FORFEIT_LOST: gettext_lazy("lost without a game"),
    "pairing": gettext_lazy("sat out"),
    "full": gettext_lazy("a bye with full points"),
    "half": gettext_lazy("a bye with half the points"),
    "zero": gettext_lazy("did not play"),
}
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
    """One amount of the points (hundredths): what it is for, how the scale counts that, and the
    acts it comes from.
    """

    round: int
    amount: int
    words: str
    why: str
    facts: Sequence[HistoryLine]


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingPoints:
    """The standing of an entry with its name, the lines that its points add up from, and the value
    of each tie-break.
    """

    standing: Standing
    name: str
    lines: Sequence[PointsLine]
    broken: Sequence[tuple[TieBreak, int]]


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
    at: Directed, picture: TournamentPicture, moments: Sequence[Moment], entry: str, *, linked: bool
) -> StandingPoints:
    """The points of an entry as of a picture, whose acts are `moments`; with the acts behind each
    line where they are `linked`.

    Raises Http404 for an entry that wasn't there.
    """
    standing = next((row for row in picture.standings.rows if row.entry == entry), None)
    if standing is None:
        raise Http404
    state, last = picture.then.state, picture.standings.after_round
    behind = _behind(moments)
    field = field_of(state, picture.then.outcomes)
    counted = rounds_that_count(field, entry, last=last)
    course = [line for line in courses_of_stages(field)[entry] if line.round in counted]
    lines = [
        (
            _round_line(at, state.stage_in(line.round).scale, line),
            _of_round(picture, behind, entry, line.round),
        )
        for line in course
    ]
    lines += [
        (_adjusted(penalty.after_round, penalty.points), behind.given.get(penalty.number))
        for penalty in state.penalties
        if penalty.entry == entry and not penalty.cancelled and _counts(penalty, counted)
    ]
    acts = (
        _lines_by_position(at, [act for _line, act in lines if act is not None]) if linked else {}
    )
    return StandingPoints(
        standing=standing,
        name=names_then(at, state).get(entry, entry),
        lines=[
            PointsLine(round=number, amount=amount, words=words, why=why, facts=_facts(acts, act))
            for (number, amount, words, why), act in lines
        ],
        broken=[(TIE_BREAKS[name], value) for name, value in standing.tie_breaks],
    )


def _facts(acts: Mapping[int, HistoryLine], act: Moment | None) -> list[HistoryLine]:
    if act is None or act.entry.stored.position not in acts:
        return []
    return [acts[act.entry.stored.position]]


def _counts(penalty: Penalty, rounds: range) -> bool:
    """Whether points were given or taken in these rounds, or before the first of all."""
    return penalty.after_round in rounds or penalty.after_round == 0 == rounds.start - 1


def _lines_by_position(at: Directed, acts: Sequence[Moment]) -> dict[int, HistoryLine]:
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
) -> Moment | None:
    """What gave an entry its points of a round: the result of its table, the game that counts
    there, or the draw that let it sit out.
    """
    drawn = next(each for each in picture.then.state.rounds if each.number == number)
    table = next((table.table for table in drawn.tables if entry in table.entries), None)
    if table is None:
        joined = picture.then.state.entry(entry)
        before = joined is not None and number < joined.joined_in
        return behind.missed.get((number, entry)) if before else behind.drawn.get(number)
    return behind.tables.get((number, table)) or behind.games.get((number, table))


def _round_line(at: Directed, scale: Scale, line: Line) -> tuple[int, int, str, str]:
    said = {
        "round": line.round,
        "others": " · ".join(at.named_in(line.round, line.opponents)),
    }
    words = _("Round %(round)d against %(others)s") if line.opponents else _("Round %(round)d")
    return line.round, line.points, words % said, "; ".join(_why(scale, line))


def _why(scale: Scale, line: Line) -> Iterator[str]:
    """The result, and how the scale counts it."""
    if line.kind != PLAYED:
        yield str(KINDS[line.kind])
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


def _match_words(scale: Scale, points: int) -> str:
    worth = {
        scale.loss: _("a loss counts %(points)s"),
        scale.draw: _("a draw counts %(points)s"),
        scale.win: _("a win counts %(points)s"),
    }
    return worth.get(points, "%(points)s") % {"points": hundredths(points)}


def _adjusted(after_round: int, points: int) -> tuple[int, int, str, str]:
    words = _("Given by the director") if points > 0 else _("Taken by the director")
    return after_round, points, words, _("counts after round %(round)d") % {"round": after_round}
