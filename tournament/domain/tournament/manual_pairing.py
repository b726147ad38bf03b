"""A drawn round paired by hand: a director says that it begins, changes places, and says that it is
over. In between the round can't be published.

What the engine drew stays beside it (`RoundState.drawn`); a new draw ends it, too.
"""

from dataclasses import dataclass, replace

from tournament.domain.tournament.lookups import an_open_round, need_reason, round_refused
from tournament.domain.tournament.reading import a_count, a_needed_reason, reads
from tournament.domain.tournament.state import State
from tournament.domain.tournament.subject import Command, Event, OfRound, Subject, on_round


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginManualPairing(OfRound, Command):
    """Begin to pair a drawn round by hand, before it is published."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualPairingBegun(OfRound, Event):
    """A round is being paired by hand; it is not published before that has ended."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndManualPairing(OfRound, Command):
    """Let the round stand as it is paired now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualPairingEnded(OfRound, Event):
    """The round stands as it was paired by hand."""


def _begin(command: BeginManualPairing, state: State) -> list[Event]:
    each = an_open_round(state, command.round)
    if each.published or each.has_started:
        raise round_refused(
            "round_started",
            "round %(number)s is published or has begun; hide it again before it is paired by hand",
            each.number,
        )
    if each.manual:
        raise round_refused(
            "manual_pairing", "round %(number)s is being paired by hand already", each.number
        )
    need_reason(command.reason, "say why the round is paired by hand")
    return [ManualPairingBegun(round=each.number, reason=command.reason)]


def _end(command: EndManualPairing, state: State) -> list[Event]:
    each = an_open_round(state, command.round)
    if not each.manual:
        raise round_refused(
            "manual_pairing", "round %(number)s is not being paired by hand", each.number
        )
    return [ManualPairingEnded(round=each.number)]


SUBJECT = Subject(
    decisions={BeginManualPairing: _begin, EndManualPairing: _end},
    changes={
        ManualPairingBegun: on_round(
            lambda each, event: replace(each, manual=True, manual_reason=event.reason)
        ),
        ManualPairingEnded: on_round(lambda each, _event: replace(each, manual=False)),
    },
    shapes={
        ("tournament.manual_pairing_begun", 1): ManualPairingBegun,
        ("tournament.manual_pairing_ended", 1): ManualPairingEnded,
    },
    readers={
        "manual-pairings": reads(BeginManualPairing, round=a_count, reason=a_needed_reason),
        "manual-pairing-endings": reads(EndManualPairing, round=a_count),
    },
)
