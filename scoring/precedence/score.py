"""Points, Excess and Imperial Audits of a hand (P16 to P19)."""

from scoring.errors import RuleViolation, sentence
from scoring.events import PointsAdjusted, TricksAdjusted
from scoring.precedence.melds import meld_points
from scoring.precedence.rules import Rules
from scoring.precedence.seats import TEAM, TEAM_NAMES, TEAMS
from scoring.precedence.state import Hand, State, TeamResult
from scoring.precedence.tricks import TRICKS

TRICK_POINTS = 10
AUDIT_AT = 10
AUDIT_POINTS = 100


def side_of(hand: Hand, seat: str) -> str:
    """The team for which whoever sits at `seat` plays in this hand."""
    return TEAM[hand.accounts[seat][0]]


def contracts(hand: Hand) -> tuple[int, int]:
    """The Team Contracts, by side (P11)."""
    if hand.named:
        return _by_side(hand, hand.named.get("NS", 0), hand.named.get("EW", 0))
    bids = hand.bids
    return _by_side(hand, bids.get("N", 0) + bids.get("S", 0), bids.get("E", 0) + bids.get("W", 0))


def tricks_taken(hand: Hand) -> tuple[int, int]:
    """Tricks so far by seats NS and EW, as played or counted, before rulings."""
    if hand.counted is not None:
        return hand.counted
    won = hand.play.winners
    ns = won.count("N") + won.count("S")
    return ns, len(won) - ns


def count_adjusted_tricks(hand: Hand) -> tuple[int, int]:
    """Tricks that count, by side, rulings included. Raises RuleViolation `bad_total` below 0 or
    above 13.
    """
    if not hand.adjusted:
        return _by_side(hand, *tricks_taken(hand))
    taken = dict(zip(TEAMS, tricks_taken(hand), strict=True))
    for ruling in hand.adjusted:
        if isinstance(ruling, TricksAdjusted):
            if ruling.source:
                taken[ruling.source] -= ruling.tricks
            if ruling.target:
                taken[ruling.target] += ruling.tricks
    for team, tricks in taken.items():
        if not 0 <= tricks <= TRICKS:
            message = sentence(
                "the ruling leaves %(team_names)s with %(tricks)s tricks; a team has 0 to 13",
                team_names=TEAM_NAMES[team],
                tricks=tricks,
            )
            raise RuleViolation("bad_total", message, rule="P16", path="rulings")
    return _by_side(hand, taken["NS"], taken["EW"])


def _by_side(hand: Hand, ns: int, ew: int) -> tuple[int, int]:
    """Assign the numbers of the seats of each team to the side that sits there."""
    return (ns, ew) if side_of(hand, "N") == "NS" else (ew, ns)


def count_shown_points(hand: Hand) -> tuple[int, int]:
    """Meld points shown, by side, before they are halved (P7)."""
    if not hand.melds:
        return 0, 0
    points = {"NS": 0, "EW": 0}
    for meld in hand.melds:
        points[TEAM[meld.seat]] += meld_points(meld.kind, len(meld.cards))
    return _by_side(hand, points["NS"], points["EW"])


def count_adjusted_points(hand: Hand) -> tuple[int, int]:
    """Points given or taken by rulings, by side."""
    if not hand.adjusted:
        return 0, 0
    points = {"NS": 0, "EW": 0}
    for ruling in hand.adjusted:
        if isinstance(ruling, PointsAdjusted):
            points[ruling.side] += ruling.points
    return _by_side(hand, points["NS"], points["EW"])


def team_results(
    hand: Hand, rules: Rules, score: tuple[int, int], excess: tuple[int, int]
) -> tuple[TeamResult, TeamResult]:
    """The hand's result for each side, from the `score` and `excess` before it. Raises as
    `count_adjusted_tricks`.
    """
    each = zip(
        contracts(hand),
        count_adjusted_tricks(hand),
        count_shown_points(hand),
        count_adjusted_points(hand),
        score,
        excess,
        strict=True,
    )
    ns, ew = (_team_result(*numbers, carry=rules.excess_reset == "carry") for numbers in each)
    return ns, ew


def _team_result(
    contract: int, tricks: int, shown: int, adjusted: int, score: int, excess: int, *, carry: bool
) -> TeamResult:
    met = tricks >= contract
    over = tricks - contract if met else 0
    melds = shown if met else shown // 2
    points = (
        (TRICK_POINTS * contract + over if met else -TRICK_POINTS * contract) + melds + adjusted
    )
    audits, left = audit(excess + over, carry=carry)
    return TeamResult(
        contract=contract,
        tricks=tricks,
        met=met,
        shown_points=shown,
        meld_points=melds,
        adjusted_points=adjusted,
        points=points,
        audits=audits,
        score=score + points - AUDIT_POINTS * audits,
        excess=left,
    )


def audit(excess: int, *, carry: bool) -> tuple[int, int]:
    """Return the number of Imperial Audits an Excess count brings, and the count after
    them (P19).
    """
    if excess < AUDIT_AT:
        return 0, excess
    return divmod(excess, AUDIT_AT) if carry else (1, 0)


def winners(score: tuple[int, int]) -> tuple[str, ...]:
    """The side with the higher score, or both (P23)."""
    ns, ew = score
    if ns == ew:
        return TEAMS
    return ("NS",) if ns > ew else ("EW",)


def winners_of(state: State) -> list[str]:
    """Return the winners of the game once it is over, both sides in a draw; empty while
    there is no result (P23).
    """
    return (
        list(winners(state.score)) if state.closed is not None and state.closed.has_result else []
    )


def is_over(rules: Rules, score: tuple[int, int], played: int) -> bool:
    """Whether the game ends after `played` hands with this score (P23)."""
    if rules.hands_limit is not None and played >= rules.hands_limit:
        return True
    return max(score) >= rules.target_score and score[0] != score[1]
