"""The form that says how a tournament is played: read as somebody filled it in, and turned into its
stage and conditions.

A field's name is the path at which a refusal names it (`stage.rounds`, `options.ante`), so each
error finds its field.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import NotationError
from scoring.game import AnyGame
from scoring.games import GAMES
from tournament.domain.standings.reading import SCALE_KEYS, read_scale
from tournament.domain.standings.scales import DEFAULT_STEPS
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import (
    BY_LOT,
    BY_RATING,
    BYES_TO,
    FOLD,
    HUNDREDTHS,
    SLIDE,
    Scale,
    Stage,
)
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.sides import allowed_by
from tournament.domain.tournament.state import State
from tournament.pages.common.form_values import COMMAND, new_command
from tournament.pages.table import start_form
from tournament.pages.table.start_form import OptionField
from tournament.salons.preferences import as_text

FORMATS = (
    ("swiss", gettext_lazy("Swiss")),
    ("round_robin", gettext_lazy("Round robin")),
    ("double", gettext_lazy("Twice round")),
)
SCALES = (
    ("match", gettext_lazy("Win, draw, loss")),
    ("margin", gettext_lazy("Victory points by difference")),
    ("points", gettext_lazy("Game points")),
    ("chips", gettext_lazy("Chips won")),
    ("built", gettext_lazy("Cards built")),
)
BYES = (
    ("lowest_placed", gettext_lazy("the lowest placed")),
    ("lowest_score", gettext_lazy("who leaves the others the best draw")),
)
SEEDINGS = (
    (BY_LOT, gettext_lazy("By lot")),
    (FOLD, gettext_lazy("By rating, the first against the last")),
    (SLIDE, gettext_lazy("By rating, the upper half against the lower")),
)
SIZES = (("2", gettext_lazy("Pairs")), ("1", gettext_lazy("Single players")))
USUAL_TIE_BREAKS: Mapping[str, tuple[str, ...]] = {
    "swiss": ("buchholz_cut_1", "buchholz", "sonneborn_berger", "score_difference"),
    "round_robin": ("direct_encounter", "sonneborn_berger", "wins", "score_difference"),
}
PLACES = 6  # tie-breaks that can be chosen, more where there are more
USUAL_BYES: Mapping[str, int] = {"match": 1, "margin": 12, "points": 200, "chips": 0, "built": 0}
NUMBERS = ("win", "draw", "loss")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What the form says, as text. `points` are the worth of a win, a draw and a loss, `house` the
    house rules by name.
    """

    command: str
    name: str
    game: str
    format: str
    rounds: str
    scale: str
    points: Mapping[str, str]
    bye: str
    steps: str
    usual: bool
    tie_breaks: tuple[str, ...]
    clubs_apart: bool
    bye_to: str
    seeding: str
    players: str
    rated: bool
    minutes: str
    silent_from: str
    house: start_form.Written

    @property
    def kind(self) -> str:
        """The kind of stage that the format is."""
        return "swiss" if self.format == "swiss" else "round_robin"


def read(form: QueryDict) -> Written:
    """The form as sent, or a fresh one with what is usual."""
    command, fresh = form.get("command", ""), "command" not in form
    chosen = tuple(form.get(f"tie_breaks.{place}", "") for place in range(len(TIE_BREAKS)))
    return Written(
        command=command if COMMAND.fullmatch(command) else new_command(),
        name=" ".join(form.get("name", "").split()),
        game=form.get("game", next(iter(playable())).name)[:40],
        format=form.get("format", "swiss"),
        rounds=form.get("rounds", "5").strip(),
        scale=form.get("scale", "match"),
        points={
            name: form.get(name, usual).strip()
            for name, usual in zip(NUMBERS, ("1", "0.5", "0"), strict=True)
        },
        bye=form.get("bye", "").strip(),
        steps=form.get("steps", _steps(DEFAULT_STEPS)),
        usual=form.get("usual", "yes") == "yes",
        tie_breaks=USUAL_TIE_BREAKS["swiss"] if fresh else tuple(name for name in chosen if name),
        clubs_apart=form.get("clubs_apart") == "yes",
        bye_to=form.get("bye_to", BYES_TO[0])[:40],
        seeding=form.get("seeding", BY_LOT),
        players=form.get("players", "2"),
        rated=fresh or form.get("rated") == "yes",
        minutes=form.get("minutes", "60").strip(),
        silent_from=form.get("silent_from", "").strip(),
        house=start_form.read(form, table=""),
    )


