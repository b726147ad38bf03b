"""What a pad or a board shows of a Precedence game, and what may come next, as plain JSON
values.
"""

from scoring.legal import reasons, refusal_of
from scoring.pad_state import undoable
from scoring.precedence.commands import CountTricks, TakeTrick
from scoring.precedence.decide import decide, may_bid, may_meld, most_tricks, next_to_bid
from scoring.precedence.events import SHAPES
from scoring.precedence.opening import next_dealer, next_trump
from scoring.precedence.pots import ACCORD, HAND
from scoring.precedence.score import contracts, tricks_taken, winners_of
from scoring.precedence.seats import LEFT, PARTNER, ROUND, SEATS, TEAMS
from scoring.precedence.state import Hand, Play, State
from scoring.precedence.tricks import TRICKS
from scoring.purses import missing_chips, net_chips
from scoring.rulings import rulings_of, shown
from scoring.shape import JsonObject


def table(state: State) -> JsonObject:
    """The table as it stands: stage, scores, Excess, pots, the open hand, and what `Undo` would
    take back.

    `stage` is `opening` (a hand may be opened), `bids` (melds too, before the first bid), `play`,
    or `over`.
    """
    return {
        "stage": _stage(state),
        "target_score": state.rules.target_score,
        "hands_limit": state.rules.hands_limit,
        "variant": state.rules.variant,
        "trumps": state.rules.trump,
        "meld_overlap": state.rules.meld_overlap,
        "stakes": {
            "ante": state.rules.ante,
            "trick": state.rules.trick_stake,
            "meld": state.rules.meld_stake,
        },
        "score": dict(zip(TEAMS, state.score, strict=True)),
        "excess": dict(zip(TEAMS, state.excess, strict=True)),
        "winners": winners_of(state),
        "opening_chips": state.rules.opening_chips,
        "closed": state.closed.kind if state.closed is not None else None,
        "chips": net_chips(state),
        "pots": {"hand": state.balances.get(HAND, 0), "accord": state.balances.get(ACCORD, 0)},
        "hands": state.played,
        "next": {
            "number": state.played + 1,
            "dealer": next_dealer(state),
            "trump": next_trump(state),
            "redealt": state.redealt is not None,
        },
        "missing": missing_chips(state, SEATS, state.rules.ante if state.redealt is None else 0),
        "hand": _hand(state.hand, state) if state.hand is not None else None,
        "undo": undoable(state, SHAPES),
    }


def _stage(state: State) -> str:
    if state.closed is not None:
        return "over"
    if state.hand is None:
        return "opening"
    return "play" if next_to_bid(state.hand) is None else "bids"


def _hand(hand: Hand, state: State) -> JsonObject:
    bidder = next_to_bid(hand)
    won = hand.play.winners
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "trump": hand.trump,
        "players": dict(hand.players),
        "bids": {seat: hand.bids.get(seat) for seat in ROUND[LEFT[hand.dealer]]},
        "contracts": dict(zip(TEAMS, contracts(hand), strict=True)),
        "bidder": bidder,
        "most": most_tricks(bidder, hand, state) if bidder else None,
        "held": hand.bids.get(PARTNER[bidder], 0) if bidder else 0,
        "may_bid": may_bid(hand, state),
        "may_meld": may_meld(hand, state),
        "melds": [
            {"seat": meld.seat, "kind": meld.kind, "cards": list(meld.cards)} for meld in hand.melds
        ],
        "dealt": hand.deal is not None,
        "trick": hand.play.trick,
        "leader": hand.play.leader,
        "tricks": dict(zip(TEAMS, tricks_taken(hand), strict=True)),
        "won": {seat: won.count(seat) for seat in SEATS},
        "winners": list(won),
        "refused_takers": _refused_takers(hand, state),
        "totals": _totals(hand, state),
        "plays": [list(cards) for cards in hand.play.cards],
        "by_cards": len(hand.play.cards) == len(won),
        "accepted": sorted(hand.accepted),
        "cards": _play(hand.play),
        **shown(rulings_of(hand)),
    }


def _refused_takers(hand: Hand, state: State) -> dict[str, dict[str, str]]:
    """Who can't win the last trick because of what was ruled, and why."""
    if hand.play.trick < TRICKS or next_to_bid(hand) is not None:
        return {}
    return reasons({seat: refusal_of(decide, TakeTrick(seat=seat), state) for seat in SEATS})


def _totals(hand: Hand, state: State) -> list[int]:
    """How many tricks North–South may have in all, by those recorded and what was ruled (P13)."""
    ns, ew = tricks_taken(hand)
    counts = range(ns, TRICKS + 1 - ew)
    if not hand.adjusted or next_to_bid(hand) is not None:
        return [*counts]
    return [
        ns for ns in counts if refusal_of(decide, CountTricks(ns=ns, ew=TRICKS - ns), state) is None
    ]


def _play(play: Play) -> JsonObject:
    """What the play tells about cards, so that `offer` needs the table alone; sets of cards are
    bits.
    """
    return {
        "leader": play.leader,
        "played": play.played,
        "shown": play.shown,
        "held": play.held,
        "lacking": play.lacking,
    }
