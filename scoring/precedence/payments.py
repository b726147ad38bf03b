"""Chips that players of Precedence pay (Chips; P3, P4, P8, P12)."""

from collections.abc import Iterable

from scoring.events import ChipsMoved
from scoring.precedence.seats import SEAT_NAMES
from scoring.precedence.state import Hand, State
from scoring.purses import is_limited, paid


def pay(
    state: State,
    hand: Hand,
    amounts: Iterable[tuple[str, int]],
    pot: str,
    *,
    why: str,
    rule: str,
    path: str,
) -> list[ChipsMoved]:
    """What seats pay into a pot; nothing moves where the amount is 0. Raises RuleViolation
    `no_chips`.
    """
    limited = is_limited(state, hand)
    return paid(
        amounts,
        pot,
        accounts=hand.accounts,
        balances=state.balances,
        limited=limited,
        why=why,
        rule=rule,
        path=path,
        names=SEAT_NAMES,
    )
