"""The salon, its people and its tables, with the links that let a phone record."""

from typing import Annotated

from django.http import Http404
from django.urls import reverse
from msgspec import Meta, Struct
from rest_framework.request import Request

from ledger.reading import head_of
from scoring.games import GAMES
from tournament.accounts.access import game_or_404, table_or_404
from tournament.accounts.permissions import Permission, Visitor
from tournament.accounts.seat_links import links_of
from tournament.accounts.table_links import renew
from tournament.api.games import Person
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import LIMIT, USUAL, ApiViewSet, Page, make_page
from tournament.domain.names import in_alphabet
from tournament.models import CaptainLink, EventLink, GameSeat, Player, Salon, SeatLink, Table
from tournament.queries.chips import chips_won
from tournament.queries.players import fitting
from tournament.recording.seat_links import make_seat_link
from tournament.salons.persons import find_offered_persons, ids_of_person, person_of
from tournament.salons.players import names_of
from tournament.salons.prefix import address_in
from tournament.salons.public_names import called
from tournament.streams.correction_period import house_of

BEGINS = Meta(
    max_length=80, description="Whose first or last name begins so, whatever the case and accents."
)
PLACE = Meta(ge=0, le=10**9, description="Where the page before ended: its `next_cursor`.")


class SalonLine(Struct, frozen=True, kw_only=True):
    """A salon, what this visitor is in it and may do there, and the position of its log's last
    event.
    """

    slug: str
    name: str
    role: str
    may: list[str]
    head: int
    correction_hours: int


class PlayerDetail(Struct, frozen=True, kw_only=True):
    """A player: games, and chips won for those who may read the books (else null)."""

    id: str
    name: str
    games: int
    chips: int | None


class Link(Struct, frozen=True, kw_only=True):
    """A link that lets a phone in, and the PIN that it asks for."""

    address: str
    pin: str


class SeatSlip(Struct, frozen=True, kw_only=True):
    """A seat of a game: who sits there, and the link and PIN by which this player confirms.

    Directors alone read those (null to others): whoever records makes new ones, which are said to
    them this once.
    """

    seat: str
    player: Person
    link: Link | None


class AskedPlayers(Struct, frozen=True, kw_only=True):
    """Which players."""

    q: Annotated[str, BEGINS] = ""
    cursor: Annotated[int, PLACE] = 0
    limit: Annotated[int, LIMIT] = USUAL


class SalonViewSet(ApiViewSet):
    """The salon, its players, and the links of its tables and seats."""

    act = Permission.SEE_SALON

    def read_salon(self, request: Request) -> SalonLine:
        """The salon, and what this token or session may do in it."""
        return _salon(self.visitor)

    @document_action(Permission.START_GAME, query=AskedPlayers)
    def list_players(self, request: Request) -> Page[Person]:
        """The players of the salon by name."""
        query = self.query(AskedPlayers)
        players = find_offered_persons(self.salon).filter(practice=False).values_list("name", "pk")
        rows = sorted(players, key=lambda row: (in_alphabet(row[0]), row[1]))
        if query.q:
            wanted = {found.name for found in fitting(query.q, [name for name, _player in rows])}
            rows = [row for row in rows if row[0] in wanted]
        later = list(enumerate(rows, 1))[query.cursor : query.cursor + query.limit + 1]
        return make_page(
            [(place, Person(id=player, name=name)) for place, (name, player) in later], query.limit
        )

    def read_player(self, request: Request, player: str) -> PlayerDetail:
        """One player."""
        person = person_of(self.row(Player, player))
        known = ids_of_person(self.salon, person.pk)
        games = GameSeat.objects.filter(player__in=known).count()
        chips = chips_won(self.salon, person) if self.visitor.may(Permission.READ_LEDGER) else None
        return PlayerDetail(
            id=person.pk, name=called(person, self.visitor.audience), games=games, chips=chips
        )

    @document_action(Permission.MANAGE_TABLES)
    def read_table_link(self, request: Request, label: str) -> Link:
        """The link and PIN of a table, as they stand on its slip."""
        return _link(self, "table_join", table_or_404(self.visitor, label))

    @document_action(Permission.MANAGE_TABLES)
    def renew_table_link(self, request: Request, label: str) -> Answer[Link]:
        """Give a table a new link and PIN: every phone that used the old ones stops recording
        there.
        """
        table = table_or_404(self.visitor, label)

        def renew_link() -> Link:
            renew(table)
            return _link(self, "table_join", table)

        return answer_idempotently(self, ["table-link", table.pk], renew_link)

    @document_action(Permission.RECORD)
    def list_seats(self, request: Request, game: str) -> list[SeatSlip]:
        """The seats of a game, with the links and PINs by which their players confirm its hands
        where a director asks.
        """
        row = game_or_404(self.visitor, game)
        self.visitor.demand(Permission.RECORD, table=row.table)
        seats = row.seats
        names = names_of(row.salon, seats.values(), self.visitor.audience)
        links = links_of(row, [seat for seat in GAMES[row.kind].seat_names if seat in seats])
        reads_links = self.visitor.may(Permission.MANAGE_TABLES)
        return [
            SeatSlip(
                seat=seat,
                player=Person(id=seats[seat], name=names[seats[seat]]),
                link=_link(self, "seat_join", link) if reads_links else None,
            )
            for seat, link in links.items()
        ]

    @document_action(Permission.RECORD)
    def renew_seat_link(self, request: Request, game: str, seat: str) -> Answer[Link]:
        """Give a seat a new link and PIN: whoever used the old ones stops confirming for it. It is
        told in the history of the game; once the seat has confirmed by its link only a director
        makes another.
        """
        row = game_or_404(self.visitor, game)
        self.visitor.demand(Permission.RECORD, table=row.table)
        if seat not in row.seats:
            raise Http404
        link = links_of(row, [seat])[seat]

        def renew_link() -> Link:
            make_seat_link(self.visitor, row, link)
            return _link(self, "seat_join", link)

        return answer_idempotently(self, ["seat-link", link.pk], renew_link)


def _salon(visitor: Visitor) -> SalonLine:
    salon: Salon = visitor.salon
    return build_struct(
        SalonLine,
        salon,
        role=visitor.role,
        may=[act for act in Permission if visitor.may(act, table=visitor.table or None)],
        head=head_of(salon.log_id).position,
        correction_hours=house_of(salon).correction_hours,
    )


def link_here(view: ApiViewSet, page: str, row: CaptainLink | EventLink) -> Link:
    """The link that opens this page of the salon."""
    address = address_in(view.salon, page, row.token)
    return Link(address=view.request.build_absolute_uri(address), pin=row.pin)


def _link(view: ApiViewSet, join: str, row: Table | SeatLink) -> Link:
    address = view.request.build_absolute_uri(reverse(join, args=[row.token]))
    return Link(address=address, pin=row.pin)
