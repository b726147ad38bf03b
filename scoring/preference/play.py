"""Preference as one value: the names every game offers, and what a pad or a board shows of it, as
plain JSON values.
"""

from functools import partial

from scoring.balances import (
    find_missing_chips,
    is_limited,
    may_overdraw,
    net_chips,
    with_most_chips,
)
from scoring.legal import reasons, refusal_of
from scoring.pad_state import undoable
from scoring.preference.acts import ACTS
from scoring.preference.auction import HOLD, auction_of, may_call
from scoring.preference.cards import PACK, bits, cards_of
from scoring.preference.commands import Command, CountTricks, TakeTrick
from scoring.preference.contracts import CONTRACTS, MISERES, NEEDED, TRUMP, VALUES, WITH_WIDOW
from scoring.preference.decide import decide, has_excused_calls
from scoring.preference.events import SHAPES, Event
from scoring.preference.evolve import evolve
from scoring.preference.explain import explain
from scoring.preference.legal import legal_next, offer
from scoring.preference.opening import antes_due, next_dealer, turns
from scoring.preference.payments import POT, POT_NAMES
from scoring.preference.results import flow_of, hand_result, result, result_table, write_sheet
from scoring.preference.rules import OPTIONS, Rules, read_rules
from scoring.preference.score import longest_row, may_be_said, tricks_taken
from scoring.preference.sheet import RULINGS, Sheet, complete_sheet, read_sheet
from scoring.preference.state import SEAT_NAMES, SEATS, Hand, Play, State, defenders_of
from scoring.preference.tricks import TRICKS
from scoring.preference.whole_hand import decide_sheet
from scoring.rulings import explained, rulings_field, rulings_of
from scoring.shape import JsonObject
from scoring.side_results import list_declared_results
from scoring.trick_game import TrickGame


def _write_hands(state: State) -> list[JsonObject]:
    return [write_sheet(closed, state.rules) for closed in state.done]


def _hand_results(state: State, above: int) -> list[JsonObject]:
    return [
        explained(hand_result(hand, result), explain(hand, result), rulings_of(hand))
        for hand, result in state.done[above:]
    ]


def tricks_in_all(players: int) -> int:
    """Return the number of tricks of a hand."""
    return TRICKS


def table(state: State) -> JsonObject:
    """The table as it stands: stage, score (chips won and lost by seat), pot, the open hand, and
    what `Undo` would take back.

    `stage` is `opening` (a hand may be opened), `auction`, `contract` (the auction is over),
    `defence`, `play` or `over`.
    """
    rules = state.rules
    return {
        "stage": _stage(state),
        "hands_limit": rules.hands,
        "stakes": {
            "ante": rules.ante,
            "take": rules.take,
            "forfeit": rules.forfeit,
            "duty": rules.duty,
        },
        "misere_duty": rules.misere_duty,
        "insister_pays": rules.insister_pays,
        "winners": with_most_chips(state),
        "opening_chips": rules.opening_chips,
        "closed": state.closed.kind if state.closed is not None else None,
        "score": net_chips(state),
        "pots": {POT: state.balances.get(POT, 0)},
        "hands": state.played,
        "next": {
            "number": state.played + 1,
            "dealer": next_dealer(state),
            "ante": antes_due(state),
        },
        "missing": find_missing_chips(state, SEATS, antes_due(state)),
        "hand": _hand(state.hand, state) if state.hand is not None else None,
        "undo": undoable(state, SHAPES),
    }


def _stage(state: State) -> str:
    if state.closed is not None:
        return "over"
    if state.hand is None:
        return "opening"
    if state.hand.contract:
        return "play" if state.hand.defence is not None else "defence"
    auction = auction_of(state.hand.dealer, state.hand.calls)
    return "auction" if auction.speaker is not None else "contract"


def _hand(hand: Hand, state: State) -> JsonObject:
    won = hand.play.winners
    return {
        "number": hand.number,
        "dealer": hand.dealer,
        "players": dict(hand.players),
        "calls": [list(call) for call in hand.calls],
        "auction": _auction(hand),
        "may_call": may_call(hand.dealer, hand.calls, hand.excuses) if not hand.contract else {},
        "may_name": _may_name(hand) if not hand.contract else {},
        "soloist": hand.soloist or None,
        "contract": hand.contract or None,
        "value": VALUES.get(hand.contract),
        "trump": TRUMP.get(hand.contract, ""),
        "widow": hand.contract in WITH_WIDOW,
        "widow_shown": _list_faced_widow(hand),
        "needed": (0 if hand.contract in MISERES else NEEDED) if hand.contract else None,
        "defenders": list(defenders_of(hand.soloist)) if hand.soloist else [],
        "defence": dict(hand.defence) if hand.defence is not None else None,
        "dealt": [list(cards) for cards in hand.deal.holdings]
        if hand.deal is not None and hand.deal.holdings
        else None,
        "written": hand.deal is not None,
        "trick": hand.play.trick,
        "leader": hand.play.order[0] if hand.play.order else None,
        "playing": [seat for seat in SEATS if seat in hand.play.order],
        "tricks": tricks_taken(hand),
        "refused_takers": _list_refused_takers(hand, state),
        "totals": _totals(hand, state),
        "in_a_row": longest_row(won, hand.soloist)[0],
        "winners": list(won),
        "plays": [list(cards) for cards in hand.play.cards],
        "by_cards": len(hand.play.cards) == len(won),
        "accepted": sorted(hand.accepted),
        "chips": flow_of(hand),
        "cards": _play(hand.play),
        **rulings_field(rulings_of(hand)),
    }


