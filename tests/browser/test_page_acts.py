"""A table goes on act by act without the server, by the rules on its phone: what may come next is
what the server would offer, and all of it arrives once, in order.
"""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.key_places import Places
from tests.browser.line import Line
from tests.browser.looking import DESK_BY_NIGHT, OVERLAPS, PHONE, PHONE_BY_DAY, fits, look_here
from tests.browser.outbox import badge, leaving
from tests.browser.page_rules import laid as laid
from tests.browser.page_rules import phone as phone
from tests.browser.page_rules import taken_offline, with_rules
from tests.browser.sheets import a_deal_of_preference, a_deal_of_sabacc
from tests.tournament.helpers.playing import bidding, done, playing
from tournament.models import Game, Hand, Salon

TWICE = 300  # milliseconds, a little longer than pack-acts.js has it
pytestmark = [pytest.mark.browser, pytest.mark.pyodide]

SLOW_RULES = """() => {
  const { ask } = pageRules;
  const late = () => new Promise((resolve) => setTimeout(resolve, 150));
  pageRules.ask = async (...asked) => [await late(), await ask(...asked)][1];
}"""
# Each question that stood there, one after the other.
ASKED = """() => {
  window.asked = [];
  const note = () => {
    const said = document.querySelector("#packacts .ask")?.textContent.trim().replace(/\\s+/g, " ");
    if (said && said !== asked.at(-1)) asked.push(said);
  };
  const whole = { childList: true, subtree: true };
  new MutationObserver(note).observe(document.getElementById("packacts"), whole);
  note();
}"""
# The server answers late, and what is kept stands when all before it has gone out.
SENT_MEANWHILE = """() => {
  const { fetch } = window, { keep, kept } = outboxStore;
  const wait = () => new Promise((resolve) => setTimeout(resolve, 200));
  window.fetch = async (...asked) => [await wait(), await fetch(...asked)][1];
  outboxStore.keep = async (entry) => {
    while ((await kept(entry.stream)).length) await wait();
    return keep(entry);
  };
}"""
TAPPED_AT_ONCE = """seats => {
  for (const seat of seats) document.querySelector(`#packacts [value="${seat}"]`).click();
}"""


def act_by_act(page: Page, line: Line) -> None:
    """The rules are on this phone, the line is cut, and the table goes on act by act."""
    leaving(page)
    taken_offline(page)
    line.cut()
    page.goto("/tables/4/pack/")
    with_rules(page)
    page.get_by_role("button", name="Act by act").click()


def ask(page: Page, words: str) -> None:
    expect(page.locator("#packacts .ask")).to_have_text(words)


def tap(page: Page, name: str) -> None:
    """As a person taps: the same key so soon again would be no second tap."""
    page.wait_for_timeout(TWICE)
    page.locator("#packacts [data-question]").get_by_role("button", name=name, exact=True).click()


def go_to(page: Page, name: str) -> None:
    page.locator("#packacts [data-collections]").get_by_role("button", name=name).click()


