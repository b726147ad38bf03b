"""A pile counted card by card: what it comes to, and what must agree (S8)."""

from dataclasses import replace

from scoring.errors import RuleViolation, sentence
from scoring.legal import reasons, refusal_of
from scoring.sabacc.cards import ALL_POINTS, IN_PACK, WORTHS
from scoring.sabacc.commands import CountPile
from scoring.sabacc.legal import check_closing, hand_of
from scoring.sabacc.score import NEEDED, plain
from scoring.sabacc.sheet import read_bonus
from scoring.sabacc.state import HOLDING, Hand
from scoring.sabacc.totals import PLAIN, apart_of, check_counted, declarers_tricks, room_for
from scoring.seating import check_seat
from scoring.shape import JsonObject, a_number, an_object


def pile_points(pile: CountPile) -> int:
    """Card points of the pile, doubled."""
    return sum(worth * getattr(pile, kind) for kind, worth in WORTHS.items())


def pile_cards(pile: CountPile) -> int:
    """Return the number of cards counted."""
    return sum(getattr(pile, kind) for kind in WORTHS)


def check_pile(pile: CountPile, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` unless so many cards can lie in the declarer's pile (S8)."""
    players = len(hand.accounts)
    if pile.seat is not None:
        check_seat(pile.seat, tuple(hand.accounts), "bonus.seat")
    for kind, most in IN_PACK.items():
        if not 0 <= getattr(pile, kind) <= most:
            message = sentence(
                "the pack has %(most)s %(kind)s, so the pile can't have %(counted)s",
                most=most,
                kind=kind,
                counted=getattr(pile, kind),
            )
            raise RuleViolation("bad_total", message, rule="S8", path=kind)
    cards, apart = pile_cards(pile), apart_of(hand.contract or "", players)
    if pile.tricks is not None and cards != pile.tricks * players + apart:
        beside = sentence(" and %(apart)s beside", apart=apart) if apart else ""
        message = sentence(
            "%(tricks)s tricks of %(players)s%(beside)s are %(expected)s cards; %(cards)s "
            "are counted",
            tricks=pile.tricks,
            players=players,
            beside=beside,
            expected=pile.tricks * players + apart,
            cards=cards,
        )
        raise RuleViolation("bad_total", message, rule="S8", path="others")
    if (cards - apart) % players or cards < apart:
        beside = sentence(", after %(apart)s from talon or aside", apart=apart) if apart else ""
        message = sentence(
            "%(cards)s cards are counted; a pile has whole tricks of %(players)s%(beside)s",
            cards=cards,
            players=players,
            beside=beside,
        )
        raise RuleViolation("bad_total", message, rule="S8", path="others")
    won = hand.play.winners.count(hand.declarer or "")
    possible = range(won, HOLDING[players] - len(hand.play.winners) + won + 1)
    if (cards - apart) // players not in possible:
        message = sentence(
            "%(cards)s cards are %(tricks)s tricks; by what is recorded it is %(least)s to "
            "%(most)s",
            cards=cards,
            tricks=(cards - apart) // players,
            least=possible[0],
            most=possible[-1],
        )
        raise RuleViolation("bad_total", message, rule="S8", path="others")
    _check_tricks((cards - apart) // players, _bonus_of(pile), hand)
    _check_kinds(pile, hand)


def _check_tricks(tricks: int, bonus: tuple[str, str] | None, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for a pile of so many tricks that the bonus, or its absence,
    rules out (S11).
    """
    possible = declarers_tricks(bonus, hand)
    if not possible or tricks in possible:
        return
    message = sentence(
        "%(declarer)s has %(tricks)s tricks by these cards; with this bonus it is "
        "%(least)s to %(most)s",
        declarer=hand.declarer,
        tricks=tricks,
        least=possible[0],
        most=possible[-1],
    )
    if bonus is None:
        message = sentence(
            "%(declarer)s has %(tricks)s tricks by these cards, which is a Slam or a Grand "
            "Slam of somebody; the bonus says whose",
            declarer=hand.declarer,
            tricks=tricks,
        )
    raise RuleViolation("bad_total", message, rule="S11", path="bonus")


def _bonus_of(pile: CountPile) -> tuple[str, str] | None:
    return (pile.bonus, pile.seat) if pile.bonus and pile.seat else None


def _check_kinds(pile: CountPile, hand: Hand) -> None:
    """Raise RuleViolation `bad_total` for cards of a kind that the pile can't have by what is
    recorded and by its bonus.
    """
    room = room_for(_bonus_of(pile), hand)
    for kind in IN_PACK:
        counted = getattr(pile, kind)
        if not room.least[kind] <= counted <= room.most[kind]:
            message = sentence(
                "by what is recorded the pile has %(least)s to %(most)s %(kind)s, not %(counted)s",
                least=room.least[kind],
                most=room.most[kind],
                kind=kind,
                counted=counted,
            )
            raise RuleViolation("bad_total", message, rule="S8", path=kind)
    if sum(getattr(pile, kind) for kind in PLAIN) < room.plain:
        message = sentence(
            "no honour is set aside, so %(plain)s cards of the pile or more are none",
            plain=room.plain,
        )
        raise RuleViolation("bad_total", message, rule="S6", path="honours")


def read_pile(value: object, rules: object) -> CountPile:
    """A pile as a pad counts it; what isn't there is 0. Raises NotationError."""
    given = an_object(value, "", keys=(*WORTHS, "tricks", "bonus"))
    kind, seat = read_bonus(given.get("bonus")) or (None, None)
    counts = {name: a_number(given.get(name, 0), name) for name in WORTHS}
    tricks = (
        a_number(given["tricks"], "tricks", least=0, most=HOLDING[3]) if "tricks" in given else None
    )
    return CountPile(**counts, tricks=tricks, bonus=kind, seat=seat)


def tally(table: JsonObject, value: JsonObject) -> JsonObject:
    """Evaluate a pile counted on a pad before it is recorded: both sides' points, the
    cards, the side that gets the wagers.

    `table` is what `table()` gave in stage `play`. Where the tricks are said and the other cards
    aren't, those are the rest. `fits` when the hand can end with this pile, `refused` why it can't
    though its cards are whole tricks. Raises NotationError for what is no pile.
    """
    pile = read_pile(value, None)
    hand, players = table["hand"], len(table["seats"])
    apart = apart_of(hand["contract"], players)
    expected = pile.tricks * players + apart if pile.tricks is not None else None
    if expected is not None and "others" not in value:
        pile = replace(pile, others=max(0, expected - pile_cards(pile)))
    cards, points = pile_cards(pile), pile_points(pile)
    is_whole = (
        (cards > apart or pile.tricks == 0)
        and (cards - apart) % players == 0
        and expected in (None, cards)
    )
    refused = reasons({"pile": refusal_of(_check_end, pile, hand_of(table))}) if is_whole else {}
    each, odd = divmod(table["pots"]["wager"], players - 1)
    return {
        "pile": {name: getattr(pile, name) for name in WORTHS},
        "others_said": "others" in value,
        "bonus": {"kind": pile.bonus, "seat": pile.seat, "chips": hand["bonuses"][pile.bonus]}
        if pile.bonus
        else None,
        "points": plain(points),
        "defenders": plain(ALL_POINTS - points),
        "cards": cards,
        "apart": apart,
        "tricks": pile.tricks,
        "expected": expected,
        "fits": is_whole and not refused,
        "refused": refused.get("pile"),
        "half": points % 2 == 1,
        "made": points >= NEEDED,
        "margin": plain(abs(points - NEEDED)),
        "each": each,
        "odd": odd,
        "width": f"{100 * min(points, ALL_POINTS) / ALL_POINTS:.1f}%",
    }


def _check_end(pile: CountPile, hand: Hand) -> None:
    """Raise RuleViolation unless the hand can end with this pile."""
    check_pile(pile, hand)
    check_counted(pile_points(pile), _bonus_of(pile), hand)
    check_closing(hand)
