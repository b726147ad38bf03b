"""Whist without bidding, a small whole game: the one module that a fifth game of the salon needs.

- W1 Four players, partners opposite, 52 cards (ranks low to high `2 … 9 T J Q K A`). The deal passes to the left.
- W2 Each player pays `stake` into the pot before the first deal.
- W3 The dealer's last card is turned up; its suit is trump.
- W4 The player left of the dealer leads. Follow suit if able. The highest trump wins, else the highest of the suit led.
- W5 A team scores one point for each trick above six.
- W6 The first team with `target` points wins the game and the pot; in a draw all four share it.

A hand of a record: `dealer`, `trump`, then `plays` (13 arrays of 4 cards, or fewer with a claim) or `tricks` (by team).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from scoring.chips import share
from scoring.commands import EndGame, StartGame, Undo
from scoring.errors import NotationError, RuleViolation
from scoring.events import SHARED_SHAPES, ChipsMoved, EntryRetracted, GameClosed, HandClosed
from scoring.french import SUIT_NAMES, spellings
from scoring.game import Game, ResultTable
from scoring.legal import LegalNext
from scoring.options import Option, read_options
from scoring.shape import a_list, a_number, a_text, a_time, an_object, by_seat, one_of, required
from scoring.spine import decide_undo, marked, retracted, trimmed, with_move

SEATS, POT, TRICKS = ("N", "E", "S", "W"), "pot", 13
SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}
TEAMS = {"NS": "North–South", "EW": "East–West"}
RANKS, SUITS = "23456789TJQKA", "CDHS"
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)
SPELLINGS = spellings(CARDS)
OPTIONS = (
    Option(name="stake", rule="W2", default=5, title="Stake", sense="Each pays so many chips before the first deal."),
    Option(name="target", rule="W6", default=5, title="Target", sense="So many points win the game.", least=1),
)
OPENING_KEYS = ("dealer", "trump", "note", "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    stake: int
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenHand:
    trump: str
    dealer: str | None = None
    note: str | None = None
    at: str | None = None
    players: tuple[tuple[str, str], ...] = ()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted:
    record: str
    rules: Rules
    players: tuple[tuple[str, str], ...]
    table: str | None = None
    played_on: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOpened:
    number: int
    dealer: str
    trump: str
    note: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlayed:
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TricksCounted:
    ns: int
    ew: int


SHAPES: dict[tuple[str, int], type] = {
    **SHARED_SHAPES,
    ("whist.game_started", 1): GameStarted,
    ("whist.hand_opened", 1): HandOpened,
    ("whist.trick_played", 1): TrickPlayed,
    ("whist.tricks_counted", 1): TricksCounted,
}
STORED_NAMES = {shape: name for (name, _), shape in SHAPES.items()}


class Hand(NamedTuple):
    """One deal: `lacking` are (seat, suit) pairs that are known to be void."""

    opened: HandOpened
    leader: str
    plays: tuple[tuple[str, ...], ...] = ()
    won: tuple[str, ...] = ()
    lacking: frozenset[tuple[str, str]] = frozenset()
    tricks: tuple[int, int] = (0, 0)
    counted: bool = False


class State(NamedTuple):
    """A game after `version` events."""

    version: int
    start: GameStarted
    hand: Hand | None = None
    done: tuple[Hand, ...] = ()
    score: tuple[int, int] = (0, 0)
    closed: GameClosed | None = None
    act: Any = None
    trail: tuple["State", ...] = ()
    opened: int = 0
    balances: Mapping[str, int] = {}
    bought: Mapping[str, int] = {}
    moves: tuple[tuple[int, ChipsMoved], ...] = ()

    record = property(lambda self: self.start.record)
    rules = property(lambda self: self.start.rules)
    players = property(lambda self: dict(self.start.players))
    table = property(lambda self: self.start.table)
    played_on = property(lambda self: self.start.played_on)
    note = property(lambda self: self.start.note)
    results = property(lambda self: self.done)
    played = property(lambda self: len(self.done))


def decide(command: Any, state: State | None) -> list[Any]:
    if state is None:
        return _start(command)
    match command:
        case OpenHand():
            return _open(command, state)
        case PlayTrick():
            return _play(command, state)
        case CountTricks():
            return _count(command, state)
        case EndGame():
            return _end(command, state)
        case Undo():
            return list(decide_undo(command, state))
    raise RuleViolation("out_of_turn", rule="W1", message="this game has been started already")


def _start(command: StartGame) -> list[Any]:
    players = dict(command.players)
    if tuple(players) != SEATS:
        raise NotationError("Whist is played by four, at the seats N, E, S and W", path="players")
    given = {field.name: getattr(command, field.name) for field in fields(GameStarted)}
    stake = command.rules.stake  # type: ignore[attr-defined]
    return [GameStarted(**given), *(_chips(seat, POT, stake, "stake", "W2") for seat in SEATS if stake)]


def _open(command: OpenHand, state: State) -> list[Any]:
    if state.closed is not None:
        raise RuleViolation("game_over", rule="W6", message="the game is over; no further hand belongs to it")
    if state.hand is not None:
        raise RuleViolation("out_of_turn", rule="W1", message=f"hand {state.hand.opened.number} is still open; finish it first")
    due = _next_dealer(state)
    dealer = command.dealer or due
    if dealer is None:
        raise NotationError("the first hand names its dealer", path="dealer", rule="W1")
    if due not in (None, dealer):
        raise RuleViolation("bad_dealer", rule="W1", message=f"{SEAT_NAMES[due]} deals this hand, not {SEAT_NAMES[dealer]}", path="dealer")
    return [HandOpened(number=state.played + 1, dealer=dealer, trump=command.trump, note=command.note, at=command.at)]


def _next_dealer(state: State) -> str | None:
    return _left(state.done[-1].opened.dealer) if state.done else None


def _play(command: PlayTrick, state: State) -> list[Any]:
    hand, event = _open_hand(state), TrickPlayed(cards=command.cards)
    check_trick(hand, command.cards)
    return [event] if len(hand.plays) < TRICKS - 1 else _close(event, _count_trick(hand, event).tricks, state)


def check_trick(hand: Hand, cards: Sequence[str]) -> None:
    """Raise RuleViolation for a card that is out, a suit that its seat lacked before, a trick that isn't 4 cards (W4)."""
    path = f"plays[{len(hand.plays)}]"
    if len(cards) != len(SEATS):
        raise RuleViolation("bad_total", rule="W4", message=f"a trick is 4 cards, not {len(cards)}", path=path)
    out = [card for trick in hand.plays for card in trick]
    for place, (seat, card) in enumerate(zip(_order(hand.leader), cards, strict=True)):
        if card in (*out, *cards[:place]):
            raise RuleViolation("bad_total", rule="W4", message=f"{card} is played twice; it can be played once", path=f"{path}[{place}]")
        if (seat, card[1]) in hand.lacking:
            message = f"{SEAT_NAMES[seat]} did not follow {SUIT_NAMES[card[1]]} before and can't have {card}"
            raise RuleViolation("revoke", rule="W4", message=message, path=f"{path}[{place}]")


