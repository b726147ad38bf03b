"""Turn an act of a Preference table into facts, or refuse it by its rule."""

from collections.abc import Callable, Mapping

from scoring.commands import AdjustPoints, EndGame
from scoring.deciding import Decisions, build_decide, build_shared_decisions, check_calling
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.preference import commands, events
from scoring.preference.auction import HOLD, PASS, auction_of
from scoring.preference.cards import in_order
from scoring.preference.closing import close, decide_end, open_hand_of
from scoring.preference.contracts import CONTRACT_NAMES, VALUES, may_keep_out
from scoring.preference.deals import check_deal
from scoring.preference.opening import decide_opening, decide_start
from scoring.preference.payments import POT_NAMES
from scoring.preference.rules import Rules
from scoring.preference.score import check_succession, tricks_taken
from scoring.preference.state import SEAT_NAMES, SEATS, Hand, State, defenders_of
from scoring.preference.tricks import TRICKS, check_trick


def has_excused_calls(hand: Hand) -> bool:
    """Whether a director excused the order or height of this hand's calls; then they don't bind
    what follows.
    """
    return not hand.excuses.isdisjoint({"out_of_turn", "bad_call"})


def _in_auction(state: State, path: str) -> Hand:
    hand = open_hand_of(state)
    if hand.contract:
        message = sentence(
            "%(seat)s has named %(contract)s already",
            seat=SEAT_NAMES[hand.soloist],
            contract=CONTRACT_NAMES[hand.contract],
        )
        raise RuleViolation("out_of_turn", message, rule="R8", path=path)
    return hand


def _call(command: commands.MakeCall, state: State) -> list[events.Event]:
    check_calling(state.hand, state.done, rule="R6")
    hand = _in_auction(state, "calls")
    path = f"calls[{len(hand.calls)}]"
    auction = auction_of(hand.dealer, hand.calls)
    if command.seat != auction.speaker and "out_of_turn" not in hand.excuses:
        due = (
            sentence(
                "%(seat)s speaks now, not %(other_seat)s",
                seat=SEAT_NAMES[auction.speaker],
                other_seat=SEAT_NAMES[command.seat],
            )
            if auction.speaker
            else sentence("the auction is over: all but the highest bidder have passed")
        )
        raise RuleViolation("out_of_turn", due, rule="R6", path=path)
    if "bad_call" not in hand.excuses:
        _check_call(command, hand, path)
    event = events.CallMade(seat=command.seat, call=command.call)
    after = auction_of(hand.dealer, (*hand.calls, (command.seat, command.call)))
    return [event] if after.live or after.high else close(state, event)


def _check_call(command: commands.MakeCall, hand: Hand, path: str) -> None:
    auction, name = auction_of(hand.dealer, hand.calls), SEAT_NAMES[command.seat]
    if command.call == PASS or (
        command.seat == auction.speaker and command.call in auction.may_say
    ):
        return
    if command.call == HOLD:
        why = (
            sentence("there is nothing to hold yet")
            if auction.high is None
            else sentence("only the player who spoke earlier may hold")
        )
        raise RuleViolation(
            "bad_call", "%(seat)s can't hold: %(why)s", rule="R6", path=path, seat=name, why=why
        )
    if auction.high is not None and VALUES[command.call] <= VALUES[auction.high]:
        said, high = CONTRACT_NAMES[command.call], CONTRACT_NAMES[auction.high]
        message = sentence(
            "%(seat)s must bid above %(high)s or pass; %(said)s is not above it",
            seat=name,
            high=high,
            said=said,
        )
        raise RuleViolation("bad_call", message, rule="R6", path=path)


def _name(command: commands.NameContract, state: State) -> list[events.Event]:
    hand = _in_auction(state, "contract")
    if hand.calls and not has_excused_calls(hand):
        _check_auction(command, hand)
    return [events.ContractNamed(soloist=command.soloist, contract=command.contract)]


