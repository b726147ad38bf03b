"""A phone held sideways: the question and every key of it are in view beside the score, whatever is
played and however it is written.
"""

from collections.abc import Callable, Mapping, Sequence

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.looking import fits
from tests.tournament.helpers import patience, preference, sabacc
from tests.tournament.helpers import playing as precedence
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser

SIDEWAYS: ViewportSize = {"width": 740, "height": 360}
# What of the question, its keys and what records it lies outside the window or under the dock.
HIDDEN = """() => {
  const dock = document.querySelector(".dock");
  const end = dock?.getBoundingClientRect().top ?? innerHeight;
  const asked = "#ask, .trickline, .key, .count label, .field .step, .field > .input, .btn--wide";
  return [...document.querySelectorAll(`#pad .padact :is(${asked})`)].flatMap((part) => {
    const { top, bottom, width } = part.getBoundingClientRect();
    const isAsked = width && !part.closest("details:not([open])") && !dock?.contains(part);
    if (!isAsked || (top >= 0 && bottom <= end + 1)) return [];
    return [`${part.textContent.replace(/\\s+/g, " ")}: ${Math.round(bottom - end)} px below`];
  });
}"""

PACK = [f"{rank}{suit}" for suit in "SHDC" for rank in "23456789TJQKA"] * 2


# The states of a game by what is asked, and how each may be written.
STATES: Mapping[str, Mapping[Callable[[Salon], Game], Sequence[str]]] = {
    "precedence": {
        precedence.a_game: [""],
        precedence.bidding: ["", "?meld=E", "?meld=E&of=triad"],
        precedence.playing: [
            "?by=winners",
            "?by=totals",
            "?by=cards",
            "?by=cards&trick=1&cards=2V",
        ],
    },
    "preference": {
        preference.dealt: ["", "?by=contract", "?by=contract&soloist=A"],
        lambda salon: preference.done(preference.dealt(salon), "calls", seat="A", call="two"): [""],
        lambda salon: preference.done(
            preference.dealt(salon), "contracts", soloist="A", contract="three"
        ): [""],
        lambda salon: preference.playing(salon, B="along", C="along"): [
            *("?by=winners", "?by=totals", "?by=totals&sol=4"),
            *("?by=cards", "?by=cards&trick=1&cards=AH"),
        ],
        lambda salon: preference.playing(salon, "no_trump"): ["?by=totals"],
    },
    "sabacc": {
        lambda salon: sabacc.done(sabacc.a_game(salon), "hands", dealer="E"): ["", "?by=contract"],
        sabacc.guarded: ["?by=pile", "?by=points", "?by=cards", "?by=cards&trick=1&cards=14C"],
        lambda salon: sabacc.guarded(salon, 3): ["?by=pile", "?by=cards"],
    },
    "patience": {
        patience.opened: [""],
        lambda salon: patience.opened(salon, PACK): ["", "?from=waste"],
    },
}


@pytest.mark.parametrize("game", STATES)
def test_the_question_and_its_keys_are_in_view_sideways(
    phone: Page, salon: Salon, game: str
) -> None:
    phone.set_viewport_size(SIDEWAYS)
    found = {}
    for number, (begin, queries) in enumerate(STATES[game].items()):
        begin(salon)
        for query in queries:
            phone.goto(f"/tables/4/{query}")
            assert fits(phone), (number, query)
            if hidden := phone.evaluate(HIDDEN):
                found[number, query] = hidden
        Game.objects.filter(salon=salon).update(table="9")
    assert found == {}