def written_of(state: State) -> Written:
    """The form as it stands for a tournament that is set up."""
    stage, scale, conditions = state.stage, state.stage.scale, state.conditions
    house = QueryDict(mutable=True)
    house.update(
        {
            "game": state.game,
            **{f"options.{name}": as_text(value) for name, value in conditions.options},
        }
    )
    return Written(
        command=new_command(),
        name=state.name,
        game=state.game,
        format="swiss" if stage.kind == "swiss" else "double" if stage.double else "round_robin",
        rounds=str(stage.rounds or 5),
        scale=scale.kind,
        points={name: _points(getattr(scale, name)) for name in NUMBERS},
        bye=""
        if scale.bye == _usual_bye(stage.kind, scale.kind) * HUNDREDTHS
        else _points(scale.bye),
        steps=_steps(scale.steps or DEFAULT_STEPS),
        usual=stage.tie_breaks == USUAL_TIE_BREAKS.get(stage.kind),
        tie_breaks=stage.tie_breaks,
        clubs_apart=stage.clubs_apart,
        bye_to=stage.bye_to,
        seeding=FOLD if stage.seeding == BY_RATING else stage.seeding,
        players=str(
            conditions.players or max((len(entry.players) for entry in state.entries), default=2)
        ),
        rated=state.rated,
        minutes=str(conditions.minutes),
        silent_from=str(state.silent_from or ""),
        house=start_form.read(house, table=""),
    )


def stage_of(written: Written) -> Stage:
    """The stage that the form asks for. Raises NotationError."""
    if written.format not in dict(FORMATS):
        raise NotationError(_("Choose a format from the list."), path="stage.kind")
    unknown = next((name for name in written.tie_breaks if name not in TIE_BREAKS), None)
    if unknown is not None:
        raise NotationError(
            _("There is no tie-break “%(name)s”.") % {"name": unknown[:40]}, path="stage.tie_breaks"
        )
    return Stage(
        kind=written.kind,
        rounds=_whole(written.rounds, "stage.rounds", _("A Swiss has 1 to 99 rounds."), most=99)
        if written.kind == "swiss"
        else None,
        scale=_scale(written),
        tie_breaks=USUAL_TIE_BREAKS[written.kind] if written.usual else written.tie_breaks,
        clubs_apart=written.clubs_apart,
        bye_to=_bye_to(written),
        seeding=_seeding(written),
        double=written.format == "double",
    )


def conditions_of(written: Written) -> Conditions:
    """The conditions that the form asks for. Raises NotationError."""
    problems = start_form.problems(written.house)
    wrong = next(
        ((path, problem) for path, problem in problems.items() if path.startswith("options.")), None
    )
    if wrong is not None:
        raise NotationError(wrong[1].message, path=wrong[0], rule=wrong[1].rule)
    if written.game not in GAMES:
        raise NotationError(_("Choose a game from the list."), path="game")
    sizes = allowed_by(written.game)
    return Conditions(
        players=int(written.players)
        if len(sizes) > 1 and written.players in dict(SIZES)
        else sizes[0],
        options=tuple(start_form.chosen(written.house).items()),
        minutes=_whole(
            written.minutes, "conditions.minutes", _("A round lasts 1 to 1440 minutes."), most=1440
        ),
    )


