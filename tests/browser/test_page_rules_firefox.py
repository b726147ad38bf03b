"""The rules in the page of a table in Firefox: the same numbers, without the server too."""

from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.firefox import SEEN, Firefox, started
from tests.browser.firefox_phones import come_in
from tests.browser.firefox_phones import line as line
from tests.browser.firefox_phones import profile as profile
from tests.browser.line import Line
from tests.browser.page_rules import SCORED, digests
from tests.browser.page_rules import laid as laid
from tests.scoring.sample_games import RECORDED, SAMPLES
from tests.tournament.helpers.playing import bidding
from tournament.models import Game, Salon

pytestmark = [pytest.mark.browser, pytest.mark.pyodide]
PATIENCE = 6  # times as long as the browser is waited for otherwise
HERE = "#packrules [data-state=here]"
# A hand of Precedence on the sheet that stands there.
WRITES = """() => {
  const hand = { "bids.N": 4, "bids.E": 3, "bids.S": 3, "bids.W": 2, "tricks.NS": 8 };
  for (const [name, value] of Object.entries(hand)) {
    const field = document.querySelector(`#packsheet [id="${name}"]`);
    if (!field) continue;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
SCORE = """() => [...document.querySelectorAll("#packresult [data-part=after] [data-score]")]
  .map((each) => each.textContent).join(" ")"""
HEAD = "() => document.querySelector('#packsheet h1').textContent.replace(/\\s+/g, ' ').trim()"
# A question of another kind takes no tap at first (touches.js).
AWAKE = "() => document.querySelector('[data-asleep]') === null"
KEPT = "async () => (await outboxStore.kept()).length"


def test_firefox_scores_as_the_server_does_and_finds_the_rules_again_without_it(
    profile: Path, line: Line, salon: Salon
) -> None:
    game = bidding(salon, target_score=1000)
    with started(profile) as phone:
        come_in(phone, line.address, salon)
        phone.goto(f"{line.address}/tables/4/pack/")
        phone.tap("#packrules [data-take]")
        starts(phone)
        for name in RECORDED:
            texts, expected = digests(SAMPLES, name)
            assert phone.evaluate(SCORED, texts) == expected, name
        phone.becomes("() => document.getElementById('packbegun') !== null", True)
        line.cut()
        goes_on(phone, line)
        line.back()
        phone.becomes(KEPT, 0)

    now = Game.objects.get(pk=game.pk).state
    assert now["score"] == {"NS": 71, "EW": 50}
    assert now["hand"]["bids"]["N"] == 3


def starts(phone: Firefox) -> None:
    """Wait until the rules are here, on a machine that has other work to do for long."""
    for _ in range(PATIENCE):
        with suppress(AssertionError):
            phone.becomes(SEEN, True, HERE)
            return
    phone.becomes(SEEN, True, HERE)


def goes_on(phone: Firefox, line: Line) -> None:
    """The page opens without the server, a hand is previewed and kept, and the next one goes on act
    by act.
    """
    phone.goto(f"{line.address}/tables/4/pack/")
    phone.becomes(SEEN, True, "#packsheet form")
    starts(phone)
    phone.evaluate(WRITES)
    phone.becomes(SCORE, "71 50")
    phone.tap("#packsheet [data-keep]")
    phone.becomes(KEPT, 1)
    # What stands below has moved by then.
    phone.becomes(SEEN, True, "#kept [data-trouble=line]")
    phone.becomes(HEAD, "Hand 2, from the sheet")
    phone.tap("#packways [data-way=acts]")
    # The first bid opens its hand.
    phone.becomes(SEEN, True, "#packacts [value='3']")
    phone.becomes(AWAKE, True)
    phone.tap("#packacts [value='3']")
    phone.becomes(KEPT, 2)
