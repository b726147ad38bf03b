"""The form that says how a tournament is played: read as somebody filled it in, and turned into its
stage and conditions.

A field's name is the path at which a refusal names it (`stage.rounds`, `options.ante`), so each
error finds its field.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.errors import NotationError
from scoring.game import AnyGame
from scoring.games import GAMES
from tournament.domain.standings.entry_sizes import find_entry_sizes
from tournament.domain.standings.fitting_tie_breaks import (
    NOTHING_BY,
    USUAL_TIE_BREAKS,
    usual_tie_breaks,
)
from tournament.domain.standings.formats import DEAL_BY_DEAL, formats_for, is_typed_only, read_own
from tournament.domain.standings.scales import DEFAULT_STEPS
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import (
    BY_LOT,
    BY_RATING,
    BYES_TO,
    FOLD,
    HUNDREDTHS,
    MOST_MEMBERS,
    SLIDE,
    Duplicate,
    Scale,
    Stage,
)
from tournament.domain.standings.values import SEEDINGS as SEEDINGS_OF
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.state import State
from tournament.pages.common.form_values import COMMAND, new_command
from tournament.pages.desk import format_fields, later_rules
from tournament.pages.desk.later_stages import (
    Later,
    later_fields,
    later_of,
    read_later,
    stages_of,
)
from tournament.pages.desk.stage_fields import (
    NUMBERS,
    USUAL,
    bye_written,
    choose_scale_kind,
    scale_choices,
    scale_from,
)
from tournament.pages.table import start_form
from tournament.pages.table.start_form import OptionField
from tournament.salons.preferences import as_text

FORMATS = (
    ("swiss", gettext_lazy("Swiss: nobody meets twice, equal scores meet")),
    ("round_robin", gettext_lazy("Round robin: everybody meets everybody")),
    ("double", gettext_lazy("Twice round: everybody meets everybody twice")),
    ("pods", gettext_lazy("Tables of three to five, each for themselves")),
    ("rotating", gettext_lazy("Single players who change partners")),
    ("movement", gettext_lazy("Pairs that play the same deals")),
    ("knockout", gettext_lazy("Knock-out, single or double")),
    ("duplicate", gettext_lazy("Everybody plays the same deals")),
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
EITHER = "any"
SIZES = (
    ("2", gettext_lazy("Pairs")),
    ("1", gettext_lazy("Single players")),
    (EITHER, gettext_lazy("Either")),
)
# Rounds of an evening, where the format itself doesn't set how many there are.
USUAL_ROUNDS: Mapping[str, str] = {"swiss": "5", "pods": "5"}
PLACES = 6  # tie-breaks that can be chosen, more where there are more


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatChoice:
    """A format in the list: the games that it goes with (`goes`) and those that it is chosen for
    until someone chooses another (`usual`), its usual `rounds` and `scale` ("" where that is what
    deals are compared by), and whether it `fits` the game of the form.
    """

    value: str
    words: str | Promise
    goes: str
    usual: str
    rounds: str
    scale: str
    fits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StageForm:
    """The form's values, as text. `points` are the worth of a win, a draw and a loss,
    `house` the house rules by name.
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
    accelerated: str
    line_up: str
    tables_a_match: str
    players: str
    rated: bool
    minutes: str
    silent_from: str
    own: Mapping[str, str]
    later: tuple[Later, ...]
    house: start_form.StartForm

    @property
    def kind(self) -> str:
        """The kind of stage that the format is."""
        return "round_robin" if self.format == "double" else self.format


