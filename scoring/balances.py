"""Chips of players: what they pay, who cannot pay, and what they won (Chips)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Protocol

from scoring.chips import BANK
from scoring.commands import Dealing
from scoring.common_state import GameState, moved
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import ChipsMoved
from scoring.seating import check_seat


class PaidHand(Protocol):
    """A hand that moves chips: `accounts` by the seat at which somebody sits, the chips moved, and
    what a director excused.
    """

    @property
    def accounts(self) -> Mapping[str, str]: ...
    @property
    def moves(self) -> tuple[ChipsMoved, ...]: ...
    @property
    def excuses(self) -> frozenset[str]: ...


class PaidClosedHand(Protocol):
    """A hand that is over, in a game for chips."""

    @property
    def hand(self) -> PaidHand: ...


class ChipRules(Protocol):
    """The house rules of a game for chips: what everybody is given at the start, None where chips
    are counted from 0.
    """

    @property
    def opening_chips(self) -> int | None: ...


class PaidState(GameState, Protocol):
    """The state of a game for chips."""

    @property
    def rules(self) -> ChipRules: ...
    @property
    def hand(self) -> PaidHand | None: ...
    @property
    def done(self) -> Sequence[PaidClosedHand]: ...


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
    names: Mapping[str, str] | None = None,
) -> list[ChipsMoved]:
    """Return the payments of seats into a pot, one after the other; nothing moves if the
    amount is 0.

    `accounts` are the accounts of those who sit at the seats, `balances` chips by account, `names`
    what seats are called. Raises RuleViolation `no_chips` when purses are `limited` and one doesn't
    hold what it must pay.
    """
    left = dict(balances) if limited else {}
    moves = []
    for seat, chips in amounts:
        account = accounts[seat]
        if limited:
            check_purse(left.get(account, 0), chips, seat=names[seat] if names else seat, path=path)
            left[account] = left.get(account, 0) - chips
        if chips:
            moves.append(ChipsMoved(source=account, target=pot, chips=chips, why=why, rule=rule))
    return moves


def pay(
    state: PaidState,
    hand: PaidHand,
    amounts: Iterable[tuple[str, int]],
    pot: str,
    *,
    why: str,
    rule: str,
    path: str,
    names: Mapping[str, str] | None = None,
) -> list[ChipsMoved]:
    """Return the payments of seats into a pot in a hand, as `paid` does. Raises
    RuleViolation `no_chips`.
    """
    return paid(
        amounts,
        pot,
        accounts=hand.accounts,
        balances=state.balances,
        limited=is_limited(state, hand),
        why=why,
        rule=rule,
        path=path,
        names=names,
    )


def check_purse(held: int, chips: int, *, seat: str, path: str) -> None:
    """Raise RuleViolation `no_chips` when `seat` holds less than it must pay; who pays nothing
    needs nothing.
    """
    if chips and held < chips:
        message = sentence(
            "%(seat)s has %(held)s chips and must pay %(chips)s: %(missing)s are missing; a "
            "further buy-in can be recorded",
            seat=seat,
            held=held,
            chips=chips,
            missing=chips - held,
        )
        raise RuleViolation("no_chips", message, rule="Chips", path=path)


def find_missing_chips(state: PaidState, seats: Iterable[str], chips: int) -> dict[str, int] | None:
    """The seats that haven't got the `chips` due as a hand opens, and how many they lack; None
    where chips are counted from 0.
    """
    if state.rules.opening_chips is None:
        return None
    held = {seat: state.balances.get(seat, 0) for seat in seats}
    return {seat: chips - held[seat] for seat in held if chips and held[seat] < chips}


def can_pay(state: PaidState, hand: PaidHand, seat: str, chips: int) -> bool:
    """Whether who sits there has so many chips, or may owe them."""
    return (
        not (chips and is_limited(state, hand))
        or state.balances.get(hand.accounts[seat], 0) >= chips
    )


def is_limited(state: PaidState, hand: PaidHand) -> bool:
    """Whether nobody can pay in this hand what they don't have: chips were given at the start, and
    no director excused it.
    """
    return state.rules.opening_chips is not None and "no_chips" not in hand.excuses


def may_overdraw(state: PaidState) -> bool:
    """Whether players' accounts may go below 0: none were given chips at the start, or a director
    excused it once.
    """
    hands = (*(closed.hand for closed in state.done), *([state.hand] if state.hand else []))
    return state.rules.opening_chips is None or any("no_chips" in hand.excuses for hand in hands)


def flow(moves: Iterable[ChipsMoved], *, apart: Iterable[str] = (BANK,)) -> dict[str, int]:
    """Each account's net; what goes to or comes from the accounts `apart` doesn't count."""
    outside, net = frozenset(apart), dict[str, int]()
    for move in moves:
        if move.source not in outside and move.target not in outside:
            net[move.source] = net.get(move.source, 0) - move.chips
            net[move.target] = net.get(move.target, 0) + move.chips
    return net


def by_seat(accounts: Mapping[str, int], seats: Iterable[str]) -> dict[str, int]:
    """Chips by seat of the game, pots and bank apart: a substitute's are those of the seat they
    played for.
    """
    sums = dict.fromkeys(seats, 0)
    for account, chips in accounts.items():
        seat = account.partition(":")[0]
        if seat in sums:
            sums[seat] += chips
    return sums


def net_chips(state: GameState) -> dict[str, int]:
    """Chips won or lost since the start by seat, what was given out or bought apart (Chips)."""
    bought = by_seat(state.bought, state.players)
    return {
        seat: chips - bought[seat] for seat, chips in by_seat(state.balances, state.players).items()
    }


def with_most_chips(state: GameState) -> list[str]:
    """The seats with the most chips once the game is over, several when they share the place; none
    while there is no result.
    """
    if state.closed is None or not state.closed.has_result:
        return []
    chips = net_chips(state)
    return [seat for seat in chips if chips[seat] == max(chips.values())]


def seats_of(hand: PaidHand) -> dict[str, str]:
    """The seat at which each account sits in a hand."""
    return {account: seat for seat, account in hand.accounts.items()}


def buy_ins_of(hand: PaidHand) -> dict[str, int]:
    """The chips bought as a hand was opened, by the buyer's seat."""
    seats = seats_of(hand)
    return {seats[move.target]: move.chips for move in hand.moves if move.why == "buy_in"}


