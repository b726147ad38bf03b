"""What a patience is read from: acts by the noun they add to, from plain values (a form's or the
API's), and a whole deal as it was written down in a record or a form (salon-record/1).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scoring.commands import AcceptHand, AdjustPoints, Ruling
from scoring.errors import NotationError, sentence
from scoring.openings import check_only_excuses, read_margin, read_sitting
from scoring.patience.commands import (
    BuildCard,
    Command,
    CountLengths,
    EndDeal,
    Move,
    OpenHand,
    SetKing,
    TurnWaste,
    WasteCard,
    WasteCards,
)
from scoring.patience.deal import CODES, FOUNDATIONS, SEATS, STOCK, read_card
from scoring.patience.rules import Rules
from scoring.rulings import Rulings
from scoring.shape import (
    GREATEST,
    JsonObject,
    a_list,
    a_list_of_codes,
    a_number,
    an_object,
    one_of,
    perhaps,
    required,
)

OPENING_KEYS = ("players", "stock", "rulings", "note", "at")
COUNT_KEYS = ("built", "passes", "seconds")
NO_PASSES = sentence("the passes are missing here")
KEYS = (*OPENING_KEYS, "moves", *COUNT_KEYS)

# The moves as a record writes them.
MOVES: dict[str, Move] = {
    **{str(number): BuildCard(foundation=number) for number in range(1, FOUNDATIONS + 1)},
    **{
        f"w{number}": BuildCard(foundation=number, waste=True)
        for number in range(1, FOUNDATIONS + 1)
    },
    "-": WasteCard(),
    "turn": TurnWaste(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One deal as written down; what wasn't written is None. `moves` are as a record writes
    them.
    """

    opening: OpenHand
    rulings: tuple[AdjustPoints, ...] = ()
    moves: tuple[str, ...] | None = None
    lengths: tuple[int, ...] | None = None
    passes: int | None = None
    seconds: int | None = None

    @property
    def count(self) -> CountLengths | None:
        """The lengths and passes as an act, None where they aren't both given."""
        if self.lengths is None or self.passes is None:
            return None
        return CountLengths(lengths=self.lengths, passes=self.passes, seconds=self.seconds)


def read_sheet(value: object, rules: Rules) -> Sheet:
    """Read one hand of a record. Raises NotationError with the path inside the hand."""
    given = an_object(value, "", keys=KEYS)
    opening = read_opening(given)
    if "moves" in given and not opening.stock:
        required(given, "stock", "")
    if "moves" not in given and "built" not in given:
        raise NotationError(
            "how the deal went is missing here: moves, or built and passes", path="built", rule="O6"
        )
    if "moves" not in given:
        required(given, "passes", "", missing=NO_PASSES)
    return Sheet(
        opening=opening,
        rulings=tuple(ruling for ruling in RULINGS.read(given) if isinstance(ruling, AdjustPoints)),
        moves=perhaps(given, "moves", _read_moves),
        lengths=perhaps(given, "built", read_lengths),
        passes=perhaps(given, "passes", a_number),
        seconds=read_seconds(given),
    )


def read_opening(given: Mapping[str, object]) -> OpenHand:
    """What a deal's opening says: who plays, the order of the stock, excuses. Raises
    NotationError.
    """
    return OpenHand(
        players=read_sitting(given, SEATS),
        stock=perhaps(given, "stock", _read_stock) or (),
        **read_margin(given, RULINGS.read(given)),
    )


def read_lengths(value: object, path: str) -> tuple[int, ...]:
    """The lengths of the eight foundations from the left. Raises NotationError; whether they can be
    is for the rules.
    """
    lengths = a_list(value, path)
    if len(lengths) != FOUNDATIONS:
        raise NotationError(
            "%(foundations)s lengths are expected here, one a foundation, not %(lengths)s",
            path=path,
            foundations=FOUNDATIONS,
            lengths=len(lengths),
        )
    return tuple(a_number(length, f"{path}[{place}]") for place, length in enumerate(lengths))


def read_seconds(given: Mapping[str, object]) -> int | None:
    """How long a deal took, None where it wasn't measured. Raises NotationError."""
    return a_number(given["seconds"], "seconds", least=0) if "seconds" in given else None


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
    return a_list_of_codes(value, path, CODES, read_card)


def _read_moves(value: object, path: str) -> tuple[str, ...]:
    return a_list_of_codes(value, path, MOVES, _read_move)


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


def completed(value: JsonObject, recorded: JsonObject) -> JsonObject:
    """What a corrected sheet says, with the stock as it was recorded, and the moves where no
    lengths are said.
    """
    stock = {key: recorded[key] for key in ("stock",) if key in recorded}
    if "moves" not in recorded or {"moves", "built"} & value.keys():
        return stock | value
    return (
        stock
        | {key: part for key, part in value.items() if key != "passes"}
        | {"moves": recorded["moves"]}
    )


def _hand(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=OPENING_KEYS)
    check_only_excuses(RULINGS.read(given), "an opening")
    return read_opening(given)


def _king(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("card",))
    return SetKing(card=read_card(required(given, "card", ""), "card"))


def _build(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("foundation", "card", "from"))
    source = one_of(given.get("from", "stock"), ("stock", "waste"), "from")
    foundation = a_number(
        required(given, "foundation", ""), "foundation", least=1, most=FOUNDATIONS
    )
    return BuildCard(foundation=foundation, card=_card(given), waste=source == "waste")


def _waste(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("card", "cards"))
    if "cards" in given:
        return WasteCards(cards=a_number(given["cards"], "cards", least=1, most=STOCK))
    return WasteCard(card=_card(given))


def _turn(value: object, rules: Rules) -> Command:
    an_object(value, "", keys=())
    return TurnWaste()


def _end(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=("minutes", "seconds"))
    minutes = a_number(given.get("minutes", 0), "minutes", least=0, most=GREATEST // 60)
    seconds = read_seconds(given)
    return EndDeal(
        seconds=None
        if seconds is None and "minutes" not in given
        else 60 * minutes + (seconds or 0)
    )


def _totals(value: object, rules: Rules) -> Command:
    given = an_object(value, "", keys=COUNT_KEYS)
    lengths = read_lengths(required(given, "built", ""), "built")
    return CountLengths(
        lengths=lengths,
        passes=a_number(required(given, "passes", "", missing=NO_PASSES), "passes"),
        seconds=read_seconds(given),
    )


def _card(given: Mapping[str, object]) -> str | None:
    return perhaps(given, "card", read_card)


# The collection an act is posted to, and how it is read; each raises NotationError.
ACTS: dict[str, Callable[[object, Rules], Command]] = {
    "hands": _hand,
    "kings": _king,
    "builds": _build,
    "wastes": _waste,
    "turns": _turn,
    "ends": _end,
    "totals": _totals,
}
