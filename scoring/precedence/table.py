"""What a pad or a board shows of a Precedence game, and what may come next."""

from typing import Any

from scoring.precedence.state import State


def table(state: State) -> dict[str, Any]:
    return {}
