"""Facts about what was recorded, beside the game's own: who entered a hand, who confirmed or
disputed it, what was ruled.
"""

from dataclasses import dataclass
from typing import TypeIs

OWN_PHONE, TABLE_PHONE, SCORER, DIRECTOR = "own_phone", "table_phone", "scorer", "director"
LINK_OF_TABLE = "link_made_at_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEntered:
    """Closed hand `hand` was entered by a player at `seat`, not by a scorer."""

    hand: int
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandConfirmed:
    """Confirmation by the player at `seat` ("": by the director) that hand `hand` is
    recorded right.

    `how` says at whose phone: OWN_PHONE by the seat's own link or account, TABLE_PHONE and SCORER
    at a phone that records there, even if the seat's link was opened on it, DIRECTOR by the
    director's own word, LINK_OF_TABLE at another phone by a link that was made by whoever records
    at the table, "" where nobody wrote it down. `pin` is whether the PIN of the seat was given
    there; without it, it was a tap alone.
    """

    hand: int
    seat: str
    how: str = ""
    pin: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLinkMade:
    """The seat got another link and PIN, and the ones before ended: `place` is TABLE_PHONE, SCORER
    or DIRECTOR.
    """

    seat: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActHandedOver:
    """The act of the same command was tapped on another phone, and handed over to that of whoever
    sent it.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDisputed:
    """Dispute by the player at `seat` ("": by the director): hand `hand` is not recorded
    right, and `reason` says what it should be.
    """

    hand: int
    seat: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeRuled:
    """The director ruled that disputed hand `hand` stands as it is recorded."""

    hand: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondEntryMade:
    """Hand `hand` was entered again by somebody who had not seen the first entry; it `agrees` at
    the coarser detail or not.

    `entry` is the hand as a record holds it, in canonical JSON, without words and names.
    """

    hand: int
    entry: str
    agrees: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFinalised:
    """The game is final: by a director, or, where `by` is absent, because its correction period has
    passed.
    """

    by: str | None = None
    reason: str | None = None


type Attestation = (
    HandEntered
    | HandConfirmed
    | HandDisputed
    | DisputeRuled
    | SecondEntryMade
    | SeatLinkMade
    | ActHandedOver
    | GameFinalised
)

ATTESTATION_SHAPES: dict[tuple[str, int], type[Attestation]] = {
    ("hand.entered", 1): HandEntered,
    ("hand.confirmed", 1): HandConfirmed,  # without how, which the defaults stand for
    ("hand.confirmed", 2): HandConfirmed,
    ("hand.disputed", 1): HandDisputed,
    ("dispute.ruled", 1): DisputeRuled,
    ("hand.second_entry", 1): SecondEntryMade,
    ("seat.link_made", 1): SeatLinkMade,
    ("act.handed_over", 1): ActHandedOver,
    ("game.finalised", 1): GameFinalised,
}
ATTESTATIONS = frozenset(ATTESTATION_SHAPES.values())


def is_attestation(fact: object) -> TypeIs[Attestation]:
    """Whether a fact is one about what was recorded."""
    return type(fact) in ATTESTATIONS
