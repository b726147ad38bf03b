"""Rulings as they stand in a record (Infractions)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring import events
from scoring.balances import PaidHand, seats_of
from scoring.commands import AcceptHand, AcceptPlay, AdjustPoints, AdjustTricks, MoveChips, Ruling
from scoring.errors import NotationError
from scoring.shape import (
    GREATEST,
    JsonObject,
    a_list,
    a_number,
    a_text,
    an_object,
    each_under,
    inside,
    one_of,
    required,
)

# What `accept_play` excuses.
FOLLOWING = ("revoke", "must_play_declared", "must_head", "must_trump")
# No error code, and no director's to excuse: totals that were taken before their rule was asked.
UNWEIGHED = "unweighed"
EXCUSES = ("bad_dealer", "bad_trump", "bad_call", "out_of_turn", "no_chips")
KEYS = {
    "accept_hand": ("excuses",),
    "accept_play": ("trick", "seat"),
    "adjust_tricks": ("from", "to", "tricks"),
    "adjust_points": ("side", "points"),
    "move_chips": ("from", "to", "chips"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulings:
    """Rulings that a director can make in a hand of a game: their kinds, and whom and what
    they are about.

    Chips may move from and to the `pots`, a hand has at most so many `tricks`. `read_points` reads
    the points of an adjustment, where a game writes others than whole ones.
    """

    kinds: tuple[str, ...]
    seats: Sequence[str]
    sides: Sequence[str]
    pots: tuple[str, ...]
    tricks: int
    read_points: Callable[[object, str], int] = a_number

    def read_all(self, given: Mapping[str, object]) -> tuple[Ruling, ...]:
        """The rulings of a hand in the order given. Raises NotationError."""
        return each_under(given, "rulings", self.read_one)

    def read_one(self, value: object, path: str) -> Ruling:
        """One ruling. Raises NotationError."""
        return _read_ruling(value, path, self)


def _read_ruling(value: object, path: str, limits: Rulings) -> Ruling:
    kinds = ("kind", "by", "reason", *dict.fromkeys(key for keys in KEYS.values() for key in keys))
    kind = one_of(an_object(value, path, keys=kinds).get("kind"), KEYS, inside(path, "kind"))
    given = an_object(value, path, keys=("kind", "by", "reason", *KEYS[kind]))
    signed = {
        "by": a_text(required(given, "by", path), inside(path, "by"), shortest=1, longest=80),
        "reason": a_text(required(given, "reason", path), inside(path, "reason"), shortest=1),
    }

    def one(key: str, allowed: Sequence[str]) -> str:
        return one_of(given.get(key), allowed, inside(path, key))

    def count(key: str, most: int) -> int:
        return a_number(required(given, key, path), inside(path, key), least=1, most=most)

    if kind == "accept_hand":
        return AcceptHand(excuses=_excuses(given, path), **signed)
    if kind == "accept_play":
        trick = count("trick", limits.tricks)
        return AcceptPlay(trick=trick, seat=one("seat", limits.seats), **signed)
    if kind == "adjust_points":
        points = limits.read_points(required(given, "points", path), inside(path, "points"))
        return AdjustPoints(points=points, side=one("side", limits.sides), **signed)
    places = limits.sides if kind == "adjust_tricks" else (*limits.seats, *limits.pots)
    source, target = (_place(given, key, path, places) for key in ("from", "to"))
    if source == target:
        raise NotationError("from and to are two different places", path=inside(path, "to"))
    if kind == "adjust_tricks":
        tricks = count("tricks", limits.tricks)
        return AdjustTricks(source=source, target=target, tricks=tricks, **signed)
    chips = count("chips", GREATEST)
    if source is None or target is None:
        missing = inside(path, "from" if source is None else "to")
        raise NotationError("chips move from a place to a place", path=missing)
    return MoveChips(source=source, target=target, chips=chips, **signed)


def _excuses(given: dict[str, object], path: str) -> tuple[str, ...]:
    excuses = a_list(required(given, "excuses", path), inside(path, "excuses"))
    read = [one_of(code, EXCUSES, f"{path}.excuses[{place}]") for place, code in enumerate(excuses)]
    if not read:
        raise NotationError("at least one code is excused", path=inside(path, "excuses"))
    return tuple(dict.fromkeys(read))


def _place(given: dict[str, object], key: str, path: str, places: Sequence[str]) -> str | None:
    return one_of(given[key], places, inside(path, key)) if given.get(key) is not None else None


def write_rulings(
    rulings: Iterable[object], moves: Iterable[events.ChipsMoved], seats: Mapping[str, str]
) -> list[JsonObject]:
    """The rulings of a hand as a record holds them, points as the events have them.

    `moves` are the chips that rulings moved, in their order; `seats` give the seat of each account.
    """
    left = iter(moves)
    return [
        _write_ruling(ruling, next(left) if isinstance(ruling, events.ChipsRuled) else None, seats)
        for ruling in rulings
    ]


class RuledHand(PaidHand, Protocol):
    """A hand that moves chips, and what was ruled in it."""

    @property
    def rulings(self) -> Sequence[object]: ...


def rulings_of(hand: RuledHand) -> list[JsonObject]:
    """The rulings of a hand that moves chips, as a record holds them, points as the events have
    them.
    """
    return write_rulings(
        hand.rulings, (move for move in hand.moves if move.why == "ruling"), seats_of(hand)
    )


def explained(result: JsonObject, why: JsonObject, rulings: list[JsonObject]) -> JsonObject:
    """A closed hand's part of the result, with its explanation, as `Game.hand_results` has it."""
    return {"result": result, "why": why, **rulings_field(rulings)}


def rulings_field(rulings: list[JsonObject]) -> dict[str, list[JsonObject]]:
    """Rulings beside what they are about, as a JSON value; nothing where none was given."""
    return {"rulings": rulings} if rulings else {}


def _write_ruling(
    ruling: object, move: events.ChipsMoved | None, seats: Mapping[str, str]
) -> JsonObject:
    match ruling:
        case events.HandExcused():
            value: JsonObject = {"kind": "accept_hand", "excuses": list(ruling.excuses)}
        case events.PlayAccepted():
            value = {"kind": "accept_play", "trick": ruling.trick, "seat": ruling.seat}
        case events.TricksAdjusted():
            ends = {"from": ruling.source, "to": ruling.target}
            value = {
                "kind": "adjust_tricks",
                **{key: end for key, end in ends.items() if end},
                "tricks": ruling.tricks,
            }
        case events.PointsAdjusted():
            value = {"kind": "adjust_points", "side": ruling.side, "points": ruling.points}
        case _:
            assert move is not None
            places = {
                "from": seats.get(move.source, move.source),
                "to": seats.get(move.target, move.target),
            }
            value = {"kind": "move_chips", **places, "chips": move.chips}
    return {**value, "by": getattr(ruling, "by"), "reason": getattr(ruling, "reason")}  # noqa: B009 - every ruling has both
