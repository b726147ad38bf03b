"""The acts of a patience by the noun they add to, read from plain values (a form's or the
API's).
"""

from collections.abc import Callable, Mapping

from scoring.openings import check_only_excuses
from scoring.patience.cards import FOUNDATIONS, STOCK, read_card
from scoring.patience.commands import (
    BuildCard,
    Command,
    CountLengths,
    EndDeal,
    SetKing,
    TurnWaste,
    WasteCard,
    WasteCards,
)
from scoring.patience.rules import Rules
from scoring.patience.sheet import (
    COUNT_KEYS,
    NO_PASSES,
    OPENING_KEYS,
    RULINGS,
    read_lengths,
    read_opening,
    read_seconds,
)
from scoring.shape import GREATEST, a_number, an_object, one_of, perhaps, required


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
