"""The rules in the page of a table: the same numbers as on the server, without the server, by the
same code; and sums alone wherever they can't be had.
"""

from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from tests.browser.https_service import CONTROLLED, KEPT, signed_in
from tests.browser.https_service import secure as secure
from tests.browser.https_service import trusting as trusting
from tests.browser.line import Line
from tests.browser.looking import DESK_BY_NIGHT, PHONE_BY_DAY, look_here
from tests.browser.outbox import badge, hands, leaving, packed
from tests.browser.page_rules import PATIENT, SCORED, digests, taken_offline, with_rules
from tests.browser.page_rules import laid as laid
from tests.browser.page_rules import phone as phone
from tests.browser.sheets import (
    a_deal_of_preference,
    a_deal_of_sabacc,
    a_sheet_of_preference,
    a_sheet_of_sabacc,
    fill_hand,
)
from tests.material import MATERIAL
from tests.scoring.sample_games import RECORDED, SAMPLES
from tests.tournament.helpers.page_python import package_file
from tests.tournament.helpers.playing import a_game, bidding
from tests.tournament.helpers.running import Running, wait_for
from tests.tournament.helpers.salons import opened_salon
from tournament.models import Game, Hand, Salon
from tournament.server.browser_python.pyodide import lay_package

pytestmark = [pytest.mark.browser, pytest.mark.pyodide]


def test_sample_games_come_to_the_same_digests_in_the_page(phone: Page, salon: Salon) -> None:
    bidding(salon)
    taken_offline(phone)
    for name in RECORDED:
        texts, expected = digests(SAMPLES, name)

        assert phone.evaluate(SCORED, texts) == expected, name


@pytest.mark.long
@pytest.mark.parametrize("name", RECORDED)
def test_all_games_of_the_material_come_to_the_same_digests_in_the_page(
    phone: Page, salon: Salon, name: str
) -> None:
    bidding(salon)
    taken_offline(phone)
    phone.set_default_timeout(PATIENT)
    texts, expected = digests(MATERIAL, name)
    for place in range(0, len(texts), 20):
        found = phone.evaluate(SCORED, texts[place : place + 20])
        assert found == expected[place : place + 20], place


def a_hand_of_precedence(salon: Salon) -> Game:
    return bidding(salon, target_score=1000)


def a_sheet_of_precedence(page: Page) -> None:
    fill_hand(page, tricks=8)


def wrong_precedence(page: Page) -> None:
    fill_hand(page, bids="9393")


def wrong_preference(page: Page) -> None:
    a_sheet_of_preference(page)
    page.locator('#packsheet [id="tricks.C"]').fill("3")


def wrong_sabacc(page: Page) -> None:
    a_sheet_of_sabacc(page)
    page.locator("#packsheet #points").fill("92")


def shown(page: Page, attribute: str) -> dict[str, str]:
    """What stands in the sheet's result, by side."""
    found: dict[str, str] = page.evaluate(
        """name => Object.fromEntries([...document.querySelectorAll(
          `#packresult [data-part=after] [data-${name}]`)].map(
          (each) => [each.dataset[name], each.textContent]))""",
        attribute,
    )
    return found