def _list_faced_widow(hand: Hand) -> list[str]:
    """The widow's cards once the soloist has faced them (R5), as far as they are written down or
    follow from the three holdings.
    """
    if hand.contract not in WITH_WIDOW or hand.deal is None:
        return []
    if hand.deal.holdings:
        return list(cards_of(PACK & ~bits(card for cards in hand.deal.holdings for card in cards)))
    return list(hand.deal.widow)


def _list_refused_takers(hand: Hand, state: State) -> dict[str, dict[str, str]]:
    """List the seats that can't win the last trick, as a seat couldn't pay then or because
    of the rulings, each with the reason.
    """
    if hand.play.trick < TRICKS or hand.defence is None:
        return {}
    return reasons(
        {seat: refusal_of(decide, TakeTrick(seat=seat), state) for seat in hand.play.order}
    )


def _totals(hand: Hand, state: State) -> dict[str, list[list[int]]]:
    """For each number of tricks of the soloist, 0 to 10, how many the first defender may have
    beside it; the rest are the second's.

    In `no_trump` with six in succession (`true`) and without (`false`), elsewhere under "" (R13).
    """
    if not hand.play.order:
        return {}
    said = {"true": True, "false": False} if hand.contract == "no_trump" else {"": None}
    return {
        name: [_beside(hand, state, tricks, each) for tricks in range(TRICKS + 1)]
        for name, each in said.items()
    }


def _beside(hand: Hand, state: State, tricks: int, said: bool | None) -> list[int]:
    """List the numbers of tricks the first defender may have if the soloist has `tricks`
    and it is `said` whether six were in succession.
    """
    taken = tricks_taken(hand)
    first, second = defenders_of(hand.soloist)
    least, most = taken[first], TRICKS - tricks - taken[second]
    if first not in hand.play.order:
        most = min(most, 0)
    if second not in hand.play.order:
        least = max(least, TRICKS - tricks)
    if tricks < taken[hand.soloist] or (said is not None and not may_be_said(hand, tricks, said)):
        return []
    counts = range(least, most + 1)
    if not hand.adjusted and not is_limited(state, hand):
        return [*counts]
    acts = {
        mine: _count_tricks(
            hand, {hand.soloist: tricks, first: mine, second: TRICKS - tricks - mine}, said
        )
        for mine in counts
    }
    return [mine for mine, act in acts.items() if refusal_of(decide, act, state) is None]


def _count_tricks(hand: Hand, tricks: dict[str, int], in_succession: bool | None) -> CountTricks:
    first, second, third = (tricks[seat] for seat in SEATS)
    return CountTricks(tricks=(first, second, third), in_succession=in_succession)


def _may_name(hand: Hand) -> dict[str, list[str]]:
    """Return the seats that may be named soloist, each with its contracts: any seat if no
    call binds, else the winner of the auction (R8).
    """
    if not hand.calls or has_excused_calls(hand):
        return {seat: list(CONTRACTS) for seat in SEATS}
    auction = auction_of(hand.dealer, hand.calls)
    if auction.speaker is not None or auction.holder is None or auction.high is None:
        return {}
    return {auction.holder: list(CONTRACTS[VALUES[auction.high] - 1 :])}


def _auction(hand: Hand) -> JsonObject:
    """Return the next speaker, their possible calls, and the contracts the soloist may
    name once it is over (R6, R8).
    """
    auction = auction_of(hand.dealer, hand.calls)
    may = auction.may_say
    least = VALUES[auction.high] - 1 if auction.high is not None else 0
    return {
        "high": auction.high,
        "holder": auction.holder,
        "speaker": auction.speaker,
        "live": list(auction.live),
        "may_hold": HOLD in may,
        "bids": [call for call in may if call in VALUES],
        "contracts": list(CONTRACTS[least:]),
    }


def _play(play: Play) -> JsonObject:
    """Return what the play tells about cards, so that `offer` needs the table alone; sets
    of cards are bits.
    """
    return {
        "order": play.order,
        "played": play.played,
        "held": play.held,
        "denied": play.denied,
        "spare": play.spare,
    }


PREFERENCE: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="preference",
    title="Preference",
    sign="spade",
    letter="R",
    players="three, each for themselves",
    seatings=(SEATS,),
    seat_names=SEAT_NAMES,
    pot_names=POT_NAMES,
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
    sides=partial(list_declared_results, "soloist"),
    rulings=RULINGS,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    completed=complete_sheet,
    offer=offer,
    turns=turns,
    may_overdraw=may_overdraw,
    tricks=tricks_in_all,
)
