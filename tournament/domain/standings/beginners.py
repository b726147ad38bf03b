"""Those who begin a tournament, for whom its plan is made, and their order by rating."""

from collections.abc import Sequence

from tournament.domain.standings.values import Entry, Tournament


def beginners(tournament: Tournament) -> tuple[Entry, ...]:
    """Those for whom a plan is made: everybody who is in from round 1, away in it or not."""
    return tuple(entry for entry in tournament.entries if entry.is_in(1))


def latecomers(tournament: Tournament) -> tuple[Entry, ...]:
    """Those who came after the plan was made."""
    return tuple(entry for entry in tournament.entries if entry.joined_in > 1)


def take_free_places(numbers: Sequence[str], tournament: Tournament, number: int) -> Sequence[str]:
    """The holders of numbers in a round: round by round, those who came late take the places of
    those who have left by then, whether they sat out before or not.
    """
    of = {entry.id: entry for entry in tournament.entries}
    late = sorted(latecomers(tournament), key=lambda entry: entry.joined_in)
    holders = list(numbers)
    for each in range(2, number + 1):
        free = [place for place, holder in enumerate(holders) if has_left(of[holder], each)]
        waiting = (
            entry.id
            for entry in late
            if entry.joined_in <= each and entry.id not in holders and not has_left(entry, each)
        )
        for place, entry in zip(free, list(waiting), strict=False):
            holders[place] = entry
    return holders


def has_left(entry: Entry, number: int) -> bool:
    """Whether an entry withdrew before a round."""
    return entry.withdrawn_after is not None and entry.withdrawn_after < number


def by_rating(entries: Sequence[Entry]) -> list[Entry]:
    """From the highest rating down; who has none comes last, equal ones as they were entered."""
    return sorted(entries, key=lambda entry: (entry.rating is None, -(entry.rating or 0)))
