"""Players and entries from lists, as other programs write them: every line told what it comes to,
looked at first or kept.
"""

import base64
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from rest_framework.request import Request

from scoring.errors import NotationError
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, add_etag, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.domain.tournament.entry_order import (
    Columns,
    ListReading,
    columns_of,
    read_list,
)
from tournament.domain.tournament.state import State
from tournament.exchange.entry_lists import Reported, enter_list, reading_for, try_list
from tournament.exchange.people_lists import lines_in, take_list_back
from tournament.formats.list_files import ListFile, check_text, read_list_file
from tournament.formats.player_list import (
    BAD,
    KNOWN,
    NEW,
    Line,
    Mapping,
    guess_columns,
    read_listed,
)
from tournament.models import Salon
from tournament.queries.tournament_visibility import public_or_404
from tournament.salons.players import keep_players

FILE = Meta(description="Instead of `text`: a file in base64, text or a workbook (XLSX, XLS, ODS).")
TURNED = Meta(description="Whether surnames stand first: “Casadei, Mara” is Mara Casadei.")
type Role = Literal["players", "first", "last", "club", "rating", "unused"]


class PlayerList(Struct, frozen=True, kw_only=True):
    """A list of players as text, one a line, or CSV: the columns (from 0) of the name, or of first
    and last name, and whether the first line only names them; what isn't said is guessed."""

    text: str = ""
    file: Annotated[str, FILE] = ""
    name: int | None = None
    second: int | None = None
    heading: bool | None = None
    turned: Annotated[bool, TURNED] = False


class PlayerListLine(Struct, frozen=True, kw_only=True):
    """What a line comes to: a `new` player, one `known`, one that came `again` in the list, or
    `bad` for the reason in `problem`.
    """

    number: int
    name: str
    kind: str
    problem: str


class PlayerListRead(Struct, frozen=True, kw_only=True):
    """A list of players line by line, and the columns it was read by."""

    name: int
    second: int | None
    heading: bool
    lines: list[PlayerListLine]


class PlayerListKept(Struct, frozen=True, kw_only=True):
    """How many lines were new players, who are in the salon now; how many were known, and how many
    could not be read.
    """

    new: int
    known: int
    bad: int


class PlayerListRemoved(Struct, frozen=True, kw_only=True):
    """How many players of a list were taken back; how many of those the salon knows stay: they have
    played, are entered somewhere, or came without a list.
    """

    taken_back: int
    stay: int


class EntryList(Struct, frozen=True, kw_only=True):
    """A list of entries as text: one a line, its players, then perhaps a club and a rating (`Asha &
    Cato; Core; 1510`), or CSV.

    With `singles` a name alone is somebody who waits for a partner. `columns` says what each column
    holds, and `heading` whether the first line only names them; without them both are recognised.
    """

    text: str = ""
    file: Annotated[str, FILE] = ""
    singles: bool = False
    columns: list[Role] | None = None
    heading: bool | None = None
    turned: Annotated[bool, TURNED] = False


class EntryListLine(Struct, frozen=True, kw_only=True):
    """A line of a list, and why it can't be entered ("" where it can); with what was read in it."""

    number: int
    text: str
    problem: str
    players: list[str]
    club: str | None
    rating: int | None


class EntryListRead(Struct, frozen=True, kw_only=True):
    """A list of entries line by line, on the version that the tournament has now, and the columns
    it was read by. Of a workbook `sheet` was read, `others` were not.
    """

    version: int
    lines: list[EntryListLine]
    columns: list[Role]
    heading: bool
    sheet: str = ""
    others: list[str] = []


class _ListVersion(Struct, frozen=True, kw_only=True):
    """That a list was taken under its key; who stands in it is told anew each time and kept nowhere
    else.
    """

    version: int


