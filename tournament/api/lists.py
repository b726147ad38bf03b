"""Players and entries from lists, as other programs write them: every line told what it comes to,
looked at first or kept.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from rest_framework.request import Request

from tournament.accounts.permissions import Act
from tournament.api.http.responses import Answer, answer_once, shaped, tagged
from tournament.api.http.schema import takes
from tournament.api.http.viewsets import ApiViewSet
from tournament.exchange.entry_lists import Reported, enter_list, lines_of, try_list
from tournament.formats import player_list
from tournament.formats.player_list import BAD, KNOWN, NEW, Line, Mapping, guessed, read_listed
from tournament.models import Player, Salon
from tournament.queries.visible import public_or_404
from tournament.salons.players import keep_players


class PlayerList(Struct, frozen=True, kw_only=True):
    """A list of players as text, one a line, or CSV: the columns (from 0) of the name, or of first
    and last name, and whether the first line only names them; what isn't said is guessed."""

    text: str
    name: int | None = None
    second: int | None = None
    heading: bool | None = None


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


class EntryList(Struct, frozen=True, kw_only=True):
    """A list of entries as text: one a line, its players, then perhaps a club and a rating (`Asha &
    Cato; Core; 1510`), or CSV.

    With `singles` a name alone is somebody who waits for a partner.
    """

    text: str
    singles: bool = False


class EntryListLine(Struct, frozen=True, kw_only=True):
    """A line of a list, and why it can't be entered ("" where it can)."""

    number: int
    text: str
    problem: str


class EntryListRead(Struct, frozen=True, kw_only=True):
    """A list of entries line by line, on the version that the tournament has now."""

    version: int
    lines: list[EntryListLine]


class _ListVersion(Struct, frozen=True, kw_only=True):
    """That a list was taken under its key; who stands in it is told anew each time and kept nowhere
    else.
    """

    version: int


class ListViewSet(ApiViewSet):
    """Players and entries from lists, as other programs write them."""

    act = Act.DIRECT
    without_key = ("preview_player_list", "preview_entry_list")

    @takes(body=PlayerList)
    def preview_player_list(self, request: Request) -> PlayerListRead:
        """What every line of a list of players would come to; nothing is kept."""
        mapping, lines = _players(self.salon, self.body(PlayerList))
        told = [shaped(PlayerListLine, line) for line in lines]
        return shaped(PlayerListRead, mapping, lines=told)

    @takes(body=PlayerList)
    def keep_player_list(self, request: Request) -> Answer[PlayerListKept]:
        """Make the players of a list that are new."""
        given = self.body(PlayerList)
        salon = self.salon

        def keep_list() -> PlayerListKept:
            _mapping, lines = _players(salon, given)
            keep_players(salon, [line.name for line in lines if line.kind == NEW])
            count = {kind: sum(line.kind == kind for line in lines) for kind in (NEW, KNOWN, BAD)}
            return PlayerListKept(new=count[NEW], known=count[KNOWN], bad=count[BAD])

        return answer_once(self, ["player-list"], keep_list)

    @takes(body=EntryList)
    def preview_entry_list(self, request: Request, tournament: str) -> EntryListRead:
        """What would become of every line of a list of entries; nothing is kept."""
        at, given = public_or_404(self.visitor, tournament), self.body(EntryList)
        lines = lines_of(at.state, given.text, singles=given.singles)
        tried = try_list(self.salon, at.state, lines, actor=self.visitor.actor)
        return EntryListRead(version=at.row.version, lines=_entry_lines(tried))

    @takes(body=EntryList)
    def enter_entry_list(self, request: Request, tournament: str) -> Answer[EntryListRead]:
        """Enter everybody on a list, line by line; what was refused says why. The same list under
        the same key enters nobody twice.
        """
        at, given = public_or_404(self.visitor, tournament), self.body(EntryList)
        answer: Answer[Any] = answer_once(
            self, ["entry-list", at.row.pk], lambda: _ListVersion(version=at.row.version)
        )
        lines = lines_of(at.state, given.text, singles=given.singles)
        told = _entry_lines(enter_list(at.row, lines, **self.by))
        at.row.refresh_from_db()
        answer.data = EntryListRead(version=at.row.version, lines=told)
        return tagged(answer, at.row.version)


def _players(salon: Salon, given: PlayerList) -> tuple[Mapping, list[Line]]:
    """The columns and lines of a list; a column that is not there is the first."""
    listed = read_listed(given.text)
    guess = guessed(listed)
    if given.name is None:
        mapping = guess
    else:
        name, second = (
            column if column is not None and 0 <= column < listed.columns else None
            for column in (given.name, given.second)
        )
        mapping = Mapping(name=name or 0, second=second, heading=bool(given.heading))
    known = set(Player.objects.filter(salon=salon).values_list("name", flat=True))
    return mapping, list(player_list.lines_of(listed, mapping, known))


def _entry_lines(lines: Iterable[Reported]) -> list[EntryListLine]:
    return [
        EntryListLine(number=each.line.number, text=each.line.text, problem=each.problem)
        for each in lines
        if not each.line.heading
    ]
