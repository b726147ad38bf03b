"""Openings of hands, in the words of a record: seats, buy-ins, excuses, time and note."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scoring.balances import buy_ins_of
from scoring.commands import AcceptHand, MoveChips
from scoring.errors import NotationError
from scoring.rulings import Rulings, rulings_of
from scoring.shape import JsonObject, a_number, a_text, a_time, by_seat, perhaps
from scoring.trick_states import WrittenHand

# A field beside an act: its hand is opened first, with the dealer and trump due by the rules.
OPENS = "opens"


def read_acts(
    value: Mapping[str, object],
    state: Any,  # noqa: ANN401 - of whichever game
    *,
    read: Callable[[object, Any], object],
    read_opening: Callable[[object, Any], object],
) -> list[object]:
    """The act that a form says; before it the opening of its hand where that is not open yet and
    the form `opens` it. Raises NotationError.
    """
    said = {key: part for key, part in value.items() if key != OPENS}
    act = read(said, state.rules)
    if value.get(OPENS) is not True or state.hand is not None:
        return [act]
    return [read_opening({}, state.rules), act]


def read_dealing(given: Mapping[str, object], seats: Sequence[str], rulings: Rulings) -> JsonObject:
    """Read the fields of every act that deals a hand, its dealer apart: seats, buy-ins,
    excuses, time and note. Raises NotationError.
    """
    return {
        "players": read_sitting(given, seats),
        "buy_ins": tuple(by_seat(given.get("buy_ins", {}), "buy_ins", seats, _read_chips).items()),
        **read_margin(given, rulings.read_all(given)),
    }


def read_sitting(given: Mapping[str, object], seats: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The (seat, player) pairs of those who sit otherwise than in the game. Raises
    NotationError.
    """
    return tuple(by_seat(given.get("players", {}), "players", seats, _read_name).items())


def read_margin(given: Mapping[str, object], rulings: Iterable[object]) -> JsonObject:
    """Read the fields beside every opening: the excuses among its `rulings`, its time and
    note. Raises NotationError.
    """
    return {
        "accepted": tuple(ruling for ruling in rulings if isinstance(ruling, AcceptHand)),
        "at": perhaps(given, "at", a_time),
        "note": perhaps(given, "note", a_text),
    }


def check_only_excuses(rulings: Iterable[object], what: str) -> None:
    """Raise NotationError where a ruling other than `accept_hand` stands."""
    for place, ruling in enumerate(rulings):
        if not isinstance(ruling, AcceptHand):
            raise NotationError(
                "%(what)s has no ruling but accept_hand; give it to the play it is about",
                path=f"rulings[{place}].kind",
                what=what,
            )


def check_counts_for_nothing(rulings: Iterable[object], what: str) -> None:
    """Raise NotationError where a ruling on tricks or points stands in a hand that counts for
    nothing; chips can be moved in any.
    """
    for place, ruling in enumerate(rulings):
        if not isinstance(ruling, AcceptHand | MoveChips):
            raise NotationError(
                "%(what)s has no tricks and no points to rule on; accept_hand and "
                "move_chips can stand there",
                path=f"rulings[{place}].kind",
                what=what,
            )


def write_opening(hand: WrittenHand, rulings: list[JsonObject] | None = None) -> JsonObject:
    """Write the opening of a hand for a record, its dealer apart, with the hand's rulings;
    fields left out are omitted.
    """
    written = {
        "players": dict(hand.players),
        "buy_ins": buy_ins_of(hand),
        "rulings": rulings_of(hand) if rulings is None else rulings,
        "note": hand.note,
        "at": hand.at,
    }
    return {key: value for key, value in written.items() if value}


def _read_name(value: object, path: str) -> str:
    return a_text(value, path, shortest=1, longest=80).strip()


def _read_chips(value: object, path: str) -> int:
    return a_number(value, path, least=1)
