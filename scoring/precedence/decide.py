"""Turn an act of a Precedence table into facts, or refuse it by its rule."""

from collections.abc import Callable

from scoring.balances import can_pay, pay
from scoring.commands import EndGame
from scoring.common_state import moves_since, since_opening
from scoring.deciding import Decisions, build_decide, build_shared_decisions, ending, no_open_hand
from scoring.errors import RuleViolation, sentence
from scoring.events import ChipsMoved, GameClosed, HandClosed, HandMisdealt
from scoring.precedence import commands
from scoring.precedence.deals import check_deal, check_dealt
from scoring.precedence.events import (
    BidMade,
    CardsDealt,
    Event,
    MeldDeclared,
    TrickPlayed,
    TricksCounted,
    TrickTaken,
)
from scoring.precedence.evolve import evolve
from scoring.precedence.melds import check_meld, in_order
from scoring.precedence.opening import decide_opening, decide_start
from scoring.precedence.pots import ACCORD, HAND, POT_NAMES, final_payouts, hand_pot_payouts
from scoring.precedence.rules import Rules, are_by_side
from scoring.precedence.score import is_over, team_results, tricks_taken
from scoring.precedence.seats import LEFT, PARTNER, ROUND, SEAT_NAMES, TEAM_NAMES
from scoring.precedence.state import Hand, State
from scoring.precedence.team_contracts import decide_contract, sides_to_name
from scoring.precedence.tricks import TRICKS, check_trick


def open_hand_of(state: State) -> Hand:
    """The open hand. Raises RuleViolation `game_over` or `out_of_turn` when there is none."""
    if state.hand is None:
        raise no_open_hand(state, over="P23", unopened="P4")
    return state.hand


def next_to_bid(hand: Hand, rules: Rules) -> str | None:
    """The seat that bids next, or None when all four have, or where sides name contracts (P11)."""
    if len(hand.bids) == len(ROUND) or are_by_side(rules):
        return None
    return next(seat for seat in ROUND[LEFT[hand.dealer]] if seat not in hand.bids)


def has_all_bids(hand: Hand, rules: Rules) -> bool:
    """Whether the four bids are made, or both contracts named where sides name them (P11)."""
    return len(hand.bids) == len(ROUND) if not are_by_side(rules) else not sides_to_name(hand)


def may_bid(hand: Hand, state: State) -> dict[str, int]:
    """The seats that may bid now, the one whose turn it is unless that is excused, and how much
    each may bid at most (P11, P12).
    """
    due = next_to_bid(hand, state.rules)
    seats = (
        [seat for seat in ROUND[LEFT[hand.dealer]] if seat not in hand.bids]
        if "out_of_turn" in hand.excuses and not are_by_side(state.rules)
        else [due]
    )
    return {seat: most_tricks(seat, hand, state) for seat in seats if seat is not None}


def may_meld(hand: Hand, state: State) -> list[str]:
    """The seats that may show a meld now, and can pay for it (P6, P8)."""
    if hand.bids or hand.named or hand.play.winners:
        return []
    return [
        seat
        for seat in ROUND[LEFT[hand.dealer]]
        if can_pay(state, hand, seat, state.rules.meld_stake)
    ]