def opening_chips(rules: ChipRules, seats: Iterable[str]) -> list[ChipsMoved]:
    """Return the chips the bank gives every seat at the start (Chips)."""
    given = rules.opening_chips
    return [
        ChipsMoved(source=BANK, target=seat, chips=given, why="opening", rule="Chips")
        for seat in seats
        if given
    ]


def opening_payments(
    command: Dealing,
    state: PaidState,
    accounts: Mapping[str, str],
    *,
    ante: int,
    pot: str,
    rule: str,
    names: Mapping[str, str] | None = None,
) -> list[ChipsMoved]:
    """Return the moves as a hand is opened: the bank gives what is bought, then all pay
    the ante. Raises RuleViolation `no_chips`, and NotationError for a buy-in where
    chips are counted from 0.
    """
    if command.buy_ins and state.rules.opening_chips is None:
        raise NotationError(
            "a buy-in needs opening_chips; without them chips are counted from 0",
            path="buy_ins",
            rule="Chips",
        )
    for seat, _ in command.buy_ins:
        check_seat(seat, state.players, f"buy_ins.{seat}")
    buy_ins = [
        ChipsMoved(source=BANK, target=accounts[seat], chips=chips, why="buy_in", rule="Chips")
        for seat, chips in command.buy_ins
    ]
    excused = any("no_chips" in ruling.excuses for ruling in command.accepted)
    antes = paid(
        [(seat, ante) for seat in accounts],
        pot,
        accounts=accounts,
        balances=reduce(moved, buy_ins, state.balances),
        limited=state.rules.opening_chips is not None and not excused,
        why="ante",
        rule=rule,
        path="",
        names=names,
    )
    return [*buy_ins, *antes]
