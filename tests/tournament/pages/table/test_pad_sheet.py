"""The running score sheet on the pad: the last hands in paper's columns, each number leading to its
explanation.
"""

import re
from collections.abc import Sequence

import pytest
from django.test import Client

from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import scorer_at
from tests.tournament.pages.table.sheets.tables import HANDS, KINDS, after_a_hand, started
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, record_sheet


def sheet_of(page: str) -> str:
    begins = page.index('class="padsheet')
    return page[begins : page.index("</section>", begins)]


def again(game: Game) -> Game:
    """One hand more, like the first."""
    hand = {key: value for key, value in HANDS[game.kind].items() if key != "dealer"}
    sheet = GAMES[game.kind].read_sheet(hand, GAMES[game.kind].read_rules({}))
    record_sheet(
        game.salon, game.pk, sheet, actor="table:4", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    return game


@pytest.mark.parametrize("kind", KINDS)
def test_the_pad_shows_the_last_hands_and_each_number_opens_its_explanation(
    salon: Salon, owner: Client, kind: str
) -> None:
    game = after_a_hand(salon, kind)

    part = sheet_of(owner.get("/tables/4/").text)

    assert 'hx-boost="false"' in part
    assert part.count(f'href="/games/{game.pk}/?hand=1#why"') == 1 + len(
        GAMES[kind].teams or min(GAMES[kind].seatings, key=len)
    )
    fewest: Sequence[str] = min(GAMES[kind].seatings, key=len)
    sides = list(GAMES[kind].teams or fewest)
    assert re.findall(rf'href="/games/{game.pk}/numbers/score\.(\w+)/"', part) == sides
    for address in re.findall(r'href="(/games/[^"#]*)', part):
        assert owner.get(address).status_code == 200


def test_hands_stand_in_papers_columns_with_the_score_after_each(salon: Salon) -> None:
    again(after_a_hand(salon, "precedence"))

    words = told(scorer_at(salon, "4").get("/tables/4/"))

    sheet = words[words.index("The last hands") :]
    assert sheet.index("+71") < sheet.index("142")
    assert "2 , explained" in sheet


def test_only_the_last_six_hands_stand_there_the_latest_first(salon: Salon, owner: Client) -> None:
    game = after_a_hand(salon, "order_of_precedence")
    for _deal in range(7):
        again(game)

    hands = re.findall(r"\?hand=(\d+)#why", sheet_of(owner.get("/tables/4/").text))

    assert list(dict.fromkeys(hands)) == ["8", "7", "6", "5", "4", "3"]


def test_before_the_first_hand_there_is_no_sheet(salon: Salon, owner: Client) -> None:
    started(salon, "precedence")

    assert "padsheet" not in owner.get("/tables/4/").text


def test_the_sheet_stays_while_a_hand_is_open(salon: Salon, owner: Client) -> None:
    game = after_a_hand(salon, "preference")
    act = GAMES["preference"].acts["hands"]({}, GAMES["preference"].read_rules({}))
    record_acts(salon, game.pk, [act], actor="table:4", command=a_command(), version=game.version)

    assert "?hand=1#why" in sheet_of(owner.get("/tables/4/").text)
