"""Which acts a table of Contract Sabacc takes next, said exactly (see `scoring.legal`)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, product

from scoring.card_play import Refused, offer_play
from scoring.events import TricksAdjusted
from scoring.legal import Form, LegalNext, buy_ins, number, reasons, refusal_of, without_empty
from scoring.sabacc import totals
from scoring.sabacc.auction import WITH_TALON
from scoring.sabacc.cards import (
    ALL_POINTS,
    CARDS,
    HONOUR_BITS,
    IN_PACK,
    MASTER_BITS,
    ORDINARY_BITS,
    PACK,
    SUIT_OF,
    bits,
    cards_of,
)
from scoring.sabacc.deals import check_end
from scoring.sabacc.score import AT_THE_END, BONUS_NAMES, count_adjusted_tricks, piles, plain
from scoring.sabacc.state import HOLDING, INDEX, ROUND, Hand, Play
from scoring.sabacc.tricks import after_trick, check_following, check_possible, winner_of
from scoring.shape import JsonObject

type Bonus = tuple[str, str] | None


def legal_next(table: JsonObject) -> LegalNext:
    """The forms of the acts that may come next, by collection; `table` is what `table()` gave."""
    stage = table["stage"]
    if stage == "over":
        return {}
    if stage == "opening":
        return {"hands": [_opening(table)]}
    if stage == "calls":
        return without_empty({**_list_calls(table["hand"]), **_apart(table)})
    return without_empty(
        {
            **_apart(table),
            "tricks": [{"cards": {"trick": len(table["seats"])}}],
            **_list_counts(table),
        }
    )


def _opening(table: JsonObject) -> Form:
    dealer = table["next"]["dealer"]
    return {
        "dealer": [dealer, None] if dealer else table["seats"],
        "buy_ins": buy_ins(table["missing"], table["seats"]),
    }


def _list_calls(hand: JsonObject) -> LegalNext:
    named = [
        {"declarer": [seat], "contract": contracts}
        for seat, contracts in hand["may_name"].items()
        if contracts
    ]
    return {
        "calls": [
            {"seat": [seat], "call": calls} for seat, calls in hand["may_call"].items() if calls
        ],
        "contracts": [{"declarer": [None], "contract": [None]}, *named] if hand["may_name"] else [],
    }


def _apart(table: JsonObject) -> LegalNext:
    """Deal, talon and aside, each written down once before the first trick, the aside last (S2,
    S6).
    """
    hand, seats = table["hand"], table["seats"]
    if hand["winners"] or hand["aside"] is not None:
        return {}
    size, play = table["talon_size"], hand_of(table).play
    rest = {"of": [*cards_of(play.out | play.taken_up)]} if hand["dealt"] else {}
    return {
        "deals": []
        if hand["dealt"]
        else [{seat: _describe_holding(seat, table) for seat in seats}],
        "talons": [] if hand["talon"] is not None else [{"cards": {"cards": size, **rest}}],
        "asides": [{"cards": {"cards": size, **_loose(play, size)}}]
        if hand["contract"] in WITH_TALON
        else [],
    }


def _describe_holding(seat: str, table: JsonObject) -> Form:
    others = [other for other in table["seats"] if other != seat]
    return {
        "cards": table["tricks_in_all"],
        "without": table["hand"]["talon"] or [],
        "apart_from": others,
    }


def _loose(play: Play, size: int) -> Form:
    """Return the cards that may be set aside: Sabaccs only if they are known to be needed,
    and then every other card that may be (S6).
    """
    held = play.held[INDEX[play.declarer or ""]] if play.held is not None else PACK
    loose, ordinary = held & ~(HONOUR_BITS | MASTER_BITS), held & ORDINARY_BITS
    if play.held is None:
        return {"of": [*cards_of(loose)]}
    if ordinary.bit_count() >= size:
        return {"of": [*cards_of(ordinary)]}
    return {"of": [*cards_of(loose)], "with": [*cards_of(ordinary)]}


def _list_counts(table: JsonObject) -> LegalNext:
    """Card points and piles, by which bonus is said with them (S8, S11); none where the hand can't
    end with its aside.
    """
    hand, players = hand_of(table), len(table["seats"])
    if refusal_of(check_closing, hand, None) is not None:
        return {}
    own, other = piles(hand)
    legal: LegalNext = {"totals": [], "piles": []}
    for tricks, bonuses in _by_tricks(hand):
        said = [{"kind": bonus[0], "seat": bonus[1]} if bonus else None for bonus in bonuses]
        possible = {points for each in totals.points_by_tricks(bonuses[0], hand) for points in each}
        legal["totals"] += [
            {"points": points, "bonus": said}
            for points in _runs(possible & {*range(own, ALL_POINTS - other + 1)})
        ]
        piled = _piles(
            tricks,
            totals.apart_of(hand.contract or "", players),
            players,
            totals.room_for(bonuses[0], hand),
        )
        legal["piles"] += [pile | {"bonus": said} for pile in piled]
    return legal


def _by_tricks(hand: Hand) -> Iterator[tuple[range, list[Bonus]]]:
    """The bonuses that can be said, those together that leave the declarer as many tricks and the
    same honours.
    """
    said: list[Bonus] = [
        *(
            (kind, seat)
            for kind, seat in product(BONUS_NAMES, hand.accounts)
            if totals.may_be_earned(kind, seat, hand)
        )
    ]
    found: dict[tuple[range, bool | None], list[Bonus]] = {}
    for bonus in (*([None] if totals.may_be_none(hand) else []), *said):
        is_own = bonus[1] == hand.declarer if bonus and bonus[0] in AT_THE_END.values() else None
        found.setdefault((totals.declarers_tricks(bonus, hand), is_own), []).append(bonus)
    yield from ((tricks, bonuses) for (tricks, _), bonuses in found.items() if tricks)


def _runs(points: set[int]) -> Iterator[Form]:
    """Doubled points as numbers a whole point apart, without a gap."""
    for first in sorted(points):
        if first - 2 not in points:
            last = next(last for last in count(first, 2) if last + 2 not in points)
            yield number(plain(first), plain(last))


def _piles(tricks: range, apart: int, players: int, room: totals.Room) -> list[Form]:
    """Piles of so many tricks and the cards `apart`, whether the tricks are said or not."""
    if any(room.most[kind] < room.least[kind] for kind in IN_PACK):
        return []
    kinds = {
        kind: number(room.least[kind], room.most[kind], optional=not room.least[kind])
        for kind in IN_PACK
    }
    cards = {
        "of": dict.fromkeys(kinds, 1),
        **number(apart + players * tricks[0], apart + players * tricks[-1], players),
    }
    beside = {"of": dict.fromkeys(kinds, 1) | {"tricks": -players}, **number(apart, apart)}
    no_honours = {"of": dict.fromkeys(totals.PLAIN, 1), **number(room.plain)}
    return [
        {**kinds, "sums": [cards, no_honours]},
        {**kinds, "tricks": number(tricks[0], tricks[-1]), "sums": [beside, no_honours]},
    ]


def offer(table: JsonObject, drafted: Sequence[str]) -> JsonObject:
    """Return what may come next on the cards `drafted`, in the shape that `offer_play`
    gives; `table` is what `table()` gave, in stage `play`.
    """
    hand = table["hand"]
    play = _play(hand)
    order = ROUND[len(table["seats"])][play.leader]
    accepted = {(trick, seat) for trick, seat in hand["accepted"]}

    def check(lying: tuple[str, ...], card: str) -> None:
        seat = order[len(lying)]
        check_possible(play, seat, card, play.played | bits(lying), "")
        if (play.trick, seat) not in accepted:
            check_following(play, seat, card, SUIT_OF[lying[0]] if lying else None, "")

    def winner(lying: tuple[str, ...]) -> str:
        return winner_of(lying, order)

    def find_blocked_ends(refused: Refused, lying: tuple[str, ...]) -> Refused:
        return (
            _find_blocked_ends(table, lying, refused)
            if play.trick == table["tricks_in_all"]
            else {}
        )

    return offer_play(
        order,
        drafted,
        CARDS,
        check=check,
        winner_of=winner,
        suit_of=SUIT_OF.__getitem__,
        unended=find_blocked_ends,
    )


def _find_blocked_ends(
    table: JsonObject, drafted: tuple[str, ...], refused: Mapping[str, object]
) -> dict[str, dict[str, str]]:
    """The last cards that would show an aside that can't have been, or leave tricks that a ruling
    makes impossible (S6, S11).
    """
    hand = hand_of(table)
    ended = {
        card: after_trick(hand.play, (*drafted, card), hand.accepted)
        for card in CARDS
        if card not in refused
    }
    return reasons(
        {
            card: refusal_of(check_closing, hand._replace(play=play), None)
            for card, play in ended.items()
        }
    )


def check_closing(hand: Hand, state: None = None) -> None:
    """Raise RuleViolation for a hand that can't end as it was played or counted: its aside, or its
    tricks after rulings.
    """
    check_end(hand)
    if hand.counted is None and len(hand.play.winners) == HOLDING[len(hand.accounts)]:
        count_adjusted_tricks(hand)


def hand_of(table: JsonObject) -> Hand:
    """As much of the open hand as its play, its count and its end need."""
    hand = table["hand"]
    rulings = [ruling for ruling in hand.get("rulings", ()) if ruling["kind"] == "adjust_tricks"]
    adjusted = (
        TricksAdjusted(
            source=each.get("from"),
            target=each.get("to"),
            tricks=each["tricks"],
            by=each["by"],
            reason=each["reason"],
        )
        for each in rulings
    )
    return Hand(
        play=_play(hand),
        moves=(),
        number=hand["number"],
        dealer=hand["dealer"],
        first=hand["first_caller"],
        accounts={seat: seat for seat in table["seats"]},
        settled=True,
        declarer=hand["declarer"],
        contract=hand["contract"],
        aside=tuple(hand["aside"]) if hand["aside"] is not None else None,
        accepted=frozenset((trick, seat) for trick, seat in hand["accepted"]),
        adjusted=tuple(adjusted),
    )


def _play(hand: JsonObject) -> Play:
    cards = hand["cards"]
    return Play(
        leader=cards["leader"],
        cards=tuple(tuple(trick) for trick in hand["plays"]),
        winners=tuple(hand["winners"]),
        played=int(cards["played"], 16),
        held=tuple(int(own, 16) for own in cards["held"]) if cards["held"] is not None else None,
        out=int(cards["out"], 16),
        taken_up=int(cards["taken_up"], 16),
        loose=int(cards["loose"], 16),
        declarer=hand["declarer"],
        lacking=tuple(cards["lacking"]),
    )
