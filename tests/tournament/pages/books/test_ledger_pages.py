"""The books on pages: what players won, pots, statements line by line, balances as of a moment, and
CSV.
"""

import csv
import io
import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from ledger import accounts
from scoring.commands import Undo
from scoring.errors import NotationError
from scoring.precedence.commands import MakeBid, OpenHand
from tests.tournament.helpers.played import PLAYERS, game_at, hand, record
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.tables import recorded
from tournament.formats.local.dates import date_text
from tournament.models import Game, Player, Salon
from tournament.projections.background import catch_up
from tournament.queries.game_as_of import AsOf, read_as_of
from tournament.queries.table import began_at
from tournament.tasks import PROJECTIONS

EVENING = datetime(2026, 10, 31, 22, 50, tzinfo=UTC), datetime(2026, 11, 1, 0, 40, tzinfo=UTC)


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


@pytest.fixture
def game(salon: Salon) -> Game:
    """Hand 1 closed at 19:31, hand 2 open with a bid of 3 at 19:41."""
    begun = game_at(salon, at="2026-10-31T19:20:00+00:00")
    record(begun, *hand("N", (4, 3, 3, 4), (9, 4)), at="2026-10-31T19:31:00+00:00")
    record(begun, OpenHand(dealer="E"), at="2026-10-31T19:40:10+00:00")
    record(begun, MakeBid(seat="S", tricks=3), at="2026-10-31T19:41:30+00:00")
    return begun


def test_a_new_salon_has_no_chips_and_is_balanced(browser: Client) -> None:
    page = words(browser.get("/ledger/").text)

    assert "No chip has moved yet" in page
    assert "All accounts of the salon together 0 Balanced" in page


def test_the_ledger_lists_what_each_player_won_and_the_pots_that_hold_chips(
    browser: Client, game: Game
) -> None:
    page = words(browser.get("/ledger/").text)

    chips = {
        seat: balance.chips
        for balance in accounts.accounts_of(game.salon.log_id, stream=game.pk)
        if (seat := balance.key) in PLAYERS
    }
    for seat, name in PLAYERS.items():
        assert f"{name} 1 {chips[seat]:+}".replace("-", "−") in page
    assert "Accord Pot Table 4, 31 October 2026, still playing 20" in page
    assert "Hand Pot Table 4, 31 October 2026, still playing 7" in page
    assert "This game is over" not in page


def test_a_game_without_a_given_day_has_that_on_which_it_began(
    browser: Client, salon: Salon, game: Game
) -> None:
    Game.objects.filter(pk=game.pk).update(played_on=None)

    page = words(browser.get("/ledger/").text)

    day = date_text(began_at(game).date())
    assert f"Accord Pot Table 4, {day}, still playing 20" in page
    assert f"The books of a game Table 4, {day}" in page


@pytest.mark.parametrize(
    ("option", "said"),
    [("leave", "left in the pot by the house rules of this game"), ("split", "")],
)
def test_a_pot_that_the_house_rules_leave_at_the_end_is_no_fault(
    browser: Client, salon: Salon, option: str, said: str
) -> None:
    hands = [
        {"dealer": dealer, "declarer": None} for dealer in "ACB"
    ]  # nobody bids: the antes stay
    players = {"A": "Ash", "B": "Birch", "C": "Cedar"}
    value = {
        "format": "salon-record/1",
        "id": "left",
        "game": "contract_sabacc",
        "players": players,
        "hands": hands,
    }
    recorded(salon, value | {"options": {"ante_pot_end": option}})
    assert Game.objects.get(salon=salon).finished

    page = words(browser.get("/ledger/").text)

    assert ("Pots that are not empty" in page) == (option == "leave")
    assert said in page
    assert "should be empty" not in page


def test_what_the_bank_gave_is_not_won(browser: Client, salon: Salon) -> None:
    game_at(salon, opening_chips=60)

    assert "Brass Otter 1 −5" in words(browser.get("/ledger/").text)
    player = Player.objects.get(name="Brass Otter")
    page = words(browser.get(f"/ledger/players/{player.pk}/").text)
    assert "Brass Otter 55 Won or lost at play: −5." in page
    assert "Chips at the start" in page


def test_a_games_accounts_are_in_the_order_of_the_table_and_add_up_to_0(
    browser: Client, game: Game
) -> None:
    page = words(browser.get(f"/ledger/games/{game.pk}/").text)

    assert re.search(
        (
            r"Brass Otter, North .* Paper Comet, East .* Velvet Heron, South .* Copper "
            r"Badger, West .* Accord Pot 20 Hand Pot 7 Sum 0"
        ),
        page,
    )
    assert "Balanced" in page