def _check_auction(command: commands.NameContract, hand: Hand) -> None:
    """Raise RuleViolation unless the auction is over and was won by this soloist, not above this
    contract (R8).
    """
    auction = auction_of(hand.dealer, hand.calls)
    if auction.speaker is not None:
        message = sentence(
            "the auction isn't over: %(seat)s speaks next", seat=SEAT_NAMES[auction.speaker]
        )
        raise RuleViolation("bad_call", message, rule="R6", path="calls")
    assert auction.holder is not None
    assert auction.high is not None
    if command.soloist != auction.holder:
        message = sentence(
            "%(seat)s won the auction and is the soloist, not %(other_seat)s",
            seat=SEAT_NAMES[auction.holder],
            other_seat=SEAT_NAMES[command.soloist],
        )
        raise RuleViolation("bad_contract", message, rule="R6", path="soloist")
    if VALUES[command.contract] < VALUES[auction.high]:
        named, high = CONTRACT_NAMES[command.contract], CONTRACT_NAMES[auction.high]
        message = sentence(
            "the highest bid was %(high)s; %(named)s is below it", high=high, named=named
        )
        raise RuleViolation("bad_contract", message, rule="R8", path="contract")


def _throw_in(command: commands.ThrowIn, state: State) -> list[events.Event]:
    hand = _in_auction(state, "soloist")
    if hand.calls and not has_excused_calls(hand):
        auction = auction_of(hand.dealer, hand.calls)
        if auction.speaker is None:
            message = sentence(
                "%(seat)s won the auction; a deal is thrown in when everybody passes",
                seat=SEAT_NAMES[str(auction.holder)],
            )
            raise RuleViolation("bad_contract", message, rule="R7", path="soloist")
        message = sentence(
            "the auction isn't over: %(seat)s speaks next", seat=SEAT_NAMES[auction.speaker]
        )
        raise RuleViolation("bad_call", message, rule="R6", path="calls")
    return close(state, events.HandThrownIn())


