"""Players who don't exist play a hand of Preference or Contract Sabacc, or a deal of the patience,
as acts of their pad.

Nothing of the rules is said again here: who speaks, what may be bid and which card may be played is
what the game offers. Chance comes in as a `random.Random`, so the same seed gives the same hand.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.patience.deal import (
    Deal,
    begun,
    built,
    list_open_foundations,
    move_to_waste,
    stock_of,
    turned,
)
from scoring.preference.cards import CARDS as FRENCH
from scoring.preference.contracts import CONTRACTS, TRUMP, VALUES
from scoring.sabacc.auction import WITH_TALON
from scoring.sabacc.cards import BIT, HONOUR_BITS, ORDINARY_BITS
from scoring.sabacc.cards import CARDS as TAROT
from scoring.sabacc.state import HOLDING
from scoring.shape import JsonObject

SEATS = {"preference": "ABC", "contract_sabacc": "ABCD", "order_of_precedence": "A"}
DEALS = 3  # of a patience, and the evening is over
DARING = (
    6.9  # length of the trump suit and tricks by high cards that make a player of Preference bid
)
WHIM = 0.2  # how often a card is played for no reason
SECONDS_A_DEAL = (420, 1_100)
RANKS = "789TJQKA"
EXPECTED = {"A": 1.0, "K": 0.7, "Q": 0.3}


class Table:
    """A game as it stands at an invented table, and the acts made since; each is decided by the
    rules.
    """

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state, self.acts = game, state, list[object]()

    @property
    def shown(self) -> JsonObject:
        """The table as a pad shows it."""
        return self.game.table(self.state)

    def do(self, collection: str, value: object) -> None:
        """Make one act."""
        act = self.game.acts[collection](value, self.state.rules)
        for event in self.game.decide(act, self.state):
            self.state = self.game.evolve(self.state, event)
        self.acts.append(act)


def acts_of_a_hand(rng: Random, kind: str, state: object) -> list[object]:
    """The acts of the next hand of a game that stands at `state`, until it is closed."""
    table = Table(GAMES[kind], state)
    HANDS[kind](rng, table)
    return table.acts


def _preference(rng: Random, table: Table) -> None:
    pack = rng.sample(FRENCH, len(FRENCH))
    dealt = {seat: pack[10 * place : 10 * place + 10] for place, seat in enumerate("ABC")}
    widow = pack[30:]
    _open(rng, table)
    while table.state.hand is not None and (auction := table.shown["hand"]["auction"])["speaker"]:
        seat = auction["speaker"]
        wanted = [bid for bid in auction["bids"] if VALUES[bid] <= _highest_bid(dealt[seat])]
        table.do(
            "calls",
            {
                "seat": seat,
                "call": "hold"
                if auction["may_hold"] and rng.random() < 0.5
                else wanted[0]
                if wanted
                else "pass",
            },
        )
    if table.state.hand is None:
        return
    soloist, high = auction["holder"], auction["high"]
    named = max(
        CONTRACTS[VALUES[high] - 1 : 4],
        key=lambda contract: sum(card[1] == TRUMP[contract] for card in dealt[soloist]),
    )
    table.do("contracts", {"soloist": soloist, "contract": named})
    cards = [*dealt[soloist], *widow]
    discards = sorted(cards, key=lambda card: (card[1] == TRUMP[named], RANKS.index(card[0])))[:2]
    table.do("deals", {"deal": dealt, "widow": widow, "discards": discards})
    if table.shown["stage"] == "defence":
        defenders = table.shown["hand"]["defenders"]
        table.do(
            "defences",
            {
                seat: "along" if _expected(dealt[seat]) > rng.uniform(0.3, 1.8) else "out"
                for seat in defenders
            },
        )
    _play(rng, table, lambda card: RANKS.index(card[0]))


def _highest_bid(holding: Sequence[str]) -> int:
    """The value of the highest contract with the widow that this holding dares, 0 for none: long
    suits and Aces.
    """
    lengths = {suit: sum(card[1] == suit for card in holding) for suit in "CSDH"}
    daring = [
        place
        for place, contract in enumerate(CONTRACTS[:4], 1)
        if lengths[TRUMP[contract]] + _expected(holding) >= DARING
    ]
    return max(daring, default=0)


def _expected(holding: Sequence[str]) -> float:
    """How many tricks a holding is good for by its high cards."""
    return sum(EXPECTED.get(card[0], 0) for card in holding)


def _sabacc(rng: Random, table: Table) -> None:
    seats = table.state.seats
    pack, size = rng.sample(TAROT, len(TAROT)), HOLDING[len(seats)]
    dealt = {seat: pack[size * place : size * place + size] for place, seat in enumerate(seats)}
    talon = pack[size * len(seats) :]
    _open(rng, table)
    while table.shown["stage"] == "calls":
        hand = table.shown["hand"]
        wanted = [bid for bid in hand["higher"] if bid in _bids(dealt[hand["caller"]])]
        table.do("calls", {"seat": hand["caller"], "call": wanted[0] if wanted else "pass"})
    if table.state.hand is None:
        return
    declarer, contract = table.shown["hand"]["declarer"], table.shown["hand"]["contract"]
    table.do("deals", dealt)
    if contract in WITH_TALON:
        table.do("talons", {"cards": talon})
        ordinary = [card for card in (*dealt[declarer], *talon) if BIT[card] & ORDINARY_BITS]
        table.do(
            "asides", {"cards": sorted(ordinary, key=lambda card: int(card[:-1]))[: len(talon)]}
        )
    _play(rng, table, TAROT.index)


def _bids(holding: Sequence[str]) -> Sequence[str]:
    """What a holding dares: honours win card points, Sabaccs win tricks."""
    honours = sum(bool(BIT[card] & HONOUR_BITS) for card in holding)
    sabaccs = sum(card.startswith("-") or card == "0" for card in holding)
    daring = 2 * honours + sabaccs
    return (
        ("take", "push", "guard")
        if daring >= 12
        else ("take", "push")
        if daring >= 10
        else ("take",)
        if daring >= 8
        else ()
    )


def _open(rng: Random, table: Table) -> None:
    dealer = table.shown["next"]["dealer"] or rng.choice(list(table.state.players))
    table.do("hands", {"dealer": dealer})


def _play(rng: Random, table: Table, rank: Callable[[str], int]) -> None:
    """Play the hand out: high cards by `rank` are led, low ones follow, now and then a whim."""
    while table.state.hand is not None:
        shown, trick = table.shown, list[str]()
        while (offer := table.game.offer(shown, trick))["seat"]:
            legal = sorted(offer["legal"], key=rank)
            trick.append(
                rng.choice(legal) if rng.random() < WHIM else legal[0] if trick else legal[-1]
            )
        table.do("tricks", {"cards": trick})


def _patience(rng: Random, table: Table) -> None:
    stock = stock_of(f"{rng.getrandbits(64):x}")
    table.do("hands", {"stock": list(stock)})
    for collection, value in _moves(
        begun(stock, king_removed=table.state.rules.first_king == "removed"),
        table.state.rules.passes,
    ):
        table.do(collection, value)
    table.do("ends", {"seconds": rng.randint(*SECONDS_A_DEAL)})


def _moves(deal: Deal, passes: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Build whatever fits, the top of the waste first; turn the waste as often as the rules
    allow.
    """
    while True:
        if deal.waste and (places := list_open_foundations(deal, deal.waste[-1])):
            deal = built(deal, deal.waste[-1], places[0], waste=True)
            yield "builds", {"foundation": places[0], "from": "waste"}
        elif deal.next_card and (places := list_open_foundations(deal, deal.next_card)):
            deal = built(deal, deal.next_card, places[0], waste=False)
            yield "builds", {"foundation": places[0]}
        elif deal.next_card:
            deal = move_to_waste(deal, deal.next_card)
            yield "wastes", {}
        elif deal.passes < passes and deal.waste:
            deal = turned(deal)
            yield "turns", {}
        else:
            return


HANDS: dict[str, Callable[[Random, Table], None]] = {
    "preference": _preference,
    "contract_sabacc": _sabacc,
    "order_of_precedence": _patience,
}
