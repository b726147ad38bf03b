"""Fold facts into the state of a game of Contract Sabacc. What happened, happened: nothing here refuses."""

from collections.abc import Callable
from typing import Any

from scoring.chips import BANK
from scoring.events import (
    ChipsMoved,
    ChipsRuled,
    EntryRetracted,
    GameClosed,
    HandClosed,
    HandExcused,
    PlayAccepted,
    PointsAdjusted,
    TricksAdjusted,
)
from scoring.own_seats import accounts_of
from scoring.sabacc.auction import auction, first_caller
from scoring.sabacc.deals import knowing
from scoring.sabacc.events import (
    CallMade,
    CardsDealt,
    CardsSetAside,
    ContractNamed,
    Event,
    GameStarted,
    HandOpened,
    PointsCounted,
    TalonShown,
    TrickPlayed,
)
from scoring.sabacc.pots import ANTE, WAGER
from scoring.sabacc.score import outcome
from scoring.sabacc.seats import RIGHT
from scoring.sabacc.state import Bonus, ClosedHand, Hand, HandResult, Play, State
from scoring.sabacc.tricks import after_trick, lacking_after
from scoring.spine import moved, retracted, trimmed, with_move


def start(event: GameStarted) -> State:
    """The state after a game's first event."""
    return State(
        version=1,
        hand=None,
        act=None,
        trail=(),
        balances={},
        moves=(),
        record=event.record,
        rules=event.rules,
        players=dict(event.players),
        table=event.table,
        played_on=event.played_on,
        note=event.note,
        bought={},
    )


def evolve(state: State | None, event: Event) -> State:
    """The state after one more fact; `None` is the state before the first."""
    if state is None:
        assert isinstance(event, GameStarted)
        return start(event)
    kind = type(event)
    if kind is ChipsMoved:
        return _move(state, event)  # type: ignore[arg-type]
    if kind is EntryRetracted:
        return retracted(state, event)  # type: ignore[arg-type]
    version, hand, act, trail = state[:4]
    if kind in BEGINS_ACT or (kind is GameClosed and event.kind != "played"):  # type: ignore[union-attr]
        act, trail = event, (*trail, State(version, hand, act, (), *state[4:]))
    if kind in IN_HAND:
        return State(version + 1, IN_HAND[kind](hand, event), act, trail, *state[4:])  # type: ignore[arg-type]
    return CHANGES[kind](State(version + 1, hand, act, trail, *state[4:]), event)


def _move(state: State, event: ChipsMoved) -> State:
    after = with_move(state, event)
    if event.reverses is not None or state.hand is None:
        return after
    return after._replace(hand=_moved_in(state.hand, event, after.balances.get(ANTE, 0)))


def _moved_in(hand: Hand, event: ChipsMoved, in_ante_pot: int) -> Hand:
    if event.why == "buy_in":
        seat = next(seat for seat, account in hand.accounts.items() if account == event.target)
        return hand._replace(buy_ins=(*hand.buy_ins, (seat, event.chips)))
    if BANK in (event.source, event.target):
        return hand
    hand = hand._replace(flow=moved(hand.flow, event))
    if event.why == "ruling":
        return hand._replace(ruled_moves=(*hand.ruled_moves, event))
    if event.why == "ante":
        return hand._replace(anted=in_ante_pot)
    return hand._replace(payouts=(*hand.payouts, event)) if event.source in (ANTE, WAGER) else hand


def _open(state: State, event: HandOpened) -> State:
    accounts = accounts_of(state.players, event.players)
    hand = Hand(
        play=Play(leader=RIGHT[len(accounts)][event.dealer]),
        flow={},
        number=event.number,
        dealer=event.dealer,
        first=first_caller(event.dealer, state.rules.first_caller, len(accounts)),
        accounts=accounts,
        players=event.players,
        at=event.at,
        note=event.note,
        anted=state.balances.get(ANTE, 0),
    )
    return trimmed(state._replace(hand=hand))


