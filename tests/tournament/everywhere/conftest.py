"""What sweeps have in common."""

import json
from collections.abc import Mapping

import pytest


@pytest.fixture(autouse=True)
def paper_says_what_stands_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF has its text in glyphs: what it is typeset from is compared instead."""

    def said(_template: str, shown: Mapping[str, object], **_about: object) -> bytes:
        return json.dumps(shown).encode()

    monkeypatch.setattr("tournament.queries.pages_on_paper.paper", said)


@pytest.fixture(autouse=True)
def the_time_of_walls_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a screen shows in turn depends on the time; here on the evening alone."""
    monkeypatch.setattr("tournament.pages.wall.screen._now", lambda: 0)
