"""Where a later stage takes its entries from, in the form that says how a tournament is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.shape import JsonObject
from tournament.domain.standings.reading import MOST_SOURCES
from tournament.domain.standings.values import BY_TIE_BREAKS, Stage

USUAL_TOP = 8  # how many go on where nothing is typed
OF_A_SOURCE = ("from", "first", "top", "ties")
LONGEST = 20  # characters of a field


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What the form says about a source of a stage, the one at `place` (0: the first): `top`
    entries of stage `stage` from place `first` on. `path` is where a refusal says that it is
    wrong.
    """

    place: int
    name: str
    path: str
    stage: str = ""
    first: str = ""
    top: str = ""
    ties: str = BY_TIE_BREAKS


def sent_sources(form: QueryDict, number: int) -> tuple[Source, ...]:
    """The sources of stage `number` as sent, and room for one more."""
    return shown_sources(
        number,
        [
            {name: sent_field(form, f"{prefix}.{name}") for name in OF_A_SOURCE}
            for prefix in (_prefix(number, place) for place in range(MOST_SOURCES))
        ],
    )


def sources_of(stage: Stage, number: int) -> tuple[Source, ...]:
    """The sources of stage `number` as it is set up, and room for one more."""
    return shown_sources(
        number,
        [
            {
                "from": str(takes.from_stage),
                "first": str(takes.first) if takes.first > 1 else "",
                "top": str(takes.top),
                "ties": takes.ties,
            }
            for takes in stage.sources
        ],
    )


def shown_sources(number: int, found: Sequence[Mapping[str, str]]) -> tuple[Source, ...]:
    """The first source, those of the others that say something, and room for one more."""
    others = [each for each in found[1:] if each.get("top") or each.get("first")]
    asked: list[Mapping[str, str]] = [found[0] if found else {}, *others]
    path = f"stages.{number - 1}.takes"
    shown = [*asked, {}] if len(asked) < MOST_SOURCES else asked
    return tuple(
        Source(
            place=place,
            name=_prefix(number, place),
            path=f"{path}.{place}" if len(asked) > 1 else path,
            stage=each.get("from", ""),
            first=each.get("first", ""),
            top=each.get("top", ""),
            ties=each.get("ties") or BY_TIE_BREAKS,
        )
        for place, each in enumerate(shown)
    )


def takes_of(sources: Sequence[Source], number: int) -> JsonObject | list[JsonObject]:
    """The sources that say something as a file has them. Raises NotationError."""
    asked = [source for source in sources if source.top or source.first or not source.place]
    takes = [_takes(source, number) for source in asked]
    return takes if len(takes) > 1 else takes[0]


def sent_field(form: QueryDict, name: str) -> str:
    """A field as it was typed, no more of it than any field has."""
    return form.get(name, "").strip()[:LONGEST]


def number_typed(written: str, path: str) -> int | None:
    """A number of a field; None where nothing is typed. Raises NotationError."""
    if not written:
        return None
    if not (written.isascii() and written.isdecimal()) or len(written) > 4:
        raise NotationError(
            _("A number is expected here, not “%(text)s”.") % {"text": written}, path=path
        )
    return int(written)


def _prefix(number: int, place: int) -> str:
    return f"stages.{number}.also.{place}" if place else f"stages.{number}"


def _takes(source: Source, number: int) -> JsonObject:
    """Raises NotationError."""
    stage = number_typed(source.stage, f"{source.path}.from")
    first = number_typed(source.first, f"{source.path}.places") or 1
    top = number_typed(source.top, f"{source.path}.top")
    top = USUAL_TOP if top is None else top
    places = {"places": [first, first + top - 1]} if first > 1 and top else {"top": top}
    return {"from": number - 1 if stage is None else stage, **places, "ties": source.ties}
