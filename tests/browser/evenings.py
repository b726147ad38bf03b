"""A person who taps a recorded game into the pad: each act by the key that the pad offers for it,
each question awaited.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page

from scoring.sabacc.cards import SUIT_OF
from tests.browser.conftest import AT_EASE

MARKED = "pad => { pad.dataset.old = '1' }"
ANSWERED = "#pad:not([data-old])"


class Tapper:
    """Taps on the pad of table 4, and waits each time until the pad has answered."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0
        self.last = ""

    def tap(self, selector: str) -> None:
        """Tap the first key that this means; the pad shows another page of itself afterwards."""
        key = self.page.locator(f"#pad >> {selector}").first
        self.page.locator("#pad").evaluate(MARKED)
        if selector == self.last:
            self.page.wait_for_timeout(AT_EASE)
        key.click()
        self.taps, self.last = self.taps + 1, selector
        self.page.locator(ANSWERED).wait_for(state="attached")

    def sees(self, selector: str) -> bool:
        """Whether the pad shows this."""
        return self.page.locator(f"#pad >> {selector}").first.is_visible()

    def unfold(self, words: str) -> None:
        """Open what is folded under these words."""
        self.page.locator(f'#pad details:not([open]) > summary:has-text("{words}")').first.click()

    def card(self, code: str, suit: str) -> None:
        """Show the suit's row where a phone hides it."""
        if not self.page.locator(f'#pad [data-card="{code}"]').first.is_visible():
            self.page.locator(f'#pad .deck__suits label:has([value="{suit}"])').click()

    def totals(self) -> None:
        """Write the rest of the hand by totals, and mean it where cards were written."""
        self.tap('.levels >> text="Totals"')
        if self.sees('a[href*="sure=yes"]'):
            self.tap('a[href*="sure=yes"]')

    def trick(self, cards: list[str], suits: list[str]) -> None:
        """Tap the cards of a trick in the order played."""
        for code, suit in zip(cards, suits, strict=True):
            self.card(code, suit)
            self.tap(f'[data-card="{code}"]')


