"""Duplicate stocks (O7): committed before play, dealt at tables, revealed after it, and told,
rebuilt and verified like games.
"""

import json

import pytest
from django.test import Client

from ledger.models import Event
from ledger.verify import verify_log
from scoring.errors import NotationError, RuleViolation
from scoring.patience.deal import commitment, stock_of
from tests.tournament.helpers.playing import a_command, about, told
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import scorer_at
from tournament.domain.stock import (
    Command,
    CommitStock,
    DealStock,
    RevealStock,
    StockCommitted,
    StockDealt,
    StockRevealed,
    decide,
    evolve,
)
from tournament.exchange.game_records import export_games
from tournament.models import Game, Salon, Stock, StockDeal, StockSeed
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording import stocks
from tournament.recording.door import record_acts
from tournament.salons.public_names import Audience

SEED = "5e" * 32


def drawn(salon: Salon, name: str = "Saturday 1") -> Stock:
    return stocks.draw(salon, name=name, actor="user:1", command=a_command())


def patience(
    owner: Client, stock: Stock | None = None, table: str = "4", name: str = "Asha Renn"
) -> Game:
    """A patience at a table, its first deal open, from `stock` if there is one."""
    form = {
        "command": a_command(),
        "game": "order_of_precedence",
        "table": table,
        "players.A": name,
    }
    answer = owner.post("/games/new/", form | ({"stock": stock.pk} if stock else {}))
    assert answer.status_code == 302, told(answer)
    return Game.objects.get(pk=form["command"])


def count_out(owner: Client, table: str = "4") -> None:
    """Close the open deal by its lengths."""
    fields = {f"built.{place}:number": "13" if place < 7 else "9" for place in range(8)} | {
        "passes:number": "3"
    }
    answer = owner.post(f"/tables/{table}/totals/", about(owner.get(f"/tables/{table}/")) | fields)
    assert answer.status_code == 303, told(answer)


def test_a_stock_is_committed_before_it_is_dealt_and_revealed_after() -> None:
    events = [
        *decide(
            CommitStock(name="Saturday 1", commitment=commitment(SEED), drawn_on="2026-11-21"), None
        ),
        StockDealt(game="g", number=1),
    ]
    state = None
    for event in events:
        state = evolve(state, event)

    assert isinstance(events[0], StockCommitted)
    assert decide(RevealStock(seed=SEED), state) == [StockRevealed(seed=SEED)]


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (RevealStock(seed="another seed"), "bad_seed"),
        (CommitStock(name="x", commitment="y", drawn_on="z"), "stock_committed"),
    ],
)
def test_a_seed_that_does_not_give_the_commitment_is_refused(command: Command, code: str) -> None:
    state = evolve(
        None, StockCommitted(name="Saturday 1", commitment=commitment(SEED), drawn_on="2026-11-21")
    )

    with pytest.raises(RuleViolation) as refusal:
        decide(command, state)

    assert refusal.value.code == code


@pytest.mark.parametrize("command", [DealStock(game="g", number=1), RevealStock(seed=SEED)])
def test_a_stock_whose_seed_is_known_is_neither_dealt_nor_revealed_again(command: Command) -> None:
    state = evolve(
        None, StockCommitted(name="Saturday 1", commitment=commitment(SEED), drawn_on="2026-11-21")
    )
    state = evolve(state, StockRevealed(seed=SEED))

    with pytest.raises(RuleViolation, match="known already"):
        decide(command, state)


@pytest.mark.parametrize("name", ["", "x" * 41])
def test_a_stock_has_a_name_of_1_to_40_characters(name: str) -> None:
    with pytest.raises(NotationError, match="1 to 40"):
        decide(CommitStock(name=name, commitment="y", drawn_on="z"), None)


def test_the_seed_is_nowhere_in_the_log_before_it_is_revealed(salon: Salon) -> None:
    stock = drawn(salon)
    seed = StockSeed.objects.get(pk=stock.pk).seed

    assert stock.commitment == commitment(seed)
    assert not any(seed in body for body in Event.objects.values_list("body", flat=True))


def test_the_same_draw_twice_gives_one_stock(salon: Salon) -> None:
    command = a_command()

    first = stocks.draw(salon, name="Saturday 1", actor="user:1", command=command)
    again = stocks.draw(salon, name="Saturday 1", actor="user:1", command=command)

    assert (first.pk, first.commitment) == (again.pk, again.commitment)
    assert Event.objects.count() == 1


