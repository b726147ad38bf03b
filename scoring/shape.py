"""Reading plain JSON values into what they should be, or saying where they aren't (bad_record)."""

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import Field
from datetime import UTC, date, datetime
from typing import Any, ClassVar, Protocol, TypeGuard

from scoring.errors import NotationError, Sentence, sentence

# An object of JSON that this program made itself, or one that is only read: what stands under its
# keys is known to whoever wrote it and can't be said by a type. Plain names, so that what reads
# shapes as it runs sees the types.
JsonObject = dict[str, Any]
JsonMapping = Mapping[str, Any]


class Fields(Protocol):
    """A value with named fields: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


LONGEST = 2_000
GREATEST = 1_000_000_000
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def an_object(value: object, path: str, *, keys: Iterable[str]) -> dict[str, object]:
    """The value if it is an object with no key but `keys`."""
    if not isinstance(value, dict):
        raise NotationError(
            "an object is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    unknown = [key for key in value if key not in keys]
    if unknown:
        raise NotationError(
            "there is no key %(unknown)s here; the keys are %(keys)s",
            path=inside(path, unknown[0][:40]),
            unknown=repr(unknown[0][:40]),
            keys=", ".join(keys),
        )
    return value


def a_list(value: object, path: str) -> list[object]:
    """The value if it is a list."""
    if not isinstance(value, list):
        raise NotationError(
            "a list is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    return value


def a_text(value: object, path: str, *, longest: int = LONGEST, shortest: int = 0) -> str:
    """The value if it is a text of `shortest` to `longest` characters without control
    characters.
    """
    if not isinstance(value, str):
        raise NotationError(
            "a text is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    if not shortest <= len(value) <= longest or (shortest and not value.strip()):
        raise NotationError(
            "a text of %(shortest)s to %(longest)s characters is expected here, not of %(value)s",
            path=path,
            shortest=shortest,
            longest=longest,
            value=len(value),
        )
    if CONTROL.search(value):
        raise NotationError("a text without control characters is expected here", path=path)
    return value


def a_number(value: object, path: str, *, least: int = -GREATEST, most: int = GREATEST) -> int:
    """The value if it is a whole number from `least` to `most`."""
    if type(value) is not int:
        raise NotationError(
            "a whole number is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    if not least <= value <= most:
        raise NotationError(
            "a whole number from %(least)s to %(most)s is expected here, not %(shown_number)s",
            path=path,
            least=least,
            most=most,
            shown_number=format_number(value),
        )
    return value


def format_number(value: int) -> str:
    """A whole number as a message shows it; one of very many digits is only called so."""
    if value.bit_length() < 128:
        return str(value)
    if value > 0:
        return "a far greater one"
    return "a far smaller one"


def one_of(value: object, allowed: Sequence[str] | Mapping[str, object], path: str) -> str:
    """The value if it is one of `allowed`; in a text of letters, one letter."""
    if isinstance(value, str) and value in tuple(allowed):
        return value
    shown = f'"{value[:40]}"' if isinstance(value, str) else kind_of(value)
    raise NotationError(
        "one of %(allowed)s is expected here, not %(shown)s",
        path=path,
        allowed=", ".join(allowed),
        shown=shown,
    )


def by_seat[T](
    value: object, path: str, seats: Iterable[str], read: Callable[[object, str], T]
) -> dict[str, T]:
    """An object whose keys are seats, each value read; in the order of the seats."""
    given = an_object(value, path, keys=tuple(seats))
    return {seat: read(given[seat], inside(path, seat)) for seat in seats if seat in given}


def each_under[T](
    given: Mapping[str, object], key: str, read: Callable[[object, str], T]
) -> tuple[T, ...]:
    """Read each item of the list under `key`; empty if there is no list. Raises
    NotationError.
    """
    found = enumerate(a_list(given.get(key, []), key))
    return tuple(read(each, f"{key}[{place}]") for place, each in found)


def perhaps[T](given: Mapping[str, object], key: str, read: Callable[[object, str], T]) -> T | None:
    """Read the value under `key`; None if there is none. Raises NotationError."""
    return read(given[key], key) if key in given else None


def a_list_of_codes(
    value: object, path: str, codes: Container[str], read: Callable[[object, str], str]
) -> tuple[str, ...]:
    """The codes that are meant, each read by `read` unless all are `codes` already, as in nearly
    every file. Raises NotationError.
    """
    given = a_list(value, path)
    if _are_all(given, codes):
        return tuple(given)
    return tuple(read(each, f"{path}[{place}]") for place, each in enumerate(given))


def _are_all(given: list[object], codes: Container[str]) -> TypeGuard[list[str]]:
    try:
        return all(map(codes.__contains__, given))
    except TypeError:  # what has no hash is no code
        return False


def a_date(value: object, path: str) -> str:
    """The value if it is an ISO date."""
    text = a_text(value, path, longest=10)
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise NotationError("a date as 2026-11-21 is expected here", path=path) from None


def a_time(value: object, path: str) -> str:
    """The value if it is an ISO date and time, in UTC; one without an offset is taken as UTC."""
    text = a_text(value, path, longest=40)
    try:
        return _utc(datetime.fromisoformat(text)).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):
        raise NotationError("a time as 2026-11-21T19:30:00Z is expected here", path=path) from None


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def required[T](
    given: Mapping[str, T], key: str, path: str, *, missing: Sentence | None = None
) -> T:
    """Return the value under `key`, which has to be there; `missing` says what it is
    called at a table.
    """
    if key not in given:
        raise NotationError(
            missing or sentence("%(key)s is missing here", key=key), path=inside(path, key)
        )
    return given[key]


def each_required[T](
    given: Mapping[str, T], path: str, missing: Mapping[str, Sentence]
) -> tuple[T, ...]:
    """Return the value under each key of `missing`, which has to be there; else the
    sentence under that key says what is missing.
    """
    return tuple(required(given, key, path, missing=missing[key]) for key in missing)


def inside(path: str, key: str) -> str:
    """The path of a key inside an object."""
    return f"{path}.{key}" if path else key


def kind_of(value: object) -> str:
    """The JSON kind of a value, as it is called in a message."""
    kinds = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        int: "a whole number",
        float: "a number with a fraction",
    }
    return kinds.get(type(value), "null")
