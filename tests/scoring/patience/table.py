"""Write a patience as a scorer does: given acts, when an act, then events or the refusal; and
random legal deals.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from scoring.commands import StartGame
from scoring.errors import Refusal
from scoring.patience.commands import (
    BuildCard,
    Command,
    CountLengths,
    EndDeal,
    OpenHand,
    SetKing,
    TurnWaste,
    WasteCard,
)
from scoring.patience.deal import CARDS, FOUNDATIONS
from scoring.patience.decide import decide
from scoring.patience.play import PATIENCE
from scoring.patience.rules import read_rules
from scoring.patience.state import State, evolve
from scoring.records import decide_record, read_record, write_record

DIRECTOR = {"by": "Director", "reason": "seen at the table"}
# Every Ace, then every 2, and so on, pack by pack: the order of a new stock.
SORTED = [card for rank in "A23456789TJQK" for card in CARDS if card[0] == rank for _ in range(2)]
WAITING = {"first_king": "first_available"}


def started(**options: object) -> State:
    """A game that has been started under these options."""
    start = StartGame(record="game-1", players=(("A", "Asha"),), rules=read_rules(options))
    return folded(decide(start, None))


def folded(events: Iterable[Any], state: State | None = None) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def given(*acts: Command, **options: object) -> State:
    """A game in which a deal was opened and all this has happened."""
    return after(started(**options), *acts)


def after(state: State, *acts: Command) -> State:
    """The state after these acts."""
    for act in acts:
        state = folded(decide(act, state), state)
    return state


def opened(stock: str | Iterable[str] = "", **more: Any) -> OpenHand:
    """The opening of a deal; `stock` stands on top of the cards that are left of two packs."""
    return OpenHand(stock=stacked(stock) if stock else (), **more)


def stacked(cards: str | Iterable[str]) -> tuple[str, ...]:
    """A whole stock that begins with these cards: `stacked("KS QH")`."""
    top = cards.split() if isinstance(cards, str) else list(cards)
    rest = list(SORTED)
    for card in top:
        rest.remove(card)
    return (*top, *rest)


def moved(moves: str) -> list[Command]:
    """Moves as a record writes them: `moved("- 1 w2 turn")`."""
    return [_move(move) for move in moves.split()]


def _move(move: str) -> Command:
    if move == "-":
        return WasteCard()
    return (
        TurnWaste() if move == "turn" else BuildCard(foundation=int(move[-1]), waste=move[0] == "w")
    )


def turned_up(cards: str) -> list[Command]:
    """Cards of an unknown stock, each laid on the waste."""
    return [WasteCard(card=card) for card in cards.split()]


def king(card: str = "KS") -> SetKing:
    """The King that was put out before the deal."""
    return SetKing(card=card)


def counted(lengths: str, passes: int = 3, seconds: int | None = None) -> CountLengths:
    """Lengths as digits apart by spaces."""
    return CountLengths(lengths=tuple(map(int, lengths.split())), passes=passes, seconds=seconds)


def ended(seconds: int | None = None) -> EndDeal:
    """The end of a deal."""
    return EndDeal(seconds=seconds)


@contextmanager
def refused(code: str, *, rule: str, path: str, says: str) -> Iterator[None]:
    """What is done inside is refused with this code, rule and path, in a message that says this."""
    with pytest.raises(Refusal) as caught:
        yield
    refusal = caught.value
    assert (refusal.code, refusal.rule, refusal.path) == (code, rule, path)
    assert says in refusal.message


def record(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A record of these deals."""
    base = {
        "format": "salon-record/1",
        "id": "made",
        "game": "order_of_precedence",
        "players": {"A": "Asha"},
    }
    return {**base, "hands": list(hands), **more}


def totals(*lengths: int, passes: int = 3, **more: Any) -> dict[str, Any]:
    """A deal of a record by its lengths."""
    return {"built": list(lengths), "passes": passes, **more}


def scored(value: dict[str, Any]) -> dict[str, Any]:
    """The result of a record."""
    _, state = decide_record(read_record(value))
    assert isinstance(state, State)
    return PATIENCE.result(state)


