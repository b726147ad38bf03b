"""Team Contracts named by side, where the house has them in place of single bids (P11, P12)."""

from scoring.balances import can_pay, pay
from scoring.chips import share
from scoring.errors import RuleViolation, sentence
from scoring.precedence.commands import NameContract
from scoring.precedence.events import ContractNamed, Event
from scoring.precedence.pots import HAND
from scoring.precedence.rules import are_by_side
from scoring.precedence.seats import LEFT, ROUND, SEAT_NAMES, TEAM, TEAM_NAMES
from scoring.precedence.state import Hand, State
from scoring.precedence.tricks import TRICKS


def sides_to_name(hand: Hand) -> list[str]:
    """The sides whose contract is missing, that of the player left of the dealer first."""
    sides = dict.fromkeys(TEAM[seat] for seat in ROUND[LEFT[hand.dealer]])
    return [side for side in sides if side not in hand.named]


def stakes(side: str, tricks: int, hand: Hand, state: State) -> list[tuple[str, int]]:
    """The stake of each partner for a contract: half of it, and an odd chip whoever of them sits
    nearer to the dealer's left (P12).
    """
    partners = [seat for seat in ROUND[LEFT[hand.dealer]] if TEAM[seat] == side]
    return share(state.rules.trick_stake * tricks, partners)


def most_of(side: str, hand: Hand, state: State) -> int:
    """The highest contract that both partners can pay for (P12)."""
    return max(
        tricks
        for tricks in range(TRICKS + 1)
        if all(can_pay(state, hand, *stake) for stake in stakes(side, tricks, hand, state))
    )


def may_name(hand: Hand, state: State) -> dict[str, int]:
    """The sides that may name their contract now, and how much each may name at most."""
    if not are_by_side(state.rules):
        return {}
    return {side: most_of(side, hand, state) for side in sides_to_name(hand)}


def decide_contract(command: NameContract, hand: Hand, state: State) -> list[Event]:
    """The contract and its stakes as events (P11, P12).

    Raises RuleViolation `bad_bid` where the house has single bids or for a contract outside 0–13,
    `out_of_turn` for a second one, `no_chips`.
    """
    path, side = f"contracts.{command.side}", TEAM_NAMES[command.side]
    if not are_by_side(state.rules):
        message = sentence(
            "each player bids in this game, so %(side)s can't name a contract", side=side
        )
        raise RuleViolation("bad_bid", message, rule="P11", path=path)
    if command.side in hand.named:
        message = sentence(
            "%(side)s named a contract of %(tricks)s; each side names one",
            side=side,
            tricks=hand.named[command.side],
        )
        raise RuleViolation("out_of_turn", message, rule="P11", path=path)
    if not 0 <= command.tricks <= TRICKS:
        message = sentence(
            "a contract of %(side)s is 0 to 13, not %(tricks)s", side=side, tricks=command.tricks
        )
        raise RuleViolation("bad_bid", message, rule="P11", path=path)
    return [
        ContractNamed(side=command.side, tricks=command.tricks),
        *pay(
            state,
            hand,
            stakes(command.side, command.tricks, hand, state),
            HAND,
            why="bid",
            rule="P12",
            path=path,
            names=SEAT_NAMES,
        ),
    ]
