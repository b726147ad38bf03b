"""Decide a whole hand from its sheet, by the same acts a scorer would enter one by one."""

from collections.abc import Iterator, Sequence

from scoring.deciding import build_act, decide_with_rulings
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.sabacc.auction import CONTRACT_NAMES
from scoring.sabacc.cards import in_order
from scoring.sabacc.commands import Command, CountPoints, PlayTrick, RecordDeal, SetAside, ShowTalon
from scoring.sabacc.deals import check_counts, check_held, check_in_order
from scoring.sabacc.decide import decide, open_hand_of
from scoring.sabacc.events import Event
from scoring.sabacc.evolve import evolve
from scoring.sabacc.score import count_declarer_points, find_earned_bonus, points_text
from scoring.sabacc.sheet import Sheet, check_seats
from scoring.sabacc.state import HOLDING, Hand, State

_add = build_act(decide, evolve)


def decide_sheet(sheet: Sheet, state: State) -> tuple[list[Event], State]:
    """The facts of a whole hand, the same that its acts give one by one, and the state they lead
    to.

    A hand that is open already goes on from what was recorded of it, with which the sheet has to
    agree.

    Raises the first RuleViolation in the order of salon-record/1: opening, calls, contract, counts
    and duplicates, cards held, the plays in order, totals.
    """
    check_seats(sheet, state.seats)
    return decide_with_rulings(
        sheet.rulings, lambda first: _decide_sheet(sheet, state, rulings_first=first)
    )


def _decide_sheet(sheet: Sheet, state: State, *, rulings_first: bool) -> tuple[list[Event], State]:
    events: list[Event] = []
    if state.hand is None:
        state = _add([sheet.opening], state, events)
    else:
        _check_agreement(sheet, state.hand)
    state = _add(sheet.rulings if rulings_first else (), state, events)
    later = () if rulings_first else sheet.rulings
    hand = open_hand_of(state)
    if not hand.settled:
        state = _bid(sheet, hand, later, state, events)
    if state.hand is None:
        _check_named(sheet, state.done[-1].hand)
        return events, state
    _check_named(sheet, state.hand)
    state = _add(_before_play(sheet, state.hand), state, events)
    check_counts(sheet.plays, open_hand_of(state))
    state = _add(later, state, events)
    state = _play_out(sheet, state, events)
    _check_totals(sheet, state)
    return events, state


def _check_agreement(sheet: Sheet, hand: Hand) -> None:
    """Refuse a sheet (`out_of_turn`) that differs from what is recorded of the open hand: that is
    taken back first.
    """
    if sheet.opening.dealer not in (None, hand.dealer):
        message = sentence(
            "this hand was opened with dealer %(dealer)s, not %(given)s; undo its opening first",
            dealer=hand.dealer,
            given=sheet.opening.dealer,
        )
        raise RuleViolation("out_of_turn", message, rule="S12", path="dealer")
    for place, (said, (seat, call)) in enumerate(zip(sheet.calls, hand.calls, strict=False)):
        if (said.seat, said.call) != (seat, call):
            message = sentence(
                "%(seat)s said %(call)s as recorded, not %(other_seat)s %(given)s; undo that "
                "call first",
                seat=seat,
                call=call,
                other_seat=said.seat,
                given=said.call,
            )
            raise RuleViolation("out_of_turn", message, rule="S3", path=f"calls[{place}]")
    recorded = {"deal": hand.deal, "talon": hand.talon, "aside": hand.aside}
    on_sheet = {
        "deal": tuple(in_order(cards) for _, cards in sheet.deal)
        if sheet.deal is not None
        else None,
        "talon": in_order(sheet.talon) if sheet.talon is not None else None,
        "aside": in_order(sheet.aside) if sheet.aside is not None else None,
    }
    for key, cards in recorded.items():
        if cards is not None and on_sheet[key] not in (None, cards):
            message = sentence("another %(key)s is recorded of this hand; undo that first", key=key)
            raise RuleViolation("out_of_turn", message, rule="S6", path=key)
    if hand.play.winners and sheet.plays:
        message = sentence(
            "%(winners)s tricks are recorded already; the sheet of an open hand gives the "
            "points only",
            winners=len(hand.play.winners),
        )
        raise RuleViolation("out_of_turn", message, rule="S7", path="plays")


