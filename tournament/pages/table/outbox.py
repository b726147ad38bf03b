"""Records the acts that a phone kept without a connection, sent in one request: one
after the other, each its own command, until one is not recorded.
"""

import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from ledger.drafts import CommandReused, StreamMoved
from ledger.models import Event
from scoring.errors import NotationError, Refusal
from scoring.shape import JsonObject, a_list, a_number, a_text, an_object, required
from tournament.accounts.access import SalonRequest, game_or_404, requires, table_or_404
from tournament.accounts.browser_mark import mark_of, speaker_mark_of
from tournament.accounts.confirmers import WrongPin
from tournament.accounts.permissions import Permission
from tournament.accounts.phone_names import remember_phone
from tournament.models import Game
from tournament.pages.common.form_values import COMMAND, Problem, TableForm, problem_of, table_form
from tournament.pages.table.acts import reader, record_act
from tournament.pages.table.command_answers import ACCORD_COMMAND
from tournament.pages.table.confirming import CONFIRMATIONS, DISPUTES, record_word
from tournament.pages.table.next_game import GAMES_BEGUN, begin_again
from tournament.pages.table.outbox_preview import acts_in_words, line_in_words
from tournament.pages.table.refused_act import who_was_first
from tournament.pages.table.rulings import SHEET
from tournament.pages.table.second_entry import record_again
from tournament.pages.table.sheet import record_form
from tournament.queries.history_lines import history_lines
from tournament.queries.table import TableGame, game_at, unpack_game
from tournament.recording.door import Recorded, version_after
from tournament.streams.acts import moments_of

MOST_ACTS = 20
LARGEST = 128 * 1024  # characters
MOST_SHOWN, LARGEST_SHOWN = 2000, 2 * 1024 * 1024  # of what another phone hands over
LONGEST_BODY = 32 * 1024  # characters of one act
MOST_LATER_ACTS = 6  # acts that somebody else recorded meanwhile, the latest of them
SECOND_ENTRY = "second-entry-"
MILLISECONDS = re.compile(r"[0-9]{1,14}")
KEYS = (
    "command",
    "collection",
    "body",
    "after",
    "version",
    "place",
    "typed_at",
    "by",
    "handed_over",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAct:
    """An act as a phone kept it: the fields of its form, the command after which it comes (""
    where its version is known), when it was typed by the server's clock, in microseconds UTC, and
    the mark of whoever used the phone ("" if it didn't say). `handed_over`: another phone gave it
    to this one.
    """

    command: str
    collection: str
    body: QueryDict
    after: str
    typed_at: int | None
    by: str
    handed_over: bool


type Record = Callable[[KeptAct, TableForm], Recorded]


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.RECORD)
def outbox(request: SalonRequest, label: str) -> HttpResponse:
    """Record what was kept for the games of a table: acts, sheets, words about hands, second
    entries, and the next game itself; or, as a `preview`, say what each would record. GET has the
    token that a page which lay long enough needs anew.
    """
    table_or_404(request.visitor, label)
    if "preview" in request.POST:
        return _preview(request, label)

    def record(act: KeptAct, form: TableForm) -> Recorded:
        if act.collection == GAMES_BEGUN:
            return begin_again(request, label, form)
        at = game_at(request.visitor, label, game=form.game)
        if at is None:
            raise StreamMoved(form.game, expected=form.version, actual=0)
        if act.collection == SHEET:
            return record_form(request, at, form)
        if _is_word(act.collection):
            return _record_word(request, at.row, act, form)
        return record_act(request, at, form, reader(request, act.collection, at))

    return _answer(request, record)


@never_cache
@require_http_methods(["GET", "POST"])
@requires(Permission.CONFIRM)
def game_outbox(request: SalonRequest, game: str) -> HttpResponse:
    """The same for the words that a player's own phone kept about the hands of a game."""
    row = game_or_404(request.visitor, game)

    def record(act: KeptAct, form: TableForm) -> Recorded:
        if form.game != row.pk or not _is_word(act.collection):
            raise Http404
        return _record_word(request, row, act, form)

    return _answer(request, record)


def _is_word(collection: str) -> bool:
    return collection in (CONFIRMATIONS, DISPUTES) or collection.startswith(SECOND_ENTRY)


def _record_word(request: SalonRequest, row: Game, act: KeptAct, form: TableForm) -> Recorded:
    if not request.visitor.may(Permission.CONFIRM, game=row.pk):
        raise PermissionDenied(_("Your role in this salon does not let you do that."))
    if act.collection.startswith(SECOND_ENTRY):
        hand = act.collection.removeprefix(SECOND_ENTRY)
        if not hand.isascii() or not hand.isdecimal() or len(hand) > 6:
            raise Http404
        return record_again(request, row, int(hand), form)
    return record_word(request, row, act.collection, form)