@pytest.mark.parametrize(
    ("begun", "write", "wrong", "words"),
    [
        pytest.param(
            a_hand_of_precedence, a_sheet_of_precedence, wrong_precedence,
            "a contract is at most 13", id="precedence",
        ),
        pytest.param(
            a_deal_of_preference, a_sheet_of_preference, wrong_preference,
            "a hand has 10", id="preference", marks=pytest.mark.long,
        ),
        pytest.param(
            a_deal_of_sabacc, a_sheet_of_sabacc, wrong_sabacc, "91", id="sabacc",
        ),
    ],
)  # fmt: skip
def test_a_sheet_without_the_server_shows_what_the_server_will_say(
    tablet: Page,
    line: Line,
    salon: Salon,
    begun: Callable[[Salon], Game],
    write: Callable[[Page], None],
    wrong: Callable[[Page], None],
    words: str,
) -> None:
    game = begun(salon)
    leaving(tablet)
    taken_offline(tablet)
    line.cut()
    tablet.goto("/tables/4/pack/")
    with_rules(tablet)

    wrong(tablet)
    expect(tablet.locator("#packresult [data-part=problem]")).to_contain_text(words)
    expect(tablet.locator("#packfield")).to_contain_text(words)
    write(tablet)
    expect(tablet.locator("#packresult [data-part=after]")).to_be_visible()
    expect(tablet.locator("#packfield")).to_have_count(0)
    scores, gains = shown(tablet, "score"), shown(tablet, "gain")
    tablet.locator("[data-keep]").click()
    expect(tablet.locator("#packkept [data-by=rules]")).to_be_visible()
    badge(tablet, "1 not sent")
    expect(tablet.locator("#packresult [data-part=before] [data-one]")).to_be_visible()
    assert hands(game) == 0
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert {side: plain(text) for side, text in scores.items()} == game.state["score"]
    (result,) = Hand.objects.filter(game=game).values_list("result", flat=True)
    counted = result["result"]
    won = counted["points"] if isinstance(counted.get("points"), dict) else counted["chips"]
    assert {side: plain(text) for side, text in gains.items()} == won


def plain(text: str) -> int:
    return int(text.replace("\u2212", "-").replace("\u00a0", ""))


