"""Why a hand scored what it scored: each number with its rule (P7, P16 to P22)."""

from collections.abc import Iterator

from scoring.precedence.score import AUDIT_POINTS, TRICK_POINTS, side_of
from scoring.precedence.seats import SEATS, TEAMS
from scoring.precedence.state import ClosedHand, Hand, HandResult, State, TeamResult
from scoring.shape import JsonObject

BIDS = ("precedence.bid_made", "precedence.contract_named")
MELDS = "precedence.meld_declared"
TRICKS = ("precedence.tricks_counted", "ruling.tricks_adjusted", "hand.closed")
FACTS = {
    "contract_made": (*BIDS, *TRICKS),
    "contract_failed": (*BIDS, *TRICKS),
    "overtricks": (*BIDS, *TRICKS),
    "melds": (MELDS,),
    "melds_halved": (MELDS, "hand.closed"),
    "ruling": ("ruling.points_adjusted",),
    "audit": ("hand.closed",),
}


def explain(hand: Hand, closed: HandResult) -> JsonObject:
    """For each team the lines that add up to its change of score, and how the Hand Pot was paid."""
    lines = {
        team: list(_lines(result))
        for team, result in zip(TEAMS, (closed.ns, closed.ew), strict=True)
    }
    return {"lines": lines, "pot": _pot(hand, closed)}


def _lines(team: TeamResult) -> Iterator[JsonObject]:
    contract = {"contract": team.contract, "tricks": team.tricks}
    if team.met:
        over = team.tricks - team.contract
        yield {
            "what": "contract_made",
            "rule": "P16",
            "points": TRICK_POINTS * team.contract,
            **contract,
        }
        if over:
            yield {"what": "overtricks", "rule": "P16", "points": over, "excess": over}
    else:
        yield {
            "what": "contract_failed",
            "rule": "P17",
            "points": -TRICK_POINTS * team.contract,
            **contract,
        }
    if team.shown_points:
        what, rule = ("melds", "P16") if team.met else ("melds_halved", "P17")
        yield {"what": what, "rule": rule, "points": team.meld_points, "shown": team.shown_points}
    if team.adjusted_points:
        yield {"what": "ruling", "rule": "Infractions", "points": team.adjusted_points}
    if team.audits:
        yield {
            "what": "audit",
            "rule": "P19",
            "points": -AUDIT_POINTS * team.audits,
            "times": team.audits,
            "left": team.excess,
        }


def _pot(hand: Hand, closed: HandResult) -> JsonObject:
    rule = "P20" if closed.pot_to is not None or closed.ns.met else "P21"
    shares = [{"account": account, "chips": chips} for account, chips in closed.payouts]
    return {"rule": rule, "chips": closed.pot, "to": closed.pot_to, "shares": shares}


def numbers(state: State) -> dict[str, list[list[JsonObject]]]:
    """Explain each score and each count of Excess, hand by hand: lines as `Game.numbers`
    has them (P16 to P19).
    """
    played = [closed for closed in state.done if closed.result is not None]
    found: dict[str, list[list[JsonObject]]] = {}
    for place, team in enumerate(TEAMS):
        found[f"score.{team}"] = [list(_score_lines(closed, place)) for closed in played]
        found[f"excess.{team}"] = _excess_of(played, place)
    return found


def _score_lines(closed: ClosedHand, place: int) -> Iterator[JsonObject]:
    for line in _lines(_of_team(closed, place)):
        yield line | {"amount": line["points"], **_behind(closed.hand, line["what"], TEAMS[place])}


def _excess_of(played: list[ClosedHand], place: int) -> list[list[JsonObject]]:
    before, found = 0, []
    for closed in played:
        result = _of_team(closed, place)
        found.append(
            [
                line | _behind(closed.hand, line["what"], TEAMS[place])
                for line in _excess_lines(result, before)
            ]
        )
        before = result.excess
    return found


def _excess_lines(result: TeamResult, before: int) -> Iterator[JsonObject]:
    over = result.tricks - result.contract if result.met else 0
    if over:
        yield {"what": "overtricks", "rule": "P18", "amount": over, "excess": over}
    if result.audits:
        yield {
            "what": "audit",
            "rule": "P19",
            "amount": result.excess - before - over,
            "times": result.audits,
            "left": result.excess,
        }


def _behind(hand: Hand, what: str, team: str) -> JsonObject:
    return {
        "facts": FACTS[what],
        "of": (team, *(seat for seat in SEATS if side_of(hand, seat) == team)),
    }


def _of_team(closed: ClosedHand, place: int) -> TeamResult:
    assert closed.result is not None
    return (closed.result.ns, closed.result.ew)[place]