def _count(command: CountTricks, state: State) -> list[Any]:
    hand, tricks = _open_hand(state), (command.ns, command.ew)
    if sum(tricks) != TRICKS or any(said < won for said, won in zip(tricks, hand.tricks, strict=True)):
        message = f"{command.ns} and {command.ew} can't be: 13 tricks, of which {hand.tricks[0]} and {hand.tricks[1]} are recorded"
        raise RuleViolation("bad_total", rule="W5", message=message, path="tricks")
    return _close(TricksCounted(ns=command.ns, ew=command.ew), tricks, state)


def _open_hand(state: State) -> Hand:
    if state.hand is None:
        raise RuleViolation("out_of_turn", rule="W1", message="no hand is open; open the next one first")
    return state.hand


def _close(event: Any, tricks: tuple[int, int], state: State) -> list[Any]:
    score = _scored(state.score, tricks)
    closing = [event, HandClosed(number=_open_hand(state).opened.number)]
    return [*closing, *_finish(GameClosed(kind="played"), score, state)] if max(score) >= state.rules.target else closing


def _end(command: EndGame, state: State) -> list[Any]:
    if state.closed is not None or state.hand is not None or not state.done:
        raise RuleViolation("out_of_turn", rule="W6", message="a game is ended after a closed hand", path="ended")
    return _finish(GameClosed(kind=command.kind, by=command.by, reason=command.reason), state.score, state)


