"""Two moments of a tournament side by side: how far it had come, who stood where, and the results
round by round.
"""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.standings.ranking import Standing
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import Result
from tournament.domain.tournament.counting import results_of
from tournament.domain.tournament.state import RoundState, TableState
from tournament.queries.comparison import Group, Row
from tournament.queries.number_format import hundredths, number
from tournament.queries.tournament import PHASE_WORDS, TournamentView
from tournament.queries.tournament_as_of import TournamentPicture

type Lines = Mapping[str, str]  # what is said of each thing, by its label

BYES = {
    "pairing": gettext_lazy("sits out"),
    "full": gettext_lazy("bye with full points"),
    "half": gettext_lazy("bye with half the points"),
    "zero": gettext_lazy("does not play"),
}


def compare_pictures(
    visitor: Visitor, at: TournamentView, one: TournamentPicture, other: TournamentPicture
) -> Iterator[Group]:
    """Yield the values of two states of a tournament beside each other; draws that are not
    published are for the director only.
    """
    both = one, other
    yield _group(_("Tournament"), [_course(each) for each in both])
    standings = [_standings(at, each) for each in both]
    if any(standings):
        yield _group(_("Standings"), standings)
    drawn = [_rounds_to_show(visitor, each) for each in both]
    for round_number in sorted({*drawn[0], *drawn[1]}):
        lines = [
            _results(at, picture, rounds.get(round_number))
            for picture, rounds in zip(both, drawn, strict=True)
        ]
        yield _group(_("Round %(number)d") % {"number": round_number}, lines)


def _group(title: str, lines: Sequence[Lines]) -> Group:
    one, other = lines
    return Group(
        title=title,
        rows=[
            Row(label=label, one=one.get(label, ""), other=other.get(label, ""))
            for label in {**one, **other}
        ],
    )


def _course(picture: TournamentPicture) -> Lines:
    state = picture.then.state
    return {
        _("State"): str(PHASE_WORDS[state.phase]),
        _("Entries"): number(len(state.entries)),
        _("Standings after round"): number(picture.standings.after_round),
    }


def _standings(at: TournamentView, picture: TournamentPicture) -> Lines:
    return {at.entries.get(row.entry, row.entry): _standing(row) for row in picture.standings.rows}


def _standing(row: Standing) -> str:
    """Rank and points, and below them the tie-breaks in the order in which they count."""
    points = _("Rank %(rank)d, points %(points)s") % {
        "rank": row.rank,
        "points": hundredths(row.points),
    }
    broken = " · ".join(
        f"{TIE_BREAKS[name].title}: {hundredths(value)}" for name, value in row.tie_breaks
    )
    return format_html('{} <span class="sub">{}</span>', points, broken) if broken else points


def _rounds_to_show(visitor: Visitor, picture: TournamentPicture) -> dict[int, RoundState]:
    return {
        each.number: each
        for each in picture.then.state.rounds
        if each.published or visitor.may(Permission.DIRECT)
    }


def _results(at: TournamentView, picture: TournamentPicture, each: RoundState | None) -> Lines:
    if each is None:
        return {}
    silent = picture.last_round is not None and each.number > picture.last_round
    tables = {
        _describe_table(at, each, table): _("silent")
        if silent
        else _result(picture, each.number, table)
        for table in each.tables
    }
    return tables | {at.name_in(each.number, bye.entry): str(BYES[bye.kind]) for bye in each.byes}


def _describe_table(at: TournamentView, each: RoundState, table: TableState) -> str:
    names = " – ".join(at.name_at(each.number, table, entry) for entry in table.entries)
    return _("Table %(table)d: %(names)s") % {"table": table.table, "names": names}


def _result(picture: TournamentPicture, number: int, table: TableState) -> str:
    """The results of the entries of a table, in the order in which they sit there."""
    then = picture.then
    results = results_of(table, then.outcomes, then.state.stage_in(number))
    if table.excused:
        return _("goes without a result")
    if not results:
        return _("playing") if table.game is not None else _("no result yet")
    reached = " : ".join(_format_result(each) for each in results)
    if table.absent or table.forfeit:
        return _("without a game, %(result)s") % {"result": reached}
    return reached


def _format_result(result: Result) -> str:
    if result.score is not None:
        return hundredths(result.score)
    if result.points is not None:
        return _("%(points)s points") % {"points": hundredths(result.points)}
    counted = result.chips if result.chips is not None else result.built
    return "–" if counted is None else number(counted)
