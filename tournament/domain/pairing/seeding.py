"""Seeds: entries in the order of their ratings, and who meets whom in round 1 of a Swiss by that
order instead of by lot.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tournament.domain.pairing.matching import Edge, least_matching
from tournament.domain.pairing.values import Contender, Reason, same_club
from tournament.domain.standings.beginners import by_rating, has_left, take_free_places
from tournament.domain.standings.values import BY_RATING, FOLD, SLIDE, Tournament

NEAR = 8  # how far from the one it should meet an entry is paired first, where clubs are kept apart
WIDEST = 256  # and how far at most
APART = 1 << 40  # more than all distances together

type Pairs = list[tuple[int, int]]  # by places in the order of the seeds


def seed_entries(tournament: Tournament) -> Tournament:
    """The tournament whose list a round robin follows: numbered by rating where its stage
    says so.
    """
    if tournament.stage.kind != "round_robin" or tournament.stage.seeding != BY_RATING:
        return tournament
    return replace(tournament, entries=tuple(by_rating(tournament.entries)))


def robin_numbers(tournament: Tournament) -> tuple[str, ...]:
    """The entries that have the numbers of a round robin when it begins, in their order: those who
    began, and who came late while a chair was free.

    Everybody has one if a file has more latecomers than there ever are places.
    """
    entries = seed_entries(tournament).entries
    begun = [entry.id for entry in entries if entry.is_in(1)]
    late = [entry for entry in entries if not entry.is_in(1)]
    if tournament.stage.seeding == BY_RATING:
        entries = (*(entry for entry in entries if entry.is_in(1)), *late)
    in_time = sorted(late, key=lambda entry: entry.joined_in)[: len(begun) % 2]
    numbers = tuple(entry.id for entry in entries if entry.is_in(1) or entry in in_time)
    last = max((entry.joined_in for entry in late), default=1)
    placed = take_free_places(numbers, tournament, last)
    if all(entry.id in placed or has_left(entry, last) for entry in late):
        return numbers
    return tuple(entry.id for entry in seed_entries(tournament).entries)


def is_seeded(tournament: Tournament, number: int) -> bool:
    """Whether a round of a Swiss is paired by seeds."""
    return number == 1 and tournament.stage.seeding in (FOLD, SLIDE)


def seeds_of(tournament: Tournament, players: Sequence[Contender]) -> list[Contender]:
    """Those who play, in the order of their ratings."""
    of = {player.entry: player for player in players}
    return [of[entry.id] for entry in by_rating(tournament.entries) if entry.id in of]


def pairs_by_seed(
    seeds: Sequence[Contender], seeding: str, *, clubs_apart: bool
) -> tuple[Pairs, int | None]:
    """Return the pairs, and the contender that sits out: the last of an odd number.

    With `fold` the first meets the last, with `slide` the first of the upper half the
    first of the lower half. If clubs are kept apart, the pairs are as near to that as
    can be.
    """
    size = len(seeds) // 2 * 2
    out = size if len(seeds) % 2 else None
    wanted = [
        size - 1 - place if seeding == FOLD else (place + size // 2) % size for place in range(size)
    ]
    plain = [(place, wanted[place]) for place in range(size) if place < wanted[place]]
    if not clubs_apart or not any(same_club(seeds[one], seeds[two]) for one, two in plain):
        return plain, out
    return _apart(seeds[:size], wanted, plain), out


def pairs_in_halves(
    seeds: Sequence[Contender], seeding: str, *, clubs_apart: bool
) -> tuple[Pairs, int | None]:
    """Return the pairs, and the contender that sits out, if an accelerated round lends
    points to some.

    Those with lent points meet among themselves, then the others. The last of an odd
    upper half meets with the lower one.
    """
    upper = [place for place, player in enumerate(seeds) if player.virtual]
    upper = upper[: len(upper) // 2 * 2]
    above = set(upper)
    lower = [place for place in range(len(seeds)) if place not in above]
    pairs: Pairs = []
    out = None
    for half in (upper, lower):
        met, left = pairs_by_seed(
            [seeds[place] for place in half], seeding, clubs_apart=clubs_apart
        )
        pairs += [(half[one], half[two]) for one, two in met]
        out = half[left] if left is not None else out
    return pairs, out


def seed_reason(seeds: Sequence[Contender], *entries: str) -> Reason:
    """By which places in the order of the seeds these meet, or one sits out, of how many."""
    places = [player.entry for player in seeds]
    return Reason(
        tier="seeds", cost=0, numbers=(len(seeds), *(places.index(entry) + 1 for entry in entries))
    )


def _apart(seeds: Sequence[Contender], wanted: Sequence[int], plain: Pairs) -> Pairs:
    """The pairs nearest to those wanted with the fewest of one club."""
    best, near = plain, NEAR
    while True:
        matching = least_matching(len(seeds), list(_edges(seeds, wanted, near)))
        best = best if matching is None else matching
        if near >= min(len(seeds), WIDEST) or not _club_meetings(seeds, best):
            return best
        near *= 2


def _edges(seeds: Sequence[Contender], wanted: Sequence[int], near: int) -> Iterator[Edge]:
    for one in range(len(seeds)):
        for two in range(max(one + 1, wanted[one] - near), min(len(seeds), wanted[one] + near + 1)):
            off = abs(wanted[one] - two)
            yield one, two, off * off + (APART if same_club(seeds[one], seeds[two]) else 0)


def _club_meetings(seeds: Sequence[Contender], pairs: Pairs) -> int:
    return sum(same_club(seeds[one], seeds[two]) for one, two in pairs)
