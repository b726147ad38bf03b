"""Random legal games of Preference as records: all options, calls, defences, deals, mixed detail,
rulings, substitutes.
"""

from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.preference.cards import CARDS, PLACE
from scoring.preference.contracts import CONTRACTS, TRUMP, VALUES
from scoring.preference.state import LEFT, RIGHT, ROUND, SEATS
from tests.scoring.preference.table import PLAYERS
from tests.scoring.table import DIRECTOR

SIX_TRICKS = frozenset(contract for contract in CONTRACTS if "misere" not in contract)

options = st.fixed_dictionaries(
    {},
    optional={
        "hands": st.sampled_from([3, 6, 12]),
        "ante": st.integers(0, 12),
        "take": st.integers(0, 40),
        "forfeit": st.integers(0, 30),
        "duty": st.integers(0, 12),
        "concede": st.sampled_from(["six_trick", "value_6"]),
        "misere_duty": st.booleans(),
        "insister_pays": st.booleans(),
        "opening_chips": st.sampled_from([None, None, 100_000]),
    },
)


@st.composite
def records(draw: st.DrawFn, *, most_hands: int = 5) -> dict[str, Any]:
    """A record that is legal but for its end: the hands after the one that ends the game have to be
    dropped.
    """
    chosen = draw(options)
    chance = Random(draw(st.integers(0, 2**32)))
    dealer = draw(st.sampled_from(SEATS))
    hands = []
    for number in range(draw(st.integers(1, most_hands))):
        opening = {"dealer": dealer} if number == 0 or chance.random() < 0.3 else {}
        hand = a_hand(chance, dealer, chosen)
        hands.append(
            opening | (extras(chance, chosen) if hand["soloist"] else thrown_in(chance)) | hand
        )
        dealer = LEFT[dealer]
    return {
        "format": "salon-record/1",
        "id": "made",
        "game": "preference",
        "players": PLAYERS,
        "options": chosen,
        "hands": hands,
    }


def extras(chance: Random, chosen: dict[str, Any]) -> dict[str, Any]:
    """What may stand beside the play of a hand."""
    more: dict[str, Any] = {}
    if chance.random() < 0.15:
        more["players"] = chance.choice(
            [{"A": "Ezra"}, {"A": "Brin", "B": "Asha"}, {"A": "Brin", "B": "Ezra"}]
        )
    if chosen.get("opening_chips") is not None and (chance.random() < 0.3 or "players" in more):
        more["buy_ins"] = dict.fromkeys(SEATS, 10_000)
    if chance.random() < 0.15:
        more["rulings"] = [{**chance.choice(rulings(chance)), **DIRECTOR}]
    if chance.random() < 0.1:
        more |= {"note": "a short note", "at": "2026-11-21T19:30:00Z"}
    return more


def thrown_in(chance: Random) -> dict[str, Any]:
    """What is written down of a deal that everybody passed."""
    pack = chance.sample(CARDS, len(CARDS))
    written: dict[str, Any] = {
        "deal": {seat: pack[10 * place :][:10] for place, seat in enumerate(SEATS)},
        "widow": pack[30:],
    }
    written["rulings"] = [
        {
            "kind": "move_chips",
            "from": "A",
            "to": chance.choice(["pot", "B"]),
            "chips": 2,
            **DIRECTOR,
        }
    ]
    return {key: each for key, each in written.items() if chance.random() < 0.4}


def rulings(chance: Random) -> list[dict[str, Any]]:
    """One ruling of each kind that fits most hands."""
    return [
        {"kind": "accept_play", "trick": chance.randint(1, 10), "seat": chance.choice(SEATS)},
        {"kind": "adjust_tricks", "to": chance.choice(SEATS), "tricks": 1},
        {
            "kind": "move_chips",
            "from": chance.choice(SEATS),
            "to": "pot",
            "chips": chance.randint(1, 5),
        },
        {"kind": "accept_hand", "excuses": ["no_chips"]},
    ]


