"""What can be tried in each game: every act of its small collections, some of the large ones, and
what a director may rule.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.patience import deal as patience
from scoring.patience.play import PATIENCE
from scoring.precedence.cards import CARDS, SUITS
from scoring.precedence.melds import KINDS
from scoring.precedence.play import PRECEDENCE
from scoring.precedence.seats import SEATS, TEAMS
from scoring.preference.auction import CALLS, PASS
from scoring.preference.cards import CARDS as PREFERENCE_CARDS
from scoring.preference.contracts import CHOICES, CONTRACTS
from scoring.preference.play import PREFERENCE
from scoring.preference.state import SEATS as THREE
from scoring.sabacc.auction import BIDS
from scoring.sabacc.cards import CARDS as SABACC_CARDS
from scoring.sabacc.play import SABACC
from scoring.sabacc.score import BONUS_NAMES
from scoring.sabacc.state import HOLDING, TALON
from tests.fifth_game import whist
from tests.scoring import games_made as precedence_made
from tests.scoring.every_act import Act, Space
from tests.scoring.preference import made as preference_made
from tests.scoring.sabacc import games_made as sabacc_made

LENGTHS = range(-1, 15)
SUITED = [CARDS[13 * place :][:13] for place in range(len(SUITS))]
RUNS = [
    cards[low:high]
    for cards in SUITED
    for low, high in combinations(range(14), 2)
    if high - low > 2
]
SETS = [
    cards
    for place in range(13)
    for size in (3, 4)
    for cards in combinations([suit[place] for suit in SUITED], size)
]


def dealt(
    seats: Sequence[str], cards: Sequence[str], size: int, chance: Random
) -> dict[str, list[str]]:
    """The pack dealt at random."""
    pack = chance.sample(cards, len(cards))
    return {seat: pack[size * place :][:size] for place, seat in enumerate(seats)}


def precedence_tried(seats: Sequence[str], chance: Random) -> Iterator[Act]:
    yield "misdeals", {}
    yield from (
        ("hands", {"dealer": dealer, "trump": trump}) for dealer, trump in product(SEATS, SUITS)
    )
    yield from (
        ("bids", {"seat": seat, "tricks": tricks}) for seat, tricks in product(SEATS, LENGTHS)
    )
    yield from (
        ("contracts", {"side": side, "tricks": tricks}) for side, tricks in product(TEAMS, LENGTHS)
    )
    yield from (("winners", {"seat": seat}) for seat in SEATS)
    yield from (("totals", {"NS": ns, "EW": ew}) for ns, ew in product(LENGTHS, LENGTHS))
    melds = [*RUNS, *SETS]
    for seat, cards in product(SEATS, melds):
        yield (
            "melds",
            {
                "seat": seat,
                "kind": chance.choice(KINDS) if chance.random() < 0.1 else kind_of(cards),
                "cards": [*cards],
            },
        )
    yield "deals", dealt(SEATS, CARDS, 13, chance)
    yield "tricks", {"cards": chance.sample(CARDS, 4)}


def kind_of(cards: Sequence[str]) -> str:
    return "run" if cards[0][1] == cards[1][1] else "triad" if len(cards) == 3 else "quad"


def preference_tried(seats: Sequence[str], chance: Random) -> Iterator[Act]:
    yield "throw-ins", {}
    yield from (("hands", {"dealer": dealer}) for dealer in THREE)
    yield from (("calls", {"seat": seat, "call": call}) for seat, call in product(THREE, CALLS))
    yield from (
        ("contracts", {"soloist": seat, "contract": contract})
        for seat, contract in product(THREE, CONTRACTS)
    )
    choices = [None, *CHOICES]
    yield from (
        ("defences", {seat: choice for seat, choice in zip(THREE, chosen, strict=True) if choice})
        for chosen in product(choices, repeat=3)
    )
    yield from (("winners", {"seat": seat}) for seat in THREE)
    every_ten = ((one, two, 10 - one - two) for one, two in product(range(-1, 12), range(-1, 12)))
    for tricks, said in product([*every_ten, (4, 3, 2), (5, 4, 3)], (None, True, False)):
        yield (
            "totals",
            {"tricks": dict(zip(THREE, tricks, strict=True))}
            | ({"in_succession": said} if said is not None else {}),
        )
    yield "deals", {"deal": dealt(THREE, PREFERENCE_CARDS, 10, chance)}
    yield "deals", {"discards": chance.sample(PREFERENCE_CARDS, 2)}
    yield "deals", {}
    yield from (("tricks", {"cards": chance.sample(PREFERENCE_CARDS, size)}) for size in (2, 3))


def sabacc_tried(seats: Sequence[str], chance: Random) -> Iterator[Act]:
    yield from (("hands", {"dealer": dealer}) for dealer in "ABCDE")
    yield from (
        ("calls", {"seat": seat, "call": call}) for seat, call in product("ABCDE", (PASS, *BIDS))
    )
    yield "contracts", {}
    yield from (
        ("contracts", {"declarer": seat, "contract": contract})
        for seat, contract in product("ABCDE", BIDS)
    )
    bonuses = [
        None,
        *({"kind": kind, "seat": seat} for kind, seat in product(BONUS_NAMES, "ABCDE")),
    ]
    said = [{"bonus": bonus} if bonus else {} for bonus in bonuses]
    yield from (("totals", {"points": doubled / 2}) for doubled in range(-1, 185))
    yield from (
        ("totals", {"points": chance.randint(0, 182) / 2, **each})
        for each in said
        for _ in range(6)
    )
    yield from (
        ("totals", {"points": points, **each})
        for each in said
        for points in (0, 45.5, 46, 87.5, 90, 91)
    )
    for each in said:
        yield "piles", {**a_pile(chance, len(seats)), **each}
    players = len(seats)
    yield "deals", dealt(seats, SABACC_CARDS, HOLDING[players], chance)
    yield "deals", dealt([*seats[1:], "E"], SABACC_CARDS, HOLDING[players], chance)
    yield from (
        ("talons", {"cards": chance.sample(SABACC_CARDS, TALON[players])}) for _ in range(2)
    )
    yield from (
        ("asides", {"cards": chance.sample(SABACC_CARDS[:10], TALON[players])}) for _ in range(2)
    )
    yield "tricks", {"cards": chance.sample(SABACC_CARDS, players)}


def a_pile(chance: Random, players: int) -> dict[str, int]:
    """Cards of each kind such that they are whole tricks, with a talon or without."""
    pile = {
        "honours": chance.randint(0, 7),
        "mistresses": chance.randint(0, 4),
        "commanders": chance.randint(0, 4),
    }
    tricks, apart = chance.randint(0, HOLDING[players]), chance.choice([0, TALON[players]])
    others = max(0, players * tricks + apart - sum(pile.values()))
    return pile | {"others": others} | ({"tricks": tricks} if chance.random() < 0.5 else {})


def patience_tried(seats: Sequence[str], chance: Random) -> Iterator[Act]:
    named = [{}, *({"card": card} for card in patience.CARDS)]
    yield from (
        ("hands", {}),
        ("turns", {}),
        ("ends", {}),
        ("ends", {"minutes": 3, "seconds": 20}),
        ("ends", {"seconds": -1}),
    )
    yield from (("kings", {"card": card}) for card in patience.CARDS)
    yield from (("wastes", {**card}) for card in named)
    yield from (("wastes", {"cards": cards}) for cards in range(106))
    for foundation, card, source in product(range(10), named, ("stock", "waste")):
        yield "builds", {"foundation": foundation, **card, "from": source}
    for _ in range(30):
        built = sorted((chance.randint(0, 14) for _ in range(8)), reverse=chance.random() < 0.8)
        yield "totals", {"built": built, "passes": chance.randint(0, 4)}


def whist_tried(seats: Sequence[str], chance: Random) -> Iterator[Act]:
    yield from (
        ("hands", {"dealer": dealer, "trump": trump})
        for dealer, trump in product(whist.SEATS, whist.SUITS)
    )
    yield from (("totals", {"NS": ns, "EW": ew}) for ns, ew in product(LENGTHS, LENGTHS))
    yield "tricks", {"cards": chance.sample(whist.CARDS, 4)}


def precedence_rulings(seats: Sequence[str], chance: Random) -> list[dict[str, Any]]:
    sides = chance.sample(["NS", "EW", None], 2)
    tricks = {key: side for key, side in zip(("from", "to"), sides, strict=True) if side}
    more = {"kind": "adjust_tricks", **tricks, "tricks": chance.randint(1, 9)}
    return [*precedence_made.rulings(chance), *[more] * 3]


def preference_rulings(seats: Sequence[str], chance: Random) -> list[dict[str, Any]]:
    return [*preference_made.rulings(chance), *[adjusted(seats, chance)] * 3]


def sabacc_rulings(seats: Sequence[str], chance: Random) -> list[dict[str, Any]]:
    return [*sabacc_made.rulings(chance, tuple(seats), seats[0]), *[adjusted(seats, chance)] * 3]


def patience_rulings(seats: Sequence[str], chance: Random) -> list[dict[str, Any]]:
    return [{"kind": "adjust_points", "side": "A", "points": chance.randint(-9, 9)}]


def adjusted(seats: Sequence[str], chance: Random) -> dict[str, Any]:
    return {
        "kind": "adjust_tricks",
        chance.choice(["from", "to"]): chance.choice(seats),
        "tricks": chance.randint(1, 9),
    }


def poor(
    options: st.SearchStrategy[dict[str, Any]], most: int
) -> st.SearchStrategy[dict[str, Any]]:
    """House rules, every second time with so few chips at the start that somebody soon
    can't pay.
    """
    chips: st.SearchStrategy[dict[str, Any]] = st.one_of(
        st.just({}), st.integers(0, most).map(lambda chips: {"opening_chips": chips})
    )
    return st.tuples(options, chips).map(lambda both: both[0] | both[1])


SPACES = {
    "precedence": Space(
        game=PRECEDENCE,
        cards=CARDS,
        words=[*SEATS, *SUITS, *KINDS],
        tried=precedence_tried,
        rulings=precedence_rulings,
        short=frozenset({"totals", "misdeals"}),
        options=poor(precedence_made.options, 30),
    ),
    "preference": Space(
        game=PREFERENCE,
        cards=PREFERENCE_CARDS,
        words=[*THREE, *CALLS, *CHOICES],
        tried=preference_tried,
        rulings=preference_rulings,
        short=frozenset({"totals", "throw-ins"}),
        options=poor(preference_made.options, 60),
    ),
    "contract_sabacc": Space(
        game=SABACC,
        cards=SABACC_CARDS,
        words=["A", "B", "C", "D", "E", PASS, *BIDS, *BONUS_NAMES],
        tried=sabacc_tried,
        rulings=sabacc_rulings,
        short=frozenset({"totals", "piles"}),
        options=poor(sabacc_made.options, 40),
    ),
    "order_of_precedence": Space(
        game=PATIENCE,
        cards=patience.CARDS,
        words=["stock", "waste"],
        tried=patience_tried,
        rulings=patience_rulings,
        short=frozenset({"totals", "ends"}),
        options=st.fixed_dictionaries(
            {
                "first_king": st.sampled_from(["removed", "first_available"]),
                "redeals": st.integers(0, 3),
            }
        ),
    ),
    "whist": Space(
        game=whist.WHIST,
        cards=whist.CARDS,
        words=[*whist.SEATS, *whist.SUITS],
        tried=whist_tried,
        short=frozenset({"totals"}),
        options=st.fixed_dictionaries({"stake": st.integers(0, 9), "target": st.integers(1, 9)}),
    ),
}
