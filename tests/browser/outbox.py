"""What a phone has to send, kept in whatever browser it has, and what came of it."""

from collections.abc import Sequence
from typing import Any, Protocol
from urllib.parse import urlencode

from ledger.models import Event
from tournament.models import Game

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


def keep(page: Tab, game: Game, what: Sequence[tuple[str, dict[str, object]]]) -> list[str]:
    """These acts kept in this browser, nothing of them sent yet; their commands."""
    game.refresh_from_db()
    entries = [
        {
            "stream": game.pk,
            "collection": collection,
            "body": urlencode({"game": game.pk, **fields}),
            "address": f"/tables/{game.table}/outbox/",
            "version": game.version,
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
    for _ in range(1200):
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
