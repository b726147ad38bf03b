"""The fifth game as a salon would add it: its line in the table of games, and its template where
templates are found.
"""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from scoring.game import AnyGame
from scoring.games import GAMES
from tests.fifth_game.whist import WHIST


@pytest.fixture(autouse=True)
def whist(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnyGame]:
    monkeypatch.setitem(GAMES, WHIST.name, WHIST)  # the one line
    templates: list[dict[str, Any]] = copy.deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(Path(__file__).parent / "templates")
    with override_settings(TEMPLATES=templates):
        yield WHIST
