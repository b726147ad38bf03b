"""Fold facts into the state of a Precedence game. What happened, happened: nothing here refuses."""

from collections.abc import Callable
from functools import partial

from scoring.common_state import trim_trail
from scoring.events import GameClosed, HandClosed, HandMisdealt, PlayAccepted
from scoring.folding import RULED, Changes, begun, build_evolve, ended, of_nothing
from scoring.precedence import events
from scoring.precedence.cards import bits
from scoring.precedence.pots import HAND, pot_winner
from scoring.precedence.score import team_results
from scoring.precedence.seating import accounts_of
from scoring.precedence.seats import INDEX, LEFT
from scoring.precedence.state import ClosedHand, Hand, HandResult, Play, State
from scoring.precedence.tricks import after_trick, find_lacking

# What a misdeal gives back.
GIVEN_BACK = ("meld", "bid")
# A named tuple of all its values at once: its own constructor takes three times as long, and every
# event makes some.
_made = tuple.__new__


def _open(state: State, event: events.HandOpened) -> State:
    misdealt = state.redealt
    hand = Hand(
        play=Play(leader=LEFT[event.dealer]),
        moves=tuple(move for move in misdealt.moves if move.why == "ante") if misdealt else (),
        number=event.number,
        dealer=event.dealer,
        trump=event.trump,
        accounts=accounts_of(state.players, event.players),
        players=event.players,
        at=event.at,
        note=event.note,
    )
    return trim_trail(state._replace(hand=hand))


def _show(hand: Hand, event: events.MeldDeclared) -> Hand:
    return _with_meld(hand._replace(melds=(*hand.melds, event)), event)


def _with_meld(hand: Hand, meld: events.MeldDeclared) -> Hand:
    mine = INDEX[meld.seat]
    shown = hand.play.shown
    shown = (*shown[:mine], shown[mine] | bits(meld.cards), *shown[mine + 1 :])
    return hand._replace(play=hand.play._replace(shown=shown))


def _bid(hand: Hand, event: events.BidMade) -> Hand:
    return hand._replace(bids={**hand.bids, event.seat: event.tricks})


def _name(hand: Hand, event: events.ContractNamed) -> Hand:
    return hand._replace(named={**hand.named, event.side: event.tricks})


def _deal(hand: Hand, event: events.CardsDealt) -> Hand:
    return _with_deal(hand._replace(deal=event.holdings), event.holdings)


def _with_deal(hand: Hand, holdings: tuple[tuple[str, ...], ...]) -> Hand:
    held = tuple(bits(cards) for cards in holdings)
    return hand._replace(play=hand.play._replace(held=held))


def _play(hand: Hand, event: events.TrickPlayed) -> Hand:
    return _made(Hand, (after_trick(hand.play, event.cards, hand.trump, hand.accepted), *hand[1:]))


def _take(hand: Hand, event: events.TrickTaken) -> Hand:
    return hand._replace(
        play=hand.play._replace(leader=event.seat, winners=(*hand.play.winners, event.seat))
    )


def _count(hand: Hand, event: events.TricksCounted) -> Hand:
    return hand._replace(counted=(event.ns, event.ew))


def _accept(hand: Hand, event: PlayAccepted) -> Hand:
    accepted = hand.accepted | {(event.trick, event.seat)}
    return hand._replace(
        accepted=accepted,
        rulings=(*hand.rulings, event),
        play=hand.play._replace(lacking=find_lacking(hand.play, LEFT[hand.dealer], accepted)),
    )


def _close(state: State, event: HandClosed) -> State:
    hand = state.hand
    assert hand is not None
    ns, ew = team_results(hand, state.rules, state.score, state.excess)
    payouts = tuple(
        (move.target, move.chips)
        for move in hand.moves
        if move.source == HAND and move.why != "ruling"
    )
    pot = state.balances.get(HAND, 0) + sum(chips for _, chips in payouts)
    closed = ClosedHand(
        hand, HandResult(ns=ns, ew=ew, pot=pot, pot_to=pot_winner(ns, ew), payouts=payouts)
    )
    return state._replace(
        hand=None,
        score=(ns.score, ew.score),
        excess=(ns.excess, ew.excess),
        done=(*state.done, closed),
        results=(*state.results, closed),
    )


def _misdeal(state: State, event: HandMisdealt) -> State:
    hand = state.hand
    assert hand is not None
    paid = tuple(move for move in hand.moves if move.why not in GIVEN_BACK)
    play = Play(leader=LEFT[hand.dealer])
    misdealt = of_nothing(hand._replace(play=play, moves=paid, accepted=frozenset(), counted=None))
    for meld in hand.melds:
        misdealt = _with_meld(misdealt, meld)
    if hand.deal is not None:
        misdealt = _with_deal(misdealt, hand.deal)
    return state._replace(hand=None, done=(*state.done, ClosedHand(misdealt, None)))


IN_HAND: Changes[Hand] = {
    **RULED,
    events.MeldDeclared: _show,
    events.BidMade: _bid,
    events.ContractNamed: _name,
    events.CardsDealt: _deal,
    events.TrickPlayed: _play,
    events.TrickTaken: _take,
    events.TricksCounted: _count,
    PlayAccepted: _accept,
}
CHANGES: Changes[State] = {
    events.HandOpened: _open,
    HandClosed: _close,
    HandMisdealt: _misdeal,
    GameClosed: ended,
}

# The state after one more fact; `None` is the state before the first.
evolve: Callable[[State | None, events.Event], State] = build_evolve(
    State, partial(begun, State), in_hand=IN_HAND, changes=CHANGES
)
