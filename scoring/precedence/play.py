"""Precedence as one value: the names every game offers, and what a pad or a board shows of it, as
plain JSON values.
"""

from scoring.balances import find_missing_chips, may_overdraw, net_chips
from scoring.game import Limit
from scoring.legal import reasons, refusal_of
from scoring.pad_state import undoable
from scoring.precedence.acts import ACTS
from scoring.precedence.cards import CARDS
from scoring.precedence.commands import Command, CountTricks, TakeTrick
from scoring.precedence.decide import (
    decide,
    has_all_bids,
    may_bid,
    may_meld,
    most_tricks,
    next_to_bid,
)
from scoring.precedence.events import SHAPES, Event
from scoring.precedence.evolve import evolve
from scoring.precedence.explain import explain, numbers
from scoring.precedence.legal import legal_next, offer
from scoring.precedence.opening import next_dealer, next_trump, turns
from scoring.precedence.pots import ACCORD, HAND, POT_NAMES
from scoring.precedence.results import hand_result, result, result_table, sides, write_sheet
from scoring.precedence.rules import OPTIONS, Rules, are_by_side, read_rules
from scoring.precedence.score import AUDIT_AT, contracts, tricks_taken, winners_of
from scoring.precedence.seats import LEFT, PARTNER, ROUND, SEAT_NAMES, SEATS, TEAM_NAMES, TEAMS
from scoring.precedence.sheet import RULINGS, Sheet, complete_sheet, read_sheet
from scoring.precedence.state import Hand, Play, State
from scoring.precedence.team_contracts import may_name, sides_to_name
from scoring.precedence.tricks import TRICKS
from scoring.precedence.whole_hand import decide_sheet
from scoring.rulings import explained, rulings_field, rulings_of
from scoring.shape import JsonObject
from scoring.trick_game import TrickGame


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    played = [(closed.hand, closed.result) for closed in state.done if closed.result is not None]
    return [
        explained(hand_result(hand, result), explain(hand, result), rulings_of(hand))
        for hand, result in played[above:]
    ]


def tricks_in_all(players: int) -> int:
    """Return the number of tricks of a hand."""
    return TRICKS


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
        "missing": find_missing_chips(
            state, SEATS, state.rules.ante if state.redealt is None else 0
        ),
        "hand": _hand(state.hand, state) if state.hand is not None else None,
        "undo": undoable(state, SHAPES),
        **({"contracts": "side"} if are_by_side(state.rules) else {}),
    }


def _stage(state: State) -> str:
    if state.closed is not None:
        return "over"
    if state.hand is None:
        return "opening"
    return "play" if has_all_bids(state.hand, state.rules) else "bids"


def _hand(hand: Hand, state: State) -> JsonObject:
    bidder = next_to_bid(hand, state.rules)
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
        "refused_takers": _list_refused_takers(hand, state),
        "totals": _totals(hand, state),
        "plays": [list(cards) for cards in hand.play.cards],
        "by_cards": len(hand.play.cards) == len(won),
        "accepted": sorted(hand.accepted),
        "cards": _play(hand.play),
        **rulings_field(rulings_of(hand)),
        **_contracts_field(hand, state),
    }


def _contracts_field(hand: Hand, state: State) -> JsonObject:
    """The contracts by side where the house has them in place of bids, and whose is named next."""
    if not are_by_side(state.rules):
        return {}
    return {
        "named": {side: hand.named.get(side) for side in TEAMS},
        "to_name": next(iter(sides_to_name(hand)), None),
        "may_name": may_name(hand, state),
    }


def _list_refused_takers(hand: Hand, state: State) -> dict[str, dict[str, str]]:
    """List the seats that can't win the last trick because of the rulings, each with the
    reason.
    """
    if hand.play.trick < TRICKS or not has_all_bids(hand, state.rules):
        return {}
    return reasons({seat: refusal_of(decide, TakeTrick(seat=seat), state) for seat in SEATS})


def _totals(hand: Hand, state: State) -> list[int]:
    """List the numbers of tricks North–South may have in all, by those recorded and the
    rulings (P13).
    """
    ns, ew = tricks_taken(hand)
    counts = range(ns, TRICKS + 1 - ew)
    if not hand.adjusted or not has_all_bids(hand, state.rules):
        return [*counts]
    return [
        ns for ns in counts if refusal_of(decide, CountTricks(ns=ns, ew=TRICKS - ns), state) is None
    ]


def _play(play: Play) -> JsonObject:
    """Return what the play tells about cards, so that `offer` needs the table alone; sets
    of cards are bits.
    """
    return {
        "leader": play.leader,
        "played": play.played,
        "shown": play.shown,
        "held": play.held,
        "lacking": play.lacking,
    }


PRECEDENCE: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="precedence",
    title="Precedence",
    sign="core",
    letter="P",
    players="four, in two pairs",
    seatings=(SEATS,),
    seat_names=SEAT_NAMES,
    pot_names=POT_NAMES,
    teams=TEAM_NAMES,
    options=OPTIONS,
    shapes=SHAPES,
    read_rules=read_rules,
    read_sheet=read_sheet,
    acts=ACTS,
    decide=decide,
    decide_sheet=decide_sheet,
    evolve=evolve,
    write_hands=_write_hands,
    hand_results=_hand_results,
    sides=sides,
    rulings=RULINGS,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    completed=complete_sheet,
    offer=offer,
    turns=turns,
    may_overdraw=may_overdraw,
    numbers=numbers,
    tricks=tricks_in_all,
    target="target_score",
    pack=CARDS,
    limits={"excess": Limit(TRICKS, "P18"), "audits": Limit(TRICKS, "P19", one_in=AUDIT_AT)},
)
