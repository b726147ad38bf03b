"""Reads a sent form as the plain value that a game reads (scoring/forms.py), and
explains why something in it was not recorded.

A button or a choice with more than one value sends a query string of fields under
the name `fields`.
"""

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypedDict

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal
from scoring.forms import WrittenField, field_of, number_in, read_fields_leniently, value_of_fields
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest
from tournament.queries.refusal_text import refusal_words

NOBODY: Mapping[str, str] = {}
# Two fields beside the field of a name say whom it means: what was typed there, and the player, or
# NEW for somebody new.
ASKED, MEANT = "asked.", "meant."
NEW = "new"
SEAT_FIELD = re.compile(r"players\.[^.:]+")
# What recording raises: it can't be read or is refused, somebody was first, it was sent before.
NOT_RECORDED = (Refusal, StreamMoved, CommandReused)
ACCORD_GAME = "Accord-Game"  # the header by which a pad says which game it shows
COMMAND = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The reason that something was not recorded: `field` is the path of its field, "" for
    the whole form; `code` that of a refusal; `status` the HTTP status of a page with
    it.
    """

    message: str
    rule: str = ""
    field: str = ""
    code: str = ""
    status: int = 422

    @property
    def part(self) -> str:
        """The part of the form that it is about: `tricks` of `tricks.A`; "" for the whole form."""
        return self.field.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForm:
    """A form of a table: what it says (`value`), and about which game, version and place it says
    it.

    `names` are those typed for players that no answer goes with, by field (name_questions.py).
    `occurred_at` is when it was filled in, where that was long before it came: microseconds UTC.
    `handed_over`: on another phone than the one that sends it.
    """

    value: JsonObject
    game: str
    version: int
    place: dict[str, int]
    command: str
    names: Mapping[str, str]
    occurred_at: int | None = None
    handed_over: bool = False


class Claim(TypedDict):
    """The actor that sends a form, and the id of its command."""

    actor: str
    command: str


def read_game_id(request: HttpRequest) -> str:
    """Return the id of the game that a form, a link or a pad names, "" if none does."""
    said = (request.POST.get("game"), request.GET.get("game"), request.headers.get(ACCORD_GAME))
    return next(filter(None, said), "")


def command_of(form: QueryDict) -> str:
    """The id under which a form asks for something. Raises NotationError."""
    command = form.get("command", "")
    if not COMMAND.fullmatch(command):
        raise NotationError(_("This form is incomplete; load the page again."), path="command")
    return command


def read_command_id(form: QueryDict) -> str:
    """Return the command id in a form, else a fresh one."""
    command = form.get("command", "")
    return command if COMMAND.fullmatch(command) else new_command()


def claim_of(request: SalonRequest) -> Claim:
    """Return the actor and command id of this form. Raises NotationError."""
    return Claim(actor=request.visitor.actor, command=command_of(request.POST))


def version_of(form: QueryDict) -> int:
    """The version of what a form is about, as its page showed it. Raises NotationError."""
    return whole_number(form.get("version", "").strip(), "version")


def table_form(form: QueryDict) -> TableForm:
    """The form as read. Raises NotationError for a number that is none and for an id that isn't
    one.
    """
    command = form.get("command", "")
    if not COMMAND.fullmatch(command):
        raise NotationError(
            "a command id is 32 hexadecimal digits; load the page again", path="command"
        )
    return TableForm(
        value=plain_value(form),
        game=form.get("game", ""),
        version=number_in(form.get("version", ""), "version"),
        place={
            key: number_in(form.get(key, ""), key) for key in ("hand", "trick") if form.get(key)
        },
        command=command,
        names=names_of_seats(form),
    )


def apply_name_answers(sent: QueryDict) -> QueryDict:
    """Return the form with the chosen players in place of the typed names, without the
    answers.
    """
    form = QueryDict(mutable=True)
    for name, values in sent.lists():
        if name.startswith((ASKED, MEANT)):
            continue
        meant = sent.get(f"{MEANT}{name}", "") if _is_answered(sent, name) else ""
        form.setlist(name, [meant] if meant not in ("", NEW) else values)
    return form


def find_unanswered_names(sent: QueryDict, fields: Iterable[str]) -> dict[str, str]:
    """Return the names in these fields that no answer says anything about."""
    typed = {field: " ".join(sent.get(field, "").split()) for field in fields}
    return {field: name for field, name in typed.items() if name and not _is_answered(sent, field)}


def names_of_seats(sent: QueryDict) -> dict[str, str]:
    """Return the names in the fields of seats about which no answer says anything."""
    return find_unanswered_names(sent, [name for name in sent if SEAT_FIELD.fullmatch(name)])


def plain_value(form: QueryDict) -> JsonObject:
    """Read the fields with paths. Raises NotationError with the path of the part that
    can't be read.
    """
    return value_of_fields(_fields(form))


def read_typed_value(form: QueryDict) -> JsonObject:
    """Read the same fields to show them again: unreadable parts stay as typed, so that
    nothing in a form is lost.
    """
    return read_fields_leniently(_fields(form))


def _is_answered(sent: QueryDict, field: str) -> bool:
    """Return whether an answer says which player exactly this text means."""
    typed = " ".join(sent.get(field, "").split())
    return bool(sent.get(f"{MEANT}{field}")) and sent.get(f"{ASKED}{field}", "") == typed


def _fields(form: QueryDict) -> Iterator[WrittenField]:
    yield from apply_name_answers(form).lists()
    if said := "&".join(form.getlist("fields")):
        yield from QueryDict(said).lists()


def problem_of(
    refusal: Refusal, called: Mapping[str, str] = NOBODY, *, unread: int = 422
) -> Problem:
    """A refusal at the field that its path names: `melds[0].cards` is the field `melds.0.cards`.

    `called` are the players by what it calls their seats, where a page shows players and no seats.
    `unread` is the status for what can't be read; what a rule refuses has 422.
    """
    return Problem(
        message=refusal_words(refusal.name_players(called)),
        rule=refusal.rule,
        field=field_of(refusal.path),
        code=refusal.code,
        status=unread if isinstance(refusal, NotationError) else 422,
    )


def why_not(
    failure: Refusal | StreamMoved | CommandReused,
    first: str = "",
    *,
    field: str = "",
    unread: int = 422,
) -> Problem:
    """Return the reason that something was not recorded: for a refusal as `problem_of`
    does, else 409 in the words `first`, or the usual ones, because someone else was
    first; shown at `field`.
    """
    if isinstance(failure, Refusal):
        return problem_of(failure, unread=unread)
    usual = _("Somebody else was first, and yours was not recorded. This is how it stands now.")
    return Problem(message=first or usual, field=field, status=409)


def status_of(problem: Problem | None) -> int:
    """Return the HTTP status of a page with this problem, or with none."""
    return problem.status if problem is not None else 200


def new_command() -> str:
    """A fresh id for what a page may send."""
    return uuid.uuid4().hex


def whole_number(text: str, path: str) -> int:
    """A whole number that isn't below 0. Raises NotationError."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise NotationError(_("a whole number is expected here"), path=path)
    return int(text)