@pytest.mark.parametrize(
    ("moment", "pots"),
    [
        ("19:20", (20, 0)),
        ("19:31", (20, 0)),
        ("19:40", (20, 4)),
        ("19:41:29", (20, 4)),
        ("19:41", (20, 7)),
        ("2026-10-31 19:40", (20, 4)),
        ("10", (20, 4)),
    ],
)
def test_balances_are_shown_as_of_a_time_or_an_entry(
    browser: Client, game: Game, moment: str, pots: tuple[int, int]
) -> None:
    page = words(browser.get(f"/ledger/games/{game.pk}/", {"as_of": moment}).text)

    assert "Accounts as of " in page
    assert f"Accord Pot {pots[0]} Hand Pot {pots[1]} Sum 0" in page


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("noon", "“noon” is neither a time like 19:41 nor a line like 4409."),
        ("25:00", "There is no time 25:00; 0:00 to 23:59 are times."),
        ("2026-13-01 12:00", "There is no time 2026-13-01 12:00"),
        ("99 999", "There is no line 99 999; the salon has lines 1 to 29."),
        ("0", "There is no line 0;"),
    ],
)
def test_a_moment_that_cannot_be_read_is_refused_with_its_reason(
    browser: Client, game: Game, typed: str, why: str
) -> None:
    player = Player.objects.get(name="Brass Otter")
    for address in (
        f"/ledger/games/{game.pk}/",
        f"/ledger/games/{game.pk}/N/",
        f"/ledger/players/{player.pk}/",
    ):
        answer = browser.get(address, {"as_of": typed})

        assert answer.status_code == 400
        assert why in words(answer.text)
        assert f'value="{typed}"' in answer.text


def test_a_statement_names_what_each_line_was_for(browser: Client, game: Game) -> None:
    page = words(browser.get(f"/ledger/games/{game.pk}/S/").text)

    assert "Bid of 3 hand 2, 19:41, Hand Pot , P12 P12 29 −3" in page
    assert "Ante to the Hand Pot hand 2, 19:40, Hand Pot , P4" in page
    assert "Share of the Hand Pot hand 1, 19:31, Hand Pot , P22 P22" in page
    assert "Accord stake 19:20, Accord Pot , P3" in page


def test_each_line_leads_to_its_entry_in_the_history(browser: Client, game: Game) -> None:
    text = browser.get(f"/ledger/games/{game.pk}/S/").text

    links = re.findall(rf'href="(/games/{game.pk}/history/\?at=\d+)">([^<]+)<', text)
    assert len(links) == 6
    assert (
        "South bids 3"
        in words(browser.get(links[0][0]).text).partition("The board is shown as it was here")[2][
            :40
        ]
    )


def test_the_running_balance_is_the_ledgers(browser: Client, game: Game) -> None:
    lines = accounts.statement(game.salon.log_id, stream=game.pk, key="hand")

    rows = list(
        csv.DictReader(io.StringIO(browser.get(f"/ledger/games/{game.pk}/hand/?format=csv").text))
    )

    assert [(int(row["entry"]), int(row["chips"]), int(row["balance"])) for row in rows] == [
        (line.position, line.chips, line.balance) for line in lines
    ]
    assert [row["what"] for row in rows[:5]] == ["Ante to the Hand Pot"] * 4 + ["Bid of 3"]
    assert rows[-1]["time"] == "2026-10-31T19:41:30+00:00"


def test_what_was_taken_back_is_called_what_it_was(browser: Client, game: Game) -> None:
    record(game, Undo(version=game.version - 1))

    page = words(browser.get(f"/ledger/games/{game.pk}/S/").text)

    assert "Taken back: Bid of 3 hand 2" in page


def test_a_statement_can_be_downloaded_as_of_a_moment(browser: Client, game: Game) -> None:
    answer = browser.get(f"/ledger/games/{game.pk}/S/?as_of=19:31&format=csv")

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="velvet-heron-south.csv"'
    assert [row["hand"] for row in csv.DictReader(io.StringIO(answer.text))] == ["", "1", "1", "1"]


def test_no_cell_is_a_formula_for_a_spreadsheet(browser: Client, game: Game) -> None:
    Player.objects.filter(name="Velvet Heron").update(name='=HYPERLINK("http://evil.example")')

    rows = list(
        csv.DictReader(io.StringIO(browser.get(f"/ledger/games/{game.pk}/S/?format=csv").text))
    )

    assert rows[0]["account"].startswith("'=HYPERLINK")
    assert rows[0]["chips"] == "-5"


