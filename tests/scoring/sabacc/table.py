"""Write a table of Contract Sabacc as a scorer does: given acts, when an act, then events or the
refusal.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.commands import (
    AcceptHand,
    AcceptPlay,
    AdjustPoints,
    AdjustTricks,
    MoveChips,
    StartGame,
)
from scoring.records import decide_record, read_record
from scoring.sabacc.cards import CARDS, SABACC, SUIT_OF
from scoring.sabacc.commands import (
    Command,
    CountPoints,
    MakeCall,
    NameContract,
    OpenHand,
    PlayTrick,
    RecordDeal,
    SetAside,
    ShowTalon,
)
from scoring.sabacc.decide import decide
from scoring.sabacc.evolve import evolve
from scoring.sabacc.rules import read_rules
from scoring.sabacc.state import RIGHT, ROUND, Hand, State
from scoring.sabacc.tricks import winner_of
from tests.scoring.table import DIRECTOR, refused

__all__ = ["refused"]

NAMES = {"A": "Asha", "B": "Brin", "C": "Cato", "D": "Dara", "E": "Ezra"}
PLAYERS = {seat: NAMES[seat] for seat in "ABCD"}
# Four players: A holds all coins, B flasks, C sabres, D staves, and four Sabaccs each; the talon
# has the strongest six.
ONE_SUIT_EACH = {
    seat: [f"{rank}{suit}" for rank in range(1, 15)]
    + [f"-{number}" for number in range(first, first + 4)]
    for seat, suit, first in (("A", "C", 2), ("B", "F", 6), ("C", "S", 10), ("D", "T", 14))
}
TALON = ["-18", "-19", "-20", "-21", "-1", "0"]
# Four players: A holds the seventeen strongest Sabaccs and one coin, the others what is left of
# suits.
STRONG = ["0", *(f"-{number}" for number in range(21, 5, -1))]


def game(players: int = 4, **options: object) -> State:
    """A game of so many players that has been started under these options."""
    seated = tuple(list(NAMES.items())[:players])
    state = None
    for event in decide(
        StartGame(record="game-1", players=seated, rules=read_rules(options)), None
    ):
        state = evolve(state, event)
    assert state is not None
    return state


def given(*acts: Command, players: int = 4, **options: object) -> State:
    """A game in which all this has happened."""
    return after(game(players, **options), *acts)


def after(state: State, *acts: Command) -> State:
    """The state after these acts."""
    for act in acts:
        for event in decide(act, state):
            state = evolve(state, event)
    return state


def open_hand(state: State) -> Hand:
    """The hand that is being played."""
    assert state.hand is not None
    return state.hand


def when(state: State, act: Command) -> list[Any]:
    """The events an act leads to."""
    return list(decide(act, state))


def dealt(dealer: str | None = None, **more: Any) -> OpenHand:
    """The opening of a hand."""
    return OpenHand(dealer=dealer, **more)


def calls(line: str) -> list[MakeCall]:
    """Calls in their order: `calls("A push, D pass")`."""
    return [
        MakeCall(seat=seat, call=call) for seat, call in (each.split() for each in line.split(","))
    ]


def contract(declarer: str | None, name: str | None = None) -> NameContract:
    """Who declares what, without the calls."""
    return NameContract(declarer=declarer, contract=name)


def deal(holdings: Mapping[str, Sequence[str]]) -> RecordDeal:
    """All holdings."""
    return RecordDeal(holdings=tuple(tuple(cards) for cards in holdings.values()))


def talon(cards: str) -> ShowTalon:
    """The talon."""
    return ShowTalon(cards=tuple(cards.split()))


def aside(cards: str) -> SetAside:
    """What the declarer sets aside."""
    return SetAside(cards=tuple(cards.split()))


def trick(cards: str) -> PlayTrick:
    """A trick in the order played: `trick("2C 5C 9C -3")`."""
    return PlayTrick(cards=tuple(cards.split()))


def points(count: float, bonus: str | None = None, seat: str | None = None) -> CountPoints:
    """The declarer's card points in all, and a bonus."""
    return CountPoints(points=round(count * 2), bonus=bonus, seat=seat)


