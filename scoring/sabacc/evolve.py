"""Fold facts into the state of a game of Contract Sabacc. What happened, happened: nothing here
refuses.
"""

from collections.abc import Callable

from scoring.chips import LATER
from scoring.common_state import trim_trail
from scoring.events import GameClosed, HandClosed, PlayAccepted, PotReturned, PotTaken
from scoring.folding import RULED, Changes, begun, build_evolve, ended, of_nothing
from scoring.sabacc import events
from scoring.sabacc.auction import auction, first_caller
from scoring.sabacc.deals import apply_known_cards
from scoring.sabacc.pots import ANTE, WAGER, payouts_of
from scoring.sabacc.score import outcome
from scoring.sabacc.state import RIGHT, Bonus, ClosedHand, Hand, HandResult, Play, State
from scoring.sabacc.tricks import after_trick, find_lacking
from scoring.seating import accounts_of

# A named tuple of all its values at once: its own constructor takes three times as long.
_made = tuple.__new__


def _start(event: events.GameStarted) -> State:
    return begun(State, event)._replace(opening_pot=event.opening_pot)


def _open(state: State, event: events.HandOpened) -> State:
    accounts = accounts_of(state.players, event.players)
    hand = Hand(
        play=Play(leader=RIGHT[len(accounts)][event.dealer]),
        moves=(),
        number=event.number,
        dealer=event.dealer,
        first=first_caller(event.dealer, state.rules.first_caller, len(accounts)),
        accounts=accounts,
        players=event.players,
        at=event.at,
        note=event.note,
        ante_pot=state.balances.get(ANTE, 0),
    )
    return trim_trail(state._replace(hand=hand))


def _call(hand: Hand, event: events.CallMade) -> Hand:
    calls = (*hand.calls, (event.seat, event.call))
    so_far = auction(calls, hand.first, len(hand.accounts))
    if so_far.next_seat is not None:
        return hand._replace(calls=calls)
    return _settle_contract(hand._replace(calls=calls), so_far.declarer, so_far.contract)


def _name(hand: Hand, event: events.ContractNamed) -> Hand:
    return _settle_contract(hand, event.declarer, event.contract)


def _settle_contract(hand: Hand, declarer: str | None, contract: str | None) -> Hand:
    play = hand.play._replace(declarer=declarer)
    settled = hand._replace(settled=True, declarer=declarer, contract=contract, play=play)
    return settled if hand.deal is None and hand.talon is None else _apply_known_cards(settled)


def _deal(hand: Hand, event: events.CardsDealt) -> Hand:
    return _apply_known_cards(hand._replace(deal=event.holdings))


def _show(hand: Hand, event: events.TalonShown) -> Hand:
    return _apply_known_cards(hand._replace(talon=event.cards))


def _set_aside(hand: Hand, event: events.CardsSetAside) -> Hand:
    return _apply_known_cards(hand._replace(aside=event.cards))


def _apply_known_cards(hand: Hand) -> Hand:
    return hand._replace(play=apply_known_cards(hand.play, hand))


def _play(hand: Hand, event: events.TrickPlayed) -> Hand:
    return _made(Hand, (after_trick(hand.play, event.cards, hand.accepted), *hand[1:]))


def _count(hand: Hand, event: events.PointsCounted) -> Hand:
    return hand._replace(counted=(event.points, event.bonus, event.seat))


def _accept(hand: Hand, event: PlayAccepted) -> Hand:
    accepted = hand.accepted | {(event.trick, event.seat)}
    lacking = find_lacking(hand.play, hand.first_leader, accepted)
    return hand._replace(
        accepted=accepted, rulings=(*hand.rulings, event), play=hand.play._replace(lacking=lacking)
    )


def _close(state: State, event: HandClosed) -> State:
    assert state.hand is not None
    hand = state.hand if state.hand.declarer is not None else of_nothing(state.hand)
    closed = ClosedHand(hand, _result(hand, state.balances.get(ANTE, 0)))
    return state._replace(hand=None, done=(*state.done, closed))


def _result(hand: Hand, ante_pot: int) -> HandResult:
    if hand.declarer is None:
        return HandResult(None, None, None, ante_pot, 0)
    points, made, earned = outcome(hand)
    moves = payouts_of(hand)
    chips = sum(move.chips for move in moves if move.why == "bonus")
    wagered = sum(move.chips for move in moves if move.source == WAGER)
    return HandResult(points, made, Bonus(*earned, chips) if earned else None, ante_pot, wagered)


def _take(state: State, event: PotTaken) -> State:
    return state._replace(taken=event)


def _give_back(state: State, event: PotReturned) -> State:
    """The state as it was before its pot was taken; the chips go back by a move of their own."""
    return state._replace(
        taken=None, moves=tuple((at, move) for at, move in state.moves if move.target != LATER)
    )


IN_HAND: Changes[Hand] = {
    **RULED,
    events.CallMade: _call,
    events.ContractNamed: _name,
    events.CardsDealt: _deal,
    events.TalonShown: _show,
    events.CardsSetAside: _set_aside,
    events.TrickPlayed: _play,
    events.PointsCounted: _count,
    PlayAccepted: _accept,
}
CHANGES: Changes[State] = {
    events.HandOpened: _open,
    HandClosed: _close,
    GameClosed: ended,
    PotTaken: _take,
    PotReturned: _give_back,
}

# The state after one more fact; `None` is the state before the first.
evolve: Callable[[State | None, events.Event], State] = build_evolve(
    State, _start, in_hand=IN_HAND, changes=CHANGES
)
