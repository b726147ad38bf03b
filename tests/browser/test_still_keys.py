"""No key moves from one question to the next of its kind, in whole hands of every game: a finger
that knows its place hits what it means.
"""

from collections import defaultdict
from typing import Any

import pytest
from playwright.sync_api import Page

from scoring.games import GAMES
from tests.tournament.helpers.playing import a_command
from tournament.models import Game, Salon
from tournament.recording.door import record_acts, start_game

pytestmark = pytest.mark.browser

HAIR = 2  # pixels
NAMES = ["Maria-Magdalena Oberhuber", "Jo Li", "Bartholomew Stone", "Asha Renn", "Ilse Marrow"]
# Every key by the kind of its question and its own name, and where it lies.
KEYS = """() => [...document.querySelectorAll("#pad :is(.key, .seg span)")].flatMap((key) => {
  const box = key.getBoundingClientRect();
  const place = [box.x, box.y + scrollY, box.width, box.height];
  if (!box.width) return [];
  const pile = key.closest(".count");
  if (pile) return [["pile", pile.innerText + key.innerText, place]];
  const asked = key.form?.getAttribute("action")?.replace(/\\?.*/, "") ?? "link";
  const name = key.dataset.card ?? key.dataset.key ?? key.value ?? key.className;
  return [[key.dataset.card ? "cards" : asked, name, place]];
})"""


class Table:
    """A game at table 4, and where its keys lay at each question that was looked at."""

    def __init__(self, page: Page, salon: Salon, kind: str, seats: str, **options: object) -> None:
        self.page, self.kind = page, GAMES[kind]
        self.game: Game = start_game(
            salon,
            actor="user:1",
            command=a_command(),
            kind=kind,
            players=dict(zip(seats, NAMES, strict=False)),
            options=options,
            table="4",
        )
        self.places: dict[tuple[str, str], set[tuple[float, ...]]] = defaultdict(set)

    def do(self, collection: str, **value: Any) -> "Table":
        act = self.kind.acts[collection](value, self.kind.read_rules({}))
        record_acts(
            self.game.salon,
            self.game.pk,
            [act],
            actor="user:1",
            command=a_command(),
            version=self.game.version,
        )
        self.game.refresh_from_db()
        return self

    def look(self, query: str = "") -> "Table":
        """Note where the keys lie now."""
        self.page.goto(f"/tables/4/{query}", wait_until="domcontentloaded")
        for kind, name, place in self.page.evaluate(KEYS):
            self.places[kind, name].add(tuple(place))
        return self

    def moved(self) -> dict[tuple[str, str], set[tuple[float, ...]]]:
        """The keys that lay in places more than a hair apart."""
        return {
            key: places
            for key, places in self.places.items()
            if any(max(side) - min(side) > HAIR for side in zip(*places, strict=True))
        }


def test_keys_of_precedence_stay_where_they_are(phone: Page, salon: Salon) -> None:
    table = Table(phone, salon, "precedence", "NESW").do("hands", dealer="S").look()
    table.look("?meld=E&of=triad").look("?meld=N&of=triad")
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3)):
        table.do("bids", seat=seat, tricks=tricks).look()
    table.do("bids", seat="S", tricks=3).look("?by=winners")
    for cards in ("", "2V", "2V,3V", "2V,3V,4V"):
        table.look(f"?by=cards&trick=1&cards={cards}")
    for seat in "NESWN":
        table.do("winners", seat=seat).look("?by=winners")
    table.do("winners", seat="W").look("?by=totals")

    assert table.moved() == {}


def test_keys_of_preference_stay_where_they_are(phone: Page, salon: Salon) -> None:
    table = Table(phone, salon, "preference", "ABC").do("hands", dealer="C").look()
    for seat, call in (
        ("A", "one"),
        ("B", "two"),
        ("A", "hold"),
        ("B", "three"),
        ("A", "pass"),
        ("C", "four"),
        ("B", "hold"),
        ("C", "three_hand"),
    ):
        table.do("calls", seat=seat, call=call).look()
    table.do("calls", seat="B", call="pass").do("contracts", soloist="C", contract="three_hand")
    table.look().do("defences", A="along", B="along").look("?by=winners").look("?by=totals")
    for cards in ("", "7H", "7H,8H"):
        table.look(f"?by=cards&trick=1&cards={cards}")
    for seat in "ABCA":
        table.do("winners", seat=seat).look("?by=winners")

    assert table.moved() == {}


@pytest.mark.parametrize("players", [3, 4, 5])
def test_keys_of_contract_sabacc_stay_where_they_are(
    phone: Page, salon: Salon, players: int
) -> None:
    seats = "ABCDE"[:players]
    table = Table(phone, salon, "contract_sabacc", seats).do("hands", dealer=seats[-1]).look()
    calls = ["take", "push", "guard_against"]
    for call in [*calls, *["pass"] * (players + 2)]:
        caller = table.game.state["hand"]["caller"]
        if caller is None:
            break
        table.do("calls", seat=caller, call=call).look()
    for cards in ("", "2C", "2C,3C", "2C,3C,4C", "2C,3C,4C,5C")[:players]:
        table.look(f"?by=cards&trick=1&cards={cards}")
    for count in ("", "&pile.honours=3", "&pile.honours=7&pile.mistresses=4&pile.commanders=4"):
        table.look(f"?by=pile{count}")

    assert table.moved() == {}


def test_keys_of_the_patience_stay_where_they_are(phone: Page, salon: Salon) -> None:
    table = Table(phone, salon, "order_of_precedence", "A").do("hands").look()
    table.do("kings", card="KS").look()
    for card in ("2H", "3C", "QD", "4S"):
        table.do("wastes", card=card).look()
    for card in ("QH", "QC"):
        table.look(f"?trick={table.game.state['hand'].get('trick', 0)}&cards={card}")

    assert table.moved() == {}