def test_a_players_statement_runs_over_all_games(browser: Client, salon: Salon, game: Game) -> None:
    game_at(salon, "5")
    player = Player.objects.get(name="Velvet Heron")

    page = words(browser.get(f"/ledger/players/{player.pk}/").text)

    lines = accounts.statement_of_owners(salon.log_id, [player.pk])
    assert f"Velvet Heron {lines[-1].balance}".replace("-", "−") in page
    assert page.count("Accord stake") == 2
    assert "Table 5, 31 Oct" not in page  # it was recorded now, not that evening
    assert "Table 4, hand 2, 31 Oct 2026 19:41" in page


def test_long_statements_come_in_pages_without_a_gap(browser: Client, salon: Salon) -> None:
    game = game_at(salon)
    for dealer in "NESW" * 4:
        record(game, *hand(dealer, (1, 1, 1, 1), (7, 6)))
    lines = accounts.statement(salon.log_id, stream=game.pk, key="hand")

    found: list[int] = []
    query: str | None = ""
    while query is not None:
        text = browser.get(f"/ledger/games/{game.pk}/hand/{query}").text
        found += [
            int(entry.replace("\u00a0", ""))
            for entry in re.findall(r'<td class="wide r muted">([^<]+)<', text)
        ]
        more = re.search(r'href="(\?before=\d+)">Earlier', text)
        query = more.group(1) if more else None

    assert found == [line.position for line in reversed(lines)]
    assert len(found) > 100


def test_an_account_that_the_game_does_not_have_is_not_found(browser: Client, game: Game) -> None:
    assert browser.get(f"/ledger/games/{game.pk}/X/").status_code == 404
    assert browser.get(f"/ledger/games/{'0' * 32}/").status_code == 404
    assert browser.get("/ledger/players/nobody/").status_code == 404


def test_a_players_page_shows_results_partners_and_opponents(browser: Client, salon: Salon) -> None:
    game = game_at(salon, hands_limit=1)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    game_at(salon, "5")
    catch_up(salon.log, PROJECTIONS)
    player = Player.objects.get(name="Brass Otter")

    owners, anyones = (
        words(browser.get(f"/players/{player.pk}/").text),
        words(Client().get(f"/players/{player.pk}/").text),
    )

    assert "Brass Otter Plays at table 5 1 of 1 game won." in owners
    assert "with Velvet Heron, against Paper Comet and Copper Badger" in owners
    assert "72 : −70" in owners
    assert "Partners With Games Won Velvet Heron 1 1" in owners
    assert "Met most often Against Games Won Copper Badger 1 1 Paper Comet 1 1" in owners
    assert "Chips in all" in owners
    assert "72 : −70" in anyones
    assert "Chips" not in anyones


@pytest.mark.parametrize(
    ("typed", "day", "clock"),
    [
        ("23:10", 31, (23, 10, 59)),
        ("0:15", 1, (0, 15, 59)),
        ("00:15:07", 1, (0, 15, 7)),
        ("2:00", 1, (2, 0, 59)),
        ("22:00", 1, (22, 0, 59)),
    ],
)
def test_a_time_without_a_day_is_one_of_the_evening(
    typed: str, day: int, clock: tuple[int, int, int]
) -> None:
    began, ended = EVENING
    as_of = read_as_of(typed, head=10, began=began, ended=ended)

    assert as_of is not None
    assert as_of.occurred_at is not None
    moment = datetime.fromtimestamp(as_of.occurred_at // 1_000_000, UTC)
    assert (moment.day, (moment.hour, moment.minute, moment.second)) == (day, clock)


def test_nothing_typed_is_no_moment() -> None:
    assert read_as_of("  ", head=10, began=EVENING[0], ended=EVENING[1]) is None


def test_an_entry_is_a_moment_with_all_before_it() -> None:
    as_of = read_as_of("4 409", head=5000, began=EVENING[0], ended=EVENING[1])

    assert isinstance(as_of, AsOf)
    assert as_of.covers(position=4409, occurred_at=0)
    assert not as_of.covers(position=4410, occurred_at=0)


def test_a_moment_beyond_the_log_is_no_moment() -> None:
    with pytest.raises(NotationError, match="lines 1 to 10"):
        read_as_of("11", head=10, began=EVENING[0], ended=EVENING[1])
