"""What a pad offers on the cards drafted in its address, and what the cards counted there
come to.
"""

from collections.abc import Sequence

from django.http import QueryDict

from scoring.errors import Refusal
from scoring.shape import JsonMapping
from tournament.pages.common.form_values import Problem, plain_value, problem_of
from tournament.queries.table import TableGame

WITHOUT_CARDS = (
    "winners",
    "totals",
)  # ways to write a hand after which its cards can't be written any more


def drafted_offer(
    at: TableGame, cards: Sequence[str]
) -> tuple[dict[str, object] | None, Problem | None]:
    """What may come next on the cards drafted for the open trick; a card that may not lie there is
    left out, and why.

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


def tallied(at: TableGame, query: QueryDict) -> dict[str, object] | None:
    """What the cards counted in a pad's address (`pile.…`) come to, nothing where they can't be
    read; None in a game that counts none.
    """
    if at.game.tally is None or at.table["stage"] != "play":
        return None
    try:
        return at.game.tally(dict(at.table), plain_value(query).get("pile", {}))
    except Refusal:
        return at.game.tally(dict(at.table), {})


def carried(at: TableGame, offer: JsonMapping | None) -> str:
    """The cards drafted for the open trick as the end of an address, so that a look elsewhere on
    the pad doesn't lose them.
    """
    drafted = (offer or {}).get("drafted") or ()
    return f"&trick={at.table['hand']['trick']}&cards={','.join(drafted)}" if drafted else ""


def leaves_cards(at: TableGame, offer: JsonMapping | None, query: QueryDict) -> bool:
    """Whether this address would give up the cards that are written in this hand without saying
    that it is meant (`sure`).
    """
    hand = at.table["hand"]
    if (
        at.table["stage"] != "play"
        or query.get("by") not in WITHOUT_CARDS
        or "sure" in query
        or not hand.get("by_cards")
    ):
        return False
    return bool(hand.get("plays") or (offer or {}).get("drafted"))
