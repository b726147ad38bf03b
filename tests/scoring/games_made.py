"""Random legal games of Precedence as records: all options, melds, mixed detail, misdeals, rulings,
substitutes.
"""

from collections.abc import Iterable
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.precedence.cards import CARDS, PLACE
from scoring.precedence.seats import LEFT, ROUND, SEATS
from scoring.precedence.tricks import winner_of
from tests.scoring.table import DIRECTOR, PLAYERS

SUITS = "VFBC"
SWAPPED = {"N": "Brin", "E": "Asha", "S": "Dara", "W": "Cato"}

options = st.fixed_dictionaries(
    {},
    optional={
        "target_score": st.sampled_from([1, 60, 150, 250, 500]),
        "hands_limit": st.sampled_from([None, 1, 2, 4]),
        "excess_reset": st.sampled_from(["zero", "carry"]),
        "no_winner_pot": st.sampled_from(["carry", "refund", "split"]),
        "trump": st.sampled_from(["rotate", "declared"]),
        "first_trump": st.sampled_from(list(SUITS)),
        "variant": st.sampled_from(["core", "frontier", "void"]),
        "meld_overlap": st.booleans(),
        "accord_stake": st.integers(0, 13),
        "ante": st.integers(0, 7),
        "trick_stake": st.integers(0, 3),
        "meld_stake": st.integers(0, 5),
        "contracts": st.sampled_from([None, None, "side"]),
        "opening_chips": st.sampled_from([None, None, 100_000]),
    },
)


@st.composite
def records(draw: st.DrawFn, *, most_hands: int = 4) -> dict[str, Any]:
    """A record that is legal but for its end: the hands after the one that ends the game have to be
    dropped.
    """
    chosen: dict[str, Any] = draw(options)
    chance = Random(draw(st.integers(0, 2**32)))
    dealer, trump = draw(st.sampled_from(SEATS)), chosen.get("first_trump", "V")
    hands = []
    for number in range(draw(st.integers(1, most_hands))):
        declared = chosen.get("trump") == "declared"
        trump = chance.choice(SUITS) if declared else trump
        opening = {"dealer": dealer} if number == 0 or chance.random() < 0.3 else {}
        opening |= {"trump": trump} if declared or chance.random() < 0.2 else {}
        if chance.random() < 0.15:
            before = said(misdealt(chance, dealer, chosen), chosen)
            hands.append({**opening, **before, "misdeal": True})
        hand = played(chance, dealer, trump, overlap=chosen.get("meld_overlap", False))
        hands.append(opening | extras(chance, chosen) | said(hand, chosen))
        dealer, trump = LEFT[dealer], SUITS[(SUITS.index(trump) + 1) % 4]
    return {
        "format": "salon-record/1",
        "id": "made",
        "game": "precedence",
        "players": PLAYERS,
        "options": chosen,
        "hands": hands,
    }


