"""The stages after the first in the form that says how a tournament is played: each with its
format, what that asks, rounds, scale and where its entries come from, and how it counts
(`later_rules`); what else they ask is as it was set, or as usual.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.standings.entry_sizes import TEAM_MATCHES
from tournament.domain.standings.fitting_tie_breaks import usual_tie_breaks
from tournament.domain.standings.formats import read_own as read_given
from tournament.domain.standings.formats import scales_for
from tournament.domain.standings.reading import read_stage, scale_of
from tournament.domain.standings.values import STAGE_KINDS, Stage
from tournament.domain.standings.writing import write_stage
from tournament.pages.desk import format_fields, later_rules, stage_fields

AS_FIRST = ""  # a scale that follows the first stage's
LATER = (2, 3)  # the stages that the form can add
AT_ITS_FIELD = ("rounds", "scale.kind")
NAMES = ("kind", "rounds", "scale")


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """The fields of stage `number`; without `kind` there is no such stage."""

    number: int
    kind: str = ""
    rounds: str = ""
    sources: tuple[stage_fields.Source, ...] = ()
    scale: str = ""
    own: Mapping[str, str] = field(default_factory=dict)
    rules: later_rules.LaterRules = field(default_factory=later_rules.LaterRules)

    @property
    def text(self) -> str:
        """Its number as text, for the name of a field."""
        return str(self.number)

    @property
    def path(self) -> str:
        """The path of errors in this stage, as `problem_of` names fields."""
        return f"stages.{self.number - 1}"

    @property
    def earlier(self) -> tuple[str, ...]:
        """The stages that it can take entries from, the one right before it first."""
        return tuple(str(number) for number in range(self.number - 1, 0, -1))

    @property
    def stage_kind(self) -> str:
        """The kind of stage that the format is."""
        return "round_robin" if self.kind == "double" else self.kind


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterFields:
    """The other fields of a later stage: those of every format, the scales, and its
    scoring.
    """

    own: list[tuple[str, list[format_fields.FormatField]]]
    scales: list[format_fields.Choice]
    rules: later_rules.RuleFields
    paths: frozenset[str]  # where a refusal stands at its field


def later_fields(later: Later, game: str) -> LaterFields:
    """The fields of a later stage in a game."""
    prefix, kind = f"stages.{later.number}.", later.stage_kind
    own = format_fields.fields_of({kind: later.own} if later.own else {}, game, prefix, later.path)
    asked = (each.path for of, fields in own if of == kind for each in fields)
    rules = later_rules.rule_fields(later.rules, game, later.number, later.path)
    return LaterFields(
        own=own,
        scales=[
            (AS_FIRST, _("As in the first stage where that goes, else as usual"), ""),
            *stage_fields.scale_choices()[1:],
        ],
        rules=rules,
        paths=rules.paths.union(asked, (f"{later.path}.{name}" for name in AT_ITS_FIELD)),
    )


def _stage_so_far(later: Later, game: str) -> Stage:
    """The stage with what its format asks, so far as that can be read."""
    kind = later.stage_kind
    try:
        own: dict[str, Any] = (
            {kind: read_given(kind, format_fields.as_given(kind, later.own), later.path, game)}
            if later.own
            else {}
        )  # one, of the kind's name
    except NotationError:
        own = {}
    return Stage(kind=kind, **own)


def read_later(form: QueryDict) -> tuple[Later, ...]:
    """The later stages as sent."""
    game = form.get("game", "")
    return tuple(
        Later(
            number=number,
            own=_own_sent(form, number, game),
            sources=stage_fields.read_sources(form, number),
            rules=later_rules.read_rules(form, number),
            **{
                name: stage_fields.read_field(form, f"stages.{number}.{name}")
                for name in NAMES
                if f"stages.{number}.{name}" in form
            },
        )
        for number in LATER
    )


def _own_sent(form: QueryDict, number: int, game: str) -> dict[str, str]:
    kind = form.get(f"stages.{number}.kind", "").strip()[:20]
    return (
        format_fields.read_own(form, kind, game, f"stages.{number}.")
        if kind in format_fields.ASKED
        else {}
    )


def later_of(stages: Sequence[Stage], game: str) -> tuple[Later, ...]:
    """The form as it stands for the stages of a tournament, the first among them. A scale that is
    the one of the first stage follows that.
    """
    return tuple(
        replace(each, scale=AS_FIRST) if _follows(each, stages, game) else each
        for each in (_later_stage(number, stages, game) for number in LATER)
    )


def _follows(each: Later, stages: Sequence[Stage], game: str) -> bool:
    """Whether its scale is what comes of the first stage's."""
    if each.number > len(stages):
        return False
    stage = stages[each.number - 1]
    given = _scale(replace(each, scale=AS_FIRST), stages[0], game)
    return scale_of(stage.kind, given, each.path, getattr(stage, stage.kind, None)) == stage.scale


