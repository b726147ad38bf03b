"""The Mitchell: N–S stay, E–W move on by one table a round and the deals back by one, so that two
fields play the same deals (F6).
"""

from tournament.domain.schedules.howell import Match, Matches


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
