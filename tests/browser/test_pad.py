"""Whole hands recorded by tapping, as at a table: by winners, by cards, by totals and from the
sheet.
"""

import pytest
from playwright.sync_api import Browser, FloatRect, Page, Route, expect

from scoring.precedence.seats import ROUND
from scoring.precedence.tricks import winner_of
from tests.browser.conftest import DESK, PATIENT_KEYS, visiting
from tests.browser.looking import EVERY_SIGHT, look
from tests.browser.scorer import Scorer
from tests.tournament.helpers.playing import SEATED, a_game, bidding, done, playing, state_of
from tests.tournament.helpers.salons import owner_of, scorer_at
from tournament.models import Game, Player, Salon
from tournament.streams.folds import fold_of

pytestmark = pytest.mark.browser


def test_a_hand_by_trick_winners_takes_25_taps_at_most(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    scorer = Scorer(phone)

    scorer.bid(W=2, N=4, E=3, S=3)
    for trick, seat in enumerate("NEWNSENNENSSE", 1):
        scorer.tap(
            f'.compass [value="{seat}"]',
            f"Who won trick {trick + 1}?" if trick < 13 else "Hand 1 is over",
        )
    scorer.tap("text=Open hand 2", "North bids")

    assert scorer.taps <= 25
    assert scorer.scores() == ["71", "50"]
    assert state_of(game)["score"] == {"NS": 71, "EW": 50}


def test_a_hand_by_totals_takes_12_taps_at_most(phone: Page, salon: Salon) -> None:
    bidding(salon)
    phone.goto("/tables/4/")
    scorer = Scorer(phone)

    scorer.bid(W=2, N=4, E=3, S=3)
    scorer.tap(".levels >> text=Totals", "Tricks of North–South")
    scorer.tap('[data-key="6"]', "Hand 1 is over")
    scorer.tap("text=Open hand 2", "North bids")

    assert scorer.taps <= 12
    assert scorer.scores() == ["−70", "52"]


def dealt() -> list[list[str]]:
    """Thirteen tricks of a deal in which everybody holds one whole suit: North has the trumps and
    takes them all.
    """
    holdings = {
        seat: [rank + suit for rank in "23456789TOCPE"]
        for seat, suit in zip("NESW", "VFBC", strict=True)
    }
    leader, tricks = "W", []
    for _ in range(13):
        cards = [holdings[seat].pop() for seat in ROUND[leader]]
        tricks.append(cards)
        leader = winner_of(cards, leader, "V")
    return tricks


def test_a_hand_card_by_card_with_an_undo_and_a_reload_in_the_middle(
    phone: Page, salon: Salon
) -> None:
    game = playing(salon)
    phone.goto("/tables/4/?by=cards")
    scorer = Scorer(phone)

    for number, cards in enumerate(dealt(), 1):
        if number == 3:
            scorer.tap(".dock >> text=Undo trick 2")
            expect(phone.locator(".hint").first).to_contain_text("Trick 2.")
            put(scorer, dealt()[1])
        put(scorer, cards, reload=number == 5)

    expect(phone.locator("#ask")).to_have_text("Hand 1 is over")
    assert [list(trick) for trick in played(game)] == dealt()
    assert scorer.scores() == ["76", "−50"]
    assert scorer.taps <= 60  # of which five are for the undo and what it took back


def put(scorer: Scorer, cards: list[str], *, reload: bool = False) -> None:
    """Tap the four cards of a trick, suit first where the other suit is open."""
    page = scorer.page
    for place, card in enumerate(cards):
        if not page.locator(f'[data-card="{card}"]').is_visible():
            page.locator(f'.deck__suits label:has([value="{card[1]}"])').click()
            scorer.taps += 1
        page.locator(f'[data-card="{card}"]').click()
        scorer.taps += 1
        if place < 3:
            expect(page.locator(".trick li")).to_have_count(place + 1)
        else:
            expect(page.locator(".trick li")).to_have_count(0)
        if reload and place == 1:
            page.reload()
            expect(page.locator(".trick li")).to_have_count(2)


def played(game: Game) -> list[tuple[str, ...]]:
    folded = fold_of(game.salon.log_id, game.pk)
    assert folded is not None
    return list(folded.state.done[0].hand.play.cards)


def test_a_hand_from_the_sheet_is_previewed_as_it_is_scored(phone: Page, salon: Salon) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    phone.locator("text=Hand sheet").click()

    for field, number in (
        ("bids.N", 4),
        ("bids.E", 3),
        ("bids.S", 3),
        ("bids.W", 2),
        ("tricks.NS", 8),
    ):
        phone.locator(f'[id="{field}"]').fill(str(number))
    expect(phone.locator('[id="tricks.EW"]')).to_have_value("5")
    expect(phone.locator("#preview .score")).to_have_text(["71", "50"])
    assert state_of(game)["stage"] == "bids"
    phone.locator("#preview >> text=Record hand 1").click()

    expect(phone.locator("#ask")).to_have_text("Hand 1 is over")
    assert state_of(game)["score"] == {"NS": 71, "EW": 50}


def test_what_is_typed_before_the_sheets_script_has_come_counts_too(
    phone: Page, salon: Salon
) -> None:
    bidding(salon)
    late: list[Route] = []
    phone.route("**/sheet*.js", lambda route: late.append(route))
    phone.goto("/tables/4/sheet/", wait_until="commit")
    phone.locator('[id="tricks.NS"]').fill("8")
    expect(phone.locator('[id="tricks.EW"]')).to_have_value("")

    late[0].continue_()

    expect(phone.locator('[id="tricks.EW"]')).to_have_value("5")


def test_a_game_is_started_by_two_letters_of_each_name(phone: Page, salon: Salon) -> None:
    Player.objects.bulk_create(Player(salon=salon, name=name) for name in SEATED.values())
    phone.goto("/tables/")
    phone.locator('a:has-text("a game at table 4")').click()

    for seat, letters in (("N", "as"), ("E", "il"), ("S", "ca"), ("W", "ju")):
        phone.locator(f'[name="players.{seat}"]').press_sequentially(letters)
        phone.locator(f'#suggest-{seat} [role="option"]').first.click()
    phone.get_by_role("button", name="Start the game").click()

    expect(phone.locator("#ask")).to_contain_text("bids")
    assert Game.objects.get().table == "4"


def test_a_hand_works_without_scripts(browser: Browser, site: str, salon: Salon) -> None:
    game = bidding(salon)
    for page in visiting(browser, site, scorer_at(salon, "4"), java_script_enabled=False):
        page.goto("/tables/4/")
        scorer = Scorer(page)
        scorer.bid(W=2, N=4, E=3, S=3)
        scorer.tap('.compass [value="N"]', "Who won trick 2?")
        scorer.tap(".levels >> text=Totals", "Tricks of North–South")
        scorer.tap('[data-key="8"]', "Hand 1 is over")

    assert state_of(game)["score"] == {"NS": 71, "EW": 50}


def test_the_keyboard_bids_takes_tricks_undoes_and_opens_the_next_hand(
    browser: Browser, site: str, salon: Salon
) -> None:
    game = bidding(salon)
    for page in visiting(browser, site, owner_of(salon), viewport=DESK):
        page.add_init_script(PATIENT_KEYS)
        page.goto("/tables/4/")
        for typed, question in (
            ("2", "North bids"),
            ("10", "East bids"),
            ("u", "North bids"),
            ("4", "East bids"),
            ("3", "South bids"),
        ):
            page.keyboard.type(typed)
            expect(page.locator("#ask")).to_have_text(question)
        page.keyboard.press("3")
        expect(page.locator("#ask")).to_have_text("Who won trick 1?")
        page.keyboard.press("e")
        expect(page.locator("#ask")).to_have_text("Who won trick 2?")
        page.keyboard.press("?")
        expect(page.locator("#keys dl")).to_be_visible()
        page.keyboard.press("u")
        expect(page.locator("#ask")).to_have_text("Who won trick 1?")
        page.locator(".levels >> text=Cards").click()
        expect(page.locator("#ask")).to_have_text("West leads")
        for typed, count in (("2b", 1), ("9b", 2), ("cb", 3), ("5b", 0)):
            page.keyboard.type(typed)
            expect(page.locator(".trick li")).to_have_count(count)

    assert state_of(game)["hand"]["bids"] == {"W": 2, "N": 4, "E": 3, "S": 3}
    assert state_of(game)["hand"]["plays"] == [["2B", "9B", "CB", "5B"]]


@pytest.mark.parametrize("size", [(360, 640), (740, 360), (820, 1180), (1280, 900)])
def test_what_was_said_as_the_game_began_covers_nothing_moves_no_key_and_goes_by_itself(
    phone: Page, salon: Salon, size: tuple[int, int]
) -> None:
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    Player.objects.bulk_create(Player(salon=salon, name=name) for name in SEATED.values())
    phone.goto(
        "/games/new/?table=4&" + "&".join(f"players.{seat}={name}" for seat, name in SEATED.items())
    )
    phone.get_by_role("button", name="Start the game").click()
    toast = phone.locator(".toast")
    expect(toast).to_contain_text("Drawn to deal first")
    said, key = box(phone, ".toast"), box(phone, '.key[value="0"]')
    for other in (".padtop h1", ".padtop > a svg", "#sent", ".padstate .side"):
        assert not overlap(said, box(phone, other)), other
    assert toast.evaluate("each => each.scrollWidth <= each.clientWidth"), "said in whole"

    expect(toast).to_have_count(0)
    assert box(phone, '.key[value="0"]') == key


def overlap(one: FloatRect, other: FloatRect) -> bool:
    across = one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
    down = one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    return across and down


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).first.bounding_box()
    assert found is not None
    return found