def a_hand(chance: Random, dealer: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """A hand called, defended and played at random by the rules, written down at some detail."""
    calls, soloist, high = auction(chance, dealer)
    written = {"calls": [list(call) for call in calls]} if chance.random() < 0.6 else {}
    if soloist is None:
        return {**written, "soloist": None, "contract": None}
    contract = chance.choice(CONTRACTS[VALUES[high] - 1 :]) if chance.random() < 0.4 else high
    choices = defence(chance, soloist, contract, chosen)
    hand = {**written, "soloist": soloist, "contract": contract, "defenders": choices}
    if list(choices.values()) == ["out", "out"]:
        return hand
    return hand | played(chance, soloist, contract, choices)


def auction(chance: Random, dealer: str) -> tuple[list[tuple[str, str]], str | None, str]:
    """R6, told as it is written there: two against each other, then the survivor against the
    dealer.
    """
    first, second, last = ROUND[LEFT[dealer]]
    calls: list[tuple[str, str]] = []
    survivor, high = duel(chance, calls, first, second, "", opened=False)
    if not survivor:
        opens = chance.random() < 0.6
        high = chance.choice(CONTRACTS[:6]) if opens else ""
        calls.append((last, high or "pass"))
        return calls, last if opens else None, high
    winner, high = duel(chance, calls, survivor, last, high, opened=True)
    return calls, winner, high


def duel(
    chance: Random,
    calls: list[tuple[str, str]],
    earlier: str,
    later: str,
    high: str,
    *,
    opened: bool,
) -> tuple[str | None, str]:
    """Two bid until one passes; who is left, None where both passed, and the highest bid."""
    if not opened and chance.random() < 0.4:
        calls.append((earlier, "pass"))
        if chance.random() < 0.4:
            calls.append((later, "pass"))
            return None, ""
        high = chance.choice(CONTRACTS[:4])
        calls.append((later, high))
        return later, high
    if not opened:
        high = chance.choice(CONTRACTS[:4])
        calls.append((earlier, high))
    while True:
        if VALUES[high] == 12 or chance.random() < 0.4:
            calls.append((later, "pass"))
            return earlier, high
        high = chance.choice(CONTRACTS[VALUES[high] :][:3])
        calls.append((later, high))
        act = chance.choice(["hold", "pass", "raise"])
        if act == "pass" or (act == "raise" and VALUES[high] == 12):
            calls.append((earlier, "pass"))
            return later, high
        high = high if act == "hold" else chance.choice(CONTRACTS[VALUES[high] :][:3])
        calls.append((earlier, "hold" if act == "hold" else high))


def defence(chance: Random, soloist: str, contract: str, chosen: dict[str, Any]) -> dict[str, str]:
    """What R9 lets the two defenders do."""
    free = VALUES[contract] >= 6 if chosen.get("concede") == "value_6" else contract in SIX_TRICKS
    outcomes = (
        ["along along", "along out", "out along", "along insisted", "insisted along", "out out"]
        if free
        else ["along along"]
    )
    return dict(zip((LEFT[soloist], RIGHT[soloist]), chance.choice(outcomes).split(), strict=True))


def played(chance: Random, soloist: str, contract: str, choices: dict[str, str]) -> dict[str, Any]:
    """Ten tricks of a random deal, written down at some detail."""
    pack = list(CARDS)
    chance.shuffle(pack)
    dealt = {seat: pack[10 * place : 10 * place + 10] for place, seat in enumerate(SEATS)}
    widow, discards = pack[30:], []
    holdings = {seat: set(cards) for seat, cards in dealt.items()}
    if VALUES[contract] <= 5:
        discards = chance.sample(sorted(holdings[soloist] | set(widow)), 2)
        holdings[soloist] = (holdings[soloist] | set(widow)) - set(discards)
    playing = [seat for seat in ROUND[soloist] if choices.get(seat) != "out"]
    tricks, winners = play(chance, holdings, soloist, contract, playing)
    stop = chance.choice([10, 10, chance.randint(0, 9)])
    detail = chance.choice(["plays", "deal", "winners", "both", "tricks"])
    hand: dict[str, Any] = {}
    if detail in ("plays", "deal", "both"):
        hand["plays"] = tricks[:stop]
    if detail in ("winners", "both"):
        hand["winners"] = winners[: chance.choice([stop, 10])]
    if detail == "deal":
        hand["deal"] = {seat: sorted(cards, key=PLACE.__getitem__) for seat, cards in dealt.items()}
        hand |= {"widow": sorted(widow, key=PLACE.__getitem__)} if chance.random() < 0.5 else {}
        hand |= (
            {"discards": sorted(discards, key=PLACE.__getitem__)}
            if discards and chance.random() < 0.7
            else {}
        )
    if stop < 10 or detail == "tricks" or chance.random() < 0.2:
        hand["tricks"] = {seat: winners.count(seat) for seat in SEATS}
        if contract == "no_trump":
            hand["in_succession"] = soloist * 6 in "".join(winners)
    return hand


def play(
    chance: Random, holdings: dict[str, set[str]], soloist: str, contract: str, playing: list[str]
) -> tuple[list[list[str]], list[str]]:
    """Ten tricks by R10 to R12, and who won them."""
    left = {seat: set(cards) for seat, cards in holdings.items()}
    leader = soloist
    if contract == "no_trump":
        leader = RIGHT[soloist] if RIGHT[soloist] in playing else LEFT[soloist]
    tricks: list[list[str]] = []
    winners: list[str] = []
    for _ in range(10):
        order = [seat for seat in ROUND[leader] if seat in playing]
        trick: list[str] = []
        for place, seat in enumerate(order):
            exempt = place == 1 and len(playing) == 3 and leader == soloist
            card = chance.choice(sorted(legal(left[seat], trick, contract, exempt=exempt)))
            left[seat].remove(card)
            trick.append(card)
        leader = order[trick.index(best_of(trick, TRUMP[contract]))]
        tricks.append(trick)
        winners.append(leader)
    return tricks, winners


def best_of(trick: list[str], trump: str) -> str:
    """The card that wins: the highest trump, else the highest of the suit led."""
    suit = trump if any(card[1] == trump for card in trick) else trick[0][1]
    return max((card for card in trick if card[1] == suit), key=PLACE.__getitem__)


def legal(held: set[str], trick: list[str], contract: str, *, exempt: bool) -> set[str]:
    """R11 and R12, step by step as they are written."""
    if not trick:
        return held
    trump = TRUMP[contract]
    best = best_of(trick, trump)
    heading = {card for card in held if best_of([*trick, card], trump) == card}
    following = {card for card in held if card[1] == trick[0][1]}
    if following:
        free = "misere" in contract or exempt
        return following if free else following & heading or following
    trumps = {card for card in held if card[1] == trump}
    assert best in trick
    return trumps & heading or trumps or held
