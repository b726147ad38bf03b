"""Fold facts into the state of a Preference game. What happened, happened: nothing here refuses."""

from collections.abc import Callable
from functools import partial

from scoring.common_state import trim_trail
from scoring.events import GameClosed, HandClosed, PlayAccepted
from scoring.folding import RULED, Changes, begun, build_evolve, ended, of_nothing
from scoring.preference import events
from scoring.preference.contracts import may_keep_out
from scoring.preference.deals import after_deal
from scoring.preference.payments import POT
from scoring.preference.score import count_adjusted_tricks, is_made
from scoring.preference.state import SEATS, ClosedHand, Hand, HandResult, Play, State, defenders_of
from scoring.preference.tricks import after_trick, find_denied, first_order, players_of, turned
from scoring.seating import accounts_of
from scoring.trick_states import DealtState

# A named tuple of all its values at once: its own constructor takes three times as long.
_made = tuple.__new__


def _open(state: State, event: events.HandOpened) -> State:
    hand = Hand(
        play=Play(),
        moves=(),
        number=event.number,
        dealer=event.dealer,
        accounts=accounts_of(state.players, event.players),
        players=event.players,
        at=event.at,
        note=event.note,
    )
    return trim_trail(state._replace(hand=hand))


def _name(state: State, event: events.ContractNamed) -> State:
    assert state.hand is not None
    hand = state.hand._replace(soloist=event.soloist, contract=event.contract)
    if hand.deal is not None:
        hand = _deal(hand, hand.deal)
    if not may_keep_out(event.contract, state.rules):
        hand = _ready(hand, dict.fromkeys(defenders_of(event.soloist), "along"))
    return state._replace(hand=hand)


def _defend(hand: Hand, event: events.DefenceChosen) -> Hand:
    return _ready(hand, dict(event.choices))


def _ready(hand: Hand, defence: dict[str, str]) -> Hand:
    order = first_order(hand.contract, players_of(hand.soloist, defence))
    return hand._replace(defence=defence, play=hand.play._replace(order=order))


def _call(hand: Hand, event: events.CallMade) -> Hand:
    return hand._replace(calls=(*hand.calls, (event.seat, event.call)))


def _throw_in(hand: Hand, event: events.HandThrownIn) -> Hand:
    return hand


def _deal(hand: Hand, event: events.CardsDealt) -> Hand:
    return hand._replace(deal=event, play=after_deal(hand.play, event, hand.contract, hand.soloist))


def _play(hand: Hand, event: events.TrickPlayed) -> Hand:
    return _made(Hand, (after_trick(hand, event.cards), *hand[1:]))


def _take(hand: Hand, event: events.TrickTaken) -> Hand:
    play = hand.play
    return hand._replace(
        play=play._replace(
            order=turned(play.order, event.seat), winners=(*play.winners, event.seat)
        )
    )


def _count(hand: Hand, event: events.TricksCounted) -> Hand:
    return hand._replace(counted=event.tricks, in_succession=event.in_succession)


def _accept(hand: Hand, event: PlayAccepted) -> Hand:
    accepted = hand.accepted | {(event.trick, event.seat)}
    play = hand.play._replace(denied=find_denied(hand, accepted)) if hand.play.cards else hand.play
    return hand._replace(accepted=accepted, rulings=(*hand.rulings, event), play=play)


def _close(state: State, event: HandClosed) -> State:
    hand = state.hand
    assert hand is not None
    hand = hand if hand.contract else of_nothing(hand)
    tricks = count_adjusted_tricks(hand)
    counted = tuple(tricks[seat] for seat in SEATS) if tricks is not None else None
    result = HandResult(made=is_made(hand), tricks=counted, pot=state.balances.get(POT, 0))
    return state._replace(hand=None, done=(*state.done, ClosedHand(hand, result)))


IN_HAND: Changes[Hand] = {
    **RULED,
    events.CallMade: _call,
    events.HandThrownIn: _throw_in,
    events.DefenceChosen: _defend,
    events.CardsDealt: _deal,
    events.TrickPlayed: _play,
    events.TrickTaken: _take,
    events.TricksCounted: _count,
    PlayAccepted: _accept,
}
CHANGES: Changes[State] = {
    events.HandOpened: _open,
    events.ContractNamed: _name,
    HandClosed: _close,
    GameClosed: ended,
}

# The state after one more fact; `None` is the state before the first.
evolve: Callable[[State | None, events.Event], State] = build_evolve(
    DealtState, partial(begun, DealtState), in_hand=IN_HAND, changes=CHANGES
)
