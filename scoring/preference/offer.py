"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Sequence
from operator import itemgetter

from scoring.card_play import Refused, offered
from scoring.legal import unclosed
from scoring.preference.cards import CARDS, bits
from scoring.preference.events import CardsDealt
from scoring.preference.state import Hand, Play
from scoring.preference.tricks import check_card, reading_of, winner_of
from scoring.shape import JsonObject


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """What may come next on the cards `drafted`, as `offered` has it; `table` is what `table()`
    gave, in stage `play`.
    """
    hand = _hand(table["hand"])
    order = hand.play.order

    def check(lying: tuple[str, ...], card: str) -> None:
        place, read = len(lying), reading_of(hand, order, (*lying, card))
        duties = ((*lying, card)[0], read.best[place], read.denied[place])
        check_card(hand, order[place], card, duties, hand.play.played | bits(lying), "")

    def winner(lying: tuple[str, ...]) -> str:
        return winner_of(hand, order, lying)

    def unended(refused: Refused, lying: tuple[str, ...]) -> Refused:
        return unclosed(
            refused,
            {card: winner((*lying, card)) for card in CARDS},
            table["hand"]["refused_takers"],
        )

    return offered(
        order, drafted, CARDS, check=check, winner_of=winner, suit_of=itemgetter(1), unended=unended
    )


def _hand(hand: JsonObject) -> Hand:
    """As much of the open hand as the duties of a card need."""
    cards = hand["cards"]
    play = Play(
        order=tuple(cards["order"]),
        cards=tuple(tuple(trick) for trick in hand["plays"]),
        winners=tuple(hand["winners"]),
        played=cards["played"],
        held=tuple(cards["held"]),
        denied=tuple(cards["denied"]),
        spare=tuple(cards["spare"]),
    )
    return Hand(
        play=play,
        moves=(),
        number=hand["number"],
        dealer=hand["dealer"],
        accounts={},
        players=(),
        soloist=hand["soloist"],
        contract=hand["contract"],
        defence=hand["defence"],
        deal=CardsDealt(holdings=tuple(map(tuple, hand["dealt"])))
        if hand["dealt"] is not None
        else None,
        accepted=frozenset((trick, seat) for trick, seat in hand["accepted"]),
    )
