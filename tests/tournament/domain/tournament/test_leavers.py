"""The games of who left a round robin after less than half of them are left out of the standings:
the rows of the others are as if it had never been there.
"""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from scoring.errors import RuleViolation
from tests.tournament.domain.tournament.desk import Desk, played, result, running
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Stage
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import Return, Withdraw
from tournament.domain.tournament.leavers import SettleLeaver
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.todo import todo

TIE_BREAKS = (
    "direct_encounter",
    "sonneborn_berger",
    "koya",
    "buchholz",
    "wins",
    "score_difference",
)


def robin(*, double: bool = False) -> Stage:
    return Stage(kind="round_robin", double=double, tie_breaks=TIE_BREAKS)


def of_chance(desk: Desk, chance: Random, *, rounds: int, leaves_after: int, leaver: str) -> Desk:
    """So many rounds with results of chance, one leaving on the way."""
    for number in range(1, rounds + 1):
        desk.does(DrawRound(round=number), PublishRound(round=number))
        last = desk.now.last
        assert last is not None
        for table in last.tables:
            scores = (chance.choice((200, 230, 250)), chance.choice((200, 230, 250)))
            desk.does(result(table.table, scores, number))
        desk.does(CloseRound(round=number))
        if number == leaves_after:
            desk.does(Withdraw(entry=leaver))
    return desk


def without(desk: Desk, leaver: str) -> dict[str, tuple[Any, ...]]:
    """Points, Sonneborn-Berger, wins and score difference of the others, counted by hand from the
    tables at which they met each other; whoever has no opponent sits out.
    """
    won: dict[str, list[tuple[str, Fraction, int]]] = {}
    sat_out: dict[str, int] = {}
    staying = [entry.id for entry in desk.now.entries if entry.id != leaver]
    for each in desk.now.rounds:
        there = set()
        for table in each.tables:
            if leaver in table.entries:
                continue
            scores = [each.score or 0 for each in table.results]
            for place, entry in enumerate(table.entries):
                own, other = scores[place], scores[1 - place]
                gained = Fraction((own > other) * 2 + (own == other), 2)
                won.setdefault(entry, []).append((table.entries[1 - place], gained, own - other))
                there.add(entry)
        for entry in set(staying) - there:
            sat_out[entry] = sat_out.get(entry, 0) + 1
    points = {
        entry: sum(line[1] for line in won.get(entry, [])) + sat_out.get(entry, 0)
        for entry in staying
    }
    return {
        entry: (
            100 * points[entry],
            100 * sum(gained * points[other] for other, gained, _ in won.get(entry, [])),
            100 * (sum(gained == 1 for _, gained, _ in won.get(entry, [])) + sat_out.get(entry, 0)),
            sum(difference for _, _, difference in won.get(entry, [])),
            len(won.get(entry, [])),
        )
        for entry in staying
    }


@pytest.mark.parametrize("entries", [4, 5, 6, 7])
@pytest.mark.parametrize("double", [False, True])
def test_the_others_stand_as_if_the_leaver_had_never_been_there(
    entries: int, *, double: bool
) -> None:
    for seed in range(6):
        chance = Random(seed)
        leaver = str(chance.randint(1, entries))
        rounds = entries - (entries + 1) % 2
        desk = of_chance(
            running(entries, robin(double=double)),
            chance,
            rounds=rounds * (2 if double else 1),
            leaves_after=1,
            leaver=leaver,
        )
        desk.does(SettleLeaver(entry=leaver, games="out", reason="went home"))

        found = standings(field_of(desk.now, {})).rows

        names = ("sonneborn_berger", "wins", "score_difference")
        told = {
            row.entry: (
                row.points,
                *(dict(row.tie_breaks)[name] for name in names),
                row.played,
            )
            for row in found
            if row.entry != leaver
        }
        assert told == without(desk, leaver)
        assert found[-1].entry == leaver
        assert (found[-1].points, found[-1].played, found[-1].rank) == (0, 0, entries)


def left() -> Desk:
    """Six entries, of whom the sixth leaves after round 1."""
    desk = running(6, robin()).does(DrawRound(round=1), PublishRound(round=1))
    return played(desk).does(Withdraw(entry="6"))


def test_the_desk_asks_about_who_left_early_until_it_is_settled() -> None:
    desk = left()
    (step,) = [each for each in todo(desk.now, {}) if each.step == "leaver"]
    assert (step.names, step.count, step.of) == (("6",), 1, 5)

    for games in ("out", "count", "out"):
        desk.does(SettleLeaver(entry="6", games=games))
        assert "leaver" not in [each.step for each in todo(desk.now, {})]


def test_undone_the_standings_are_as_before() -> None:
    desk = left()
    before = standings(field_of(desk.now, {}))

    desk.does(SettleLeaver(entry="6", games="out"))
    assert standings(field_of(desk.now, {})) != before
    desk.does(SettleLeaver(entry="6", games="count"))

    assert standings(field_of(desk.now, {})) == before


def test_whoever_returns_counts_again() -> None:
    desk = left().does(SettleLeaver(entry="6", games="out"))

    desk.does(Return(entry="6"))

    assert desk.entry("6").leaver == ((1, "count"),)


def test_who_played_half_is_left_out_for_a_reason_alone_and_nobody_else_is() -> None:
    desk = running(4, robin())
    of_chance(desk, Random(1), rounds=2, leaves_after=2, leaver="4")
    assert "leaver" not in [each.step for each in todo(desk.now, {})]
    for command, code in (
        (SettleLeaver(entry="4", games="out"), "reason_missing"),
        (SettleLeaver(entry="3", games="out"), "withdrawn"),
        (SettleLeaver(entry="9", games="out"), "entry_missing"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            desk.does(command)
        assert refusal.value.code == code
    desk.does(SettleLeaver(entry="4", games="out", reason="cheated"))
    swiss = played(running(4).does(DrawRound(round=1), PublishRound(round=1)))
    with pytest.raises(RuleViolation, match="only a round robin"):
        swiss.does(Withdraw(entry="4"), SettleLeaver(entry="4", games="out"))


def test_a_file_says_whose_games_are_left_out() -> None:
    desk = left().does(SettleLeaver(entry="6", games="out"))
    seen = field_of(desk.now, {})
    entries = tuple(replace(entry, players=entry.players) for entry in seen.entries)
    written = write_tournament(replace(seen, entries=entries))

    assert written["entries"][-1]["left_out"] == [1]
    assert standings(read_tournament(written)) == standings(seen)
    written["entries"][0]["left_out"] = [1]
    with pytest.raises(RuleViolation, match="can be left out once of a round robin"):
        read_tournament(written)
