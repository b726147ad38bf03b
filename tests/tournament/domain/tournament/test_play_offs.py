"""Those who are level at the edge of a cut play it off: the director is told who, records how they
came out, and only then the stage begins.
"""

from dataclasses import replace
from typing import Any

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import Desk, played, result
from tournament.domain.pairing.stages import draw_next
from tournament.domain.standings.cutting import LevelAt
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import BY_PLAY_OFF, Stage, Takes
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.cuts import BeginStage, DropStage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.outcomes import ChosenGame, Outcome
from tournament.domain.tournament.play_offs import (
    CancelPlayOff,
    RecordPlayOff,
    play_offs_now,
)
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of

FIRST = Stage(kind="swiss", rounds=1)
PLAY_IN = Stage(kind="knockout", takes=Takes(first=3, top=4, ties=BY_PLAY_OFF))
FINAL = Stage(
    kind="knockout", takes=Takes(top=2, ties=BY_PLAY_OFF), also=(Takes(from_stage=2, top=2),)
)


def after_the_first_stage() -> Desk:
    """Eight entries played one round: four have a point, four have none; all is level."""
    desk = Desk(
        opening=OpenTournament(
            record="cup",
            name="Cup",
            game="precedence",
            seed=7,
            stage=FIRST,
            later=(PLAY_IN, FINAL),
        )
    ).does(EnterPhase(phase="registration"))
    pairs = ((("1", f"a{number}"), ("2", f"b{number}")) for number in range(1, 9))
    desk.does(*(MakeEntry(players=pair) for pair in pairs), EnterPhase(phase="running"))
    return next_played(desk)


def next_played(desk: Desk) -> Desk:
    number = desk.now.next_round
    return played(desk.does(DrawRound(round=number), PublishRound(round=number)))


def all_played_off(desk: Desk) -> Desk:
    for level in play_offs_now(desk.now, {}):
        if not level.order:
            order = level.entries[::-1]
            desk.does(RecordPlayOff(stage=level.stage, order=order, reason="one hand"))
    return desk


def test_a_stage_begins_only_once_the_play_offs_are_recorded() -> None:
    desk = after_the_first_stage()
    upper, lower = play_offs_now(desk.now, {})

    assert [(len(each.entries), each.first, each.places) for each in (upper, lower)] == [
        (4, 1, 2),
        (4, 5, 2),
    ]
    with pytest.raises(RuleViolation, match="play off for 2 of the places from place 1"):
        desk.does(BeginStage(stage=2))
    all_played_off(desk).does(BeginStage(stage=2))
    cut = desk.now.begun[0].cut
    assert cut.entries == (*upper.entries[::-1][2:], *lower.entries[::-1][:2])
    assert (cut.criterion, cut.above_criterion) == ("play_off", "play_off")


GAME = "f" * 32


def chosen(desk: Desk, level: LevelAt, **otherwise: Any) -> RecordPlayOff:
    """A play-off that a game of all its people decided, but for what is said otherwise."""
    people = sorted(set().union(*(desk.entry(entry).everybody for entry in level.entries)))
    game = ChosenGame(stream=GAME, game="precedence", players=tuple(people), counts=False)
    said = {name: otherwise.pop(name) for name in tuple(otherwise) if hasattr(game, name)}
    asked = RecordPlayOff(
        stage=level.stage,
        order=level.entries,
        reason="one hand",
        games=(GAME,),
        outcomes=(Outcome(game=GAME, results=(), hands=1),),
        chosen=(replace(game, **said),),
    )
    return replace(asked, **otherwise)


def test_a_play_off_keeps_the_games_that_decided_it_and_others_may_have_them_once_it_is_gone() -> (
    None
):
    desk = after_the_first_stage()
    upper, lower = play_offs_now(desk.now, {})
    desk.does(chosen(desk, upper))

    assert desk.now.play_offs[0].games == (GAME,)
    assert "games" not in write_tournament(field_of(desk.now, {}))["play_offs"][0]
    with pytest.raises(RuleViolation, match="decided play-off 1; take that back first"):
        desk.does(chosen(desk, upper))
    desk.does(CancelPlayOff(number=1, reason="the wrong game"), chosen(desk, upper))
    assert desk.now.play_offs[1].games == (GAME,)
    assert lower.entries


