"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Mapping, Sequence

from scoring.card_play import Refused, offered
from scoring.events import TricksAdjusted
from scoring.legal import reasons, refusal_of
from scoring.sabacc.cards import CARDS, SUIT_OF, bits
from scoring.sabacc.deals import check_end
from scoring.sabacc.score import adjusted_tricks
from scoring.sabacc.seats import HOLDING, ROUND
from scoring.sabacc.state import Hand, Play
from scoring.sabacc.tricks import after_trick, check_following, check_possible, winner_of
from scoring.shape import JsonObject


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """What may come next on the cards `drafted`, as `offered` has it; `table` is what `table()`
    gave, in stage `play`.
    """
    hand = table["hand"]
    play = _play(hand)
    order = ROUND[len(table["seats"])][play.leader]
    accepted = {(trick, seat) for trick, seat in hand["accepted"]}

    def check(lying: tuple[str, ...], card: str) -> None:
        seat = order[len(lying)]
        check_possible(play, seat, card, play.played | bits(lying), "")
        if (play.trick, seat) not in accepted:
            check_following(play, seat, card, SUIT_OF[lying[0]] if lying else None, "")

    def winner(lying: tuple[str, ...]) -> str:
        return winner_of(lying, order)

    def unended(refused: Refused, lying: tuple[str, ...]) -> Refused:
        return _unended(table, lying, refused) if play.trick == table["tricks_in_all"] else {}

    return offered(
        order,
        drafted,
        CARDS,
        check=check,
        winner_of=winner,
        suit_of=SUIT_OF.__getitem__,
        unended=unended,
    )


def _unended(
    table: JsonObject, drafted: tuple[str, ...], refused: Mapping[str, object]
) -> dict[str, dict[str, str]]:
    """The last cards that would show an aside that can't have been, or leave tricks that a ruling
    makes impossible (S6, S11).
    """
    hand = hand_of(table)
    ended = {
        card: after_trick(hand.play, (*drafted, card), hand.accepted)
        for card in CARDS
        if card not in refused
    }
    return reasons(
        {
            card: refusal_of(check_closing, hand._replace(play=play), None)
            for card, play in ended.items()
        }
    )


def check_closing(hand: Hand, state: None = None) -> None:
    """Raise RuleViolation for a hand that can't end as it was played or counted: its aside, or its
    tricks after rulings.
    """
    check_end(hand)
    if hand.counted is None and len(hand.play.winners) == HOLDING[len(hand.accounts)]:
        adjusted_tricks(hand)


def hand_of(table: JsonObject) -> Hand:
    """As much of the open hand as its play, its count and its end need."""
    hand = table["hand"]
    rulings = [ruling for ruling in hand.get("rulings", ()) if ruling["kind"] == "adjust_tricks"]
    adjusted = (
        TricksAdjusted(
            source=each.get("from"),
            target=each.get("to"),
            tricks=each["tricks"],
            by=each["by"],
            reason=each["reason"],
        )
        for each in rulings
    )
    return Hand(
        play=_play(hand),
        moves=(),
        number=hand["number"],
        dealer=hand["dealer"],
        first=hand["first_caller"],
        accounts={seat: seat for seat in table["seats"]},
        settled=True,
        declarer=hand["declarer"],
        contract=hand["contract"],
        aside=tuple(hand["aside"]) if hand["aside"] is not None else None,
        accepted=frozenset((trick, seat) for trick, seat in hand["accepted"]),
        adjusted=tuple(adjusted),
    )


def _play(hand: JsonObject) -> Play:
    cards = hand["cards"]
    return Play(
        leader=cards["leader"],
        cards=tuple(tuple(trick) for trick in hand["plays"]),
        winners=tuple(hand["winners"]),
        played=int(cards["played"], 16),
        held=tuple(int(own, 16) for own in cards["held"]) if cards["held"] is not None else None,
        out=int(cards["out"], 16),
        taken_up=int(cards["taken_up"], 16),
        loose=int(cards["loose"], 16),
        declarer=hand["declarer"],
        lacking=tuple(cards["lacking"]),
    )
