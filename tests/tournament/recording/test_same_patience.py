"""A tournament in which everybody plays the same patience: its stocks are fixed before anybody
plays, dealt at every table in their order, and known when it is over.
"""

import json
import re
from dataclasses import replace

import pytest
from django.test import Client

from ledger.models import Event
from scoring.errors import RuleViolation
from tests.tournament.helpers.playing import a_command, about, told
from tournament.domain.standings.values import Duplicate, Result, Scale, Stage, Takes
from tournament.domain.tournament.cuts import BeginStage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.subject import Command
from tournament.models import Game, Salon, Stock, StockDeal, Tournament
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.projections.standings import standings_of
from tournament.recording import duplicate_deals
from tournament.recording.tournaments import direct, open_tournament, start_linked_game
from tournament.streams.tournament_rows import state_of

STAGE = Stage(
    kind="duplicate", scale=Scale(kind="built"), duplicate=Duplicate(deals=2, scoring="built")
)
NAMES = ("Asha Renn", "Cato Liss", "Mira Dosh")


def does(row: Tournament, *commands: Command) -> None:
    row.refresh_from_db()
    direct(row.salon, row.pk, commands, actor="user:1", command=a_command(), version=row.version)
    row.refresh_from_db()


def running(salon: Salon, *, drawn: bool = True) -> Tournament:
    """A tournament of three with its first round published, its deals drawn or not."""
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Same cards",
        game="order_of_precedence",
        stage=STAGE,
    )
    does(row, EnterPhase(phase="registration"))
    does(row, *(MakeEntry(players=((str(place), name),)) for place, name in enumerate(NAMES, 1)))
    does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))
    if drawn:
        draw(row)
    return row


def draw(row: Tournament) -> None:
    duplicate_deals.draw_deals(
        row.salon, row.pk, actor="user:1", command=a_command(), version=row.version
    )
    row.refresh_from_db()


def fixed(row: Tournament) -> list[Stock]:
    """The stocks of the tournament, deal by deal."""
    return duplicate_deals.stocks_of(row.salon, state_of(row))


def begun(row: Tournament, table: int) -> Game:
    """The game of a table of round 1, begun at the salon's table of the same number."""
    game = start_linked_game(
        row.salon,
        row.pk,
        round=1,
        table=table,
        label=str(table),
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    row.refresh_from_db()
    return game


def deal(owner: Client, label: str, stock: str | None = None) -> int:
    """Open the next deal on the pad from the stock that it offers, or another; the status."""
    page = owner.get(f"/tables/{label}/")
    offered = re.search(r'name="stock" value="(\w+)"', page.text)
    chosen = stock or (offered.group(1) if offered else "")
    answer = owner.post(f"/tables/{label}/stock-deals/", about(page) | {"stock": chosen})
    return answer.status_code


def count_out(owner: Client, label: str, last: int) -> None:
    """Close the open deal by its lengths; `last` is that of the eighth foundation."""
    fields = {f"built.{place}:number": "13" if place < 7 else str(last) for place in range(8)}
    page = owner.get(f"/tables/{label}/")
    answer = owner.post(f"/tables/{label}/totals/", about(page) | fields | {"passes:number": "3"})
    assert answer.status_code == 303, told(answer)


def end(owner: Client, label: str) -> None:
    page = owner.get(f"/tables/{label}/")
    answer = owner.post(
        f"/tables/{label}/endings/", about(page) | {"kind": "called", "reason": "done"}
    )
    assert answer.status_code == 303, told(answer)


def test_everybody_is_drawn_to_a_table_of_their_own_with_the_same_deals(salon: Salon) -> None:
    row = running(salon)
    drawn = json.loads(Event.objects.get(type="tournament.round_drawn").body)

    assert [len(table["entries"]) for table in drawn["tables"]] == [1, 1, 1]
    assert {tuple(table["deals"]) for table in drawn["tables"]} == {(1, 2)}
    assert drawn["counted"]["deals"] == [[3, 2]]
    assert row.version == Event.objects.filter(stream=row.pk).count()


def test_no_game_begins_before_the_deals_are_fixed(salon: Salon) -> None:
    row = running(salon, drawn=False)

    with pytest.raises(RuleViolation, match="draw the deals first"):
        begun(row, 1)
    draw(row)
    assert begun(row, 1).kind == "order_of_precedence"


def test_the_deals_of_a_later_stage_are_drawn_when_it_has_begun(salon: Salon) -> None:
    final = replace(STAGE, takes=Takes(top=2))
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Same cards in the end",
        game="order_of_precedence",
        stage=Stage(kind="swiss", rounds=1, scale=Scale(kind="built")),
        later=(final,),
    )
    entries = [MakeEntry(players=(("1", name),)) for name in NAMES]
    does(row, EnterPhase(phase="registration"), *entries, EnterPhase(phase="running"))
    does(row, DrawRound(round=1), PublishRound(round=1))
    built = (Result(built=20), Result(built=30))
    does(row, EnterResult(round=1, table=1, results=built), CloseRound(round=1))
    does(row, BeginStage(stage=2))

    duplicate_deals.draw_deals(
        salon, row.pk, actor="user:1", command=a_command(), version=row.version
    )
    does(row, DrawRound(round=2), PublishRound(round=2))
    start_linked_game(
        salon,
        row.pk,
        round=2,
        table=1,
        label="1",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )

    row.refresh_from_db()
    assert len(state_of(row).stocks) == 2
    assert state_of(row).rounds[1].tables[0].game is not None


