"""Corrections of an entry: its own name, its club, its rating, and the order in
which its players sit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scoring.errors import NotationError
from scoring.shape import an_object
from tournament.domain.same_fields import build_from
from tournament.domain.tournament.entries import Players, read_club, read_rating
from tournament.domain.tournament.lookups import an_entry, entry_refused, need_reason, refused
from tournament.domain.tournament.reading import a_key, a_reason, an_entry_name, keys_of
from tournament.domain.tournament.state import EntryState, State
from tournament.domain.tournament.subject import Command, Event, OfEntry, Subject, on_entry

type Order = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeEntry(OfEntry, Command):
    """Let an entry have another name of its own, club or rating, as far as these are among the
    `fields`, or let its players sit in this `order` of their places (() as they do).
    """

    fields: tuple[str, ...] = ()
    entry_name: str | None = None
    club: str | None = None
    rating: int | None = None
    order: Order = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChanged(OfEntry, Event):
    """The entry has this name of its own (a digest, None: it is called by its players), club and
    rating from here on, and its players sit in this `order` of their places; () as before.
    """

    entry_name: str | None
    club: str | None
    rating: int | None
    order: Order
    reason: str | None


def _change_entry(command: ChangeEntry, state: State) -> list[Event]:
    entry = an_entry(state, command.entry)
    seated = next((each.number for each in state.rounds if entry.id in each.seated), None)
    _check_order(command.order, entry, seated)
    new = {
        name: getattr(command if name in command.fields else entry, name)
        for name in ("entry_name", "club", "rating")
    }
    same = all(new[name] == getattr(entry, name) for name in new)
    if same and command.order in ((), tuple(place for place, _player in entry.players)):
        raise entry_refused("same_entry", "that is how entry %(entry)s is already", entry)
    if seated is not None:
        need_reason(
            command.reason,
            "say why: round %(round)s was drawn with entry %(entry)s as it is",
            round=seated,
            entry=entry.id,
        )
    return [build_from(EntryChanged, command, **new)]


def _check_order(order: Order, entry: EntryState, seated: int | None) -> None:
    places = {place for place, _player in entry.players}
    if order and (len(order) != len(places) or set(order) != places):
        raise NotationError(
            "every place of entry %(entry)s is expected here once", path="order", entry=entry.id
        )
    if order and seated is not None:
        raise refused(
            "entry_played",
            "entry %(entry)s sits in round %(round)s; its players change their order before its "
            "first round only",
            "order",
            entry=entry.id,
            round=seated,
        )


def _apply_entry_change(entry: EntryState, event: EntryChanged) -> EntryState:
    entry = replace(entry, entry_name=event.entry_name, club=event.club, rating=event.rating)
    if not event.order:
        return entry
    earlier = tuple((last, _in_order(players, event.order)) for last, players in entry.earlier)
    return replace(
        entry,
        players=_in_order(entry.players, event.order),
        earlier=earlier,
        entered=_in_order(entry.entered, event.order),
    )


def _in_order(players: Players, order: Order) -> Players:
    """The same people at the same places, in this order of the places they had."""
    of = dict(players)
    places = zip(of, order, strict=True) if of else ()
    return tuple((place, of[other]) for place, other in places)


def _read_change(value: object, _now: int) -> ChangeEntry:
    given: Mapping[str, object] = an_object(
        value, "", keys=("entry", "entry_name", "club", "rating", "order", "reason", "whole")
    )
    # A form says by one word that a field left empty is meant to be so.
    whole = given.get("whole") == "yes"
    return ChangeEntry(
        entry=a_key(given, "entry"),
        fields=tuple(name for name in ("entry_name", "club", "rating") if whole or name in given),
        entry_name=an_entry_name(given, "entry_name"),
        club=read_club(given, "club"),
        rating=read_rating(given, "rating"),
        order=keys_of(given, "order"),
        reason=a_reason(given, "reason"),
    )


SUBJECT = Subject(
    decisions={ChangeEntry: _change_entry},
    changes={EntryChanged: on_entry(_apply_entry_change)},
    shapes={("tournament.entry_changed", 1): EntryChanged},
    readers={"entry-changes": _read_change},
)
