"""Players by the beginning of a name: who in the salon is meant by what somebody types."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.shape import JsonObject
from tournament.domain.list_columns import turn_name
from tournament.domain.names import LONGEST_NAME, folded, plain_name
from tournament.models import Salon
from tournament.salons.persons import find_offered_persons

LISTED = 200
REMEMBERED = 20_000  # folds of known names, of 80 characters at most


@dataclass(frozen=True, slots=True, kw_only=True)
class FittingName:
    """A player whose name fits, cut where it fits."""

    name: str
    before: str
    hit: str
    after: str


def fitting(typed: str, names: Iterable[str]) -> Iterable[FittingName]:
    """The names one of whose words begins with what was typed, whatever the case and accents; none
    for nothing.
    """
    wanted = folded(typed)
    if not wanted:
        return
    for name in names:
        start = _start_of(wanted, name)
        if start is not None:
            end = _end_of(wanted, name, start)
            yield FittingName(name=name, before=name[:start], hit=name[start:end], after=name[end:])


def match_name(typed: str, names: Iterable[str]) -> str:
    """The one known name that was typed but for case and accents; else what was typed."""
    return _name_by_fold(typed, _by_fold(names))


def match_names(
    typed: Iterable[tuple[str, str]], names: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """Several people who sit together, as (place, name) pairs, each as `match_name`.

    Raises NotationError where two who are new differ in nothing but case and accents: a name alone
    tells them from nobody.
    """
    known = _by_fold(names)
    seated = tuple((place, _name_by_fold(name, known)) for place, name in typed)
    new: dict[str, str] = {}
    for place, written in seated:
        if len(written) > LONGEST_NAME:
            continue  # refused by its length, before any work is done on it
        name = plain_name(written)
        other = new.setdefault(folded(name), name)
        if other != name and not {name, other} <= set(names):
            message = _(
                "%(name)s and %(other)s would be one person: each place has its own player."
            ) % {"name": name, "other": other}
            raise NotationError(message, path=f"players.{place}")
    return seated


def all_names(salon: Salon) -> list[str]:
    """The names of everybody in the salon, in the order of the alphabet."""
    names = find_offered_persons(salon).filter(practice=False).values_list("name", flat=True)
    return sorted(names, key=lambda name: (_fold_of_known(name), name))


def offer_known_names(salon: Salon) -> Callable[[], list[str]]:
    """The first LISTED names, which a browser may offer by itself; nothing is asked until a
    template goes through them.
    """
    return lambda: all_names(salon)[:LISTED]


def with_known_names(value: dict[str, object], salon: Salon) -> JsonObject:
    """The value of a form about seats, with the names as the salon writes them."""
    seated = value.get("players")
    if not isinstance(seated, dict):
        return value
    names = list(find_offered_persons(salon).filter(practice=False).values_list("name", flat=True))
    by_name = {seat: name for seat, name in seated.items() if isinstance(name, str)}
    return value | {"players": seated | dict(match_names(by_name.items(), names))}


def _name_by_fold(typed: str, known: Mapping[str, Sequence[str]]) -> str:
    if not known or len(typed) > LONGEST_NAME:
        return typed
    # Somebody who is known as Mara Casadei may be written Casadei, Mara.
    alike = known.get(folded(typed)) or known.get(folded(turn_name(typed)), ())
    return alike[0] if len(alike) == 1 else typed


def _by_fold(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """The names by what they fold to, each folded once."""
    known: dict[str, list[str]] = {}
    for name in names:
        known.setdefault(_fold_of_known(name), []).append(name)
    return known


@lru_cache(maxsize=REMEMBERED)
def _fold_of_known(name: str) -> str:
    return folded(name)


def _start_of(wanted: str, name: str) -> int | None:
    starts = (place for place in range(len(name)) if place == 0 or name[place - 1] in " -'’")
    return next((place for place in starts if folded(name[place:]).startswith(wanted)), None)


def _end_of(wanted: str, name: str, start: int) -> int:
    return next(
        end
        for end in range(start + 1, len(name) + 1)
        if len(folded(name[start:end])) >= len(wanted)
    )