def test_the_deals_are_drawn_once(salon: Salon) -> None:
    row = running(salon)

    with pytest.raises(RuleViolation, match="fixed already"):
        draw(row)
    assert Stock.objects.count() == 2


def test_every_table_has_the_same_cards_deal_by_deal(salon: Salon, owner: Client) -> None:
    row = running(salon)
    for table, last in ((1, 4), (2, 9)):
        begun(row, table)
        for _deal in range(2):
            assert deal(owner, str(table)) == 303
            count_out(owner, str(table), last)

    stocks = [stock.pk for stock in fixed(row)]
    opened = StockDeal.objects.order_by("game", "number").values_list("stream", flat=True)
    cards = [
        json.loads(body)["stock"]
        for body in Event.objects.filter(type__endswith="hand_opened")
        .order_by("position")
        .values_list("body", flat=True)
    ]

    assert list(opened) == stocks * 2
    assert cards[:2] == cards[2:]
    assert cards[0] != cards[1]


def test_another_stock_and_a_deal_too_many_are_refused(salon: Salon, owner: Client) -> None:
    row = running(salon)
    begun(row, 1)
    first, second = fixed(row)

    assert deal(owner, "1", second.pk) == 422
    for _deal in range(2):
        assert deal(owner, "1") == 303
        count_out(owner, "1", 3)
    assert "Every deal of the round is played" in owner.get("/tables/1/").text
    assert deal(owner, "1", first.pk) == 422


@pytest.mark.parametrize("door", ["hands", "sheet", "API acts", "API sheet"])
def test_a_hand_is_opened_from_the_fixed_stock_alone_through_whichever_door(
    salon: Salon, owner: Client, door: str
) -> None:
    row = running(salon)
    game = begun(row, 1)
    page = owner.get("/tables/1/")
    lengths = {f"built.{place}:number": "4" for place in range(8)}
    if door.startswith("API"):
        body = {} if door == "API acts" else {"built": [4] * 8, "passes": 3}
        answer = owner.post(
            f"/api/v1/salons/{salon.slug}/games/{game.pk}/"
            + ("acts/hands/" if door == "API acts" else "hands/"),
            body,
            content_type="application/json",
            headers={"If-Match": f'"{game.version}"', "Idempotency-Key": a_command()},
        )
    elif door == "hands":
        answer = owner.post("/tables/1/hands/", about(page))
    else:
        answer = owner.post("/tables/1/sheet/", about(page) | lengths | {"passes:number": "3"})

    assert answer.status_code == 422, told(answer)
    assert "everybody plays the same deals here" in answer.text
    assert "Lengths alone" not in page.text
    assert not Event.objects.filter(type__endswith="hand_opened").exists()
    assert deal(owner, "1") == 303
    assert "Lengths alone" in owner.get("/tables/1/").text


def test_what_was_built_adds_up_and_the_seeds_are_known_at_the_end(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    for table, last in ((1, 4), (2, 9), (3, 4)):
        begun(row, table)
        for _deal in range(2):
            deal(owner, str(table))
            count_out(owner, str(table), last)
        end(owner, str(table))
    with pytest.raises(RuleViolation, match="when the tournament is finished"):
        duplicate_deals.reveal_deals(salon, row.pk, actor="user:1", command=a_command())
    does(row, CloseRound(round=1))
    does(row, EnterPhase(phase="finished"))
    duplicate_deals.reveal_deals(salon, row.pk, actor="user:1", command=a_command())

    rows = json.loads(standings_of(salon, row.pk))["rows"]
    assert [(each["rank"], each["points"]) for each in rows] == [
        (1, 20000),
        (2, 19000),
        (2, 19000),
    ]
    assert all(Stock.objects.values_list("seed", flat=True))
    assert list(audit(salon)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


def test_a_players_page_leads_to_the_game_that_goes_on_unless_it_is_silent(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    table = state_of(row).rounds[0].tables[0]
    game = begun(row, table.table)
    own, room = f"/tournaments/{row.pk}/entries/{table.entries[0]}/", Client()

    assert f"/games/{game.pk}/" in owner.get(own).text
    assert f"/games/{game.pk}/" not in room.get(own).text, "the last rounds are silent"