@pytest.mark.parametrize(
    ("otherwise", "words"),
    [
        ({"players": ("a1", "somebody")}, "between those alone who play it off"),
        ({"game": "preference"}, "games of Precedence"),
        ({"chosen": ()}, "between those alone who play it off"),
        ({"counts": True}, "counts at a table of a round"),
        ({"outcomes": ()}, "still goes on; end it first"),
        ({"kind": "abandoned"}, "not played to an end"),
        ({"kind": "not_played"}, "not played to an end"),
        ({"games": (GAME, GAME)}, "name each one once"),
    ],
)
def test_a_game_of_others_or_without_an_end_decides_no_play_off(
    otherwise: dict[str, Any], words: str
) -> None:
    desk = after_the_first_stage()
    upper, _lower = play_offs_now(desk.now, {})
    kind = otherwise.pop("kind", None)
    if kind:
        otherwise["outcomes"] = (Outcome(game=GAME, results=(), hands=1, kind=kind),)

    with pytest.raises(RuleViolation, match=words) as refusal:
        desk.does(chosen(desk, upper, **otherwise))
    assert (refusal.value.code, refusal.value.path) == ("bad_play_off", "games")


def test_who_waits_is_in_no_round_of_the_play_in_and_plays_the_final() -> None:
    desk = all_played_off(after_the_first_stage()).does(BeginStage(stage=2))
    waiting = {entry.id for entry in desk.now.entries} - set(desk.now.begun[0].cut.entries)
    next_played(desk)
    assert not waiting & set(desk.now.rounds[1].seated)
    before = desk.now

    next_played(desk)
    all_played_off(desk).does(BeginStage(stage=3))
    cut = desk.now.begun[1].cut
    assert set(cut.parts[0].entries) < waiting
    desk.does(DropStage(stage=3, reason="too early"))
    assert [each.out for each in desk.now.entries] == [each.out for each in before.entries]
    next_played(desk.does(BeginStage(stage=3)))
    assert set(desk.now.rounds[3].seated) == set(cut.entries)


def test_the_draw_of_the_desk_is_the_draw_of_the_file() -> None:
    desk = all_played_off(after_the_first_stage())
    for stage in (2, 3):
        desk.does(BeginStage(stage=stage))
        written = write_tournament(field_of(desk.now, {}))
        number = desk.now.next_round
        desk.does(DrawRound(round=number), PublishRound(round=number))
        last, drawn = desk.now.rounds[-1], draw_next(read_tournament(written))

        assert drawn.digest == last.digest
        assert [each.entries for each in drawn.tables] == [each.entries for each in last.tables]
        played(desk)
        if stage == 2:
            all_played_off(next_played(desk))


@pytest.mark.parametrize("order", [(), ("1",), ("1", "99"), ("1", "1", "2", "3")])
def test_whoever_won_a_place_in_question_stands_in_the_order_once(order: tuple[str, ...]) -> None:
    desk = after_the_first_stage()
    level = play_offs_now(desk.now, {})[0]

    with pytest.raises(RuleViolation, match="say who won them, each of them once") as refusal:
        desk.does(RecordPlayOff(stage=1, order=order, reason="one hand"))
    assert refusal.value.path == "order"
    with pytest.raises(RuleViolation, match="how it ended"):
        desk.does(RecordPlayOff(stage=1, order=level.entries, reason=""))


def test_the_winners_of_the_places_are_enough_and_the_others_keep_their_order() -> None:
    desk = after_the_first_stage()
    level = play_offs_now(desk.now, {})[0]
    first, second, third, fourth = level.entries

    desk.does(RecordPlayOff(stage=1, order=(third, first), reason="one hand"))

    assert desk.now.play_offs[0].order == (third, first, second, fourth)


def test_a_play_off_is_taken_back_until_a_table_of_the_stage_has_started() -> None:
    desk = all_played_off(after_the_first_stage())
    desk.does(CancelPlayOff(number=1, reason="written down wrongly"))
    with pytest.raises(RuleViolation, match="play off for 2"):
        desk.does(BeginStage(stage=2))
    with pytest.raises(RuleViolation, match="no play-off 1"):
        desk.does(CancelPlayOff(number=1, reason="again"))

    all_played_off(desk).does(BeginStage(stage=2), DrawRound(round=2), PublishRound(round=2))
    (level, *_) = play_offs_now(desk.now, {})
    again = RecordPlayOff(stage=1, order=level.entries, reason="they played another")
    desk.does(again)
    desk.does(result(1, round=2))

    with pytest.raises(RuleViolation, match="a table of stage 2 has started"):
        desk.does(CancelPlayOff(number=2, reason="too late"))
    with pytest.raises(RuleViolation, match="a table of stage 2 has started"):
        desk.does(again)


def test_how_many_go_on_of_each_source_can_be_said_when_the_stage_begins() -> None:
    desk = all_played_off(after_the_first_stage()).does(BeginStage(stage=2))
    next_played(next_played(desk))

    with pytest.raises(RuleViolation, match="say how many of each"):
        desk.does(BeginStage(stage=3, top=4))
    all_played_off(desk).does(BeginStage(stage=3, tops=(2, 1)))
    assert [each.top for each in desk.now.stage.sources] == [2, 1]
    assert len(desk.now.begun[1].cut.entries) == 3
