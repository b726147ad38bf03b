"""Writes that are no events, done once for each key: the first answer is kept and given again."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields

import msgspec
from django.db import transaction
from django.utils.crypto import salted_hmac

from ledger.drafts import CommandReused
from scoring.shape import Fields
from tournament.api.http.responses import REPLAYED, Answer
from tournament.api.http.viewsets import ApiViewSet
from tournament.models import KeptAnswer


def once[S: Fields](
    view: ApiViewSet, what: Sequence[object], do: Callable[[], S], *, unsaid: str = ""
) -> Answer[S]:
    """What `do` answers, a dataclass, the first time that this key comes; later what it answered
    then.

    `what` tells one write from another. The field `unsaid` of the answer is said once and never
    kept. Raises CommandReused when the key came with another content.
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
        shown = {field.name: getattr(done, field.name) for field in fields(done)} | (
            {unsaid: ""} if unsaid else {}
        )
        kept.answer = msgspec.json.encode(shown).decode()
        kept.save(update_fields=["answer"])
    return Answer(done, status=201)
