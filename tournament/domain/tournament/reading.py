"""Reading a director's act from JSON or a form, field by field; each function
raises NotationError.
"""

from collections.abc import Callable, Mapping, Sequence

from scoring.errors import NotationError
from scoring.shape import a_list, a_number, a_text, an_object, inside, one_of, required
from tournament.domain.names import LONGEST_NAME, plain_name
from tournament.domain.standings.values import HUNDREDTHS
from tournament.domain.tournament.subject import Command, Reader

LONGEST_KEY = 64
MOST_SCORE = 100_000
EXACT = 1e-6  # a fraction of two decimals times a hundred is a whole number but for this

type Given = Mapping[str, object]
type FieldReader = Callable[[Given, str], object]  # reads what stands under a key


def reads(
    build: Callable[..., Command],
    *,
    timed: bool = False,
    called: Mapping[str, str] | None = None,
    **fields: FieldReader,
) -> Reader:
    """Reads an act with these keys, and the time of it where it is `timed`; `called` says what the
    command calls a key that has another name there.
    """
    names = called or {}

    def read_command(value: object, now: int) -> Command:
        given = an_object(value, "", keys=tuple(fields))
        values = {names.get(name, name): field(given, name) for name, field in fields.items()}
        return build(**values, **({"at": now} if timed else {}))

    return read_command


def a_key(given: Given, name: str) -> str:
    """The id of an entry or a game."""
    return a_text(required(given, name, ""), name, shortest=1, longest=LONGEST_KEY)


def perhaps_a_key(given: Given, name: str) -> str | None:
    """The id of an entry, None if none is named."""
    return a_key(given, name) if given.get(name) else None


def an_entry_name(given: Given, name: str) -> str | None:
    """A name that an entry has of its own, where one is given."""
    written = a_text(given[name], name, longest=LONGEST_NAME) if given.get(name) else ""
    return plain_name(written) or None


def keys_of(given: Given, name: str) -> tuple[str, ...]:
    """Ids, in order; none where nothing is said."""
    return tuple(
        a_text(key, name, longest=LONGEST_KEY) for key in a_list(given.get(name, []), name)
    )


def a_count(given: Given, name: str) -> int:
    """The number of a round or a table: 1 or more."""
    return a_number(required(given, name, ""), name, least=1)


def perhaps_a_count(given: Given, name: str) -> int | None:
    """The number of a round or a table, None where none is named."""
    return a_count(given, name) if name in given else None


def counts_of(given: Given, name: str) -> tuple[int, ...]:
    """Numbers from 1 on, in order; none where nothing is said."""
    return tuple(
        a_number(each, f"{name}[{place}]", least=1)
        for place, each in enumerate(a_list(given.get(name, []), name))
    )


def any_number(given: Given, name: str) -> int:
    """A whole number."""
    return a_number(required(given, name, ""), name)


def a_reason(given: Given, name: str) -> str | None:
    """Why, where somebody said it."""
    return a_text(given[name], name) if given.get(name) else None


def a_needed_reason(given: Given, name: str) -> str:
    """Why, "" where nobody said it: that it is missing is for the rules to say."""
    return a_reason(given, name) or ""


def one_from(choices: Sequence[str], otherwise: str | None = None) -> FieldReader:
    """One of these words, `otherwise` where none stands there."""

    def read_choice(given: Given, name: str) -> str:
        return one_of(given.get(name, otherwise), choices, name)

    return read_choice


def hundredths(given: Given, name: str, path: str = "") -> int | None:
    """Points or scores as hundredths, written whole or with a fraction; None where there are
    none.
    """
    value = given.get(name)
    if value is None:
        return None
    expected = NotationError(
        "a number up to %(most_score)s with two decimals at most is expected here",
        path=inside(path, name),
        most_score=MOST_SCORE,
    )
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not abs(value) <= MOST_SCORE
    ):
        raise expected
    if abs(round(value * HUNDREDTHS) - value * HUNDREDTHS) > EXACT:
        raise expected
    return round(value * HUNDREDTHS)
