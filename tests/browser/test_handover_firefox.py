"""A dead phone with Firefox: its battery was empty, it starts again where no server answers, and
shows what it kept as codes on a page out of its own cache. Another takes photos of them and sends;
nothing counts twice when the first comes back.

What can't be driven here is a camera: this browser's false one (`media.navigator.streams.fake`)
shows colours and no picture of a test's. So a code is read as a photo that is given to the field
for files, as where a page without HTTPS may use no camera.
"""

from pathlib import Path

import pytest

from tests.browser.firefox import Firefox, started
from tests.browser.firefox_phones import come_in
from tests.browser.firefox_phones import line as line
from tests.browser.firefox_phones import profile as profile
from tests.browser.line import Line
from tests.browser.outbox import HAS, acts, keep, sent
from tests.tournament.helpers.outbox import commands_of
from tests.tournament.helpers.playing import a_game
from tests.tournament.helpers.running import wait_for
from tournament.models import Game, Salon

pytestmark = pytest.mark.browser
PAGE = "/tables/4/handover/"
# What that page is made of, the last file that is read ahead at the end.
FILES = [PAGE, "/static/vendor/lean-qr-2.7.4/index.mjs", "/static/accord/handover.js"]
CODES = "document.querySelector('[data-gives=codes]').checkVisibility()"
SHOWN = "Number(document.querySelector('[data-number]').innerText)"
OF = "Number(document.querySelector('[data-of]').innerText)"
TAKES = """() => [...document.querySelectorAll('[data-takes]')].filter((each) => !each.hidden)
  .map((each) => each.dataset.takes).join()"""
GOT = "document.querySelector('[data-part=got]').innerText"
TAKEN = "Number(document.querySelector('[data-part=taken]').innerText)"


@pytest.mark.parametrize("count", [5, pytest.param(50, marks=pytest.mark.long)])
def test_what_a_killed_phone_kept_another_sends_and_it_counts_once_when_the_first_is_back(
    profile: Path, line: Line, site: str, salon: Salon, count: int
) -> None:
    game = a_game(salon)
    commands = keep_and_die(profile, line, game, count)

    with started(profile) as first, first.beside() as second:
        first.goto(f"{line.address}{PAGE}")
        come_in(second, site, salon)
        second.goto(f"{site}{PAGE}")
        hand_over(first, second, profile)
        assert second.evaluate(TAKEN) == count
        sent(second)
        assert commands_of(game) == commands

        line.back()
        sent(first)

    assert commands_of(game) == commands


@pytest.mark.long
def test_where_the_first_comes_back_while_the_other_sends_each_act_counts_once_in_order(
    profile: Path, line: Line, site: str, salon: Salon
) -> None:
    game = a_game(salon)
    commands = keep_and_die(profile, line, game, 50)

    with started(profile) as first, first.beside() as second:
        first.goto(f"{line.address}{PAGE}")
        come_in(second, site, salon)
        second.goto(f"{site}{PAGE}")
        hand_over(first, second, profile)
        line.back()
        for phone in (first, second):
            phone.evaluate("void outbox.now()")
        for phone in (second, first):
            sent(phone)

    assert commands_of(game) == commands


def keep_and_die(profile: Path, line: Line, game: Game, count: int) -> list[str]:
    """A phone keeps so many acts and is killed; the server has the first two already, which this
    phone never heard. The commands.
    """
    with started(profile) as phone:
        come_in(phone, line.address, game.salon)
        for file in FILES:
            phone.becomes(HAS, True, file)
        line.mute()
        commands = keep(phone, game, acts(2))
        phone.evaluate("void outbox.now()")
        assert wait_for(lambda: commands_of(game) == commands)
        line.cut()
        commands += keep(phone, game, acts(count)[2:])
        assert wait_for(lambda: all(is_on_disk(profile, file) for file in FILES))
        phone.kill()
    assert commands_of(game) == commands[:2]
    return commands


def is_on_disk(profile: Path, file: str) -> bool:
    """Whether the browser would have this file after its end, too: it writes some seconds later."""
    entries = (profile / "cache2" / "entries").iterdir()
    return any(f"{file}\0".encode() in entry.read_bytes() for entry in entries)


def hand_over(first: Firefox, second: Firefox, folder: Path) -> None:
    """Photos of all codes, one after the other, and what they say is taken over."""
    first.looks_like_a_phone()
    first.becomes(CODES, True)
    of = first.evaluate(OF)
    for number in range(1, of + 1):
        first.becomes(SHOWN, number)
        file = folder / f"code-{number}.png"
        file.write_bytes(first.photo(".handover__code"))
        second.choose("[data-part=photo]", file)
        if number < of:
            second.becomes(GOT, ", ".join(map(str, range(1, number + 1))))
            first.tap("[data-part=next]")
    second.becomes(TAKES, "whole")
    second.tap("[data-part=adopt]")
    second.becomes(TAKES, "taken")
