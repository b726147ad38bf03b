"""Which tables a round of three to five has: sizes in the director's order, everybody seated."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

from scoring.errors import RuleViolation, Sentence, sentence

FEWEST, MOST = 3, 250  # players
USUAL = (4, 3, 5)  # sizes that are proposed besides


def table_sizes(
    players: int, sizes: Sequence[int], *, may_sit_out: bool = False
) -> tuple[int, ...]:
    """The sizes of a round's tables, the preferred ones first.

    `sizes` are in order of preference: as few tables as possible are not of the first, of these as
    few as possible not of the second, and so on. Where some `may_sit_out`, as few as possible do.
    Raises RuleViolation `no_sizes`, saying what would work.
    """
    check_sizes(players, sizes)
    seated = _most_seated(players, sizes)
    if not seated or (seated < players and not may_sit_out):
        raise RuleViolation("no_sizes", _refused(players, seated, sizes), path="stage.sizes")
    found = _exactly(seated, sizes)
    assert found is not None
    return found


def even_table_sizes(players: int, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """The ways to seat everyone at tables of these sizes that differ by one seat at most, those
    with the most tables of the preferred sizes first.
    """
    found = []
    for count in range(-(-players // max(sizes)), players // min(sizes) + 1):
        least, larger = divmod(players, count)
        tables = (least + 1,) * larger + (least,) * (count - larger)
        if set(tables) <= set(sizes):
            found.append(tuple(sorted(tables, key=sizes.index)))
    return sorted(
        found,
        key=lambda tables: [
            sum(size not in sizes[:preferred] for size in tables)
            for preferred in range(1, len(sizes))
        ],
    )


def check_sizes(players: int, sizes: Sequence[int]) -> None:
    """Raise RuleViolation `no_sizes` for sizes or a field that no plan is made for."""
    if not sizes or len(set(sizes)) < len(sizes) or min(sizes) < 2:
        raise RuleViolation(
            "no_sizes",
            "sizes of tables are different whole numbers from 2 on, the preferred one first",
            path="stage.sizes",
        )
    if not FEWEST <= players <= MOST:
        raise RuleViolation(
            "no_sizes",
            "plans are made for %(fewest)s to %(most)s players, not for %(players)s",
            path="entries",
            fewest=FEWEST,
            most=MOST,
            players=players,
        )


def _most_seated(players: int, sizes: Sequence[int]) -> int:
    return next((count for count in range(players, 0, -1) if _exactly(count, sizes)), 0)


def _exactly(players: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """The tables that seat everybody, or None."""
    first, others = sizes[0], sizes[1:]
    # Of as many other tables as the first size has seats, some seat a multiple of it together: so
    # never that many are needed.
    for count in range(first if others else 1):
        for chosen in combinations_with_replacement(others, count):
            left = players - sum(chosen)
            if left >= 0 and left % first == 0:
                return (first,) * (left // first) + chosen
    return None


def _refused(players: int, seated: int, sizes: Sequence[int]) -> Sentence:
    more = next(
        count for count in range(players + 1, players + max(sizes) + 1) if _exactly(count, sizes)
    )
    words = tuple(map(str, sizes))
    message = (
        sentence(
            "%(players)s players can't all sit at tables of %(sizes)s; %(seated)s can while "
            "%(out)s sit out, or %(more)s",
            players=players,
            sizes=words,
            seated=seated,
            out=players - seated,
            more=more,
        )
        if seated
        else sentence(
            "%(players)s players are too few for tables of %(sizes)s; %(more)s can sit there",
            players=players,
            sizes=words,
            more=more,
        )
    )
    besides = next((size for size in USUAL if _exactly(players, (*sizes, size))), None)
    if besides is None:
        return message
    return sentence("%(said)s; with tables of %(size)s too all can", said=message, size=besides)