def test_the_question_has_the_focus_after_a_tap(phone: Page, salon: Salon) -> None:
    bidding(salon)
    phone.goto("/tables/4/")

    Scorer(phone).tap('[name="tricks:number"][value="2"]', "North bids")

    assert phone.evaluate("document.activeElement.id") == "ask"
    assert phone.url.endswith("/tables/4/")


def test_another_phone_that_was_first_is_named_and_the_tap_is_not_recorded(
    phone: Page, salon: Salon
) -> None:
    game = bidding(salon)
    phone.goto("/tables/4/")
    done(game, "bids", seat="W", tricks=5)

    Scorer(phone).tap('[name="tricks:number"][value="2"]', "North bids")

    expect(phone.locator(".note--bad").first).to_contain_text("West bids 5.")
    assert state_of(game)["hand"]["bids"]["N"] is None


def test_a_board_renews_itself_without_moving_the_focus_and_outlives_a_lost_connection(
    phone: Page, salon: Salon
) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)
    phone.goto(f"/games/{game.pk}/")
    phone.locator("#hand-1").focus()
    scrolled = phone.evaluate("scrollY")

    done(game, "hands")
    expect(phone.locator(".head")).to_contain_text("Hand 2, West deals.")
    assert phone.evaluate("document.activeElement.id") == "hand-1"
    assert phone.evaluate("scrollY") == scrolled

    phone.context.set_offline(True)
    expect(phone.locator("#offline")).to_be_visible()
    expect(phone.locator("#offline")).to_contain_text("This is how it stood at")
    phone.context.set_offline(False)
    done(game, "bids", seat="N", tricks=4)
    expect(phone.locator("#offline")).to_be_hidden()
    expect(phone.locator("#board")).to_contain_text("East bids")


