"""The audit of duplicate stocks and the deals of pairs (O7): the seed kept apart gives
the commitment of the log, and is known after the last deal.
"""

from collections.abc import Collection, Iterator

from ledger.chain import Stored
from ledger.findings import EVENT, Finding
from ledger.reading import version_of
from scoring.games import STOCKS
from tournament.domain.deals import commitment
from tournament.domain.stock import State, StockDealt, StockRevealed
from tournament.domain.tournament.deals import DealsRevealed
from tournament.domain.tournament.state import State as TournamentState
from tournament.models import Salon, StockSeed

SEED = StockSeed._meta.db_table
FACTS = (StockDealt, StockRevealed)


def fact_findings(
    event: Stored, fact: StockDealt | StockRevealed, state: State
) -> Iterator[Finding]:
    """Nobody is dealt from a stock whose seed is known, and a seed made known gives the commitment.
    `state` is that after the fact.
    """
    if isinstance(fact, StockDealt) and state.seed is not None:
        yield _finding(
            EVENT,
            event.position,
            "body",
            f"Event {event.position} deals from stock {event.stream}, whose seed was known "
            f"by then.",
        )
    if isinstance(fact, StockRevealed) and STOCKS.commitment(fact.seed) != state.commitment:
        message = (
            f"Event {event.position} makes a seed of stock {event.stream} known that does "
            f"not give its commitment."
        )
        yield _finding(EVENT, event.position, "body", message)


def seed_findings(salon: Salon, stream: str, state: State) -> Iterator[Finding]:
    """The seed that is kept of a stock is there, and it is the one whose commitment the log
    holds.
    """
    kept = StockSeed.objects.filter(salon=salon, pk=stream).values_list("seed", flat=True).first()
    if kept is None:
        yield _finding(SEED, stream, None, f"{stream}: the seed of stock {state.name} is missing.")
    elif STOCKS.commitment(kept) != state.commitment or (
        state.seed is not None and kept != state.seed
    ):
        message = (
            f"{stream}: the seed kept of stock {state.name} does not give its commitment, "
            f"{state.commitment}."
        )
        yield _finding(SEED, stream, "seed", message)


def check_revealed_deals(
    event: Stored, fact: DealsRevealed, state: TournamentState
) -> Iterator[Finding]:
    """A seed of deals that is made known gives the commitment made before. `state` is that after
    the fact.
    """
    if commitment(fact.seed) != state.deals_commitment:
        message = (
            f"Event {event.position} makes a seed of the deals of {event.stream} known that does "
            f"not give their commitment."
        )
        yield _finding(EVENT, event.position, "body", message)


def check_kept_deals(salon: Salon, stream: str, state: TournamentState) -> Iterator[Finding]:
    """The seed that is kept of the deals of a tournament is there, and it is the one whose
    commitment the log holds.
    """
    if not state.deals_commitment:
        return
    kept = StockSeed.objects.filter(salon=salon, pk=stream).values_list("seed", flat=True).first()
    if kept is None:
        message = f"{stream}: the seed of the deals of {state.name} is missing."
        yield _finding(SEED, stream, None, message)
    elif commitment(kept) != state.deals_commitment or state.deals_seed not in ("", kept):
        message = (
            f"{stream}: the seed kept of the deals of {state.name} does not give their "
            f"commitment, {state.deals_commitment}."
        )
        yield _finding(SEED, stream, "seed", message)


def stray_seeds(salon: Salon, streams: Collection[str]) -> Iterator[Finding]:
    """A seed is kept of stocks and of deals that were committed, and of nothing else."""
    for stream in (
        StockSeed.objects.filter(salon=salon).order_by("pk").values_list("pk", flat=True).iterator()
    ):
        if stream not in streams and not version_of(salon.log_id, stream):
            yield _finding(
                SEED, stream, None, f"{stream}: the seed is of a stock that was never committed."
            )


def _finding(table: str, row: int | str, column: str | None, message: str) -> Finding:
    return Finding(kind="stock", table=table, row=row, column=column, message=message)
