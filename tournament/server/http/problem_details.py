"""Problem details (RFC 9457): what a program is answered when something can't be done."""

from dataclasses import dataclass
from http import HTTPStatus

from scoring.shape import JsonObject

MEDIA_TYPE = "application/problem+json"
TYPE = "about:blank"  # the status and the code say what it is
# The codes of what is no rule of a game, by status.
CODES = {
    400: "bad_request",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "not_offered",
    413: "too_long",
    415: "not_json",
    429: "too_many",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """What is there now: the version the next act builds on, and the state it has."""

    version: int
    state: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemDetails:
    """Why a request was turned away: `code` and `rule` name it, `path` the place in what was sent,
    `detail` says what would be right.

    `current` is there when somebody else was first.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str = ""
    path: str = ""
    current: Current | None = None


def details(
    status: int,
    detail: str,
    *,
    code: str = "",
    rule: str = "",
    path: str = "",
    current: Current | None = None,
) -> ProblemDetails:
    """A problem of this status."""
    said = {"title": HTTPStatus(status).phrase, "code": code or CODES.get(status, "refused")}
    about = {"detail": detail, "rule": rule, "path": path}
    return ProblemDetails(type=TYPE, status=status, current=current, **said, **about)
