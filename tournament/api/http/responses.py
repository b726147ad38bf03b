"""What the API answers beside plain values: what a write came to, and a version as ETag."""

import hashlib
from dataclasses import dataclass
from types import GenericAlias

from django.http import HttpResponse
from rest_framework.response import Response

from tournament.recording.door import Recorded

REPLAYED = {"Idempotency-Replayed": "true"}


class Answer[S](Response):
    """An answer that says a value of this shape, with a status or headers of its own."""

    # That of DRF forgets the shape.
    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[assignment, var-annotated]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a write came to: the stream it wrote (a game, a tournament, a stock) and the version it
    has after it.

    The same write again gives the same answer, with the header `Idempotency-Replayed: true`.
    """

    stream: str
    version: int


def recorded(done: Recorded) -> Answer[Done]:
    """The answer to a write that went through the one door for facts."""
    return written(done.game, done.version, replayed=done.repeated)


def written(stream: str, version: int, *, replayed: bool) -> Answer[Done]:
    """The answer to a write that brought a stream to this version, now or when it was sent
    before.
    """
    done, headers = Done(stream=stream, version=version), REPLAYED if replayed else {}
    return tagged(Answer(done, status=201, headers=headers), version)


def versioned[S](value: S, version: int) -> Answer[S]:
    """The answer that says this value, with an ETag that begins with the version."""
    return tagged(Answer(value), version)


def tagged[S](answer: Answer[S], version: int) -> Answer[S]:
    """The answer, with an ETag that begins with the version."""
    answer.add_post_render_callback(lambda rendered: _tag(rendered, version))
    return answer


def _tag(rendered: HttpResponse, version: int) -> None:
    digest = hashlib.sha256(rendered.content).hexdigest()[:16]
    rendered["ETag"] = f'"{version}-{digest}"'
