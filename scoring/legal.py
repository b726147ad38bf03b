"""Acts that may come next, said exactly: the sets of acts that a table takes now, as
plain JSON values.

A game's `legal_next` gives for each collection (`bids`) its *forms*. An act is taken exactly when
it is in one of them: each of its fields is one of the form, in the set that stands there, and none
is missing that may not be left out. A set is

- a list of the values there are; `null` among them says that the field may be left out;
- `{least, most, step}`: numbers from least to most;
- `{cards, ...}`: so many different cards; `of`: only these; `without`: none of these; `with`: these
  among them; `apart_from`: none that stands in these other fields;
- `{run, most, new, ...}` and `{rank, ...}`: so many cards or more in sequence in one suit, so many
  of one rank; no more than `new` of them besides those in `shown`;
- `{fields}`: an object with these fields;
- `{each, unbroken}`: a list with one number of each of these sets; `unbroken`: after a 0 only more
  of them;
- `{pack}`: a list of so many cards in any order, each as often as in `copies` packs;
- `{trick}`: so many cards of which each is offered after those before it (`Game.offer`).

With `optional` a field may be left out. `sums` of a form bind numbers together: the fields of the
act, each times its number, add up to one of `{least, most, step}`; a field that is left out counts
nothing.

A note and a time may stand beside any act that has room for them. Substitutes and a director's
excuse of an opening, too; what it may be then is for the rules to say.
"""

from collections.abc import Callable, Iterable, Mapping

from scoring.errors import Refusal
from scoring.shape import GREATEST, JsonObject

type Form = JsonObject
type LegalNext = dict[str, list[Form]]


def number(
    least: float, most: float = GREATEST, step: float = 1, *, optional: bool = False
) -> Form:
    """The numbers from `least` to `most`."""
    return {"least": least, "most": most, "step": step, **({"optional": True} if optional else {})}


def buy_ins(missing: Mapping[str, int] | None, seats: Iterable[str]) -> Form:
    """Return the form for buy-ins as a hand opens, by seat: at least what is `missing`
    there; no buy-ins if that is None (Chips).
    """
    if missing is None:
        return {"fields": {}, "optional": True}
    bought = {seat: number(missing.get(seat, 1), optional=seat not in missing) for seat in seats}
    return {"fields": bought, "optional": not missing}


def refusal_of[Act, State](
    decide: Callable[[Act, State], object], act: Act, state: State
) -> Refusal | None:
    """Why an act is refused at a state, None where it is taken."""
    try:
        decide(act, state)
    except Refusal as refusal:
        return refusal
    return None


def reasons(refused: Mapping[str, Refusal | None]) -> dict[str, dict[str, str]]:
    """The rule and the reason of each that is refused, as a pad shows them."""
    return {
        name: {"rule": refusal.rule, "message": refusal.message}
        for name, refusal in refused.items()
        if refusal is not None
    }


def without_empty(forms: LegalNext) -> LegalNext:
    """The collections to which something can be added."""
    return {collection: found for collection, found in forms.items() if found}


def refuse_last_cards(
    refused: Mapping[str, object],
    winners: Mapping[str, str],
    refused_takers: Mapping[str, dict[str, str]],
) -> dict[str, dict[str, str]]:
    """The last cards of a hand that would end it as it can't end, with the reason: by whom each
    lets win its trick.
    """
    if not refused_takers:
        return {}
    return {
        card: refused_takers[seat]
        for card, seat in winners.items()
        if seat in refused_takers and card not in refused
    }
