"""Random legal games of Contract Sabacc as records: all options, mixed detail, rulings,
substitutes.
"""

from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.sabacc.auction import BIDS, PASS, WITH_TALON
from scoring.sabacc.cards import BIT, CARDS, HONOUR_BITS, MASTER_BITS, ORDINARY_BITS, WORTH
from scoring.sabacc.state import ALL, HOLDING, LEFT, RIGHT, ROUND
from scoring.sabacc.tricks import winner_of
from tests.scoring.sabacc.table import NAMES, play_out
from tests.scoring.table import DIRECTOR

options = st.fixed_dictionaries(
    {},
    optional={
        "ante": st.integers(0, 7),
        "first_caller": st.sampled_from(["left", "right"]),
        "wager": st.sampled_from(["all_match", "bidders_only"]),
        "ante_pot_end": st.sampled_from(["split", "leave"]),
        "opening_chips": st.sampled_from([None, None, 10_000]),
    },
)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """A legal record of any length up to the whole game."""
    chosen = draw(options)
    chance = Random(draw(st.integers(0, 2**32)))
    seats = ALL[: draw(st.integers(3, 5))]
    if draw(st.booleans()):
        chosen["hands"] = 2 * len(seats)
    dealer, hands = chance.choice(seats), []
    for number in range(draw(st.integers(1, len(seats)))):
        opening = {"dealer": dealer} if number == 0 or chance.random() < 0.3 else {}
        hands.append(opening | a_hand(chance, chosen, seats, dealer))
        dealer = RIGHT[len(seats)][dealer]
    players = {seat: NAMES[seat] for seat in seats}
    return {
        "format": "salon-record/1",
        "id": "made",
        "game": "contract_sabacc",
        "players": players,
        "options": chosen,
        "hands": hands,
    }


def a_hand(
    chance: Random, chosen: dict[str, Any], seats: tuple[str, ...], dealer: str
) -> dict[str, Any]:
    """One hand: bid and played at random by the rules, written down at some detail."""
    called, declarer, contract = bidding(
        chance, seats, dealer, first=chosen.get("first_caller", "left")
    )
    hand: dict[str, Any] = extras(chance, chosen, seats, declarer)
    if chosen.get("wager") == "bidders_only" or chance.random() < 0.5:
        hand["calls"] = called
    hand |= {"declarer": declarer, "contract": contract}
    return hand | (
        played(chance, seats, dealer, declarer, contract)
        if declarer and contract
        else void(chance, seats)
    )


def void(chance: Random, seats: tuple[str, ...]) -> dict[str, Any]:
    """What is written down of a hand that nobody bid."""
    holdings, talon = deal(chance, seats)
    written: dict[str, Any] = {"deal": holdings, "talon": talon}
    written["rulings"] = [
        {
            "kind": "move_chips",
            "from": "A",
            "to": chance.choice(["ante", "B"]),
            "chips": 2,
            **DIRECTOR,
        }
    ]
    return {key: each for key, each in written.items() if chance.random() < 0.4}


def bidding(
    chance: Random, seats: tuple[str, ...], dealer: str, *, first: str
) -> tuple[list[list[str]], str | None, str | None]:
    """Calls by S3, who declares and what."""
    order = ROUND[len(seats)][(LEFT if first == "left" else RIGHT)[len(seats)][dealer]]
    called: list[list[str]] = []
    waiting, declarer, contract = list(order), None, None
    while waiting:
        seat = waiting.pop(0)
        higher = BIDS[BIDS.index(contract) + 1 :] if contract else BIDS
        if higher and chance.random() < 0.4:
            if declarer:
                waiting.append(declarer)
            declarer, contract = seat, chance.choice(higher)
            called.append([seat, contract])
        else:
            called.append([seat, PASS])
    return called, declarer, contract