def full_defence(soloist: str, choices: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return the choices of both defenders; a defender who isn't named goes along. Raises
    NotationError if the soloist is named.
    """
    given = dict(choices)
    if soloist in given:
        raise NotationError(
            "%(seat)s is the soloist and no defender",
            path=f"defenders.{soloist}",
            rule="R9",
            seat=SEAT_NAMES[soloist],
        )
    return {seat: given.get(seat, "along") for seat in defenders_of(soloist)}


def check_defence(contract: str, defence: Mapping[str, str], rules: Rules) -> None:
    """Raise RuleViolation `bad_contract` for an `out` or `insisted` that the contract or the other
    defender forbids (R9).
    """
    for seat, choice in defence.items():
        path, name = f"defenders.{seat}", SEAT_NAMES[seat]
        if choice != "along" and not may_keep_out(contract, rules):
            message = sentence(
                "%(seat)s must go along: nobody keeps out of %(contract)s here",
                seat=name,
                contract=CONTRACT_NAMES[contract],
            )
            raise RuleViolation("bad_contract", message, rule="R9", path=path)
        others = [other for partner, other in defence.items() if partner != seat]
        if choice == "insisted" and others != ["along"]:
            message = sentence(
                "%(seat)s can be insisted only by a defender who goes along", seat=name
            )
            raise RuleViolation("bad_contract", message, rule="R9", path=path)


def _defend(command: commands.ChooseDefence, state: State) -> list[events.Event]:
    hand = open_hand_of(state)
    if not hand.contract:
        raise RuleViolation(
            "out_of_turn", "the contract is named first", rule="R9", path="defenders"
        )
    if hand.defence is not None:
        message = sentence("what the defenders do is settled already; undo it first")
        raise RuleViolation("out_of_turn", message, rule="R9", path="defenders")
    defence = full_defence(hand.soloist, command.choices)
    check_defence(hand.contract, defence, state.rules)
    event = events.DefenceChosen(choices=tuple(defence.items()))
    return close(state, event) if list(defence.values()) == ["out", "out"] else [event]


def _deal(command: commands.RecordDeal, state: State) -> list[events.Event]:
    hand = open_hand_of(state)
    if command.discards and not hand.contract:
        message = sentence("the contract is named first; what the soloist discards comes after it")
        raise RuleViolation("out_of_turn", message, rule="R8", path="discards")
    if hand.deal is not None or hand.play.winners:
        raise RuleViolation(
            "out_of_turn",
            "the deal is written down once, before the first trick",
            rule="R3",
            path="deal",
        )
    holdings = tuple(in_order(cards) for cards in command.holdings)
    event = events.CardsDealt(
        holdings=holdings, widow=in_order(command.widow), discards=in_order(command.discards)
    )
    check_deal(
        events.CardsDealt(
            holdings=command.holdings, widow=command.widow, discards=command.discards
        ),
        hand.contract,
        hand.soloist,
    )
    return [event]


def _ready_to_play(state: State, path: str) -> Hand:
    hand = open_hand_of(state)
    if not hand.contract:
        raise RuleViolation(
            "out_of_turn", "the contract is named before the first trick", rule="R8", path=path
        )
    if hand.defence is None:
        raise RuleViolation(
            "out_of_turn", "the defenders say first whether they go along", rule="R9", path=path
        )
    return hand


def _play(command: commands.PlayTrick, state: State) -> list[events.Event]:
    hand = _ready_to_play(state, "plays")
    earlier, size = len(hand.play.winners), len(hand.play.order)
    if len(hand.play.cards) < earlier:
        message = sentence(
            "only the winner of the last trick was written down, so the cards of later ones "
            "can't be; go on with winners"
        )
        raise RuleViolation("out_of_turn", message, rule="R10", path=f"plays[{earlier}]")
    if len(command.cards) != size:
        message = sentence(
            "a trick is %(size)s cards here, not %(cards)s", size=size, cards=len(command.cards)
        )
        raise RuleViolation("bad_total", message, rule="R9", path=f"plays[{earlier}]")
    check_trick(hand, command.cards)
    return _perhaps_close(state, hand, events.TrickPlayed(cards=command.cards))


def _take(command: commands.TakeTrick, state: State) -> list[events.Event]:
    hand = _ready_to_play(state, "winners")
    if command.seat not in hand.play.order:
        message = sentence("%(seat)s keeps out and wins no trick", seat=SEAT_NAMES[command.seat])
        raise RuleViolation(
            "bad_total", message, rule="R9", path=f"winners[{len(hand.play.winners)}]"
        )
    return _perhaps_close(state, hand, events.TrickTaken(seat=command.seat))


def _count(command: commands.CountTricks, state: State) -> list[events.Event]:
    hand = _ready_to_play(state, "tricks")
    tricks = dict(zip(SEATS, command.tricks, strict=True))
    if min(tricks.values()) < 0 or sum(tricks.values()) != TRICKS:
        message = sentence(
            "%(numbers)s tricks are %(sum)s; a hand has 10",
            numbers=" and ".join(map(str, tricks.values())),
            sum=sum(tricks.values()),
        )
        raise RuleViolation("bad_total", message, rule="R3", path="tricks")
    for seat, won in tricks_taken(hand).items():
        if tricks[seat] < won:
            name, all_won = SEAT_NAMES[seat], tricks[seat]
            message = sentence(
                "%(seat)s won %(won)s tricks as recorded, so %(all)s in all can't be",
                seat=name,
                won=won,
                all=all_won,
            )
            raise RuleViolation("bad_total", message, rule="R3", path=f"tricks.{seat}")
        if tricks[seat] and seat not in hand.play.order:
            message = sentence(
                "%(seat)s keeps out and has 0 tricks, not %(tricks)s",
                seat=SEAT_NAMES[seat],
                tricks=tricks[seat],
            )
            raise RuleViolation("bad_total", message, rule="R9", path=f"tricks.{seat}")
    if (command.in_succession is not None) != (hand.contract == "no_trump"):
        message = sentence("no trump counted in totals says whether six tricks were in succession")
        if command.in_succession is not None:
            message = sentence("six in succession are asked for in no trump only")
        raise NotationError(message, path="in_succession", rule="R13")
    check_succession(hand, tricks[hand.soloist], command.in_succession)
    return close(
        state, events.TricksCounted(tricks=command.tricks, in_succession=command.in_succession)
    )


def _perhaps_close(
    state: State, hand: Hand, event: events.TrickPlayed | events.TrickTaken
) -> list[events.Event]:
    return close(state, event) if hand.play.trick == TRICKS else [event]


def _adjust_points(command: AdjustPoints, state: State) -> list[events.Event]:
    raise NotationError(
        "Preference has no points to adjust; move chips or adjust tricks",
        path="rulings",
        rule="Infractions",
    )


DECISIONS: Decisions[State, events.Event] = {
    **build_shared_decisions(open_hand_of, start="R1", pots=POT_NAMES),
    commands.OpenHand: decide_opening,
    commands.MakeCall: _call,
    commands.NameContract: _name,
    commands.ThrowIn: _throw_in,
    commands.ChooseDefence: _defend,
    commands.RecordDeal: _deal,
    commands.PlayTrick: _play,
    commands.TakeTrick: _take,
    commands.CountTricks: _count,
    EndGame: decide_end,
    AdjustPoints: _adjust_points,
}

decide: Callable[[commands.Command, State | None], list[events.Event]] = build_decide(
    decide_start, DECISIONS
)
