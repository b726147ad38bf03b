"""The deals of a tournament in which everybody plays the same patience: its stocks are drawn and
committed before anybody plays, dealt at each table in their order, and made known afterwards.
"""

import secrets
import uuid
from dataclasses import dataclass

from django.db import transaction

from scoring.errors import RuleViolation, sentence
from scoring.games import DUPLICATED, GAMES
from tournament.domain.deals import Deal, commitment, deal_of
from tournament.domain.pairing.planned import planned
from tournament.domain.tournament.deals import CommitDeals, RevealDeals, UseStocks, deals_by_seed
from tournament.domain.tournament.standings_view import view_current_stage
from tournament.domain.tournament.state import State, TableState
from tournament.models import Game, Salon, Stock, StockSeed, Tournament, TournamentGame
from tournament.recording import stocks
from tournament.recording.tournaments import direct
from tournament.streams.folds import Folded, fold_of
from tournament.streams.tournament_rows import round_of, state_of

LONGEST_EVENT = 30  # so much of its name stands in that of a stock


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAtTable:
    """The deal that comes next at a table where everybody's is the same: its number in the
    tournament, and its stock; None for both once all of the round are dealt.
    """

    number: int | None
    stock: Stock | None


def draw_deals(salon: Salon, stream: str, *, actor: str, command: str, version: int) -> None:
    """Draw a stock for every deal of a tournament, or a seed from which the deals of pairs follow,
    and fix them there: all or nothing.

    The same command again draws nothing more. Raises Refusal, StreamMoved, CommandReused,
    LookupError.
    """
    state = _state(salon, stream)
    if deals_by_seed(state):
        _commit(salon, stream, actor=actor, command=command, version=version)
        return
    with transaction.atomic():
        drawn = [
            stocks.draw(
                salon,
                name=f"{state.name[:LONGEST_EVENT].strip()} {number}",
                actor=actor,
                command=uuid.uuid5(uuid.UUID(command), f"deal {number}").hex,
            )
            for number in range(1, state.stage.duplicate.deals + 1)
        ]
        chosen = UseStocks(stocks=tuple(stock.pk for stock in drawn))
        direct(salon, stream, [chosen], actor=actor, command=command, version=version)


def reveal_deals(salon: Salon, stream: str, *, actor: str, command: str) -> None:
    """Make the seeds of all stocks of a tournament known that are not yet, or that of its deals.

    Raises RuleViolation `still_played` before it is finished, StreamMoved, CommandReused,
    LookupError.
    """
    state = _state(salon, stream)
    if deals_by_seed(state):
        seed = StockSeed.objects.get(pk=stream, salon=salon).seed
        known = Tournament.objects.values_list("version", flat=True).get(pk=stream)
        direct(salon, stream, [RevealDeals(seed=seed)], actor=actor, command=command, version=known)
        return
    if state.phase not in ("finished", "archived"):
        message = sentence(
            "the deals are made known when the tournament is finished, for until then somebody "
            "may still play them"
        )
        raise RuleViolation("still_played", message, rule="tournaments", path="phase")
    with transaction.atomic():
        for stock in stocks_of(salon, state):
            if not stock.seed:
                follows = uuid.uuid5(uuid.UUID(command), stock.pk).hex
                stocks.reveal(salon, stock, actor=actor, command=follows)


def deals_of(salon: Salon, stream: str, state: State) -> dict[int, Deal]:
    """Every deal of a tournament of pairs by its number, from the seed that is kept; {} where none
    is fixed, or no plan fits the entries as they are.

    Before the seed is known this is for who deals the cards alone.
    """
    if not state.deals_commitment:
        return {}
    seed = state.deals_seed or StockSeed.objects.get(pk=stream, salon=salon).seed
    try:
        plan = planned(view_current_stage(state, {})[0]).plan
    except RuleViolation:  # the desk says why, and what would fit
        return {}
    numbers = {deal for each in plan.rounds for table in each.tables for deal in table.deals}
    return {number: deal_of(seed, number, GAMES[state.game].pack) for number in sorted(numbers)}


def _commit(salon: Salon, stream: str, *, actor: str, command: str, version: int) -> None:
    """Draw a seed, keep it outside the log, and make its commitment known there."""
    with transaction.atomic():
        kept, _created = StockSeed.objects.get_or_create(
            pk=stream, defaults={"salon": salon, "seed": secrets.token_hex(stocks.SEED_BYTES)}
        )
        act = CommitDeals(commitment=commitment(kept.seed))
        direct(salon, stream, [act], actor=actor, command=command, version=version)


def stocks_of(salon: Salon, state: State) -> list[Stock]:
    """The stocks of a tournament in the order of its deals."""
    found = Stock.objects.filter(salon=salon).in_bulk(state.stocks)
    return [found[key] for key in state.stocks if key in found]


def next_deal(row: Game, number: int) -> DealAtTable | None:
    """The deal that hand `number` of a game is; None for a game at no table with deals of its
    own.
    """
    linked = (
        TournamentGame.objects.filter(game=row.pk)
        .select_related("stream__salon")
        .order_by("pk")
        .first()
    )
    if linked is None:
        return None
    state, table = state_of(linked.stream), _table_of(linked)
    if table is None or not table.deals or not state.stocks:
        return None
    if number > len(table.deals):
        return DealAtTable(number=None, stock=None)
    deal = table.deals[number - 1]
    return DealAtTable(number=deal, stock=Stock.objects.filter(pk=state.stocks[deal - 1]).first())


def hand_of(row: Game) -> int:
    """The number of the hand of a patience that is open or comes next."""
    return int(DUPLICATED.place(_read_fold(row.salon, row.pk).state)["hand"])


def check_stock(row: Game, number: int, stock: Stock) -> None:
    """Raise RuleViolation `wrong_stock` unless hand `number` of a game may be opened from this
    stock: at a table where everybody plays the same deals that is one alone.
    """
    deal = next_deal(row, number)
    if deal is None or (deal.stock is not None and deal.stock.pk == stock.pk):
        return
    if deal.stock is None:
        message = sentence("every deal of the round is dealt here; end the game")
    else:
        message = sentence(
            "everybody plays the same deals, and this one is %(stock)s", stock=deal.stock.name
        )
    raise RuleViolation("wrong_stock", message, rule="tournaments", path="stock")


def check_no_stock_due(row: Game) -> None:
    """Raise RuleViolation `fixed_deal` where the next hand of a game is one that everybody plays,
    and so is opened from its stock alone, neither shuffled nor written down whole.
    """
    if next_deal(row, 1) is None or _read_fold(row.salon, row.pk).state.hand is not None:
        return
    message = sentence(
        "everybody plays the same deals here: open this one from its stock, on the table's pad"
    )
    raise RuleViolation("fixed_deal", message, rule="tournaments", path="stock")


def _table_of(linked: TournamentGame) -> TableState | None:
    each = round_of(linked.stream_id, linked.round)
    return each.table(linked.table) if each is not None else None


def _state(salon: Salon, stream: str) -> State:
    state: State = _read_fold(salon, stream).state
    return state


def _read_fold(salon: Salon, stream: str) -> Folded:
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no stream {stream}")
    return folded
