"""What the API answers: JSON of plain values, with its version as ETag; lists a page at a time."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from django.http import HttpResponse
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.recording.door import Recorded

MOST = 200
USUAL = 50
ENCODER = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Where a page of a list begins: after the one with this position, and how many it has
    at most.
    """

    cursor: (
        Annotated[
            int,
            msgspec.Meta(
                ge=0, le=10**15, description="Where the page before ended: its `next_cursor`."
            ),
        ]
        | None
    ) = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST, description="How many at most.")] = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Page[T]:
    """A page of a list, in its order; `next_cursor` is null at the end."""

    items: list[T]
    next_cursor: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a write came to: the stream it wrote (a game, a tournament, a stock) and the version it
    has after it.

    The same write again gives the same answer, with the header `Idempotency-Replayed: true`.
    """

    stream: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A value with headers of its own; `version` becomes a part of its ETag."""

    value: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    version: int | None = None


class JSONAnswer(BaseRenderer):
    """Writes values and dataclasses as JSON, keys of objects in order."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, object] | None = None,
    ) -> bytes:
        """The bytes of an answer; none for none."""
        return b"" if data is None else ENCODER.encode(data)


class AlwaysJSON(BaseContentNegotiation):
    """Answers in JSON whatever a client would rather have."""

    def select_parser(self, request: Request, parsers: Iterable[Any]) -> Any:
        """The parser for what was sent; None for what isn't JSON."""
        sent = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[Any], format_suffix: str | None = None
    ) -> tuple[object, str]:
        """The one there is."""
        only = next(iter(renderers))
        return only, only.media_type


def recorded(done: Recorded) -> Answer:
    """The answer to a write that went through the one door for facts."""
    replayed = {"Idempotency-Replayed": "true"} if done.repeated else {}
    return Answer(
        value=Done(stream=done.game, version=done.version), headers=replayed, version=done.version
    )


def paged[T](found: Sequence[tuple[int, T]], limit: int) -> Page[T]:
    """A page of these (position, item) pairs, of which one more than `limit` was read where there
    are more.
    """
    page = found[:limit]
    return Page(
        items=[item for _position, item in page],
        next_cursor=page[-1][0] if len(found) > limit else None,
    )


def response_of(value: Any, *, status: int) -> HttpResponse:
    """The HTTP answer that says this value; one that is an HTTP answer already stays as it is."""
    if isinstance(value, HttpResponse) or hasattr(value, "streaming_content"):
        return value  # type: ignore[no-any-return]
    answer = value if isinstance(value, Answer) else Answer(value=value)
    response = Response(answer.value, status=status, headers=dict(answer.headers))
    if answer.version is not None:
        version = answer.version
        response.add_post_render_callback(lambda rendered: _tag(rendered, version))
    return response


def _tag(rendered: HttpResponse, version: int) -> None:
    digest = hashlib.sha256(rendered.content).hexdigest()[:16]
    rendered["ETag"] = f'"{version}-{digest}"'