def _finish(event: GameClosed, score: tuple[int, int], state: State) -> list[Any]:
    among = [seat for team in _winners(score) for seat in team]
    return [event, *(_chips(POT, seat, chips, "pot", "W6") for seat, chips in share(state.balances.get(POT, 0), among))]


def _chips(source: str, target: str, chips: int, why: str, rule: str) -> ChipsMoved:
    return ChipsMoved(source=source, target=target, chips=chips, why=why, rule=rule)


def _winners(score: tuple[int, int]) -> list[str]:
    return [team for team, points in zip(TEAMS, score, strict=True) if points == max(score)]


def _scored(score: tuple[int, int], tricks: tuple[int, int]) -> tuple[int, int]:
    return score[0] + max(0, tricks[0] - 6), score[1] + max(0, tricks[1] - 6)


def _left(seat: str) -> str:
    return SEATS[(SEATS.index(seat) + 1) % len(SEATS)]


def _order(leader: str) -> tuple[str, ...]:
    return SEATS[SEATS.index(leader) :] + SEATS[: SEATS.index(leader)]


def evolve(state: State | None, event: Any) -> State:
    if state is None:
        return State(version=1, start=event)
    if isinstance(event, ChipsMoved):
        return with_move(state, event)
    if isinstance(event, EntryRetracted):
        return retracted(state, event)
    begins = not isinstance(event, HandClosed) and getattr(event, "kind", "") != "played"
    state = marked(state, event) if begins else state
    state = state._replace(version=state.version + 1)
    if isinstance(event, HandOpened):
        return trimmed(state)._replace(hand=Hand(event, _left(event.dealer)))
    if isinstance(event, GameClosed):
        return state._replace(closed=event)
    hand = state.hand
    assert hand is not None
    if isinstance(event, TrickPlayed):
        return state._replace(hand=_count_trick(hand, event))
    if isinstance(event, TricksCounted):
        return state._replace(hand=hand._replace(tricks=(event.ns, event.ew), counted=True))
    return state._replace(hand=None, done=(*state.done, hand), score=_scored(state.score, hand.tricks))


def _count_trick(hand: Hand, event: TrickPlayed) -> Hand:
    order, led = _order(hand.leader), event.cards[0][1]
    winner = max(zip(order, event.cards, strict=True), key=lambda pair: _strength(pair[1], led, hand.opened.trump))[0]
    return hand._replace(
        leader=winner,
        plays=(*hand.plays, event.cards),
        won=(*hand.won, winner),
        lacking=hand.lacking | {(seat, led) for seat, card in zip(order, event.cards, strict=True) if card[1] != led},
        tricks=(hand.tricks[0] + (winner in "NS"), hand.tricks[1] + (winner in "EW")),
    )


def _strength(card: str, led: str, trump: str) -> tuple[bool, bool, int]:
    return card[1] == trump, card[1] == led, RANKS.index(card[0])


def read_sheet(value: object, rules: Rules) -> Sheet:
    given = an_object(value, "", keys=(*OPENING_KEYS, "plays", "tricks"))
    if "plays" not in given and "tricks" not in given:
        raise NotationError("how the tricks went is missing here: plays or tricks", path="tricks", rule="W5")
    plays = a_list(given.get("plays", []), "plays")
    return Sheet(
        opening=_read_opening({key: given[key] for key in OPENING_KEYS if key in given}, rules),
        plays=tuple(_read_cards(cards, f"plays[{place}]") for place, cards in enumerate(plays)),
        tricks=_read_tricks(given["tricks"], rules) if "tricks" in given else None,
    )


