"""Statements of chip accounts: a page, a file as CSV, or paper."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from ledger import accounts
from ledger.accounts import Line
from ledger.models import Log
from ledger.statements import Owned
from scoring.errors import NotationError
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.permissions import Permission
from tournament.models import Player
from tournament.pages.common.paper import as_file, read_print_request
from tournament.pages.history.history import number, query_without
from tournament.queries.account_statements import LineInWords, lines_in_words, title_of
from tournament.queries.chips import chips_won
from tournament.queries.game_as_of import AsOf, read_as_of
from tournament.queries.history_lines import at_time
from tournament.queries.pages_on_paper import PDF
from tournament.queries.printing import MOST_LINES, statement_on_paper
from tournament.salons.persons import ids_of_person, person_of

SHOWN = 50
COLUMNS = (
    "entry",
    "time",
    "game",
    "table",
    "hand",
    "what",
    "rule",
    "account",
    "counterpart",
    "chips",
    "balance",
)
STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement of the account or person called `title`, as of a moment or now (None): its
    balance, and lines in order.

    These are all, or a page; `earlier` is the entry before which there are more.
    """

    title: str
    chips: int
    lines: Sequence[Line]
    earlier: int | None
    as_of: AsOf | None
    typed: str
    problem: NotationError | None


@require_GET
@requires(Permission.READ_LEDGER)
def account_statement(request: SalonRequest, game: str, account: str) -> HttpResponseBase:
    """The statement of one account of a game."""
    row = game_or_404(request.visitor, game)
    log = row.salon.log_id
    lines = accounts.statement(log, stream=row.pk, key=account)
    if not lines:
        raise Http404
    as_of, problem = read_moment(request, [line.occurred_at for line in lines])
    if as_of is not None:
        lines = [
            line
            for line in lines
            if as_of.covers(position=line.position, occurred_at=line.occurred_at)
        ]
    before = number(request, "before")
    reached = [line for line in lines if before is None or line.position < before]
    page = lines if is_file(request) else reached[-SHOWN:]
    found = Statement(
        title=title_of(row, account, request.visitor.audience),
        chips=lines[-1].balance if lines else 0,
        lines=page,
        earlier=page[0].position if len(reached) > SHOWN else None,
        as_of=as_of,
        typed=request.GET.get("as_of", ""),
        problem=problem,
    )
    return _answer(request, found, {"game": row})


@require_GET
@requires(Permission.READ_LEDGER)
def player_statement(request: SalonRequest, player: str) -> HttpResponseBase:
    """All chips of one player in the salon."""
    person = person_of(get_object_or_404(Player, salon=request.visitor.salon, pk=player))
    log, owners = request.visitor.salon.log_id, ids_of_person(request.visitor.salon, person.pk)
    as_of, problem = (
        read_moment(request, Owned(log=log, owners=owners).span or ())
        if request.GET.get("as_of")
        else (None, None)
    )
    until, by = (as_of.position, as_of.occurred_at) if as_of is not None else (None, None)
    owned = Owned(log=log, owners=owners, until=until, by=by)
    page = (
        _all_lines(owned, as_of)
        if is_file(request)
        else owned.latest(SHOWN + 1, before=number(request, "before"))
    )
    positions = sorted({line.position for line in page})
    earlier = positions[-SHOWN] if len(positions) > SHOWN else None
    found = Statement(
        title=person.name,
        chips=owned.chips,
        lines=page
        if is_file(request)
        else [line for line in page if earlier is None or line.position >= earlier],
        earlier=earlier,
        as_of=as_of,
        typed=request.GET.get("as_of", ""),
        problem=problem,
    )
    return _answer(
        request, found, {"player": person, "won": chips_won(request.visitor.salon, person)}
    )


def _all_lines(owned: Owned, as_of: AsOf | None) -> Sequence[Line]:
    lines = accounts.statement_of_owners(owned.log, owned.owners)
    return [
        line
        for line in lines
        if as_of is None or as_of.covers(position=line.position, occurred_at=line.occurred_at)
    ]


def is_file(request: SalonRequest) -> bool:
    """Whether the whole statement is asked for as a file."""
    return request.GET.get("format") in ("csv", PDF)


def read_moment(
    request: SalonRequest, times: Iterable[int]
) -> tuple[AsOf | None, NotationError | None]:
    """Read the moment in `as_of`; return it, or the error. `times` are those of the
    entries in question.
    """
    moments = sorted(times) or [int(timezone.now().timestamp() * 1_000_000)]
    head = Log.objects.values_list("position", flat=True).get(pk=request.visitor.salon.log_id)
    try:
        return read_as_of(
            request.GET.get("as_of", ""),
            head=head,
            began=at_time(moments[0]),
            ended=at_time(moments[-1]),
        ), None
    except NotationError as problem:
        return None, problem


def _answer(
    request: SalonRequest, statement: Statement, about: Mapping[str, object]
) -> HttpResponseBase:
    if statement.problem is None and is_file(request):
        return (_pdf if request.GET["format"] == PDF else _csv)(request, statement)
    context = {
        "here": "ledger",
        "statement": statement,
        "lines": lines_in_words(
            request.visitor.salon.log_id, statement.lines[::-1], request.visitor.audience
        ),
        "earlier": statement.earlier,
        "before": number(request, "before"),
        "other_query": query_without(request, "before"),
        **about,
    }
    return render(
        request, "ledger/statement.html", context, status=400 if statement.problem else 200
    )


def _csv(request: SalonRequest, statement: Statement) -> HttpResponse:
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = (
        f'attachment; filename="{slugify(statement.title) or "statement"}.csv"'
    )
    rows = csv.writer(answer)
    rows.writerow(COLUMNS)
    for each in lines_in_words(
        request.visitor.salon.log_id, statement.lines, request.visitor.audience
    ):
        rows.writerow(_cells(each))
    return answer


def _pdf(request: SalonRequest, statement: Statement) -> HttpResponseBase:
    visitor, last = request.visitor, statement.lines[-MOST_LINES:]
    lines = lines_in_words(visitor.salon.log_id, last, visitor.audience)
    return as_file(
        statement_on_paper(
            visitor.salon,
            statement.title,
            lines,
            read_print_request(request),
            of=len(statement.lines),
            chips=statement.chips,
            moment=statement.as_of.words if statement.as_of is not None else "",
        )
    )


def _cells(each: LineInWords) -> tuple[int | str, ...]:
    line, at = each.line, timezone.localtime(each.at).isoformat(timespec="seconds")
    texts = map(_plain, (each.game.record, each.game.table))
    words = map(_plain, (each.what, each.rule, each.account, each.counterpart))
    return (line.position, at, *texts, each.hand or "", *words, line.chips, line.balance)


def _plain(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(STARTS_A_FORMULA) else text
