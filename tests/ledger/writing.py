"""Short ways to write drafts and commands in the tests of the ledger."""

import uuid
from collections.abc import Sequence
from typing import Any

import orjson
from django.db import connection
from django.db.models import Model

from ledger.drafts import AccountRef, Appended, CommandClaim, Draft, TransferDraft
from ledger.models import Log
from ledger.store import append

PLAYERS = ("N", "E", "S", "W")


def new_stream() -> str:
    return uuid.uuid4().hex


def claim(
    content: bytes = b"{}", *, command: str | None = None, actor: str = "person-1"
) -> CommandClaim:
    return CommandClaim(id=command or str(uuid.uuid4()), actor=actor, content=content)


def noted(stream: str, text: str = "", *, at: int = 1_000) -> Draft:
    """An event that moves no chips."""
    return Draft(
        stream=stream, type="table.noted", schema=1, occurred_at=at, body=canonical({"text": text})
    )


def account(key: str, *, overdraft: bool | None = None) -> AccountRef:
    """A player may go below zero, a pot may not."""
    player = key in PLAYERS or key == "bank"
    return AccountRef(
        key=key,
        owner=f"person-{key}" if key in PLAYERS else "",
        overdraft=player if overdraft is None else overdraft,
    )


def paid(
    stream: str,
    source: str,
    target: str,
    chips: int,
    *,
    reverses: int | None = None,
    at: int = 1_000,
) -> Draft:
    """A chip event with its transfer."""
    body = canonical(
        {"source": source, "target": target, "chips": chips, "reverses": reverses, "reason": "ante"}
    )
    transfer = TransferDraft(
        source=account(source), target=account(target), chips=chips, reverses=reverses
    )
    return Draft(
        stream=stream, type="chips.moved", schema=1, occurred_at=at, body=body, transfer=transfer
    )


def store(log: int, *drafts: Draft, after: int = 0, now: int = 2_000) -> Appended:
    """Append `drafts` of one stream that is at version `after`."""
    return append(log, claim(), drafts, expected={drafts[0].stream: after}, now=now)


def canonical(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def columns_of(model: type[Model]) -> list[str]:
    """The columns of a table, in their order."""
    return [field.column for field in model._meta.concrete_fields if field.column is not None]


def run(sql: str, values: Sequence[Any] = ()) -> int:
    """Run one statement past the ledger's door; how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values) or None)
        return int(cursor.rowcount)


def rows(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(values) or None)
        return list(cursor.fetchall())


def filled(log: int, count: int) -> Log:
    """The log with so many more events."""
    stream = new_stream()
    store(log, *[noted(stream, str(number)) for number in range(count)])
    return Log.objects.get(pk=log)