def _excuse(hand: Hand, event: HandExcused) -> Hand:
    return hand._replace(excuses=hand.excuses | set(event.excuses), rulings=(*hand.rulings, event))


def _call(hand: Hand, event: CallMade) -> Hand:
    calls = (*hand.calls, (event.seat, event.call))
    so_far = auction(calls, hand.first, len(hand.accounts))
    if so_far.next_seat is not None:
        return hand._replace(calls=calls)
    return _settled(hand._replace(calls=calls), so_far.declarer, so_far.contract)


def _name(hand: Hand, event: ContractNamed) -> Hand:
    return _settled(hand, event.declarer, event.contract)


def _settled(hand: Hand, declarer: str | None, contract: str | None) -> Hand:
    play = hand.play._replace(declarer=declarer)
    return hand._replace(settled=True, declarer=declarer, contract=contract, play=play)


def _deal(hand: Hand, event: CardsDealt) -> Hand:
    return _knowing(hand._replace(deal=event.holdings))


def _show(hand: Hand, event: TalonShown) -> Hand:
    return _knowing(hand._replace(talon=event.cards))


def _set_aside(hand: Hand, event: CardsSetAside) -> Hand:
    return _knowing(hand._replace(aside=event.cards))


def _knowing(hand: Hand) -> Hand:
    return hand._replace(play=knowing(hand.play, hand))


def _play(hand: Hand, event: TrickPlayed) -> Hand:
    return Hand(after_trick(hand.play, event.cards, hand.accepted), *hand[1:])


def _count(hand: Hand, event: PointsCounted) -> Hand:
    return hand._replace(counted=(event.points, event.bonus, event.seat))


def _accept(hand: Hand, event: PlayAccepted) -> Hand:
    accepted = hand.accepted | {(event.trick, event.seat)}
    lacking = lacking_after(hand.play, hand.first_leader, accepted)
    return hand._replace(accepted=accepted, rulings=(*hand.rulings, event), play=hand.play._replace(lacking=lacking))


def _adjust(hand: Hand, event: TricksAdjusted | PointsAdjusted) -> Hand:
    return hand._replace(adjusted=(*hand.adjusted, event), rulings=(*hand.rulings, event))


def _rule_chips(hand: Hand, event: ChipsRuled) -> Hand:
    return hand._replace(rulings=(*hand.rulings, event))


def _close(state: State, event: HandClosed) -> State:
    assert state.hand is not None
    closed = ClosedHand(state.hand, _result(state.hand, state.balances.get(ANTE, 0)))
    return state._replace(hand=None, done=(*state.done, closed))


def _result(hand: Hand, ante_pot: int) -> HandResult:
    if hand.declarer is None:
        return HandResult(None, None, None, ante_pot, 0)
    points, made, earned = outcome(hand)
    chips = sum(move.chips for move in hand.payouts if move.why == "bonus")
    wagered = sum(move.chips for move in hand.payouts if move.source == WAGER)
    return HandResult(points, made, Bonus(*earned, chips) if earned else None, ante_pot, wagered)


def _end(state: State, event: GameClosed) -> State:
    return state._replace(closed=event)


IN_HAND: dict[type, Callable[[Hand, Any], Hand]] = {
    HandExcused: _excuse,
    CallMade: _call,
    ContractNamed: _name,
    CardsDealt: _deal,
    TalonShown: _show,
    CardsSetAside: _set_aside,
    TrickPlayed: _play,
    PointsCounted: _count,
    PlayAccepted: _accept,
    TricksAdjusted: _adjust,
    PointsAdjusted: _adjust,
    ChipsRuled: _rule_chips,
}
CHANGES: dict[type, Callable[[State, Any], State]] = {
    HandOpened: _open,
    HandClosed: _close,
    GameClosed: _end,
}
# What an act of the table begins with; the other facts follow from it.
BEGINS_ACT = frozenset((*IN_HAND, *CHANGES)) - {HandExcused, HandClosed, GameClosed}
