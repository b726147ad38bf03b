"""The worker of a salon that speaks HTTPS, in Firefox: as in `test_worker`, what a table needs
opens while the server is away, also in a browser that was killed, and nothing else does.

WebDriver BiDi can't give a profile the authority of a test's service, so the browser is told to
mind no certificate; whether it would run the worker of one that it minds is not seen here.
"""

from pathlib import Path

import pytest

from tests.browser.firefox import SEEN, Firefox, started
from tests.browser.firefox_phones import come_in
from tests.browser.firefox_phones import profile as profile
from tests.browser.https_service import CONTROLLED, KEPT
from tests.browser.https_service import secure as secure
from tests.browser.outbox import acts, keep
from tests.tournament.helpers.playing import playing
from tests.tournament.helpers.running import Running
from tests.tournament.helpers.salons import opened_salon
from tournament.models import Game

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_with_the_server_gone_a_killed_phone_opens_a_table_s_pages_and_no_others(
    secure: Running, profile: Path
) -> None:
    game = playing(opened_salon())
    address = f"https://localhost:{secure.url.split(':')[2].strip('/')}"
    with started(profile, any_certificate=True) as phone:
        come_in(phone, address, game.salon)
        phone.becomes(CONTROLLED, True)
        for page in ("handover", "pack"):
            phone.becomes(KEPT, True, f"/tables/4/{page}/")
        secure.end()
        opens(phone, address, game)
        phone.kill()

    with started(profile, any_certificate=True) as phone:
        opens(phone, address, game)


def opens(phone: Firefox, address: str, game: Game) -> None:
    """The table goes on, what is kept is shown as codes, and of the desk there is nothing."""
    for path in ("", "pack/"):
        phone.goto(f"{address}/tables/4/{path}")
        phone.becomes(SEEN, True, "#packsheet form")
    phone.goto(f"{address}/tables/4/handover/")
    keep(phone, game, acts(1))
    phone.becomes(SEEN, True, "[data-gives=codes]")
    with pytest.raises(RuntimeError, match="CONNECTION_REFUSED"):
        phone.goto(f"{address}/tables/")
