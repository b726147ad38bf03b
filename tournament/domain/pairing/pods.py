"""Tables of three to five: by a plan, or anew each round by score (formats.md F2, F4)."""

from collections import Counter
from collections.abc import Sequence

from scoring.errors import RuleViolation
from scoring.games import GAMES
from tournament.domain.pairing.planned import (
    EDITIONS,
    EVEN_EDITION,
    again_in_all,
    draw_planned,
    sizes_of_pods,
)
from tournament.domain.pairing.pod_seating import ScoreTable, seat_by_score
from tournament.domain.pairing.values import Contender, Draw, DrawnTable, Reason, digest
from tournament.domain.schedules.order_of_seats import order_of_seats
from tournament.domain.schedules.pod_sizes import even_table_sizes, table_sizes
from tournament.domain.standings.formats import sizes_for
from tournament.domain.standings.values import Tournament


def draw_pods(tournament: Tournament, number: int, players: Sequence[Contender]) -> Draw:
    """The next round of pods: of the plan, or by the scores as they are.

    Raises RuleViolation `game_over` after the last round of a plan, `no_sizes` where the tables
    can't seat so many.
    """
    if tournament.stage.is_planned:
        return draw_planned(tournament, number, players)
    sizes = sizes_of_pods(tournament.stage, tournament.game)
    tables = _sizes_of_round(tournament.game, sizes, len(players), has_begun=number > 1)
    if EDITIONS[tournament.engine] >= EVEN_EDITION:
        tables = next(
            iter(even_table_sizes(sum(tables), (*sizes, *set(tables).difference(sizes)))), tables
        )
    drawn = seat_by_score(
        players,
        tables,
        seed=tournament.lots_seed,
        number=number,
        short=_at_short_tables(tournament, number, sizes[0]),
        clubs_apart=tournament.stage.clubs_apart,
    )
    seated = order_of_seats(
        [table.entries for table in drawn.tables],
        _first_dealers(tournament, number),
        seed=tournament.lots_seed,
        number=number,
    )
    points = {player.entry: player.points for player in players}
    explained = tuple(
        DrawnTable(
            table=table.table,
            entries=entries,
            dealer=_first_seat(tournament.game, len(entries)),
            why=_reasons(
                table,
                [points[entry] for entry in entries],
                clubs_apart=tournament.stage.clubs_apart,
            ),
        )
        for table, entries in zip(drawn.tables, seated, strict=True)
    )
    return Draw(
        round=number,
        tables=explained,
        byes=drawn.out,
        broken=again_in_all(explained),
        engine=tournament.engine,
        digest=digest(tournament, number, players),
    )


def _sizes_of_round(
    game: str, sizes: tuple[int, ...], players: int, *, has_begun: bool
) -> tuple[int, ...]:
    """The tables of a round. Once a stage has begun, those who are left sit at tables of every size
    that the game has if they can't at those that were chosen: nobody can choose others by then.
    """
    every_size = set(sizes) == set(sizes_for(game))
    try:
        return table_sizes(players, sizes, may_sit_out=every_size)
    except RuleViolation:
        if not has_begun or every_size:
            raise
    others = tuple(size for size in sizes_for(game) if size not in sizes)
    return table_sizes(players, (*sizes, *others), may_sit_out=True)


def _reasons(table: ScoreTable, points: Sequence[int], *, clubs_apart: bool) -> tuple[Reason, ...]:
    """Return the reasons of a table: how near its scores are, and what could not be
    avoided there.
    """
    return (
        Reason(tier="scores", cost=table.spread, numbers=tuple(points)),
        Reason(tier="met_again", cost=table.repeats, numbers=(table.repeats,)),
        *([Reason(tier="same_club", cost=table.of_one_club)] if clubs_apart else []),
    )


def _at_short_tables(tournament: Tournament, number: int, usual: int) -> Counter[str]:
    """Return how often each entry sat at a table of another size than the usual one."""
    return Counter(
        entry
        for each in tournament.rounds[: number - 1]
        for table in each.tables
        if len(table.entries) != usual
        for entry in table.entries
    )


def _first_dealers(tournament: Tournament, number: int) -> Counter[str]:
    """Return how often each entry had the first deal of a table."""
    return Counter(
        table.entries[0] for each in tournament.rounds[: number - 1] for table in each.tables
    )


def _first_seat(game: str, entries: int) -> str:
    return next(seats[0] for seats in GAMES[game].seatings if len(seats) == entries)