def most_tricks(seat: str, hand: Hand, state: State) -> int:
    """The highest bid a seat may make beside its partner's (P11), and can pay for (P12)."""
    most = TRICKS - hand.bids.get(PARTNER[seat], 0)
    stake = state.rules.trick_stake
    if not stake or state.rules.opening_chips is None or "no_chips" in hand.excuses:
        return most
    return min(most, max(0, state.balances.get(hand.accounts[seat], 0)) // stake)


def _meld(command: commands.DeclareMeld, state: State) -> list[Event]:
    hand = open_hand_of(state)
    path = f"melds[{len(hand.melds)}]"
    if hand.bids or hand.named or hand.play.winners:
        raise RuleViolation(
            "bad_meld",
            "melds are declared before the contracts; the first one is named"
            if hand.named
            else "melds are declared before the bids; the first bid is made",
            rule="P6",
            path=path,
        )
    event = MeldDeclared(seat=command.seat, kind=command.kind, cards=in_order(command.cards))
    check_meld(event, hand.melds, overlap=state.rules.meld_overlap)
    check_dealt(event, hand.deal, path)
    return [
        event,
        *pay(
            state,
            hand,
            [(command.seat, state.rules.meld_stake)],
            HAND,
            why="meld",
            rule="P8",
            path=path,
            names=SEAT_NAMES,
        ),
    ]


def _bid(command: commands.MakeBid, state: State) -> list[Event]:
    hand = open_hand_of(state)
    path = f"bids.{command.seat}"
    if are_by_side(state.rules):
        message = sentence(
            "each side names one contract in this game, so %(seat)s can't bid alone",
            seat=SEAT_NAMES[command.seat],
        )
        raise RuleViolation("bad_bid", message, rule="P11", path=path)
    _check_turn_to_bid(command, hand, state.rules, path)
    contract = command.tricks + hand.bids.get(PARTNER[command.seat], 0)
    if not 0 <= command.tricks <= TRICKS:
        message = sentence(
            "%(seat)s can bid 0 to 13, not %(tricks)s",
            seat=SEAT_NAMES[command.seat],
            tricks=command.tricks,
        )
        raise RuleViolation("bad_bid", message, rule="P11", path=path)
    if contract > TRICKS:
        most = TRICKS - hand.bids[PARTNER[command.seat]]
        name, partner = SEAT_NAMES[command.seat], SEAT_NAMES[PARTNER[command.seat]]
        message = sentence(
            "%(partner)s bid %(tricks)s, so %(seat)s can bid 0 to %(most)s, not %(given)s: "
            "a contract is at most 13",
            partner=partner,
            tricks=TRICKS - most,
            seat=name,
            most=most,
            given=command.tricks,
        )
        raise RuleViolation("bad_bid", message, rule="P11", path=path)
    stake = state.rules.trick_stake * command.tricks
    return [
        BidMade(seat=command.seat, tricks=command.tricks),
        *pay(
            state,
            hand,
            [(command.seat, stake)],
            HAND,
            why="bid",
            rule="P12",
            path=path,
            names=SEAT_NAMES,
        ),
    ]


def _contract(command: commands.NameContract, state: State) -> list[Event]:
    return decide_contract(command, open_hand_of(state), state)


def _check_turn_to_bid(command: commands.MakeBid, hand: Hand, rules: Rules, path: str) -> None:
    if command.seat in hand.bids:
        name = SEAT_NAMES[command.seat]
        raise RuleViolation(
            "out_of_turn",
            "%(seat)s has bid %(bids)s; each bids once",
            rule="P11",
            path=path,
            seat=name,
            bids=hand.bids[command.seat],
        )
    due = next_to_bid(hand, rules)
    if command.seat != due and "out_of_turn" not in hand.excuses:
        assert due is not None
        raise RuleViolation(
            "out_of_turn",
            "%(seat)s bids next, not %(other_seat)s",
            rule="P11",
            path=path,
            seat=SEAT_NAMES[due],
            other_seat=SEAT_NAMES[command.seat],
        )


def _ready_to_play(state: State, path: str) -> Hand:
    hand = open_hand_of(state)
    if not has_all_bids(hand, state.rules):
        due = next_to_bid(hand, state.rules)
        if due is None:
            message = sentence(
                "%(side)s's contract is missing; play begins once both are named",
                side=TEAM_NAMES[sides_to_name(hand)[0]],
            )
            raise RuleViolation("out_of_turn", message, rule="P11", path=path)
        raise RuleViolation(
            "out_of_turn",
            "%(seat)s bids first; play begins after the four bids",
            rule="P11",
            path=path,
            seat=SEAT_NAMES[due],
        )
    if not hand.trump:
        message = sentence(
            "this hand was opened as a misdeal, without a trump; call the misdeal, or undo "
            "the opening and name one"
        )
        raise RuleViolation("bad_trump", message, rule="P25", path="trump")
    return hand


def _deal(command: commands.RecordDeal, state: State) -> list[Event]:
    hand = open_hand_of(state)
    if hand.deal is not None or hand.play.winners:
        raise RuleViolation(
            "out_of_turn",
            "the deal is written down once, before the first trick",
            rule="P13",
            path="deal",
        )
    check_deal(command.holdings, hand.melds)
    return [CardsDealt(holdings=tuple(in_order(cards) for cards in command.holdings))]


def _play(command: commands.PlayTrick, state: State) -> list[Event]:
    hand = _ready_to_play(state, "plays")
    earlier = len(hand.play.winners)
    if len(hand.play.cards) < earlier:
        message = sentence(
            "only the winner of the last trick was written down, so the cards of later ones "
            "can't be; go on with winners"
        )
        raise RuleViolation("out_of_turn", message, rule="P13", path=f"plays[{earlier}]")
    if len(command.cards) != 4:
        message = sentence("a trick is 4 cards, not %(cards)s", cards=len(command.cards))
        raise RuleViolation("bad_total", message, rule="P13", path=f"plays[{earlier}]")
    check_trick(hand.play, command.cards, hand.accepted)
    return _perhaps_close(state, hand, TrickPlayed(cards=command.cards))


def _take(command: commands.TakeTrick, state: State) -> list[Event]:
    hand = _ready_to_play(state, "winners")
    return _perhaps_close(state, hand, TrickTaken(seat=command.seat))


def _count(command: commands.CountTricks, state: State) -> list[Event]:
    hand = _ready_to_play(state, "tricks")
    if command.ns < 0 or command.ew < 0 or command.ns + command.ew != TRICKS:
        message = sentence(
            "%(ns)s and %(ew)s tricks are %(sum)s; a hand has 13",
            ns=command.ns,
            ew=command.ew,
            sum=command.ns + command.ew,
        )
        raise RuleViolation("bad_total", message, rule="P13", path="tricks")
    for team, counted, won in zip(
        ("North–South", "East–West"), (command.ns, command.ew), tricks_taken(hand), strict=True
    ):
        if counted < won:
            message = sentence(
                "%(team)s won %(won)s tricks as recorded, so they can't have %(counted)s in all",
                team=team,
                won=won,
                counted=counted,
            )
            raise RuleViolation("bad_total", message, rule="P13", path="tricks")
    return _close(state, TricksCounted(ns=command.ns, ew=command.ew))


def _perhaps_close(state: State, hand: Hand, event: TrickPlayed | TrickTaken) -> list[Event]:
    return _close(state, event) if hand.play.trick == TRICKS else [event]


def _close(state: State, event: Event) -> list[Event]:
    """The last fact of a hand, and what follows from it: pots paid, the hand closed, perhaps the
    game.
    """
    after = evolve(state, event)
    hand = open_hand_of(after)
    ns, ew = team_results(hand, state.rules, state.score, state.excess)
    pot = state.balances.get(HAND, 0)
    payouts = hand_pot_payouts(hand, state.rules, pot, ns, ew)
    events: list[Event] = [event, *payouts, HandClosed(number=hand.number)]
    score = (ns.score, ew.score)
    if not is_over(state.rules, score, state.played + 1):
        return events
    left = pot - sum(payout.chips for payout in payouts)
    shared = final_payouts(hand, score, state.balances.get(ACCORD, 0), left)
    return [*events, GameClosed(kind="played"), *shared]


def _end(command: EndGame, state: State) -> list[Event]:
    closing = ending(command, state, over="P23", rule="P23")
    last = state.results[-1].hand
    return [
        closing,
        *final_payouts(
            last, state.score, state.balances.get(ACCORD, 0), state.balances.get(HAND, 0)
        ),
    ]


def _misdeal(command: commands.CallMisdeal, state: State) -> list[Event]:
    """The misdeal, and what was paid after the antes given back; moves of their own, so that a
    misdeal can be taken back too.

    Chips that a director moved stay where they are.
    """
    if command.opening is not None:
        return [*decide_opening(command.opening, state), HandMisdealt()]
    open_hand_of(state)
    entered = since_opening(state)[1:]
    given_back = [
        ChipsMoved(
            source=move.target, target=move.source, chips=move.chips, why="misdeal", rule="P25"
        )
        for _, move in reversed(moves_since(entered[0], state) if entered else ())
        if move.why != "ruling"
    ]
    return [HandMisdealt(), *given_back]


DECISIONS: Decisions[State, Event] = {
    **build_shared_decisions(open_hand_of, start="P3", pots=POT_NAMES),
    commands.OpenHand: decide_opening,
    commands.CallMisdeal: _misdeal,
    commands.DeclareMeld: _meld,
    commands.MakeBid: _bid,
    commands.NameContract: _contract,
    commands.RecordDeal: _deal,
    commands.PlayTrick: _play,
    commands.TakeTrick: _take,
    commands.CountTricks: _count,
    EndGame: _end,
}

decide: Callable[[commands.Command, State | None], list[Event]] = build_decide(
    decide_start, DECISIONS
)