def _answer(request: SalonRequest, record: Record) -> HttpResponse:
    if request.method != "POST":
        return JsonResponse({"token": get_token(request)})
    try:
        acts = _read_acts(request)
    except NotationError as unread:
        return _json({"answers": [], "problem": str(unread)}, (), status=400)
    answers: list[JsonObject] = []
    for each in acts:
        answers.append(_record_kept_act(request, record, each))
        if answers[-1]["state"] == "refused":
            break
    commands = [answer["command"] for answer in answers]
    remember_phone(request, request.visitor.salon, commands)
    return _json({"answers": answers}, commands)


def _preview(request: SalonRequest, label: str) -> HttpResponse:
    """Say in the words of the rules what these acts would record."""
    try:
        acts = _read_acts(request, most=MOST_SHOWN, largest=LARGEST_SHOWN)
    except NotationError as unread:
        return _json({"words": [], "problem": str(unread)}, (), status=400)
    said = [(act.command, act.collection, act.body) for act in acts]
    return _json({"words": acts_in_words(request, label, said)}, ())


def _json(content: JsonObject, commands: Sequence[str], *, status: int = 200) -> HttpResponse:
    """The answer, with the commands that it is the answer to in its head as well."""
    return JsonResponse(content, status=status, headers={ACCORD_COMMAND: " ".join(commands)})


def _read_acts(
    request: SalonRequest, *, most: int = MOST_ACTS, largest: int = LARGEST
) -> list[KeptAct]:
    """The acts of a request, at most so many. Raises NotationError."""
    written = request.POST.get("acts", "")
    if len(written) > largest:
        raise NotationError(_("this is more than is taken at once"), path="acts")
    try:
        content = json.loads(written)
    except (ValueError, RecursionError):
        raise NotationError(_("this can't be read as JSON"), path="acts") from None
    acts = a_list(content, "acts")
    if not 0 < len(acts) <= most:
        raise NotationError(_("1 to %(most)d acts are expected here") % {"most": most}, path="acts")
    sent, now = request.POST.get("sent_at", ""), time.time_ns() // 1000
    sent_at = int(sent) if MILLISECONDS.fullmatch(sent) else None
    return [
        _read_act(act, f"acts[{place}]", _ago(act, sent_at, now)) for place, act in enumerate(acts)
    ]


def _ago(act: object, sent_at: int | None, now: int) -> int | None:
    """When an act was typed by the server's clock: as long ago as the phone's own clock says, which
    may be wrong itself; None where it doesn't say, or was set back since.
    """
    typed = act.get("typed_at") if isinstance(act, dict) else None
    if sent_at is None or type(typed) is not int or not 0 <= typed <= sent_at:
        return None
    return now - (sent_at - typed) * 1000


def _read_act(value: object, path: str, typed_at: int | None) -> KeptAct:
    act = an_object(value, path, keys=KEYS)
    command = a_text(required(act, "command", path), f"{path}.command", longest=32)
    after = a_text(act.get("after") or "", f"{path}.after", longest=36)
    if not COMMAND.fullmatch(command):
        raise NotationError(_("a command id is 32 hexadecimal digits"), path=f"{path}.command")
    written = a_text(required(act, "body", path), f"{path}.body", longest=LONGEST_BODY)
    body = QueryDict(written, mutable=True)
    place = an_object(act.get("place") or {}, f"{path}.place", keys=("hand", "trick"))
    numbers = {
        key: a_number(number, f"{path}.place.{key}", least=0) for key, number in place.items()
    }
    version = a_number(act.get("version") or 0, f"{path}.version", least=0)
    for key, text in {**numbers, "version": version, "command": command}.items():
        body[key] = str(text)
    collection = a_text(required(act, "collection", path), f"{path}.collection", longest=60)
    by = a_text(act.get("by") or "", f"{path}.by", longest=40)
    return KeptAct(
        command=command,
        collection=collection,
        body=body,
        after=after,
        typed_at=typed_at,
        by=by,
        handed_over=act.get("handed_over") is True,
    )


def _record_kept_act(request: SalonRequest, record: Record, act: KeptAct) -> JsonObject:
    """Record one act. Return its outcome: recorded, already known, or refused with the
    reason.
    """
    game, version, after = act.body.get("game", ""), None, None
    try:
        _check_author(request, act)
        form = table_form(act.body)
        if act.after:
            form = replace(form, version=version_after(request.visitor.salon, game, act.after))
        version = form.version
        since = act.body.get("follows", "") if act.collection == GAMES_BEGUN else game
        claimed = _claim(request, since, act.typed_at)
        recorded = record(act, replace(form, occurred_at=claimed, handed_over=act.handed_over))
    except (StreamMoved, CommandReused) as moved:
        problem, after = _conflict_problem(moved), version
    except (WrongPin, Refusal, PermissionDenied, Http404) as refused:
        problem = _problem(request, game, refused)
    else:
        state = "known" if recorded.repeated else "recorded"
        return {"command": act.command, "state": state, "version": recorded.version}
    row = Game.objects.filter(salon=request.visitor.salon, pk=game).first()
    return {
        "command": act.command,
        "state": "refused",
        "status": problem.status,
        "words": problem.message,
        "rule": problem.rule,
        **(_now(request, row, after, act) if row is not None and not row.is_silent else {}),
    }


