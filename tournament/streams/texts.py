"""Texts that people wrote, kept apart from the log: an event holds a salted digest,
the words can be erased.
"""

import hashlib
import re
import secrets
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, cast

from tournament.models import Salon, Text

SALT = re.compile("[0-9a-f]{32}")
WRITTEN = frozenset({"note", "by", "reason", "earlier_name", "entry_name"})


def digest_of(salt: str, text: str) -> str:
    """The digest under which a text stands in events: SHA-256 of its salt and its words."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def gives_digest(salt: str, text: str, digest: str) -> bool:
    """Whether salt and words give this digest. A salt of another form could hide a first line."""
    return SALT.fullmatch(salt) is not None and digest_of(salt, text) == digest


class Sealing:
    """Replaces the words of acts by digests, and holds the rows that keep the words until they are
    stored.
    """

    def __init__(self, salon: Salon) -> None:
        self._salon = salon
        self._rows: dict[str, Text] = {}

    def seal(self, value: object) -> Any:  # noqa: ANN401 - of the shape that came in
        """The same act or sheet with a digest in place of each note, `by` and reason."""
        if isinstance(value, tuple):
            # A tuple holds values of one kind, and most are cards: looking at the first one is
            # enough.
            return (
                tuple(self.seal(part) for part in value)
                if value and is_dataclass(value[0])
                else value
            )
        if not is_dataclass(value):
            return value
        changed, shape = {}, cast(Hashable, type(value))
        for name in _names(shape):
            part = getattr(value, name)
            if type(part) is int or part is None:
                continue
            sealed = (
                self._digest(part)
                if name in WRITTEN and isinstance(part, str) and part
                else self.seal(part)
            )
            if sealed is not part:
                changed[name] = sealed
        return replace(value, **changed) if changed else value  # type: ignore[type-var]

    @property
    def empty(self) -> bool:
        """Whether nothing was written."""
        return not self._rows

    def store(self) -> None:
        """Keep the words."""
        if self._rows:
            Text.objects.bulk_create(self._rows.values())

    def _digest(self, text: str) -> str:
        if text not in self._rows:
            salt = secrets.token_hex(16)
            self._rows[text] = Text(
                salon=self._salon, digest=digest_of(salt, text), salt=salt, text=text
            )
        return self._rows[text].digest


@cache
def _names(shape: Any) -> tuple[str, ...]:  # noqa: ANN401 - a dataclass, of which a cache asks for its hash
    """The names of a dataclass's fields; asking it for them takes longer than all the rest here."""
    return tuple(field.name for field in fields(shape))


def words_of(salon: Salon, digests: Iterable[str]) -> dict[str, str]:
    """The words behind digests; those that were erased are missing."""
    return dict(
        Text.objects.filter(salon=salon, digest__in=set(digests)).values_list("digest", "text")
    )


def texts_of(salon: Salon, digests: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The salt and the words behind digests; those that were erased are missing."""
    rows = Text.objects.filter(salon=salon, digest__in=set(digests)).values_list(
        "digest", "salt", "text"
    )
    return {digest: (salt, text) for digest, salt, text in rows}


def digests_in(record: object) -> Iterator[str]:
    """Every digest that stands in a record in place of words."""
    if isinstance(record, dict):
        for key, part in record.items():
            if key in WRITTEN and isinstance(part, str):
                yield part
            else:
                yield from digests_in(part)
    elif isinstance(record, list):
        for part in record:
            yield from digests_in(part)


def with_words(record: object, words: dict[str, str]) -> Any:  # noqa: ANN401 - of the shape that came in
    """The record with its words again; what was erased says so."""
    if isinstance(record, dict):
        return {
            key: words.get(part, "erased")
            if key in WRITTEN and isinstance(part, str)
            else with_words(part, words)
            for key, part in record.items()
        }
    if isinstance(record, list):
        return [with_words(part, words) for part in record]
    return record
