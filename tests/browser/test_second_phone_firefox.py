"""Two phones with Firefox at one table: an idle one follows the other, each keeps its own while it
reaches nobody, and what both entered stands side by side until somebody decides.

The two are user contexts of one browser, which share no cookie, nothing stored and no page kept;
each has a line of its own. What can't be driven here is a phone's sleep: WebDriver BiDi has no
command for a page's life cycle, nor one for its clock.
"""

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from ledger.models import Event
from tests.browser.firefox import Firefox
from tests.browser.firefox_phones import ASK, HEAD, come_in
from tests.browser.firefox_phones import window as window
from tests.browser.line import Line, line_to
from tests.browser.outbox import hands, keep, winners
from tests.tournament.helpers.playing import done, playing
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser
KEPT = "() => outboxStore.kept().then((all) => all.map((each) => each.words))"
# What a conflict says: mine, why it was not recorded, and what came first.
CONFLICT = """() => {
  const line = document.querySelector("#kept-list li");
  const said = (part) => line.querySelector(part).textContent.trim();
  const theirs = [...line.querySelectorAll("[data-meanwhile] li")];
  return [said("[data-words]"), said("[data-why]"),
    ...theirs.map((each) => each.textContent.replace(/^[^:]*:[^:]*: /, ""))];
}"""
# The command of an act that the server refused and all others wait for; null where there is none.
REFUSED = """() => outboxStore.kept().then(([first]) =>
  first?.state === "refused" ? first.command : null)"""
IS_KEPT = """command => outboxStore.kept().then((all) =>
  all.some((each) => each.command === command))"""
# What became of every act that this phone kept, by its command: the one it was sent as, "" for one
# that was given up, "lost" where nobody knows.
FATES = """async commands => {
  const became = new Map((await outboxStore.journal()).map((row) => [row.command, row.became]));
  const fate = (command) => {
    const then = became.get(command) ?? "lost";
    if (then === "sent") return command;
    return then === "given up" ? "" : then === "lost" ? then : fate(then);
  };
  return commands.map(fate);
}"""


class Phone(NamedTuple):
    """A phone, and the line by which it reaches the service."""

    tab: Firefox
    line: Line


@pytest.fixture
def first(window: Firefox, site: str, salon: Salon) -> Iterator[Phone]:
    with line_to(site) as line, window.beside() as tab:
        yield Phone(tab, line)


@pytest.fixture
def second(window: Firefox, site: str, salon: Salon) -> Iterator[Phone]:
    with line_to(site) as line, window.beside() as tab:
        yield Phone(tab, line)


def come(salon: Salon, *phones: Phone) -> None:
    for tab, line in phones:
        come_in(tab, line.address, salon)


def test_an_idle_pad_follows_another_phone(first: Phone, second: Phone, salon: Salon) -> None:
    playing(salon)
    come(salon, first, second)

    first.tab.tap('.compass [value="W"]')

    second.tab.becomes(ASK, "Who won trick 2?")


@pytest.mark.parametrize(
    ("decision", "then"), [("[data-drop]", ["W"]), ("[data-after]", ["W", "E"])]
)
def test_what_two_phones_tapped_without_a_line_stands_side_by_side_until_somebody_decides(
    first: Phone, second: Phone, salon: Salon, decision: str, then: list[str]
) -> None:
    game = playing(salon)
    come(salon, first, second)
    for (tab, line), seat, name in ((first, "W", "West"), (second, "E", "East")):
        line.cut()
        tab.tap(f'.compass [value="{seat}"]')
        tab.becomes(HEAD, "1 not sent")
        assert tab.evaluate(KEPT) == [f"{name}, trick 1"]
    assert winners(game) == []

    first.line.back()
    first.tab.becomes(HEAD, "All sent")
    second.line.back()
    second.tab.becomes(
        CONFLICT,
        ["East, trick 1", "Something else was recorded at this table first.", "West wins trick 1"],
    )
    assert winners(game) == ["W"]
    second.tab.tap(f"#kept-list {decision}")
    second.tab.becomes(HEAD, "All sent")

    assert winners(game) == then
    assert [tab.evaluate(KEPT) for tab, _ in (first, second)] == [[], []]


