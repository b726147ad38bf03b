"""Results, byes and meetings that can't be, in files as at the desk: each refused with its code,
its rule and its place.
"""

from typing import Any

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.standings.made import cup, setting, without
from tests.tournament.domain.tournament.desk import Desk, drawn
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.values import HUNDREDTHS, Result, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.subjects import decide

MATCH = {"kind": "match", "win": 1, "draw": 0.5, "loss": 0, "bye": 1}

type Reached = dict[str, Any]


def a_file(
    *tables: dict[str, Any],
    byes: tuple[Any, ...] = (),
    scale: dict[str, Any] = MATCH,
    game: str = "",
    **stage: Any,
) -> dict[str, Any]:
    """A tournament with these tables, one a round, and these byes in the first."""
    game = game or game_of(scale, *tables)
    rounds = [{"tables": [table], "byes": []} for table in tables] or [
        {"tables": [], "byes": [*byes]}
    ]
    whole = {"kind": "swiss", "scale": scale, **stage}
    file = cup(
        setting("game", game),
        setting("stage", whole),
        setting("rounds", rounds),
        setting("entries", 0, {"id": "1"}),
        without("adjustments"),
    )
    if file["game"] == "order_of_precedence":  # singles play the patience
        file["entries"] = [{"id": entry["id"]} for entry in file["entries"]]
    return file


def game_of(scale: dict[str, Any], *tables: dict[str, Any]) -> str:
    """The patience where cards built are counted, else Precedence."""
    counts_built = any("built" in each for table in tables for each in table["result"].values())
    return "order_of_precedence" if counts_built or scale == BUILT else "precedence"


def a_table(one: Reached, two: Reached, **more: Any) -> dict[str, Any]:
    return {"table": 1, "entries": ["1", "4"], "result": {"1": one, "4": two}, **more}


def points(one: float, two: float, **more: Any) -> dict[str, Any]:
    return a_table({"points": one}, {"points": two}, **more)


def beside(**reached: int) -> dict[str, Any]:
    """A win with what else was reached, in so many `hands`."""
    hands = {"hands": reached.pop("hands")} if "hands" in reached else {}
    return a_table({"points": 1, **reached}, {"points": 0}, **hands)


MARGIN, CHIPS, BUILT, SCORED = ({"kind": kind} for kind in ("margin", "chips", "built", "points"))
IMPOSSIBLE: list[tuple[dict[str, Any], dict[str, Any], str, str, str]] = [
    (points(1, 1, forfeit=True), MATCH, "bad_total", "", "result.4.points"),
    (points(1, 0.5, forfeit=True), MATCH, "bad_total", "", "result.4.points"),
    (points(50, -49, forfeit=True), MATCH, "bad_total", "", "result.1.points"),
    (points(0, -1, forfeit=True), MATCH, "bad_total", "", "result.4.points"),
    (points(12, 12, forfeit=True), MARGIN, "bad_total", "", "result.4.points"),
    (points(20, 20), MARGIN, "bad_total", "", "result.4.points"),
    (points(99, -3), MARGIN, "bad_total", "", "result.1.points"),
    (points(21, -1), MARGIN, "bad_total", "", "result.1.points"),
    (points(1, 0, excused=True), MATCH, "bad_result", "", "excused"),
    (beside(built=500), MATCH, "bad_total", "O6", "result.1.built"),
    (beside(built=209, hands=2), MATCH, "bad_total", "O6", "result.1.built"),
    (a_table({"built": 500}, {"built": 3}), BUILT, "bad_total", "O6", "result.1.built"),
    (points(500, 3), BUILT, "bad_total", "", "result.1.points"),
    (
        a_table({"points": 1, "chips": 50}, {"points": 0, "chips": 70}),
        MATCH,
        "bad_total",
        "Chips",
        "result.4.chips",
    ),
    (a_table({"chips": 50}, {"chips": 70}), CHIPS, "bad_total", "Chips", "result.4.chips"),
    (points(50, 70), CHIPS, "bad_total", "Chips", "result.4.points"),
    (beside(audits=120), MATCH, "bad_total", "P19", "result.1.audits"),
    (beside(audits=3, hands=2), MATCH, "bad_total", "P19", "result.1.audits"),
    (beside(excess=27, hands=2), MATCH, "bad_total", "P18", "result.1.excess"),
]
POSSIBLE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    (points(1, 0, forfeit=True), MATCH),
    (points(0, 0, forfeit=True), MATCH),
    (points(12, 0, forfeit=True), MARGIN),
    (points(20, 0), MARGIN),
    (points(13, 7), MARGIN),
    (beside(built=208, hands=2), MATCH),
    (a_table({"points": 1, "chips": -50}, {"points": 0, "chips": 50}), MATCH),
    (a_table({"chips": 70}, {"chips": -70}), CHIPS),
    (beside(audits=2, excess=6, hands=2), MATCH),
    (a_table({"score": -120}, {"score": 250}), SCORED),
]


@pytest.mark.parametrize(("table", "scale", "code", "rule", "path"), IMPOSSIBLE)
def test_a_result_that_cannot_be_is_refused_in_a_file(
    table: dict[str, Any], scale: dict[str, Any], code: str, rule: str, path: str
) -> None:
    with pytest.raises(RuleViolation) as refused:
        read_tournament(a_file(table, scale=scale))

    assert (refused.value.code, refused.value.rule, refused.value.path) == (
        code,
        rule,
        f"rounds[0].tables[0].{path}",
    )


