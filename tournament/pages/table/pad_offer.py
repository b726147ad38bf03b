"""The offer of a pad for the cards drafted in its address, the count of the cards
tallied there, and the question right after a hand, to those who did not enter it,
whether it is recorded right.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from scoring.confirmation import CONFIRMED, ENTERED, side_of
from scoring.errors import Refusal
from scoring.shape import JsonMapping, JsonObject
from tournament.accounts.permissions import Permission, Visitor
from tournament.domain.house.confirmation import TAP
from tournament.pages.common.form_values import Problem, plain_value, problem_of
from tournament.queries.confirmation_rows import HandConfirmation, confirmed
from tournament.queries.table import TableGame
from tournament.streams.correction_period import house_of

# Ways to write a hand after which its cards can't be written any more.
WINNERS = "winners"
WITHOUT_CARDS = (WINNERS, "totals")


def build_offer(at: TableGame, cards: Sequence[str]) -> tuple[JsonObject | None, Problem | None]:
    """Return the possible next plays on the cards drafted for the open trick, and the
    reason a card was left out because it can't be played there.

    None if no trick is open.
    """
    if at.table["stage"] != "play":
        return None, None
    kept, problem = list(cards), None
    while True:
        try:
            offer = at.game.offer(at.table, kept)
            return (offer if cards else _fill_last_trick(at, offer)), problem
        except Refusal as refusal:
            problem = problem_of(refusal, at.called)
        except ValueError as unknown:
            problem = Problem(message=str(unknown))
        kept.pop()


def _fill_last_trick(at: TableGame, offer: JsonObject) -> JsonObject:
    """Return the offer of an untouched trick, `filled` if it is the last one and each
    player has one card left that is known.
    """
    if at.table["hand"]["trick"] != at.game.tricks(len(at.players)):
        return offer
    laid = offer
    while laid["seat"] and len(laid["legal"]) == 1:
        laid = at.game.offer(at.table, [*laid["drafted"], *laid["legal"]])
    return offer if laid["seat"] else laid | {"filled": True}


def tally_of(at: TableGame, query: QueryDict) -> dict[str, object] | None:
    """Return the count of the cards in a pad's address (`pile.…`), nothing if they can't
    be read; None in a game without such counts.
    """
    if at.game.tally is None or at.table["stage"] != "play":
        return None
    try:
        return at.game.tally(dict(at.table), plain_value(query).get("pile", {}))
    except Refusal:
        return at.game.tally(dict(at.table), {})


def draft_query(at: TableGame, offer: JsonMapping | None) -> str:
    """The cards drafted for the open trick as the end of an address, so that a look elsewhere on
    the pad doesn't lose them.
    """
    drafted = (offer or {}).get("drafted") or ()
    return f"&trick={at.table['hand']['trick']}&cards={','.join(drafted)}" if drafted else ""


def leaves_cards(at: TableGame, offer: JsonMapping | None, query: QueryDict) -> bool:
    """Whether this address would give up the cards that are written in this hand without saying
    that it is meant (`sure`).
    """
    hand, gives_up = at.table["hand"], query.get("by") in WITHOUT_CARDS and "sure" not in query
    if at.table["stage"] != "play" or not gives_up or not hand.get("by_cards"):
        return False
    return bool(hand.get("plays") or (offer or {}).get("drafted"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """That the tricks which are left are all one side's, and the `fields` of the totals that say
    so; "" where the rules don't take them, or would have to be told more.
    """

    side: str
    fields: str


def claims_of(at: TableGame, query: QueryDict) -> list[Claim]:
    """The claims that end a hand whose winners are written down trick by trick, one for each side
    that plays; none where no winner comes next. Before the first trick none may be made yet.
    """
    hand = at.table["hand"] or {}
    if at.table["stage"] != "play" or query.get("by", WINNERS) != WINNERS:
        return []
    if not {"tricks", "winners"} <= hand.keys():
        return []
    won, played = hand["tricks"], len(hand["winners"])
    left = (at.game.tricks(len(at.players)) or played) - played
    totals = [dict(_fields(form)) for form in at.game.legal_next(at.table).get("totals", ())]
    claims = []
    for side in hand.get("playing") or won:
        counts = {**won, side: won[side] + left}
        said = [form for form in totals if _counts(form) == counts] if played else []
        claims.append(
            Claim(side=side, fields=urlencode(said[0], safe=":") if len(said) == 1 else "")
        )
    return claims


def _fields(form: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    """The fields of a page for a form of totals in which each field has one value."""
    for name, may in form.items():
        match may:
            case {"fields": parts}:
                yield from _fields(parts, f"{name}.")
            case [bool() as flag]:
                yield f"{before}{name}:flag", str(flag).lower()
            case [int() as number]:
                yield f"{before}{name}:number", str(number)


def _counts(fields: Mapping[str, str]) -> dict[str, int]:
    """The tricks of each side in such fields."""
    numbers = ((name.partition(":"), said) for name, said in fields.items())
    return {
        path.rpartition(".")[2]: int(said) for (path, _, kind), said in numbers if kind == "number"
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationPrompt:
    """The confirmations of the hand that closed last, and the `seats` that can still
    confirm it, `by_tap` or by PIN.
    """

    hand: HandConfirmation
    seats: Sequence[str]
    by_tap: bool


def right_of(at: TableGame, visitor: Visitor) -> ConfirmationPrompt | None:
    """None while a hand is open, where nobody else plays, and once the hand is disputed or the game
    final.
    """
    if (
        at.table["hand"] is not None
        or not at.table["hands"]
        or len(at.players) < 2
        or not visitor.may(Permission.CONFIRM)
    ):
        return None
    found = confirmed(at)
    hand = found.hands[-1]
    if found.final or hand.state not in (ENTERED, CONFIRMED):
        return None
    seats = [seat for seat in at.players if side_of(at.game, seat) in hand.waits_for]
    by_tap = bool(seats) and house_of(at.row.salon).confirming == TAP
    return ConfirmationPrompt(hand=hand, seats=seats, by_tap=by_tap)
