"""A dead phone: what it keeps goes as codes to another one, which sends it; nothing counts twice
when the first comes back.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import visiting
from tests.browser.looking import DESK_BY_NIGHT, PHONE_BY_DAY, fits, look_here
from tests.browser.outbox import keep_winners
from tests.tournament.helpers.playing import a_command, playing, state_of
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser
ADDRESS = "/tables/4/handover/"
PLACES = """() => ["svg", "span", "a"].map((part) =>
  document.querySelector(`[data-takes=taken] ${part}`).getBoundingClientRect().toJSON())"""
WINNERS = "NNESWNNESWNES"
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
# Draws every code as the page does, reads it as the other page does, and gives what comes out.
THERE_AND_BACK = """async ({ queue, drawn, order }) => {
  const texts = await handoverCodes.codes(queue);
  const { generate } = await import(page.dataset.drawing);
  const read = texts.map(() => null);
  for (const [place, text] of texts.entries()) {
    if (place >= drawn) { read[place] = text; continue; }
    const code = document.createElement("canvas");
    generate(text).toCanvas(code, { on: [0, 0, 0], off: [255, 255, 255] });
    const photo = document.createElement("canvas");
    photo.width = photo.height = code.width * 4;
    const context = photo.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(code, 0, 0, photo.width, photo.height);
    read[place] = await textIn(photo, photo.width, photo.height, [1600]);
  }
  const seen = [...order.map((each) => read[each % read.length]), ...read];
  const pieces = seen.map(handoverCodes.pieceOf);
  const known = new Map(pieces.map((piece) => [piece.number, piece]));
  return { codes: texts.length, longest: Math.max(...texts.map(({ length }) => length)),
    back: await handoverCodes.queueOf(known.values()) };
}"""


def entries_of(number: int, seed: int, words: list[str]) -> list[dict[str, Any]]:
    """So many acts as a phone keeps them."""
    chance = random.Random(seed)
    stream, commands = (
        f"{chance.getrandbits(128):032x}",
        [f"{chance.getrandbits(128):032x}" for _ in range(number)],
    )
    return [
        {
            "command": command,
            "stream": stream,
            "after": commands[place - 1] if place else None,
            "version": None if place else chance.randrange(10_000),
            "place": {"hand": place // 13 + 1, "trick": place % 13 + 1},
            "collection": chance.choice(["winners", "bids", "sheet", "second-entry-3"]),
            "body": urlencode({"seat": chance.choice("NESW"), "note": chance.choice(words)}),
            "typed_at": 1_795_000_000_000 + place * chance.randrange(100_000),
            "words": chance.choice(words),
            "address": "/tables/4/outbox/",
        }
        for place, command in enumerate(commands)
    ]


@pytest.fixture
def phone(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """A phone with as many dots as phones have."""
    yield from visiting(browser, site, owner_of(salon), device_scale_factor=3)


@pytest.fixture
def second(browser: Browser, site: str, salon: Salon) -> Iterator[Page]:
    """Another phone of the salon."""
    yield from visiting(browser, site, owner_of(salon), locale="en-GB")


def dead(page: Page, game: Game, seats: str) -> None:
    """A phone that shows what it keeps, and whose acts reach nothing."""
    page.route("**/outbox/", lambda route: route.abort())
    page.goto(ADDRESS)
    keep_winners(page, game, seats)
    expect(page.locator("[data-gives=codes]")).to_be_visible()


def photo(page: Page, folder: Path) -> Path:
    """What another phone sees of the code."""
    file = folder / f"{a_command()}.png"
    page.locator(".handover__code").screenshot(path=file)
    return file


def show(page: Page, file: Path) -> None:
    """Take a photo of this."""
    page.locator("[data-part=photo]").set_input_files(file)


def test_what_a_dead_phone_keeps_is_sent_by_another_and_counts_once_when_it_comes_back(
    phone: Page, second: Page, salon: Salon, tmp_path: Path
) -> None:
    game = playing(salon)
    dead(phone, game, WINNERS[:6])
    look_here(phone, PHONE_BY_DAY)
    expect(phone.locator("[data-part=acts]")).to_have_text("6")

    second.goto(ADDRESS)
    expect(second.locator("[data-gives=all-sent]")).to_be_visible()
    show(second, photo(phone, tmp_path))
    expect(second.locator("[data-part=list] li")).to_have_count(6)
    expect(second.locator("[data-part=list] li").first).to_contain_text("North")
    expect(second.locator("[data-part=as-written]")).to_be_hidden()
    look_here(second, PHONE_BY_DAY, DESK_BY_NIGHT)
    second.locator("[data-part=adopt]").click()
    expect(second.locator("[data-takes=taken]")).to_contain_text("Taken over: 6")
    tick, words, link = second.evaluate(PLACES)
    assert words["y"] <= tick["y"] < words["y"] + 24, "the tick stands beside its words"
    assert link["y"] - 4 >= words["y"] + words["height"], "its focus ring lies over no words"
    expect(second.locator("[data-part=left]")).to_have_text("0")
    assert state_of(game)["hand"]["winners"] == [*WINNERS[:6]]

    show(second, photo(phone, tmp_path))
    expect(second.locator("[data-takes=already]")).to_be_visible()
    phone.unroute_all()
    phone.evaluate("outbox.now()")
    expect(phone.locator("[data-gives=all-sent]")).to_be_visible()
    assert state_of(game)["hand"]["winners"] == [*WINNERS[:6]]
    second.goto(f"/games/{game.pk}/history/")
    expect(second.get_by_text("handed over to")).to_have_count(6)


def test_what_is_taken_over_is_told_by_the_rules_and_not_by_who_gives_it(
    phone: Page, second: Page, salon: Salon, tmp_path: Path
) -> None:
    game = playing(salon)
    phone.route("**/outbox/", lambda route: route.abort())
    phone.goto(ADDRESS)
    phone.evaluate(
        """async ({ stream, version, command, body }) => outboxStore.keep({
          command, stream, version, collection: "winners", body, words: "North wins trick 1",
          address: "/tables/4/outbox/", place: { hand: 1, trick: 1 },
        })""",
        {
            "stream": game.pk,
            "version": game.version,
            "command": a_command(),
            "body": urlencode({"game": game.pk, "seat": "E"}),
        },
    )
    expect(phone.locator("[data-part=acts]")).to_have_text("1")
    code = photo(phone, tmp_path)

    second.goto(ADDRESS)
    show(second, code)
    expect(second.locator("[data-part=list] li")).to_contain_text("East")
    expect(second.locator("[data-part=list]")).not_to_contain_text("North")
    second.get_by_role("button", name="Leave it").click()
    second.route("**/outbox/", lambda route: route.abort())
    show(second, code)
    expect(second.locator("[data-part=list] li")).to_have_text("winners: seat E")
    expect(second.locator("[data-part=as-written]")).to_be_visible()


def test_a_long_queue_is_several_codes_read_in_any_order_and_what_is_missing_is_named(
    phone: Page, second: Page, salon: Salon, tmp_path: Path
) -> None:
    game = playing(salon)
    dead(phone, game, WINNERS)
    phone.evaluate(
        "async (entries) => { for (const each of entries) await outboxStore.keep(each); }",
        [{**each, "stream": game.pk} for each in entries_of(30, 1, ["West bids three"])],
    )
    expect(phone.locator("[data-part=acts]")).to_have_text("43")
    of = int(phone.locator("[data-of]").first.inner_text())
    assert of > 1
    photos = [photo(phone, tmp_path)]
    for number in range(2, of + 1):
        phone.get_by_role("button", name="Next code").click()
        expect(phone.get_by_role("img", name=f"Code {number} of {of}")).to_be_visible()
        photos.append(photo(phone, tmp_path))
    expect(phone.get_by_role("button", name="Next code")).to_be_disabled()

    second.goto(ADDRESS)
    for file in photos[:0:-1]:
        show(second, file)
        expect(second.locator("[data-takes=missing]")).to_contain_text("Still missing: 1")
    show(second, photos[0])

    expect(second.locator("[data-part=offered]")).to_have_text("43")
    assert fits(second)
    second.get_by_role("button", name="Leave it").click()
    assert second.evaluate("outboxStore.kept()") == []


def test_what_can_not_be_taken_over_is_said_in_words(
    phone: Page, second: Page, salon: Salon, tmp_path: Path
) -> None:
    game = playing(salon)
    dead(phone, game, WINNERS[:1])
    blank = tmp_path / "blank.png"
    phone.locator("h1").screenshot(path=blank)
    code = photo(phone, tmp_path)
    (tmp_path / "words.png").write_text("no picture")

    second.goto("/tables/5/handover/")
    for file in (blank, tmp_path / "words.png"):
        show(second, file)
        expect(second.locator("[data-takes=unreadable]")).to_be_visible()
    show(second, code)
    expect(second.locator("[data-takes=other-table]")).to_be_visible()
    assert second.locator("[data-part=other-table]").get_attribute("href") == ADDRESS
    second.evaluate("take('https://salon.example.org/t/1/')")
    expect(second.locator("[data-takes=another-code]")).to_be_visible()
    second.evaluate("take('ACCORD1/00000000/1/1/ABCDEF')")
    expect(second.locator("[data-takes=damaged]")).to_be_visible()
    look_here(second, PHONE_BY_DAY)
    assert second.evaluate("outboxStore.kept()") == []


def test_a_phone_whose_browser_keeps_nothing_says_so(phone: Page, salon: Salon) -> None:
    playing(salon)
    phone.add_init_script("Object.defineProperty(globalThis, 'indexedDB', { value: undefined })")
    phone.goto(ADDRESS)

    expect(phone.locator("[data-gives=nothing-kept-here]")).to_be_visible()


@pytest.fixture
def coder(phone: Page, salon: Salon) -> Page:
    """A page with the codes of this service."""
    playing(salon)
    phone.goto(ADDRESS)
    return phone


def there_and_back(
    coder: Page, entries: list[dict[str, Any]], drawn: int, order: list[int]
) -> None:
    queue = {"salon": "rosewater", "outbox": "/tables/4/outbox/", "entries": entries}
    found = coder.evaluate(THERE_AND_BACK, {"queue": queue, "drawn": drawn, "order": order})

    assert found["back"] == queue
    assert found["longest"] < 1_100


QUEUES = {
    "seed": st.integers(0, 2**32),
    "words": st.lists(WORDS, min_size=1, max_size=20),
    "order": st.lists(st.integers(0, 2_000), max_size=20),
}


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(number=st.integers(1, 60), **QUEUES)
def test_whatever_is_kept_comes_out_of_its_codes_as_it_went_in(
    coder: Page, number: int, seed: int, words: list[str], order: list[int]
) -> None:
    there_and_back(coder, entries_of(number, seed, words), 2, order)


@pytest.mark.long
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(number=st.integers(1, 2_000), **QUEUES)
def test_up_to_2000_acts_come_out_of_their_codes_as_they_went_in(
    coder: Page, number: int, seed: int, words: list[str], order: list[int]
) -> None:
    there_and_back(coder, entries_of(number, seed, words), 6, order)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.text("0123456789ABCDEF/: $%", max_size=60).map("ACCORD1/0123ABCD/1/1/{}".format),
    )
)
def test_whatever_a_code_says_is_a_piece_or_none(coder: Page, text: str) -> None:
    assert coder.evaluate(
        "async text => { const piece = handoverCodes.pieceOf(text);"
        " return piece === null || handoverCodes.queueOf([piece]).then(() => false, () => true); }",
        text,
    )