def _read_opening(value: object, rules: Rules) -> OpenHand:
    given = an_object(value, "", keys=OPENING_KEYS)
    return OpenHand(
        trump=one_of(required(given, "trump", ""), SUITS, "trump"),
        dealer=one_of(given["dealer"], SEATS, "dealer") if "dealer" in given else None,
        note=a_text(given["note"], "note") if "note" in given else None,
        at=a_time(given["at"], "at") if "at" in given else None,
    )


def _read_cards(value: object, path: str) -> tuple[str, ...]:
    cards = a_list(value, path)
    for place, card in enumerate(cards):
        if not isinstance(card, str) or card not in SPELLINGS:
            raise NotationError("a card is a rank of 2 to 9, T, J, Q, K, A and a suit of C, D, H, S, as AS", path=f"{path}[{place}]")
    return tuple(SPELLINGS[card] for card in cards)


def _read_trick(value: object, rules: Rules) -> PlayTrick:
    return PlayTrick(cards=_read_cards(required(an_object(value, "", keys=("cards",)), "cards", ""), "cards"))


def _read_tricks(value: object, rules: Rules) -> CountTricks:
    given = by_seat(value, "tricks", TEAMS, a_number)
    return CountTricks(ns=required(given, "NS", "tricks"), ew=required(given, "EW", "tricks"))


def decide_sheet(sheet: Sheet, state: State) -> tuple[list[Any], State]:
    events: list[Any] = []
    before = state.played
    opening = [sheet.opening] if state.hand is None else []
    told = len(sheet.plays) < TRICKS and sheet.tricks is not None
    for act in (*opening, *(PlayTrick(cards=cards) for cards in sheet.plays), *([sheet.tricks] if told else [])):
        for event in decide(act, state):
            events.append(event)
            state = evolve(state, event)
    if state.played == before:
        message = f"{len(sheet.plays)} tricks are written down; 13 are, or the totals say how the rest went"
        raise RuleViolation("bad_total", rule="W5", message=message, path="tricks")
    if sheet.tricks is not None and state.done[-1].tricks != (sheet.tricks.ns, sheet.tricks.ew):
        raise RuleViolation("bad_total", rule="W5", message="the tricks were others as played", path="tricks")
    return events, state


def write_hands(state: State) -> list[dict[str, Any]]:
    return [_written(hand) for hand in state.done]


def _written(hand: Hand) -> dict[str, Any]:
    opened = hand.opened
    sheet: dict[str, Any] = {"dealer": opened.dealer, "trump": opened.trump}
    sheet |= {key: value for key, value in (("note", opened.note), ("at", opened.at)) if value is not None}
    sheet |= {"plays": [list(cards) for cards in hand.plays]} if hand.plays else {}
    return sheet | ({"tricks": dict(zip(TEAMS, hand.tricks, strict=True))} if hand.counted else {})


def hand_results(state: State, above: int) -> list[dict[str, Any]]:
    found, score = [], (0, 0)
    for hand in state.done:
        score = _scored(score, hand.tricks)
        result = {"number": hand.opened.number, "dealer": hand.opened.dealer, "trump": hand.opened.trump}
        result |= {"tricks": dict(zip(TEAMS, hand.tricks, strict=True)), "score": dict(zip(TEAMS, score, strict=True))}
        lines = [{"team": team, "points": max(0, won - 6), "rule": "W5"} for team, won in zip(TEAMS, hand.tricks, strict=True)]
        found.append({"result": result, "why": {"lines": lines}})
    return found[above:]


def result(state: State) -> dict[str, Any]:
    shown = table(state)
    hands = [hand["result"] for hand in hand_results(state, 0)]
    known = {"id": state.record, "game": "whist", "hands": hands, "finished": state.closed is not None}
    return known | {key: shown[key] for key in ("winners", "score", "chips", "pots")}


