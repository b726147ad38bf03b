"""salon-tournament/1: what is read, written and refused, with its code and place."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from scoring.errors import NotationError, Refusal, RuleViolation
from tests.tournament.domain.standings.made import CUP, cup, setting, without
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.writing import write_tournament

type Change = Callable[[dict[str, Any]], object]

UNREADABLE: list[tuple[Change, str]] = [
    (setting("format", "salon-record/1"), "format"),
    (without("format"), "format"),
    (without("id"), "id"),
    (setting("id", ""), "id"),
    (setting("id", "x" * 65), "id"),
    (setting("id", "a\x00"), "id"),
    (setting("game", "whist"), "game"),
    (setting("colour", 1), "colour"),
    (setting("seed", -1), "seed"),
    (setting("seed", 10**400), "seed"),
    (setting("seed", True), "seed"),
    (without("stage"), "stage"),
    (setting("stage", "kind", "league"), "stage.kind"),
    (setting("stage", "rounds", 0), "stage.rounds"),
    (setting("stage", "speed", 1), "stage.speed"),
    (setting("stage", "clubs_apart", 1), "stage.clubs_apart"),
    (setting("stage", "tie_breaks", 1, "bucholz"), "stage.tie_breaks[1]"),
    (setting("stage", "tie_breaks", 1, "buchholz_cut_1"), "stage.tie_breaks[1]"),
    (setting("stage", "tie_breaks", "buchholz"), "stage.tie_breaks"),
    (setting("stage", "scale", "kind", "score"), "stage.scale.kind"),
    (setting("stage", "scale", "steps", [1]), "stage.scale.steps"),
    (setting("stage", "scale", "draw", 2), "stage.scale"),
    (setting("stage", "scale", "win", 0.005), "stage.scale.win"),
    (setting("stage", "scale", {"kind": "margin", "steps": [5, 5]}), "stage.scale.steps"),
    (setting("stage", "scale", {"kind": "margin", "win": 1}), "stage.scale.win"),
    (setting("entries", {}), "entries"),
    (setting("entries", 0, "players", []), "entries[0].players"),
    (setting("entries", 0, "players", 1, "\u200b"), "entries[0].players[1]"),
    (setting("entries", 0, "rating", 1510.5), "entries[0].rating"),
    (setting("entries", 0, "joined_in", 0), "entries[0].joined_in"),
    (setting("entries", 0, "seat", 1), "entries[0].seat"),
    (without("entries", 0, "id"), "entries[0].id"),
    (setting("rounds", 0, []), "rounds[0]"),
    (setting("rounds", 0, "tables", 0, "entries", []), "rounds[0].tables[0].entries"),
    (without("rounds", 0, "tables", 0, "table"), "rounds[0].tables[0].table"),
    (
        setting("rounds", 0, "tables", 0, "result", "9", {"points": 1}),
        "rounds[0].tables[0].result.9",
    ),
    (without("rounds", 0, "tables", 0, "result", "4"), "rounds[0].tables[0].result.4"),
    (
        setting("rounds", 0, "tables", 0, "result", "1", "points", float("nan")),
        "rounds[0].tables[0].result.1.points",
    ),
    (
        setting("rounds", 0, "tables", 0, "result", "1", "score", 0.125),
        "rounds[0].tables[0].result.1.score",
    ),
    (
        setting("rounds", 0, "tables", 0, "result", "1", "score", "262"),
        "rounds[0].tables[0].result.1.score",
    ),
    (
        setting("rounds", 0, "tables", 0, "result", "1", "score", 10**30),
        "rounds[0].tables[0].result.1.score",
    ),
    (
        setting("rounds", 0, "tables", 0, "result", "1", "tricks", -1),
        "rounds[0].tables[0].result.1.tricks",
    ),
    (setting("rounds", 0, "tables", 0, "forfeit", "no"), "rounds[0].tables[0].forfeit"),
    (setting("rounds", 0, "byes", 0, "kind", "quarter"), "rounds[0].byes[0].kind"),
    (without("adjustments", 0, "reason"), "adjustments[0].reason"),
]

FIRST = ("rounds", 0, "tables", 0)
THIRTEEN = {"1": {"points": 1, "tricks": 13}, "4": {"points": 0, "tricks": 13}}
FORBIDDEN: list[tuple[Change, str, str]] = [
    (setting("entries", 4, "id", "1"), "entry_twice", "entries[4].id"),
    (setting("entries", 4, "players", 0, "Asha"), "player_twice", "entries[4].players[0]"),
    (setting("entries", 4, "players", 0, " Asha\u200b "), "player_twice", "entries[4].players[0]"),
    (setting("entries", 4, "players", 0, "Jon"), "player_twice", "entries[4].players[1]"),
    (
        setting("entries", 1, {"id": "2", "joined_in": 4, "withdrawn_after": 2}),
        "bad_withdrawal",
        "entries[1].withdrawn_after",
    ),
    (
        setting("entries", 1, {"id": "2", "joined_in": 2, "withdrawn_after": 0}),
        "bad_withdrawal",
        "entries[1].withdrawn_after",
    ),
    (
        setting("entries", 1, "earlier", [{"until": 2, "players": ["Bel"]}]),
        "bad_entry",
        "entries[1].earlier[0].players",
    ),
    (
        setting("entries", 1, "earlier", [{"until": 2, "players": ["Bel", "X"]}] * 2),
        "bad_entry",
        "entries[1].earlier[1].until",
    ),
    (setting("entries", 1, "away", [3, 3]), "bad_withdrawal", "entries[1].away[1]"),
    (setting("entries", 0, "away", [4]), "bad_withdrawal", "entries[0].away[0]"),
    (setting("rounds", 0, "byes", 0, "entry", "9"), "unknown_entry", "rounds[0].byes[0].entry"),
    (setting("adjustments", 0, "entry", "9"), "unknown_entry", "adjustments[0].entry"),
    (setting("rounds", 0, "byes", 0, "entry", "1"), "seated_twice", "rounds[0].byes[0].entry"),
    (setting("entries", 3, "withdrawn_after", 0), "not_playing", "rounds[0].tables[0].entries[1]"),
    (setting("entries", 3, "joined_in", 2), "not_playing", "rounds[0].tables[0].entries[1]"),
    (setting("entries", 3, "away", [1]), "not_playing", "rounds[0].tables[0].entries[1]"),
    (setting("entries", 4, "withdrawn_after", 0), "not_playing", "rounds[0].byes[0].entry"),
    (setting(*FIRST, "table", 2), "table_twice", "rounds[0].tables[1].table"),
    (setting(*FIRST, "result", THIRTEEN), "bad_total", "rounds[0].tables[0].result"),
    (setting(*FIRST, "result", "1", "tricks", 14), "bad_total", "rounds[0].tables[0].result"),
    (
        setting(*FIRST, "result", "4", "points", 1),
        "bad_total",
        "rounds[0].tables[0].result.4.points",
    ),
    (
        setting(*FIRST, "result", "4", "score", 262),
        "bad_total",
        "rounds[0].tables[0].result.1.points",
    ),
    (
        setting(*FIRST, "result", {"1": {"points": 1}, "4": {"points": 1}}),
        "bad_total",
        "rounds[0].tables[0].result",
    ),
    (
        setting(*FIRST, "result", {"1": {"points": 0.25}, "4": {"points": 0.75}}),
        "bad_total",
        "rounds[0].tables[0].result",
    ),
    (
        setting(*FIRST, "result", {"1": {"chips": 3}, "4": {"score": 1}}),
        "bad_result",
        "rounds[0].tables[0].result.1",
    ),
    (
        setting("rounds", 0, "tables", 1, "result", "2", {"score": 1}),
        "bad_result",
        "rounds[0].tables[1].result.2.points",
    ),
    (
        setting("rounds", 0, "tables", 1, {"table": 2, "entries": ["2"]}),
        "bad_table",
        "rounds[0].tables[1].entries",
    ),
]


@pytest.mark.parametrize(
    ("change", "path"),
    UNREADABLE,
    ids=[f"{place} {path}" for place, (_, path) in enumerate(UNREADABLE)],
)
def test_what_cannot_be_read_is_told_with_its_place(change: Change, path: str) -> None:
    with pytest.raises(NotationError) as refused:
        read_tournament(cup(change))

    assert (refused.value.code, refused.value.path) == ("bad_record", path)


@pytest.mark.parametrize("value", [None, 7, [], [CUP], "cup"])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(NotationError):
        read_tournament(value)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    FORBIDDEN,
    ids=[f"{place} {code}" for place, (_, code, _) in enumerate(FORBIDDEN)],
)
def test_what_cannot_be_in_a_tournament_is_refused_with_its_code_and_place(
    change: Change, code: str, path: str
) -> None:
    with pytest.raises(RuleViolation) as refused:
        read_tournament(cup(change))

    assert (refused.value.code, refused.value.path) == (code, path)


def test_a_round_after_the_last_is_refused() -> None:
    with pytest.raises(RuleViolation) as refused:
        read_tournament(
            cup(setting("stage", "rounds", 1), setting("rounds", 1, {"tables": [], "byes": []}))
        )

    assert (refused.value.code, refused.value.path) == ("game_over", "rounds[1]")


def test_an_entry_that_nobody_knows_at_a_table_is_refused() -> None:
    table = {"table": 1, "entries": ["1", "9"]}
    with pytest.raises(RuleViolation) as refused:
        read_tournament(cup(setting(*FIRST, table)))

    assert (refused.value.code, refused.value.path) == (
        "unknown_entry",
        "rounds[0].tables[0].entries[1]",
    )


def test_tricks_add_up_over_all_hands() -> None:
    table = {"table": 1, "entries": ["1", "4"], "hands": 2, "result": THIRTEEN}

    assert read_tournament(cup(setting(*FIRST, table))).rounds[0].tables[0].hands == 2


def test_a_canonical_file_is_read_and_written_as_it_was() -> None:
    assert write_tournament(read_tournament(CUP)) == CUP
    assert list(write_tournament(read_tournament(CUP))) == list(CUP)


SCALES = [
    {"kind": "match", "win": 3, "draw": 1, "loss": 0, "bye": 3},
    {"kind": "margin", "bye": 12, "steps": [2.5, 10]},
    {"kind": "points", "bye": 0.5},
    {"kind": "chips", "bye": 0},
    {"kind": "built", "bye": 26},
    {"kind": "matchpoints", "bye": 50},
]


@pytest.mark.parametrize("scale", SCALES, ids=[str(scale["kind"]) for scale in SCALES])
def test_every_scale_is_read_and_written_as_it_was(scale: dict[str, Any]) -> None:
    value = cup(setting("stage", "scale", scale), setting("rounds", []))
    if scale["kind"] in ("chips", "matchpoints"):  # where a difference of scores says nothing
        value["stage"]["tie_breaks"].remove("score_difference")
    if scale["kind"] == "built":
        value["game"] = "order_of_precedence"
        for entry in value["entries"]:
            entry["players"] = entry["players"][:1]

    assert write_tournament(read_tournament(json.loads(json.dumps(value)))) == value


def test_what_is_absent_has_its_default() -> None:
    short = {
        "format": "salon-tournament/1",
        "id": "a",
        "game": "precedence",
        "stage": {"kind": "swiss"},
        "entries": [{"id": "x"}],
    }

    written = write_tournament(read_tournament(short))

    assert written["stage"]["scale"] == {
        "kind": "match",
        "win": 1,
        "draw": 0.5,
        "loss": 0,
        "bye": 1,
    }
    assert written["entries"] == [{"id": "x", "name": "x", "players": ["x"], "joined_in": 1}]
    assert (written["name"], written["seed"], written["rounds"]) == ("a", 0, [])


def test_any_kind_of_value_at_any_place_is_read_or_refused_with_words() -> None:
    values: list[Any] = [None, True, -1, 1.5, "x", [], {}, [[]], {"a": 1}, 10**40, float("inf")]
    places: list[tuple[Any, ...]] = list(_places(CUP))
    words = [_refusal(cup(setting(*place, value))) for place in places for value in values]

    assert len(places) > 60
    assert all(words)


def _refusal(value: object) -> str:
    try:
        read_tournament(value)
    except Refusal as refusal:
        return refusal.message
    return "read"


def _places(value: Any, *above: Any) -> Any:
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield (*above, key)
        yield from _places(inner, *above, key)


@pytest.mark.parametrize("kind", ["half", "zero"])
def test_who_is_away_or_left_may_have_a_bye_that_was_asked_for(kind: str) -> None:
    bye = {"entry": "5", "kind": kind}

    for absence in (
        setting("entries", 4, "away", [1]),
        setting("entries", 4, "withdrawn_after", 0),
    ):
        read = read_tournament(cup(absence, setting("rounds", 0, "byes", 0, bye)))
        assert read.rounds[0].byes[0].kind == kind


@pytest.mark.parametrize("kind", ["match", "margin", "matchpoints"])
def test_sitting_out_of_a_round_robin_earns_nothing_unless_the_file_says_so(kind: str) -> None:
    silent = read_stage({"kind": "round_robin", "scale": {"kind": kind}}, "stage", "precedence")
    said = read_stage(
        {"kind": "round_robin", "scale": {"kind": kind, "bye": 1}}, "stage", "precedence"
    )

    assert (silent.scale.bye, said.scale.bye) == (0, 100)
    assert (
        read_stage({"kind": "swiss", "scale": {"kind": kind}}, "stage", "precedence").scale.bye > 0
    )
    assert read_stage({"kind": "round_robin"}, "stage", "precedence").scale.bye == 0
