"""Readers for a patience: acts by the noun they add to, from plain values (a form's or
the API's), and a whole deal as it was written down in a record or a form
(salon-record/1).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring import shape
from scoring.commands import AcceptHand, AdjustPoints, Ruling
from scoring.errors import NotationError, sentence
from scoring.openings import check_only_excuses, read_margin, read_sitting
from scoring.patience import commands
from scoring.patience.deal import CODES, FOUNDATIONS, SEATS, STOCK, read_card
from scoring.patience.rules import Rules
from scoring.rulings import Rulings

OPENING_KEYS = ("players", "stock", "rulings", "note", "at")
COUNT_KEYS = ("built", "passes", "seconds")
NO_PASSES = sentence("the passes are missing here")
KEYS = (*OPENING_KEYS, "moves", *COUNT_KEYS)

# The moves as a record writes them.
MOVES: dict[str, commands.Move] = {
    **{str(number): commands.BuildCard(foundation=number) for number in range(1, FOUNDATIONS + 1)},
    **{
        f"w{number}": commands.BuildCard(foundation=number, waste=True)
        for number in range(1, FOUNDATIONS + 1)
    },
    "-": commands.WasteCard(),
    "turn": commands.TurnWaste(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One deal as written down; what wasn't written is None. `moves` are as a record writes
    them.
    """

    opening: commands.OpenHand
    rulings: tuple[AdjustPoints, ...] = ()
    moves: tuple[str, ...] | None = None
    lengths: tuple[int, ...] | None = None
    passes: int | None = None
    seconds: int | None = None

    @property
    def count(self) -> commands.CountLengths | None:
        """The lengths and passes as an act, None where they aren't both given."""
        if self.lengths is None or self.passes is None:
            return None
        return commands.CountLengths(lengths=self.lengths, passes=self.passes, seconds=self.seconds)


def read_sheet(value: object, rules: Rules) -> Sheet:
    """Read one hand of a record. Raises NotationError with the path inside the hand."""
    given = shape.an_object(value, "", keys=KEYS)
    opening = read_opening(given)
    if "moves" in given and not opening.stock:
        shape.required(given, "stock", "")
    if "moves" not in given and "built" not in given:
        raise NotationError(
            "how the deal went is missing here: moves, or built and passes", path="built", rule="O6"
        )
    if "moves" not in given:
        shape.required(given, "passes", "", missing=NO_PASSES)
    return Sheet(
        opening=opening,
        rulings=tuple(
            ruling for ruling in RULINGS.read_all(given) if isinstance(ruling, AdjustPoints)
        ),
        moves=shape.perhaps(given, "moves", _read_moves),
        lengths=shape.perhaps(given, "built", read_lengths),
        passes=shape.perhaps(given, "passes", shape.a_number),
        seconds=read_seconds(given),
    )


def read_opening(given: Mapping[str, object]) -> commands.OpenHand:
    """Read a deal's opening: the player, the order of the stock, excuses. Raises
    NotationError.
    """
    return commands.OpenHand(
        players=read_sitting(given, SEATS),
        stock=shape.perhaps(given, "stock", _read_stock) or (),
        **read_margin(given, RULINGS.read_all(given)),
    )


def read_lengths(value: object, path: str) -> tuple[int, ...]:
    """The lengths of the eight foundations from the left. Raises NotationError; whether they can be
    is for the rules.
    """
    lengths = shape.a_list(value, path)
    if len(lengths) != FOUNDATIONS:
        raise NotationError(
            "%(foundations)s lengths are expected here, one a foundation, not %(lengths)s",
            path=path,
            foundations=FOUNDATIONS,
            lengths=len(lengths),
        )
    return tuple(shape.a_number(length, f"{path}[{place}]") for place, length in enumerate(lengths))


def read_seconds(given: Mapping[str, object]) -> int | None:
    """Read the time a deal took, in seconds; None if it wasn't measured. Raises
    NotationError.
    """
    return shape.a_number(given["seconds"], "seconds", least=0) if "seconds" in given else None