@pytest.fixture
def shown(salon: Salon) -> list[str]:
    """The address of each state of a pad, of the sheet and of the board."""
    a_game(salon, table="1")
    Game.objects.filter(pk=bidding(salon).pk).update(table="2")
    Game.objects.filter(pk=done(playing(salon), "winners", seat="E").pk).update(table="3")
    by_cards = done(playing(salon), "tricks", cards=["2B", "9B", "CB", "5B"])
    Game.objects.filter(pk=by_cards.pk).update(table="5")
    closed = done(playing(salon), "totals", NS=13, EW=0)
    Game.objects.filter(pk=closed.pk).update(table="6")
    over = done(playing(salon, target_score=50), "totals", NS=8, EW=5)
    pads = [
        "/tables/1/",
        "/tables/2/",
        "/tables/2/?meld=E",
        "/tables/3/",
        "/tables/3/?by=totals",
        "/tables/5/",
        "/tables/6/",
        "/tables/4/",
    ]
    return [
        *pads,
        "/tables/6/sheet/",
        f"/games/{closed.pk}/?hand=1",
        f"/games/{over.pk}/",
        "/tables/",
        "/rules/precedence/",
    ]


def test_axe_finds_nothing(phone: Page, shown: list[str]) -> None:
    for address in shown:
        look(phone, address, *EVERY_SIGHT)


NO_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"
# Whether the video that keeps the screen on plays: its clock goes on.
PLAYS = """async () => {
  const video = document.querySelector("video.awake");
  const before = video?.currentTime;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return Boolean(video) && !video.paused && video.currentTime > before;
}"""
HIDES = """(is) => {
  Object.defineProperty(document, "hidden", { value: is, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_without_a_wake_lock_a_blank_video_keeps_the_screen_on(phone: Page, salon: Salon) -> None:
    playing(salon)
    phone.goto("/tables/4/")
    expect(phone.locator("#pad [data-awake]:visible")).to_have_count(0)
    phone.add_init_script(NO_LOCK)
    phone.goto("/tables/4/")
    said = phone.locator("#pad [data-awake]:visible")
    expect(said).to_contain_text("From your first tap on")
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))

    phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")
    expect(said).to_contain_text("keeps the screen of this phone on")
    assert phone.evaluate(PLAYS)
    phone.evaluate(HIDES, True)
    assert not phone.evaluate(PLAYS)
    phone.evaluate(HIDES, False)
    assert phone.evaluate(PLAYS)
    assert [address for address in asked if address.startswith(("blob:", "data:"))] == []


def test_a_pad_that_cannot_keep_the_screen_on_says_so(phone: Page, salon: Salon) -> None:
    playing(salon)
    phone.add_init_script(NO_LOCK + "window.AudioContext = undefined;")
    phone.goto("/tables/4/")
    phone.locator('.compass [value="W"]').click()
    expect(phone.locator("#ask")).to_have_text("Who won trick 2?")

    said = phone.locator("#pad [data-awake]:visible")
    expect(said).to_contain_text("Over HTTPS the pad keeps it on.")