def misdealt(chance: Random, dealer: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """What happened before a misdeal was seen: melds, some of the bids in turn, the deal, chips
    that a director moved.
    """
    holdings = deal(chance)
    bid = bids(chance)
    melds = shown(chance, holdings, overlap=chosen.get("meld_overlap", False))
    turns = [*SEATS[SEATS.index(LEFT[dealer]) :], *SEATS[: SEATS.index(LEFT[dealer])]][
        : chance.randint(0, 4)
    ]
    happened: dict[str, Any] = {
        "melds": melds,
        "bids": {seat: bid[seat] for seat in turns},
        "deal": holdings,
    }
    happened["rulings"] = [
        {"kind": "move_chips", "from": "N", "to": "hand", "chips": 2, **DIRECTOR}
    ]
    return {key: happened[key] for key in happened if happened[key] and chance.random() < 0.4}


def said(hand: dict[str, Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """The hand with contracts of sides in the place of its bids, where the house has them."""
    if chosen.get("contracts") != "side" or "bids" not in hand:
        return hand
    bid = hand["bids"]
    sides = [side for side in ("NS", "EW") if any(seat in bid for seat in side)]
    contracts = {side: sum(bid.get(seat, 0) for seat in side) for side in sides}
    return {**{key: hand[key] for key in hand if key != "bids"}, "contracts": contracts}


def extras(chance: Random, chosen: dict[str, Any]) -> dict[str, Any]:
    """What may stand beside the play of a hand."""
    more: dict[str, Any] = {}
    if chance.random() < 0.15:
        more["players"] = chance.choice(
            [{"N": "Ezra"}, SWAPPED, {**SWAPPED, "W": "Ezra"}, {"E": "Dara", "W": "Brin"}]
        )
    if chosen.get("opening_chips") is not None and (chance.random() < 0.3 or "players" in more):
        more["buy_ins"] = dict.fromkeys(SEATS, 10000)
    if chance.random() < 0.15:
        more["rulings"] = [{**chance.choice(rulings(chance)), **DIRECTOR}]
    if chance.random() < 0.1:
        more |= {"note": "a short note", "at": "2026-11-21T19:30:00Z"}
    return more


def rulings(chance: Random) -> list[dict[str, Any]]:
    """One ruling of each kind that fits any hand."""
    return [
        {"kind": "accept_play", "trick": chance.randint(1, 13), "seat": chance.choice(SEATS)},
        {"kind": "adjust_tricks", "from": "NS", "to": "EW", "tricks": 1},
        {
            "kind": "adjust_points",
            "side": chance.choice(["NS", "EW"]),
            "points": chance.randint(-50, 50),
        },
        {
            "kind": "move_chips",
            "from": chance.choice(SEATS),
            "to": chance.choice(["hand", "accord"]),
            "chips": chance.randint(1, 5),
        },
        {"kind": "accept_hand", "excuses": ["no_chips"]},
    ]


def played(chance: Random, dealer: str, trump: str, *, overlap: bool) -> dict[str, Any]:
    """A hand dealt, melded, bid and played at random by the rules, written down at some detail."""
    holdings = deal(chance)
    melds = shown(chance, holdings, overlap=overlap) if chance.random() < 0.7 else []
    tricks, winners = play(chance, holdings, dealer, trump, melds)
    hand: dict[str, Any] = {"bids": bids(chance)} | ({"melds": melds} if melds else {})
    ns = sum(seat in "NS" for seat in winners)
    totals = {"NS": ns, "EW": 13 - ns}
    stop = chance.choice([13, 13, chance.randint(0, 12)])
    detail = chance.choice(["plays", "deal", "winners", "both", "tricks"])
    if detail in ("plays", "deal", "both"):
        hand["plays"] = tricks[:stop]
    if detail in ("winners", "both"):
        hand["winners"] = winners[: chance.choice([stop, 13])]
    if detail == "deal":
        hand["deal"] = holdings
    if stop < 13 or detail == "tricks" or chance.random() < 0.2:
        hand["tricks"] = totals
    return hand


def deal(chance: Random) -> dict[str, list[str]]:
    """The pack in four holdings."""
    pack = list(CARDS)
    chance.shuffle(pack)
    return {seat: pack[13 * place : 13 * place + 13] for place, seat in enumerate(SEATS)}


def bids(chance: Random) -> dict[str, int]:
    """Bids with contracts up to 13, often such that both fail or both make it."""
    return {seat: chance.choice([0, 1, 2, 3, 3, 4, 6]) for seat in SEATS}


def shown(chance: Random, holdings: dict[str, list[str]], *, overlap: bool) -> list[dict[str, Any]]:
    """Some of the melds that the holdings contain."""
    melds: list[dict[str, Any]] = []
    for seat, holding in holdings.items():
        free = {"run": set(holding), "set": set(holding)}
        for kind, cards in chance.sample(found := melds_in(holding), len(found)):
            use = "run" if kind == "run" else "set"
            if (
                chance.random() < 0.8
                and set(cards) <= free[use]
                and not (kind == "run" and _joins(cards, melds, seat))
            ):
                melds.append({"seat": seat, "kind": kind, "cards": cards})
                for each in free if not overlap else (use,):
                    free[each] -= set(cards)
    return melds


def melds_in(holding: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Every run of 3 or 4 cards, triad and quad within a holding."""
    held = set(holding)
    runs = [list(CARDS[place : place + size]) for size in (3, 4) for place in range(53 - size)]
    found = [("run", run) for run in runs if run[0][1] == run[-1][1] and held.issuperset(run)]
    for rank in {card[0] for card in held}:
        same = sorted((card for card in held if card[0] == rank), key=PLACE.__getitem__)
        if len(same) >= 3:
            found.append(("quad" if len(same) == 4 else "triad", same))
    return found


def _joins(cards: list[str], melds: list[dict[str, Any]], seat: str) -> bool:
    ends = {PLACE[cards[0]] - 1, PLACE[cards[-1]] + 1}
    runs = [
        meld["cards"]
        for meld in melds
        if meld["seat"] == seat and meld["kind"] == "run" and meld["cards"][0][1] == cards[0][1]
    ]
    return any(ends & {PLACE[run[0]], PLACE[run[-1]]} for run in runs)


def play(
    chance: Random,
    holdings: dict[str, list[str]],
    dealer: str,
    trump: str,
    melds: list[dict[str, Any]],
) -> tuple[list[list[str]], list[str]]:
    """Thirteen tricks by P13 to P15, and who won them."""
    left = {seat: set(cards) for seat, cards in holdings.items()}
    declared = {
        seat: {card for meld in melds if meld["seat"] == seat for card in meld["cards"]}
        for seat in SEATS
    }
    leader = LEFT[dealer]
    tricks: list[list[str]] = []
    winners: list[str] = []
    for _ in range(13):
        trick: list[str] = []
        for seat in ROUND[leader]:
            following = {card for card in left[seat] if trick and card[1] == trick[0][1]} or left[
                seat
            ]
            card = chance.choice(sorted(following & declared[seat] or following))
            left[seat].remove(card)
            trick.append(card)
        leader = winner_of(trick, leader, trump)
        tricks.append(trick)
        winners.append(leader)
    return tricks, winners
