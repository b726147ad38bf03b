"""The audit holds duplicate stocks to their commitments: the seed in the log, the seed kept apart,
and when it became known (O7).
"""

import json

import pytest

from ledger.models import Event
from scoring.patience.deal import commitment
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import unguard
from tournament.models import Game, Salon, Stock, StockDeal, StockSeed
from tournament.projections.audit import audit
from tournament.projections.stock_audit import stray_seeds
from tournament.recording import stocks as duplicate
from tournament.recording.door import start_game

SEED = StockSeed._meta.db_table


def drawn(salon: Salon, name: str = "Saturday") -> Stock:
    return duplicate.draw(salon, name=name, actor="user:1", command=a_command())


def dealt(salon: Salon, stock: Stock) -> Game:
    """A patience whose first deal is of this stock."""
    kind, players = "order_of_precedence", {"A": f"Asha {stock.name}"}
    game = start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=kind,
        players=players,
        options={},
        table=stock.name[:8],
    )
    duplicate.open_deal(salon, game, stock, actor="user:1", command=a_command(), version=1)
    return game


def found(salon: Salon) -> set[tuple[str, str, str | int, str | None]]:
    return {(each.kind, each.table, each.row, each.column) for each in audit(salon)}


def test_stocks_that_were_committed_dealt_and_made_known_have_no_findings(salon: Salon) -> None:
    drawn(salon, "Never dealt")
    stock = drawn(salon)
    dealt(salon, stock)
    duplicate.reveal(salon, stock, actor="user:1", command=a_command())

    assert found(salon) == set()


@pytest.mark.parametrize("known", [False, True])
def test_seeds_that_changed_places_are_both_named(salon: Salon, known: bool) -> None:
    """Each is a seed that some stock committed to, and neither the one of its own."""
    stocks = [drawn(salon), drawn(salon, "Sunday")]
    if known:
        for stock in stocks:
            duplicate.reveal(salon, stock, actor="user:1", command=a_command())
    one, other = StockSeed.objects.order_by("pk")
    for row, seed in ((one, other.seed), (other, one.seed)):
        StockSeed.objects.filter(pk=row.pk).update(seed=seed)

    assert found(salon) == {("stock", SEED, stock.pk, "seed") for stock in stocks}


def test_another_seed_is_named_though_the_row_of_its_stock_was_made_to_fit_it(salon: Salon) -> None:
    """The log is what a seed is held against, not the row that pages read."""
    stock = drawn(salon)
    StockSeed.objects.update(seed="5e" * 32)
    Stock.objects.update(commitment=commitment("5e" * 32))

    assert ("stock", SEED, stock.pk, "seed") in found(salon)


def test_a_seed_that_is_missing_in_its_own_salon_is_named_once_a_stock(salon: Salon) -> None:
    stock, other = drawn(salon), opened_salon("Other", "owner@other.example")
    StockSeed.objects.filter(pk=stock.pk).update(salon=other)

    assert found(salon) == {("stock", SEED, stock.pk, None)}
    assert found(other) == {("stock", SEED, stock.pk, None)}


def test_a_seed_of_a_stock_that_was_drawn_while_an_audit_ran_is_no_stray(salon: Salon) -> None:
    """The audit began before it, with no stream at all."""
    drawn(salon)
    StockSeed.objects.create(pk="f" * 32, salon=salon, seed="5e" * 32)

    assert [each.row for each in stray_seeds(salon, ())] == ["f" * 32]


def test_a_seed_that_was_known_before_a_deal_of_its_stock_is_named(salon: Salon) -> None:
    """What `decide` refuses stands in the log where somebody wrote it there."""
    stock = drawn(salon)
    game = dealt(salon, stock)
    duplicate.reveal(salon, stock, actor="user:1", command=a_command())
    told, known = Event.objects.filter(stream=stock.pk).order_by("version")[1:]
    unguard()
    for event, other in ((told, known), (known, told)):
        Event.objects.filter(pk=event.pk).update(
            type=other.type, schema=other.schema, body=other.body
        )

    assert {each.row for each in audit(salon) if each.kind == "stock"} == {known.position}
    assert StockDeal.objects.get().game == game.pk


def test_a_seed_made_known_that_does_not_give_the_commitment_is_named(salon: Salon) -> None:
    stock = drawn(salon)
    duplicate.reveal(salon, stock, actor="user:1", command=a_command())
    known = Event.objects.get(type="stock.revealed")
    unguard()
    Event.objects.filter(pk=known.pk).update(body=json.dumps({"seed": "5e" * 32}))
    Stock.objects.update(seed="5e" * 32)

    assert {(each.table, each.row) for each in audit(salon)} == {
        ("ledger_event", known.position),
        (SEED, stock.pk),
    }
