"""Tables with Firefox that hear of nobody for hours, as nobody listens where the server was; all of
it arrives when it is back, in the hours in which it was typed.

Each table has a phone of its own: a user context of one browser, which shares no cookie and nothing
stored with the others. WebDriver BiDi has no command for a page's clock, so that hours pass by what
a page is told of `Date.now`; what the page waits for passes as it does.
"""

from contextlib import ExitStack

import pytest

from tests.browser.firefox import Firefox
from tests.browser.firefox_phones import come_in
from tests.browser.firefox_phones import line as line
from tests.browser.firefox_phones import window as window
from tests.browser.line import Line
from tests.browser.outbox import an_evening
from tests.tournament.helpers.playing import a_game
from tournament.models import Salon

pytestmark = pytest.mark.browser
FAR: dict[str, object] = {"target_score": 1000}


@pytest.mark.parametrize(
    ("count", "an_hour"), [(2, 4), pytest.param(6, 36, marks=pytest.mark.long)]
)
def test_tables_without_a_server_for_two_hours_of_three_lose_nothing(
    window: Firefox,
    line: Line,
    salon: Salon,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
    an_hour: int,
) -> None:
    with ExitStack() as stack:
        tables = []
        for label in map(str, range(1, count + 1)):
            game, phone = (
                a_game(salon, table=label, options=FAR),
                stack.enter_context(window.beside()),
            )
            come_in(phone, line.address, salon, label)
            tables.append((phone, game))
        took = an_evening(
            tables, lambda on: line.back() if on else line.cut(), monkeypatch, an_hour=an_hour
        )

    print(f"caught up with {count * an_hour * 3} acts in {took:.1f} s")  # for who asks with -s
