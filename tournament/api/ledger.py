"""The books: what everybody has won, pots, the trial balance, accounts of games with their
statements, now or as of a moment.
"""

from collections.abc import Iterable
from typing import Annotated

from django.http import Http404
from django.utils import timezone
from msgspec import Meta, Struct
from rest_framework.request import Request

from ledger import accounts
from ledger.reading import head_of
from ledger.statements import Owned
from tournament.accounts.access import game_or_404
from tournament.accounts.permissions import Permission
from tournament.api.games import Person
from tournament.api.http.responses import build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import CURSOR, LIMIT, USUAL, ApiViewSet
from tournament.domain.names import in_alphabet
from tournament.models import Player, Salon
from tournament.queries.account_statements import LineInWords, lines_in_words, title_of
from tournament.queries.chips import net_chips
from tournament.queries.game_as_of import AsOf, read_as_of
from tournament.queries.history_lines import at_time
from tournament.salons.persons import ids_of_person, person_of
from tournament.salons.players import names_of

AS_OF = Meta(
    max_length=40,
    description="As of a time (`2026-11-21 19:41`) or the position of a line; none: now.",
)


class Won(Struct, frozen=True, kw_only=True):
    """A player in the books: chips won (below 0: lost) over so many games, what the bank gave
    apart.
    """

    player: Person
    games: int
    chips: int


class AccountLine(Struct, frozen=True, kw_only=True):
    """An account of a game with its chips; `owner` is "" for a pot and the bank."""

    game: str
    key: str
    title: str
    owner: str
    chips: int


class Books(Struct, frozen=True, kw_only=True):
    """The books of the salon; the trial balance is 0, or they are wrong."""

    position: int
    trial_balance: int
    won: list[Won]


class GameBooks(Struct, frozen=True, kw_only=True):
    """The accounts of one game; their chips add up to 0."""

    version: int
    trial_balance: int
    accounts: list[AccountLine]


class StatementLine(Struct, frozen=True, kw_only=True):
    """One transfer: chips that came (+) or went (−), what for, its rule, and the balance after it;
    `reverses` a position taken back.
    """

    position: int
    game: str
    version: int
    occurred_at: int
    account: str
    counterpart: str
    what: str
    hand: int
    rule: str
    chips: int
    balance: int
    reverses: int | None


class Statement(Struct, frozen=True, kw_only=True):
    """A statement, oldest line first, a page at a time; `chips` is the balance after its
    last line.
    """

    title: str
    chips: int
    items: list[StatementLine]
    next_cursor: int | None


class AskedBooks(Struct, frozen=True, kw_only=True):
    """The moment as of which the books are asked for."""

    as_of: Annotated[str, AS_OF] = ""


class AskedStatement(Struct, frozen=True, kw_only=True):
    """The moment as of which a statement is asked for, and the page of it."""

    as_of: Annotated[str, AS_OF] = ""
    cursor: Annotated[int, CURSOR] = 0
    limit: Annotated[int, LIMIT] = USUAL


class LedgerViewSet(ApiViewSet):
    """The books: what everybody has won, accounts and statements."""

    act = Permission.READ_LEDGER

    def read_books(self, request: Request) -> Books:
        """The books of the salon: what everybody has won, and the trial balance."""
        salon = self.salon
        won = net_chips(salon)
        names = names_of(salon, won, self.visitor.audience)
        lines = [
            Won(player=Person(id=owner, name=names[owner]), games=games, chips=chips)
            for owner, (chips, games) in won.items()
        ]
        return Books(
            position=head_of(salon.log_id).position,
            trial_balance=accounts.trial_balance(salon.log_id),
            won=sorted(
                lines, key=lambda each: (-each.chips, in_alphabet(each.player.name), each.player.id)
            ),
        )

    @document_action(query=AskedBooks)
    def list_accounts(self, request: Request, game: str) -> GameBooks:
        """The accounts of a game with their chips, now or as of a moment."""
        row = game_or_404(self.visitor, game)
        log = row.salon.log_id
        lines = [
            line
            for each in accounts.accounts_of(log, stream=row.pk)
            for line in accounts.statement(log, stream=row.pk, key=each.key)
        ]
        as_of = _as_of(
            row.salon, self.query(AskedBooks).as_of, [line.occurred_at for line in lines]
        )
        found = [
            build_struct(
                AccountLine,
                each,
                game=row.pk,
                title=title_of(row, each.key, self.visitor.audience),
                chips=each.chips
                if as_of is None
                else accounts.balance_as_of(
                    log,
                    stream=row.pk,
                    key=each.key,
                    position=as_of.position,
                    occurred_at=as_of.occurred_at,
                ),
            )
            for each in accounts.accounts_of(log, stream=row.pk)
        ]
        return GameBooks(
            version=row.version, trial_balance=sum(each.chips for each in found), accounts=found
        )

    @document_action(query=AskedStatement)
    def read_account_statement(self, request: Request, game: str, account: str) -> Statement:
        """The statement of one account of a game."""
        row = game_or_404(self.visitor, game)
        lines = accounts.statement(row.salon.log_id, stream=row.pk, key=account)
        if not lines:
            raise Http404
        query = self.query(AskedStatement)
        as_of = _as_of(row.salon, query.as_of, [line.occurred_at for line in lines])
        covered = [
            line
            for line in lines
            if as_of is None or as_of.covers(position=line.position, occurred_at=line.occurred_at)
        ]
        later = [line for line in covered if line.position > query.cursor]
        page, log, audience = later[: query.limit], row.salon.log_id, self.visitor.audience
        return Statement(
            title=title_of(row, account, audience),
            chips=covered[-1].balance if covered else 0,
            items=[_line(each) for each in lines_in_words(log, page, audience)],
            next_cursor=page[-1].position if len(later) > query.limit else None,
        )

    @document_action(query=AskedStatement)
    def read_player_statement(self, request: Request, player: str) -> Statement:
        """All chips of one player in the salon."""
        person = person_of(self.row(Player, player))
        salon, query = self.salon, self.query(AskedStatement)
        owners = ids_of_person(salon, person.pk)
        as_of = (
            _as_of(salon, query.as_of, Owned(log=salon.log_id, owners=owners).span or ())
            if query.as_of
            else None
        )
        until, by = (as_of.position, as_of.occurred_at) if as_of is not None else (None, None)
        owned = Owned(log=salon.log_id, owners=owners, until=until, by=by)
        later = owned.next(query.limit + 1, after=query.cursor)
        positions = sorted({line.position for line in later})
        last = positions[query.limit - 1] if len(positions) > query.limit else None
        page = [line for line in later if last is None or line.position <= last]
        return Statement(
            title=person.name,
            chips=owned.chips,
            items=[
                _line(each) for each in lines_in_words(salon.log_id, page, self.visitor.audience)
            ],
            next_cursor=last,
        )


def _line(each: LineInWords) -> StatementLine:
    line = each.line
    return build_struct(
        StatementLine, line, game=line.stream, what=each.what, hand=each.hand, rule=each.rule
    )


def _as_of(salon: Salon, typed: str, moments: Iterable[int]) -> AsOf | None:
    """Raises NotationError for a moment that can't be read."""
    times = sorted(moments) or [int(timezone.now().timestamp() * 1_000_000)]
    return read_as_of(
        typed,
        head=head_of(salon.log_id).position,
        began=at_time(times[0]),
        ended=at_time(times[-1]),
    )
