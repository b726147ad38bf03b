"""What the desk sees of games: what those that are over came to, and where one goes on."""

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.domain.standings.values import BoardResult, Result
from tournament.domain.tournament.state import TableState


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a game that is over came to for its sides, in their order, and `by_seat` for whoever sat
    in each seat; `kind` as in `GameClosed`. `by_hand` is what each hand brought the sides, in
    hundredths.
    """

    game: str
    results: tuple[Result, ...]
    hands: int
    kind: str = "played"
    by_seat: tuple[Result, ...] = ()
    by_hand: tuple[tuple[int, ...], ...] = ()

    def results_at(self, table: TableState) -> tuple[Result, ...]:
        """What it came to for the entries of a table: for its sides, or for everybody there."""
        return self.by_seat if len(table.entries) == len(self.by_seat) else self.results

    def boards_at(self, table: TableState) -> tuple[BoardResult, ...]:
        """What became of the deals of a table: its hands are these, in their order."""
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
    """What the desk sees of games as a command is decided; tables are (round, table).

    `outcomes` are the games that are over, `live` the tables at which one goes on, `ended` those
    whose game the command ends, with how it ended. `chosen` are those of the games that commands
    name besides which the salon has.
    """

    outcomes: tuple[Outcome, ...] = ()
    live: tuple[tuple[int, int], ...] = ()
    ended: tuple[tuple[int, int, str], ...] = ()
    chosen: tuple[ChosenGame, ...] = ()


NOTHING_SEEN = GamesSeen()


def by_stream(outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    """What games came to, by their streams."""
    return {outcome.game: outcome for outcome in outcomes}
