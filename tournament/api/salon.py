"""The salon, its people and its tables, with the links that let a phone record."""

import json
from dataclasses import dataclass
from typing import Annotated

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from msgspec import Meta

from ledger.reading import head_of
from scoring.games import GAMES
from tournament.accounts.access import game_or_404, table_or_404
from tournament.accounts.access_log import note
from tournament.accounts.permissions import Act, Visitor
from tournament.accounts.seat_links import links_of, renew_seat
from tournament.accounts.table_links import renew
from tournament.api.games import Person
from tournament.api.http.idempotency import once
from tournament.api.http.operations import Call, operation
from tournament.api.http.responses import MOST, USUAL, Answer, Page, paged
from tournament.domain.names import in_alphabet
from tournament.models import Game, GameSeat, Player, Salon, SeatLink, Table
from tournament.queries.chips import chips_won
from tournament.queries.players import fitting
from tournament.recording.tables.listed import labels_of
from tournament.salons.players import names_of
from tournament.salons.public_names import called
from tournament.streams.correction_period import house_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SalonLine:
    """A salon, what this visitor is in it and may do there, and the position of its log's last
    event.
    """

    slug: str
    name: str
    role: str
    may: list[str]
    head: int
    correction_hours: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerDetail:
    """A player: games, and chips won for those who may read the books (else null)."""

    id: str
    name: str
    games: int
    chips: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A table of the salon: the game that is played there (null: none), and whether this visitor
    may record there.
    """

    label: str
    game: str | None
    may_record: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link that lets a phone in, and the PIN that it asks for."""

    address: str
    pin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSlip:
    """A seat of a game: who sits there, and the link and PIN by which this player confirms.

    Directors alone read those (null to others): whoever records makes new ones, which are said to
    them this once.
    """

    seat: str
    player: Person
    link: Link | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPlayers:
    """Which players."""

    q: Annotated[
        str,
        Meta(
            max_length=80,
            description="Whose first or last name begins so, whatever the case and accents.",
        ),
    ] = ""
    cursor: Annotated[
        int, Meta(ge=0, le=10**9, description="Where the page before ended: its `next_cursor`.")
    ] = 0
    limit: Annotated[int, Meta(ge=1, le=MOST, description="How many at most.")] = USUAL


@operation(Act.SEE_SALON, answers=SalonLine)
def read_salon(call: Call) -> SalonLine:
    """The salon, and what this token or session may do in it."""
    return _salon(call.visitor)


@operation(Act.START_GAME, answers=Page[Person], query=AskedPlayers)
def list_players(call: Call) -> Page[Person]:
    """The players of the salon by name."""
    players = Player.objects.filter(salon=call.visitor.salon, practice=False).values_list(
        "name", "pk"
    )
    rows = sorted(players, key=lambda row: (in_alphabet(row[0]), row[1]))
    if call.query.q:
        wanted = {found.name for found in fitting(call.query.q, [name for name, _player in rows])}
        rows = [row for row in rows if row[0] in wanted]
    later = list(enumerate(rows, 1))[call.query.cursor : call.query.cursor + call.query.limit + 1]
    return paged(
        [(place, Person(id=player, name=name)) for place, (name, player) in later], call.query.limit
    )


@operation(Act.SEE_SALON, answers=PlayerDetail)
def read_player(call: Call, player: str) -> PlayerDetail:
    """One player."""
    person = get_object_or_404(Player, salon=call.visitor.salon, pk=player)
    games = GameSeat.objects.filter(player=person).count()
    chips = chips_won(call.visitor.salon, person) if call.visitor.may(Act.READ_LEDGER) else None
    return PlayerDetail(
        id=person.pk, name=called(person, call.visitor.audience), games=games, chips=chips
    )


@operation(Act.SEE_SALON, answers=list[TableLine])
def list_tables(call: Call) -> list[TableLine]:
    """The tables of the salon that are in use, 2 before 10, and what is played at each."""
    visitor = call.visitor
    playing: QuerySet[Game] = (
        Game.objects.filter(salon=visitor.salon, finished=False)
        .exclude(table="")
        .order_by("started_position")
    )
    at = dict(playing.values_list("table", "pk"))
    return [
        TableLine(label=label, game=at.get(label), may_record=visitor.may(Act.RECORD, table=label))
        for label in labels_of(visitor.salon)
    ]


@operation(Act.MANAGE_TABLES, answers=Link)
def read_table_link(call: Call, label: str) -> Link:
    """The link and PIN of a table, as they stand on its slip."""
    return _table_link(call, table_or_404(call.visitor, label))


@operation(Act.MANAGE_TABLES, answers=Link, status=201, keyed=True)
def renew_table_link(call: Call, label: str) -> Answer:
    """Give a table a new link and PIN: every phone that used the old ones stops recording there."""
    table = table_or_404(call.visitor, label)

    def renewed() -> Link:
        renew(table)
        return _table_link(call, table)

    return once(call, ["table-link", table.pk], renewed)


@operation(Act.RECORD, answers=list[SeatSlip])
def list_seats(call: Call, game: str) -> list[SeatSlip]:
    """The seats of a game, with the links and PINs by which their players confirm its hands where a
    director asks.
    """
    row = game_or_404(call.visitor, game)
    call.visitor.demand(Act.RECORD, table=row.table)
    seats = json.loads(row.seats)
    names = names_of(row.salon, seats.values(), call.visitor.audience)
    links = links_of(row, [seat for seat in GAMES[row.kind].seat_names if seat in seats])
    said = (
        {seat: _seat_link(call, link) for seat, link in links.items()}
        if call.visitor.may(Act.MANAGE_TABLES)
        else {}
    )
    return [
        SeatSlip(
            seat=seat, player=Person(id=seats[seat], name=names[seats[seat]]), link=said.get(seat)
        )
        for seat in links
    ]


@operation(Act.RECORD, answers=Link, status=201, keyed=True)
def renew_seat_link(call: Call, game: str, seat: str) -> Answer:
    """Give a seat a new link and PIN: whoever used the old ones stops confirming for it."""
    row = game_or_404(call.visitor, game)
    call.visitor.demand(Act.RECORD, table=row.table)
    if seat not in json.loads(row.seats):
        raise Http404
    link = links_of(row, [seat])[seat]

    def renewed() -> Link:
        renew_seat(link)
        note("seat_link_made", seat=link.pk, by=call.visitor.actor)
        return _seat_link(call, link)

    return once(call, ["seat-link", link.pk], renewed)


def _salon(visitor: Visitor) -> SalonLine:
    salon: Salon = visitor.salon
    return SalonLine(
        slug=salon.slug,
        name=salon.name,
        role=visitor.role,
        may=[act for act in Act if visitor.may(act, table=visitor.table or None)],
        head=head_of(salon.log_id).position,
        correction_hours=house_of(salon).correction_hours,
    )


def _table_link(call: Call, table: Table) -> Link:
    return Link(
        address=call.request.build_absolute_uri(reverse("table_join", args=[table.token])),
        pin=table.pin,
    )


def _seat_link(call: Call, link: SeatLink) -> Link:
    return Link(
        address=call.request.build_absolute_uri(reverse("seat_join", args=[link.token])),
        pin=link.pin,
    )