class Pair:
    """Two phones at a table whose people enter one trick after the other, now here, now there, and
    whose lines come and go; whoever meets a conflict drops the act or sends it after the others.
    """

    def __init__(self, game: Game, phones: list[Phone], seed: int) -> None:
        self.game, self.phones, self.chance = game, phones, random.Random(seed)
        self.kept = {phone: list[str]() for phone in phones}
        self.seen = dict.fromkeys(phones, game.version)  # by whose line is cut: when it was
        self.is_cut = dict.fromkeys(phones, False)
        self.dropped = self.conflicts = 0

    def play_a_hand(self) -> None:
        """Thirteen tricks, all of them sent or dropped in the end."""
        for trick in range(13):
            phone = self.chance.choice(self.phones)
            if self.chance.random() < 0.4:
                self.turn(phone)
            self.enter(phone, "NESW"[trick % 4])
        for phone in self.phones:
            if self.is_cut[phone]:
                self.turn(phone)
            self.settle(phone)

    def turn(self, phone: Phone) -> None:
        """The line is there where it wasn't, or the other way round."""
        self.game.refresh_from_db()
        self.seen[phone] = self.game.version
        self.is_cut[phone] = not self.is_cut[phone]
        if self.is_cut[phone]:
            phone.line.cut()
        else:
            phone.line.back()

    def enter(self, phone: Phone, seat: str) -> None:
        self.game.refresh_from_db()
        version = self.seen[phone] if self.is_cut[phone] else self.game.version
        winner: list[tuple[str, dict[str, object]]] = [("winners", {"seat": seat})]
        self.kept[phone] += keep(phone.tab, self.game, winner, version=version)
        phone.tab.evaluate("outbox.now()")

    def settle(self, phone: Phone) -> None:
        """Send what is kept, and decide each conflict as it comes."""
        for _ in range(600):
            phone.tab.evaluate("outbox.now()")
            if not phone.tab.evaluate(KEPT):
                return
            if command := phone.tab.evaluate(REFUSED):
                self.decide(phone, command)
        raise AssertionError("something is still kept")

    def decide(self, phone: Phone, command: str) -> None:
        drops = self.chance.random() < 0.25
        self.conflicts, self.dropped = self.conflicts + 1, self.dropped + drops
        button = f"#kept-list [data-{'drop' if drops else 'after'}]"
        phone.tab.becomes("button => document.querySelector(button) !== null", True, button)
        phone.tab.evaluate("button => document.querySelector(button).click()", button)
        phone.tab.becomes(IS_KEPT, False, command)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_of_fifty_tricks_entered_at_two_phones_each_is_recorded_once_or_dropped_by_somebody(
    first: Phone, second: Phone, salon: Salon, seed: int
) -> None:
    game = playing(salon, target_score=1000)
    come(salon, first, second)
    pair = Pair(game, [first, second], seed)
    for hand in range(1, 5):
        pair.play_a_hand()
        while hands(game) < hand:  # a trick for each that was dropped
            done(game, "winners", seat="N")
        done(game, "hands")
        for place in range(4):
            done(game, "bids", seat="WNES"[(hand + place) % 4], tricks=3)

    taken = Event.objects.filter(stream=game.pk, type="precedence.trick_taken").order_by("version")
    log = list(taken.values_list("command", flat=True))
    fates = {phone: phone.tab.evaluate(FATES, kept) for phone, kept in pair.kept.items()}
    for fate in fates.values():
        assert [command for command in log if command in fate] == list(filter(None, fate))
    assert [*fates[first], *fates[second]].count("") == pair.dropped
    assert len(log) == len(set(log)) == 52
    assert pair.conflicts > 5
