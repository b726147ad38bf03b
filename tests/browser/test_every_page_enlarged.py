"""Every page with text at twice its size on a phone: none is wider than the window (WCAG 1.4.10),
however long the names are and whatever is unfolded.
"""

import pytest
from django.test import Client
from playwright.sync_api import Browser

from tests.browser.conftest import visiting
from tests.tournament.helpers import preference, sabacc
from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.sweeping import every_address
from tournament.models import Game, Player, Salon
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.browser

MARK = "Featherstonehaugh"  # a long word in every name
FOUND = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  globalThis.stackRows?.();
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return "";
  const [walker, wide] = [document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), []];
  while (walker.nextNode()) {
    const [text, range] = [walker.currentNode, document.createRange()];
    range.selectNodeContents(text);
    const end = Math.max(...[...range.getClientRects()].map((box) => box.right));
    if (end > clientWidth && !text.parentElement.closest(".nav, .tabs, .scroll, .calls--seq"))
      wide.push(`${text.textContent.trim()} in ${text.parentElement.outerHTML.slice(0, 80)}`);
  }
  return `${scrollWidth}: ${wide.slice(0, 5).join(" | ")}`;
}"""


def played(salon: Salon) -> None:
    """A hand of Preference and one of Sabacc, beside what the salon has."""
    preference.done(
        preference.playing(salon, B="along", C="along"), "totals", tricks={"A": 6, "B": 2, "C": 2}
    )
    Game.objects.filter(salon=salon, kind="preference").update(table="5")
    sabacc.done(sabacc.guarded(salon), "totals", points=50)
    Game.objects.filter(salon=salon, kind="contract_sabacc").update(table="6")
    for player in Player.objects.filter(salon=salon).exclude(name__contains=MARK):
        Player.objects.filter(pk=player.pk).update(name=f"{player.name} {MARK}")


def addresses(owner: Client, salon: Salon, ids: dict[str, list[str]]) -> list[str]:
    """All that answers with a page: one game of each kind, its table, and one of all else."""
    games = {game.kind: game for game in Game.objects.filter(salon=salon)}
    known = ids | {
        "salon": [salon.slug],
        "kind": list(games),
        "game": [game.pk for game in games.values()],
        "label": [game.table for game in games.values()],
    }
    return [
        address
        for address in dict.fromkeys(every_address(known))
        if (answer := owner.get(address)).status_code == 200
        and answer["Content-Type"].startswith("text/html")
    ]


def test_no_page_is_wider_than_a_phone(browser: Browser, site: str) -> None:
    full = full_salon(MARK)
    played(full.salon)
    catch_up(full.salon.log, PROJECTIONS)
    owner = owner_of(full.salon)
    pages = addresses(owner, full.salon, full.ids)
    wide = {}
    for page in visiting(browser, site, owner):
        for address in pages:
            page.goto(address)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            if found := page.evaluate(FOUND):
                wide[address] = found
    assert len(pages) > 100
    assert wide == {}
