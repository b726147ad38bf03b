"""The path of an entry through a tournament: round by round whom it met and what came of it."""

from dataclasses import dataclass

from scoring.games import GAMES
from tournament.accounts.permissions import Visitor
from tournament.domain.standings.results_by_round import Line, courses
from tournament.domain.tournament.sides import seats_of
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import RoundState
from tournament.queries.tournament import Directed, ShownTable, is_silent, shown_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One round of an entry's path: `side` is what it sits at; `points` None while the result is
    missing or hidden.
    """

    round: int
    kind: str
    table: int | None
    opponents: tuple[tuple[str, str], ...]
    own: str
    theirs: str
    points: int | None
    side: str = ""
    seats: tuple[tuple[str, str], ...] = ()


def path_of(at: Directed, visitor: Visitor, entry: str) -> list[Step]:
    """The published rounds of an entry, those that are silent for this visitor without result."""
    lines = {line.round: line for line in courses(field_of(at.state, at.outcomes))[entry]}
    steps = []
    for each in at.state.rounds:
        if not each.published:
            continue
        line = None if is_silent(at, visitor, each.number) else lines.get(each.number)
        shown = next(
            (table for table in shown_tables(at, each) if entry in table.table.entries), None
        )
        steps.append(_step(each, shown, entry, line, _seats(at, each, shown, entry)))
    return steps


def _seats(
    at: Directed, each: RoundState, shown: ShownTable | None, entry: str
) -> tuple[tuple[str, str], ...]:
    """Who of an entry sits in which seat, by name, while its table is played."""
    found = at.state.entry(entry)
    if shown is None or found is None or each.closed:
        return ()
    people = [player for _place, player in found.players_in(each.number)]
    names = GAMES[at.state.game].seat_names
    seats = seats_of(at.state.game, shown.table.entries.index(entry), people)
    return tuple((at.players.get(player, ""), str(names[seat])) for seat, player in seats)


def _step(
    each: RoundState,
    shown: ShownTable | None,
    entry: str,
    line: Line | None,
    seats: tuple[tuple[str, str], ...],
) -> Step:
    points = line.points if line is not None else None
    if shown is None:
        kind = next((bye.kind for bye in each.byes if bye.entry == entry), "zero")
        return Step(
            round=each.number, kind=kind, table=None, opponents=(), own="", theirs="", points=points
        )
    scores = {
        seat.entry: _score(seat.result.score)
        if seat.result is not None and line is not None
        else ""
        for seat in shown.seated
    }
    others = [seat for seat in shown.seated if seat.entry != entry]
    return Step(
        round=each.number,
        kind=shown.status,
        table=shown.table.table,
        opponents=tuple((seat.entry, seat.name) for seat in others),
        own=scores[entry],
        theirs=", ".join(scores[seat.entry] for seat in others),
        points=points,
        side=next(seat.side for seat in shown.seated if seat.entry == entry),
        seats=seats,
    )


def _score(score: int | None) -> str:
    return "" if score is None else f"{score / 100:g}"
