"""Every number of a board opens its explanation: amounts that add up to it, their rules, and the
entries behind them.
"""

import re

import pytest
from django.test import Client

from scoring.commands import AdjustPoints, Undo
from scoring.precedence.commands import DeclareMeld
from tests.scoring.sample_games import SAMPLE_FILES as FILES
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import owner_of, scorer_at
from tests.tournament.helpers.tables import everything, lines_of, recorded
from tournament.models import Game, Salon
from tournament.queries.number_explanations import explained
from tournament.salons.public_names import Audience
from tournament.streams.acts import moments_of

SAMPLES = (
    "precedence_games",
    "preference_simulated",
    "contract_sabacc_tarot",
    "order_of_precedence_games",
)


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


def codes(table: dict[str, dict[str, int]]) -> list[str]:
    """The numbers that a table shows."""
    return [
        f"{which}.{key}"
        for which in ("score", "excess", "chips", "pots")
        for key in table.get(which, {})
    ]


@pytest.mark.parametrize("sample", [*SAMPLES, "everything"])
def test_the_amounts_add_up_to_every_number_of_every_game(salon: Salon, sample: str) -> None:
    path = next((path for path in FILES if path.stem == sample), None)
    recorded(salon, lines_of(path)[0] if path else everything())
    row = Game.objects.get()
    moments = moments_of(salon.log_id, row.pk)

    for upto in (len(moments), len(moments) // 2, 1):
        table = moments[upto - 1].after
        for code in codes(table):
            which, _dot, key = code.partition(".")
            found = explained(row, moments[:upto], code, Audience.SALON, linked=False)
            assert (
                sum(line.amount for part in found.parts for line in part.lines)
                == found.total
                == table[which][key]
            ), code


def test_a_score_names_its_rules_its_facts_and_its_arithmetic(
    browser: Client, salon: Salon
) -> None:
    game = game_at(salon)
    acts = hand("N", (2, 3, 1, 0), (13, 0))
    record(game, acts[0], DeclareMeld(seat="S", kind="triad", cards=("EV", "EF", "EB")), *acts[1:])
    record(
        game,
        hand("E", (1, 0, 0, 0), (1, 12))[0],
        AdjustPoints(side="NS", points=-10, by="Elder", reason="A card was seen."),
    )

    page = words(browser.get(f"/games/{game.pk}/numbers/score.NS/").text)
    assert "Score of North–South: −55" in page
    assert "Contract of 3 made P16 From 4 lines South bids 1 line" in page
    assert "+30" in page
    assert "Melds shown P16 From one line South shows a triad" in page
    assert "Imperial Audit at 10 Excess, 0 left P19" in page
    assert "−100" in page

    excess = words(browser.get(f"/games/{game.pk}/numbers/excess.NS/").text)
    assert "Excess of North–South: 0" in excess
    assert "+10" in excess
    assert "−10" in excess


def test_chips_leave_out_what_was_taken_back(browser: Client, salon: Salon) -> None:
    game = game_at(salon)
    acts = hand("N", (4, 3, 3, 4), (9, 4))
    record(game, acts[0], acts[1], Undo(version=11), *acts[1:])

    page = words(browser.get(f"/games/{game.pk}/numbers/chips.E/").text)

    assert page.count("Bid of 3 P12") == 1
    assert "Accord stake P3" in page


def test_a_number_is_shown_as_of_a_step(browser: Client, salon: Salon) -> None:
    game = game_at(salon)
    closed = record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, *hand("E", (2, 3, 2, 3), (6, 7)))

    assert "Score of North–South: 114" in words(
        browser.get(f"/games/{game.pk}/numbers/score.NS/").text
    )
    then = words(browser.get(f"/games/{game.pk}/numbers/score.NS/?at={closed}").text)
    assert "Score of North–South: 72" in then
    assert "Hand 2" not in then


def test_whoever_sees_the_board_may_open_a_number_and_only_readers_of_the_history_its_entries(
    salon: Salon,
) -> None:
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))

    address = f"/games/{game.pk}/numbers/score.NS/"
    assert address in Client().get(f"/games/{game.pk}/").text
    assert " line" not in words(Client().get(address).text)
    assert "/history/?at=" not in Client().get(address).text
    assert "/history/?at=" in scorer_at(salon, "4").get(address).text


@pytest.mark.parametrize("code", ["score.X", "rumours.NS", "pots.bank", "score", "chips.", "-"])
def test_a_number_that_the_game_has_not_got_is_not_found(
    browser: Client, salon: Salon, code: str
) -> None:
    assert browser.get(f"/games/{game_at(salon).pk}/numbers/{code}/").status_code == 404


def test_every_number_of_the_board_leads_to_its_explanation(browser: Client, salon: Salon) -> None:
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))

    board = browser.get(f"/games/{game.pk}/").text
    table = Game.objects.get(pk=game.pk).state
    for code in codes(table):
        assert f"/numbers/{code}/" in board, code
        assert browser.get(f"/games/{game.pk}/numbers/{code}/").status_code == 200


def test_the_column_of_each_part_adds_up_from_what_was_there_before(
    browser: Client, salon: Salon
) -> None:
    game = game_at(salon)
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    record(game, *hand("E", (2, 3, 2, 3), (6, 7)))

    page = words(browser.get(f"/games/{game.pk}/numbers/score.NS/").text)
    assert "Hand 2 Before it 72 Contract of 4 made" in page
    assert page.count("Before it") == 1
    board = words(browser.get(f"/games/{game.pk}/?hand=2").text)
    assert "North–South Before this hand 72 Made 4 with 6 tricks" in board


@pytest.mark.parametrize("sample", ["preference_simulated", "contract_sabacc_tarot"])
def test_the_rows_of_every_column_of_chips_add_up(
    browser: Client, salon: Salon, sample: str
) -> None:
    for record_of_game in lines_of(next(path for path in FILES if path.stem == sample))[:1]:
        recorded(salon, record_of_game)
    for row in Game.objects.all():
        cells = columns_of_hands(browser.get(f"/games/{row.pk}/").text)
        for column in cells:
            assert sum(column[:-1]) == column[-1], row.pk


def columns_of_hands(page: str) -> list[list[int]]:
    """The chips of each seat in the table of hands, row by row, the sum last."""
    table = page[page.index('id="hands"') : page.index("</table>", page.index('id="hands"'))]
    rows = [
        [re.sub(r"<[^>]*>|\s", " ", cell).split()[0] for cell in cells[:-1]]
        for cells in (
            re.findall(r'<td class="r[^"]*">(.*?)</td>', row, re.DOTALL)
            for row in table.split("<tr")[2:]
        )
    ]
    numbers = [[int(cell.replace("−", "-")) for cell in row] for row in rows]
    return [list(column) for column in zip(*numbers, strict=True)]