def test_everybody_who_plays_a_stock_has_its_cards_in_its_order(
    owner: Client, salon: Salon
) -> None:
    stock = drawn(salon)
    games = [patience(owner, stock, "4"), patience(owner, stock, "5", "Cato Liss")]

    opened = [
        json.loads(body)["stock"]
        for body in Event.objects.filter(type__endswith="hand_opened").values_list(
            "body", flat=True
        )
    ]

    assert opened == [list(stock_of(StockSeed.objects.get().seed))] * 2
    assert {deal.game for deal in StockDeal.objects.filter(stream=stock)} == {
        game.pk for game in games
    }


def test_a_further_deal_is_opened_from_a_stock_on_the_pad(owner: Client, salon: Salon) -> None:
    stock, game = drawn(salon), patience(owner)
    count_out(owner)
    page = owner.get("/tables/4/")
    assert "Saturday 1" in page.text

    answer = owner.post("/tables/4/stock-deals/", about(page) | {"stock": stock.pk})

    assert answer.status_code == 303
    assert Game.objects.get(pk=game.pk).state["hand"]["next_card"] is not None
    assert list(StockDeal.objects.values_list("game", "number")) == [(game.pk, 2)]


def test_a_deal_is_refused_whole_when_the_stock_is_revealed_meanwhile(
    owner: Client, salon: Salon
) -> None:
    stock = drawn(salon)
    patience(owner)
    count_out(owner)
    page = owner.get("/tables/4/")
    stocks.reveal(salon, stock, actor="user:1", command=a_command())
    before = Event.objects.count()

    answer = owner.post("/tables/4/stock-deals/", about(page) | {"stock": stock.pk})

    assert answer.status_code == 422
    assert "whose seed is not known yet" in told(answer)
    assert Event.objects.count() == before


def test_a_late_tap_on_the_pad_opens_no_deal(owner: Client, salon: Salon) -> None:
    stock = drawn(salon)
    patience(owner)
    page = owner.get("/tables/4/")
    count_out(owner)

    answer = owner.post("/tables/4/stock-deals/", about(page) | {"stock": stock.pk})

    assert answer.status_code == 409
    assert not StockDeal.objects.exists()


def test_revealing_while_somebody_plays_warns_first(owner: Client, salon: Salon) -> None:
    stock = drawn(salon)
    patience(owner, stock)

    warned = owner.post(f"/stocks/{stock.pk}/seed/", {"command": a_command()})

    assert warned.status_code == 409
    assert "One deal is still being played" in told(warned)
    assert Stock.objects.get().seed == ""
    assert (
        owner.post(f"/stocks/{stock.pk}/seed/", {"command": a_command(), "anyway": "1"}).status_code
        == 302
    )
    assert Stock.objects.get().seed == StockSeed.objects.get().seed


def test_after_play_the_seed_is_made_known_without_a_warning_and_matches(
    owner: Client, salon: Salon
) -> None:
    stock = drawn(salon)
    patience(owner, stock)
    count_out(owner)

    owner.post(f"/stocks/{stock.pk}/seed/", {"command": a_command()})
    page = told(Client().get(f"/stocks/{stock.pk}/"))

    assert "This seed gives the commitment." in page
    assert "match" in page
    assert StockSeed.objects.get().seed in page


def test_an_opening_that_was_undone_is_shown_as_taken_back(owner: Client, salon: Salon) -> None:
    stock = drawn(salon)
    game = patience(owner, stock)
    version = Game.objects.get(pk=game.pk).version
    owner.post(
        "/tables/4/retractions/", about(owner.get("/tables/4/")) | {"version:number": str(version)}
    )

    assert [deal.taken_back for deal in stocks.deals_from(salon, stock)] == [True]
    assert "taken back" in told(owner.get(f"/stocks/{stock.pk}/"))


def test_board_and_history_name_the_stock_with_its_commitment_and_then_its_seed(
    owner: Client, salon: Salon
) -> None:
    stock = drawn(salon)
    game = patience(owner, stock)

    assert stock.commitment[:12] in told(owner.get(f"/games/{game.pk}/"))
    assert f"commitment {stock.commitment[:12]}" in told(owner.get(f"/games/{game.pk}/history/"))
    stocks.reveal(salon, stock, actor="user:1", command=a_command())
    assert StockSeed.objects.get().seed[:12] in told(owner.get(f"/games/{game.pk}/"))
    assert "its seed is known and gives its commitment" in told(
        owner.get(f"/games/{game.pk}/history/")
    )


