"""Reads a request: its JSON, its query, its key and the version it builds on. An
unreadable part is refused with its path.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from scoring.errors import NotationError
from scoring.shape import CONTROL, an_object, inside
from tournament.api.http.exceptions import KeyProblem
from tournament.formats.record_files import read_json

LONGEST_BODY = 2_000_000  # bytes: a game with every card of every hand is a tenth of it
KEY = re.compile(r'"?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})"?')
VERSION = re.compile(r'"?([0-9]{1,9})(-[0-9a-f]+)?"?')
AT_PLACE = " - at `"  # before the place that a message of msgspec ends with


class TooLong(APIException):
    """A body of more bytes than anything here needs."""

    status_code = 413


class JSONBody(BaseParser):
    """Reads JSON as strictly as files are read: no key twice, no NaN, no control characters."""

    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> Any:
        """The value. Raises NotationError, TooLong."""
        text = stream.read(LONGEST_BODY + 1)
        if len(text) > LONGEST_BODY:
            raise TooLong(_("No more than %(bytes)d bytes are read.") % {"bytes": LONGEST_BODY})
        value = read_json(text)
        _refuse_control_characters(value, "")
        return value


def body_of[S: Struct](request: Request, shape: type[S]) -> S:
    """The body in this shape. Raises NotationError with the path."""
    an_object(request.data, "", keys=shape.__struct_fields__)
    return _as(request.data, shape, strict=True)


def query_of[S: Struct](request: Request, shape: type[S]) -> S:
    """Read the query in this shape; unknown parameters are left out. Raises NotationError."""
    given = {
        name: text
        for name, text in request.query_params.items()
        if name in shape.__struct_fields__ and text != ""
    }
    _refuse_control_characters(given, "")
    return _as(given, shape, strict=False)


def key_of(request: Request) -> str:
    """The Idempotency-Key as 32 hexadecimal digits. Raises KeyProblem."""
    given = request.headers.get("Idempotency-Key", "")
    found = KEY.fullmatch(given.lower())
    if found is None:
        words = _(
            "A write names itself by a UUID of its own, so that it can be sent again and is "
            "done once."
        )
        code = "bad_key" if given else "key_missing"
        raise KeyProblem(words, status=400, code=code, path="Idempotency-Key")
    return "".join(found.groups())


def read_expected_version(request: Request) -> int:
    """Return the version that an act builds on, from If-Match. Raises KeyProblem: 428 if
    it is missing, 400 if it can't be read.
    """
    given = request.headers.get("If-Match", "")
    if not given:
        words = _(
            "An act says on which version it builds: send the ETag of what you saw as If-Match."
        )
        raise KeyProblem(words, status=428, code="version_missing", path="If-Match")
    found = VERSION.fullmatch(given)
    if found is None:
        words = _("If-Match is an ETag as it was answered.")
        raise KeyProblem(words, status=400, code="bad_version", path="If-Match")
    return int(found.group(1))


def _as[S](value: object, shape: type[S], *, strict: bool) -> S:
    try:
        return msgspec.convert(value, shape, strict=strict)
    except msgspec.ValidationError as error:
        message, found, place = str(error).rpartition(AT_PLACE)
        if not found:
            message, place = place, ""
        path = place.removesuffix("`").removeprefix("$").removeprefix(".")
        raise NotationError(message[0].lower() + message[1:], path=path) from None


def _refuse_control_characters(value: object, path: str) -> None:
    """Raise NotationError for a text that holds what no database keeps."""
    for place, text in _texts(value, path):
        if CONTROL.search(text):
            raise NotationError("a text without control characters is expected here", path=place)


def _texts(value: object, path: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield path, value
        case dict():
            for key, part in value.items():
                yield path, key
                yield from _texts(part, inside(path, key))
        case list():
            for place, part in enumerate(value):
                yield from _texts(part, f"{path}[{place}]")
