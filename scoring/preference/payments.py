"""The pot and what goes in and out of it at the end of a hand and of a game (R14 to R17)."""

from collections.abc import Iterable, Mapping

from scoring.balances import check_purse
from scoring.chips import share
from scoring.events import ChipsMoved
from scoring.preference.contracts import MISERES
from scoring.preference.rules import Rules
from scoring.preference.score import count_adjusted_tricks, is_made
from scoring.preference.state import LEFT, ROUND, SEAT_NAMES, Hand, defenders_of

POT = "pot"
POT_NAMES = {POT: "Pot"}
DUE = 2


def settlement(hand: Hand, rules: Rules, pot: int) -> list[ChipsMoved]:
    """Return the moves at a contract's end: the soloist's take or forfeit, and what
    defenders owe (R14 to R16).
    """
    made = is_made(hand)
    if made is None:
        return []
    soloist = hand.accounts[hand.soloist]
    if made:
        first = ChipsMoved(
            source=POT, target=soloist, chips=min(rules.take, pot), why="take", rule="R14"
        )
    else:
        first = ChipsMoved(
            source=soloist, target=POT, chips=rules.forfeit, why="forfeit", rule="R14"
        )
    owed = (
        ChipsMoved(source=hand.accounts[seat], target=POT, chips=rules.duty, why=why, rule=rule)
        for seat, why, rule in _list_owing(hand, rules)
    )
    return [move for move in (first, *owed) if move.chips]


def _list_owing(hand: Hand, rules: Rules) -> list[tuple[str, str, str]]:
    """The defenders who owe the duty, why, and by which rule: each once at most."""
    tricks, defence = count_adjusted_tricks(hand), hand.defence or {}
    if tricks is None or (hand.contract in MISERES and not rules.misere_duty):
        return []
    insisting = rules.insister_pays and is_made(hand) and "insisted" in defence.values()
    owing = []
    for seat in defenders_of(hand.soloist):
        if defence[seat] != "along":
            continue
        if tricks[seat] < DUE:
            owing.append((seat, "duty", "R15"))
        elif insisting:
            owing.append((seat, "insisting", "R16"))
    return owing


def final_shares(dealer: str, pot: int) -> list[ChipsMoved]:
    """Share the pot among all three after the last hand, which `dealer` dealt (R17)."""
    return [
        ChipsMoved(source=POT, target=seat, chips=part, why="last_pot", rule="R17")
        for seat, part in share(pot, ROUND[LEFT[dealer]])
    ]


def check_payment(
    rules: Rules, balances: Mapping[str, int], move: ChipsMoved, excuses: Iterable[str]
) -> None:
    """Raise RuleViolation `no_chips` when chips are given out at the start and who pays hasn't
    enough.
    """
    if rules.opening_chips is not None and move.source != POT and "no_chips" not in excuses:
        check_purse(
            balances.get(move.source, 0), move.chips, seat=SEAT_NAMES[move.source[0]], path=""
        )
