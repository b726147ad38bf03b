"""Write a Preference table as a scorer does: given acts, when an act, then events or the
refusal.
"""

from typing import Any

from scoring.commands import AcceptHand, AcceptPlay, AdjustTricks, MoveChips, StartGame
from scoring.preference.commands import (
    ChooseDefence,
    Command,
    CountTricks,
    MakeCall,
    NameContract,
    OpenHand,
    PlayTrick,
    RecordDeal,
    TakeTrick,
)
from scoring.preference.decide import decide
from scoring.preference.evolve import evolve
from scoring.preference.rules import read_rules
from scoring.preference.state import Hand, State
from scoring.records import decide_record, read_record
from tests.scoring.table import DIRECTOR, refused

__all__ = ["refused"]

PLAYERS = {"A": "Asha", "B": "Brin", "C": "Cato"}


def game(**options: object) -> State:
    """A game that has been started under these options."""
    start = StartGame(record="game-1", players=tuple(PLAYERS.items()), rules=read_rules(options))
    state = None
    for event in decide(start, None):
        state = evolve(state, event)
    assert state is not None
    return state


def given(*acts: Command, **options: object) -> State:
    """A game in which all this has happened."""
    return after(game(**options), *acts)


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


def calls(text: str) -> list[MakeCall]:
    """Calls in turn: `calls("B one, C two, B hold, C pass")`."""
    return [MakeCall(seat=call.split()[0], call=call.split()[1]) for call in text.split(", ")]


def plays(soloist: str, contract: str) -> NameContract:
    """The soloist names a contract."""
    return NameContract(soloist=soloist, contract=contract)


def defence(**choices: str) -> ChooseDefence:
    """What the defenders do: `defence(B="along", C="out")`."""
    return ChooseDefence(choices=tuple(choices.items()))


def trick(cards: str) -> PlayTrick:
    """A trick in the order played."""
    return PlayTrick(cards=tuple(cards.split()))


def winners(seats: str) -> list[TakeTrick]:
    """Tricks of which only the winners are known."""
    return [TakeTrick(seat=seat) for seat in seats.split()]


def totals(a: int, b: int, c: int, in_succession: bool | None = None) -> CountTricks:
    """The tricks in all."""
    return CountTricks(tricks=(a, b, c), in_succession=in_succession)


def deal(a: str, b: str, c: str, widow: str = "", discards: str = "") -> RecordDeal:
    """Three holdings, the widow and the discards."""
    return RecordDeal(
        holdings=tuple(tuple(cards.split()) for cards in (a, b, c)),
        widow=tuple(widow.split()),
        discards=tuple(discards.split()),
    )


def accept_hand(*excuses: str) -> AcceptHand:
    """A director's excuse for a hand."""
    return AcceptHand(excuses=excuses, **DIRECTOR)


def accept_play(number: int, seat: str) -> AcceptPlay:
    """A director accepts what a seat played to a trick."""
    return AcceptPlay(trick=number, seat=seat, **DIRECTOR)


def adjust_tricks(source: str | None, target: str | None, number: int) -> AdjustTricks:
    """A director takes and gives tricks."""
    return AdjustTricks(source=source, target=target, tricks=number, **DIRECTOR)


def move_chips(source: str, target: str, chips: int) -> MoveChips:
    """A director moves chips."""
    return MoveChips(source=source, target=target, chips=chips, **DIRECTOR)


def ready(soloist: str, contract: str, *, dealer: str = "C", **choices: str) -> list[Command]:
    """A hand up to its first trick, the calls not written down; every defender along but for
    `choices`.
    """
    others = {seat: choices.get(seat, "along") for seat in "ABC" if seat != soloist}
    named: list[Command] = [dealt(dealer), plays(soloist, contract)]
    return named if contract.startswith("misere") else [*named, defence(**others)]


def hand(
    soloist: str | None, contract: str | None = None, tricks: str = "", **more: Any
) -> dict[str, Any]:
    """A hand of a record; `tricks` of A, B and C with spaces between."""
    value: dict[str, Any] = {"soloist": soloist, "contract": contract}
    if tricks:
        value["tricks"] = dict(zip("ABC", map(int, tricks.split()), strict=True))
    return value | more


def record(*hands: dict[str, Any], dealer: str | None = "C", **options: Any) -> dict[str, Any]:
    """A record of these hands; the first is dealt by `dealer`."""
    first = {"dealer": dealer} if dealer else {}
    return {
        "format": "salon-record/1",
        "id": "game-1",
        "game": "preference",
        "players": PLAYERS,
        "options": options,
        "hands": [{**first, **each} if place == 0 else each for place, each in enumerate(hands)],
    }


def scored(*hands: dict[str, Any], **options: Any) -> dict[str, Any]:
    """What `score` prints for a game of these hands."""
    read = read_record(record(*hands, **options))
    return read.game.result(decide_record(read)[1])
