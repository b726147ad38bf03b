"""Screens on the wall: set up by directors, arranged, and held at one part."""

from collections.abc import Callable, Mapping
from functools import partial

from msgspec import Struct
from rest_framework.request import Request

from tournament.accounts.permissions import Permission
from tournament.api.games import find_first_version
from tournament.api.history import Events, events_of
from tournament.api.http.responses import (
    Answer,
    Done,
    answer_to_recording,
    answer_to_write,
    build_struct,
    make_versioned_answer,
)
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet, Page, PageQuery, page_of, read_collection
from tournament.domain.screens import rules
from tournament.models import Screen
from tournament.recording.screens import add_screen, keep_screen
from tournament.streams.texts import words_of


class PartOfScreen(Struct, frozen=True, kw_only=True):
    """What a screen shows: `kind` is seating, names, clock, tables, standings, bracket, podium,
    season or text, each screenful of it for so many `seconds` (5 to 600).

    `of` is the id of a tournament, for a season that of one; "" is whichever is on. `note` is what
    a text says, "" for everything else.
    """

    kind: str
    seconds: int = 15
    of: str = ""
    note: str = ""


class ScreenLine(Struct, frozen=True, kw_only=True):
    """A screen: it is opened at `/s/<address>/`, and shows nothing while it is `retired`."""

    id: str
    name: str
    address: str
    retired: bool
    version: int
    started_position: int


class ScreenDetail(Struct, frozen=True, kw_only=True):
    """A screen with its `parts` in the order shown, and the one that it is `held` at, null while
    they take turns.
    """

    id: str
    name: str
    address: str
    retired: bool
    version: int
    parts: list[PartOfScreen]
    held: PartOfScreen | None


class NewScreen(Struct, frozen=True, kw_only=True):
    """A screen to set up; without an `address` one is made of the name."""

    name: str
    address: str = ""


class ScreenAct(Struct, frozen=True, kw_only=True):
    """An act of a director: `name` and `parts` for `arrangements`, the first of the `parts` for
    `holds`, nothing for the others.
    """

    name: str = ""
    parts: list[PartOfScreen] = []


class ScreenViewSet(ApiViewSet):
    """Screens on the wall."""

    act = Permission.DIRECT

    @document_action(query=PageQuery)
    def list_screens(self, request: Request) -> Page[ScreenLine]:
        """The screens of the salon, the latest first."""
        rows = Screen.objects.filter(salon=self.salon)
        return page_of(request, rows).with_shape(partial(build_struct, ScreenLine))

    @document_action(body=NewScreen)
    def add_screen(self, request: Request) -> Answer[Done]:
        """Set up a screen; the key of this write, without dashes, is its id. An address that
        another one has is refused with `address_taken`.
        """
        new = self.body(NewScreen)
        replayed = Screen.objects.filter(pk=self.command, salon=self.salon).exists()
        name, address = " ".join(new.name.split()), new.address.strip().lower()
        row = add_screen(self.salon, name=name, address=address, **self.by)
        return answer_to_write(
            row.pk, find_first_version(row.salon, row.pk, self.command), replayed=replayed
        )

    def read_screen(self, request: Request, screen: str) -> Answer[ScreenDetail]:
        """A screen with what it shows. Its ETag begins with its version."""
        row = self.row(Screen, screen)
        state: rules.State = row.state
        held = (state.held,) if state.held is not None else ()
        parts = (*state.parts, *held)
        words = words_of(self.salon, [each.note for each in parts if each.note])
        shown = [build_struct(PartOfScreen, each, note=words.get(each.note, "")) for each in parts]
        count = len(state.parts)
        detail = build_struct(
            ScreenDetail, row, parts=shown[:count], held=next(iter(shown[count:]), None)
        )
        return make_versioned_answer(detail, row.version)

    @document_action(body=ScreenAct, version=True)
    def act_on_screen(self, request: Request, screen: str, collection: str) -> Answer[Done]:
        """Record one act: `arrangements` (name and parts), `holds` (this now), `releases` (in turn
        again), `retirements`, `returns`.
        """
        row = self.row(Screen, screen)
        act = read_collection(ACTS, collection)(self.body(ScreenAct))
        return answer_to_recording(
            keep_screen(self.salon, row.pk, act, **self.by, version=self.version)
        )

    @document_action(Permission.READ_HISTORY, query=PageQuery)
    def list_screen_events(self, request: Request, screen: str) -> Answer[Events]:
        """Every event of a screen in order; the cursor is a version of it."""
        return events_of(self, self.row(Screen, screen))


def _part(given: PartOfScreen) -> rules.Part:
    note = " ".join(given.note.split())
    return rules.Part(kind=given.kind, seconds=given.seconds, of=given.of, note=note)


def _hold_part(given: ScreenAct) -> rules.HoldPart:
    return rules.HoldPart(part=_part(given.parts[0] if given.parts else PartOfScreen(kind="")))


# The collection an act is sent to, and what it says; each raises Refusal.
ACTS: Mapping[str, Callable[[ScreenAct], rules.Keeping]] = {
    "arrangements": lambda given: rules.ArrangeScreen(
        name=" ".join(given.name.split()), parts=tuple(map(_part, given.parts))
    ),
    "holds": _hold_part,
    "releases": lambda _given: rules.LetGoOn(),
    "retirements": lambda _given: rules.RetireScreen(),
    "returns": lambda _given: rules.BringBackScreen(),
}
