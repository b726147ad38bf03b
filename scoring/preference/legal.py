"""Which acts a table of Preference takes next, said exactly (see `scoring.legal`)."""

from collections.abc import Sequence
from operator import itemgetter

from scoring.card_play import Refused, offer_play
from scoring.legal import Form, LegalNext, buy_ins, refuse_last_cards, without_empty
from scoring.preference.cards import CARDS, bits
from scoring.preference.contracts import WITH_WIDOW
from scoring.preference.deals import HOLDING, WIDOW
from scoring.preference.events import CardsDealt
from scoring.preference.state import SEATS, Hand, Play
from scoring.preference.tricks import TRICKS, check_card, reading_of, winner_of
from scoring.shape import JsonObject

SAID = {"": None, "true": True, "false": False}
OUTCOMES = (
    ("along", "along"),
    ("along", "out"),
    ("out", "along"),
    ("along", "insisted"),
    ("insisted", "along"),
    ("out", "out"),
)


def legal_next(table: JsonObject) -> LegalNext:
    """The forms of the acts that may come next, by collection; `table` is what `table()` gave."""
    stage, hand = table["stage"], table["hand"]
    if stage == "over":
        return {}
    if stage == "opening":
        return {"hands": [_opening(table)]}
    deals = [] if hand["written"] or hand["winners"] else _deals(hand)
    if stage in ("auction", "contract"):
        return without_empty({**_list_calls(hand), "deals": deals})
    if stage == "defence":
        return without_empty(
            {
                "deals": deals,
                "defences": [_defence(hand["defenders"], outcome) for outcome in OUTCOMES],
            }
        )
    takers = [seat for seat in hand["playing"] if seat not in hand["refused_takers"]]
    return without_empty(
        {
            "deals": deals,
            "tricks": [{"cards": {"trick": len(hand["playing"])}}]
            if hand["by_cards"] and takers
            else [],
            "winners": [{"seat": takers}] if takers else [],
            "totals": _totals(hand),
        }
    )


def _opening(table: JsonObject) -> Form:
    dealer = table["next"]["dealer"]
    return {
        "dealer": [dealer, None] if dealer else [*SEATS],
        "buy_ins": buy_ins(table["missing"], SEATS),
    }


def _list_calls(hand: JsonObject) -> LegalNext:
    return {
        "calls": [{"seat": [seat], "call": calls} for seat, calls in hand["may_call"].items()],
        "contracts": [
            {"soloist": [seat], "contract": contracts}
            for seat, contracts in hand["may_name"].items()
        ],
        "throw-ins": [{}] if {*hand["may_name"]} == {*SEATS} else [],  # no call binds
    }


def _defence(defenders: list[str], outcome: tuple[str, str]) -> Form:
    """One outcome; who isn't named goes along (R9)."""
    return {
        seat: ["along", None] if choice == "along" else [choice]
        for seat, choice in zip(defenders, outcome, strict=True)
    }


def _deals(hand: JsonObject) -> list[Form]:
    """List the forms for writing down the deal: the holdings, the widow, the discards of a
    soloist with the widow, or some of it (R3, R5).
    """
    places = ("deal.A", "deal.B", "deal.C", "widow")
    holdings = {
        seat: {"cards": HOLDING, "apart_from": [each for each in places if each != f"deal.{seat}"]}
        for seat in SEATS
    }
    known: Form = {
        "deal": {"fields": holdings},
        "widow": {"cards": WIDOW, "apart_from": [*places[:3]]},
    }
    if hand["contract"] in WITH_WIDOW:
        known["discards"] = {
            "cards": WIDOW,
            "apart_from": [f"deal.{seat}" for seat in hand["defenders"]],
        }
    return [
        {first: known[first]}
        | {each: known[each] | {"optional": True} for each in [*known][place:]}
        for place, first in enumerate(known, start=1)
    ]


def _totals(hand: JsonObject) -> list[Form]:
    """Every count of the tricks in all; in `no_trump` with what is said of six in
    succession (R13).
    """
    solo, (first, second) = hand["soloist"], hand["defenders"]
    counts = (
        (said, {solo: tricks, first: mine, second: TRICKS - tricks - mine})
        for said, rows in hand["totals"].items()
        for tricks, beside in enumerate(rows)
        for mine in beside
    )
    return [
        {
            "tricks": {"fields": {seat: [tricks[seat]] for seat in SEATS}},
            "in_succession": [SAID[said]],
        }
        for said, tricks in counts
    ]


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """Return what may come next on the cards `drafted`, in the shape that `offer_play`
    gives; `table` is what `table()` gave, in stage `play`.
    """
    hand = _hand(table["hand"])
    order = hand.play.order

    def check(lying: tuple[str, ...], card: str) -> None:
        place, read = len(lying), reading_of(hand, order, (*lying, card))
        duties = ((*lying, card)[0], read.best[place], read.denied[place])
        check_card(hand, order[place], card, duties, hand.play.played | bits(lying), "")

    def winner(lying: tuple[str, ...]) -> str:
        return winner_of(hand, order, lying)

    def find_blocked_ends(refused: Refused, lying: tuple[str, ...]) -> Refused:
        return refuse_last_cards(
            refused,
            {card: winner((*lying, card)) for card in CARDS},
            table["hand"]["refused_takers"],
        )

    return offer_play(
        order,
        drafted,
        CARDS,
        check=check,
        winner_of=winner,
        suit_of=itemgetter(1),
        unended=find_blocked_ends,
    )


def _hand(hand: JsonObject) -> Hand:
    """As much of the open hand as the duties of a card need."""
    cards = hand["cards"]
    play = Play(
        order=tuple(cards["order"]),
        cards=tuple(tuple(trick) for trick in hand["plays"]),
        winners=tuple(hand["winners"]),
        played=cards["played"],
        held=tuple(cards["held"]),
        denied=tuple(cards["denied"]),
        spare=tuple(cards["spare"]),
    )
    return Hand(
        play=play,
        moves=(),
        number=hand["number"],
        dealer=hand["dealer"],
        accounts={},
        players=(),
        soloist=hand["soloist"],
        contract=hand["contract"],
        defence=hand["defence"],
        deal=CardsDealt(holdings=tuple(map(tuple, hand["dealt"])))
        if hand["dealt"] is not None
        else None,
        accepted=frozenset((trick, seat) for trick, seat in hand["accepted"]),
    )
