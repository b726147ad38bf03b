"""What sweeps have in common."""

import json
from collections.abc import Mapping

import pytest


@pytest.fixture(autouse=True)
def paper_says_what_stands_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF has its text in glyphs: what it is typeset from is compared instead."""

    def said(_template: str, shown: Mapping[str, object], **_about: object) -> bytes:
        return json.dumps(shown).encode()

    monkeypatch.setattr("tournament.queries.sheet_exports.paper", said)
