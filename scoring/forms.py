"""Form fields read as the plain value that a game takes: a field's name is a path with
a type.

`bids.N:number` = 4 and `melds.0.cards:list` = "OV OB" become {"bids": {"N": 4}, "melds": [{"cards":
["OV", "OB"]}]}. A field left empty is as if it weren't there; `soloist:null` with anything in it is
null, `made:flag` true or false, `points:half` a number in halves. `deal.N:cards` are cards in any
letter case, `plays:tricks` one such list a line, `winners.0:trick` is who won the first trick; none
is left out before another.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from scoring.errors import NotationError, sentence
from scoring.shape import JsonObject

# A field's name with all that was written under it.
type WrittenField = tuple[str, Sequence[str]]

ABOUT_THE_FORM = frozenset(
    {"csrfmiddlewaretoken", "fields", "game", "version", "hand", "trick", "command"}
)
# Fields that pages show again item by item.
SHOWN_LISTS = frozenset({"plays", "melds", "cards", "rulings", "calls"})
LONGEST_PATH = 120  # characters, as `rulings.12.excuses.3`
DEEPEST = 12  # dots
FLAGS = {"true": True, "false": False}
PLACE = re.compile(r"[0-9]{1,9}")
HALVES = re.compile(r"[+\-\u2212]?[0-9]{1,9}([.,][05])?")
MOST_TRICKS = 24  # in a hand of any game
WHOLE = re.compile(r"[+\-\u2212]?[0-9]{1,9}")


def value_of_fields(fields: Iterable[WrittenField]) -> JsonObject:
    """Return the value of the fields with paths. Raises NotationError with the path of a
    field that can't be read.
    """
    tree: dict[str, object] = {}
    for path, kind, written in _fields_that_say(fields):
        _check_path(path)
        _put_at_path(tree, path, _field_value(written, kind, path))
    return {key: _with_lists(part, key) for key, part in tree.items()}


def read_fields_leniently(fields: Iterable[WrittenField]) -> JsonObject:
    """The same to be shown again: what can't be read stands as it was typed, so that nothing of a
    form is lost. Fields that no form has are left out: with a name too long or too deep, or with a
    single value where a page shows a list.
    """
    tree: JsonObject = {}
    for path, kind, written in _fields_that_say(fields):
        with suppress(NotationError):
            _check_path(path)
            _put_at_path(tree, path, _as_far_as_read(written, kind, path))
    shown = {key: _with_lists(part) for key, part in tree.items()}
    return {
        key: part for key, part in shown.items() if key not in SHOWN_LISTS or isinstance(part, list)
    }


def field_of(path: str) -> str:
    """The field that the path of a refusal names: `melds[0].cards` is the field `melds.0.cards`."""
    return re.sub(r"\[(\d+)\]", r".\1", path).lstrip(".")


def number_in(text: str, path: str) -> int:
    """A whole number as a field has it. Raises NotationError."""
    if not WHOLE.fullmatch(text.strip()):
        raise NotationError(
            sentence("a whole number is expected here, not “%(text)s”", text=text[:24])
            if text.strip()
            else sentence("a number is missing here"),
            path=path,
        )
    return int(text.strip().replace("\u2212", "-"))


def _fields_that_say(fields: Iterable[WrittenField]) -> Iterator[tuple[str, str, list[str]]]:
    """Each field that says something: its path, its kind, and what was written in it."""
    for name, texts in fields:
        written = [text.strip() for text in map(str, texts) if text.strip()]
        if written and name not in ABOUT_THE_FORM:
            path, _, kind = name.partition(":")
            yield path, kind, written


def _check_path(path: str) -> None:
    """Raise NotationError for a path longer or deeper than any form has."""
    if len(path) > LONGEST_PATH or path.count(".") > DEEPEST:
        raise NotationError("a field of a form has a shorter name", path=path[:LONGEST_PATH])


def _as_far_as_read(written: Sequence[str], kind: str, path: str) -> object:
    try:
        return _field_value(written, kind, path)
    except NotationError:
        return written[-1]


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
    """Winner of the trick at a place of a list in which no place before another stays
    empty.
    """

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
    "number": number_in,
    "trick": lambda text, path: _Winner(text),
}
