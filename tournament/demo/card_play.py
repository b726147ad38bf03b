"""Four players who don't exist play a hand of Precedence: legal throughout, sensible enough to look
like a table. Chance comes in as a `random.Random`, so the same seed gives the same hand. And a hand
of any game by chance: whatever its table offers next.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from scoring.game import AnyGame
from scoring.legal import Form
from scoring.precedence.cards import CARDS, RANKS, SUITS
from scoring.precedence.commands import DeclareMeld, OpenHand
from scoring.precedence.melds import in_order
from scoring.precedence.seats import LEFT, PARTNER, ROUND, SEATS, TEAM
from scoring.precedence.sheet import Sheet
from scoring.precedence.tricks import TRICKS, winner_of
from scoring.shape import GREATEST, JsonMapping

type Holding = tuple[str, ...]

SHOWS_A_MELD = 0.4  # how often a player who could show a meld does
STRENGTH = dict(zip(RANKS, range(13), strict=True))
# How many tricks an honour is worth, by rank; in a suit of which much is held, side honours are
# trumped.
HONOURS = {"E": 1.1, "P": 0.8, "C": 0.42}
LONG_TRUMP = 0.82  # each trump above the third
SHORT_SUIT = {0: 1.05, 1: 0.53}  # a suit of so many cards, for one who holds trumps
DOUBT = 0.45  # nobody counts exactly: so much more or less
STEADY = {"NS": 0.0, "EW": 0.0}
# How a table that writes down no cards records a hand, by the collections of all games.
SAID = ("hands", "calls", "bids", "contracts", "defences", "kings", "totals")
PASSES = 0.5  # how often who could pass does


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A hand as it went, every card of it; `winners` are the seats that won the tricks, in
    order.
    """

    dealer: str
    trump: str
    melds: tuple[DeclareMeld, ...]
    bids: tuple[tuple[str, int], ...]
    plays: tuple[Holding, ...]
    winners: tuple[str, ...]

    @property
    def tricks(self) -> tuple[int, int]:
        """Tricks of NS and EW."""
        ns = sum(seat in "NS" for seat in self.winners)
        return ns, TRICKS - ns


def play_hand(
    rng: Random, *, dealer: str, trump: str, nerve: Mapping[str, float] = STEADY
) -> PlayedHand:
    """Deal, show, bid and play one hand; `nerve` is how many tricks more than promised each player
    of a team bids.
    """
    pack = list(CARDS)
    rng.shuffle(pack)
    holdings = {
        seat: in_order(pack[13 * place : 13 * place + 13]) for place, seat in enumerate(SEATS)
    }
    melds = tuple(
        meld for seat in ROUND[LEFT[dealer]] for meld in _melds(rng, seat, holdings[seat])
    )
    bids = _bids(
        rng, {seat: promise(holdings[seat], trump) + nerve[TEAM[seat]] for seat in SEATS}, dealer
    )
    plays, winners = _play(holdings, melds, dealer, trump)
    return PlayedHand(
        dealer=dealer, trump=trump, melds=melds, bids=bids, plays=plays, winners=winners
    )


def sheet_of(hand: PlayedHand, *, detail: str, opening: OpenHand) -> Sheet:
    """The hand as a table writes it down: by `cards`, `winners` or `totals`."""
    return Sheet(
        opening=opening,
        melds=hand.melds,
        bids=hand.bids,
        plays=hand.plays if detail == "cards" else (),
        winners=hand.winners if detail == "winners" else (),
        tricks=hand.tricks if detail == "totals" else None,
    )


def _melds(rng: Random, seat: str, holding: Holding) -> Iterator[DeclareMeld]:
    """Yield the melds that this player declares: sets before runs, each card once (P6,
    P9).
    """
    free = list(holding)
    for kind, cards in [*_sets(holding), *_runs(holding)]:
        if set(cards) <= set(free) and rng.random() < SHOWS_A_MELD:
            free = [card for card in free if card not in cards]
            yield DeclareMeld(seat=seat, kind=kind, cards=cards)


def _sets(holding: Holding) -> Iterator[tuple[str, Holding]]:
    for rank in reversed(RANKS):
        alike = tuple(card for card in holding if card[0] == rank)
        if len(alike) >= 3:
            yield ("quad" if len(alike) == 4 else "triad"), alike


def _runs(holding: Holding) -> Iterator[tuple[str, Holding]]:
    """Whole runs only: the parts of one that is split would join end to end (P10)."""
    run: list[str] = []
    for card in [*holding, ""]:
        if run and not (
            card and card[1] == run[-1][1] and STRENGTH[card[0]] == STRENGTH[run[-1][0]] + 1
        ):
            if len(run) >= 3:
                yield "run", tuple(run)
            run = []
        run.append(card)