def _check_author(request: SalonRequest, act: KeptAct) -> None:
    """Raise PermissionDenied for an act that someone else tapped on this phone: it would be
    recorded in this visitor's name. Words about hands count for a seat: the table's phone may speak
    for another now.
    """
    is_own = act.by.partition(".")[0] == mark_of(request.visitor)
    if _is_word(act.collection):
        is_own = act.by == speaker_mark_of(request.visitor)
    if act.by and not is_own:
        raise PermissionDenied(
            _(
                "Someone else tapped this while they were signed in on this phone. It goes out "
                "when they sign in here again."
            )
        )


def _claim(request: SalonRequest, game: str, typed_at: int | None) -> int | None:
    """When an act is said to have been typed, where that can be: not before its game began, nor
    after now. None otherwise: then it counts as typed when it arrives.
    """
    if typed_at is None:
        return None
    began = (
        Event.objects.filter(log=request.visitor.salon.log_id, stream=game, version=1)
        .values_list("occurred_at", flat=True)
        .first()
    )
    return typed_at if began is not None and typed_at >= began else None


def _problem(request: SalonRequest, game: str, refused: Exception) -> Problem:
    if isinstance(refused, Refusal):
        row = Game.objects.filter(salon=request.visitor.salon, pk=game).first()
        called = unpack_game(request.visitor, row).called if row is not None else {}
        return problem_of(refused, called, unread=400)
    if isinstance(refused, Http404):
        return Problem(message=_("There is no such page in this salon."), status=404)
    words = str(refused) or _("Your role in this salon does not let you do that.")
    return Problem(message=words, status=422 if isinstance(refused, WrongPin) else 403)


def _conflict_problem(moved: StreamMoved | CommandReused) -> Problem:
    if isinstance(moved, CommandReused):
        words = _("This was sent before and said something else then.")
    else:
        words = _("Something else was recorded at this table first.")
    return Problem(message=words, status=409)


def _now(request: SalonRequest, row: Game, after: int | None, act: KeptAct) -> JsonObject:
    """The state of a game now, its records after a version, and whether an act still means
    something after that.
    """
    at = unpack_game(request.visitor, row)
    return {
        "version": row.version,
        "place": _place(at),
        "finished": row.finished,
        "follows": _may_follow(at, act, after),
        "meanwhile": _later_acts(request, row, after) if after is not None else [],
    }


def _may_follow(at: TableGame, act: KeptAct, after: int | None) -> bool:
    """Whether the table takes such an act now: an undo means what was there before it, a bid or a
    call is made by whose turn it is, in the dealing that it was meant for.
    """
    if act.collection == SHEET or _is_word(act.collection):
        return True
    later = Event.objects.filter(stream=at.row.pk, version__gt=after or at.row.version)
    if later.filter(type__endswith=".hand_opened").exists():
        return False
    forms = at.game.legal_next(at.table).get(act.collection, ())
    seat = act.body.get("seat")
    return any(seat is None or seat in form.get("seat", [seat]) for form in forms)


def _place(at: TableGame) -> dict[str, int]:
    hand = at.table["hand"]
    if hand is None:
        return {"hand": int((at.table.get("next") or {}).get("number") or 0), "trick": 0}
    return {"hand": int(hand["number"]), "trick": int(hand.get("trick") or 0)}


def _later_acts(request: SalonRequest, row: Game, after: int) -> list[JsonObject]:
    """The last acts recorded in a game after a version, in words: who, when, what; none to whoever
    may not read its history.
    """
    visitor = request.visitor
    if not visitor.may(Permission.READ_HISTORY, game=row.pk, table=row.table):
        return []
    moments = moments_of(visitor.salon.log_id, row.pk, whole=False)
    later = [moment for moment in moments if moment.last.version > after][-MOST_LATER_ACTS:]
    lines = history_lines(visitor.salon, {row.pk: row}, later, visitor.audience)
    return [
        {
            "who": who_was_first(visitor, line.actor, line.moment.last.command),
            "at": f"{timezone.localtime(line.at):%H:%M}",
            "words": line_in_words(line),
        }
        for line in lines
    ]
