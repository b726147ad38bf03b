"""An object of a file, read key by key: each reader is given a value and the path at which a
NotationError says that it can't be read.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from scoring.errors import NotationError
from scoring.shape import a_list, a_number, a_text, an_object, inside, kind_of, one_of, required

type Reader[T] = Callable[[object, str], T]


@dataclass(frozen=True, slots=True)
class FileObject:
    """The values of an object by its keys, and its path."""

    values: Mapping[str, object]
    path: str

    def needed[T](self, key: str, read: Reader[T]) -> T:
        """Read a value that has to be there."""
        return read(required(self.values, key, self.path), inside(self.path, key))

    def usual[T](self, key: str, read: Reader[T], otherwise: object) -> T:
        """Read a value that may be left out, then as `otherwise`."""
        return read(self.values.get(key, otherwise), inside(self.path, key))

    def perhaps[T](self, key: str, read: Reader[T]) -> T | None:
        """Read a value that may be left out or null, then None."""
        value = self.values.get(key)
        return None if value is None else read(value, inside(self.path, key))


def file_object(value: object, path: str, keys: Iterable[str]) -> FileObject:
    """The value if it is an object with no key but these."""
    return FileObject(an_object(value, path, keys=tuple(keys)), path)


def a_number_of(least: int, most: int) -> Reader[int]:
    """Reads a whole number from `least` to `most`."""
    return partial(a_number, least=least, most=most)


def a_text_of(shortest: int, longest: int) -> Reader[str]:
    """Reads a text of so many characters."""
    return partial(a_text, shortest=shortest, longest=longest)


def one_from(choices: Iterable[str]) -> Reader[str]:
    """Reads one of these words."""
    known = tuple(choices)
    return lambda value, path: one_of(value, known, path)


def several[T](read: Reader[T], most: int) -> Reader[tuple[T, ...]]:
    """Reads a list of so many at most."""

    def read_all(value: object, path: str) -> tuple[T, ...]:
        items = a_list(value, path)
        if len(items) > most:
            raise NotationError(
                "at most %(most)s are expected here, not %(items)s",
                path=path,
                most=most,
                items=len(items),
            )
        return tuple(read(item, f"{path}[{place}]") for place, item in enumerate(items))

    return read_all


def a_truth(value: object, path: str) -> bool:
    """The value if it is true or false."""
    if not isinstance(value, bool):
        raise NotationError(
            "true or false is expected here, not %(value)s", path=path, value=kind_of(value)
        )
    return value
