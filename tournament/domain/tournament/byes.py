"""Rounds that an entry asked not to be seated in."""

from dataclasses import dataclass, replace

from scoring.errors import sentence
from tournament.domain.checks import check_word
from tournament.domain.tournament.lookups import an_entry, refused
from tournament.domain.tournament.reading import a_count, a_key, one_from, reads
from tournament.domain.tournament.state import EntryState, State
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject, on_entry

HALF = "half"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskBye(OfEntry, Command):
    """Don't seat the entry in a round that is not drawn yet; `kind` is half or zero. Or give it
    half for one before it joined.
    """

    round: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeAsked(OfEntry, Event):
    """The entry asked not to be seated in a round; `kind` is half or zero."""

    round: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DropBye(OfEntry, Command):
    """Seat it in that round after all."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeDropped(OfEntry, Event):
    """The entry plays that round after all."""

    round: int


def _ask_bye(command: AskBye, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    check_word(command.kind, (HALF, "zero"), "kind")
    if command.round < entry.joined_in and command.kind != HALF:
        message = sentence(
            "entry %(entry)s joined after round %(round)s, which counts nothing for it",
            entry=entry.id,
            round=command.round,
        )
        raise refused("bye_asked", message, "kind")
    if entry.joined_in <= command.round < state.next_round:
        raise refused(
            "round_drawn",
            "round %(round)s is drawn already; ask before the draw, or drop it first",
            "round",
            round=command.round,
        )
    if dict(entry.asked).get(command.round) == command.kind:
        raise refused(
            "bye_asked", "entry %(entry)s has asked for that bye already", "round", entry=entry.id
        )
    return [ByeAsked(entry=entry.id, round=command.round, kind=command.kind)]


def _drop_bye(command: DropBye, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    if (
        command.round not in dict(entry.asked)
        or entry.joined_in <= command.round < state.next_round
    ):
        raise refused(
            "bye_asked",
            "entry %(entry)s has no bye to drop in round %(round)s",
            "round",
            entry=entry.id,
            round=command.round,
        )
    return [ByeDropped(entry=entry.id, round=command.round)]


def _with_bye(entry: EntryState, event: ByeAsked) -> EntryState:
    return replace(
        entry,
        asked=(
            *(each for each in entry.asked if each[0] != event.round),
            (event.round, event.kind),
        ),
    )


def _apply_bye_dropped(entry: EntryState, event: ByeDropped) -> EntryState:
    return replace(entry, asked=tuple(each for each in entry.asked if each[0] != event.round))


SUBJECT = Subject(
    decisions={AskBye: _ask_bye, DropBye: _drop_bye},
    changes={ByeAsked: on_entry(_with_bye), ByeDropped: on_entry(_apply_bye_dropped)},
    shapes={("tournament.bye_asked", 1): ByeAsked, ("tournament.bye_dropped", 1): ByeDropped},
    readers={
        "byes": reads(AskBye, entry=a_key, round=a_count, kind=one_from((HALF, "zero"), "zero")),
        "bye-cancellations": reads(DropBye, entry=a_key, round=a_count),
    },
)
