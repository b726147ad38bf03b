"""Whist without bidding, a small whole game: the one module that a fifth game of the salon needs.

- W1 Four players, partners opposite, 52 cards (ranks low to high `2 … 9 T J Q K A`). The deal
  passes to the left.
- W2 Each player pays `stake` into the pot before the first deal.
- W3 The dealer's last card is turned up; its suit is trump.
- W4 The player left of the dealer leads. Follow suit if able. The highest trump wins, else the
  highest of the suit led.
- W5 A team scores one point for each trick above six.
- W6 The first team with `target` points wins the game and the pot; in a draw all four share it.

A hand of a record: `dealer`, `trump`, then `plays` (13 arrays of 4 cards, or fewer with a claim) or
`tricks` (by team).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import itemgetter
from typing import NamedTuple

from scoring.card_play import offer_play
from scoring.chips import share
from scoring.commands import EndGame, Opening, StartGame, Undo
from scoring.common_state import decide_undo, trim_trail
from scoring.deciding import (
    Decisions,
    build_act,
    build_decide,
    build_start_refusal,
    check_may_open,
    fact_of,
    hand_opened,
    no_open_hand,
    require_start,
)
from scoring.errors import NotationError, RuleViolation, sentence
from scoring.events import (
    SHARED_SHAPES,
    ChipsMoved,
    GameClosed,
    HandClosed,
    Opened,
    SharedEvent,
    Started,
)
from scoring.folding import Changes, begun, build_evolve, ended
from scoring.french import SUIT_NAMES, spellings
from scoring.game import ResultTable
from scoring.legal import LegalNext
from scoring.openings import read_margin
from scoring.options import Option, rules_reader
from scoring.pad_state import undoable
from scoring.seating import check_players
from scoring.shape import (
    JsonObject,
    a_list_of_codes,
    a_number,
    an_object,
    by_seat,
    each_under,
    one_of,
    perhaps,
    required,
)
from scoring.side_results import SideResult, side_results
from scoring.trick_game import TrickGame
from scoring.trick_states import DealtState

SEATS, POT, TRICKS = ("N", "E", "S", "W"), "pot", 13
SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}
TEAMS = {"NS": "North–South", "EW": "East–West"}
RANKS, SUITS = "23456789TJQKA", "CDHS"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
SPELLINGS = spellings(CARDS)
OPTIONS = (
    Option(
        name="stake",
        rule="W2",
        default=5,
        title="Stake",
        sense="Each pays so many chips before the first deal.",
    ),
    Option(
        name="target",
        rule="W6",
        default=5,
        title="Target",
        sense="So many points win the game.",
        least=1,
    ),
)
OPENING_KEYS = ("dealer", "trump", "note", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    stake: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand(Opening):
    trump: str
    dealer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTrick:
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountTricks:
    ns: int
    ew: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    opening: OpenHand
    plays: tuple[tuple[str, ...], ...] = ()
    tricks: CountTricks | None = None
    rulings: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started[Rules]):
    """A game began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened(Opened):
    dealer: str
    trump: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed(PlayTrick):
    """The cards of a trick in the order played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksCounted(CountTricks):
    """The tricks in all, by team."""


SHAPES: dict[tuple[str, int], type] = {
    **SHARED_SHAPES,
    ("whist.game_started", 1): GameStarted,
    ("whist.hand_opened", 1): HandOpened,
    ("whist.trick_played", 1): TrickPlayed,
    ("whist.tricks_counted", 1): TricksCounted,
}


class Play(NamedTuple):
    """The tricks of a hand: `lacking` are (seat, suit) pairs that are known to be void."""

    leader: str
    cards: tuple[tuple[str, ...], ...] = ()
    winners: tuple[str, ...] = ()
    lacking: frozenset[tuple[str, str]] = frozenset()

    @property
    def trick(self) -> int:
        return len(self.winners) + 1


class Hand(NamedTuple):
    """One deal."""

    play: Play
    moves: tuple[ChipsMoved, ...]
    opened: HandOpened
    tricks: tuple[int, int] = (0, 0)
    counted: bool = False

    @property
    def number(self) -> int:
        return self.opened.number

    @property
    def hand(self) -> "Hand":
        return self


type State = DealtState[Rules, Hand, Hand]
type Command = StartGame | EndGame | Undo | OpenHand | PlayTrick | CountTricks
type Event = SharedEvent | GameStarted | HandOpened | TrickPlayed | TricksCounted


def _start(command: Command) -> list[Event]:
    start, rules = require_start(command, Rules, rule="W1")
    expected = sentence("Whist is played by four, at the seats N, E, S and W")
    check_players(start.players, (SEATS,), expected)
    stakes = [_chips(seat, POT, rules.stake, "stake", "W2") for seat in SEATS if rules.stake]
    return [fact_of(GameStarted, start), *stakes]


def _open(command: OpenHand, state: State) -> list[Event]:
    check_may_open(state, over="W6", unopened="W1")
    due = _next_dealer(state)
    dealer = command.dealer or due
    if dealer is None:
        raise NotationError("the first hand names its dealer", path="dealer", rule="W1")
    if due not in (None, dealer):
        raise RuleViolation(
            "bad_dealer",
            f"{SEAT_NAMES[due]} deals this hand, not {SEAT_NAMES[dealer]}",
            rule="W1",
            path="dealer",
        )
    return [hand_opened(HandOpened, command, state, dealer=dealer)]


def _next_dealer(state: State) -> str | None:
    return _left(state.done[-1].opened.dealer) if state.done else None


def _play(command: PlayTrick, state: State) -> list[Event]:
    hand, event = _open_hand(state), TrickPlayed(cards=command.cards)
    check_trick(hand.play, command.cards)
    return [event] if hand.play.trick < TRICKS else _close(event, _take(hand, event).tricks, state)


def check_trick(play: Play, cards: Sequence[str]) -> None:
    """Raise RuleViolation for a card that may not lie where it does, or a trick that isn't 4 cards
    (W4).
    """
    path, out = f"plays[{len(play.cards)}]", [card for trick in play.cards for card in trick]
    if len(cards) != len(SEATS):
        raise RuleViolation(
            "bad_total", f"a trick is 4 cards, not {len(cards)}", rule="W4", path=path
        )
    for place, (seat, card) in enumerate(zip(_order(play.leader), cards, strict=True)):
        check_card(seat, card, (*out, *cards[:place]), play.lacking, f"{path}[{place}]")


def check_card(
    seat: str, card: str, gone: Sequence[str], lacking: frozenset[tuple[str, str]], path: str
) -> None:
    """Raise RuleViolation for a card that is out, or of a suit that its seat lacked before (W4)."""
    if card in gone:
        raise RuleViolation(
            "bad_total", f"{card} is played twice; it can be played once", rule="W4", path=path
        )
    if (seat, card[1]) in lacking:
        message = (
            f"{SEAT_NAMES[seat]} did not follow {SUIT_NAMES[card[1]]} before and can't have {card}"
        )
        raise RuleViolation("revoke", message, rule="W4", path=path)


def _count(command: CountTricks, state: State) -> list[Event]:
    hand, tricks = _open_hand(state), (command.ns, command.ew)
    if sum(tricks) != TRICKS or any(
        said < won for said, won in zip(tricks, hand.tricks, strict=True)
    ):
        message = (
            f"{command.ns} and {command.ew} can't be: 13 tricks, of which {hand.tricks[0]} "
            f"and {hand.tricks[1]} are recorded"
        )
        raise RuleViolation("bad_total", message, rule="W5", path="tricks")
    return _close(TricksCounted(ns=command.ns, ew=command.ew), tricks, state)


def _open_hand(state: State) -> Hand:
    if state.hand is None:
        raise no_open_hand(state, over="W6", unopened="W1")
    return state.hand


def _close(event: Event, tricks: tuple[int, int], state: State) -> list[Event]:
    score = _scored(score_of(state.done), tricks)
    closing: list[Event] = [event, HandClosed(number=_open_hand(state).opened.number)]
    return (
        [*closing, *_finish(GameClosed(kind="played"), score, state)]
        if max(score) >= state.rules.target
        else closing
    )


def _end(command: EndGame, state: State) -> list[Event]:
    if state.closed is not None or state.hand is not None or not state.done:
        raise RuleViolation(
            "out_of_turn", "a game is ended after a closed hand", rule="W6", path="ended"
        )
    return _finish(
        GameClosed(kind=command.kind, by=command.by, reason=command.reason),
        score_of(state.done),
        state,
    )


def _finish(event: GameClosed, score: tuple[int, int], state: State) -> list[Event]:
    among = [seat for team in _winners(score) for seat in team]
    return [
        event,
        *(
            _chips(POT, seat, chips, "pot", "W6")
            for seat, chips in share(state.balances.get(POT, 0), among)
        ),
    ]


def _chips(source: str, target: str, chips: int, why: str, rule: str) -> ChipsMoved:
    return ChipsMoved(source=source, target=target, chips=chips, why=why, rule=rule)


def _winners(score: tuple[int, int]) -> list[str]:
    return [team for team, points in zip(TEAMS, score, strict=True) if points == max(score)]


def _scored(score: tuple[int, int], tricks: tuple[int, int]) -> tuple[int, int]:
    return score[0] + max(0, tricks[0] - 6), score[1] + max(0, tricks[1] - 6)


def score_of(hands: Sequence[Hand]) -> tuple[int, int]:
    """The points of the two teams (W5)."""
    return reduce(_scored, (hand.tricks for hand in hands), (0, 0))


def _left(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 1) % len(SEATS)]


def _order(leader: str) -> tuple[str, ...]:
    return SEATS[SEATS.index(leader) :] + SEATS[: SEATS.index(leader)]


def _deal(state: State, event: HandOpened) -> State:
    return trim_trail(state._replace(hand=Hand(Play(_left(event.dealer)), (), event)))


def _take(hand: Hand, event: TrickPlayed) -> Hand:
    order, led = _order(hand.play.leader), event.cards[0][1]
    winner = winner_of(order, event.cards, hand.opened.trump)
    lacking = hand.play.lacking | {
        (seat, led) for seat, card in zip(order, event.cards, strict=True) if card[1] != led
    }
    play = Play(winner, (*hand.play.cards, event.cards), (*hand.play.winners, winner), lacking)
    return hand._replace(
        play=play, tricks=(hand.tricks[0] + (winner in "NS"), hand.tricks[1] + (winner in "EW"))
    )


def winner_of(order: Sequence[str], cards: Sequence[str], trump: str) -> str:
    """Who wins a trick: the highest trump, else the highest card of the suit led (W4)."""
    lying = zip(order, cards, strict=False)
    return max(
        lying,
        key=lambda pair: (pair[1][1] == trump, pair[1][1] == cards[0][1], RANKS.index(pair[1][0])),
    )[0]


def _counted(hand: Hand, event: TricksCounted) -> Hand:
    return hand._replace(tricks=(event.ns, event.ew), counted=True)


def _closed(state: State, event: HandClosed) -> State:
    hand = _open_hand(state)
    return state._replace(hand=None, done=(*state.done, hand))


IN_HAND: Changes[Hand] = {TrickPlayed: _take, TricksCounted: _counted}
CHANGES: Changes[State] = {HandOpened: _deal, HandClosed: _closed, GameClosed: ended}
DECISIONS: Decisions[State, Event] = {
    StartGame: build_start_refusal("W1"),
    OpenHand: _open,
    PlayTrick: _play,
    CountTricks: _count,
    EndGame: _end,
    Undo: decide_undo,
}
evolve: Callable[[State | None, Event], State] = build_evolve(
    DealtState, partial(begun, DealtState), in_hand=IN_HAND, changes=CHANGES
)
decide: Callable[[Command, State | None], list[Event]] = build_decide(_start, DECISIONS)
_add = build_act(decide, evolve)


def read_sheet(value: object, rules: Rules) -> Sheet:
    given = an_object(value, "", keys=(*OPENING_KEYS, "plays", "tricks"))
    if "plays" not in given and "tricks" not in given:
        raise NotationError(
            "how the tricks went is missing here: plays or tricks", path="tricks", rule="W5"
        )
    return Sheet(
        opening=_read_opening({key: given[key] for key in OPENING_KEYS if key in given}, rules),
        plays=each_under(given, "plays", _read_cards),
        tricks=perhaps(given, "tricks", _read_tricks),
    )


def _read_opening(value: object, rules: Rules) -> OpenHand:
    given = an_object(value, "", keys=OPENING_KEYS)
    return OpenHand(
        trump=one_of(required(given, "trump", ""), SUITS, "trump"),
        dealer=perhaps(given, "dealer", lambda seat, path: one_of(seat, SEATS, path)),
        **read_margin(given, ()),
    )


def _read_cards(value: object, path: str) -> tuple[str, ...]:
    return a_list_of_codes(value, path, CARDS, _read_card)


def _read_card(value: object, path: str) -> str:
    if not isinstance(value, str) or value not in SPELLINGS:
        raise NotationError(
            "a card is a rank of 2 to 9, T, J, Q, K, A and a suit of C, D, H, S, as AS", path=path
        )
    return SPELLINGS[value]


def _read_trick(value: object, rules: Rules) -> PlayTrick:
    return PlayTrick(
        cards=_read_cards(required(an_object(value, "", keys=("cards",)), "cards", ""), "cards")
    )


def _read_tricks(value: object, rules: object) -> CountTricks:
    given = by_seat(value, "tricks", TEAMS, a_number)
    return CountTricks(ns=required(given, "NS", "tricks"), ew=required(given, "EW", "tricks"))


def decide_sheet(sheet: Sheet, state: State) -> tuple[list[Event], State]:
    events: list[Event] = []
    after = _add(_acts(sheet, opened=state.hand is not None), state, events)
    if after.played == state.played:
        message = (
            f"{len(sheet.plays)} tricks are written down; 13 are, or the totals say how the "
            f"rest went"
        )
        raise RuleViolation("bad_total", message, rule="W5", path="tricks")
    if sheet.tricks is not None and after.done[-1].tricks != (sheet.tricks.ns, sheet.tricks.ew):
        raise RuleViolation(
            "bad_total", "the tricks were others as played", rule="W5", path="tricks"
        )
    return events, after


def _acts(sheet: Sheet, *, opened: bool) -> Iterator[Command]:
    yield from () if opened else (sheet.opening,)
    yield from (PlayTrick(cards=cards) for cards in sheet.plays)
    yield from (sheet.tricks,) if sheet.tricks is not None and len(sheet.plays) < TRICKS else ()


def write_hands(state: State) -> list[JsonObject]:
    return [_written(hand) for hand in state.done]


def _written(hand: Hand) -> JsonObject:
    opened = hand.opened
    sheet: JsonObject = {"dealer": opened.dealer, "trump": opened.trump}
    sheet |= {
        key: value for key, value in (("note", opened.note), ("at", opened.at)) if value is not None
    }
    sheet |= {"plays": [list(cards) for cards in hand.play.cards]} if hand.play.cards else {}
    return sheet | ({"tricks": dict(zip(TEAMS, hand.tricks, strict=True))} if hand.counted else {})


def hand_results(state: State, above: int) -> list[JsonObject]:
    found = []
    for place, hand in enumerate(state.done, 1):
        score = score_of(state.done[:place])
        result = {
            "number": hand.opened.number,
            "dealer": hand.opened.dealer,
            "trump": hand.opened.trump,
        }
        result |= {
            "tricks": dict(zip(TEAMS, hand.tricks, strict=True)),
            "score": dict(zip(TEAMS, score, strict=True)),
        }
        lines = [
            {"team": team, "points": max(0, won - 6), "rule": "W5"}
            for team, won in zip(TEAMS, hand.tricks, strict=True)
        ]
        found.append({"result": result, "why": {"lines": lines}})
    return found[above:]


def sides(hand: JsonObject) -> list[SideResult]:
    points = {line["team"]: line["points"] for line in hand["why"]["lines"]}
    return [each._replace(points=points[each.side]) for each in side_results(hand)]


def result(state: State) -> JsonObject:
    shown = table(state)
    hands = [hand["result"] for hand in hand_results(state, 0)]
    known = {
        "id": state.record,
        "game": "whist",
        "hands": hands,
        "finished": state.closed is not None,
    }
    return known | {key: shown[key] for key in ("winners", "score", "chips", "pots")}


def result_table(result: JsonObject) -> ResultTable:
    rows = (
        (str(hand["number"]), *(str(hand["tricks"][team]) for team in TEAMS))
        for hand in result["hands"]
    )
    sums = (
        f"Points: {', '.join(f'{name} {result["score"][team]}' for team, name in TEAMS.items())}.",
    )
    return ResultTable(columns=("", *TEAMS.values()), rows=tuple(rows), sums=sums)


def table(state: State) -> JsonObject:
    hand = state.hand
    return {
        "stage": "over" if state.closed else "play" if hand else "opening",
        "score": dict(zip(TEAMS, score_of(state.done), strict=True)),
        "winners": _winners(score_of(state.done))
        if state.closed and state.closed.has_result
        else [],
        "closed": state.closed.kind if state.closed else None,
        "chips": {seat: state.balances.get(seat, 0) for seat in SEATS},
        "pots": {POT: state.balances.get(POT, 0)},
        "target": state.rules.target,
        "hands": state.played,
        "next": {"number": state.played + 1, "dealer": _next_dealer(state), "trump": None},
        "hand": _shown(hand) if hand else None,
        "undo": undoable(state, SHAPES),
    }


def _shown(hand: Hand) -> JsonObject:
    return {
        "number": hand.opened.number,
        "dealer": hand.opened.dealer,
        "trump": hand.opened.trump,
        "trick": hand.play.trick,
        "leader": hand.play.leader,
        "tricks": dict(zip(TEAMS, hand.tricks, strict=True)),
        "won": list(hand.play.winners),
        "out": [card for cards in hand.play.cards for card in cards],
        "lacking": sorted(hand.play.lacking),
    }


def legal_next(table: JsonObject) -> LegalNext:
    hand, due = table["hand"], table["next"]["dealer"]
    if table["stage"] == "opening":
        return {"hands": [{"dealer": [due, None] if due else [*SEATS], "trump": [*SUITS]}]}
    if hand is None:
        return {}
    counts = range(hand["tricks"]["NS"], TRICKS + 1 - hand["tricks"]["EW"])
    return {
        "tricks": [{"cards": {"trick": 4}}],
        "totals": [{"NS": [ns], "EW": [TRICKS - ns]} for ns in counts],
    }


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """Who plays next on the cards drafted for the open trick, and which cards may come, as
    `offered` has it.
    """
    hand = table["hand"]
    order, lacking = (
        _order(hand["leader"]),
        frozenset((seat, suit) for seat, suit in hand["lacking"]),
    )
    return offer_play(
        order,
        [SPELLINGS.get(card, card) for card in drafted],
        CARDS,
        check=lambda lying, card: check_card(
            order[len(lying)], card, (*hand["out"], *lying), lacking, ""
        ),
        winner_of=lambda lying: winner_of(order, lying, hand["trump"]),
        suit_of=itemgetter(1),
    )


def _may_overdraw(state: State) -> bool:
    return True


WHIST: TrickGame[State, Command, Event, Rules, Sheet] = TrickGame(
    name="whist",
    title="Whist",
    sign="heart",
    letter="W",
    players="four, in two pairs",
    seatings=(SEATS,),
    seat_names=SEAT_NAMES,
    pot_names={POT: "Pot"},
    teams=TEAMS,
    options=OPTIONS,
    shapes=SHAPES,
    read_rules=rules_reader(Rules, OPTIONS),
    read_sheet=read_sheet,
    acts={"hands": _read_opening, "tricks": _read_trick, "totals": _read_tricks},
    decide=decide,
    decide_sheet=decide_sheet,
    evolve=evolve,
    write_hands=write_hands,
    hand_results=hand_results,
    sides=sides,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    offer=offer,
    may_overdraw=_may_overdraw,
)
