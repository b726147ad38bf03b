"""Chips that players pay, and who cannot pay (Chips)."""

from collections.abc import Iterable, Mapping

from scoring.errors import RuleViolation
from scoring.events import ChipsMoved


def paid(
    amounts: Iterable[tuple[str, int]],
    pot: str,
    *,
    accounts: Mapping[str, str],
    balances: Mapping[str, int],
    limited: bool,
    why: str,
    rule: str,
    path: str,
) -> list[ChipsMoved]:
    """What seats pay into a pot, one after the other; nothing moves where the amount is 0.

    `accounts` are the accounts of those who sit at the seats, `balances` chips by account. Raises RuleViolation `no_chips`
    when purses are `limited` and one doesn't hold what it must pay.
    """
    left = dict(balances)
    moves = []
    for seat, chips in amounts:
        account = accounts[seat]
        if limited:
            check_purse(left.get(account, 0), chips, seat=seat, path=path)
        left[account] = left.get(account, 0) - chips
        if chips:
            moves.append(ChipsMoved(source=account, target=pot, chips=chips, why=why, rule=rule))
    return moves


def check_purse(held: int, chips: int, *, seat: str, path: str) -> None:
    """Raise RuleViolation `no_chips` when `seat` holds less than it must pay."""
    if held < chips:
        message = f"{seat} has {held} chips and must pay {chips}: {chips - held} are missing; a further buy-in can be recorded"
        raise RuleViolation("no_chips", rule="Chips", message=message, path=path)
