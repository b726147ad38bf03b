"""What a phone has to send, kept in whatever browser it has, and what came of it."""

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Protocol
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from ledger.models import Event
from tests.tournament.helpers.outbox import commands_of
from tests.tournament.helpers.playing import a_command
from tournament.models import Game

# The commands of what was not sent, on a page that knows nothing of it.
NOT_SENT = """async () => {
  const [{ name }] = await indexedDB.databases();
  const opened = await new Promise((done) => {
    indexedDB.open(name).onsuccess = (event) => done(event.target.result);
  });
  const all = opened.transaction("entries").objectStore("entries").getAll();
  const entries = await new Promise((done) => { all.onsuccess = () => done(all.result); });
  return entries.map(({ command }) => command);
}"""

HOUR, NOTICED = 3600, 60  # seconds
# Whether the browser has the file at this address and need not ask for it.
HAS = """address => fetch(address, { cache: "only-if-cached", mode: "same-origin" })
  .then((answer) => answer.ok, () => false)"""


class Tab(Protocol):
    """A page that stands open in a browser."""

    def evaluate(self, expression: str, arg: Any = None, /) -> Any:
        """What this function of the page makes of `arg`."""

    def wait_for_timeout(self, timeout: float, /) -> None:
        """So many milliseconds."""


def acts(count: int) -> list[tuple[str, dict[str, object]]]:
    """So many acts of a game of Precedence from its first hand on, in which South deals first."""
    found: list[tuple[str, dict[str, object]]] = []
    for hand in range(count // 18 + 1):
        order = ["WNES"[(hand + place) % 4] for place in range(4)]
        found.append(("hands", {} if hand else {"dealer": "S"}))
        found += [("bids", {"seat": seat, "tricks:number": 3}) for seat in order]
        found += [("winners", {"seat": "NESW"[trick % 4]}) for trick in range(13)]
    return found[:count]


def keep(
    page: Tab,
    game: Game,
    what: Sequence[tuple[str, dict[str, object]]],
    *,
    version: int | None = None,
) -> list[str]:
    """These acts kept in this browser, nothing of them sent yet; their commands. `version` is what
    the phone saw of the game last, as it stands where none is given.
    """
    game.refresh_from_db()
    entries = [
        {
            "stream": game.pk,
            "collection": collection,
            "body": urlencode({"game": game.pk, **fields}),
            "address": f"/tables/{game.table}/outbox/",
            "version": game.version if version is None else version,
            "words": f"{collection} {number}",
        }
        for number, (collection, fields) in enumerate(what)
    ]
    commands: list[str] = page.evaluate(
        "async entries => { const made = []; for (const entry of entries)"
        " made.push((await outboxStore.keep(entry)).command); return made; }",
        entries,
    )
    return commands


def sent(page: Tab) -> None:
    """Wait until nothing is kept any more; between its own tries the phone is woken."""
    for _ in range(12_000):
        left = page.evaluate(
            "async () => { await outbox.now(); return (await outboxStore.kept()).length; }"
        )
        if not left:
            return
        page.wait_for_timeout(50)
    raise AssertionError("something is still kept")


def an_evening(
    tables: Sequence[tuple[Tab, Game]],
    serves: Callable[[bool], object],
    patch: pytest.MonkeyPatch,
    *,
    an_hour: int,
) -> float:
    """Three hours with so many acts an hour at each table, without a server in the first two: each
    is recorded once, in order, as typed in its hour. The phones notice by themselves, in less than
    a minute, that the server is back; so many seconds they took to catch up with it.
    """
    commands = {game.pk: list[str]() for _, game in tables}
    serves(False)
    for hour in range(2):
        an_hour_of(hour, tables, commands, an_hour)
        for phone, _ in tables:
            phone.evaluate("void outbox.now()")
        an_hour_passes([*dict.fromkeys(phone for phone, _ in tables)], patch)
    serves(True)
    began = time.monotonic()
    while not any(commands_of(game) for _, game in tables):
        tables[0][0].wait_for_timeout(50)
    assert time.monotonic() - began < NOTICED
    an_hour_of(2, tables, commands, an_hour)
    for phone, _ in tables:
        sent_by_itself(phone)
    took = time.monotonic() - began
    for _, game in tables:
        assert commands_of(game) == commands[game.pk]
        assert hours_of(game) == [hour for hour in range(3) for _ in range(an_hour)]
    return took


def an_hour_of(
    hour: int, tables: Sequence[tuple[Tab, Game]], commands: dict[str, list[str]], an_hour: int
) -> None:
    """The acts of this hour kept at each table, and their commands with those before them."""
    part = acts(3 * an_hour)[an_hour * hour : an_hour * (hour + 1)]
    for phone, game in tables:
        commands[game.pk] += keep(phone, game, part)


def an_hour_passes(phones: Sequence[Tab], patch: pytest.MonkeyPatch) -> None:
    """It is an hour later on these phones and at the server."""
    now = time.time_ns
    patch.setattr(time, "time_ns", lambda: now() + HOUR * 1_000_000_000)
    for phone in phones:
        phone.evaluate(
            "seconds => { const now = Date.now; Date.now = () => now() + seconds * 1000; }", HOUR
        )


def sent_by_itself(page: Tab) -> None:
    """Wait until nothing is kept any more."""
    for _ in range(12_000):
        if not page.evaluate("() => outboxStore.kept().then((all) => all.length)"):
            return
        page.wait_for_timeout(50)
    raise AssertionError("something is still kept")


def hours_of(game: Game) -> list[int]:
    """In which hour of its game each act was typed, as the log has it."""
    found = Event.objects.filter(stream=game.pk).order_by("version")
    rows = list(found.values_list("command", "occurred_at"))
    began, each = rows[0][1], [next(group) for _, group in groupby(rows, lambda row: row[0])]
    return [(at - began) // (HOUR * 1_000_000) for _, at in each[1:]]


def keep_winners(page: Page, game: Game, seats: str) -> None:
    """Keep these winners on the phone, as taps on its pad do that nothing answers."""
    page.evaluate(
        """async ({ stream, version, acts }) => {
          for (const [place, { command, body, words }] of acts.entries()) await outboxStore.keep({
            command, stream, version: place ? null : version, collection: "winners", body, words,
            address: "/tables/4/outbox/", place: { hand: 1, trick: place + 1 },
          });
        }""",
        {
            "stream": game.pk,
            "version": game.version,
            "acts": [
                {
                    "command": a_command(),
                    "body": urlencode({"game": game.pk, "seat": seat}),
                    "words": f"{seat}, trick {trick}",
                }
                for trick, seat in enumerate(seats, 1)
            ],
        },
    )


def winners(game: Game) -> list[str]:
    game.refresh_from_db()
    state: dict[str, Any] = game.state
    return list(state["hand"]["winners"])


def hands(game: Game) -> int:
    game.refresh_from_db()
    return int(game.state["hands"])


def badge(page: Page, words: str) -> None:
    """What the head says of what was tapped, in a moment."""
    expect(page.locator("#sent")).to_have_text(words, use_inner_text=True)


def packed(page: Page) -> Page:
    """The pad, once the browser keeps the page by which its table goes on."""
    expect(page.locator("html[data-packed]")).to_have_count(1)
    return page


def leaving(page: Page) -> None:
    """Whatever this page asks before it is left, the answer is yes."""
    page.on("dialog", lambda dialog: dialog.accept())
