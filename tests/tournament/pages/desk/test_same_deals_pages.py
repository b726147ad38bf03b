"""A movement from the desk: scores typed deal by deal, awards, travellers that stay hidden until
everybody has played, and the same standings from a file.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest
from django.conf import settings
from django.http import QueryDict
from django.test import Client

from ledger.models import Event
from scoring.errors import NotationError
from scoring.precedence.cards import CARDS
from tests.tournament.helpers.evenings import does, result
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.same_deals import STAGE, running, sends
from tournament.accounts.permissions import Role, Visitor
from tournament.domain.deals import commitment, deal_of
from tournament.domain.standings.duplicate import SmallGroups
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.stages import stage_standings
from tournament.domain.standings.values import Movement, Scale, Stage, Takes
from tournament.domain.tournament.awards import AwardDeal
from tournament.domain.tournament.cuts import SeatStage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.domain.tournament.standings_view import field_of
from tournament.exchange.tournament_records import export_tournament
from tournament.models import Salon, StockSeed, Tournament
from tournament.pages.desk.stage_form import later_stages, read_form, stage_of
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.projections.standings import standings_of
from tournament.queries.sheet_exports import SHEETS, SheetRequest
from tournament.queries.tournament import load_tournament
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def lines(holding: Sequence[str]) -> list[str]:
    """The cards of a seat as pages show them: a suit a line."""
    return [
        f"<dd>{' '.join(cards)}</dd>" for _suit, cards in groupby(holding, lambda card: card[1])
    ]


def type_round(owner: Client, row: Tournament, number: int) -> None:
    """Type the scores of every table of a round: 10 a deal more for a lower table."""
    fields: dict[str, object] = {}
    for table in state_of(row).rounds[number - 1].tables:
        for deal in table.deals:
            fields[f"tables.t{table.table}.deals.d{deal}.s0:half"] = 10 * table.table + deal
            fields[f"tables.t{table.table}.deals.d{deal}.s1:half"] = 20
    answer = owner.post(
        f"/tournaments/{row.pk}/desk/rounds/{number}/results/?page=round-{number}",
        sends(row, **fields),
    )
    assert answer.status_code == 302, told(answer)


def test_scores_are_typed_deal_by_deal_and_shown_to_be_changed(salon: Salon, owner: Client) -> None:
    row = running(salon)
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
    assert "tables.t1.deals.d" in page

    type_round(owner, row, 1)
    desk = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert "was the game called" not in desk, "a few deals reach no target"

    table = state_of(row).rounds[0].tables[0]
    assert [board.scores for board in table.boards] == [
        (100 * (10 * table.table + deal), 2000) for deal in table.deals
    ]
    assert table.results[0].score == sum(board.scores[0] for board in table.boards)
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text
    assert f'value="{10 * table.table + table.deals[0]}"' in page


def test_a_score_of_one_side_alone_is_refused_with_all_that_was_typed(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    table = state_of(row).rounds[0].tables[0]
    fields = {
        f"tables.t1.deals.d{table.deals[0]}.s0:half": 77,
        f"tables.t1.deals.d{table.deals[1]}.s0:half": 31,
        f"tables.t1.deals.d{table.deals[1]}.s1:half": 12,
    }
    answer = owner.post(
        f"/tournaments/{row.pk}/desk/rounds/1/results/?page=round-1", sends(row, **fields)
    )

    assert answer.status_code == 400
    assert "type both, or neither" in told(answer)
    assert 'value="77"' in answer.text


def test_a_deal_is_awarded_with_a_reason_and_taken_back(salon: Salon, owner: Client) -> None:
    row = running(salon)
    type_round(owner, row, 1)
    deal = state_of(row).rounds[0].tables[0].deals[0]
    award = {"round:number": 1, "table:number": 1, "deal:number": deal}
    shares = {"awarded.0:number": 60, "awarded.1:number": 40}
    acts = f"/tournaments/{row.pk}/acts"

    answer = owner.post(f"{acts}/awards/?page=round-1", sends(row, **award, **shares))
    assert answer.status_code == 422
    answer = owner.post(
        f"{acts}/awards/?page=round-1", sends(row, **award, **shares, reason="seen before")
    )
    assert answer.status_code == 302
    assert state_of(row).rounds[0].tables[0].awards == ((deal, (60, 40)),)
    history = owner.get(f"/tournaments/{row.pk}/history/").text
    assert "60 : 40 %" in history

    owner.post(f"{acts}/award-cancellations/?page=round-1", sends(row, **award))
    assert state_of(row).rounds[0].tables[0].awards == ()


def versions(row: Tournament, number: int = 1) -> list[int]:
    """In which forms the deals of table 1 were dealt."""
    row.refresh_from_db()
    return [board.version for board in state_of(row).rounds[number - 1].tables[0].boards]


def test_a_deal_dealt_otherwise_stays_so_when_its_scores_are_changed(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    type_round(owner, row, 1)
    one, other = state_of(row).rounds[0].tables[0].deals
    about = {"round:number": 1, "table:number": 1}
    scores = {f"deals.d{deal}.s{side}:half": 30 + side for deal in (one, other) for side in (0, 1)}
    results = f"/tournaments/{row.pk}/acts/results/?page=round-1"
    assert versions(row) == [1, 1]

    owner.post(results, sends(row, **about, **scores, **{f"deals.d{one}.version:number": 2}))
    assert versions(row) == [2, 1]
    owner.post(results, sends(row, **about, **(scores | {f"deals.d{one}.s0:half": 44})))
    assert versions(row) == [2, 1]
    rows = {f"tables.t1.{name}": value for name, value in scores.items()}
    page = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/result-rows/")
    was = re.search(r'name="tables.t1.was"[^>]*value="([^"]*)"', page.text)
    assert was is not None
    owner.post(
        f"/tournaments/{row.pk}/desk/rounds/1/result-rows/",
        sends(row, **rows, **{"tables.t1.was": was[1], "tables.t1.sure": "30:31:30:31"}),
    )
    assert state_of(row).rounds[0].tables[0].boards[0].scores == (3000, 3100)
    assert versions(row) == [2, 1]

    owner.post(results, sends(row, **about, **scores, **{f"deals.d{one}.version:number": 0}))
    assert versions(row) == [2, 1], "a form that there is none of is refused"
    owner.post(results, sends(row, **about, **scores, **{f"deals.d{one}.version:number": 1}))
    assert versions(row) == [1, 1]


def test_pages_say_which_deals_were_dealt_otherwise_and_what_was_awarded(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    type_round(owner, row, 1)
    table = state_of(row).rounds[0].tables[0]
    boards = tuple(replace(board, version=2) for board in table.boards)
    does(row, EnterResult(round=1, table=1, boards=boards))
    deal, other = table.deals
    does(row, AwardDeal(round=1, table=1, deal=other, awarded=(60, 40), reason="seen before"))

    for address in ("desk/rounds/1/", "rounds/1/"):
        page = told(owner.get(f"/tournaments/{row.pk}/{address}"))
        assert f"Deal {deal}: dealt otherwise, form 2" in page
        assert f"Deal {other}: 60 : 40 % awarded" in page
    assert "dealt otherwise, form 2" in told(owner.get(f"/tournaments/{row.pk}/history/"))
    does(row, CloseRound(round=1), DrawRound(round=2), PublishRound(round=2))
    type_round(owner, row, 2)
    traveller = told(owner.get(f"/tournaments/{row.pk}/deals/{deal}/"))
    assert "As it was dealt first" in traveller
    assert "Dealt otherwise (form 2)" in traveller


@pytest.mark.parametrize(
    ("small_groups", "points", "said"),
    [
        ("neuberg", {"50"}, "Dealt otherwise (form 2), compared among these"),
        ("averages", {"60"}, "Dealt otherwise (form 2), at so few tables: 60 % each"),
    ],
)
def test_a_traveller_says_how_few_results_of_a_fouled_deal_count(
    salon: Salon, owner: Client, small_groups: SmallGroups, points: set[str], said: str
) -> None:
    chosen = replace(STAGE, movement=replace(STAGE.movement, small_groups=small_groups))
    row = running(salon, chosen)
    type_round(owner, row, 1)
    table = state_of(row).rounds[0].tables[0]
    boards = tuple(replace(board, version=2) for board in table.boards)
    does(row, EnterResult(round=1, table=1, boards=boards))
    does(row, CloseRound(round=1), DrawRound(round=2), PublishRound(round=2))
    type_round(owner, row, 2)

    page = owner.get(f"/tournaments/{row.pk}/deals/{table.deals[0]}/")

    assert set(re.findall(r'<td class="r">(\d\d)</td>\s*</tr>', page.text)) == points
    assert said in told(page)


def played(owner: Client, salon: Salon, stage: Stage = STAGE) -> Tournament:
    """A whole movement, not finished yet."""
    row = running(salon, stage)
    for number in range(1, 7):
        if number > 1:
            does(row, DrawRound(round=number), PublishRound(round=number))
        type_round(owner, row, number)
        does(row, CloseRound(round=number))
    return row


def test_a_traveller_is_hidden_from_the_room_while_the_tournament_runs(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    type_round(owner, row, 1)
    deal = state_of(row).rounds[0].tables[0].deals[0]
    room = Client()

    hidden = room.get(f"/tournaments/{row.pk}/deals/{deal}/").text
    assert "has still to play this deal" in hidden
    assert "Asha A" not in hidden
    assert "Traveller" in owner.get(f"/tournaments/{row.pk}/deals/{deal}/").text
    assert room.get(f"/tournaments/{row.pk}/deals/99/").status_code == 404


def test_a_deal_that_all_have_played_is_shown_where_nothing_is_silent(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    owner.post(f"/tournaments/{row.pk}/acts/silences/?page=desk", sends(row))
    type_round(owner, row, 1)
    deals = f"/tournaments/{row.pk}/deals/"
    once = state_of(row).rounds[0].tables[0].deals[0]
    before = Client().get(f"{deals}{once}/").text
    does(row, CloseRound(round=1), DrawRound(round=2), PublishRound(round=2))
    type_round(owner, row, 2)

    assert "has still to play this deal" in before
    assert "Traveller" in Client().get(f"{deals}{once}/").text


def test_travellers_are_public_when_it_is_over_and_the_verifiers_report_always(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    assert "What the verifier counted" in Client().get(f"/tournaments/{row.pk}/deals/").text
    row = played(owner, salon)
    does(row, EnterPhase(phase="finished"))

    page = Client().get(f"/tournaments/{row.pk}/deals/1/").text
    assert "Asha A" in page
    assert '<td class="r">100</td>' in page
    assert '<td class="r">0</td>' in page


def test_live_standings_are_those_of_the_file_that_is_exported(salon: Salon, owner: Client) -> None:
    for scale in ("matchpoints", "imps", "victory_points"):
        stage = Stage(kind="movement", scale=Scale(kind=scale), movement=STAGE.movement)
        row = played(owner, salon, stage)
        live = json.loads(standings_of(salon, row.pk))["rows"]
        file = json.loads(json.dumps(export_tournament(salon, row.pk, Audience.SALON)))
        again = standings(read_tournament(file)).rows

        assert [(each["entry"], each["points"], each["rank"]) for each in live] == [
            (each.entry, each.points, each.rank) for each in again
        ]
        assert field_of(state_of(row), {}).rounds == read_tournament(file).rounds


def test_the_deals_of_pairs_are_committed_to_printed_and_known_afterwards(
    salon: Salon, owner: Client
) -> None:
    row = running(salon)
    desk = f"/tournaments/{row.pk}/desk"
    assert owner.post(f"{desk}/deals/", sends(row)).status_code == 302
    seed = StockSeed.objects.get(pk=row.pk).seed
    sheets = owner.get(f"{desk}/deals/sheets/").text
    row.refresh_from_db()

    assert state_of(row).deals_commitment == commitment(seed)
    assert not any(seed in body for body in Event.objects.values_list("body", flat=True))
    assert "Deal 12" in sheets
    assert all(line in sheets for line in lines(deal_of(seed, 1, CARDS)[0]))
    assert Client().get(f"{desk}/deals/sheets/").status_code in (302, 403)
    assert owner.post(f"{desk}/deals/", sends(row)).status_code == 422
    assert owner.post(f"{desk}/deals/seeds/", sends(row)).status_code == 422


def test_the_deals_are_printed_for_the_desk_and_kept_nowhere(salon: Salon, owner: Client) -> None:
    row = running(salon)
    address = f"/tournaments/{row.pk}/desk/deals/sheets.pdf"
    kept = Path(settings.DATA_DIR) / "papers"
    assert owner.get(address).status_code == 404
    before = set(kept.glob("*.pdf"))
    owner.post(f"/tournaments/{row.pk}/desk/deals/", sends(row))

    answer = owner.get(address)

    assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")
    assert set(kept.glob("*.pdf")) == before
    assert Client().get(address).status_code in (302, 403)


def test_standings_with_two_winners_name_the_side_in_every_file(
    salon: Salon, owner: Client
) -> None:
    stage = Stage(
        kind="movement",
        scale=Scale(kind="matchpoints", bye=5000),
        movement=Movement(movement="mitchell", deals_a_round=2, winners=2),
        rounds=2,
    )
    row = running(salon, stage, pairs=8)
    type_round(owner, row, 1)
    does(row, CloseRound(round=1), EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)

    files = f"/tournaments/{row.pk}/files/standings"
    lines_ = owner.get(f"{files}.csv").content.decode("utf-8-sig").splitlines()
    page = owner.get(f"/tournaments/{row.pk}/standings/").text

    assert lines_[0].startswith("Side,Rank,")
    assert [line.split(",")[0] for line in lines_[1:]] == ["NS"] * 4 + ["EW"] * 4
    assert json.loads(owner.get(f"{files}.json").content)["rows"][0]["side"] == "NS"
    assert owner.get(f"{files}.xlsx").status_code == 200
    assert page.index("N–S") < page.index("E–W")
    assert "share a rank." in page, "it has no tie-breaks"


def test_how_evenly_a_howell_compares_is_said_in_words(salon: Salon, owner: Client) -> None:
    uneven = told(owner.get(f"/tournaments/{running(salon, pairs=6).pk}/deals/"))
    even = told(owner.get(f"/tournaments/{running(salon, pairs=8).pk}/deals/"))

    assert "Some two pairs are compared more than others" in uneven
    assert "Perfectly balanced: every two pairs are compared to the same degree." in even
    assert "Pairs that meet 1× for 28" in even


def test_the_cards_of_a_deal_are_public_once_its_seed_is(salon: Salon, owner: Client) -> None:
    row = running(salon)
    desk = f"/tournaments/{row.pk}/desk"
    owner.post(f"{desk}/deals/", sends(row))
    for number in range(1, 7):
        if number > 1:
            does(row, DrawRound(round=number), PublishRound(round=number))
        type_round(owner, row, number)
        does(row, CloseRound(round=number))
    does(row, EnterPhase(phase="finished"))
    assert "Its cards" not in Client().get(f"/tournaments/{row.pk}/deals/1/").text

    assert owner.post(f"{desk}/deals/seeds/", sends(row)).status_code == 302

    seed = StockSeed.objects.get(pk=row.pk).seed
    page = Client().get(f"/tournaments/{row.pk}/deals/1/").text
    assert all(line in page for line in lines(deal_of(seed, 1, CARDS)[3]))
    assert list(audit(salon)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


@pytest.mark.parametrize(
    ("chosen", "scale"),
    [
        ({"format": "movement", "scale": "usual"}, "matchpoints"),
        ({"format": "movement", "scale": "imps"}, "imps"),
        ({"format": "movement", "scale": "victory_points"}, "victory_points"),
        ({"format": "duplicate", "duplicate.scoring": "imps"}, "imps"),
        ({"format": "duplicate", "duplicate.scoring": "imps", "scale": "victory_points"},
         "victory_points"),
        ({"format": "swiss", "scale": "usual"}, "match"),
    ],
)  # fmt: skip
def test_the_form_says_how_deals_are_compared(chosen: dict[str, str], scale: str) -> None:
    form = QueryDict(mutable=True)
    form.update(chosen)

    assert stage_of(read_form(form)).scale.kind == scale


def test_deals_are_compared_only_where_tables_have_them_in_common() -> None:
    with pytest.raises(NotationError, match="only where all tables play the same"):
        stage_of(read_form(QueryDict("format=swiss&scale=imps")))


def test_a_later_stage_without_common_deals_counts_its_tables() -> None:
    form = QueryDict("format=movement&scale=imps&stages.2.kind=swiss&stages.2.rounds=2")

    assert [stage.scale.kind for stage in later_stages(read_form(form))] == ["match"]


def test_the_api_gives_one_deal_alone_where_all_would_be_too_long(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = played(owner, salon)
    place = f"/api/v1/salons/{salon.slug}/tournaments/{row.pk}/deals/"
    whole = owner.get(place).json()["deals"]
    monkeypatch.setattr("tournament.api.deals.MOST_LINES", len(whole[0]["lines"]))

    refused, alone = owner.get(place), owner.get(place, {"deal": whole[0]["deal"]})

    assert (refused.status_code, refused.json()["code"]) == (422, "too_long")
    assert "ask for one deal after the other" in refused.json()["detail"]
    assert alone.json()["deals"] == whole[:1]
    assert owner.get(place, {"deal": "10000000000"}).status_code == 400
    assert owner.get(place, {"deal": "x"}).status_code == 400


def test_per_cents_are_a_mean_and_neubergs_formula_is_said_where_it_was_applied(
    salon: Salon, owner: Client
) -> None:
    row = played(owner, salon)
    field = field_of(state_of(row), {})
    table = field.rounds[0].tables[0]
    short = table.deals[0]
    does(row, AwardDeal(round=1, table=1, deal=short, awarded=(60, 40), reason="late"))
    catch_up(salon.log, PROJECTIONS)

    page = told(owner.get(f"/tournaments/{row.pk}/standings/"))
    assert "Per cent" in page
    assert "Sitting out counts as the mean of what an entry plays" in page
    for each in standings(field_of(state_of(row), {})).rows:
        assert each.points is not None
        explained = told(owner.get(f"/tournaments/{row.pk}/entries/{each.entry}/points/"))
        assert f": {each.points / 100:g} %" in explained
        assert "% of 2 deals, in a mean over 12" in explained
    said = f"deal {short} by Neuberg’s formula"
    others = {entry.id for entry in field.entries} - set(table.entries)
    for entry in table.entries:
        assert said not in told(owner.get(f"/tournaments/{row.pk}/entries/{entry}/points/"))
    assert any(
        said in told(owner.get(f"/tournaments/{row.pk}/entries/{entry}/points/"))
        for entry in others
    )
    assert "by Neuberg’s formula" in told(owner.get(f"/tournaments/{row.pk}/deals/{short}/"))
    deals = owner.get(f"/api/v1/salons/{salon.slug}/tournaments/{row.pk}/deals/").json()["deals"]
    factored = {deal["deal"] for deal in deals if any(one["factored"] for one in deal["lines"])}
    assert factored == {short}
    at, visitor = (
        load_tournament(row, Audience.SALON),
        Visitor(salon=salon, role=Role.OWNER, actor="x"),
    )
    assert (
        f"Deal {short} had fewer results"
        in SHEETS["standings"](SheetRequest(visitor=visitor), at, 99).note
    )


FINAL = Stage(kind="knockout", takes=Takes(top=2))


def test_a_final_after_silent_deals_is_seen_and_no_rank_tells_what_is_hidden(
    salon: Salon, owner: Client
) -> None:
    row = running(salon, later=(FINAL,))
    for number in range(1, 7):
        if number > 1:
            does(row, DrawRound(round=number), PublishRound(round=number))
        type_round(owner, row, number)
        does(row, CloseRound(round=number))
    room, catch = Client(), partial(catch_up, salon.log, PROJECTIONS)
    catch()
    before = told(room.get(f"/tournaments/{row.pk}/standings/"))
    assert "Later rounds are silent" in before

    first, second = (each.entry for each in standings(field_of(state_of(row), {})).rows[:2])
    does(row, SeatStage(stage=2, entries=(first, second)))
    state = state_of(row)
    assert [state.is_silent(number) for number in (1, 6, 7)] == [False] * 3
    does(row, DrawRound(round=7), PublishRound(round=7), result(1, 90, 40, round=7))
    does(row, CloseRound(round=7))
    catch()
    final = state_of(row).rounds[6].tables[0].entries
    for place in (f"/tournaments/{row.pk}/standings/", f"/tournaments/{row.pk}/rounds/7/"):
        seen = told(room.get(place))
        assert "silent" not in seen
    rows = room.get(f"/api/v1/salons/{salon.slug}/tournaments/{row.pk}/standings/").json()["rows"]
    assert [each["entry"] for each in rows[:2]] == [*final]
    assert [each["rank"] for each in rows] == [1, 2, 3, 4]

    does(row, ReopenRound(round=7, reason="once more"), BeginSilence(from_round=7))
    catch()
    hidden = room.get(f"/tournaments/{row.pk}/standings/").text
    assert "Later rounds are silent" in told(room.get(f"/tournaments/{row.pk}/standings/"))
    ranks = re.findall(r'<td class="r">\s*<b>([^<]*)</b>\s*</td>', hidden)
    whole = field_of(state_of(row), {})
    assert ranks == [str(each.rank) for each in stage_standings(whole, 1).rows]
    assert "Standings of stage 1" in hidden
    assert "Standings of stage 2" not in hidden


@pytest.mark.parametrize(
    "place",
    [
        "/tournaments/{}/entries/1/",
        "/tournaments/{}/history/",
        "/tournaments/{}/rounds/1/snapshot/",
        "/tournaments/{}/files/results.csv",
        "/embed/tournaments/{}/standings/",
    ],
)
def test_wherever_points_are_per_cents_their_column_says_so(
    salon: Salon, owner: Client, place: str
) -> None:
    row = played(owner, salon)
    catch_up(salon.log, PROJECTIONS)

    page = told(owner.get(place.format(row.pk)))

    assert "Per cent" in page
