"""Write a Precedence table as a scorer does: given acts, when an act, then events or the
refusal.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from scoring.commands import (
    AcceptHand,
    AcceptPlay,
    AdjustPoints,
    AdjustTricks,
    MoveChips,
    StartGame,
)
from scoring.errors import Refusal
from scoring.precedence.commands import (
    Command,
    CountTricks,
    DeclareMeld,
    MakeBid,
    NameContract,
    OpenHand,
    PlayTrick,
    RecordDeal,
    TakeTrick,
)
from scoring.precedence.decide import decide
from scoring.precedence.evolve import evolve
from scoring.precedence.rules import read_rules
from scoring.precedence.seats import SEATS
from scoring.precedence.state import State
from scoring.records import Record, decide_record, read_record

PLAYERS = {"N": "Asha", "E": "Brin", "S": "Cato", "W": "Dara"}
DIRECTOR = {"by": "Director", "reason": "seen at the table"}
RANKS = "2 3 4 5 6 7 8 9 T O C P E"
# North holds all of Void, East Frontier, South Border, West Core.
ONE_SUIT_EACH = {
    seat: " ".join(rank + suit for rank in RANKS.split())
    for seat, suit in zip(SEATS, "VFBC", strict=True)
}


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


def when(state: State, act: Command) -> list[Any]:
    """The events an act leads to."""
    return list(decide(act, state))


@contextmanager
def refused(code: str, *, rule: str, path: str, says: str) -> Iterator[None]:
    """What is done inside is refused with this code, rule and path, in a message that says this."""
    with pytest.raises(Refusal) as caught:
        yield
    refusal = caught.value
    assert (refusal.code, refusal.rule, refusal.path) == (code, rule, path)
    assert says in refusal.message


def dealt(dealer: str | None = None, trump: str | None = None, **more: Any) -> OpenHand:
    """The opening of a hand."""
    return OpenHand(dealer=dealer, trump=trump, **more)


def meld(seat: str, kind: str, cards: str) -> DeclareMeld:
    """A meld: `meld("E", "run", "2V 3V 4V")`."""
    return DeclareMeld(seat=seat, kind=kind, cards=tuple(cards.split()))


def bids(first: str, *tricks: int) -> list[MakeBid]:
    """Bids clockwise from the `first` bidder."""
    start = SEATS.index(first)
    return [
        MakeBid(seat=SEATS[(start + place) % 4], tricks=each) for place, each in enumerate(tricks)
    ]


def contracts(**tricks: int) -> list[NameContract]:
    """Contracts by side: `contracts(NS=7, EW=5)`."""
    return [NameContract(side=side, tricks=each) for side, each in tricks.items()]


def trick(cards: str) -> PlayTrick:
    """A trick in the order played: `trick("2V 5V 9V EV")`."""
    return PlayTrick(cards=tuple(cards.split()))


def tricks(*lines: str) -> list[PlayTrick]:
    """Some tricks, one a line."""
    return [trick(line) for line in lines]


def winners(seats: str) -> list[TakeTrick]:
    """Tricks of which only the winners are known: `winners("N N E")`."""
    return [TakeTrick(seat=seat) for seat in seats.split()]


def totals(ns: int, ew: int) -> CountTricks:
    """The tricks in all."""
    return CountTricks(ns=ns, ew=ew)


def deal(**holdings: str) -> RecordDeal:
    """All four holdings: `deal(N="2V …", E=…, S=…, W=…)`."""
    return RecordDeal(holdings=tuple(tuple(holdings[seat].split()) for seat in SEATS))


def accept_hand(*excuses: str) -> AcceptHand:
    """A director's excuse for a hand."""
    return AcceptHand(excuses=excuses, **DIRECTOR)


def accept_play(number: int, seat: str) -> AcceptPlay:
    """A director accepts what a seat played to a trick."""
    return AcceptPlay(trick=number, seat=seat, **DIRECTOR)


def adjust_tricks(source: str | None, target: str | None, number: int) -> AdjustTricks:
    """A director takes and gives tricks."""
    return AdjustTricks(source=source, target=target, tricks=number, **DIRECTOR)


def adjust_points(side: str, points: int) -> AdjustPoints:
    """A director gives or takes points."""
    return AdjustPoints(side=side, points=points, **DIRECTOR)


def move_chips(source: str, target: str, chips: int) -> MoveChips:
    """A director moves chips."""
    return MoveChips(source=source, target=target, chips=chips, **DIRECTOR)


def hand(
    ns: int | None = None, *, bid: tuple[int, int, int, int] = (3, 3, 3, 3), **more: Any
) -> dict[str, Any]:
    """A hand as a record holds it, totals only: NS won `ns` tricks; `bid` in the order N E S W."""
    written: dict[str, Any] = {"bids": dict(zip(SEATS, bid, strict=True)), **more}
    return written if ns is None else {**written, "tricks": {"NS": ns, "EW": 13 - ns}}


def record(
    *hands: dict[str, Any], ended: dict[str, Any] | None = None, dealer: str = "N", **options: Any
) -> dict[str, Any]:
    """A game as a record; the first hand is dealt by `dealer`."""
    written = [
        {"dealer": dealer, **each} if place == 0 else each for place, each in enumerate(hands)
    ]
    value: dict[str, Any] = {
        "format": "salon-record/1",
        "id": "game-1",
        "game": "precedence",
        "players": PLAYERS,
    }
    return {**value, "options": options, "hands": written} | ({"ended": ended} if ended else {})


def ruling(kind: str, **fields: Any) -> dict[str, Any]:
    """A ruling as a record holds it; `source` is its `from`."""
    if "source" in fields:
        fields["from"] = fields.pop("source")
    return {"kind": kind, **fields, **DIRECTOR}


def decided(value: dict[str, Any]) -> tuple[Record, list[Any], Any]:
    """A record read and decided: the record, its events and the state they lead to."""
    read = read_record(value)
    return read, *decide_record(read)


def scored(*hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    """What `manage.py score` prints for a game of these hands."""
    read, _, state = decided(record(*hands, **more))
    return read.game.result(state)


def chips_of(state: State) -> dict[str, int]:
    """Chips by account, empty accounts left out."""
    return {account: chips for account, chips in state.balances.items() if chips}
