"""Answers of the API besides plain values: structs built from rows, the result of a
write, a version as ETag; and writes that are not events, done once for each key,
whose answer is kept.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from types import GenericAlias
from typing import Any

import msgspec
from django.db import transaction
from django.http import HttpResponse
from django.utils.crypto import salted_hmac
from msgspec import Struct
from rest_framework.response import Response

from ledger.drafts import CommandReused
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import KeptAnswer
from tournament.recording.door import Recorded

REPLAYED = {"Idempotency-Replayed": "true"}


class Answer[S](Response):
    """An answer that says a value of this shape, with a status or headers of its own."""

    # That of DRF forgets the shape.
    __class_getitem__ = classmethod(GenericAlias)  # type: ignore[assignment, var-annotated]


class Done(Struct, frozen=True, kw_only=True):
    """What a write came to: the stream it wrote (a game, a tournament, a stock) and the version it
    has after it.

    The same write again gives the same answer, with the header `Idempotency-Replayed: true`.
    """

    stream: str
    version: int


def answer_to_recording(done: Recorded) -> Answer[Done]:
    """The answer to a write that went through the one door for facts."""
    return answer_to_write(done.game, done.version, replayed=done.repeated)


def answer_to_write(stream: str, version: int, *, replayed: bool) -> Answer[Done]:
    """The answer to a write that brought a stream to this version, now or when it was sent
    before.
    """
    done, headers = Done(stream=stream, version=version), REPLAYED if replayed else {}
    return add_etag(Answer(done, status=201, headers=headers), version)


def make_versioned_answer[S](value: S, version: int) -> Answer[S]:
    """Return the answer with this value, and an ETag that begins with the version."""
    return add_etag(Answer(value), version)


def add_etag[S](answer: Answer[S], version: int) -> Answer[S]:
    """Add an ETag that begins with the version to the answer."""
    answer.add_post_render_callback(lambda rendered: _tag(rendered, version))
    return answer


def _tag(rendered: HttpResponse, version: int) -> None:
    digest = hashlib.sha256(rendered.content).hexdigest()[:16]
    rendered["ETag"] = f'"{version}-{digest}"'


def build_struct[S: Struct](shape: type[S], value: object, /, **given: Any) -> S:
    """Build a struct: from the given values, and for every other field from the attribute
    of that name.
    """
    names = [name for name in shape.__struct_fields__ if name not in given]
    return shape(**{name: getattr(value, name) for name in names}, **given)


def answer_idempotently[S: Struct](
    view: ApiViewSet, what: Sequence[object], do: Callable[[], S], *, unsaid: str = ""
) -> Answer[S]:
    """Answer with the result of `do` the first time that this key comes; later with that
    same answer.

    `what` tells one write from another. The field `unsaid` of the answer is sent once
    and never kept. Raises CommandReused if the key came with another content.
    """
    said = json.dumps([view.visitor.actor, *what, view.request.data], sort_keys=True, default=str)
    # Keyed, so that nobody learns from a kept digest what was sent: a name may have stood there
    # that is erased by now.
    digest = salted_hmac("tournament.api.once", said, algorithm="sha256").hexdigest()
    with transaction.atomic():
        kept, fresh = KeptAnswer.objects.get_or_create(
            salon=view.visitor.salon, key=view.command, defaults={"digest": digest, "answer": "{}"}
        )
        if not fresh:
            if kept.digest != digest:
                raise CommandReused(view.command)
            return Answer(json.loads(kept.answer), status=201, headers=REPLAYED)
        done = do()
        shown = msgspec.structs.asdict(done) | ({unsaid: ""} if unsaid else {})
        kept.answer = msgspec.json.encode(shown).decode()
        kept.save(update_fields=["answer"])
    return Answer(done, status=201)