def test_the_salons_history_tells_a_stock_in_words_and_leads_to_it(
    owner: Client, salon: Salon
) -> None:
    stock = drawn(salon)
    patience(owner, stock)
    stocks.reveal(salon, stock, actor="user:1", command=a_command())

    page = owner.get("/history/")

    assert "Stock “Saturday 1” is drawn." in told(page)
    assert "The seed of stock “Saturday 1” is made known" in told(page)
    assert f'href="/stocks/{stock.pk}/?at=1"' in page.text
    assert owner.get("/history/?table=4").status_code == 200


def test_export_has_the_games_and_no_stock(owner: Client, salon: Salon) -> None:
    patience(owner, drawn(salon))
    count_out(owner)

    assert [record["game"] for record in export_games(salon, [], Audience.SALON)] == [
        "order_of_precedence"
    ]


def test_nothing_differs_after_stocks_were_dealt_and_revealed(owner: Client, salon: Salon) -> None:
    stock = drawn(salon)
    patience(owner, stock)
    stocks.reveal(salon, stock, actor="user:1", command=a_command())

    assert list(verify_log(salon.log_id, full=True)) == []
    assert list(audit(salon)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


@pytest.mark.parametrize(
    "column", ["name", "drawn_on", "commitment", "seed", "version", "started_position"]
)
def test_a_changed_row_of_a_stock_is_found_and_mended(salon: Salon, column: str) -> None:
    stock = drawn(salon)
    another = {"version": 77, "started_position": 77, "drawn_on": "1999-01-01"}
    Stock.objects.update(**{column: another.get(column, "changed")})

    assert [(finding.row, finding.column) for finding in audit(salon)] == [(stock.pk, column)]
    assert [each.column for each in differences(salon, mend=True, progress=lambda done: None)] == [
        column
    ]
    assert list(audit(salon)) == []


def test_rows_without_events_and_events_without_rows_are_found_and_mended(
    owner: Client, salon: Salon
) -> None:
    stock = drawn(salon)
    patience(owner, stock)
    StockDeal.objects.all().delete()
    Stock.objects.create(
        pk="f" * 32,
        salon=salon,
        name="stray",
        drawn_on="2026-11-21",
        commitment="",
        version=1,
        started_position=1,
    )

    assert len(list(audit(salon))) == 2
    assert len(list(differences(salon, mend=True, progress=lambda done: None))) == 2
    assert list(audit(salon)) == []
    assert StockDeal.objects.count() == 1


def test_a_lost_row_keeps_nobody_from_recording(salon: Salon) -> None:
    stock = drawn(salon)
    Stock.objects.all().delete()

    record_acts(
        salon,
        stock.pk,
        [RevealStock(seed=StockSeed.objects.get().seed)],
        actor="user:1",
        command=a_command(),
        version=1,
    )
    list(differences(salon, mend=True, progress=lambda done: None))

    assert Stock.objects.get().seed == StockSeed.objects.get().seed


def test_a_scorer_sees_stocks_and_draws_none(salon: Salon) -> None:
    stock, scorer = drawn(salon), scorer_at(salon, "4")

    assert scorer.get("/stocks/").status_code == 200
    assert "Make the seed known" not in told(scorer.get(f"/stocks/{stock.pk}/"))
    assert scorer.post("/stocks/", {"command": a_command(), "name": "mine"}).status_code == 403
    assert scorer.post(f"/stocks/{stock.pk}/seed/", {"command": a_command()}).status_code == 403


def test_the_owner_draws_a_stock_on_its_page(owner: Client, salon: Salon) -> None:
    page = owner.get("/stocks/")
    command = match_in(page.text, r'name="command" value="(\w{32})"')[1]

    assert "No stock has been drawn yet." in told(page)
    assert owner.post("/stocks/", {"command": command, "name": " "}).status_code == 422
    answer = owner.post("/stocks/", {"command": command, "name": "Saturday 1"})
    assert answer["Location"] == f"/stocks/{command}/"
    assert "Saturday 1 is drawn" in told(owner.get(answer["Location"]))


def test_a_game_with_a_stock_that_is_none_is_not_started(owner: Client, salon: Salon) -> None:
    form = {
        "command": a_command(),
        "game": "order_of_precedence",
        "table": "4",
        "players.A": "Asha Renn",
        "stock": "nonsense",
    }

    answer = owner.post("/games/new/", form)

    assert answer.status_code == 422
    assert "Choose one of the salon's stocks" in told(answer)
    assert not Game.objects.exists()
