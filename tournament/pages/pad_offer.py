"""What a pad offers on the cards drafted in its address, and what the cards counted there come to."""

from collections.abc import Sequence
from typing import Any

from django.http import QueryDict

from scoring.errors import Refusal
from tournament.pages.form_values import Problem, plain_value, problem_of
from tournament.queries.table_game import TableGame


def drafted_offer(at: TableGame, cards: Sequence[str]) -> tuple[dict[str, Any] | None, Problem | None]:
    """What may come next on the cards drafted for the open trick; a card that may not lie there is left out, and why.

    None where no trick is open.
    """
    if at.table["stage"] != "play":
        return None, None
    kept, problem = list(cards), None
    while True:
        try:
            return at.game.offer(at.table, kept), problem
        except Refusal as refusal:
            problem = problem_of(refusal, at.called)
        except ValueError as unknown:
            problem = Problem(message=str(unknown))
        kept.pop()


def tallied(at: TableGame, query: QueryDict) -> dict[str, Any] | None:
    """What the cards counted in a pad's address (`pile.…`) come to, nothing where they can't be read; None in a game that counts none."""
    if at.game.tally is None or at.table["stage"] != "play":
        return None
    try:
        return at.game.tally(dict(at.table), plain_value(query).get("pile", {}))
    except Refusal:
        return at.game.tally(dict(at.table), {})
