"""A duplicate stock as facts (O7): its commitment before anyone plays, the deals opened from it,
and the seed after.
"""

from dataclasses import dataclass
from typing import NamedTuple

from scoring.errors import RuleViolation, sentence
from scoring.games import STOCKS
from tournament.domain.checks import check_length
from tournament.domain.same_fields import build_from

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class StockCommitted:
    """A stock was drawn under this name on this day (ISO date); `commitment` is the SHA-256 made
    known of its seed.
    """

    name: str
    commitment: str
    drawn_on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StockDealt:
    """Deal `number` of a game (its stream) was opened from this stock."""

    game: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StockRevealed:
    """The seed was made known; from now on everybody can work out the order."""

    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitStock:
    """Make a new stock's commitment known; `name` is what it is called in lists."""

    name: str
    commitment: str
    drawn_on: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealStock:
    """Note that deal `number` of a game is opened from this stock."""

    game: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealStock:
    """Make the seed known."""

    seed: str


type Event = StockCommitted | StockDealt | StockRevealed
type Command = CommitStock | DealStock | RevealStock

SHAPES: dict[tuple[str, int], type[Event]] = {
    ("stock.committed", 1): StockCommitted,
    ("stock.dealt", 1): StockDealt,
    ("stock.revealed", 1): StockRevealed,
}


class State(NamedTuple):
    """A stock after `version` events; `seed` is None until it is revealed."""

    version: int
    name: str
    commitment: str
    drawn_on: str
    deals: tuple[StockDealt, ...] = ()
    seed: str | None = None


def decide(command: Command, state: State | None) -> list[Event]:
    """The fact that follows from a command.

    Raises NotationError for a name of no or too many characters, RuleViolation `stock_revealed` for
    a stock whose seed is known already, `bad_seed` for a seed that doesn't give the commitment.
    """
    if state is None:
        return [_decide_commitment(command)]
    if isinstance(command, CommitStock):
        raise RuleViolation(
            "stock_committed", "this stock is committed already; draw another one", rule="O7"
        )
    if state.seed is not None:
        message = sentence(
            "the seed of this stock is known already, and with it the order of its cards; "
            "draw another one"
        )
        raise RuleViolation("stock_revealed", message, rule="O7")
    if isinstance(command, DealStock):
        return [StockDealt(game=command.game, number=command.number)]
    if STOCKS.commitment(command.seed) != state.commitment:
        message = sentence(
            "this seed gives the commitment %(commitment)s…, and %(known)s… was made known",
            commitment=STOCKS.commitment(command.seed)[:12],
            known=state.commitment[:12],
        )
        raise RuleViolation("bad_seed", message, rule="O7", path="seed")
    return [StockRevealed(seed=command.seed)]


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, StockCommitted)
        return State(1, event.name, event.commitment, event.drawn_on)
    if isinstance(event, StockDealt):
        return state._replace(version=state.version + 1, deals=(*state.deals, event))
    if isinstance(event, StockRevealed):
        return state._replace(version=state.version + 1, seed=event.seed)
    return state._replace(version=state.version + 1)


def _decide_commitment(command: Command) -> StockCommitted:
    if not isinstance(command, CommitStock):
        raise RuleViolation(
            "stock_missing", "no stock is committed here; draw one first", rule="O7"
        )
    check_length(command.name, LONGEST_NAME)
    return build_from(StockCommitted, command)