@pytest.mark.parametrize(
    ("table", "scale", "code", "rule", "path"),
    [each for each in IMPOSSIBLE if "excused" not in each[0]],
)
def test_it_is_refused_at_the_desk_too(
    table: dict[str, Any], scale: dict[str, Any], code: str, rule: str, path: str
) -> None:
    desk, result = a_desk(scale, game_of(scale, table)), typed(table)
    field = path.rpartition(".")[2]
    with pytest.raises(RuleViolation) as refused:
        desk.does(result)

    assert (refused.value.code, refused.value.rule, refused.value.path.rpartition(".")[2]) == (
        code,
        rule or refused.value.rule,
        field,
    )
    assert refused.value.message.startswith("table 1: ")


@pytest.mark.parametrize(("table", "scale"), POSSIBLE)
def test_what_can_be_is_taken_in_a_file_and_at_the_desk(
    table: dict[str, Any], scale: dict[str, Any]
) -> None:
    assert read_tournament(a_file(table, scale=scale)).rounds[0].tables[0].results
    assert decide(typed(table), a_desk(scale, game_of(scale, table)).state)


@pytest.mark.parametrize("field", ["tricks", "audits", "excess", "built"])
def test_nothing_that_is_counted_is_below_nothing_at_the_desk(field: str) -> None:
    with pytest.raises(RuleViolation, match=f"fewer than 0 {field}") as refused:
        a_desk(MATCH, game_of(MATCH, beside(**{field: -1}))).does(
            typed(beside(**{field: -1}, hands=1))
        )
    assert refused.value.code == "bad_total"


def test_points_that_the_scores_do_not_make_are_refused_at_the_desk_too() -> None:
    with pytest.raises(RuleViolation, match="and its score makes 1") as refused:
        a_desk(MATCH).does(typed(a_table({"points": 0, "score": 250}, {"points": 1, "score": 100})))
    assert (refused.value.code, refused.value.path) == ("bad_total", "results[0].points")


def a_desk(scale: dict[str, Any], game: str = "precedence") -> Desk:
    """Round 1 of two entries, published: pairs of Precedence, single players of another game."""
    stage = Stage(
        kind="swiss",
        rounds=5,
        scale=read_stage({"kind": "swiss", "scale": scale}, "", "precedence").scale,
    )
    if game == "precedence":
        return drawn(2, stage)
    opening = OpenTournament(record="r", name="Cup", game=game, seed=7, stage=stage)
    return Desk(stage, opening=opening).does(
        EnterPhase(phase="registration"),
        *(MakeEntry(players=(("1", f"a{number}"),)) for number in (1, 2)),
        CheckIn(entry="1"),
        CheckIn(entry="2"),
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    )


def typed(table: dict[str, Any]) -> EnterResult:
    results = tuple(
        Result(**{name: _stored(name, value) for name, value in each.items()})
        for each in table["result"].values()
    )
    return EnterResult(
        round=1,
        table=1,
        results=results,
        hands=table.get("hands"),
        forfeit=table.get("forfeit", False),
    )


def _stored(name: str, value: float) -> int:
    return round(value * HUNDREDTHS) if name in ("points", "score") else int(value)


@pytest.mark.parametrize(
    ("byes", "scale", "path"),
    [
        ([("1", "pairing", 1000)], MATCH, "byes[0].points"),
        ([("1", "pairing", -7)], MATCH, "byes[0].points"),
        ([("1", "full", 1.5)], MATCH, "byes[0].points"),
        ([("1", "half", 1)], MATCH, "byes[0].points"),
        ([("1", "zero", 5)], MATCH, "byes[0].points"),
        ([("1", "pairing", 21)], MARGIN, "byes[0].points"),
        ([("1", "pairing", -1)], SCORED, "byes[0].points"),
        ([(str(number), "pairing", 1) for number in range(1, 6)], MATCH, "byes[1].kind"),
    ],
)
def test_a_bye_that_cannot_be_is_refused(
    byes: list[tuple[str, str, float]], scale: dict[str, Any], path: str
) -> None:
    written = tuple({"entry": entry, "kind": kind, "points": given} for entry, kind, given in byes)
    with pytest.raises(RuleViolation) as refused:
        read_tournament(a_file(byes=written, scale=scale))

    assert (refused.value.code, refused.value.path) == ("bad_bye", f"rounds[0].{path}")


def test_byes_as_the_scale_has_them_are_taken() -> None:
    byes = (
        ("1", "full", 1),
        ("2", "half", 0.5),
        ("3", "zero", 0),
        ("4", "pairing", 1),
        ("5", "half", None),
    )
    written = tuple(
        {"entry": entry, "kind": kind} | ({"points": given} if given is not None else {})
        for entry, kind, given in byes
    )

    assert len(read_tournament(a_file(byes=written)).rounds[0].byes) == 5


def test_two_meet_once_in_a_round_robin_and_once_more_where_a_director_let_them() -> None:
    thrice = [points(1, 0)] * 3
    assert read_tournament(a_file(*thrice[:2], kind="round_robin"))
    assert read_tournament(a_file(*thrice, kind="round_robin", double=True))
    with pytest.raises(
        RuleViolation, match="1 and 4 meet 3 times; in a round robin everybody meets once"
    ) as refused:
        read_tournament(a_file(*thrice, kind="round_robin"))
    assert (refused.value.code, refused.value.path) == ("bad_round", "rounds[2].tables[0].entries")
    with pytest.raises(RuleViolation, match="in a double round robin everybody meets twice"):
        read_tournament(a_file(*thrice, points(0, 1), kind="round_robin", double=True))