def _bid(
    sheet: Sheet, hand: Hand, rulings: Sequence[Command], state: State, events: list[Event]
) -> State:
    """The bidding; a void hand is over with its last call, so what else is written down of it comes
    before that.
    """
    bidding = _bidding(sheet, hand)
    if not sheet.is_void:
        return _add(bidding, state, events)
    state = _add(bidding[:-1], state, events)
    if state.hand is not None:
        state = _add([*_before_play(sheet, state.hand), *rulings], state, events)
    return _add(bidding[-1:], state, events)


def _bidding(sheet: Sheet, hand: Hand) -> list[Command]:
    if sheet.calls:
        return [*sheet.calls[len(hand.calls) :]]
    if sheet.named is None:
        raise NotationError(
            "who declares what is missing here: calls, or declarer and contract",
            path="declarer",
            rule="S3",
        )
    return [sheet.named]


def _check_named(sheet: Sheet, hand: Hand) -> None:
    """Refuse bidding that isn't over, or that came to something else than the sheet says."""
    if not hand.settled:
        message = sentence(
            "the calls end before the bidding does; it ends when all but the highest bidder "
            "have passed"
        )
        raise RuleViolation("bad_call", message, rule="S3", path="calls")
    if sheet.named is None or (sheet.named.declarer, sheet.named.contract) == (
        hand.declarer,
        hand.contract,
    ):
        return
    came_to = (
        f"{hand.declarer} declares {CONTRACT_NAMES[hand.contract]}"
        if hand.contract
        else "nobody bid"
    )
    path = "declarer" if sheet.named.declarer != hand.declarer else "contract"
    raise RuleViolation(
        "bad_contract", "by the calls %(came_to)s", rule="S3", path=path, came_to=came_to
    )


def _before_play(sheet: Sheet, hand: Hand) -> list[Command]:
    acts: list[Command] = []
    if sheet.deal is not None and hand.deal is None:
        acts.append(RecordDeal(holdings=tuple(cards for _, cards in sheet.deal)))
    if sheet.talon is not None and hand.talon is None:
        acts.append(ShowTalon(cards=sheet.talon))
    if sheet.aside is not None and hand.aside is None:
        acts.append(SetAside(cards=sheet.aside))
    return acts


def _play_out(sheet: Sheet, state: State, events: list[Event]) -> State:
    before = open_hand_of(state)
    try:
        return _add(tricks_of(sheet, len(state.seats)), state, events)
    except RuleViolation:
        # A card that isn't held is the first thing to say, even where an earlier play breaks a
        # rule.
        check_held(sheet.plays, before)
        check_in_order(sheet.plays, before)
        raise


def tricks_of(sheet: Sheet, players: int) -> Iterator[Command]:
    """The tricks as they are written down, or the points in all where those are not all."""
    for cards in sheet.plays:
        yield PlayTrick(cards=cards)
    if len(sheet.plays) < HOLDING[players] and sheet.points is not None:
        kind, seat = sheet.bonus or (None, None)
        yield CountPoints(points=sheet.points, bonus=kind, seat=seat)


def _check_totals(sheet: Sheet, state: State) -> None:
    """Check that values given more than once agree, and that the hand is complete."""
    if state.hand is not None:
        message = sentence(
            "%(plays)s tricks are written down; %(holding)s are, or `points` say how the rest went",
            plays=len(sheet.plays),
            holding=HOLDING[len(state.seats)],
        )
        raise RuleViolation("bad_total", message, rule="S8", path="points")
    hand = state.done[-1].hand
    points, bonus = count_declarer_points(hand), find_earned_bonus(hand)
    if sheet.points is not None and sheet.points != points:
        message = sentence(
            "%(declarer)s has %(points)s card points as played, not %(given)s",
            declarer=hand.declarer,
            points=points_text(points),
            given=points_text(sheet.points),
        )
        raise RuleViolation("bad_total", message, rule="S8", path="points")
    if sheet.bonus_said and sheet.bonus != bonus:
        came_to = f"{bonus[1]} earned {bonus[0]}" if bonus else "nobody earned a bonus"
        raise RuleViolation(
            "bad_total",
            "as the hand was played %(came_to)s",
            rule="S11",
            path="bonus",
            came_to=came_to,
        )
