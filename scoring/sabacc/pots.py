"""Antes, wagers and bonuses: what is paid and who gets it (S1, S5, S10, S11, S13)."""

from scoring.balances import pay
from scoring.chips import share
from scoring.events import ChipsMoved
from scoring.sabacc.auction import STAKES, own_stake
from scoring.sabacc.score import Outcome, bonus_of
from scoring.sabacc.state import Hand, State

ANTE = "ante"
WAGER = "wager"
POT_NAMES = {ANTE: "Ante Pot", WAGER: "Wager Pot"}


def payouts_of(hand: Hand) -> list[ChipsMoved]:
    """The chips that left the pots by the rules at the close of a hand."""
    return [move for move in hand.moves if move.source in POT_NAMES and move.why != "ruling"]


def call_stake(state: State, hand: Hand, seat: str, bid: str, path: str) -> list[ChipsMoved]:
    """Return the payment for a bid at once: under `bidders_only` the stake before the
    bidder is topped up (S5). Raises `no_chips`.
    """
    if state.rules.wager != "bidders_only":
        return []
    more = max(0, STAKES[bid] - own_stake(hand.calls, seat))
    return pay(state, hand, [(seat, more)], WAGER, why="wager", rule="S5", path=path)


def final_stakes(state: State, hand: Hand, path: str) -> list[ChipsMoved]:
    """Return the wagers once the bidding is over: every player's stake under `all_match`,
    the declarer's for each defender (S5).
    """
    assert hand.declarer is not None
    assert hand.contract is not None
    stake = STAKES[hand.contract]
    everybody = (
        [(seat, stake) for seat in hand.accounts] if state.rules.wager == "all_match" else []
    )
    extra = (hand.declarer, stake * (len(hand.accounts) - 1))
    return pay(state, hand, [*everybody, extra], WAGER, why="wager", rule="S5", path=path)


def payouts(hand: Hand, result: Outcome, wagered: int, in_ante_pot: int) -> list[ChipsMoved]:
    """Pay the wagers and the bonus out of the pots at the close of a hand (S10, S11)."""
    moves = _wagers_won(hand, wagered) if result.made else _wagers_lost(hand, wagered)
    bonus = bonus_of(hand, result.bonus, in_ante_pot)
    if bonus is not None and bonus.chips:
        moves.append(
            ChipsMoved(
                source=ANTE,
                target=hand.accounts[bonus.seat],
                chips=bonus.chips,
                why="bonus",
                rule="S11",
            )
        )
    return moves


def _wagers_won(hand: Hand, wagered: int) -> list[ChipsMoved]:
    if not wagered:
        return []
    return [
        ChipsMoved(
            source=WAGER,
            target=hand.accounts[hand.declarer or ""],
            chips=wagered,
            why="made",
            rule="S10",
        )
    ]


def _wagers_lost(hand: Hand, wagered: int) -> list[ChipsMoved]:
    defenders = [hand.accounts[seat] for seat in hand.in_play if seat != hand.declarer]
    each, odd = divmod(wagered, len(defenders))
    moves = [
        ChipsMoved(source=WAGER, target=account, chips=each, why="failed", rule="S10")
        for account in defenders
        if each
    ]
    if not odd:
        return moves
    return [*moves, ChipsMoved(source=WAGER, target=ANTE, chips=odd, why="odd", rule="S10")]


def final_payouts(last: Hand, state: State, in_ante_pot: int) -> list[ChipsMoved]:
    """Share the Ante Pot at the end, after the `last` hand, or leave it (S13).

    It is the players' of the game; a substitute in the last hand only keeps the seat's place in the
    order.
    """
    if leaves_pots(state):
        return []
    sharers = [last.accounts[seat][0] for seat in last.in_play]
    return [
        ChipsMoved(source=ANTE, target=seat, chips=part, why="ante_pot", rule="S13")
        for seat, part in share(in_ante_pot, sharers)
    ]


def leaves_pots(state: State) -> bool:
    """Whether the house leaves the Ante Pot as it is at the end (S13)."""
    return state.rules.ante_pot_end == "leave"