def start(page: Page, record: dict[str, Any]) -> None:
    """Start the record's game by the form, its names and house rules filled in."""
    filled = {
        "game": record["game"],
        "table": "4",
        **{f"players.{seat}": name for seat, name in record["players"].items()},
    }
    filled |= {
        f"options.{name}": _as_typed(value) for name, value in record.get("options", {}).items()
    }
    filled |= {"dealer": record["hands"][0]["dealer"]} if "dealer" in record["hands"][0] else {}
    page.goto(f"/games/new/?{urlencode(filled)}")
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/tables/4/**")


def _as_typed(value: object) -> str:
    return (
        {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )


def evening(page: Page, record: dict[str, Any]) -> Iterator[Tapper]:
    """Tap the whole record in; a step for each hand, so that somebody may look at the page in
    between.
    """
    start(page, record)
    tapper, play = Tapper(page), HANDS[record["game"]]
    for hand in record["hands"]:
        if record["game"] != "order_of_precedence":
            open_hand(tapper, hand)
        yield tapper
        play(tapper, hand, record)
    yield tapper


def open_hand(tapper: Tapper, hand: dict[str, Any]) -> None:
    if tapper.sees('[name="dealer"]'):
        tapper.page.locator(
            f'#pad label:has([name="dealer"][value="{hand["dealer"]}"])'
        ).last.click()  # the first one may be the lot
    if tapper.sees('form[action*="/hands/"] [name="trump"]'):
        tapper.tap(f'[name="trump"][value="{hand["trump"]}"]')
    elif tapper.sees(".open"):
        tapper.tap(".open")


def _precedence(tapper: Tapper, hand: dict[str, Any], record: dict[str, Any]) -> None:
    if hand.get("misdeal"):
        tapper.unfold("Misdeal")
        tapper.tap('form[action*="/misdeals/"] button')
        return
    for meld in hand.get("melds", []):
        tapper.tap(f'.melders a[href*="meld={meld["seat"]}"]')
        _meld(tapper, meld["kind"], meld["cards"])
    for seat in _round(tapper.page.locator("#pad .calls li").all_inner_texts()):
        tapper.tap(f'[name="tricks:number"][value="{hand["bids"][seat]}"]')
    _tricks(tapper, hand, lambda seat: f'.compass [value="{seat}"]', lambda code: code[1])
    if "tricks" in hand and tapper.sees('.levels >> text="Totals"'):
        tapper.totals()
        ns, ew = hand["tricks"]["NS"], hand["tricks"]["EW"]
        tapper.tap(f'[name="fields"][value="NS:number={ns}&EW:number={ew}"]')


def _meld(tapper: Tapper, kind: str, cards: list[str]) -> None:
    """A run by its cards, a triad or a quad by its rank; of a triad then the suit that is
    missing.
    """
    if kind == "run":
        for code in cards:
            tapper.card(code, code[1])
            tapper.page.locator(f'#pad label:has([data-card="{code}"])').click()
        return tapper.tap("text=Show the run")
    tapper.tap(f'.levels >> text="{kind.capitalize()}"')
    tapper.tap(f'.key[data-key="{cards[0][0].lower()}"]')
    if kind == "triad":
        missing = next(suit for suit in "VFBC" if suit not in {code[1] for code in cards})
        tapper.tap(f'button.key[data-key="{missing.lower()}"]')
    return None


def _round(shown: list[str]) -> list[str]:
    return [text.strip()[0] for text in shown]


def _tricks(tapper: Tapper, hand: dict[str, Any], taker: Any, suit: Any) -> None:
    """The tricks as far as the record has them, card by card or by their winners."""
    if hand.get("plays"):
        tapper.tap('.levels >> text="Cards"')
        for cards in hand["plays"]:
            tapper.trick(cards, [suit(code) for code in cards])
    elif hand.get("winners"):
        tapper.tap('.levels >> text="Winners"')
        for seat in hand["winners"]:
            tapper.tap(taker(seat))


def _preference(tapper: Tapper, hand: dict[str, Any], record: dict[str, Any]) -> None:
    for _, call in hand.get("calls", []):
        tapper.tap(f'[name="call"][value="{call}"]')
    if not hand.get("calls"):
        tapper.tap("text=Who plays what")
        tapper.tap(
            f'a[data-key="{hand["soloist"].lower()}"]'
            if hand["soloist"]
            else 'form[action*="throw-ins"] button'
        )
    if hand["soloist"] is None:
        return
    tapper.tap(f'[name="contract"][value="{hand["contract"]}"]')
    _defend(tapper, hand)
    _tricks(tapper, hand, lambda seat: f'.taker[value="{seat}"]', lambda code: code[1])
    if "tricks" in hand and tapper.sees('.levels >> text="Totals"'):
        tapper.totals()
        row = {
            True: '[aria-labelledby="in-row"] ',
            False: '[aria-labelledby="not-in-row"] ',
            None: "",
        }[hand.get("in_succession")]
        tapper.tap(f'{row}.key[data-key="{hand["tricks"][hand["soloist"]]}"]')
        if tapper.sees('form[action*="/totals/"] .key small'):
            told = tapper.page.locator("#pad #ask").inner_text()
            first = next(
                seat for seat, name in record["players"].items() if told == f"Tricks of {name}"
            )
            tapper.tap(f'.key[data-key="{hand["tricks"][first]}"]')


def _defend(tapper: Tapper, hand: dict[str, Any]) -> None:
    if tapper.page.locator("#pad #ask").inner_text() != "Who defends?":
        return
    seats = "ABC"
    first, second = (seats[(seats.index(hand["soloist"]) + step) % 3] for step in (1, 2))
    chosen = {first: "along", second: "along"} | hand.get("defenders", {})
    tapper.tap(f'[name="fields"][value="{first}={chosen[first]}&{second}={chosen[second]}"]')


def _sabacc(tapper: Tapper, hand: dict[str, Any], record: dict[str, Any]) -> None:
    for _, call in hand.get("calls", []):
        tapper.tap(f'[name="call"][value="{call}"]')
    if not hand.get("calls"):
        tapper.tap("text=Who declares what")
        if hand["declarer"] is None:
            tapper.tap('button:text-is("Nobody bid")')
        else:
            tapper.page.locator(
                f'#pad label:has([name="declarer"][value="{hand["declarer"]}"])'
            ).click()
            tapper.tap(f'[name="contract"][value="{hand["contract"]}"]')
    if hand.get("plays"):
        tapper.tap('.levels >> text="Cards"')
        for cards in hand["plays"]:
            tapper.trick(cards, [SUIT_OF[code] for code in cards])
    if hand.get("points") is not None and tapper.sees('.levels >> text="Points alone"'):
        tapper.tap('.levels >> text="Points alone"')
        tapper.page.locator("#pad #points").fill(str(hand["points"]))
        if hand.get("bonus"):
            kind, seat = hand["bonus"]["kind"], hand["bonus"]["seat"]
            tapper.page.locator("#pad #bonus").select_option(f"bonus.kind={kind}&bonus.seat={seat}")
        tapper.tap('form[action*="/totals/"] button')


def _patience(tapper: Tapper, hand: dict[str, Any], record: dict[str, Any]) -> None:
    tapper.tap(".dock button")  # the first deal was opened without its stock
    tapper.unfold("The order of the stock is known")
    tapper.page.locator("#pad #stock").fill(" ".join(hand["stock"]).lower())
    tapper.tap("text=with this stock")
    moves = list(hand["moves"])
    while moves:
        moves = moves[_moved(tapper, moves) :]
    if "seconds" in hand:
        tapper.page.locator("#pad #seconds").fill(str(hand["seconds"]))
    tapper.tap("text=End the deal")


def _moved(tapper: Tapper, moves: list[str]) -> int:
    """Make the next move, or as many at once as the pad offers; how many they were."""
    move = moves[0]
    if move == "turn":
        tapper.tap('[data-key="t"]')
    elif move == "-":
        run = tapper.page.locator('#pad [name="cards:number"]')
        many = int(run.get_attribute("value") or 0) if run.count() else 0
        if 1 < many <= len(list(takewhile("-".__eq__, moves))):
            tapper.tap('[name="cards:number"]')
            return many
        tapper.tap('[name="card"].btn')
    else:
        source = "waste" if move.startswith("w") else "stock"
        form = (
            f'form:has([name="from"][value="{source}"]) '
            f'[name="foundation:number"][value="{move.removeprefix("w")}"]'
        )
        if not tapper.page.locator(f"#pad {form}:not(:disabled)").count():
            tapper.tap(f'.source a[href*="from={source}"]')
        tapper.tap(form)
    return 1


HANDS = {
    "precedence": _precedence,
    "preference": _preference,
    "contract_sabacc": _sabacc,
    "order_of_precedence": _patience,
}
