"""The games as the desk sees them: the outcomes of those that are over, and where
one is running.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.domain.standings.values import BoardResult, Result
from tournament.domain.tournament.state import TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a game for its sides, in their order, and `by_seat` for the player
    in each seat.

    `kind` as in `GameClosed`. `by_hand` is what each hand brought the sides, in
    hundredths.
    """

    game: str
    results: tuple[Result, ...]
    hands: int
    kind: str = "played"
    by_seat: tuple[Result, ...] = ()
    by_hand: tuple[tuple[int, ...], ...] = ()

    def results_at(self, table: TableState) -> tuple[Result, ...]:
        """Return the results for the entries of a table: those of its sides, or of all its
        seats.
        """
        return self.by_seat if len(table.entries) == len(self.by_seat) else self.results

    def boards_at(self, table: TableState) -> tuple[BoardResult, ...]:
        """Return the results of the deals of a table: its hands are these, in their order."""
        return tuple(
            BoardResult(deal=deal, scores=scores)
            for deal, scores in zip(table.deals, self.by_hand, strict=False)
            if len(scores) == len(table.entries)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenGame:
    """A game of the salon that a command names though it is at no table of a round: which `game` it
    is, and who sits in it (players' ids). `counts`: it does count at a table, of whichever
    tournament.
    """

    stream: str
    game: str
    players: tuple[str, ...]
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesSeen:
    """The games as the desk sees them when a command is decided; tables are (round,
    table).

    `outcomes` are the games that are over, `live` the tables at which one is running,
    `ended` those whose game the command ends, with how it ended. `chosen` are those of
    the games that commands name besides which the salon has.
    """

    outcomes: tuple[Outcome, ...] = ()
    live: tuple[tuple[int, int], ...] = ()
    ended: tuple[tuple[int, int, str], ...] = ()
    chosen: tuple[ChosenGame, ...] = ()


NOTHING_SEEN = GamesSeen()


def by_stream(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    """Return the outcomes of games by their streams."""
    return {outcome.game: outcome for outcome in outcomes}