def read_form(form: QueryDict) -> StageForm:
    """The form as sent, or a fresh one with what is usual."""
    command, fresh = form.get("command", ""), "command" not in form
    chosen = tuple(form.get(f"tie_breaks.{place}", "") for place in range(len(TIE_BREAKS)))
    game = form.get("game", next(iter(playable())).name)[:40]
    chosen_format = form.get("format", usual_format(game))[:20]
    if (fresh or "show" in form) and not _goes_with(game, chosen_format):
        chosen_format = usual_format(game)  # nobody chose it for this game
    return StageForm(
        command=command if COMMAND.fullmatch(command) else new_command(),
        name=" ".join(form.get("name", "").split()),
        game=game,
        format=chosen_format,
        rounds=form.get("rounds", USUAL_ROUNDS.get(chosen_format, "")).strip(),
        own=format_fields.read_own(form, chosen_format, game),
        scale=form.get("scale", USUAL),
        points={
            name: form.get(name, usual).strip()
            for name, usual in zip(NUMBERS, ("1", "0.5", "0"), strict=True)
        },
        bye=form.get("bye", "").strip(),
        steps=form.get("steps", _steps(DEFAULT_STEPS)),
        usual=form.get("usual", "yes") == "yes",
        tie_breaks=_usual_tie_breaks(chosen_format, game)
        if fresh
        else tuple(name for name in chosen if name),
        clubs_apart=form.get("clubs_apart") == "yes",
        bye_to=form.get("bye_to", BYES_TO[0])[:40],
        seeding=form.get("seeding", BY_LOT),
        accelerated=form.get("accelerated", "").strip(),
        line_up=form.get("line_up", "").strip(),
        tables_a_match=form.get("tables_a_match", "").strip(),
        players=form.get("players", "2"),
        rated=fresh or form.get("rated") == "yes",
        minutes=form.get("minutes", "60").strip(),
        silent_from=form.get("silent_from", "").strip(),
        later=read_later(form),
        house=start_form.read_form(form, table=""),
    )


def apply_proposal(form: QueryDict, written: StageForm) -> StageForm:
    """Return the form of a tournament with the format that an address proposes, as the
    advice does.
    """
    if "format" not in form:
        return written
    asked = read_form(form)
    return replace(
        written, format=asked.format, rounds=asked.rounds, own=asked.own, scale=asked.scale
    )


def form_of(state: State) -> StageForm:
    """The form as it stands for a tournament that is set up."""
    stage, scale, conditions = state.stage, state.stage.scale, state.conditions
    house = QueryDict(mutable=True)
    house.update(
        {
            "game": state.game,
            **{f"options.{name}": as_text(value) for name, value in conditions.options},
        }
    )
    return StageForm(
        command=new_command(),
        name=state.name,
        game=state.game,
        format="double" if stage.double else stage.kind,
        rounds=str(stage.rounds or (USUAL_ROUNDS["swiss"] if stage.kind == "swiss" else "")),
        own=format_fields.own_of(stage),
        scale=scale.kind,
        points={name: _points(getattr(scale, name)) for name in NUMBERS},
        bye=bye_written(stage),
        steps=_steps(scale.steps or DEFAULT_STEPS),
        usual=stage.tie_breaks == usual_tie_breaks(stage, state.game),
        tie_breaks=stage.tie_breaks,
        clubs_apart=stage.clubs_apart,
        bye_to=stage.bye_to,
        seeding=FOLD if stage.seeding == BY_RATING else stage.seeding,
        accelerated=str(stage.accelerated or ""),
        line_up=str(stage.line_up or ""),
        tables_a_match=str(stage.tables_a_match) if stage.tables_a_match > 1 else "",
        players=str(conditions.players or EITHER),
        rated=state.rated,
        minutes=str(conditions.minutes),
        silent_from=str(state.silent_from or ""),
        later=later_of(state.every_stage, state.game),
        house=start_form.read_form(house, table=""),
    )


def later_stages(written: StageForm, kept: Sequence[Stage] = ()) -> tuple[Stage, ...]:
    """The stages after the first that the form asks for; what it doesn't ask is as in those that
    there are, the first among them. Raises NotationError.
    """
    first = stage_of(written, kept[0] if kept else None)
    return stages_of(written.later, first, written.game, kept)


def stage_of(written: StageForm, kept: Stage | None = None) -> Stage:
    """The stage that the form asks for; what it doesn't ask is as in the one that there is.
    Raises NotationError.
    """
    if written.format not in dict(FORMATS):
        raise NotationError(_("Choose a format from the list."), path="stage.kind")
    unknown = next((name for name in written.tie_breaks if name not in TIE_BREAKS), None)
    if unknown is not None:
        raise NotationError(
            _("There is no tie-break “%(name)s”.") % {"name": unknown[:40]}, path="stage.tie_breaks"
        )
    same = kept if kept is not None and kept.kind == written.kind else None
    stage = Stage(
        kind=written.kind,
        rounds=same.rounds if same and written.kind == "round_robin" else _rounds(written),
        tie_breaks=() if written.usual else written.tie_breaks,
        clubs_apart=written.clubs_apart,
        bye_to=_bye_to(written),
        seeding=_read_seeding(written),
        accelerated=_read_accelerated_rounds(written),
        line_up=_line_up(written),
        tables_a_match=_tables_a_match(written),
        double=written.format == "double",
        **_own_values(written),
    )
    if choose_scale_kind(stage, written.scale) in DEAL_BY_DEAL and not stage.plays_same_deals:
        raise NotationError(
            _("Deals are compared only where all tables play the same; choose another worth."),
            path="stage.scale.kind",
        )
    texts = {**written.points, "bye": written.bye}
    stage = replace(stage, scale=scale_from(stage, written.scale, texts, written.steps, same))
    if written.usual and written.game in GAMES:
        return replace(stage, tie_breaks=usual_tie_breaks(stage, written.game))
    return stage


