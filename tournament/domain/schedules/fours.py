"""Fours with partners, three games a sitting (F3): for any number of players."""

from tournament.domain.schedules.cycles import Cycle, Table, three_games
from tournament.domain.schedules.transversals import Seating, transversals


def fours(size: int) -> Cycle:
    """Sittings of three games, for 4 players or more: everybody has each of the other three at the
    table as partner once, then all move, and no two share a table twice.

    Up to three players more than the tables seat take somebody's place in every sitting. Each of
    them walks past one group of his own, so whoever is displaced sits out three games, once.
    """
    tables, more = divmod(size, 4)
    return Cycle(
        size=size,
        construction=f"three-a-sitting {size}",
        sittings=tuple(
            three_games(_build_tables(seating, tables, more))
            for seating in transversals(tables, 5 if more else 4)
        ),
        together=True,
    )


def _build_tables(seating: Seating, tables: int, more: int) -> list[Table]:
    seated = []
    for places in seating:
        table = [group * tables + place for group, place in enumerate(places[:4])]
        for walking in places[4:]:
            if walking < more:
                table[3 - walking] = 4 * tables + walking
        seated.append(tuple(table))
    return seated