def played(
    chance: Random, seats: tuple[str, ...], dealer: str, declarer: str, contract: str
) -> dict[str, Any]:
    """What was written of the play: every card, or a claim, or totals alone."""
    holdings, talon = deal(chance, seats)
    aside = None
    kept = dict(holdings)
    if contract in WITH_TALON:
        aside = set_aside(chance, [*holdings[declarer], *talon])
        kept[declarer] = [card for card in (*holdings[declarer], *talon) if card not in aside]
    tricks = play_out(kept, dealer, lambda _, cards: chance.choice(cards))
    stop = chance.choice([len(tricks), len(tricks), chance.randint(0, len(tricks) - 1)])
    hand: dict[str, Any] = {"plays": tricks[:stop]} if stop or chance.random() < 0.5 else {}
    known = {"deal": holdings, "talon": talon, "aside": aside}
    hand |= {
        key: cards for key, cards in known.items() if cards is not None and chance.random() < 0.4
    }
    if stop < len(tricks) or chance.random() < 0.2:
        hand |= totals(
            tricks, dealer, declarer, aside or (talon if contract == "guard_without" else [])
        )
    return hand


def deal(chance: Random, seats: tuple[str, ...]) -> tuple[dict[str, list[str]], list[str]]:
    """The pack in holdings and a talon."""
    pack = list(CARDS)
    chance.shuffle(pack)
    size = HOLDING[len(seats)]
    return {
        seat: pack[size * place : size * place + size] for place, seat in enumerate(seats)
    }, pack[size * len(seats) :]


def set_aside(chance: Random, cards: list[str]) -> list[str]:
    """As many cards as the talon had, by S6."""
    size = len(cards) - min(
        HOLDING.values(),
        key=lambda holding: abs(len(cards) - holding - (3 if holding == 15 else 6)),
    )
    ordinary = [card for card in cards if BIT[card] & ORDINARY_BITS]
    others = [card for card in cards if not BIT[card] & (ORDINARY_BITS | MASTER_BITS | HONOUR_BITS)]
    return (chance.sample(ordinary, len(ordinary)) + others)[:size]


def totals(tricks: list[list[str]], dealer: str, declarer: str, apart: list[str]) -> dict[str, Any]:
    """The declarer's points and the bonus of a hand played out."""
    players = len(tricks[0])
    leader, won, cards = RIGHT[players][dealer], [], list(apart)
    for trick in tricks:
        leader = winner_of(trick, ROUND[players][leader])
        won.append(leader)
        cards += trick if leader == declarer else []
    count = sum(WORTH[card] for card in cards)
    return {"points": count / 2 if count % 2 else count // 2, "bonus": bonus(tricks, won)}


def bonus(tricks: list[list[str]], won: list[str]) -> dict[str, str] | None:
    """The highest bonus by S11, told once more."""
    best = max(won, key=won.count)
    lost = len(tricks) - won.count(best)
    if lost <= 3:
        return {"kind": "slam" if lost else "grand_slam", "seat": best}
    last = tricks[-1]
    if "0" in last:
        return {"kind": "idiot", "seat": won[-1]}
    alone = "-1" in last and sum(card.startswith("-") for card in last) == 1
    return {"kind": "magician", "seat": won[-1]} if alone else None


def extras(
    chance: Random, chosen: dict[str, Any], seats: tuple[str, ...], declarer: str | None
) -> dict[str, Any]:
    """What may stand beside the play of a hand."""
    more: dict[str, Any] = {}
    if chance.random() < 0.15:
        more["players"] = chance.choice(
            [{"A": "Farid"}, {"A": NAMES["B"], "B": NAMES["A"]}, {"A": NAMES["B"], "B": "Farid"}]
        )
    if chosen.get("opening_chips") is not None and (chance.random() < 0.3 or "players" in more):
        more["buy_ins"] = dict.fromkeys(seats, 1000)
    if declarer and chance.random() < 0.2:
        more["rulings"] = [{**chance.choice(rulings(chance, seats, declarer)), **DIRECTOR}]
    if chance.random() < 0.1:
        more |= {"note": "a short note", "at": "2026-11-21T19:30:00Z"}
    return more


def rulings(chance: Random, seats: tuple[str, ...], declarer: str) -> list[dict[str, Any]]:
    """One ruling of each kind that fits any hand."""
    return [
        {"kind": "accept_play", "trick": chance.randint(1, 15), "seat": chance.choice(seats)},
        {"kind": "adjust_points", "side": declarer, "points": chance.randint(-9, 9) / 2},
        {"kind": "adjust_points", "side": chance.choice(seats), "points": chance.randint(-50, 50)},
        {
            "kind": "move_chips",
            "from": chance.choice(seats),
            "to": "ante",
            "chips": chance.randint(1, 5),
        },
        {"kind": "accept_hand", "excuses": ["no_chips"]},
    ]