def silence_of(written: Written) -> int | None:
    """The round from which results are hidden, None for none. Raises NotationError."""
    if not written.silent_from:
        return None
    return _whole(
        written.silent_from,
        "from_round",
        _("The number of a round is expected here, or nothing."),
        most=99,
    )


def fields_of(written: Written) -> dict[str, object]:
    """What the form's template shows besides what was written."""
    places = max(PLACES, len(written.tie_breaks) + 1)
    chosen = (*written.tie_breaks, *[""] * (places - len(written.tie_breaks)))
    return {
        "games": [(game.name, game.title) for game in playable()],
        "formats": FORMATS,
        "scales": SCALES,
        "byes": BYES,
        "seedings": SEEDINGS,
        "sizes": SIZES if written.house.game.teams else (),
        "worth": [(name, _WORTH[name], written.points[name]) for name in NUMBERS],
        "usual_tie_breaks": [
            (words, [TIE_BREAKS[name] for name in USUAL_TIE_BREAKS[kind]])
            for kind, words in FORMATS[:2]
        ],
        "places": list(enumerate(chosen)),
        "tie_breaks": list(TIE_BREAKS.values()),
        "house": _house(written),
    }


def playable() -> Iterable[AnyGame]:
    """The games whose tables have two sides: teams, or one who plays alone."""
    return [game for game in GAMES.values() if game.teams or max(map(len, game.seatings)) == 1]


def _house(written: Written) -> list[OptionField]:
    return (
        start_form.option_fields(written.house, start_form.problems(written.house))
        if written.house.game.teams
        else []
    )


def _bye_to(written: Written) -> str:
    """Who sits out of a Swiss; in a round robin the tables decide. Raises NotationError."""
    if written.bye_to not in BYES_TO:
        raise NotationError(_("Choose who sits out from the list."), path="stage.bye_to")
    return written.bye_to if written.kind == "swiss" else BYES_TO[0]


def _seeding(written: Written) -> str:
    """How round 1 is drawn; a round robin is numbered by rating where that is asked for in any way.
    Raises NotationError.
    """
    if written.seeding not in dict(SEEDINGS):
        raise NotationError(_("Choose how round 1 is drawn from the list."), path="stage.seeding")
    return (
        BY_RATING
        if written.kind == "round_robin" and written.seeding != BY_LOT
        else written.seeding
    )


def _scale(written: Written) -> Scale:
    if written.scale not in dict(SCALES):
        raise NotationError(
            _("Choose what a table is worth from the list."), path="stage.scale.kind"
        )
    given: dict[str, object] = {"kind": written.scale}
    texts = {**written.points, "bye": written.bye or str(_usual_bye(written.kind, written.scale))}
    given |= {
        name: _number(text, f"stage.scale.{name}")
        for name, text in texts.items()
        if name in SCALE_KEYS[written.scale]
    }
    if written.scale == "margin":
        given["steps"] = [_number(text, "stage.scale.steps") for text in written.steps.split()]
    return read_scale(given, "stage.scale")


def _usual_bye(kind: str, scale: str) -> int:
    """What sitting out is worth where nothing is said: in a round robin everybody does once, for
    nothing.
    """
    return USUAL_BYES.get(scale, 0) if kind == "swiss" else 0


def _number(text: str, path: str) -> int | float:
    try:
        number = float(text.replace(",", ".").replace("\u2212", "-"))
    except ValueError:
        raise NotationError(
            _("A number is expected here, not “%(text)s”.") % {"text": text[:24]}, path=path
        ) from None
    return int(number) if number.is_integer() else number


def _whole(text: str, path: str, expected: str, *, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6 and 1 <= int(text) <= most):
        raise NotationError(expected, path=path)
    return int(text)


def _points(hundredths: int) -> str:
    return f"{hundredths / HUNDREDTHS:g}"


def _steps(steps: Iterable[int]) -> str:
    return " ".join(map(_points, steps))


_WORTH = {
    "win": gettext_lazy("A win"),
    "draw": gettext_lazy("A draw"),
    "loss": gettext_lazy("A loss"),
}
