"""Fields in the form of a stage that belong to one format: the tables of pods, games a
sitting, deals, brackets. A field's name is the path at which an error names it,
without `stage.`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.domain.standings.formats import BEST_OF, sizes_for, whole_own
from tournament.domain.standings.formats import read_own as read_given
from tournament.domain.standings.values import (
    BUILT,
    BY_RATING,
    BY_SCORE,
    DOUBLE,
    HOWELL,
    IMPS,
    IN_ORDER,
    MATCHPOINTS,
    MITCHELL,
    PLANNED,
    SINGLE,
    Stage,
)

type Choices = Sequence[tuple[str, str | Promise]]
# What is sent, what it is called, and the games (`GAME`, `GAME/FORMAT`) that it goes with, "" for
# all.
type Choice = tuple[str, str | Promise, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatField:
    """A field of one format: its name in the form, what it asks, what it can be chosen from (() for
    a number) and what was written; `hint` says what a choice comes to, "" where it says itself.
    """

    name: str
    label: str | Promise
    choices: Sequence[Choice]
    written: str
    path: str  # where a refusal names it
    hint: str | Promise = ""


YES_NO: Choices = (("no", gettext_lazy("no")), ("yes", gettext_lazy("yes")))
SMALL_GROUPS: tuple[str | Promise, Choices] = (
    gettext_lazy("A deal that three tables or fewer had otherwise"),
    (
        ("neuberg", gettext_lazy("compared among these, by Neuberg’s formula")),
        ("spread", gettext_lazy("compared among these, 60 % in their middle")),
        ("averages", gettext_lazy("60 % for both sides")),
    ),
)
# By format, then by the key that a file has it under: what it asks, and the choices.
ASKED: Mapping[str, Mapping[str, tuple[str | Promise, Choices]]] = {
    "pods": {
        "sizes": (
            gettext_lazy("Players at a table, the usual size first"),
            (
                ("", gettext_lazy("as the game is played")),
                ("3", gettext_lazy("threes")),
                ("4,3", gettext_lazy("fours, else threes")),
                ("4,3,5", gettext_lazy("fours, else threes, else fives")),
                ("5,4", gettext_lazy("fives, else fours")),
                ("5,4,3", gettext_lazy("fives, else fours, else threes")),
                ("4,5", gettext_lazy("fours, else fives")),
                ("3,4", gettext_lazy("threes, else fours")),
            ),
        ),
        "seating": (
            gettext_lazy("Who sits together"),
            (
                (PLANNED, gettext_lazy("by a plan: nobody meets twice, known ahead")),
                (BY_SCORE, gettext_lazy("by score, drawn after each round")),
            ),
        ),
    },
    "rotating": {
        "games_a_sitting": (
            gettext_lazy("Games before the players move"),
            (
                ("1", gettext_lazy("one")),
                ("3", gettext_lazy("three, one with each partner")),
            ),
        ),
    },
    "movement": {
        "movement": (
            gettext_lazy("Movement"),
            (
                (MITCHELL, gettext_lazy("Mitchell: N–S stay, E–W and the deals move")),
                (HOWELL, gettext_lazy("Howell: everybody meets everybody")),
            ),
        ),
        "deals_a_round": (gettext_lazy("Deals a round"), ()),
        "winners": (
            gettext_lazy("Winners"),
            (
                ("1", gettext_lazy("one")),
                ("2", gettext_lazy("one N–S and one E–W")),
            ),
        ),
        "rover": (gettext_lazy("A rover where the pairs are odd"), YES_NO),
        "small_groups": SMALL_GROUPS,
    },
    "knockout": {
        "elimination": (
            gettext_lazy("Who is out"),
            (
                (SINGLE, gettext_lazy("whoever loses")),
                (DOUBLE, gettext_lazy("whoever loses twice")),
            ),
        ),
        "best_of": (
            gettext_lazy("A match is the best of"),
            tuple(
                (str(games), gettext_lazy("one game") if games == 1 else str(games))
                for games in BEST_OF
            ),
        ),
        "third_place": (gettext_lazy("A match for the third place"), YES_NO),
        "reseed": (gettext_lazy("Seeded anew after each round"), YES_NO),
        "seeds": (
            gettext_lazy("Seeds"),
            (
                (IN_ORDER, gettext_lazy("as entered, after a cut by place")),
                (BY_RATING, gettext_lazy("by rating")),
            ),
        ),
    },
    "duplicate": {
        "deals": (gettext_lazy("Deals"), ()),
        "scoring": (
            gettext_lazy("Deals are compared by"),
            (
                (MATCHPOINTS, gettext_lazy("matchpoints")),
                (IMPS, gettext_lazy("IMPs on the salon’s scale")),
                (BUILT, gettext_lazy("cards built")),
            ),
        ),
        "small_groups": SMALL_GROUPS,
    },
}

_OF_SMALL_GROUPS = gettext_lazy(
    "Where matchpoints count. Around 60 % each matchpoint is 5 %, where these tables are a third "
    "of all or fewer; else the formula holds."
)
_AS_PLAYED: Mapping[str, Mapping[str, str]] = {"pods": {"sizes": ""}}  # whatever sizes a game has

HINTS: Mapping[tuple[str, str], str | Promise] = {
    ("pods", "sizes"): gettext_lazy(
        "Where tables of no size that the game has seat everybody, as few as can be sit out."
    ),
    ("pods", "seating"): gettext_lazy("By a plan everybody can see all rounds from the first on."),
    ("rotating", "games_a_sitting"): gettext_lazy(
        "A round is one game. With three, players change tables after every third round only."
    ),
    ("movement", "movement"): gettext_lazy(
        "A Howell for few pairs, from 4 on; a Mitchell for 5 pairs and more."
    ),
    ("movement", "winners"): gettext_lazy(
        "A Howell has one. A Mitchell with one changes directions in its last rounds."
    ),
    ("movement", "rover"): gettext_lazy(
        "In a Mitchell of 7 to 29 pairs the odd one plays each round in the place of another E–W "
        "pair, and nobody sits out twice."
    ),
    ("movement", "small_groups"): _OF_SMALL_GROUPS,
    ("duplicate", "small_groups"): _OF_SMALL_GROUPS,
}


def read_own(form: QueryDict, kind: str, game: str, prefix: str = "") -> dict[str, str]:
    """Read the fields of a format, by default with the game's usual values."""
    usual = usual_own(kind, game)
    return {
        key: form.get(f"{prefix}{kind}.{key}", usual[key]).strip()[:20]
        for key in ASKED.get(kind, ())
    }