def accept_hand(*excuses: str) -> AcceptHand:
    """A director's excuse for a hand."""
    return AcceptHand(excuses=excuses, **DIRECTOR)


def accept_play(number: int, seat: str) -> AcceptPlay:
    """A director accepts what a seat played to a trick."""
    return AcceptPlay(trick=number, seat=seat, **DIRECTOR)


def adjust_tricks(source: str | None, target: str | None, number: int) -> AdjustTricks:
    """A director takes and gives tricks."""
    return AdjustTricks(source=source, target=target, tricks=number, **DIRECTOR)


def adjust_points(side: str, count: float) -> AdjustPoints:
    """A director gives or takes card points."""
    return AdjustPoints(side=side, points=round(count * 2), **DIRECTOR)


def move_chips(source: str, target: str, chips: int) -> MoveChips:
    """A director moves chips."""
    return MoveChips(source=source, target=target, chips=chips, **DIRECTOR)


def legal_cards(held: Sequence[str], led: str | None) -> list[str]:
    """What S7 lets somebody play who holds these cards."""
    if led is None:
        return list(held)
    return (
        [card for card in held if SUIT_OF[card] == led]
        or [card for card in held if SUIT_OF[card] == SABACC]
        or list(held)
    )


def play_out(
    holdings: Mapping[str, Sequence[str]],
    dealer: str,
    choose: Callable[[str, list[str]], str] = lambda _, cards: cards[0],
) -> list[list[str]]:
    """The tricks of a whole hand by S7; `choose` picks a card for a seat, by default the first it
    holds.
    """
    left = {seat: list(cards) for seat, cards in holdings.items()}
    leader, tricks = RIGHT[len(left)][dealer], []
    while left[leader]:
        order, cards = ROUND[len(left)][leader], list[str]()
        for seat in order:
            card = choose(seat, legal_cards(left[seat], SUIT_OF[cards[0]] if cards else None))
            left[seat].remove(card)
            cards.append(card)
        tricks.append(cards)
        leader = winner_of(cards, order)
    return tricks


def strong_holdings(own: Sequence[str], *, talon: Sequence[str]) -> dict[str, list[str]]:
    """Holdings of four in which A has `own` and six cards are the `talon`; the others get what is
    left, suit by suit.
    """
    rest = [card for card in CARDS if card not in own and card not in talon]
    return {"A": list(own), "B": rest[:18], "C": rest[18:36], "D": rest[36:]}


def hand(declarer: str | None = "B", name: str | None = "take", **more: Any) -> dict[str, Any]:
    """A hand as a record holds it."""
    return {"declarer": declarer, "contract": name if declarer else None, **more}


def void(**more: Any) -> dict[str, Any]:
    """A hand that nobody bid."""
    return hand(None, None, **more)


def record(
    *hands: dict[str, Any],
    players: int = 4,
    dealer: str = "D",
    ended: dict[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A game as a record; the first hand is dealt by `dealer`."""
    written = [
        {"dealer": dealer, **each} if place == 0 else each for place, each in enumerate(hands)
    ]
    seated = dict(list(NAMES.items())[:players])
    value = {
        "format": "salon-record/1",
        "id": "game-1",
        "game": "contract_sabacc",
        "players": seated,
        "options": options,
        "hands": written,
    }
    return value | ({"ended": ended} if ended else {})


def scored(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What `manage.py score` prints for a game of these hands."""
    read = read_record(record(*hands, **more))
    return read.game.result(decide_record(read)[1])


def chips_of(state: State) -> dict[str, int]:
    """Chips by account, empty accounts left out."""
    return {account: chips for account, chips in state.balances.items() if chips}
