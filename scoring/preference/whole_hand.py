"""Decide a whole hand from its sheet, by the same acts a scorer would enter one by one."""

from collections.abc import Iterator

from scoring.deciding import build_act
from scoring.errors import RuleViolation, sentence
from scoring.preference import commands
from scoring.preference.cards import in_order
from scoring.preference.closing import open_hand_of
from scoring.preference.contracts import CONTRACT_NAMES
from scoring.preference.deals import check_counts, check_held, check_in_order
from scoring.preference.decide import check_defence, decide, full_defence
from scoring.preference.events import CardsDealt, Event
from scoring.preference.evolve import evolve
from scoring.preference.score import in_succession, tricks_taken
from scoring.preference.sheet import Sheet
from scoring.preference.state import SEAT_NAMES, SEATS, Hand, State
from scoring.preference.tricks import TRICKS

_add = build_act(decide, evolve)


def decide_sheet(sheet: Sheet, state: State) -> tuple[list[Event], State]:
    """The facts of a whole hand, the same that its acts give one by one, and the state they lead
    to.

    A hand that is open already goes on from what was recorded of it, with which the sheet has to
    agree.

    Raises the first RuleViolation in the order of salon-record/1: opening, calls, contract and
    defence, counts and duplicates, cards held, the plays in order, totals.
    """
    events: list[Event] = []
    if state.hand is None:
        state = _add([sheet.opening], state, events)
    else:
        _check_agreement(sheet, state.hand)
    hand = open_hand_of(state)
    done = state.played
    if sheet.soloist is None:
        return events, _throw_in(sheet, hand, state, events)
    state = _add([*sheet.rulings, *_calls(sheet, hand)], state, events)
    if state.played > done:
        message = sentence(
            "everybody passed, so the deal is thrown in and %(seat)s is no soloist",
            seat=SEAT_NAMES[sheet.soloist],
        )
        raise RuleViolation("bad_contract", message, rule="R7", path="soloist")
    state = _add(_contract(sheet, hand), state, events)
    state = _before_play(sheet, state, events)
    if state.hand is not None:
        state = _play_out(sheet, state, events)
    _check_totals(sheet, state)
    return events, state


def _throw_in(sheet: Sheet, hand: Hand, state: State, events: list[Event]) -> State:
    """A deal that is thrown in is over with its last call, so what else is written down of it comes
    before that.
    """
    done, calls = state.played, [*_calls(sheet, hand)]
    state = _add([*sheet.rulings, *calls[:-1]], state, events)
    if state.hand is not None:
        state = _add(_deal_of(sheet, state.hand), state, events)
    state = _add(calls[-1:], state, events)
    return state if state.played > done else _add([commands.ThrowIn()], state, events)


def _check_agreement(sheet: Sheet, hand: Hand) -> None:
    """Refuse a sheet (`out_of_turn`) that differs from what is recorded of the open hand: that is
    taken back first.
    """
    if sheet.opening.dealer not in (None, hand.dealer):
        message = sentence(
            "this hand was opened with %(seat)s as dealer; undo its opening first",
            seat=SEAT_NAMES[hand.dealer],
        )
        raise RuleViolation("out_of_turn", message, rule="R1", path="dealer")
    if sheet.calls and sheet.calls[: len(hand.calls)] != hand.calls:
        raise RuleViolation(
            "out_of_turn", "other calls are recorded; undo them first", rule="R6", path="calls"
        )
    if hand.deal is not None and _has_deal(sheet) and _build_deal(sheet) != hand.deal:
        raise RuleViolation(
            "out_of_turn", "another deal is recorded; undo it first", rule="R3", path="deal"
        )
    if hand.contract and (sheet.soloist, sheet.contract) != (hand.soloist, hand.contract):
        message = sentence(
            "%(seat)s plays %(contract)s as recorded; undo that contract first",
            seat=SEAT_NAMES[hand.soloist],
            contract=CONTRACT_NAMES[hand.contract],
        )
        raise RuleViolation("out_of_turn", message, rule="R8", path="contract")
    if (
        hand.contract
        and hand.defence is not None
        and hand.defence != full_defence(hand.soloist, sheet.defenders)
    ):
        raise RuleViolation(
            "out_of_turn", "another defence is recorded; undo it first", rule="R9", path="defenders"
        )
    if hand.play.winners and (sheet.plays or sheet.winners):
        message = sentence(
            "%(winners)s tricks are recorded already; the sheet of an open hand gives the "
            "totals only",
            winners=len(hand.play.winners),
        )
        raise RuleViolation(
            "out_of_turn", message, rule="R10", path="plays" if sheet.plays else "winners"
        )


def _calls(sheet: Sheet, hand: Hand) -> Iterator[commands.MakeCall]:
    return (
        commands.MakeCall(seat=seat, call=call) for seat, call in sheet.calls[len(hand.calls) :]
    )


