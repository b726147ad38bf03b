"""The deals that everybody plays: fixed before anybody does, so that nobody can choose them.

A patience is dealt from stocks of its own; the deals of pairs follow from one seed, of which the
commitment is made known before and the seed itself afterwards (`deals`).
"""

from dataclasses import dataclass, replace

from scoring.games import GAMES
from tournament.domain.deals import commitment
from tournament.domain.standings.formats import plays_alone
from tournament.domain.tournament.lookups import refused
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event, Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class UseStocks(Command):
    """Play these duplicate stocks (their streams), the first deal's first."""

    stocks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StocksChosen(Event):
    """Everybody plays these duplicate stocks (their streams), the first deal's first; each is
    committed in its own stream.
    """

    stocks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitDeals(Command):
    """Make the commitment of a seed known from which all deals follow."""

    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealsCommitted(Event):
    """All deals follow from a seed whose SHA-256 is `commitment`."""

    commitment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealDeals(Command):
    """Make that seed known."""

    seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealsRevealed(Event):
    """The seed was made known; from now on everybody can work out the deals."""

    seed: str


def _use(command: UseStocks, state: State) -> list[Event]:
    if not plays_alone(state.stage, state.game):
        raise refused(
            "no_deals", "stocks are dealt where everybody plays the same deals alone", "stocks"
        )
    _check_open(state)
    deals = state.stage.duplicate.deals
    if len(set(command.stocks)) != deals or len(command.stocks) != deals:
        raise refused(
            "no_deals",
            "%(deals)s deals need as many different stocks, not %(stocks)s",
            "stocks",
            deals=deals,
            stocks=len(set(command.stocks)),
        )
    return [StocksChosen(stocks=command.stocks)]


def _commit(command: CommitDeals, state: State) -> list[Event]:
    if not deals_by_seed(state):
        raise refused("no_deals", "deals are fixed where pairs play the same ones", "commitment")
    _check_open(state)
    return [DealsCommitted(commitment=command.commitment)]


def _reveal(command: RevealDeals, state: State) -> list[Event]:
    if not state.deals_commitment or state.deals_seed:
        raise refused("no_deals", "no seed of deals waits here to be made known", "seed")
    if state.phase not in ("finished", "archived"):
        raise refused(
            "still_played",
            "the deals are made known when the tournament is finished, for until then somebody "
            "may still play them",
            "phase",
        )
    if commitment(command.seed) != state.deals_commitment:
        raise refused(
            "bad_seed",
            "this seed gives the commitment %(commitment)s…, and %(known)s… was made known",
            "seed",
            commitment=commitment(command.seed)[:12],
            known=state.deals_commitment[:12],
        )
    return [DealsRevealed(seed=command.seed)]


def deals_by_seed(state: State) -> bool:
    """Whether pairs play the same deals of a game that has holdings to deal."""
    alone = plays_alone(state.stage, state.game)
    return state.stage.plays_same_deals and not alone and bool(GAMES[state.game].pack)


def _check_open(state: State) -> None:
    """Raise RuleViolation where the deals are fixed already, or somebody has begun to play the
    stage.
    """
    if state.stocks or state.deals_commitment:
        raise refused("deals_fixed", "the deals of this tournament are fixed already", "stocks")
    if state.phase in ("finished", "archived"):
        raise refused("wrong_phase", "the tournament is over; no deal is played any more", "phase")
    now = [each for each in state.rounds if each.stage == state.stage_number]
    if any(each.has_started for each in now):
        raise refused(
            "round_started", "somebody has begun to play; the deals are fixed before that", "stocks"
        )


def check_dealt(state: State) -> None:
    """Raise RuleViolation `no_deals` for a tournament of patience whose deals aren't fixed yet."""
    if plays_alone(state.stage, state.game) and not state.stocks:
        raise refused("no_deals", "draw the deals first; everybody plays the same ones", "stocks")


SUBJECT = Subject(
    decisions={UseStocks: _use, CommitDeals: _commit, RevealDeals: _reveal},
    changes={
        StocksChosen: lambda state, event: replace(state, stocks=event.stocks),
        DealsCommitted: lambda state, event: replace(state, deals_commitment=event.commitment),
        DealsRevealed: lambda state, event: replace(state, deals_seed=event.seed),
    },
    shapes={
        ("tournament.stocks_chosen", 1): StocksChosen,
        ("tournament.deals_committed", 1): DealsCommitted,
        ("tournament.deals_revealed", 1): DealsRevealed,
    },
    readers={},
)
