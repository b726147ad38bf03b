"""A table goes on with its next game without the server: by sheets the page knows which hand ends
the game, and the one that follows begins on the phone, with the dealer drawn.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from scoring.games import GAMES
from tests.browser.line import Line
from tests.browser.looking import DESK_BY_NIGHT, PHONE_BY_DAY, look_here
from tests.browser.outbox import badge, leaving, packed, sent
from tests.browser.sheets import a_sheet_of_preference, a_sheet_of_sabacc, fill_hand
from tests.material import MATERIAL, lines_of
from tests.tournament.helpers.patience import opened
from tests.tournament.pages.table.sheets.tables import after_a_hand
from tournament.models import Game, Hand, Player, Salon

pytestmark = pytest.mark.browser
ACCORD = Path(__file__).parents[2] / "tournament" / "static" / "accord"
POINTS = """([points, sheets]) => {
  const found = [];
  for (const body of sheets) {
    const hand = handPoints.afterEntry(handPoints.opened(), { collection: "sheet", body });
    points = handPoints.afterHand(points, hand);
    found.push([points.score, points.excess, handPoints.isOver(points)]);
  }
  return found;
}"""

# Who is chosen for each chair of the next game.
CHOSEN = """() => Object.fromEntries([...document.querySelectorAll("#packsheet [data-sits]")].map(
  (each) => [each.dataset.sits, each.querySelector("select").selectedOptions[0].textContent]))"""


def by_sheets(page: Page, line: Line) -> None:
    """The page by which the table goes on, with the line cut."""
    leaving(page)
    page.goto("/tables/4/pack/")
    expect(page.locator("#packsheet h1")).to_be_visible()
    page.wait_for_timeout(1500)
    line.cut()


def keep_hand(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Keep hand {number}").click()


@pytest.mark.parametrize("kind", ["preference", "contract_sabacc"])
def test_after_the_last_hand_the_next_game_begins_and_all_of_it_arrives(
    tablet: Page, line: Line, salon: Salon, kind: str
) -> None:
    write = {"preference": a_sheet_of_preference, "contract_sabacc": a_sheet_of_sabacc}[kind]
    game = after_a_hand(salon, kind, hands=3)
    by_sheets(tablet, line)
    for number in (2, 3):
        write(tablet)
        keep_hand(tablet, number)
    expect(tablet.locator("#packsheet h1")).to_have_text("This game is over.")
    look_here(tablet, PHONE_BY_DAY, DESK_BY_NIGHT)
    drawn = tablet.locator("#packsheet [data-drawn]").inner_text()
    tablet.get_by_role("button", name="Start the next game").click()
    expect(tablet.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")
    expect(tablet.locator("#packsheet [data-who]")).to_contain_text(drawn)
    write(tablet)
    keep_hand(tablet, 1)
    badge(tablet, "4 not sent")
    tablet.goto("/tables/4/pack/")
    expect(tablet.locator("#packsheet h1")).to_have_text("Hand 2, from the sheet")
    look_here(tablet, PHONE_BY_DAY)
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert (game.finished, game.state["hands"]) == (True, 3)
    follower = Game.objects.exclude(pk=game.pk).get()
    assert (follower.seats, follower.state["hands"]) == (game.seats, 1)
    (hand,) = Hand.objects.filter(game=follower)
    player = Player.objects.get(pk=follower.seats[hand.result["result"]["dealer"]])
    assert drawn.startswith(f"Drawn to deal first: {player.name}, ")


def test_the_next_game_begins_with_the_same_people_in_other_chairs(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = after_a_hand(salon, "precedence", target_score=50)
    by_sheets(tablet, line)
    tablet.get_by_text("Change seats").click()
    names = tablet.evaluate(CHOSEN)
    north = tablet.locator('#packsheet [data-sits="N"] select')
    north.select_option(label=names["W"])
    chosen = tablet.evaluate(CHOSEN)
    assert chosen == {**names, "N": names["W"], "W": names["N"]}
    look_here(tablet, PHONE_BY_DAY, DESK_BY_NIGHT)
    tablet.get_by_role("button", name="Start it at these seats").click()
    seated = tablet.locator("#packsheet small[data-aside]")
    expect(seated).to_have_text([chosen[seat] for seat in "NSEW"])
    expect(tablet.locator("#packsheet [data-who]")).to_contain_text("Drawn to deal first")
    fill_hand(tablet)
    keep_hand(tablet, 1)
    tablet.get_by_role("button", name="Start the next game").click()
    expect(seated).to_have_text([chosen[seat] for seat in "NSEW"])
    tablet.goto("/tables/4/pack/")
    expect(seated).to_have_text([chosen[seat] for seat in "NSEW"])
    badge(tablet, "3 not sent")
    line.back()

    badge(tablet, "All sent")
    players = {player.pk: player.name for player in Player.objects.all()}
    followers = list(Game.objects.exclude(pk=game.pk).order_by("started_position"))
    for follower in followers:
        assert {seat: players[player] for seat, player in follower.seats.items()} == chosen
    assert [follower.state["hands"] for follower in followers] == [1, 0]


def test_a_sheet_that_reaches_the_target_ends_the_game(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = after_a_hand(salon, "precedence", target_score=120)
    by_sheets(tablet, line)
    fill_hand(tablet)
    keep_hand(tablet, 2)
    expect(tablet.locator("#packsheet h1")).to_have_text("This game is over.")
    tablet.get_by_role("button", name="Start the next game").click()
    expect(tablet.locator("#packsheet [data-who]")).to_contain_text("Trump is Void")
    tablet.locator("#kept-list [data-withdraw]:visible").click()
    line.back()

    sent(tablet)
    game.refresh_from_db()
    assert game.finished
    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["precedence_games", "precedence_claimed_games", "precedence_simulated"]
)
def test_points_without_the_rules_are_those_that_the_rules_count(phone: Page, name: str) -> None:
    phone.goto("about:blank")
    phone.add_script_tag(path=ACCORD / "hand-points.js")
    games = zip(
        lines_of(MATERIAL / f"{name}.jsonl"),
        lines_of(MATERIAL / f"{name}.expected.jsonl"),
        strict=True,
    )
    told = [told_of(record, expected) for record, expected in games]
    plain = [each for each in told if each is not None][:200]

    assert len(plain) > 5
    for points, sheets, results in plain:
        assert phone.evaluate(POINTS, [points, sheets]) == results


def told_of(record: dict[str, Any], expected: dict[str, Any]) -> tuple[Any, Any, Any] | None:
    """The numbers of a game, its hands as sheets, and what each comes to; None where rulings have a
    say.
    """
    kind = GAMES["precedence"]
    hands = [hand for hand in record["hands"] if not hand.get("misdeal")]
    if any(hand.get("rulings") for hand in hands) or "hands" not in expected:
        return None
    points = kind.turns(kind.read_rules(record.get("options", {})), "NESW").points  # type: ignore[misc]
    zero = {"NS": 0, "EW": 0}
    sheets = [
        sheet_of(hand, result["tricks"])
        for hand, result in zip(hands, expected["hands"], strict=True)
    ]
    results = [
        [result["score"], result["excess"], is_over(result["score"], points["target"])]
        for result in expected["hands"]
    ]
    return {**points, "score": zero, "excess": zero}, sheets, results


def sheet_of(hand: dict[str, Any], tricks: dict[str, int]) -> str:
    melds = {
        f"melds.{place}.{name}": value
        for place, meld in enumerate(hand.get("melds", ()))
        for name, value in (
            ("seat", meld["seat"]),
            ("kind", meld["kind"]),
            ("cards:list", " ".join(meld["cards"])),
        )
    }
    bids = {f"bids.{seat}:number": bid for seat, bid in hand["bids"].items()}
    won = {f"tricks.{side}:number": count for side, count in tricks.items()}
    return urlencode({**bids, **melds, **won})


def is_over(score: dict[str, int], target: int) -> bool:
    return score["NS"] != score["EW"] and max(score.values()) >= target


def test_a_pad_that_shows_the_end_of_a_game_leads_to_the_next_one_without_the_server(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = after_a_hand(salon, "precedence", target_score=50)
    leaving(tablet)
    tablet.goto("/tables/4/")
    packed(tablet)
    line.cut()
    tablet.get_by_role("link", name="Start another game").click()
    expect(tablet.locator("#packsheet h1")).to_have_text("This game is over.")
    tablet.get_by_role("button", name="Start the next game").click()
    expect(tablet.locator("#packsheet h1")).to_have_text("Hand 1, from the sheet")
    line.back()

    badge(tablet, "All sent")
    assert Game.objects.exclude(pk=game.pk).get().table == "4"


def lengths(page: Page, *built: int, passes: int = 1) -> None:
    for place, length in enumerate(built):
        page.locator(f'#packsheet [id="built.{place}"]').fill(str(length))
    page.locator('#packsheet [id="passes"]').fill(str(passes))


def test_a_patience_goes_on_by_its_lengths_to_its_end_and_the_next_one_begins(
    tablet: Page, line: Line, salon: Salon
) -> None:
    game = opened(salon)
    by_sheets(tablet, line)
    title = tablet.locator("#packsheet h1")
    expect(title).to_have_text("Deal 1, from the sheet")
    expect(tablet.get_by_text("That was all")).to_have_count(0)
    lengths(tablet, 14, 0, 0, 0, 0, 0, 0, 0)
    keep_hand(tablet, 1)
    expect(tablet.locator("#packwrong")).to_contain_text("0 to 13 cards")
    lengths(tablet, 13, 5, 2, 0, 0, 0, 0, 0)
    keep_hand(tablet, 1)
    expect(title).to_have_text("Deal 2, from the sheet")
    look_here(tablet, PHONE_BY_DAY, DESK_BY_NIGHT)
    lengths(tablet, 8, 1, 0, 0, 0, 0, 0, 0)
    keep_hand(tablet, 2)
    tablet.get_by_text("That was all").click()
    tablet.get_by_role("button", name="End the game now").click()
    expect(title).to_have_text("This game is over.")
    tablet.get_by_role("button", name="Start the next game").click()
    expect(title).to_have_text("Deal 1, from the sheet")
    lengths(tablet, 13, 13, 13, 13, 13, 13, 13, 13)
    keep_hand(tablet, 1)
    badge(tablet, "5 not sent")
    line.back()

    badge(tablet, "All sent")
    game.refresh_from_db()
    assert (game.finished, game.state["score"]) == (True, {"A": 29})
    follower = Game.objects.exclude(pk=game.pk).get()
    assert (follower.seats, follower.state["score"]) == (game.seats, {"A": 104})
