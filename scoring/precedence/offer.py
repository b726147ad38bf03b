"""What may come next at a table, so that a pad offers that and nothing else."""

from collections.abc import Sequence
from operator import itemgetter

from scoring.card_play import Refused, offered
from scoring.legal import unclosed
from scoring.precedence.cards import CARDS, bits
from scoring.precedence.seats import ROUND
from scoring.precedence.state import Play
from scoring.precedence.tricks import check_following, check_possible, winner_of
from scoring.shape import JsonObject


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """What may come next on the cards `drafted`, as `offered` has it; `table` is what `table()`
    gave, in stage `play`.
    """
    hand = table["hand"]
    play = _play(hand)
    order = ROUND[play.leader]
    accepted = {(trick, seat) for trick, seat in hand["accepted"]}

    def check(lying: tuple[str, ...], card: str) -> None:
        seat = order[len(lying)]
        check_possible(play, seat, card, play.played | bits(lying), "")
        if (play.trick, seat) not in accepted:
            check_following(play, seat, card, lying[0][1] if lying else None, "")

    def winner(lying: tuple[str, ...]) -> str:
        return winner_of(lying, play.leader, hand["trump"])

    def unended(refused: Refused, lying: tuple[str, ...]) -> Refused:
        return unclosed(
            refused, {card: winner((*lying, card)) for card in CARDS}, hand["refused_takers"]
        )

    return offered(
        order, drafted, CARDS, check=check, winner_of=winner, suit_of=itemgetter(1), unended=unended
    )


def _play(hand: JsonObject) -> Play:
    cards = hand["cards"]
    return Play(
        leader=cards["leader"],
        winners=tuple(hand["winners"]),
        played=cards["played"],
        shown=tuple(cards["shown"]),
        held=tuple(cards["held"]) if cards["held"] is not None else None,
        lacking=tuple(cards["lacking"]),
    )
