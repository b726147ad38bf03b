"""Rulings as they stand in a record (Infractions)."""

from collections.abc import Sequence

from scoring.commands import AcceptHand, AcceptPlay, AdjustPoints, AdjustTricks, MoveChips, Ruling
from scoring.errors import NotationError
from scoring.shape import GREATEST, a_list, a_number, a_text, an_object, inside, one_of, required

EXCUSES = ("bad_dealer", "bad_trump", "bad_call", "out_of_turn", "no_chips")
KEYS = {
    "accept_hand": ("excuses",),
    "accept_play": ("trick", "seat"),
    "adjust_tricks": ("from", "to", "tricks"),
    "adjust_points": ("side", "points"),
    "move_chips": ("from", "to", "chips"),
}


def read_ruling(value: object, path: str, *, seats: Sequence[str], sides: Sequence[str], pots: Sequence[str], tricks: int) -> Ruling:
    """A ruling of a game with these seats, sides and pots, and so many tricks a hand. Raises NotationError."""
    kinds = ("kind", "by", "reason", *dict.fromkeys(key for keys in KEYS.values() for key in keys))
    kind = one_of(an_object(value, path, keys=kinds).get("kind"), KEYS, inside(path, "kind"))
    given = an_object(value, path, keys=("kind", "by", "reason", *KEYS[kind]))
    by = a_text(required(given, "by", path), inside(path, "by"), shortest=1, longest=80)
    reason = a_text(required(given, "reason", path), inside(path, "reason"), shortest=1)
    if kind == "accept_hand":
        return AcceptHand(excuses=_excuses(given, path), by=by, reason=reason)
    if kind == "accept_play":
        trick = a_number(required(given, "trick", path), inside(path, "trick"), least=1, most=tricks)
        return AcceptPlay(trick=trick, seat=one_of(given.get("seat"), seats, inside(path, "seat")), by=by, reason=reason)
    if kind == "adjust_points":
        points = a_number(required(given, "points", path), inside(path, "points"))
        return AdjustPoints(side=one_of(given.get("side"), sides, inside(path, "side")), points=points, by=by, reason=reason)
    source, target = (_place(given, key, path, sides if kind == "adjust_tricks" else (*seats, *pots)) for key in ("from", "to"))
    if source == target:
        raise NotationError("from and to are two different places", path=inside(path, "to"))
    if kind == "adjust_tricks":
        count = a_number(required(given, "tricks", path), inside(path, "tricks"), least=1, most=tricks)
        return AdjustTricks(source=source, target=target, tricks=count, by=by, reason=reason)
    chips = a_number(required(given, "chips", path), inside(path, "chips"), least=1, most=GREATEST)
    if source is None or target is None:
        raise NotationError("chips move from a place to a place", path=inside(path, "from" if source is None else "to"))
    return MoveChips(source=source, target=target, chips=chips, by=by, reason=reason)


def _excuses(given: dict[str, object], path: str) -> tuple[str, ...]:
    excuses = a_list(required(given, "excuses", path), inside(path, "excuses"))
    read = [one_of(code, EXCUSES, f"{path}.excuses[{place}]") for place, code in enumerate(excuses)]
    if not read:
        raise NotationError("at least one code is excused", path=inside(path, "excuses"))
    return tuple(dict.fromkeys(read))


def _place(given: dict[str, object], key: str, path: str, places: Sequence[str]) -> str | None:
    return one_of(given[key], places, inside(path, key)) if given.get(key) is not None else None
