"""The pots of Precedence: what a hand moved into them, and who gets them (P3, P4, P20 to P24)."""

from collections.abc import Iterable

from scoring.chips import BANK, share
from scoring.events import ChipsMoved
from scoring.precedence.rules import Rules
from scoring.precedence.score import side_of, winners
from scoring.precedence.seats import LEFT, ROUND, TEAM
from scoring.precedence.state import Hand, TeamResult

HAND = "hand"
ACCORD = "accord"
POT_NAMES = {HAND: "Hand Pot", ACCORD: "Accord Pot"}
OUTSIDE_HAND = frozenset({BANK, ACCORD})


def paid(moves: Iterable[ChipsMoved]) -> dict[str, int]:
    """Sum the chips each account put into the Hand Pot, rulings apart."""
    sums: dict[str, int] = {}
    for move in moves:
        if move.target == HAND and move.why != "ruling":
            sums[move.source] = sums.get(move.source, 0) + move.chips
    return sums


def pot_winner(ns: TeamResult, ew: TeamResult) -> str | None:
    """The side that made its contract, with more tricks where both did; None when neither, or equal
    tricks (P20).
    """
    if ns.met and ew.met:
        return None if ns.tricks == ew.tricks else "NS" if ns.tricks > ew.tricks else "EW"
    return "NS" if ns.met else "EW" if ew.met else None


def hand_pot_payouts(
    hand: Hand, rules: Rules, pot: int, ns: TeamResult, ew: TeamResult
) -> list[ChipsMoved]:
    """Pay `pot` chips out of the Hand Pot at the close of the hand (P20 to P22)."""
    clockwise = ROUND[LEFT[hand.dealer]]
    winner = pot_winner(ns, ew)
    if winner is not None:
        team = [hand.accounts[seat] for seat in clockwise if side_of(hand, seat) == winner]
        return _shares(HAND, pot, team, why="hand_pot", rule="P22")
    everybody = [hand.accounts[seat] for seat in clockwise]
    if ns.met:
        return _shares(HAND, pot, everybody, why="hand_pot", rule="P20")
    if rules.no_winner_pot == "split":
        return _shares(HAND, pot, everybody, why="split", rule="P21")
    if rules.no_winner_pot == "refund":
        return _refunds(hand, pot, everybody)
    return []


def _refunds(hand: Hand, pot: int, everybody: list[str]) -> list[ChipsMoved]:
    """Everybody's own chips back, from the player who led; no more than a ruling left in
    the pot.
    """
    moves = []
    paid_in = paid(hand.moves)
    for account in dict.fromkeys((*everybody, *paid_in)):
        chips = min(paid_in.get(account, 0), pot)
        if chips > 0:
            moves.append(
                ChipsMoved(source=HAND, target=account, chips=chips, why="refund", rule="P21")
            )
            pot -= chips
    return moves


def final_payouts(last: Hand, score: tuple[int, int], accord: int, left: int) -> list[ChipsMoved]:
    """Share the Accord Pot and what is `left` in the Hand Pot at the end, after the `last`
    hand (P24).

    The pots are the players' of the game; a substitute in the last hand only keeps the seat's place
    in the order.
    """
    best = winners(score)
    in_order = (last.accounts[seat][0] for seat in ROUND[LEFT[last.dealer]])
    sharers = [home for home in in_order if TEAM[home] in best]
    return [
        *_shares(ACCORD, accord, sharers, why="accord_pot", rule="P24"),
        *_shares(HAND, left, sharers, why="last_hand_pot", rule="P24"),
    ]


def _shares(pot: str, chips: int, sharers: list[str], *, why: str, rule: str) -> list[ChipsMoved]:
    return [
        ChipsMoved(source=pot, target=account, chips=part, why=why, rule=rule)
        for account, part in share(chips, sharers)
    ]