def _own_values(written: StageForm) -> dict[str, Any]:
    """Return the values of the format's own fields: a field of the kind's name or none.
    Raises NotationError.
    """
    if not written.own:
        return {}
    given = format_fields.as_given(written.kind, written.own)
    return {written.kind: read_own(written.kind, given, "stage", written.game)}


def usual_format(game: str) -> str:
    """The format that the form has chosen for a game until someone chooses another."""
    return formats_for(game)[0] if game in GAMES else FORMATS[0][0]


def _usual_tie_breaks(format_: str, game: str) -> tuple[str, ...]:
    """Those of a format by its usual scale."""
    kind = "round_robin" if format_ == "double" else format_
    if kind not in USUAL_TIE_BREAKS or game not in GAMES:
        return ()
    stage = Stage(kind=kind)
    if kind == "duplicate":
        own = read_own(kind, {}, "stage", game)
        stage = replace(stage, duplicate=own) if isinstance(own, Duplicate) else stage
    return usual_tie_breaks(replace(stage, scale=Scale(kind=choose_scale_kind(stage, USUAL))), game)


def _formats(game: str) -> list[FormatChoice]:
    """The formats, each with the games that can be played in it."""
    return [
        FormatChoice(
            value=value,
            words=words,
            goes=" ".join(each.name for each in playable() if _goes_with(each.name, value)),
            usual=" ".join(each.name for each in playable() if usual_format(each.name) == value),
            rounds=USUAL_ROUNDS.get(value, ""),
            scale="" if value == "duplicate" else choose_scale_kind(Stage(kind=value), USUAL),
            fits=_goes_with(game, value),
        )
        for value, words in FORMATS
    ]


def _goes_with(game: str, format_: str) -> bool:
    kind = "round_robin" if format_ == "double" else format_
    return game in GAMES and kind in formats_for(game)


def _list_typed_only() -> str:
    """Return the games and formats (`GAME/FORMAT`) in which no game can begin at a table."""
    return " ".join(
        f"{game.name}/{value}"
        for game in playable()
        for value, _words in FORMATS
        if _goes_with(game.name, value)
        and is_typed_only("round_robin" if value == "double" else value, game.name)
    )


def _rounds(written: StageForm) -> int | None:
    """Return the number of rounds; None if the format decides it."""
    if written.kind in ("round_robin", "knockout"):
        return None
    if written.kind != "swiss" and not written.rounds:
        return None
    message = _("A Swiss has 1 to 99 rounds.")
    if written.kind != "swiss":
        message = _("1 to 99 rounds are expected here, or nothing for as many as the plan has.")
    return _whole_number(written.rounds, "stage.rounds", message, most=99)


def conditions_of(written: StageForm) -> Conditions:
    """The conditions that the form asks for. Raises NotationError."""
    problems = start_form.problems(written.house)
    wrong = next(
        ((path, problem) for path, problem in problems.items() if path.startswith("options.")), None
    )
    if wrong is not None:
        raise NotationError(wrong[1].message, path=wrong[0], rule=wrong[1].rule)
    if written.game not in GAMES:
        raise NotationError(_("Choose a game from the list."), path="game")
    sizes = find_entry_sizes(Stage(kind=written.kind), written.game)
    return Conditions(
        players=_players(written, sizes),
        options=tuple(start_form.read_options(written.house).items()),
        minutes=_whole_number(
            written.minutes, "conditions.minutes", _("A round lasts 1 to 1440 minutes."), most=1440
        ),
    )


def _players(written: StageForm, sizes: Sequence[int]) -> int | None:
    """Return the number of players of an entry; None if it is left open, as it is with
    teams.
    """
    if _line_up(written) or written.players == EITHER:
        return None
    asked = len(sizes) > 1 and written.players in dict(SIZES)
    return int(written.players) if asked else sizes[0]


