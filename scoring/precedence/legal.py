"""Which acts a table of Precedence takes next, said exactly (see `scoring.legal`)."""

from collections.abc import Sequence
from operator import itemgetter

from scoring.card_play import Refused, offer_play
from scoring.legal import Form, LegalNext, buy_ins, number, refuse_last_cards, without_empty
from scoring.precedence.cards import CARDS, PLACE, RANKS, SUITS, bits, cards_of
from scoring.precedence.melds import HOLDING, KINDS, SET_SIZES, SHORTEST_RUN
from scoring.precedence.seats import ROUND, SEATS
from scoring.precedence.state import Play
from scoring.precedence.tricks import TRICKS, check_following, check_possible, winner_of
from scoring.shape import JsonObject


def legal_next(table: JsonObject) -> LegalNext:
    """The forms of the acts that may come next, by collection; `table` is what `table()` gave."""
    if table["stage"] == "over":
        return {}
    if table["stage"] == "opening":
        return {"hands": [_opening(table) | {"misdeal": [False, None]}, _misdealt(table)]}
    hand = table["hand"]
    legal: LegalNext = {"misdeals": [{}]}
    legal["deals"] = [] if hand["dealt"] or hand["winners"] else [_deal(hand["melds"])]
    if table["stage"] == "bids":
        legal["bids"] = [
            {"seat": [seat], "tricks": number(0, most)} for seat, most in hand["may_bid"].items()
        ]
        legal["contracts"] = [
            {"side": [side], "tricks": number(0, most)}
            for side, most in hand.get("may_name", {}).items()
        ]
        legal["melds"] = [
            _meld(seat, kind, hand, overlap=table["meld_overlap"])
            for seat in hand["may_meld"]
            for kind in KINDS
        ]
        return without_empty(legal)
    if not hand["trump"]:
        return without_empty(legal)
    takers = [seat for seat in SEATS if seat not in hand["refused_takers"]]
    legal["tricks"] = [{"cards": {"trick": len(SEATS)}}] if hand["by_cards"] and takers else []
    legal["winners"] = [{"seat": takers}] if takers else []
    legal["totals"] = [{"NS": [ns], "EW": [TRICKS - ns]} for ns in hand["totals"]]
    return without_empty(legal)


def _opening(table: JsonObject) -> Form:
    dealer, trump = table["next"]["dealer"], table["next"]["trump"]
    return {
        "dealer": [dealer, None] if dealer else [*SEATS],
        "trump": [trump, None] if trump else [*SUITS],
        "buy_ins": buy_ins(table["missing"], SEATS),
    }


def _misdealt(table: JsonObject) -> Form:
    """The opening of a hand that was seen to be misdealt: no trump needs to be named (P25)."""
    trump = table["next"]["trump"]
    return {
        **_opening(table),
        "trump": [trump, None] if trump else [*SUITS, None],
        "misdeal": [True],
    }


def _meld(seat: str, kind: str, hand: JsonObject, *, overlap: bool) -> Form:
    """The melds of one kind that a seat may show beside those that are shown (P6, P7, P9, P10), of
    its own cards where they are known.
    """
    melds = hand["melds"]
    mine = [meld for meld in melds if meld["seat"] == seat]
    taken = {card for meld in melds for card in meld["cards"] if meld["seat"] != seat}
    taken |= {
        card
        for meld in mine
        for card in meld["cards"]
        if not overlap or (meld["kind"] == "run") == (kind == "run")
    }
    shown = {card for meld in mine for card in meld["cards"]}
    if kind == "run":
        taken |= {card for meld in mine if meld["kind"] == "run" for card in _beside(meld["cards"])}
        size = {"run": SHORTEST_RUN, "most": len(RANKS)}
    else:
        size = {"rank": SET_SIZES[kind]}
    dealt = {"of": [*cards_of(hand["cards"]["held"][SEATS.index(seat)])]} if hand["dealt"] else {}
    held = {
        "without": sorted(taken, key=PLACE.__getitem__),
        "shown": sorted(shown, key=PLACE.__getitem__),
        "new": HOLDING - len(shown),
    }
    return {"seat": [seat], "kind": [kind], "cards": size | held | dealt}


def _beside(run: list[str]) -> set[str]:
    """The cards that would make a run longer: a further run that has one joins it end to end."""
    places = (PLACE[run[0]] - 1, PLACE[run[-1]] + 1)
    return {
        CARDS[place] for place in places if 0 <= place < len(CARDS) and CARDS[place][1] == run[0][1]
    }


def _deal(melds: list[JsonObject]) -> Form:
    shown = {
        seat: [card for meld in melds if meld["seat"] == seat for card in meld["cards"]]
        for seat in SEATS
    }
    return {
        seat: {
            "cards": HOLDING,
            "with": sorted({*shown[seat]}, key=PLACE.__getitem__),
            "apart_from": [each for each in SEATS if each != seat],
        }
        for seat in SEATS
    }


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """Return what may come next on the cards `drafted`, in the shape that `offer_play`
    gives; `table` is what `table()` gave, in stage `play`.
    """
    hand = table["hand"]
    play = _play(hand)
    order = ROUND[play.leader]
    accepted = {(trick, seat) for trick, seat in hand["accepted"]}

    def check(lying: tuple[str, ...], card: str) -> None:
        seat = order[len(lying)]
        check_possible(play, seat, card, play.played | bits(lying), "")
        if (play.trick, seat) not in accepted:
            check_following(play, seat, card, lying[0][1] if lying else None, "")

    def winner(lying: tuple[str, ...]) -> str:
        return winner_of(lying, play.leader, hand["trump"])

    def find_blocked_ends(refused: Refused, lying: tuple[str, ...]) -> Refused:
        return refuse_last_cards(
            refused, {card: winner((*lying, card)) for card in CARDS}, hand["refused_takers"]
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


def _play(hand: JsonObject) -> Play:
    cards = hand["cards"]
    return Play(
        leader=cards["leader"],
        winners=tuple(hand["winners"]),
        played=cards["played"],
        shown=tuple(cards["shown"]),
        held=tuple(cards["held"]) if cards["held"] is not None else None,
        lacking=tuple(cards["lacking"]),
    )
