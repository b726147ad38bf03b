"""Decide a whole hand from its sheet, by the same acts a scorer would enter one by one."""

from collections.abc import Iterator

from scoring.deciding import build_act, decide_with_rulings
from scoring.errors import RuleViolation, sentence
from scoring.precedence.commands import (
    CallMisdeal,
    Command,
    CountTricks,
    MakeBid,
    NameContract,
    PlayTrick,
    RecordDeal,
    TakeTrick,
)
from scoring.precedence.deals import check_counts, check_held, check_in_order, check_pack
from scoring.precedence.decide import decide, open_hand_of
from scoring.precedence.events import Event
from scoring.precedence.evolve import evolve
from scoring.precedence.melds import in_order
from scoring.precedence.score import tricks_taken
from scoring.precedence.seats import LEFT, ROUND, SEAT_NAMES, TEAM, TEAM_NAMES
from scoring.precedence.sheet import Sheet
from scoring.precedence.state import Hand, State
from scoring.precedence.tricks import TRICKS

_add = build_act(decide, evolve)


def decide_sheet(sheet: Sheet, state: State) -> tuple[list[Event], State]:
    """The facts of a whole hand, the same that its acts give one by one, and the state they lead
    to.

    A hand that is open already goes on from what was recorded of it, with which the sheet has to
    agree.

    Raises the first RuleViolation in the order of salon-record/1: opening, melds, bids, counts and
    duplicates, cards held, the plays in order, totals.
    """
    return decide_with_rulings(
        sheet.rulings, lambda first: _decide_sheet(sheet, state, rulings_first=first)
    )


def _decide_sheet(sheet: Sheet, state: State, *, rulings_first: bool) -> tuple[list[Event], State]:
    events: list[Event] = []
    if state.hand is None:
        state = _add([sheet.opening], state, events)
    else:
        _check_agreement(sheet, state.hand, state)
    state = _add(sheet.rulings if rulings_first else (), state, events)
    hand = open_hand_of(state)
    state = _add([*sheet.melds[len(hand.melds) :], *_bids_left(sheet, hand)], state, events)
    _check_counts(sheet)
    if sheet.deal is not None and hand.deal is None:
        state = _add([RecordDeal(holdings=sheet.deal)], state, events)
    state = _add(() if rulings_first else sheet.rulings, state, events)
    if sheet.misdeal:
        return events, _add([CallMisdeal()], state, events)
    state = _play_out(sheet, state, events)
    _check_totals(sheet, state)
    return events, state


def _check_agreement(sheet: Sheet, hand: Hand, state: State) -> None:
    """Refuse a sheet (`out_of_turn`) that differs from what is recorded of the open hand: that is
    taken back first.
    """
    for seat, tricks in sheet.bids:
        if hand.bids.get(seat, tricks) != tricks:
            message = sentence(
                "%(seat)s bid %(bids)s as recorded, not %(tricks)s; undo that bid first",
                seat=SEAT_NAMES[seat],
                bids=hand.bids[seat],
                tricks=tricks,
            )
            raise RuleViolation("out_of_turn", message, rule="P11", path=f"bids.{seat}")
    for side, tricks in sheet.contracts:
        if hand.named.get(side, tricks) != tricks:
            message = sentence(
                "%(side)s named a contract of %(named)s as recorded, not %(tricks)s; undo that "
                "first",
                side=TEAM_NAMES[side],
                named=hand.named[side],
                tricks=tricks,
            )
            raise RuleViolation("out_of_turn", message, rule="P11", path=f"contracts.{side}")
    for place, (said, shown) in enumerate(zip(sheet.melds, hand.melds, strict=False)):
        if (said.seat, said.kind, in_order(said.cards)) != (shown.seat, shown.kind, shown.cards):
            message = sentence(
                "%(seat)s showed %(cards)s as recorded; undo that meld first",
                seat=SEAT_NAMES[shown.seat],
                cards=" ".join(shown.cards),
            )
            raise RuleViolation("out_of_turn", message, rule="P6", path=f"melds[{place}]")
    for key, said_so, recorded in (
        ("dealer", sheet.opening.dealer, hand.dealer),
        ("trump", sheet.opening.trump, hand.trump),
    ):
        if said_so is not None and said_so != recorded:
            message = sentence(
                "this hand was opened with %(key)s %(recorded)s, not %(said_so)s; undo its "
                "opening first",
                key=key,
                recorded=recorded,
                said_so=said_so,
            )
            raise RuleViolation("out_of_turn", message, rule="P4", path=key)
    if (
        sheet.deal is not None
        and hand.deal is not None
        and tuple(map(in_order, sheet.deal)) != hand.deal
    ):
        raise RuleViolation(
            "out_of_turn", "another deal is recorded; undo it first", rule="P13", path="deal"
        )
    opening = sheet.opening
    sat_otherwise = set(opening.players) - set(state.players.items()) - set(hand.players)
    for key, given in (
        ("players", sat_otherwise),
        ("buy_ins", opening.buy_ins),
        ("rulings", opening.accepted),
    ):
        if given:
            message = sentence(
                "who sits, buy-ins and what excuses a hand belong to its opening; undo the "
                "opening first"
            )
            raise RuleViolation("out_of_turn", message, rule="P4", path=key)
    if hand.play.winners and (sheet.plays or sheet.winners):
        message = sentence(
            "%(winners)s tricks are recorded already; the sheet of an open hand gives the "
            "totals only",
            winners=len(hand.play.winners),
        )
        raise RuleViolation(
            "out_of_turn", message, rule="P13", path="plays" if sheet.plays else "winners"
        )


