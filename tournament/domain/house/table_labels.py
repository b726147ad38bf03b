"""Labels of tables: reading one or several, and the order in which people look for
them.
"""

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from scoring.errors import NotationError
from tournament.domain.names import plain_name

LONGEST_LABEL = 20
MOST_TABLES = 200
NOT_IN_ADDRESSES = re.compile(r"[/\\?#%]|\.+")
FROM_TO = re.compile(r"([0-9]{1,4}) ?[-\u2013] ?([0-9]{1,4})")
DIGITS = re.compile(r"([0-9]+)")


def clean_label(text: str, path: str) -> str:
    """Return the label of a table in its stored form.

    Raises NotationError for a label that can't be printed on a slip or used in an
    address.
    """
    label = plain_name(text)
    if not 0 < len(label) <= LONGEST_LABEL:
        raise NotationError(
            "a table is called by 1 to %(most)s characters", path=path, most=LONGEST_LABEL
        )
    wrong = NOT_IN_ADDRESSES.fullmatch(label) or re.search(r"[/\\?#%]", label)
    if wrong:
        raise NotationError(
            "a table can't be called %(label)s: leave out slashes, ?, #, per cent signs",
            path=path,
            label=label,
        )
    return label


def several_labels(text: str) -> list[str]:
    """`9-12, Window` → 9, 10, 11, 12, Window: as somebody writes several tables, with commas or one
    a line.
    """
    found: list[str] = []
    for part in filter(None, (each.strip() for each in re.split(r"[,;\n]", text))):
        numbers = FROM_TO.fullmatch(part)
        if numbers is None:
            found.append(part)
            continue
        first, last = int(numbers[1]), int(numbers[2])
        # One too many is refused with its number; no list grows beyond that.
        found += [str(number) for number in range(first, min(last, first + MOST_TABLES) + 1)] or [
            part
        ]
    return found


def next_labels(taken: Collection[str], count: int) -> list[str]:
    """So many numbers that no table is called by, from the lowest on that is above every number
    taken.
    """
    numbers = [int(label) for label in taken if label.isascii() and label.isdecimal()]
    first = max(numbers, default=0) + 1
    return [str(number) for number in range(first, first + count)]


def in_order(labels: Iterable[str]) -> list[str]:
    """Labels as people look for them: 2 before 10, `Table 2` before `Table 10`, numbers before
    words.
    """
    return sorted(labels, key=place_of)


@lru_cache(maxsize=1024)  # lists of tables ask for the same ones with every look
def place_of(label: str) -> tuple[tuple[int, int, str], ...]:
    """By what labels are put in order: numbers by their worth, words by their letters whatever the
    case.
    """
    parts = filter(None, DIGITS.split(label.casefold()))
    return (
        *((0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts),
        (-1, 0, label),
    )


def same_label(one: str, other: str) -> bool:
    """Whether people would take these for one table."""
    return one.casefold() == other.casefold()