def usual_own(kind: str, game: str) -> dict[str, str]:
    """Return the default values of a format's fields, as a file has them for a game."""
    if kind not in ASKED or game not in GAMES:
        return own_of(Stage(kind=kind))
    own: dict[str, Any] = {kind: read_given(kind, {}, "stage", game)}  # one, of the kind's name
    return {**own_of(Stage(kind=kind, **own)), **_AS_PLAYED.get(kind, {})}


def own_of(stage: Stage) -> dict[str, str]:
    """Return the values of a stage for the fields of its format."""
    return {key: _as_written(value) for key, value in whole_own(stage).items()}


def as_given(kind: str, written: Mapping[str, str]) -> JsonObject:
    """Return the values as a file would hold them; text that isn't a number stays a text."""
    given: JsonObject = {}
    for key, text in written.items():
        if key == "sizes":
            given[key] = [_number(size) for size in text.split(",") if size]
        elif ASKED[kind][key][1] is YES_NO:
            given[key] = text == "yes"
        else:
            given[key] = _number(text)
    return given


def fields_of(
    written: Mapping[str, Mapping[str, str]], game: str, prefix: str = "", path: str = "stage"
) -> list[tuple[str, list[FormatField]]]:
    """The fields of every format with what was written, else what is usual in a game. A field's
    name begins with `prefix`, and a refusal names it in `path`.
    """
    usual = {kind: usual_own(kind, game) for kind in ASKED}
    return [
        (
            kind,
            [
                FormatField(
                    name=f"{prefix}{kind}.{key}",
                    label=label,
                    choices=_choices(key, choices, values[key]),
                    written=values[key],
                    path=f"{path}.{key}",
                    hint=HINTS.get((kind, key), ""),
                )
                for key, (label, choices) in asked.items()
            ],
        )
        for kind, asked in ASKED.items()
        for values in [written.get(kind) or usual[kind]]
    ]


def _choices(key: str, choices: Choices, written: str) -> list[Choice]:
    """Return the choices of a field, [] for a number. A value that was set otherwise than
    by this form is among them, so that it stays.
    """
    offered: list[Choice] = [(value, words, _goes(key, value)) for value, words in choices]
    if choices and written not in dict(choices):
        offered.append((written, written.replace(",", ", "), ""))
    return offered


def _goes(key: str, value: str) -> str:
    """The games that a choice goes with."""
    if key == "sizes" and value:
        wanted = set(value.split(","))
        fit = [game for game in GAMES if wanted.issubset(map(str, sizes_for(game)))]
    elif (key, value) == ("scoring", BUILT):
        fit = [game.name for game in GAMES.values() if BUILT in game.limits]
    else:
        return ""
    return " ".join(fit)


def _number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 6 else text


def _as_written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value)