def _contract(sheet: Sheet, hand: Hand) -> list[commands.Command]:
    assert sheet.soloist is not None
    return (
        []
        if hand.contract
        else [commands.NameContract(soloist=sheet.soloist, contract=sheet.contract)]
    )


def _before_play(sheet: Sheet, state: State, events: list[Event]) -> State:
    """The deal and the defence; whether the defence may be so, and whether the counts can be, comes
    first.
    """
    hand = open_hand_of(state)
    defence = full_defence(hand.soloist, sheet.defenders)
    check_defence(hand.contract, defence, state.rules)
    state = _add(_deal_of(sheet, hand), state, events)
    _check_counts(sheet, defence)
    chosen = [commands.ChooseDefence(choices=sheet.defenders)] if hand.defence is None else []
    return _add(chosen, state, events)


def _deal_of(sheet: Sheet, hand: Hand) -> list[commands.Command]:
    """Return the act that records the deal, unless it is recorded already."""
    if hand.deal is not None or not _has_deal(sheet):
        return []
    return [commands.RecordDeal(holdings=sheet.deal, widow=sheet.widow, discards=sheet.discards)]


def _has_deal(sheet: Sheet) -> bool:
    return bool(sheet.deal or sheet.widow or sheet.discards)


def _build_deal(sheet: Sheet) -> CardsDealt:
    return CardsDealt(
        holdings=tuple(map(in_order, sheet.deal)),
        widow=in_order(sheet.widow),
        discards=in_order(sheet.discards),
    )


def _check_counts(sheet: Sheet, defence: dict[str, str]) -> None:
    playing = 3 - list(defence.values()).count("out")
    written = next((key for key in ("plays", "winners", "tricks") if getattr(sheet, key)), None)
    if playing == 1 and written:
        message = sentence("both defenders keep out, so no trick is played")
        raise RuleViolation("bad_total", message, rule="R9", path=written)
    check_counts(sheet.plays, playing)
    if len(sheet.winners) > TRICKS:
        raise RuleViolation(
            "bad_total",
            "a hand has 10 tricks, not %(winners)s",
            rule="R3",
            path="winners",
            winners=len(sheet.winners),
        )


def _play_out(sheet: Sheet, state: State, events: list[Event]) -> State:
    try:
        return _add(tricks_of(sheet), state, events)
    except RuleViolation:
        # A card that isn't held is the first thing to say, even where an earlier play breaks a
        # rule.
        check_held(sheet.plays, open_hand_of(state))
        check_in_order(sheet.plays, open_hand_of(state))
        raise


def tricks_of(sheet: Sheet) -> Iterator[commands.Command]:
    """The tricks as they are written down, or the totals of those that are not."""
    for cards in sheet.plays:
        yield commands.PlayTrick(cards=cards)
    for seat in sheet.winners[len(sheet.plays) :]:
        yield commands.TakeTrick(seat=seat)
    if _tricks_on_sheet(sheet) < TRICKS and sheet.tricks is not None:
        yield commands.CountTricks(tricks=sheet.tricks, in_succession=sheet.in_succession)


def _tricks_on_sheet(sheet: Sheet) -> int:
    return max(len(sheet.plays), len(sheet.winners))


def _check_totals(sheet: Sheet, state: State) -> None:
    """Check that values given more than once agree, and that the hand is complete."""
    if state.hand is not None:
        message = sentence(
            "%(written)s tricks are written down; 10 are, or the totals in `tricks` say how "
            "the rest went",
            written=_tricks_on_sheet(sheet),
        )
        raise RuleViolation("bad_total", message, rule="R3", path="tricks")
    hand = state.done[-1].hand
    for trick, (said, won) in enumerate(zip(sheet.winners, hand.play.winners, strict=False)):
        if said != won:
            message = sentence(
                "%(seat)s won trick %(trick)s as it was played, not %(other_seat)s",
                seat=SEAT_NAMES[won],
                trick=trick + 1,
                other_seat=SEAT_NAMES[said],
            )
            raise RuleViolation("bad_total", message, rule="R10", path=f"winners[{trick}]")
    taken = tricks_taken(hand)
    if sheet.tricks is not None and sheet.tricks != tuple(taken[seat] for seat in SEATS):
        played = ", ".join(f"{seat} {tricks}" for seat, tricks in taken.items())
        raise RuleViolation(
            "bad_total",
            "the tricks were %(played)s as played",
            rule="R3",
            path="tricks",
            played=played,
        )
    if sheet.in_succession is not None and sheet.in_succession != in_succession(hand):
        message = sentence(
            "six tricks in succession were %(in_succession)swon as played",
            in_succession="" if in_succession(hand) else "not ",
        )
        raise RuleViolation("bad_total", message, rule="R13", path="in_succession")
