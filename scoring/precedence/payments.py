"""Chips that players pay, and who cannot pay (Chips; P3, P4, P8, P12)."""

from collections.abc import Mapping, Sequence

from scoring.errors import RuleViolation
from scoring.events import ChipsMoved
from scoring.precedence.seats import SEAT_NAMES
from scoring.precedence.state import Hand, State


def pay(state: State, hand: Hand, amounts: Sequence[tuple[str, int]], pot: str, *, why: str, rule: str, path: str) -> list[ChipsMoved]:
    """What seats pay into a pot; nothing moves where the amount is 0. Raises RuleViolation `no_chips`."""
    moves = []
    limited = state.rules.opening_chips is not None and "no_chips" not in hand.excuses
    for seat, chips in amounts:
        account = hand.accounts[seat]
        if limited:
            check_purse(state.rules.opening_chips, state.balances, account, chips, seat=seat, path=path)
        if chips:
            moves.append(ChipsMoved(source=account, target=pot, chips=chips, why=why, rule=rule))
    return moves


def may_overdraw(state: State) -> bool:
    """Whether players' accounts may go below 0: none were given chips at the start, or a director excused it once."""
    hands = (*(closed.hand for closed in state.done), *([state.hand] if state.hand else []))
    return state.rules.opening_chips is None or any("no_chips" in hand.excuses for hand in hands)


def check_purse(opening_chips: int | None, balances: Mapping[str, int], account: str, chips: int, *, seat: str, path: str) -> None:
    """Raise RuleViolation `no_chips` when chips are given out at the start and this account hasn't enough."""
    held = balances.get(account, 0)
    if opening_chips is None or held >= chips:
        return
    message = f"{SEAT_NAMES[seat]} has {held} chips and must pay {chips}: {chips - held} are missing; a further buy-in can be recorded"
    raise RuleViolation("no_chips", rule="Chips", message=message, path=path)
