"""The Mitchell: N–S stay, E–W move on by one table a round and the deals back by one, so that two
fields play the same deals (F6).
"""

from tournament.domain.schedules.howell import Match, Matches

MOST_TABLES_WITH_ROVER = 14  # from 15 on the way through is long to look for


def mitchell_matches(tables: int) -> Matches:
    """The whole Mitchell of so many tables: N–S are the numbers below `tables`, E–W those from
    there on. Nobody meets anybody or plays a set twice.

    With an even number of tables the E–W skip one at half time, and there is a round less.
    """
    even = tables % 2 == 0
    matches = []
    for number in range(tables - even):
        moved = number + 1 if even and number >= tables // 2 else number
        matches.append(
            [
                Match(place, tables + (place - moved) % tables, (place + number) % tables)
                for place in range(tables)
            ]
        )
    return matches


def with_rover(matches: Matches, rover: int) -> Matches | None:
    """The same rounds with one E–W pair more, which displaces another each round: nobody is
    displaced twice, and the rover meets nobody and plays no set twice. Where it can't play every
    round, it sits out the first; None where even that can't be had.
    """
    for idle in (0, 1):
        path = _path(matches[idle:], ())
        if path is not None:
            return matches[:idle] + [
                [
                    match._replace(east_west=rover) if place == taken else match
                    for place, match in enumerate(tables)
                ]
                for tables, taken in zip(matches[idle:], path, strict=True)
            ]
    return None


def _path(matches: Matches, taken: tuple[int, ...]) -> tuple[int, ...] | None:
    """The tables the rover goes to, round by round: a transversal of N–S, E–W and sets."""
    if len(taken) == len(matches):
        return taken
    met = [matches[number][place] for number, place in enumerate(taken)]
    for place, match in enumerate(matches[len(taken)]):
        if all(
            match.east_west != other.east_west
            and match.north_south != other.north_south
            and match.deals != other.deals
            for other in met
        ):
            path = _path(matches, (*taken, place))
            if path is not None:
                return path
    return None