def written(value: dict[str, Any]) -> dict[str, Any]:
    """A record as it is written again."""
    return write_record(PATIENCE, decide_record(read_record(value))[1])


def made(chance: Random, *, most_hands: int = 2) -> dict[str, Any]:
    """A random legal game: both King rules, some redeals, deals by moves or lengths, everything
    that may stand beside them.
    """
    options = {
        "first_king": chance.choice(["removed", "first_available"]),
        "redeals": chance.choice([0, 1, 2, 2, 4]),
    }
    hands = [_made_hand(chance, options) for _ in range(chance.randint(1, most_hands))]
    return record(*hands, options=options)


def _made_hand(chance: Random, options: dict[str, Any]) -> dict[str, Any]:
    stock = list(CARDS) * 2
    chance.shuffle(stock)
    hand: dict[str, Any] = {"stock": stock, "moves": played(stock, chance, **options)}
    if chance.random() < 0.3:
        lengths, passes = piles(stock, hand["moves"], options)
        hand = {"built": lengths, "passes": passes} | (
            {"stock": stock} if chance.random() < 0.3 else {}
        )
    if chance.random() < 0.3:
        hand["seconds"] = chance.randint(0, 3_000)
    if chance.random() < 0.2:
        hand["rulings"] = [
            {"kind": "adjust_points", "side": "A", "points": chance.randint(-9, 9), **DIRECTOR}
        ]
    if chance.random() < 0.2:
        hand["rulings"] = [
            {"kind": "accept_hand", "excuses": ["bad_dealer"], **DIRECTOR},
            *hand.get("rulings", []),
        ]
    if chance.random() < 0.2:
        hand |= {"players": {"A": "Ezra"}, "note": "by the window", "at": "2026-11-21T19:30:00Z"}
    return hand


class Piles:
    """The cards as a player has them in front of them, for random play; nothing here comes from
    `scoring`.
    """

    def __init__(self, stock: list[str], *, first_king: str) -> None:
        self.stock, self.waste, self.turns = list(stock), [], 0
        self.lengths = [0] * FOUNDATIONS
        if first_king == "removed":
            self.stock.remove(next(card for card in stock if card[0] == "K"))
            self.lengths[0] = 1

    waste: list[str]

    def takes(self, card: str) -> list[int]:
        """Where the card can go: down by rank from K Q J T 9 8 7 6, and no foundation before the
        one to its left.
        """
        order = "KQJT98765432A" * 2
        return [
            place + 1
            for place, length in enumerate(self.lengths)
            if length < 13
            and order[place + length] == card[0]
            and (place == 0 or self.lengths[place - 1])
        ]

    def apply(self, move: str) -> None:
        """Do what a record's move says."""
        if move == "turn":
            self.stock, self.waste, self.turns = self.waste, [], self.turns + 1
        elif move == "-":
            self.waste.append(self.stock.pop(0))
        else:
            (self.waste.pop() if move[0] == "w" else self.stock.pop(0))
            self.lengths[int(move[-1]) - 1] += 1


def played(stock: list[str], chance: Random, *, first_king: str, redeals: int) -> list[str]:
    """Random legal moves that end with an empty stock; most cards that fit are built."""
    piles = Piles(stock, first_king=first_king)
    moves: list[str] = []
    while True:
        move = _next_move(piles, chance, redeals)
        if move is None:
            return moves
        piles.apply(move)
        moves.append(move)


def _next_move(piles: Piles, chance: Random, redeals: int) -> str | None:
    from_waste = piles.takes(piles.waste[-1]) if piles.waste else []
    if from_waste and chance.random() < 0.8:
        return f"w{chance.choice(from_waste)}"
    if not piles.stock:
        return "turn" if piles.waste and piles.turns < redeals and chance.random() < 0.9 else None
    from_stock = piles.takes(piles.stock[0])
    return str(chance.choice(from_stock)) if from_stock and chance.random() < 0.8 else "-"


def piles(stock: list[str], moves: list[str], options: dict[str, Any]) -> tuple[list[int], int]:
    """The lengths and passes that these moves come to."""
    on_the_table = Piles(stock, first_king=options["first_king"])
    for move in moves:
        on_the_table.apply(move)
    return on_the_table.lengths, on_the_table.turns + 1