class DealRulings(Rulings):
    """The rulings of a deal, which has no tricks and no chips to rule on."""

    __slots__ = ()

    def read_one(self, value: object, path: str) -> Ruling:
        """One ruling. Raises NotationError for one about tricks or chips."""
        ruling = super().read_one(value, path)
        if not isinstance(ruling, AcceptHand | AdjustPoints):
            message = sentence(
                "a patience has no tricks and no chips; a ruling is accept_hand or adjust_points"
            )
            raise NotationError(message, path=f"{path}.kind")
        return ruling


RULINGS = DealRulings(kinds=("adjust_points",), seats=SEATS, sides=SEATS, pots=(), tricks=1)


def _read_stock(value: object, path: str) -> tuple[str, ...]:
    return shape.a_list_of_codes(value, path, CODES, read_card)


def _read_moves(value: object, path: str) -> tuple[str, ...]:
    return shape.a_list_of_codes(value, path, MOVES, _read_move)


def _read_move(move: object, path: str) -> str:
    if isinstance(move, str) and move in MOVES:
        return move
    shown = f'"{move[:24]}" is no move' if isinstance(move, str) else "this is no move"
    message = sentence(
        (
            '%(shown)s; a move is "3" (the next card to foundation 3), "-" (to the waste), '
            '"w3" (from the waste) or "turn"'
        ),
        shown=shown,
    )
    raise NotationError(message, path=path)


def complete_sheet(value: shape.JsonObject, recorded: shape.JsonObject) -> shape.JsonObject:
    """Complete a corrected sheet with the stock as it was recorded, and with the moves if
    it gives no lengths.
    """
    stock = {key: recorded[key] for key in ("stock",) if key in recorded}
    if "moves" not in recorded or {"moves", "built"} & value.keys():
        return stock | value
    return (
        stock
        | {key: part for key, part in value.items() if key != "passes"}
        | {"moves": recorded["moves"]}
    )


def _hand(value: object, rules: Rules) -> commands.Command:
    given = shape.an_object(value, "", keys=OPENING_KEYS)
    check_only_excuses(RULINGS.read_all(given), "an opening")
    return read_opening(given)


def _king(value: object, rules: Rules) -> commands.Command:
    given = shape.an_object(value, "", keys=("card",))
    return commands.SetKing(card=read_card(shape.required(given, "card", ""), "card"))


def _build(value: object, rules: Rules) -> commands.Command:
    given = shape.an_object(value, "", keys=("foundation", "card", "from"))
    source = shape.one_of(given.get("from", "stock"), ("stock", "waste"), "from")
    foundation = shape.a_number(
        shape.required(given, "foundation", ""), "foundation", least=1, most=FOUNDATIONS
    )
    return commands.BuildCard(foundation=foundation, card=_card(given), waste=source == "waste")


def _waste(value: object, rules: Rules) -> commands.Command:
    given = shape.an_object(value, "", keys=("card", "cards"))
    if "cards" in given:
        return commands.WasteCards(
            cards=shape.a_number(given["cards"], "cards", least=1, most=STOCK)
        )
    return commands.WasteCard(card=_card(given))


def _turn(value: object, rules: Rules) -> commands.Command:
    shape.an_object(value, "", keys=())
    return commands.TurnWaste()


def _end(value: object, rules: Rules) -> commands.Command:
    given = shape.an_object(value, "", keys=("minutes", "seconds"))
    minutes = shape.a_number(given.get("minutes", 0), "minutes", least=0, most=shape.GREATEST // 60)
    seconds = read_seconds(given)
    return commands.EndDeal(
        seconds=None
        if seconds is None and "minutes" not in given
        else 60 * minutes + (seconds or 0)
    )


def _totals(value: object, rules: Rules) -> commands.Command:
    given = shape.an_object(value, "", keys=COUNT_KEYS)
    lengths = read_lengths(shape.required(given, "built", ""), "built")
    return commands.CountLengths(
        lengths=lengths,
        passes=shape.a_number(shape.required(given, "passes", "", missing=NO_PASSES), "passes"),
        seconds=read_seconds(given),
    )


def _card(given: Mapping[str, object]) -> str | None:
    return shape.perhaps(given, "card", read_card)


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], commands.Command]] = {
    "hands": _hand,
    "kings": _king,
    "builds": _build,
    "wastes": _waste,
    "turns": _turn,
    "ends": _end,
    "totals": _totals,
}