def result_table(result: Mapping[str, Any]) -> ResultTable:
    rows = ((str(hand["number"]), *(str(hand["tricks"][team]) for team in TEAMS)) for hand in result["hands"])
    sums = (f"Points: {', '.join(f'{name} {result["score"][team]}' for team, name in TEAMS.items())}.",)
    return ResultTable(columns=("", *TEAMS.values()), rows=tuple(rows), sums=sums)


def table(state: State) -> dict[str, Any]:
    hand, trail = state.hand, state.trail
    return {
        "stage": "over" if state.closed else "play" if hand else "opening",
        "score": dict(zip(TEAMS, state.score, strict=True)),
        "winners": _winners(state.score) if state.closed and state.closed.has_result else [],
        "closed": state.closed.kind if state.closed else None,
        "chips": {seat: state.balances.get(seat, 0) for seat in SEATS},
        "pots": {POT: state.balances.get(POT, 0)},
        "target": state.rules.target,
        "hands": state.played,
        "next": {"number": state.played + 1, "dealer": _next_dealer(state), "trump": None},
        "hand": _shown(hand) if hand else None,
        "undo": {"version": trail[-1].version + 1, "act": {"type": STORED_NAMES[type(state.act)], **asdict(state.act)}} if trail else None,
    }


def _shown(hand: Hand) -> dict[str, Any]:
    return {
        "number": hand.opened.number,
        "dealer": hand.opened.dealer,
        "trump": hand.opened.trump,
        "trick": len(hand.plays) + 1,
        "leader": hand.leader,
        "tricks": dict(zip(TEAMS, hand.tricks, strict=True)),
        "won": list(hand.won),
        "out": [card for cards in hand.plays for card in cards],
        "lacking": sorted(hand.lacking),
    }


def legal_next(table: Mapping[str, Any]) -> LegalNext:
    hand, due = table["hand"], table["next"]["dealer"]
    if table["stage"] == "opening":
        return {"hands": [{"dealer": [due, None] if due else [*SEATS], "trump": [*SUITS]}]}
    if hand is None:
        return {}
    counts = range(hand["tricks"]["NS"], TRICKS + 1 - hand["tricks"]["EW"])
    return {"tricks": [{"cards": {"trick": 4}}], "totals": [{"NS": [ns], "EW": [TRICKS - ns]} for ns in counts]}


def offer(table: Mapping[str, Any], drafted: Sequence[str]) -> dict[str, Any]:
    """Who plays next on the cards drafted for the open trick, and which cards may come. Raises ValueError for what is no card."""
    hand, cards = table["hand"], [SPELLINGS[card] for card in drafted if card in SPELLINGS]
    if len(cards) < len(drafted) or len(cards) > len(SEATS):
        raise ValueError("that is no card of this trick")
    order, lacking = _order(hand["leader"]), {tuple(pair) for pair in hand["lacking"]}
    seat = order[len(cards)] if len(cards) < len(SEATS) else None
    gone = {*hand["out"], *cards}
    return {
        "seat": seat,
        "order": order,
        "drafted": cards,
        "legal": [card for card in CARDS if card not in gone and (seat, card[1]) not in lacking] if seat else [],
    }


def place(state: State) -> dict[str, int]:
    hand = state.hand
    return {"hand": hand.opened.number if hand else state.played + 1, "trick": len(hand.plays) + 1 if hand else 0}


def _may_overdraw(state: State) -> bool:
    return True


def _read_rules(given: object) -> Rules:
    return Rules(**read_options(given, OPTIONS))  # type: ignore[arg-type]


WHIST = Game(
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
    read_rules=_read_rules,
    write_rules=asdict,
    read_sheet=read_sheet,
    acts={"hands": _read_opening, "tricks": _read_trick, "totals": _read_tricks},
    decide=decide,
    decide_sheet=decide_sheet,
    evolve=evolve,
    write_hands=write_hands,
    hand_results=hand_results,
    result=result,
    result_table=result_table,
    table=table,
    legal_next=legal_next,
    offer=offer,
    place=place,
    may_overdraw=_may_overdraw,
)
