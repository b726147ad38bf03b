"""The history of one game: its acts, the board as of any of them, why each hand scored what it
scored, and all of it as a certificate on paper.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_safe

from ledger.models import Log
from scoring.errors import NotationError
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest, game_or_404, requires
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.permissions import Permission
from tournament.models import Game as GameRow
from tournament.pages.common.games import numbers_of
from tournament.pages.common.paper import as_file, read_print_request
from tournament.pages.history.history import (
    filters,
    number,
    query_without,
    read_check_progress,
    read_filter,
)
from tournament.pages.history.stepping import (
    Steps,
    TypedMoment,
    place_of,
    read_asked_moment,
    steps_at,
    steps_to,
)
from tournament.pages.table.game_summary import glances
from tournament.queries.accounts import seats_of
from tournament.queries.game_as_of import CLOCKS, Picture, after, game_as_of
from tournament.queries.history import OF_A_GAME, is_wanted
from tournament.queries.history_lines import HistoryLine, history_lines
from tournament.queries.printing import certificate
from tournament.queries.seats_as_of import called, sitting
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.acts import (
    Moment,
    every_act,
    find_withdrawn_versions,
    last_result,
    moments_of,
)

SHOWN = 40
LATER_SHOWN = 4  # so many later entries stand above the one the board is shown as of


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedHand:
    """The hand last closed by then: its result, why it is so, and the acts behind it by event name,
    those taken back left out.

    `called` is what each seat is called by who sat there.
    """

    number: int
    called: Mapping[str, str]
    result: JsonObject
    why: JsonObject
    acts: dict[str, list[HistoryLine]]

    @property
    def rulings(self) -> list[HistoryLine]:
        """The director's rulings in the hand."""
        return [
            each
            for name, found in self.acts.items()
            if name.startswith("ruling_")
            for each in found
        ]


@require_GET
@requires(Permission.READ_HISTORY)
def game_history(request: SalonRequest, game: str) -> HttpResponse:
    """The acts of a game with the board as of `?at=` (a version of its stream) or `?as_of=` (a time
    or an entry), else as of now.
    """
    row = game_or_404(request.visitor, game)
    moments = moments_of(row.salon.log_id, row.pk)
    picture, step, asked = _picture_and_steps(request, row, moments)
    wanted = read_filter(request)
    until = picture.version or moments[-1].last.version
    listed = [moment for moment in reversed(moments) if is_wanted(moment, wanted)]
    start = _start(listed, until, wanted.before)
    page = listed[start : start + SHOWN]
    context = {
        "here": "history",
        "game": row,
        "glance": glances(row.salon, [row], request.visitor.audience)[0],
        "kind": picture.game,
        "step": step,
        "picture": picture,
        "called": _seat_names(row, picture, request.visitor.audience),
        "chips": _chips(row, picture, request.visitor.audience),
        "may_read_ledger": request.visitor.may(Permission.READ_LEDGER, game=row.pk),
        "typed_moment": asked,
        "clocks": CLOCKS.items(),
        "explained": _explain_hand(row, moments, picture, until, request.visitor.audience),
        "acts": history_lines(row.salon, {row.pk: row}, page, request.visitor.audience),
        "here_at": until,
        "here_before": next(
            (moment.entry.stored.position for moment in page if moment.last.version <= until), None
        ),
        "earlier": page[-1].entry.stored.version if len(listed) > start + SHOWN else None,
        "later": _later(listed, start),
        "wanted": wanted,
        "people": actors_in_words(
            row.salon, {moment.entry.stored.actor for moment in moments}, request.visitor.audience
        ).items(),
        "kinds": filters(request, wanted, OF_A_GAME),
        "numbers": numbers_of(row) if picture.version else "",
        "moment_query": f"?at={picture.version}" if step.forth else "",
        "kept_fields": [
            (name, value)
            for name, value in request.GET.items()
            if name in ("show", "by", "since", "until") and value
        ],
        "stepping": query_without(request, "at", "as_of", "clock", "before"),
        "other_query": query_without(request, "before"),
        "may_correct": request.visitor.may(Permission.CORRECT),
        "checked": read_check_progress(row.salon.log_id),
    }
    return render(request, "history/game.html", context, status=400 if asked.problem else 200)


