"""Fields for each stage in the form of a tournament: the scales that go with a format
and a game, a scale from typed values, and the earlier stages from which a later
stage takes its entries.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.standings.formats import Own, scales_for
from tournament.domain.standings.reading import MOST_SOURCES, SCALE_KEYS, scale_of
from tournament.domain.standings.values import (
    BUILT,
    BY_TIE_BREAKS,
    HUNDREDTHS,
    IMPS,
    MATCHPOINTS,
    STAGE_KINDS,
    Duplicate,
    Scale,
    Stage,
)
from tournament.domain.standings.writing import write_stage
from tournament.pages.desk.format_fields import Choice

USUAL = "usual"  # what a table is worth where nothing else is chosen
SCALES: Mapping[str, str | Promise] = {
    USUAL: gettext_lazy("As usual for the format"),
    "match": gettext_lazy("Win, draw, loss"),
    "margin": gettext_lazy("Victory points by difference"),
    "points": gettext_lazy("Game points"),
    "chips": gettext_lazy("Chips won"),
    "built": gettext_lazy("Cards built"),
    "matchpoints": gettext_lazy("Matchpoints"),
    "imps": gettext_lazy("IMPs"),
    "victory_points": gettext_lazy("Victory points from IMPs"),
}
NUMBERS = ("win", "draw", "loss")
# What who sits out gets where nothing is written and a file would give nothing.
USUAL_BYES: Mapping[tuple[str, str], int] = {("swiss", "points"): 200}
# What of a scale the form doesn't ask: it stays as it was set while the scale is the same.
KEPT = ("steps", "opponents")
USUAL_TOP = 8  # how many go on where nothing is typed
OF_A_SOURCE = ("from", "first", "top", "ties")
LONGEST = 20  # characters of a field


def scale_choices() -> list[Choice]:
    """Every scale with what it goes with: `GAME/FORMAT`, and where everybody plays the same deals
    `GAME/FORMAT/WHAT THEY ARE COMPARED BY`.
    """
    goes: dict[str, list[str]] = {name: [] for name in SCALES}
    for game in GAMES:
        for label, stage in _stages():
            for name in scales_for(stage, game):
                goes[name].append(f"{game}/{label}")
    return [(name, words, " ".join(goes[name])) for name, words in SCALES.items()]


def _stages() -> Iterator[tuple[str, Stage]]:
    """A stage of every format, and of every way in which it decides about scales."""
    for kind in STAGE_KINDS:
        if kind != "duplicate":
            yield kind, Stage(kind=kind)
    yield "double", Stage(kind="round_robin")
    for scoring in (MATCHPOINTS, IMPS, BUILT):
        yield f"duplicate/{scoring}", Stage(kind="duplicate", duplicate=Duplicate(scoring=scoring))


def choose_scale_kind(stage: Stage, written: str) -> str:
    """Return the kind of scale. The usual one of a format is chips if each plays for
    themselves, matchpoints if pairs play the same deals, and the comparison of the
    deals if all play the same.
    """
    if written != USUAL:
        return written
    if stage.kind == "duplicate":
        return stage.duplicate.scoring
    return {"pods": "chips", "movement": "matchpoints"}.get(stage.kind, "match")


def scale_from(
    stage: Stage, written: str, texts: Mapping[str, str], steps: str, kept: Stage | None
) -> Scale:
    """The scale that was written for a stage; `texts` are the worth of a win, a draw, a loss and of
    sitting out ("bye", "" for the usual). What isn't asked is as in `kept`. Raises NotationError.
    """
    kind = choose_scale_kind(stage, written)
    if kind not in SCALE_KEYS:
        raise NotationError(
            _("Choose what a table is worth from the list."), path="stage.scale.kind"
        )
    bye = USUAL_BYES.get((stage.kind, kind))
    given: JsonObject = _of_the_same(stage, kind, kept) | (
        {"kind": kind} if bye is None else {"kind": kind, "bye": bye}
    )
    given |= {
        name: number_of(text, f"stage.scale.{name}")
        for name, text in texts.items()
        if text and name in SCALE_KEYS[kind]
    }
    if kind == "margin":
        given["steps"] = [number_of(text, "stage.scale.steps") for text in steps.split()]
    return scale_of(stage.kind, given, "stage.scale", _own_format(stage))


def bye_written(stage: Stage) -> str:
    """Return the worth of a bye as the form has it: "" if it is the usual one."""
    given = write_stage(stage)["scale"]
    given.pop("bye", None)
    usual = USUAL_BYES.get((stage.kind, stage.scale.kind))
    scale = scale_of(stage.kind, given, "stage.scale", _own_format(stage))
    worth = scale.bye if usual is None else usual * HUNDREDTHS
    return "" if stage.scale.bye == worth else f"{stage.scale.bye / HUNDREDTHS:g}"


def _of_the_same(stage: Stage, kind: str, kept: Stage | None) -> JsonObject:
    """Return the parts of a stage's earlier scale that the form has no fields for."""
    if kept is None or kept.scale.kind != kind or _own_format(kept) != _own_format(stage):
        return {}
    written = write_stage(kept)["scale"]
    return {name: written[name] for name in KEPT if name in written}


def _own_format(stage: Stage) -> Own | None:
    own: Own | None = getattr(stage, stage.kind, None)
    return own


def number_of(text: str, path: str) -> int | float:
    """A number as it was typed. Raises NotationError."""
    try:
        number = float(text.replace(",", ".").replace("\u2212", "-"))
    except ValueError:
        raise NotationError(
            _("A number is expected here, not “%(text)s”.") % {"text": text[:24]}, path=path
        ) from None
    return int(number) if number.is_integer() else number


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The fields of a source of a stage, the one at `place` (0: the first): `top` entries
    of stage `stage` from place `first` on. `path` is the path of its errors.
    """

    place: int
    name: str
    path: str
    stage: str = ""
    first: str = ""
    top: str = ""
    ties: str = BY_TIE_BREAKS


def read_sources(form: QueryDict, number: int) -> tuple[Source, ...]:
    """Read the sources of stage `number`, with room for one more."""
    return build_sources(
        number,
        [
            {name: read_field(form, f"{prefix}.{name}") for name in OF_A_SOURCE}
            for prefix in (_prefix(number, place) for place in range(MOST_SOURCES))
        ],
    )


def sources_of(stage: Stage, number: int) -> tuple[Source, ...]:
    """The sources of stage `number` as it is set up, and room for one more."""
    return build_sources(
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


def build_sources(number: int, found: Sequence[Mapping[str, str]]) -> tuple[Source, ...]:
    """Return the first source, the others that aren't empty, and room for one more."""
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


def read_field(form: QueryDict, name: str) -> str:
    """Return a field as typed, cut to the maximum length."""
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
