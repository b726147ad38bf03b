"""Contract Sabacc as one value: the names every game offers, and what a pad or a board shows of it,
as plain JSON values.
"""

from scoring.balances import (
    by_seat,
    find_missing_chips,
    flow,
    may_overdraw,
    net_chips,
    with_most_chips,
)
from scoring.pad_state import undoable
from scoring.rulings import explained, rulings_field
from scoring.sabacc.acts import ACTS
from scoring.sabacc.auction import STAKES, higher_bids
from scoring.sabacc.cards import SABACC as SABACC_SUIT
from scoring.sabacc.cards import SUIT_OF
from scoring.sabacc.commands import Command
from scoring.sabacc.decide import bidding, decide, may_call, may_name
from scoring.sabacc.events import SHAPES, Event
from scoring.sabacc.evolve import evolve
from scoring.sabacc.explain import explain
from scoring.sabacc.left_pots import opening_pot
from scoring.sabacc.legal import legal_next, offer
from scoring.sabacc.opening import next_dealer, turns
from scoring.sabacc.piles import tally
from scoring.sabacc.pots import ANTE, POT_NAMES, WAGER, leaves_pots
from scoring.sabacc.results import hand_result, result, result_table, rulings_of, sides, write_sheet
from scoring.sabacc.rules import OPTIONS, Rules, hands_of, read_rules
from scoring.sabacc.score import QUARTERS, piles, plain, tricks_won
from scoring.sabacc.sheet import RULINGS, Sheet, check_seats, read_sheet
from scoring.sabacc.state import HOLDING, SEAT_NAMES, SEATINGS, TALON, Hand, Play, State
from scoring.sabacc.whole_hand import decide_sheet
from scoring.shape import JsonObject
from scoring.trick_game import TrickGame


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    return [
        explained(hand_result(hand, result, state.seats), explain(hand, result), rulings_of(hand))
        for hand, result in state.done[above:]
    ]


def table(state: State) -> JsonObject:
    """The table as it stands: stage, score (chips won and lost by seat), pots, the open hand, and
    what `Undo` would take back.

    `stage` is `opening` (a hand may be opened), `calls`, `play`, or `over`.
    """
    players = len(state.seats)
    return {
        "stage": _stage(state),
        "seats": list(state.seats),
        "hands_limit": hands_of(state.rules, players),
        "tricks_in_all": HOLDING[players],
        "talon_size": TALON[players],
        "wager": state.rules.wager,
        "ante": state.rules.ante,
        "ante_pot_end": state.rules.ante_pot_end,
        "score": net_chips(state),
        "pots": {"ante": state.balances.get(ANTE, 0), "wager": state.balances.get(WAGER, 0)},
        "opening_pot": {"from": state.opening_pot.game, "chips": state.opening_pot.chips}
        if state.opening_pot
        else None,
        "pot_taken": {"by": state.taken.game, "chips": state.taken.chips} if state.taken else None,
        "winners": with_most_chips(state),
        "opening_chips": state.rules.opening_chips,
        "closed": state.closed.kind if state.closed is not None else None,
        "hands": state.played,
        "next": {"number": state.played + 1, "dealer": next_dealer(state)},
        "missing": find_missing_chips(state, state.seats, state.rules.ante),
        "hand": _hand(state.hand, state) if state.hand is not None else None,
        "undo": undoable(state, SHAPES) if state.taken is None else None,
    }


def _stage(state: State) -> str:
    if state.closed is not None:
        return "over"
    if state.hand is None:
        return "opening"
    return "play" if state.hand.settled else "calls"


def _hand(hand: Hand, state: State) -> JsonObject:
    so_far = bidding(hand)
    own, other = piles(hand) if hand.declarer is not None else (0, 0)
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "players": dict(hand.players),
        "calls": [[seat, call] for seat, call in hand.calls],
        "first_caller": hand.first,
        "caller": so_far.next_seat if not hand.settled else None,
        "highest": so_far.contract,
        "higher": list(higher_bids(so_far.contract)),
        "may_call": may_call(hand, state),
        "may_name": may_name(hand, state),
        "passed": sorted(so_far.passed),
        "declarer": hand.declarer,
        "contract": hand.contract,
        "stake": STAKES[hand.contract] if hand.contract else None,
        "each": state.balances.get(WAGER, 0) // (len(state.seats) - 1),
        "flow": by_seat(flow(hand.moves), state.seats),
        "bonuses": {kind: hand.anted * quarters // 4 for kind, quarters in QUARTERS.items()},
        "anted": hand.anted,
        "dealt": hand.deal is not None,
        "talon": list(hand.talon) if hand.talon is not None else None,
        "aside": list(hand.aside) if hand.aside is not None else None,
        "aside_shown": [card for card in hand.aside or () if SUIT_OF[card] == SABACC_SUIT],
        "trick": hand.play.trick,
        "leader": hand.play.leader,
        "won": tricks_won(hand),
        "piles": {"declarer": plain(own), "defenders": plain(other)},
        "winners": list(hand.play.winners),
        "plays": [list(cards) for cards in hand.play.cards],
        "accepted": sorted(hand.accepted),
        "cards": _play(hand.play),
        **rulings_field(rulings_of(hand)),
    }


def _play(play: Play) -> JsonObject:
    """Return what the play tells about cards, so that `offer` needs the table alone.

    Sets of cards are bits in hexadecimal: 78 of them are more than a number in JSON holds.
    """
    return {
        "leader": play.leader,
        "played": f"{play.played:x}",
        "held": [f"{own:x}" for own in play.held] if play.held is not None else None,
        "out": f"{play.out:x}",
        "taken_up": f"{play.taken_up:x}",
        "loose": f"{play.loose:x}",
        "lacking": play.lacking,
    }


SABACC: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="contract_sabacc",
    title="Contract Sabacc",
    sign="sabacc",
    letter="S",
    players="three to five, each for themselves",
    seatings=SEATINGS,
    seat_names=SEAT_NAMES,
    pot_names=POT_NAMES,
    options=OPTIONS,
    shapes=SHAPES,
    read_rules=read_rules,
    read_sheet=read_sheet,
    check_seats=check_seats,
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
    offer=offer,
    turns=turns,
    may_overdraw=may_overdraw,
    leaves_pots=leaves_pots,
    opening_pot=opening_pot,
    tally=tally,
    tricks=HOLDING.get,
)
