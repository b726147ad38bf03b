"""Fields for the scoring of a later stage: its tie-breaks, how its round 1 is drawn,
and the numbers of its points. Fields that aren't sent leave the setting as it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.standings import values
from tournament.domain.standings.fitting_tie_breaks import tie_breaks_for, usual_tie_breaks
from tournament.domain.standings.formats import Own, scales_for
from tournament.domain.standings.reading import SCALE_KEYS, scale_of
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.writing import write_stage
from tournament.pages.desk.format_fields import Choice
from tournament.pages.desk.stage_fields import number_of, read_field

PLACES = 6  # tie-breaks that can be chosen, more where there are more
LONGEST_STEPS = 200  # characters
IN_NUMBERS = ("win", "draw", "loss", "bye")
STEPS = "steps"
SEEDING_WORDS: Mapping[str, str | Promise] = {
    values.BY_LOT: gettext_lazy("By lot; a round robin in the order of the cut"),
    values.FOLD: gettext_lazy("By rating, the first against the last"),
    values.SLIDE: gettext_lazy("By rating, the upper half against the lower"),
    values.BY_RATING: gettext_lazy("By rating"),
}
WORTH_WORDS: Mapping[str, str | Promise] = {
    "win": gettext_lazy("A win"),
    "draw": gettext_lazy("A draw"),
    "loss": gettext_lazy("A loss"),
    "bye": gettext_lazy("Sitting out"),
    STEPS: gettext_lazy("Differences of score that move a victory point each"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterRules:
    """The scoring of a later stage as text; None and no numbers for parts that the form
    doesn't have. `usual`: it has the tie-breaks that are usual in its format, else
    those at their places, "" for none.
    """

    usual: bool | None = None
    tie_breaks: tuple[str, ...] = ()
    seeding: str | None = None
    numbers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChoice:
    """A field among several: its name in the form, the path at which a refusal names it, what it
    is called, what was written, what it can be chosen from, [] for a text, and for a number which
    it is.
    """

    name: str
    path: str
    label: str | Promise
    written: str
    choices: Sequence[Choice] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFields:
    """The fields that the form shows of how a later stage counts. `numbers_path` is where a refusal
    of all numbers together stands; `has_numbers`: some are written.
    """

    usual: bool
    tie_breaks: Sequence[RuleChoice]
    seeding: RuleChoice
    numbers: Sequence[RuleChoice]
    numbers_path: str
    has_numbers: bool

    @property
    def order_paths(self) -> frozenset[str]:
        """The paths of errors shown with the tie-breaks."""
        return frozenset(each.path for each in self.tie_breaks)

    @property
    def points_paths(self) -> frozenset[str]:
        """The paths of errors shown with the numbers."""
        return frozenset((self.numbers_path, *(each.path for each in self.numbers)))

    @property
    def paths(self) -> frozenset[str]:
        """The paths of errors shown at their field."""
        return self.order_paths | self.points_paths | {self.seeding.path}


def read_rules(form: QueryDict, number: int) -> LaterRules:
    """Read the rules of stage `number` from a form."""
    prefix = f"stages.{number}."
    sent = [f"{prefix}tie_breaks.{place}" for place in range(len(TIE_BREAKS))]
    usual = form.get(f"{prefix}usual")
    numbers = {
        name: read_field(form, f"{prefix}{name}")
        for name in IN_NUMBERS
        if f"{prefix}{name}" in form
    }
    if f"{prefix}{STEPS}" in form:
        numbers[STEPS] = form.get(f"{prefix}{STEPS}", "").strip()[:LONGEST_STEPS]
    return LaterRules(
        usual=None if usual is None else usual == "yes",
        tie_breaks=tuple(form.get(name, "")[:40] for name in sent),
        seeding=form.get(f"{prefix}seeding", "")[:20] or None,
        numbers=numbers,
    )


def rules_of(stage: values.Stage, game: str) -> LaterRules:
    """The same of a stage of a game that is set up."""
    scale = stage.scale
    numbers = {"bye": _bye(stage)}
    if scale.kind == "match":
        numbers |= {name: _points(getattr(scale, name)) for name in IN_NUMBERS[:3]}
    if scale.kind == "margin":
        numbers[STEPS] = " ".join(map(_points, scale.steps))
    return LaterRules(
        usual=stage.tie_breaks == usual_tie_breaks(stage, game),
        tie_breaks=stage.tie_breaks,
        seeding=stage.seeding,
        numbers=numbers,
    )


def tie_breaks_given(rules: LaterRules, path: str) -> JsonObject:
    """The tie-breaks as a file has them, nothing where the form doesn't say or means the usual
    ones. Raises NotationError at the place of one that there isn't, or that stands above already.
    """
    if rules.usual is not False:
        return {}
    found: list[str] = []
    for place, name in enumerate(rules.tie_breaks):
        if name and name not in TIE_BREAKS:
            raise NotationError(
                _("There is no tie-break “%(name)s”.") % {"name": name},
                path=f"{path}.tie_breaks.{place}",
            )
        if name in found:
            raise NotationError(
                _("It stands above already; each tie-break counts once."),
                path=f"{path}.tie_breaks.{place}",
            )
        found += [name] if name else []
    return {"tie_breaks": found}


def read_seeding(rules: LaterRules, kind: str, path: str) -> JsonObject:
    """Return how round 1 is drawn as a file has it, {} if the form doesn't say. Raises
    NotationError for a way that the format doesn't know.
    """
    if rules.seeding is None:
        return {}
    possible = values.SEEDINGS.get(kind, (values.BY_LOT,))
    if rules.seeding not in possible:
        words = "; ".join(str(SEEDING_WORDS[each]) for each in possible)
        raise NotationError(
            _("This format can't draw its round 1 so. It can: %(seedings)s.") % {"seedings": words},
            path=f"{path}.seeding",
        )
    return {"seeding": rules.seeding}


def with_numbers(scale: JsonObject, rules: LaterRules, path: str) -> JsonObject:
    """A scale with the numbers that were written for it, what was left empty as usual. Raises
    NotationError.
    """
    keys = SCALE_KEYS.get(str(scale["kind"]), ())
    given = dict(scale)
    asked = IN_NUMBERS if scale["kind"] != "margin" else (*IN_NUMBERS, STEPS)
    for name in asked:
        if name not in rules.numbers or name not in keys:
            continue
        given.pop(name, None)
        text, at = rules.numbers[name], f"{path}.scale.{name}"
        if text and name == STEPS:
            given[name] = [number_of(step, at) for step in text.split()]
        elif text:
            given[name] = number_of(text, at)
    return given


def rule_fields(rules: LaterRules, game: str, number: int, path: str) -> RuleFields:
    """The fields of later stage `number` in a game."""
    prefix = f"stages.{number}."
    chosen = [name for name in rules.tie_breaks if name] if rules.usual else rules.tie_breaks
    last = max((place for place, name in enumerate(chosen, start=1) if name), default=0)
    written = [*chosen[:last], *[""] * (max(PLACES, last + 1) - last)][: len(TIE_BREAKS)]
    goes = tie_breaks_go()
    return RuleFields(
        usual=rules.usual is not False,
        tie_breaks=[
            RuleChoice(
                name=f"{prefix}tie_breaks.{place}",
                path=f"{path}.tie_breaks.{place}",
                label=_("Stage %(stage)s, tie-break no. %(place)s")
                % {"stage": number, "place": place + 1},
                written=name,
                choices=_tie_break_choices(name, goes),
            )
            for place, name in enumerate(written)
        ],
        seeding=RuleChoice(
            name=f"{prefix}seeding",
            path=f"{path}.seeding",
            label=_("Round 1 is drawn"),
            written=rules.seeding or values.BY_LOT,
            choices=[
                (name, words, _list_seeding_formats(name)) for name, words in SEEDING_WORDS.items()
            ],
        ),
        numbers=[
            RuleChoice(
                name=f"{prefix}{name}",
                path=f"{path}.scale.{name}",
                label=words,
                written=rules.numbers.get(name, ""),
                kind=name,
            )
            for name, words in WORTH_WORDS.items()
        ],
        numbers_path=f"{path}.scale",
        has_numbers=any(rules.numbers.values()),
    )


@cache
def tie_breaks_go() -> Mapping[str, str]:
    """The games and formats (`GAME/FORMAT`) that each tie-break goes with, by a scale or other."""
    found: dict[str, list[str]] = {name: [] for name in TIE_BREAKS}
    for game in GAMES:
        for label, stage in _formats():
            own = replace(stage, duplicate=values.Duplicate(scoring=values.BUILT))
            scales = {scale for each in (stage, own) for scale in scales_for(each, game)}
            fit = {
                name
                for scale in scales
                for name in tie_breaks_for(replace(stage, scale=values.Scale(kind=scale)), game)
            }
            for name in fit:
                found[name].append(f"{game}/{label}")
    return {name: " ".join(goes) for name, goes in found.items()}


def _tie_break_choices(written: str, goes: Mapping[str, str]) -> list[Choice]:
    """All tie-breaks; one that was set elsewhere stays, whether or not it goes."""
    return [
        ("", _("none"), ""),
        *(
            (each.name, each.title, "" if each.name == written else goes[each.name])
            for each in TIE_BREAKS.values()
        ),
    ]


def _list_seeding_formats(name: str) -> str:
    """Return the games and formats that a way to draw round 1 goes with, "" for all."""
    if name == values.BY_LOT:
        return ""
    return " ".join(
        f"{game}/{label}"
        for game in GAMES
        for label, stage in _formats()
        if name in _seedings_of(stage)
    )


def _seedings_of(stage: values.Stage) -> tuple[str, ...]:
    return values.SEEDINGS[stage.kind]


def _formats() -> Iterator[tuple[str, values.Stage]]:
    """A stage of every format by what the form calls that."""
    for kind in values.STAGE_KINDS:
        yield kind, values.Stage(kind=kind)
    yield "double", values.Stage(kind="round_robin", double=True)


def _bye(stage: values.Stage) -> str:
    """Return the worth of a bye, "" if it is the usual one."""
    own: Own | None = getattr(stage, stage.kind, None)
    given = {name: value for name, value in write_stage(stage)["scale"].items() if name != "bye"}
    usual = scale_of(stage.kind, given, "scale", own).bye
    return "" if stage.scale.bye == usual else _points(stage.scale.bye)


def _points(hundredths: int) -> str:
    return f"{hundredths / values.HUNDREDTHS:g}"
