"""Confirmation of recorded hands: confirmed, disputed, ruled and made final
(Corrections and confirmation).

These facts stand beside a game's own: they move no chips and change no score. A hand is `entered`,
then `confirmed` by every side that did not enter it, or `disputed` and `ruled`; a game that is over
becomes `final`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.attestations import DIRECTOR as BY_DIRECTOR
from scoring.attestations import (
    LINK_OF_TABLE,
    OWN_PHONE,
    ActHandedOver,
    Attestation,
    DisputeRuled,
    GameFinalised,
    HandConfirmed,
    HandDisputed,
    HandEntered,
    SeatLinkMade,
    SecondEntryMade,
)
from scoring.common_state import GameState
from scoring.errors import RuleViolation, Sentence, sentence
from scoring.game import AnyGame
from scoring.shape import JsonObject

RULE = "Confirmation"
ENTERED, CONFIRMED, DISPUTED, RULED, FINAL = "entered", "confirmed", "disputed", "ruled", "final"
DIRECTOR = ""  # the director confirms where nobody else plays


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmHands:
    """Say that these hands are recorded right; `seat` is "" for the director, `how` and `pin` as in
    `HandConfirmed`, `link` whether the link of the seat says so.
    """

    hands: tuple[int, ...]
    seat: str
    how: str = ""
    pin: bool = False
    link: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeHand:
    """Say that a hand is not recorded right, and what it should be."""

    hand: int
    seat: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDispute:
    """Rule that a disputed hand stands as it is recorded."""

    hand: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSecondEntry:
    """Enter a closed hand again without having seen the first entry; `entry` is the hand as a
    record holds it, in canonical JSON.
    """

    hand: int
    entry: str
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeSeatLink:
    """Give a seat another link and PIN; `place` as in `SeatLinkMade`."""

    seat: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FinaliseGame:
    """Make a game that is over final; without a `by` the correction period has passed."""

    by: str | None = None
    reason: str | None = None


type Command = (
    ConfirmHands | DisputeHand | RuleDispute | MakeSecondEntry | MakeSeatLink | FinaliseGame
)


class Attested(NamedTuple):
    """Statements about one hand: the seat that entered it ("" a scorer), the seats that
    confirmed it and how (how, and whether with a PIN), an open dispute, the second
    entry, a ruling.
    """

    entered_by: str = ""
    confirmed_by: tuple[str, ...] = ()
    confirmed_how: tuple[tuple[str, bool], ...] = ()
    dispute: HandDisputed | None = None
    second: SecondEntryMade | None = None
    ruling: DisputeRuled | None = None


class Confirmation(NamedTuple):
    """Statements about a game's closed hands by number, and whether the game is final;
    `links` is where the link of each seat was made last, as in `SeatLinkMade`.
    """

    hands: Mapping[int, Attested] = {}
    final: bool = False
    links: Mapping[str, str] = {}


UNSAID = Attested()
NOTHING_SAID = Confirmation()


def sides_of(game: AnyGame, seats: Sequence[str]) -> tuple[str, ...]:
    """The sides of a game: its teams, or each seat where everybody plays alone; the director's
    where nobody else plays.
    """
    if game.teams:
        return tuple(game.teams)
    return tuple(seats) if len(seats) > 1 else (DIRECTOR,)


def side_of(game: AnyGame, seat: str) -> str:
    """The side that a seat belongs to."""
    return next((team for team in game.teams if seat and seat in team), seat)


def waits_for(game: AnyGame, seats: Sequence[str], attested: Attested) -> tuple[str, ...]:
    """The sides that still have to confirm a hand: all but the one that entered it and those that
    did.
    """
    if attested.ruling is not None or (attested.second is not None and attested.second.agrees):
        return ()
    done = {side_of(game, seat) for seat in attested.confirmed_by} | (
        {side_of(game, attested.entered_by)} if attested.entered_by else set()
    )
    return tuple(side for side in sides_of(game, seats) if side not in done)


def hand_state(game: AnyGame, seats: Sequence[str], attested: Attested) -> str:
    """`entered`, `confirmed`, `disputed` or `ruled`."""
    if attested.ruling is not None:
        return RULED
    if is_disputed(attested):
        return DISPUTED
    return ENTERED if waits_for(game, seats, attested) else CONFIRMED


def is_disputed(attested: Attested) -> bool:
    """Whether the director has to look at a hand: somebody disputes it, or two entries differ."""
    return attested.ruling is None and (
        attested.dispute is not None or (attested.second is not None and not attested.second.agrees)
    )


def game_state(game: AnyGame, seats: Sequence[str], played: int, confirmation: Confirmation) -> str:
    """`final`, else `disputed` when one of so many closed hands is, `confirmed` when all are
    settled, `entered` before.
    """
    if confirmation.final:
        return FINAL
    states = [
        hand_state(game, seats, confirmation.hands.get(number, UNSAID))
        for number in range(1, played + 1)
    ]
    if DISPUTED in states:
        return DISPUTED
    return ENTERED if ENTERED in states or not states else CONFIRMED


def decide(
    command: Command, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    """The facts of a command about a game's closed hands.

    Raises RuleViolation `game_over` once the game is final, `bad_total` for a hand that isn't
    closed, else `out_of_turn`.
    """
    if confirmation.final and not isinstance(command, MakeSeatLink):
        raise RuleViolation(
            "game_over",
            "the game is final; only a director can correct it, with a reason",
            rule=RULE,
        )
    return DECISIONS[type(command)](command, game, state, confirmation)


def _confirm(
    command: ConfirmHands, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    for hand in command.hands:
        attested = _find_attested_hand(hand, state, confirmation)
        if is_disputed(attested):
            raise _refusal(
                sentence("hand %(hand)s is disputed; the director rules first", hand=hand), "hand"
            )
        waiting = waits_for(game, list(state.players), attested)
        side = side_of(game, command.seat)
        if side not in waiting:
            raise _refusal(_why_not(game, attested, hand, side), "hand")
    if not command.hands:
        raise _refusal(sentence("no hand waits to be confirmed"), "hand")
    made_at = confirmation.links.get(command.seat, BY_DIRECTOR)
    elsewhere = command.link and command.how == OWN_PHONE
    how = LINK_OF_TABLE if elsewhere and made_at != BY_DIRECTOR else command.how
    return [
        HandConfirmed(hand=hand, seat=command.seat, how=how, pin=command.pin)
        for hand in command.hands
    ]


def _why_not(game: AnyGame, attested: Attested, hand: int, side: str) -> Sentence:
    if attested.entered_by and side_of(game, attested.entered_by) == side:
        return sentence(
            "hand %(hand)s was entered by this side; the other one confirms it", hand=hand
        )
    if side in {side_of(game, seat) for seat in attested.confirmed_by}:
        return sentence("this side has confirmed hand %(hand)s already", hand=hand)
    return sentence("hand %(hand)s doesn't wait for this side", hand=hand)


def _dispute(
    command: DisputeHand, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    attested = _find_attested_hand(command.hand, state, confirmation)
    if attested.ruling is not None:
        raise _refusal(
            sentence("the director has ruled on hand %(hand)s", hand=command.hand), "hand"
        )
    if attested.dispute is not None:
        raise _refusal(
            sentence("hand %(hand)s is disputed already; the director rules", hand=command.hand),
            "hand",
        )
    if side_of(game, command.seat) not in sides_of(game, list(state.players)):
        raise _refusal(sentence("only a player of the game can dispute a hand"), "seat")
    return [HandDisputed(hand=command.hand, seat=command.seat, reason=command.reason)]


def _rule(
    command: RuleDispute, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    if not is_disputed(_find_attested_hand(command.hand, state, confirmation)):
        raise _refusal(sentence("hand %(hand)s is not disputed", hand=command.hand), "hand")
    return [DisputeRuled(hand=command.hand, by=command.by, reason=command.reason)]


def _enter_again(
    command: MakeSecondEntry, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    attested = _find_attested_hand(command.hand, state, confirmation)
    if attested.second is not None:
        raise _refusal(
            sentence("hand %(hand)s was entered twice already", hand=command.hand), "hand"
        )
    if is_disputed(attested) or attested.ruling is not None:
        raise _refusal(
            sentence("hand %(hand)s is disputed; the director rules", hand=command.hand), "hand"
        )
    return [SecondEntryMade(hand=command.hand, entry=command.entry, agrees=command.agrees)]


def _make_link(
    command: MakeSeatLink, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    if command.seat not in state.players:
        raise _refusal(sentence("nobody sits at %(seat)s", seat=command.seat), "seat")
    if command.place != BY_DIRECTOR and _has_confirmed(command.seat, confirmation):
        message = sentence(
            "the player at %(seat)s has confirmed by the link of this seat; only a director makes "
            "another one",
            seat=command.seat,
        )
        raise _refusal(message, "seat")
    return [SeatLinkMade(seat=command.seat, place=command.place)]


def _has_confirmed(seat: str, confirmation: Confirmation) -> bool:
    """Whether a seat confirmed a hand by its own link or PIN."""
    return any(
        by == seat and (pin or how in (OWN_PHONE, LINK_OF_TABLE))
        for attested in confirmation.hands.values()
        for by, (how, pin) in zip(attested.confirmed_by, attested.confirmed_how, strict=True)
    )


def _finalise(
    command: FinaliseGame, game: AnyGame, state: GameState, confirmation: Confirmation
) -> list[Attestation]:
    if state.closed is None:
        raise _refusal(
            sentence("the game is not over yet; only one that is over can be final"), "game"
        )
    disputed = [hand for hand, attested in confirmation.hands.items() if is_disputed(attested)]
    if disputed:
        raise _refusal(
            sentence(
                "hand %(disputed)s is disputed; the director rules first", disputed=min(disputed)
            ),
            "hand",
        )
    return [GameFinalised(by=command.by, reason=command.reason)]


def _find_attested_hand(hand: int, state: GameState, confirmation: Confirmation) -> Attested:
    """Return the statements about a closed hand. Raises RuleViolation `bad_total` if there
    is no such hand.
    """
    if not state.played:
        raise RuleViolation("bad_total", "no hand is closed yet", rule=RULE, path="hand")
    if not 1 <= hand <= state.played:
        message = sentence(
            "there is no closed hand %(hand)s; hands 1 to %(played)s are",
            hand=hand,
            played=state.played,
        )
        raise RuleViolation("bad_total", message, rule=RULE, path="hand")
    return confirmation.hands.get(hand, UNSAID)


def _refusal(message: Sentence, path: str) -> RuleViolation:
    return RuleViolation("out_of_turn", message, rule=RULE, path=path)


def check_undo(before: GameState, after: GameState, confirmation: Confirmation) -> None:
    """Raise RuleViolation `out_of_turn` when an undo would take back a closed hand that somebody
    has confirmed, or a final game's end.
    """
    taken_back = range(after.played + 1, before.played + 1)
    if confirmation.final and (taken_back or (before.closed is not None and after.closed is None)):
        raise _refusal(
            sentence("the game is final; a director can correct it, with a reason"), "version"
        )
    for hand in taken_back:
        attested = confirmation.hands.get(hand, UNSAID)
        if attested.confirmed_by or attested.ruling is not None or attested.second is not None:
            raise _refusal(
                sentence(
                    "hand %(hand)s has been confirmed; it is corrected by a director now, not "
                    "taken back",
                    hand=hand,
                ),
                "version",
            )


def with_fact(attested: Attested, fact: Attestation) -> Attested:
    """Return the statements about a hand after one more fact about it."""
    match fact:
        case HandEntered():
            return attested._replace(entered_by=fact.seat)
        case HandConfirmed():
            how = (*attested.confirmed_how, (fact.how, fact.pin))
            return attested._replace(
                confirmed_by=(*attested.confirmed_by, fact.seat), confirmed_how=how
            )
        case HandDisputed():
            return attested._replace(dispute=fact)
        case SecondEntryMade():
            return attested._replace(second=fact)
        case DisputeRuled():
            return attested._replace(ruling=fact)
    return attested


def evolve_confirmation(confirmation: Confirmation, fact: Attestation) -> Confirmation:
    """Return the statements about a game after one more fact."""
    if isinstance(fact, GameFinalised):
        return confirmation._replace(final=True)
    if isinstance(fact, SeatLinkMade):
        return confirmation._replace(links={**confirmation.links, fact.seat: fact.place})
    if isinstance(fact, ActHandedOver):
        return confirmation
    attested = with_fact(confirmation.hands.get(fact.hand, UNSAID), fact)
    return confirmation._replace(hands={**confirmation.hands, fact.hand: attested})


def cut(confirmation: Confirmation, played: int) -> Confirmation:
    """Keep only the statements about the first `played` closed hands."""
    if all(hand <= played for hand in confirmation.hands):
        return confirmation
    return confirmation._replace(
        hands={hand: attested for hand, attested in confirmation.hands.items() if hand <= played}
    )


def folded(facts: Iterable[Attestation]) -> Confirmation:
    """Fold all of these facts into the statements about a game."""
    confirmation = NOTHING_SAID
    for fact in facts:
        confirmation = evolve_confirmation(confirmation, fact)
    return confirmation


DECISIONS: dict[type, Callable[[Any, AnyGame, GameState, Confirmation], list[Attestation]]] = {
    ConfirmHands: _confirm,
    DisputeHand: _dispute,
    RuleDispute: _rule,
    MakeSecondEntry: _enter_again,
    MakeSeatLink: _make_link,
    FinaliseGame: _finalise,
}


def write_confirmation(
    game: AnyGame, seats: Sequence[str], played: int, confirmation: Confirmation
) -> JsonObject:
    """Write the statements about a game as a JSON value: its state, and each hand with a
    statement; {} if there are none.
    """
    if not confirmation.hands and not confirmation.final:
        return {}
    hands = {
        str(hand): write_attested_hand(game, seats, attested)
        for hand, attested in confirmation.hands.items()
    }
    return {
        "state": game_state(game, seats, played, confirmation),
        "final": confirmation.final,
        "hands": hands,
    }


def write_attested_hand(
    game: AnyGame, seats: Sequence[str], attested: Attested = UNSAID
) -> JsonObject:
    """Write the statements about a hand as a JSON value; reasons and names as the facts
    have them.
    """
    dispute, second, ruling = attested.dispute, attested.second, attested.ruling
    return {
        "state": hand_state(game, seats, attested),
        "waits_for": list(waits_for(game, seats, attested)),
        "entered_by": attested.entered_by,
        "confirmed_by": list(attested.confirmed_by),
        "confirmed_how": [{"how": how, "pin": pin} for how, pin in attested.confirmed_how],
        "dispute": {"seat": dispute.seat, "reason": dispute.reason} if dispute else None,
        "second": {"entry": second.entry, "agrees": second.agrees} if second else None,
        "ruling": {"by": ruling.by, "reason": ruling.reason} if ruling else None,
    }
