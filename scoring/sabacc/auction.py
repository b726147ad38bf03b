"""The bidding: who calls next, what may be bid, and when it is over (S3 to S5)."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.errors import RuleViolation, sentence
from scoring.sabacc.state import LEFT, RIGHT, ROUND

BIDS = ("take", "push", "guard", "guard_without", "guard_against")
PASS = "pass"  # noqa: S105 - a call, no password
STAKES = {"take": 1, "push": 1, "guard": 2, "guard_without": 4, "guard_against": 6}
CONTRACT_NAMES = {
    "take": "Take",
    "push": "Push",
    "guard": "Guard",
    "guard_without": "Guard without",
    "guard_against": "Guard against",
}
WITH_TALON = frozenset({"take", "push", "guard"})
HEIGHT = {bid: height for height, bid in enumerate(BIDS)}


class Auction(NamedTuple):
    """The bidding so far: the highest bid and its seat, who is out, and who calls next (None when
    it is over).
    """

    declarer: str | None
    contract: str | None
    passed: frozenset[str]
    next_seat: str | None


def auction(calls: Sequence[tuple[str, str]], first: str, players: int) -> Auction:
    """Return the state of the bidding after `calls`, begun by `first`."""
    declarer, contract, passed = None, None, set[str]()
    for seat, call in calls:
        if call == PASS:
            passed.add(seat)
            continue
        passed.discard(seat)
        if contract is None or HEIGHT[call] > HEIGHT[contract]:
            declarer, contract = seat, call
    order = ROUND[players][RIGHT[players][calls[-1][0]]] if calls else ROUND[players][first]
    waiting = (seat for seat in order if seat not in passed and seat != declarer)
    return Auction(declarer, contract, frozenset(passed), next(waiting, None))


def first_caller(dealer: str, first: str, players: int) -> str:
    """Return the seat that calls first: the player at the dealer's `left` or `right` (S3)."""
    return (LEFT if first == "left" else RIGHT)[players][dealer]


def higher_bids(contract: str | None) -> tuple[str, ...]:
    """Return the bids that are still possible (S3)."""
    return BIDS if contract is None else BIDS[HEIGHT[contract] + 1 :]


def own_stake(calls: Sequence[tuple[str, str]], seat: str) -> int:
    """The stake of a seat's own highest bid, 0 without one (S5)."""
    return max(
        (STAKES[call] for caller, call in calls if caller == seat and call != PASS), default=0
    )


def bidding_over(calls: Sequence[object], path: str) -> RuleViolation:
    """Why there is nothing more to call: by the calls written down, or because the contract was
    named without any.
    """
    message = sentence("the bidding is over: all but the highest bidder have passed")
    if not calls:
        message = sentence(
            "the bidding is over: declarer and contract were named without the calls"
        )
    return RuleViolation("out_of_turn", message, rule="S3", path=path)


def check_call(seat: str, call: str, so_far: Auction, excuses: frozenset[str], path: str) -> None:
    """Raise RuleViolation `out_of_turn` for the wrong seat, `bad_call` for a bid that isn't higher
    (S3).
    """
    due = so_far.next_seat
    if due is None:
        raise bidding_over(("", ""), path)
    if seat != due and "out_of_turn" not in excuses:
        message = sentence("%(due)s calls next, not %(seat)s", due=due, seat=seat)
        if seat in so_far.passed:
            message = sentence(
                "%(due)s calls next, not %(seat)s (%(seat)s has passed and is out)",
                due=due,
                seat=seat,
            )
        raise RuleViolation("out_of_turn", message, rule="S3", path=path)
    if call != PASS and call not in higher_bids(so_far.contract) and "bad_call" not in excuses:
        assert so_far.contract is not None
        higher = ", ".join(CONTRACT_NAMES[bid] for bid in higher_bids(so_far.contract))
        may = sentence("%(higher)s or pass", higher=higher) if higher else sentence("only pass")
        message = sentence(
            "%(contract)s is bid, so %(seat)s can say %(may)s, not %(other_contract)s",
            contract=CONTRACT_NAMES[so_far.contract],
            seat=seat,
            may=may,
            other_contract=CONTRACT_NAMES[call],
        )
        raise RuleViolation("bad_call", message, rule="S3", path=path)
