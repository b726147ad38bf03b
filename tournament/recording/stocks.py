"""Duplicate deals: drawing a stock, opening deals from it, and making its seed known (O7)."""

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.games import DUPLICATED, STOCKS
from scoring.patience.state import State
from tournament.domain.stock import CommitStock, DealStock, RevealStock
from tournament.models import Game, Salon, Stock, StockDeal, StockSeed
from tournament.recording.door import (
    Recorded,
    WriteRequest,
    decide_and_fold,
    record_acts,
    record_new,
)
from tournament.streams.codec import encode
from tournament.streams.folds import fold_of
from tournament.streams.types import STOCK

SEED_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A deal opened from a stock, as its game has it now.

    `taken_back` when that opening was undone; `built` None while the deal is open; `matches`
    whether its cards lie in the order that the seed gives, None before the seed is known.
    """

    deal: StockDeal
    game: Game
    taken_back: bool
    built: int | None
    matches: bool | None

    @property
    def is_open(self) -> bool:
        """Whether somebody still plays it."""
        return not self.taken_back and self.built is None


def draw(salon: Salon, *, name: str, actor: str, command: str) -> Stock:
    """Draw a stock from a fresh seed and put its commitment into the log; the command's id is the
    stock's.

    The same command again gives the same stock. Raises Refusal, CommandReused, StreamMoved.
    """
    with transaction.atomic():
        kept, _ = StockSeed.objects.get_or_create(
            pk=command, defaults={"salon": salon, "seed": secrets.token_hex(SEED_BYTES)}
        )
        act = CommitStock(
            name=name,
            commitment=STOCKS.commitment(kept.seed),
            drawn_on=_find_drawing_date(salon, command),
        )
        order = WriteRequest(
            salon=salon,
            stream=command,
            actor=actor,
            command=command,
            content=encode([command, act]),
        )
        record_new(order, STOCK, lambda prepare: decide_and_fold(STOCK, act, None))
    return Stock.objects.get(pk=command, salon=salon)


def open_deal(
    salon: Salon, game: Game, stock: Stock, *, actor: str, command: str, version: int
) -> Recorded:
    """Open the next deal of a game from this stock: both streams say so, or neither.

    Raises Refusal, StreamMoved when the game is at another version, CommandReused.
    """
    with transaction.atomic():
        number = DUPLICATED.place(_state_at(salon, game, version))["hand"]
        opening = STOCKS.opening(
            STOCKS.stock_of(StockSeed.objects.get(pk=stock.pk, salon=salon).seed)
        )
        recorded = record_acts(
            salon, game.pk, [opening], actor=actor, command=command, version=version
        )
        if not recorded.repeated:
            deal = DealStock(game=game.pk, number=number)
            follows = uuid.uuid5(uuid.UUID(command), "stock").hex
            record_acts(
                salon,
                stock.pk,
                [deal],
                actor=actor,
                command=follows,
                version=_version(salon, stock),
            )
    return recorded


def reveal(salon: Salon, stock: Stock, *, actor: str, command: str) -> Recorded:
    """Make the seed of a stock known. Raises Refusal when it is known already, StreamMoved,
    CommandReused.
    """
    seed = StockSeed.objects.get(pk=stock.pk, salon=salon).seed
    return record_acts(
        salon,
        stock.pk,
        [RevealStock(seed=seed)],
        actor=actor,
        command=command,
        version=_version(salon, stock),
    )


def deals_from(salon: Salon, stock: Stock) -> list[Dealt]:
    """The deals opened from a stock in the order opened, but for those of silent games; one opened
    anew after an undo stands once.
    """
    deals = {
        (deal.game, deal.number): deal
        for deal in StockDeal.objects.filter(stream=stock).order_by("pk")
    }
    games = {
        key: row
        for key, row in Game.objects.in_bulk([deal.game for deal in deals.values()]).items()
        if not row.is_silent
    }
    order = STOCKS.stock_of(stock.seed) if stock.seed else None
    found = [
        _read_dealing(salon, deal, games[deal.game], order)
        for deal in deals.values()
        if deal.game in games
    ]
    return sorted(found, key=lambda dealt: (dealt.game.started_position, dealt.deal.number))


def ready_stocks(salon: Salon) -> list[Stock]:
    """The stocks that a deal can be opened from: committed and not yet revealed, the latest
    first.
    """
    with_seed = StockSeed.objects.filter(salon=salon).values("pk")
    return list(
        Stock.objects.filter(salon=salon, seed="", pk__in=with_seed).order_by("-started_position")
    )


def get_chosen_stock(salon: Salon, key: str) -> Stock:
    """The stock with this id. Raises NotationError when the salon has none that can be dealt."""
    found = next((each for each in ready_stocks(salon) if each.pk == key), None)
    if found is None:
        raise NotationError(
            _("Choose one of the salon's stocks whose seed is not known yet."),
            path="stock",
            rule="O7",
        )
    return found


def _read_dealing(salon: Salon, deal: StockDeal, game: Game, order: Sequence[str] | None) -> Dealt:
    state = _state_at(salon, game, None)
    closed = next((each for each in state.done if each.hand.opened.number == deal.number), None)
    hand = closed.hand if closed is not None else state.hand
    if hand is None or hand.opened.number != deal.number or not hand.opened.stock:
        return Dealt(deal=deal, game=game, taken_back=True, built=None, matches=None)
    matches = None if order is None else hand.opened.stock == order
    return Dealt(
        deal=deal,
        game=game,
        taken_back=False,
        built=closed.result.built if closed is not None else None,
        matches=matches,
    )


def _state_at(salon: Salon, game: Game, version: int | None) -> State:
    folded = fold_of(salon.log_id, game.pk, version=version)
    if folded is None:
        raise LookupError(f"there is no game {game.pk}")
    state: State = folded.state
    return state


def _version(salon: Salon, stock: Stock) -> int:
    folded = fold_of(salon.log_id, stock.pk)
    return folded.version if folded is not None else 0


def _find_drawing_date(salon: Salon, command: str) -> str:
    """Today, or the day of the stock that this command has drawn already."""
    known = Stock.objects.filter(salon=salon, pk=command).values_list("drawn_on", flat=True).first()
    return (known or timezone.localdate()).isoformat()
