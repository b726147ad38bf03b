"""The number of a rule stands in the line of the words that it is about."""

import pytest
from playwright.sync_api import Page

from tests.tournament.helpers.sabacc import a_game, done
from tournament.models import Salon

pytestmark = pytest.mark.browser
# Each number that is shown in another line than the last letter before it in the same paragraph.
APART = """() => [...document.querySelectorAll(".rulebook")].filter((number) => {
  const letters = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  letters.currentNode = number;
  let text = letters.previousNode();
  while (text && !text.textContent.trim()) text = letters.previousNode();
  const block = number.closest("p, dt, dd, li, label");
  if (!number.checkVisibility() || !text || !block?.contains(text)) return false;
  const [last, end] = [document.createRange(), text.textContent.trimEnd().length];
  last.setStart(text, end - 1);
  last.setEnd(text, end);
  const [one, other] = [last.getBoundingClientRect(), number.getBoundingClientRect()];
  return Math.abs(one.top + one.bottom - other.top - other.bottom) > 24;
}).map((number) => `${number.closest("p, dt, dd, li, label").innerText}`)"""


def test_the_number_of_a_rule_is_not_parted_from_its_words(phone: Page, salon: Salon) -> None:
    game = a_game(salon, 4)
    done(game, "hands", dealer="A")
    done(game, "contracts", declarer="B", contract="guard")
    done(game, "totals", points=50)
    for address in ("/tables/4/", f"/games/{game.pk}/"):
        phone.goto(address)
        phone.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert phone.evaluate(APART) == [], address