def look_well(page: Page) -> None:
    """Axe finds nothing, by day and by night, and at twice the size no text lies over another."""
    look_here(page, PHONE_BY_DAY, DESK_BY_NIGHT)
    page.set_viewport_size(PHONE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(150)
    assert [*page.evaluate(OVERLAPS), *([] if fits(page) else ["wider than the window"])] == []
    page.evaluate("document.documentElement.style.fontSize = ''")


def scores(page: Page) -> dict[str, int]:
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('#packacts [data-scores] b')].map(
          (each) => [each.dataset.score, each.textContent]))"""
    )
    return {side: int(text.replace("\u2212", "-")) for side, text in found.items()}


def test_a_hand_of_precedence_goes_on_act_by_act_and_arrives_as_it_was_tapped(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = bidding(salon, target_score=1000)
    act_by_act(tablet, line)
    ask(tablet, "West bids")
    look_well(tablet)
    tablet.locator('#packacts .keys [value="2"]').click()
    ask(tablet, "North bids")
    tablet.locator('#packacts .keys [value="4"]').click()
    ask(tablet, "East bids")
    expect(tablet.locator('#packacts .keys [value="12"]')).to_be_disabled()
    tablet.locator('#packacts .keys [value="5"]').click()
    ask(tablet, "South bids")
    tablet.get_by_role("button", name="Undo").click()
    ask(tablet, "East bids")
    tap(tablet, "3")
    ask(tablet, "South bids")
    tap(tablet, "3")
    for trick, seat in enumerate("WNENSNEWNSNSN", start=1):
        ask(tablet, f"Who won trick {trick}?")
        tablet.locator(f'#packacts .compass [value="{seat}"]').click()
    ask(tablet, "Hand 2")
    found = scores(tablet)
    badge(tablet, "19 not sent")
    tablet.goto("/tables/4/pack/")
    with_rules(tablet)
    ask(tablet, "Hand 2")
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert game.state["score"] == found
    assert game.state["hands"] == 1
    assert game.state["undo"]["act"]["type"] == "precedence.trick_taken"


def test_taps_that_come_faster_than_the_rules_answer_count_each_on_its_question(
    tablet: Page, line: Line, salon: Salon
) -> None:
    playing(salon)
    act_by_act(tablet, line)
    ask(tablet, "Who won trick 1?")
    tablet.evaluate(SLOW_RULES)
    tablet.evaluate(TAPPED_AT_ONCE, "WNE")
    badge(tablet, "3 not sent")
    ask(tablet, "Who won trick 4?")
    expect(tablet.locator("#kept-list [data-words]")).to_have_text(
        ["West, trick 1", "North, trick 2", "East, trick 3"]
    )
    tablet.locator('#packacts .compass [value="S"]').dblclick()
    ask(tablet, "Who won trick 5?")
    badge(tablet, "4 not sent")


def test_without_the_server_a_hand_takes_as_few_taps_as_with_it(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = done(playing(salon, target_score=1000), "totals", NS=6, EW=7)
    act_by_act(tablet, line)
    for tricks, question in ((4, "East bids"), (3, "South bids"), (3, "West bids")):
        tap(tablet, str(tricks))
        ask(tablet, question)
    tap(tablet, "2")
    ask(tablet, "Who won trick 1?")
    expect(tablet.locator(".padtop h1")).to_contain_text("act by act")
    for trick, seat in enumerate("NEWNSENNE", start=2):
        tablet.wait_for_timeout(TWICE)
        tablet.locator(f'#packacts .compass [value="{seat}"]').click()
        ask(tablet, f"Who won trick {trick}?")
    tablet.locator('#packacts [aria-label="The rest are East–West’s"]').click()
    ask(tablet, "Hand 3")

    for tricks, question in ((4, "South bids"), (3, "West bids"), (3, "North bids")):
        tap(tablet, str(tricks))
        ask(tablet, question)
    tap(tablet, "2")
    go_to(tablet, "Totals")
    tap(tablet, "8 E–W 5")
    ask(tablet, "Hand 4")
    tablet.get_by_role("button", name="Undo").click()
    ask(tablet, "Tricks of North–South")
    look_well(tablet)
    tap(tablet, "7 E–W 6")
    line.back()

    badge(tablet, "All sent")
    results = Hand.objects.filter(game=game).order_by("number")
    assert [each.result["result"]["tricks"]["NS"] for each in results] == [6, 5, 7]


def test_with_the_line_no_question_stands_there_twice(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = playing(salon)
    leaving(tablet)
    taken_offline(tablet)
    tablet.get_by_role("button", name="Act by act").click()
    ask(tablet, "Who won trick 1?")
    tablet.evaluate(ASKED)
    for trick, seat in enumerate("WNESNWEN", start=1):
        ask(tablet, f"Who won trick {trick}?")
        tablet.locator(f'#packacts .compass [value="{seat}"]').click()
        badge(tablet, "All sent")

    ask(tablet, "Who won trick 9?")
    tablet.wait_for_timeout(5000)
    game.refresh_from_db()
    assert game.state["hand"]["trick"] == 9
    assert tablet.evaluate("asked") == [f"Who won trick {trick}?" for trick in range(1, 10)]


def test_an_act_made_after_one_that_was_sent_before_it_was_kept_comes_after_it(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = playing(salon)
    leaving(tablet)
    taken_offline(tablet)
    tablet.get_by_role("button", name="Act by act").click()
    ask(tablet, "Who won trick 1?")
    tablet.evaluate(SENT_MEANWHILE)
    tablet.evaluate(TAPPED_AT_ONCE, "WNE")

    ask(tablet, "Who won trick 4?")
    badge(tablet, "All sent")
    game.refresh_from_db()
    assert game.state["hand"]["winners"] == ["W", "N", "E"]


@pytest.mark.long
def test_what_a_meld_or_a_card_may_not_be_is_said_with_its_rule(
    tablet: Page, line: Line, salon: Salon
) -> None:
    bidding(salon)
    act_by_act(tablet, line)
    go_to(tablet, "Melds")
    look_well(tablet)
    for card in ("2V", "3V"):
        tablet.locator(f'#packacts label:has([data-card="{card}"])').click()
    tablet.locator('#packacts label:has([name="seat"][value="W"])').click()
    tap(tablet, "Show the meld")
    expect(tablet.locator("#packact-refused")).to_contain_text("3 or more cards of one suit")
    tablet.locator('#packacts label:has([data-card="4V"])').click()
    tap(tablet, "Show the meld")
    ask(tablet, "Show a meld")
    badge(tablet, "1 not sent")
    tablet.get_by_role("button", name="Undo").click()
    expect(tablet.locator("#kept-list [data-words]")).to_have_text(
        [
            re.compile("^Show the meld, West, Run, 2 of Void, 3 of Void, 4 of Void$"),
            re.compile("^Undo"),
        ]
    )
    expect(tablet.locator("#packact-refused")).to_be_hidden()


def test_a_trick_of_preference_is_laid_card_by_card(tablet: Page, line: Line, salon: Salon) -> None:
    game = a_deal_of_preference(salon)
    act_by_act(tablet, line)
    expect(tablet.locator("#packacts .ask")).to_contain_text("speaks")
    tablet.locator('#packacts [value="two"]').click()
    look_well(tablet)
    for _ in range(2):
        tap(tablet, "Pass")
    expect(tablet.locator("#packacts .ask")).to_contain_text("plays")
    tablet.locator('#packacts [value="two"]').click()
    ask(tablet, "Who defends?")
    tap(tablet, "Both go along")
    go_to(tablet, "Cards")
    look_well(tablet)
    for card in ("AH", "KH", "QH"):
        tablet.locator(f'#packacts [data-card="{card}"]').click()
    expect(tablet.locator("#packacts [data-question] [data-place]")).to_contain_text("trick 2")
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert game.state["hand"]["plays"] == [["AH", "KH", "QH"]]


@pytest.mark.long
def test_a_hand_of_sabacc_goes_on_act_by_act(tablet: Page, line: Line, salon: Salon) -> None:
    game = a_deal_of_sabacc(salon)
    act_by_act(tablet, line)
    expect(tablet.locator("#packacts .ask")).to_contain_text("calls")
    tablet.locator('#packacts [value="push"]').click()
    for _ in range(3):
        tap(tablet, "Pass")
    look_well(tablet)
    go_to(tablet, "Points")
    tablet.locator("#act-points").fill("92")
    tap(tablet, "End the hand")
    expect(tablet.locator("#packact-refused")).to_contain_text("91")
    tablet.locator("#act-points").fill("46")
    tap(tablet, "End the hand")
    ask(tablet, "Hand 2")
    expect(tablet.locator("#kept-list [data-words]").last).to_have_text(
        "End the hand, Card points 46"
    )
    found = scores(tablet)
    line.back()

    badge(tablet, "All sent")
    now = Game.objects.get(pk=game.pk)
    assert now.state["score"] == found
    assert now.state["hands"] == 1


def test_the_next_game_begins_act_by_act_with_the_drawn_dealer(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = done(playing(salon, target_score=50), "winners", seat="N")
    act_by_act(tablet, line)
    go_to(tablet, "Totals")
    tap(tablet, "8 E–W 5")
    ask(tablet, "This game is over.")
    drawn = tablet.locator("#packacts [data-drawn]").inner_text()
    tablet.get_by_role("button", name="Start the next game").click()
    ask(tablet, "Hand 1")
    expect(tablet.locator("#packacts [data-question]")).to_contain_text(drawn)
    expect(tablet.locator("#packacts [name=dealer]:checked")).to_have_count(1)
    look_well(tablet)
    tap(tablet, "Open the hand: Void is trump")
    for tricks in ("2", "4", "3", "3"):
        tablet.wait_for_timeout(TWICE)
        tablet.locator(f'#packacts .keys [value="{tricks}"]').click()
    ask(tablet, "Tricks of North–South")
    found = scores(tablet)
    tablet.goto("/tables/4/pack/")
    with_rules(tablet)
    ask(tablet, "Who won trick 1?")
    badge(tablet, "7 not sent")
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert game.finished
    follower = Game.objects.exclude(pk=game.pk).get()
    assert follower.state["score"] == found
    assert follower.state["hand"]["dealer"] in drawn.split(", ")[-1]
    ask(tablet, "Who won trick 1?")


@pytest.mark.parametrize(
    ("begun", "calls"),
    [
        (a_deal_of_preference, ["one", "two", "three", "pass"]),
        (a_deal_of_sabacc, ["take", "push", "pass"]),
    ],
)
def test_keys_of_calls_stay_where_they_are(
    tablet: Page, line: Line, salon: Salon, begun: Callable[[Salon], Game], calls: list[str]
) -> None:
    begun(salon)
    act_by_act(tablet, line)
    places = Places(tablet)
    for number, call in enumerate(calls):
        expect(tablet.locator("#packacts .calls--seq li:not(.blank)")).to_have_count(number)
        places.look()
        tablet.wait_for_timeout(TWICE)
        tablet.locator(f'#packacts [value="{call}"]').click()
    expect(tablet.locator("#kept-list > li")).to_have_count(len(calls))

    assert places.moved() == {}


def test_keys_of_cards_stay_where_they_are(tablet: Page, line: Line, salon: Salon) -> None:
    playing(salon)
    act_by_act(tablet, line)
    go_to(tablet, "Cards")
    places = Places(tablet)
    for card, question in (("2V", "North plays"), ("3V", "East plays"), ("4V", "South plays")):
        places.look()
        tablet.locator(f'#packacts [data-card="{card}"]').click()
        expect(tablet.locator("#packacts .ask span:visible").first).to_have_text(question)
    places.look()
    tablet.locator('#packacts [data-card="5V"]').click()
    expect(tablet.locator("#packacts [data-question] [data-place]")).to_contain_text("trick 2")
    places.look()

    assert places.moved() == {}