def _bids_left(sheet: Sheet, hand: Hand) -> list[Command]:
    """The bids and contracts of the sheet that are not recorded yet."""
    bids = [bid for bid in bids_in_turn(sheet, hand.dealer) if bid.seat not in hand.bids]
    named = [each for each in contracts_of(sheet, hand.dealer) if each.side not in hand.named]
    return [*bids, *named]


def bids_in_turn(sheet: Sheet, dealer: str) -> list[MakeBid]:
    """The bids in the order they are made, from the player left of the dealer (P11)."""
    bids = dict(sheet.bids)
    return [MakeBid(seat=seat, tricks=bids[seat]) for seat in ROUND[LEFT[dealer]] if seat in bids]


def contracts_of(sheet: Sheet, dealer: str) -> list[NameContract]:
    """The contracts by side, that of the player left of the dealer first (P11)."""
    contracts = dict(sheet.contracts)
    sides = dict.fromkeys(TEAM[seat] for seat in ROUND[LEFT[dealer]])
    return [NameContract(side=side, tricks=contracts[side]) for side in sides if side in contracts]


def _play_out(sheet: Sheet, state: State, events: list[Event]) -> State:
    try:
        return _add(tricks_of(sheet), state, events)
    except RuleViolation:
        # A card that isn't held is the first thing to say, even where an earlier play breaks a
        # rule.
        check_held(sheet.plays, open_hand_of(state))
        check_in_order(sheet.plays, open_hand_of(state))
        raise


def tricks_of(sheet: Sheet) -> Iterator[Command]:
    """The tricks as they are written down, or the totals of those that are not."""
    for cards in sheet.plays:
        yield PlayTrick(cards=cards)
    for seat in sheet.winners[len(sheet.plays) :]:
        yield TakeTrick(seat=seat)
    if _tricks_on_sheet(sheet) < TRICKS and sheet.tricks is not None:
        yield CountTricks(ns=sheet.tricks[0], ew=sheet.tricks[1])


def _tricks_on_sheet(sheet: Sheet) -> int:
    return max(len(sheet.plays), len(sheet.winners))


def _check_counts(sheet: Sheet) -> None:
    if sheet.deal is not None:
        check_pack(sheet.deal)
    check_counts(sheet.plays)
    if len(sheet.winners) > TRICKS:
        message = sentence("a hand has 13 tricks, not %(winners)s", winners=len(sheet.winners))
        raise RuleViolation("bad_total", message, rule="P13", path="winners")


def _check_totals(sheet: Sheet, state: State) -> None:
    """Check that values given more than once agree, and that the hand is complete."""
    if state.hand is not None:
        message = sentence(
            "%(written)s tricks are written down; 13 are, or the totals in `tricks` say how "
            "the rest went",
            written=_tricks_on_sheet(sheet),
        )
        raise RuleViolation("bad_total", message, rule="P13", path="tricks")
    hand = state.done[-1].hand
    for trick, (said, won) in enumerate(zip(sheet.winners, hand.play.winners, strict=False)):
        if said != won:
            message = sentence(
                "%(won)s won trick %(trick)s as it was played, not %(said)s",
                won=won,
                trick=trick + 1,
                said=said,
            )
            raise RuleViolation("bad_total", message, rule="P13", path=f"winners[{trick}]")
    if sheet.tricks is not None and sheet.tricks != tricks_taken(hand):
        ns, ew = tricks_taken(hand)
        message = sentence(
            "North–South won %(ns)s and East–West %(ew)s tricks as played, not %(ns_given)s "
            "and %(ew_given)s",
            ns=ns,
            ew=ew,
            ns_given=sheet.tricks[0],
            ew_given=sheet.tricks[1],
        )
        raise RuleViolation("bad_total", message, rule="P13", path="tricks")