def test_hands_kept_one_after_the_other_count_in_the_score(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = a_hand_of_precedence(salon)
    leaving(tablet)
    taken_offline(tablet)
    line.cut()
    for number in (1, 2, 3):
        expect(tablet.locator("#packsheet h1")).to_have_text(f"Hand {number}, from the sheet")
        fill_hand(tablet, tricks=6 + number)
        expect(tablet.locator("#packresult [data-part=after]")).to_be_visible()
        expected = shown(tablet, "score")
        tablet.locator("[data-keep]").click()
    before = tablet.locator("#packresult [data-part=before]")
    expect(before.locator("[data-many]")).to_contain_text("After 3 hands kept here:")
    found = dict(zip(expected, before.locator("[data-score]").all_text_contents(), strict=True))
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert found == expected
    assert {side: plain(text) for side, text in found.items()} == game.state["score"]


def test_what_the_rules_refuse_is_kept_only_knowingly_and_sums_go_on_from_there(
    tablet: Page, line: Line, salon: Salon
) -> None:
    a_hand_of_precedence(salon)
    leaving(tablet)
    taken_offline(tablet)
    line.cut()
    wrong_precedence(tablet)
    tablet.locator("[data-keep]").click()
    look_here(tablet, PHONE_BY_DAY, DESK_BY_NIGHT)
    expect(tablet.locator("#packrefused")).to_contain_text("a contract is at most 13")
    badge(tablet, "All sent")
    tablet.get_by_role("button", name="Keep it anyway").click()
    expect(tablet.locator("#packkept [data-by=nobody]")).to_be_visible()
    badge(tablet, "1 not sent")
    expect(tablet.locator("#packrules [data-state=astray]")).to_contain_text(
        "Hand 1 was kept against the rules."
    )

    fill_hand(tablet)
    expect(tablet.locator("#packresult")).to_have_count(0)
    tablet.locator("[data-keep]").click()
    expect(tablet.locator("#packkept [data-by=sums]")).to_be_visible()
    badge(tablet, "2 not sent")


def test_hands_kept_before_the_rules_came_count_too(phone: Page, salon: Salon) -> None:
    a_hand_of_precedence(salon)
    leaving(phone)
    phone.goto("/tables/4/pack/")
    phone.route("**/outbox/", lambda route: route.abort())
    fill_hand(phone, tricks=8)
    phone.locator("[data-keep]").click()
    expect(phone.locator("#packkept [data-by=sums]")).to_be_visible()
    badge(phone, "1 not sent")
    phone.get_by_role("button", name="Take this table offline").click()

    before = phone.locator("#packresult [data-part=before]")
    expect(before).to_be_visible(timeout=PATIENT)
    assert before.locator("[data-score]").all_text_contents() == ["71", "50"]
    expect(phone.locator("#packrules [data-state=here]")).to_be_visible()


def test_what_is_not_all_written_is_not_kept(phone: Page, salon: Salon) -> None:
    a_game(salon)
    taken_offline(phone)
    phone.locator('#packsheet [id="bids.N"]').fill("4")
    phone.locator("[data-keep]").click()

    expect(phone.locator("#packresult [data-part=missing]")).to_contain_text("is missing")
    badge(phone, "All sent")


def test_a_worker_that_dies_leaves_the_sums(phone: Page, salon: Salon) -> None:
    game = a_hand_of_precedence(salon)
    phone.route("**/page-rules/rules-*/**", lambda route: route.fulfill(status=404))
    phone.goto("/tables/4/pack/")
    phone.get_by_role("button", name="Take this table offline").click()

    expect(phone.locator("#packrules [data-state=failed]")).to_be_visible(timeout=PATIENT)
    fill_hand(phone)
    phone.locator("[data-keep]").click()
    expect(phone.locator("#packkept [data-by=sums]")).to_be_visible()
    badge(phone, "All sent")
    assert hands(game) == 1


@pytest.mark.long
def test_a_worker_that_says_nothing_any_more_holds_up_no_hand(phone: Page, salon: Salon) -> None:
    game = a_hand_of_precedence(salon)
    taken_offline(phone)
    phone.evaluate("() => { pageRules.ask = () => new Promise(() => undefined); }")
    fill_hand(phone)
    phone.locator("[data-keep]").click()

    expect(phone.locator("#packkept [data-by=sums]")).to_be_visible()
    badge(phone, "All sent")
    assert hands(game) == 1


def test_nothing_of_it_is_fetched_before_it_is_asked_for(phone: Page, salon: Salon) -> None:
    a_hand_of_precedence(salon)
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto("/tables/4/")
    packed(phone)
    phone.goto("/tables/4/pack/")
    expect(phone.get_by_role("button", name="Take this table offline")).to_be_visible()
    phone.wait_for_timeout(500)

    assert [url for url in asked if "page-rules" in url] == []
    assert phone.locator("#packbegun").count() == 0
    assert Client().get("/tables/4/pack/").status_code in (302, 403)


@pytest.mark.long
def test_over_https_the_worker_of_the_salon_keeps_the_rules_too(
    secure: Running, trusting: Page
) -> None:
    """Also where the browser's own cache has nothing of them any more."""
    lay_package(package_file().read_bytes(), secure.folder / "python-for-pages")
    salon = opened_salon()
    bidding(salon, target_score=1000)
    complaints: list[str] = []
    trusting.on("console", lambda said: complaints.append(said.text))
    trusting.goto("/sign-in/")
    signed_in(trusting, salon)
    trusting.goto("/tables/4/")
    trusting.wait_for_function(CONTROLLED)
    taken_offline(trusting)
    assert wait_for(lambda: trusting.evaluate(KEPT, "/tables/4/pack/"))
    trusting.context.new_cdp_session(trusting).send("Network.clearBrowserCache")
    secure.end()

    trusting.goto("/tables/4/pack/")
    with_rules(trusting)
    fill_hand(trusting, tricks=8)
    expect(trusting.locator("#packresult [data-part=after]")).to_be_visible()
    assert shown(trusting, "score") == {"NS": "71", "EW": "50"}
    assert [text for text in complaints if "Content Security" in text] == []


def test_the_rules_come_by_themselves_where_the_line_costs_nothing(
    phone: Page, salon: Salon
) -> None:
    bidding(salon)
    phone.goto("/tables/4/")
    expect(phone.locator('#pad [data-rules="here"]')).to_be_visible(timeout=PATIENT)
    packed(phone)
    phone.goto("/tables/4/pack/")
    with_rules(phone)


def test_on_a_line_that_is_paid_the_rules_are_offered_as_the_game_begins(
    phone: Page, salon: Salon
) -> None:
    a_game(salon)
    saving = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"
    phone.add_init_script(saving)
    phone.goto("/tables/4/")
    packed(phone)

    expect(phone.locator('#pad [data-rules="offer"]')).to_be_visible()
    phone.wait_for_timeout(7_000)
    expect(phone.locator('#pad [data-rules="offer"]')).to_be_visible()
    assert not any(cookie["name"] == "rules-here" for cookie in phone.context.cookies())