def silence_of(written: StageForm) -> int | None:
    """The round from which results are hidden, None for none. Raises NotationError."""
    if not written.silent_from:
        return None
    return _whole_number(
        written.silent_from,
        "from_round",
        _("The number of a round is expected here, or nothing."),
        most=99,
    )


def fields_of(written: StageForm) -> dict[str, object]:
    """Return the context of the form's template besides the written values."""
    places, goes = max(PLACES, len(written.tie_breaks) + 1), later_rules.tie_breaks_go()
    chosen = (*written.tie_breaks, *[""] * (places - len(written.tie_breaks)))
    return {
        "games": [(game.name, game.title) for game in playable()],
        "formats": _formats(written.game),
        "typed_only": _list_typed_only(),
        "is_typed_only": f"{written.game}/{written.format}" in _list_typed_only().split(),
        "scales": scale_choices(),
        "later_stages": [(each, later_fields(each, written.game)) for each in written.later],
        "byes": BYES,
        "seedings": SEEDINGS,
        "sizes": SIZES,
        "paired": " ".join(game.name for game in playable() if game.teams),
        "own_fields": format_fields.fields_of({written.kind: written.own}, written.game),
        "worth": [(name, _WORTH[name], written.points[name]) for name in NUMBERS],
        "usual_tie_breaks": [
            (words, [TIE_BREAKS[name] for name in usual])
            for kind, words in FORMATS
            if (usual := _usual_tie_breaks(kind, written.game))
        ],
        "places": list(enumerate(chosen)),
        "nothing": " ".join(
            f"{scale}:{name}" for scale, names in NOTHING_BY.items() for name in names
        ),
        "tie_breaks": [
            (each, "" if each.name in written.tie_breaks else goes[each.name])
            for each in TIE_BREAKS.values()
        ],
        "houses": [(game.name, _house(written, game.name)) for game in playable()],
    }


def playable() -> Iterable[AnyGame]:
    """The games that an event can be of."""
    return GAMES.values()


def _house(written: StageForm, game: str) -> list[OptionField]:
    """The house rules of a game, as written where it is the chosen one."""
    house = written.house
    if game != written.game:
        fresh = QueryDict(mutable=True)
        fresh["game"] = game
        house = start_form.read_form(fresh, table="")
    return start_form.option_fields(house, start_form.problems(house))


def _bye_to(written: StageForm) -> str:
    """Return the rule for byes of a Swiss; in a round robin the tables decide. Raises
    NotationError.
    """
    if written.bye_to not in BYES_TO:
        raise NotationError(_("Choose who sits out from the list."), path="stage.bye_to")
    return written.bye_to if written.kind == "swiss" else BYES_TO[0]


def _read_seeding(written: StageForm) -> str:
    """Return how round 1 is drawn. A schedule is numbered by rating if any kind of rating
    order is chosen and possible, else by lot. Raises NotationError.
    """
    if written.seeding not in dict(SEEDINGS):
        raise NotationError(_("Choose how round 1 is drawn from the list."), path="stage.seeding")
    possible = SEEDINGS_OF[written.kind]
    if written.seeding in possible:
        return written.seeding
    return BY_RATING if BY_RATING in possible else BY_LOT


def _read_accelerated_rounds(written: StageForm) -> int:
    """Return the number of first rounds of a Swiss that are accelerated. Raises
    NotationError.
    """
    if written.kind != "swiss" or written.accelerated in ("", "0"):
        return 0
    return _whole_number(
        written.accelerated,
        "stage.accelerated",
        _("A number of rounds is expected here, or nothing."),
        most=99,
    )


def _line_up(written: StageForm) -> int:
    """Return the number of a team's players at a table, 0 if all of an entry play. Raises
    NotationError.
    """
    if written.line_up in ("", "0"):
        return 0
    return _whole_number(
        written.line_up,
        "stage.line_up",
        _("How many of a team play at a table is expected here, or nothing."),
        most=MOST_MEMBERS,
    )


def _tables_a_match(written: StageForm) -> int:
    """At how many tables two teams meet at once. Raises NotationError."""
    if not written.tables_a_match:
        return 1
    return _whole_number(
        written.tables_a_match,
        "stage.tables_a_match",
        _("How many tables a match of two teams has is expected here, or nothing for one."),
        most=MOST_MEMBERS,
    )


def _whole_number(text: str, path: str, expected: str, *, most: int) -> int:
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