class ListViewSet(ApiViewSet):
    """Players and entries from lists, as other programs write them."""

    act = Permission.DIRECT
    without_key = ("preview_player_list", "preview_entry_list")

    @document_action(body=PlayerList)
    def preview_player_list(self, request: Request) -> PlayerListRead:
        """What every line of a list of players would come to; nothing is kept."""
        mapping, lines = _players(self.salon, self.body(PlayerList))
        told = [build_struct(PlayerListLine, line) for line in lines]
        return build_struct(PlayerListRead, mapping, lines=told)

    @document_action(body=PlayerList)
    def keep_player_list(self, request: Request) -> Answer[PlayerListKept]:
        """Make the players of a list that are new."""
        given = self.body(PlayerList)
        salon = self.salon

        def keep_list() -> PlayerListKept:
            _mapping, lines = _players(salon, given)
            keep_players(salon, [line.name for line in lines if line.kind == NEW])
            count = {kind: sum(line.kind == kind for line in lines) for kind in (NEW, KNOWN, BAD)}
            return PlayerListKept(new=count[NEW], known=count[KNOWN], bad=count[BAD])

        return answer_idempotently(self, ["player-list"], keep_list)

    @document_action(body=PlayerList)
    def take_player_list_back(self, request: Request) -> Answer[PlayerListRemoved]:
        """Take the players of a list back who came with one and have not played; the list kept
        again offers them again.
        """
        given = self.body(PlayerList)
        salon = self.salon

        def take_back() -> PlayerListRemoved:
            _mapping, lines = _players(salon, given)
            taken, stay = take_list_back(salon, lines)
            return PlayerListRemoved(taken_back=taken, stay=stay)

        return answer_idempotently(self, ["player-list-removal"], take_back)

    @document_action(body=EntryList)
    def preview_entry_list(self, request: Request, tournament: str) -> EntryListRead:
        """What would become of every line of a list of entries; nothing is kept."""
        at, given = public_or_404(self.visitor, tournament), self.body(EntryList)
        listed, reading = _entries(at.state, given)
        lines = read_list(listed.text, reading)
        tried = try_list(self.salon, at.state, lines, actor=self.visitor.actor)
        return _entries_read(at.row.version, tried, listed, reading)

    @document_action(body=EntryList)
    def enter_entry_list(self, request: Request, tournament: str) -> Answer[EntryListRead]:
        """Enter everybody on a list, line by line; what was refused says why. The same list under
        the same key enters nobody twice.
        """
        at, given = public_or_404(self.visitor, tournament), self.body(EntryList)
        listed, reading = _entries(at.state, given)
        answer: Answer[Any] = answer_idempotently(
            self, ["entry-list", at.row.pk], lambda: _ListVersion(version=at.row.version)
        )
        told = enter_list(at.row, read_list(listed.text, reading), **self.by)
        at.row.refresh_from_db()
        answer.data = _entries_read(at.row.version, told, listed, reading)
        return add_etag(answer, at.row.version)


def _players(salon: Salon, given: PlayerList) -> tuple[Mapping, list[Line]]:
    """The columns and lines of a list; a column that is not there is the first."""
    listed = read_listed(_read_list(given).text)
    if given.name is None:
        mapping = replace(guess_columns(listed), turned=given.turned)
    else:
        name, second = (
            column if column is not None and 0 <= column < listed.columns else None
            for column in (given.name, given.second)
        )
        mapping = Mapping(
            name=name or 0, second=second, heading=bool(given.heading), turned=given.turned
        )
    return mapping, lines_in(salon, listed, mapping)


def _read_list(given: PlayerList | EntryList) -> ListFile:
    """Return the list that was sent, as text or as a file. Raises NotationError."""
    if not given.file:
        return ListFile(text=check_text(given.text))
    try:
        content = base64.b64decode(given.file, validate=True)
    except ValueError:  # also of letters that base64 has not
        raise NotationError("a file in base64 is expected here", path="file") from None
    return read_list_file(content)


def _entries(state: State, given: EntryList) -> tuple[ListFile, ListReading]:
    """The list that was sent, and how it is to be read."""
    listed = _read_list(given)
    reading = reading_for(state, singles=given.singles, turned=given.turned)
    if given.columns is not None or given.heading is not None:
        guess, _first = columns_of(listed.text, reading)
        roles = guess.roles if given.columns is None else tuple(given.columns)
        heading = guess.heading if given.heading is None else given.heading
        reading = replace(reading, columns=Columns(roles=roles, heading=heading))
    return listed, reading


def _entries_read(
    version: int, lines: Iterable[Reported], listed: ListFile, reading: ListReading
) -> EntryListRead:
    columns, _first = columns_of(listed.text, reading)
    told = [
        EntryListLine(
            number=each.line.number,
            text=each.line.text,
            problem=each.problem,
            players=list(each.players),
            club=each.line.entry.club if each.line.entry else None,
            rating=each.line.entry.rating if each.line.entry else None,
        )
        for each in lines
        if not each.line.heading
    ]
    return EntryListRead(
        version=version,
        lines=told,
        columns=list(columns.roles),  # type: ignore[arg-type]  # ROLES
        heading=columns.heading,
        sheet=listed.sheet,
        others=list(listed.others),
    )
