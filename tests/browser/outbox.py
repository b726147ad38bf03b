"""What a phone has to send, kept in whatever browser it has, and what came of it."""

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, Protocol
from urllib.parse import urlencode

import pytest

from ledger.models import Event
from tournament.models import Game

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


def commands_of(game: Game) -> list[str]:
    """The commands in a game's log, each once, in order, but the one it began with."""
    found = Event.objects.filter(stream=game.pk).order_by("version").values_list("command")
    return list(dict.fromkeys(command for (command,) in found))[1:]


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
