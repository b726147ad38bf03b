"""Those who begin a tournament, for whom its plan is made, and their order by rating."""

from collections.abc import Sequence

from tournament.domain.standings.values import Entry, Tournament


def beginners(tournament: Tournament) -> tuple[Entry, ...]:
    """Those for whom a plan is made: everybody who is in from round 1, away in it or not."""
    return tuple(entry for entry in tournament.entries if entry.is_in(1))


def latecomers(tournament: Tournament) -> tuple[Entry, ...]:
    """Those who came after the plan was made."""
    return tuple(entry for entry in tournament.entries if entry.joined_in > 1)


def by_rating(entries: Sequence[Entry]) -> list[Entry]:
    """From the highest rating down; who has none comes last, equal ones as they were entered."""
    return sorted(entries, key=lambda entry: (entry.rating is None, -(entry.rating or 0)))
