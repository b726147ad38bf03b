"""What the desk sees of games: what those that are over came to, and where one goes on."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.domain.standings.values import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a game that is over came to for the entries at its table, in the order of the seats;
    `kind` as in `GameClosed`.
    """

    game: str
    results: tuple[Result, ...]
    hands: int
    kind: str = "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the desk sees of games as a command is decided; tables are (round, table).

    `outcomes` are the games that are over, `live` the tables at which one goes on, `ended` those
    whose game the command ends, with how it ended.
    """

    outcomes: tuple[Outcome, ...] = ()
    live: tuple[tuple[int, int], ...] = ()
    ended: tuple[tuple[int, int, str], ...] = ()


NOTHING_SEEN = Seen()


def by_stream(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    """What games came to, by their streams."""
    return {outcome.game: outcome for outcome in outcomes}