def _later_stage(number: int, stages: Sequence[Stage], game: str) -> Later:
    if number > len(stages):
        return Later(number=number, sources=stage_fields.build_sources(number, ()))
    stage = stages[number - 1]
    return Later(
        own=format_fields.own_of(stage),
        scale=stage.scale.kind,
        number=number,
        kind="double" if stage.double else stage.kind,
        rounds=str(stage.rounds or ""),
        sources=stage_fields.sources_of(stage, number),
        rules=later_rules.rules_of(stage, game),
    )


def stages_of(
    later: Sequence[Later],
    first: Stage,
    game: str,
    kept: Sequence[Stage] = (),
) -> tuple[Stage, ...]:
    """The later stages that the form asks for; what it doesn't ask is as in those that there are
    (`kept`, the first stage among them) while their format is the same. Raises NotationError.
    """
    asked = [each for each in later if each.kind]
    return tuple(
        _stage(each, place, first, game, kept) for place, each in enumerate(asked, start=2)
    )


def _stage(
    each: Later,
    number: int,
    first: Stage,
    game: str,
    kept: Sequence[Stage],
) -> Stage:
    kind = each.stage_kind
    before = _same(each, kept)
    given: JsonObject = {
        **(write_stage(before) if before is not None else _teams_of(first, kind)),
        "kind": kind,
        "double": each.kind == "double",
        "rounds": _rounds(each, before),
        **(format_fields.as_given(kind, each.own) if kind in format_fields.ASKED else {}),
        "takes": stage_fields.takes_of(each.sources, number),
        **later_rules.tie_breaks_given(each.rules, each.path),
        **later_rules.read_seeding(each.rules, kind, each.path),
    }
    if before is not None and before.line_up == kept[0].line_up:
        given |= _teams_of(first, kind)
    if each.scale == AS_FIRST or before is None or each.scale != before.scale.kind:
        given["scale"] = _scale(each, first, game)
    if each.scale != AS_FIRST:
        given["scale"] = later_rules.with_numbers(given["scale"], each.rules, each.path)
    stage = read_stage(given, each.path, game, number=number)
    is_usual = before is None if each.rules.usual is None else each.rules.usual
    return replace(stage, tie_breaks=usual_tie_breaks(stage, game)) if is_usual else stage


def _teams_of(first: Stage, kind: str) -> JsonObject:
    """Return the line-up size and tables of a later stage of this kind: as in the first,
    with one table if teams don't meet.
    """
    tables = first.tables_a_match if kind in TEAM_MATCHES else 1
    return {"line_up": first.line_up, "tables_a_match": tables}


def _same(each: Later, kept: Sequence[Stage]) -> Stage | None:
    """The stage as it is set up, if it is there and of the same format."""
    there = kept[each.number - 1] if each.number <= len(kept) else None
    return there if there is not None and there.kind == each.stage_kind else None


def _rounds(each: Later, before: Stage | None) -> int | None:
    """Return the number of rounds; a knock-out and a round robin have no field for it."""
    if each.stage_kind == "knockout":
        return None
    if each.stage_kind == "round_robin":
        return before.rounds if before is not None else None
    return stage_fields.number_typed(each.rounds, f"{each.path}.rounds")


def _scale(each: Later, first: Stage, game: str) -> JsonObject:
    """The scale that is chosen; the first stage's with its numbers where it goes."""
    stage = _stage_so_far(each, game) if each.stage_kind in STAGE_KINDS else first
    goes = scales_for(stage, game) if game in GAMES else ()
    scale: JsonObject = write_stage(first)["scale"]
    scale.pop("bye", None)
    scale.pop("opponents", None)
    wanted = each.scale or scale["kind"]
    if wanted == scale["kind"] and wanted in goes:
        return scale
    return {"kind": each.scale or stage_fields.choose_scale_kind(stage, stage_fields.USUAL)}