def _seat_names(row: GameRow, picture: Picture, audience: Audience) -> dict[str, str]:
    """Return the name at each seat on the board of that moment; in the open hand a
    substitute's.
    """
    seats = {**picture.state.players, **((picture.table["hand"] or {}).get("players") or {})}
    return called(picture.game, seats, names_of(row.salon, seats.values(), audience))


def _chips(row: GameRow, picture: Picture, audience: Audience) -> list[tuple[str, str, int]]:
    """Return the chips that each player had won or lost by then, as (seat, name, chips);
    nothing if the score is just that.
    """
    chips: Mapping[str, int] = picture.table.get("chips") or {}
    seats = seats_of(row)
    names = names_of(row.salon, seats.values(), audience)
    return [
        (seat, names[seats[seat]], chips[seat])
        for seat in picture.game.seat_names
        if seat in chips and seat in seats
    ]


def _picture_and_steps(
    request: SalonRequest, row: GameRow, moments: Sequence[Moment]
) -> tuple[Picture, Steps, TypedMoment]:
    """The moment that the address asks for; the last one, and what was wrong, where it can't be
    read.
    """
    typed, clock = read_asked_moment(request)
    if not typed:
        place = place_of(moments, number(request, "at"))
        return after(moments[place]), steps_at(moments, place), TypedMoment(typed="", clock=clock)
    head = Log.objects.values_list("position", flat=True).get(pk=row.salon.log_id)
    try:
        picture = game_as_of(moments, typed, clock, head=head)
    except NotationError as problem:
        last = len(moments) - 1
        return (
            after(moments[last]),
            steps_at(moments, last),
            TypedMoment(typed=typed, clock=clock, problem=problem),
        )
    steps = steps_to(moments, picture.version)
    return picture, steps, TypedMoment(typed=typed, clock=clock)


def _start(listed: Sequence[Moment], until: int, before: int | None) -> int:
    """Return the index in the list, newest first, where the page begins: below an entry,
    or a little above the one the board is shown as of.
    """
    if before is not None:
        return sum(moment.entry.stored.version >= before for moment in listed)
    later = sum(moment.last.version > until for moment in listed)
    return max(0, later - LATER_SHOWN)


def _later(listed: Sequence[Moment], start: int) -> int | None:
    """The `before` of the page above this one; None where there is none."""
    if start == 0:
        return None
    top = max(0, start - SHOWN)
    return listed[top].entry.stored.version + 1


def _explain_hand(
    row: GameRow, moments: Sequence[Moment], picture: Picture, until: int, audience: Audience
) -> ExplainedHand | None:
    """Explain the hand last closed by then; None before the first."""
    closed = last_result(picture.game, picture.state)
    if closed is None:
        return None
    hand = picture.state.played
    by_then = [moment for moment in moments if moment.last.version <= until]
    gone = find_withdrawn_versions(by_then)
    behind = [
        moment
        for moment in every_act(by_then)
        if moment.hand == hand and moment.entry.stored.version not in gone
    ]
    acts: dict[str, list[HistoryLine]] = defaultdict(list)
    for each in history_lines(row.salon, {row.pk: row}, behind, audience):
        acts[each.moment.entry.name].append(each)
    seats = sitting(picture.state, hand)
    names = names_of(row.salon, seats.values(), audience)
    return ExplainedHand(
        number=hand,
        called=called(picture.game, seats, names),
        result=closed["result"],
        why=closed["why"],
        acts=dict(acts),
    )


@never_cache
@require_safe
@requires(Permission.READ_HISTORY)
def game_certificate(request: SalonRequest, game: str) -> HttpResponseBase:
    """The certificate of a game as PDF."""
    row = game_or_404(request.visitor, game)
    return as_file(certificate(row, request.visitor.audience, read_print_request(request)))
