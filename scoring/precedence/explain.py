"""Why a hand scored what it scored: each number with its rule (P7, P16 to P22)."""

from collections.abc import Iterator
from typing import Any

from scoring.precedence.score import AUDIT_POINTS, TRICK_POINTS
from scoring.precedence.seats import TEAMS
from scoring.precedence.state import Hand, HandResult, TeamResult


def explain(hand: Hand, closed: HandResult) -> dict[str, Any]:
    """For each team the lines that add up to its change of score, and how the Hand Pot was paid."""
    lines = {team: list(_lines(result)) for team, result in zip(TEAMS, (closed.ns, closed.ew), strict=True)}
    return {"lines": lines, "pot": _pot(hand, closed)}


def _lines(team: TeamResult) -> Iterator[dict[str, Any]]:
    contract = {"contract": team.contract, "tricks": team.tricks}
    if team.met:
        over = team.tricks - team.contract
        yield {"what": "contract_made", "rule": "P16", "points": TRICK_POINTS * team.contract, **contract}
        if over:
            yield {"what": "overtricks", "rule": "P16", "points": over, "excess": over}
    else:
        yield {"what": "contract_failed", "rule": "P17", "points": -TRICK_POINTS * team.contract, **contract}
    if team.shown_points:
        what, rule = ("melds", "P16") if team.met else ("melds_halved", "P17")
        yield {"what": what, "rule": rule, "points": team.meld_points, "shown": team.shown_points}
    if team.adjusted_points:
        yield {"what": "ruling", "rule": "Infractions", "points": team.adjusted_points}
    if team.audits:
        yield {"what": "audit", "rule": "P19", "points": -AUDIT_POINTS * team.audits, "times": team.audits, "left": team.excess}


def _pot(hand: Hand, closed: HandResult) -> dict[str, Any]:
    rule = "P20" if closed.pot_to is not None or closed.ns.met else "P21"
    shares = [{"account": account, "chips": chips} for account, chips in closed.payouts]
    return {"rule": rule, "chips": closed.pot, "to": closed.pot_to, "shares": shares}