def _bids(rng: Random, promised: Mapping[str, float], dealer: str) -> tuple[tuple[str, int], ...]:
    """Each bids what the holding promises; partners stay within 13 together (P11)."""
    bids: dict[str, int] = {}
    for seat in ROUND[LEFT[dealer]]:
        tricks = max(0, round(promised[seat] + rng.uniform(-DOUBT, DOUBT)))
        bids[seat] = min(tricks, TRICKS - bids.get(PARTNER[seat], 0))
    return tuple(bids.items())


def promise(holding: Holding, trump: str) -> float:
    """Return the number of tricks that a holding is likely to win."""
    by_suit = {suit: [card for card in holding if card[1] == suit] for suit in SUITS}
    trumps = len(by_suit[trump])
    honours = sum(
        HONOURS.get(card[0], 0) * (0.6 if card[1] != trump and len(by_suit[card[1]]) > 5 else 1)
        for card in holding
    )
    ruffs = (
        sum(SHORT_SUIT.get(len(cards), 0) for suit, cards in by_suit.items() if suit != trump)
        if trumps >= 2
        else 0
    )
    return honours + LONG_TRUMP * max(0, trumps - 3) + ruffs


def _play(
    holdings: dict[str, Holding], melds: Sequence[DeclareMeld], dealer: str, trump: str
) -> tuple[tuple[Holding, ...], tuple[str, ...]]:
    held = {seat: list(holding) for seat, holding in holdings.items()}
    shown = {card for meld in melds for card in meld.cards}
    leader, plays, winners = LEFT[dealer], [], []
    for _ in range(TRICKS):
        trick: list[str] = []
        for seat in ROUND[leader]:
            card = _choice(legal(held[seat], shown, trick), seat, leader, trick, trump)
            held[seat].remove(card)
            trick.append(card)
        leader = winner_of(trick, leader, trump)
        plays.append(tuple(trick))
        winners.append(leader)
    return tuple(plays), tuple(winners)


def legal(held: Sequence[str], shown: set[str], trick: Sequence[str]) -> list[str]:
    """The cards that may be played: follow suit if able, declared cards before others (P13
    to P15).
    """
    following = [card for card in held if trick and card[1] == trick[0][1]] or list(held)
    return [card for card in following if card in shown] or following


def _choice(cards: list[str], seat: str, leader: str, trick: list[str], trump: str) -> str:
    """Lead high outside trumps; win as cheaply as possible, unless the partner wins already; else
    throw the lowest.
    """
    cheap = sorted(cards, key=lambda card: (card[1] == trump, STRENGTH[card[0]]))
    if not trick:
        return max(cards, key=lambda card: (card[1] != trump, STRENGTH[card[0]]))
    if winner_of(trick, leader, trump) == PARTNER[seat] and len(trick) > 1:
        return cheap[0]
    winning = [card for card in cheap if winner_of([*trick, card], leader, trump) == seat]
    if not winning:
        return cheap[0]
    return winning[0] if len(trick) == 3 else winning[-1]


def hand_by_chance(rng: Random, game: AnyGame, state: Any) -> tuple[list[object], Any]:  # noqa: ANN401 - the state of that game
    """The acts of the next hand and the state after them; `state` stands between two hands."""
    acts: list[object] = []
    while not acts or state.hand is not None:
        forms = game.legal_next(game.table(state))
        collection = rng.choice([name for name in SAID if name in forms])
        act = game.acts[collection](one_of_form(rng, rng.choice(forms[collection])), state.rules)
        state = game.folded(game.decide(act, state), state)
        acts.append(act)
    return acts, state


def one_of_form(rng: Random, form: Form) -> dict[str, object]:
    """An act that belongs to a form, without what may be left out."""
    chosen = {name: _one_of(rng, values) for name, values in form.items() if name != "sums"}
    return {name: value for name, value in chosen.items() if value is not None}


def _one_of(rng: Random, values: Sequence[object] | JsonMapping) -> object:
    """A value of one of the sets that `scoring.legal` describes, cards apart."""
    if not isinstance(values, Mapping):
        passed = "pass" in values and rng.random() < PASSES
        return "pass" if passed else rng.choice(values)
    if values.get("optional"):
        return None
    if "fields" in values:
        return one_of_form(rng, values["fields"])
    if "each" in values:
        return _lengths(rng, values["each"])
    return _a_number(rng, values)


def _lengths(rng: Random, each: Sequence[JsonMapping]) -> list[object]:
    """A number of each of these sets; after a 0 only more of them."""
    found: list[object] = []
    for numbers in each:
        found.append(0 if 0 in found else _a_number(rng, numbers))
    return found


def _a_number(rng: Random, numbers: JsonMapping) -> float:
    least, most, step = numbers["least"], numbers["most"], numbers["step"]
    if most == GREATEST:
        return float(least) if least % 1 else int(least)
    number = least + step * rng.randint(0, int((most - least) // step))
    return number if number % 1 else int(number)
