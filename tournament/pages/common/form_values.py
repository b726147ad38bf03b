"""What a form sends, as the plain value that a game reads: a field's name is a path with a type.

`bids.N:number` = 4 and `melds.0.cards:list` = "OV OB" become {"bids": {"N": 4}, "melds": [{"cards":
["OV", "OB"]}]}. A field left empty is as if it weren't there; `soloist:null` with anything in it is
null, `made:flag` true or false, `points:half` a number in halves. `deal.N:cards` are cards in any
letter case, `plays:tricks` one such list a line, `winners.0:trick` is who won the first trick; none
is left out before another. A button or a choice that says more than one thing sends a query string
of such fields under the name `fields`.
"""

import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypedDict

from django.http import QueryDict
from django.utils.translation import gettext as _

from ledger.drafts import CommandReused, StreamMoved
from scoring.errors import NotationError, Refusal, sentence
from scoring.shape import JsonObject
from tournament.accounts.access import SalonRequest
from tournament.queries.refusal_text import refusal_words

NOBODY: Mapping[str, str] = {}
# What recording raises: it can't be read or is refused, somebody was first, it was sent before.
NOT_RECORDED = (Refusal, StreamMoved, CommandReused)
ABOUT_THE_FORM = frozenset(
    {"csrfmiddlewaretoken", "fields", "game", "version", "hand", "trick", "command"}
)
LONGEST_PATH = 120  # characters, as `rulings.12.excuses.3`
DEEPEST = 12  # dots
COMMAND = re.compile(r"[0-9a-f]{32}")
FLAGS = {"true": True, "false": False}
PLACE = re.compile(r"[0-9]{1,9}")
HALVES = re.compile(r"[+\-\u2212]?[0-9]{1,9}([.,][05])?")
MOST_TRICKS = 24  # in a hand of any game
WHOLE = re.compile(r"[+\-\u2212]?[0-9]{1,9}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Why something was not recorded: `field` is the path of the field it is about, "" for the
    whole form; `code` a refusal's; `status` what a page that says it is answered with.
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

    `occurred_at` is when it was filled in, where that was long before it came: microseconds UTC.
    """

    value: JsonObject
    game: str
    version: int
    place: dict[str, int]
    command: str
    occurred_at: int | None = None


class Claim(TypedDict):
    """Who asks for what a form says, and the id under which."""

    actor: str
    command: str


def command_of(form: QueryDict) -> str:
    """The id under which a form asks for something. Raises NotationError."""
    command = form.get("command", "")
    if not COMMAND.fullmatch(command):
        raise NotationError(_("This form is incomplete; load the page again."), path="command")
    return command


def sent_command(form: QueryDict) -> str:
    """The id that a form has, else a fresh one."""
    command = form.get("command", "")
    return command if COMMAND.fullmatch(command) else new_command()


def claim_of(request: SalonRequest) -> Claim:
    """Who sends this form, and its id. Raises NotationError."""
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
        version=_number(form.get("version", ""), "version"),
        place={key: _number(form.get(key, ""), key) for key in ("hand", "trick") if form.get(key)},
        command=command,
    )


def plain_value(form: QueryDict) -> JsonObject:
    """What the fields with paths say. Raises NotationError with the path of what can't be read."""
    tree: dict[str, object] = {}
    for path, kind, written in _fields(form):
        _put_at_path(tree, path, _field_value(written, kind, path))
    return {key: _with_lists(part, key) for key, part in tree.items()}


def typed_value(form: QueryDict) -> JsonObject:
    """The same to be shown again: what can't be read stands as it was typed, so that nothing of a
    form is lost.
    """
    tree: JsonObject = {}
    for path, kind, written in _fields(form):
        with suppress(NotationError):
            _put_at_path(tree, path, _as_far_as_read(written, kind, path))
    return {key: _with_lists(part) for key, part in tree.items()}


def _fields(form: QueryDict) -> Iterator[tuple[str, str, list[str]]]:
    """Each field that says something: its path, its kind, and what was written in it."""
    for name, texts in (*form.lists(), *QueryDict("&".join(form.getlist("fields"))).lists()):
        written = [text.strip() for text in map(str, texts) if text.strip()]
        if written and name not in ABOUT_THE_FORM:
            path, _, kind = name.partition(":")
            if len(path) > LONGEST_PATH or path.count(".") > DEEPEST:
                raise NotationError(
                    "a field of a form has a shorter name", path=path[:LONGEST_PATH]
                )
            yield path, kind, written


def _as_far_as_read(written: Sequence[str], kind: str, path: str) -> object:
    try:
        return _field_value(written, kind, path)
    except NotationError:
        return written[-1]


def problem_of(
    refusal: Refusal, called: Mapping[str, str] = NOBODY, *, unread: int = 422
) -> Problem:
    """A refusal at the field that its path names: `melds[0].cards` is the field `melds.0.cards`.

    `called` are the players by what it calls their seats, where a page shows players and no seats.
    `unread` is the status for what can't be read; what a rule refuses has 422.
    """
    field = re.sub(r"\[(\d+)\]", r".\1", refusal.path).lstrip(".")
    return Problem(
        message=refusal_words(refusal.naming(called)),
        rule=refusal.rule,
        field=field,
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
    """Why something was not recorded: as `problem_of` a refusal, else 409 in the words `first`, or
    the usual ones, for what somebody else has done; they stand at `field`.
    """
    if isinstance(failure, Refusal):
        return problem_of(failure, unread=unread)
    usual = _("Somebody else was first, and yours was not recorded. This is how it stands now.")
    return Problem(message=first or usual, field=field, status=409)


def status_of(problem: Problem | None) -> int:
    """What a page with this problem, or none, is answered with."""
    return problem.status if problem is not None else 200


def new_command() -> str:
    """A fresh id for what a page may send."""
    return uuid.uuid4().hex


def whole_number(text: str, path: str) -> int:
    """A whole number that isn't below 0. Raises NotationError."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise NotationError(_("a whole number is expected here"), path=path)
    return int(text)


def _field_value(written: Sequence[str], kind: str, path: str) -> object:
    if kind == "null":
        return None
    if kind in LISTS:
        return LISTS[kind]("\n".join(written))
    if kind in SINGLES:
        return SINGLES[kind](written[-1], path)
    return written[-1]


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[\s,]+", text) if part]


def _cards(text: str) -> list[str]:
    return _parts(text.upper())


def _tricks(text: str) -> list[list[str]]:
    return [_cards(line) for line in re.split(r"[\n;]", text) if line.strip()]


def _flag(text: str, path: str) -> bool:
    if text not in FLAGS:
        raise NotationError(
            "true or false is expected here, not “%(text)s”", path=path, text=text[:24]
        )
    return FLAGS[text]


def _half(text: str, path: str) -> int | float:
    if not HALVES.fullmatch(text):
        raise NotationError(
            "a number as 45 or 45.5 is expected here, not “%(text)s”", path=path, text=text[:24]
        )
    number = float(text.replace(",", ".").replace("\u2212", "-"))
    return int(number) if number.is_integer() else number


def _number(text: str, path: str) -> int:
    if not WHOLE.fullmatch(text.strip()):
        raise NotationError(
            sentence("a whole number is expected here, not “%(text)s”", text=text[:24])
            if text.strip()
            else sentence("a number is missing here"),
            path=path,
        )
    return int(text.strip().replace("\u2212", "-"))


def _put_at_path(tree: JsonObject, path: str, value: object) -> None:
    """Hang a value at its path."""
    *before, last = path.split(".")
    for key in before:
        tree = tree.setdefault(key, {})
        if not isinstance(tree, dict):
            raise NotationError(
                sentence("%(path)s stands inside a single value", path=path), path=path
            )
    tree[last] = value


class _Winner(str):
    """Who won the trick at a place of a list in which no place before another stays empty."""

    __slots__ = ()


def _with_lists(part: object, path: str = "") -> object:
    """Objects whose keys are all numbers as lists, in their order; with a `path`, of what a form
    says and not only shows again.

    Raises NotationError for a trick that nobody won before one that somebody won.
    """
    if not isinstance(part, Mapping):
        return part
    if part and all(
        PLACE.fullmatch(key) and isinstance(value, _Winner) for key, value in part.items()
    ):
        return _winners({int(key): value for key, value in part.items()}, path)
    if all(PLACE.fullmatch(key) for key in part):
        return [_with_lists(part[key], path and f"{path}.{key}") for key in sorted(part, key=int)]
    return {key: _with_lists(value, path and f"{path}.{key}") for key, value in part.items()}


def _winners(tricks: Mapping[int, str], path: str) -> list[str]:
    left_out = next(place for place in range(MOST_TRICKS + 1) if place not in tricks)
    if path and left_out < len(tricks):
        raise NotationError(
            "who won trick %(trick)s is missing", path=f"{path}.{left_out}", trick=left_out + 1
        )
    return [str(tricks.get(place, "")) for place in range(min(max(tricks), MOST_TRICKS) + 1)]


# What a field of this kind is read as.
LISTS: dict[str, Callable[[str], list[Any]]] = {"list": _parts, "cards": _cards, "tricks": _tricks}
SINGLES: dict[str, Callable[[str, str], object]] = {
    "flag": _flag,
    "half": _half,
    "number": _number,
    "trick": lambda text, path: _Winner(text),
}
