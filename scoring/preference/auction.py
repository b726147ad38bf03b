"""The auction of Preference: who speaks, what they may say, and who won it (R6 to R8)."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from scoring.preference.contracts import CONTRACTS, VALUES
from scoring.preference.state import LEFT, ROUND

PASS = "pass"  # noqa: S105 - a call, no secret
HOLD = "hold"
CALLS = (PASS, HOLD, *CONTRACTS)


class Auction(NamedTuple):
    """The calls so far: the highest contract, who stands at it, who speaks next (None: over), and
    who hasn't passed.
    """

    high: str | None
    holder: str | None
    speaker: str | None
    live: tuple[str, ...]

    @property
    def may_hold(self) -> bool:
        """Whether the speaker spoke before the one who stands highest, and so may hold (R6)."""
        return self.high is not None and len(self.live) > 1 and self.speaker == self.live[0]

    @property
    def may_say(self) -> tuple[str, ...]:
        """Every call that the speaker may make."""
        if self.speaker is None:
            return ()
        least = VALUES[self.high] if self.high is not None else 0
        return (PASS, *((HOLD,) if self.may_hold else ()), *CONTRACTS[least:])


def auction_of(dealer: str, calls: Iterable[tuple[str, str]]) -> Auction:
    """The auction after these (seat, call) pairs. It refuses nothing: calls out of order count as
    they came.
    """
    high, holder, passed = None, None, set()
    for seat, call in calls:
        if call == PASS:
            passed.add(seat)
        else:
            holder = seat
            high = high if call == HOLD else call
    live = tuple(seat for seat in ROUND[LEFT[dealer]] if seat not in passed)
    return Auction(high, holder, _speaker(live, holder), live)


def may_call(
    dealer: str, calls: Sequence[tuple[str, str]], excuses: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the calls each seat can make now: only the next speaker's, unless a director
    excused the turn, and by R6, unless that was excused.
    """
    auction = auction_of(dealer, calls)
    seats = (
        ROUND[LEFT[dealer]]
        if "out_of_turn" in excuses
        else (auction.speaker,)
        if auction.speaker
        else ()
    )
    if "bad_call" in excuses:
        return dict.fromkeys(seats, CALLS)
    higher = CONTRACTS[VALUES[auction.high] if auction.high is not None else 0 :]
    return {seat: auction.may_say if seat == auction.speaker else (PASS, *higher) for seat in seats}


def _speaker(live: tuple[str, ...], holder: str | None) -> str | None:
    """Of the two who bid against each other the one who doesn't stand highest; the earlier where
    neither does.
    """
    if not live or live == (holder,):
        return None
    return live[1] if live[0] == holder else live[0]
