"""The standings of a tournament as of a moment, by either clock; games recorded at tables count as
they stood then.
"""

import re

import pytest
from django.test import Client

from ledger.models import Event
from scoring.corrections import Correction, RemoveHand
from tests.tournament.helpers.evenings import (
    after_round_1,
    does,
    in_round_1,
    result,
    standings_now,
    start_first_table,
)
from tests.tournament.helpers.playing import a_command, called, flat, played_to_the_end
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import scorer_at
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.domain.tournament.penalties import CancelPenalty, GivePenalty
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound
from tournament.models import Game, Salon
from tournament.projections.standings_as_of import position_by, read_as_played, read_as_recorded
from tournament.recording.corrections import record_correction
from tournament.recording.tournaments import start_linked_game
from tournament.streams.acts import moments_of


def test_by_the_time_recorded_they_are_what_every_page_showed_after_that_entry(
    salon: Salon,
) -> None:
    row, seen = in_round_1(salon), {}

    def note() -> None:
        seen[Event.objects.filter(log=salon.log_id).count()] = standings_now(row)

    note()
    row = does(row, result(1, 262, 187))
    note()
    game = start_linked_game(
        salon,
        row.pk,
        round=1,
        table=2,
        label="4",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )
    played_to_the_end(game, [("N", 7, 6), ("E", 2, 11)])
    note()
    called(game)
    note()
    row = does(row, GivePenalty(entry="1", points=-50, after_round=1, reason="late", by="Mara"))
    note()
    game.refresh_from_db()
    correction = Correction(change=RemoveHand(hand=2), by="Mara", reason="never played")
    record_correction(
        salon, game.pk, correction, actor="user:1", command=a_command(), version=game.version
    )
    note()
    row = does(row, ClearTable(round=1, table=1, reason="typed at the wrong table"))
    note()

    moments = moments_of(salon.log_id, row.pk)
    for position, shown in seen.items():
        state = [moment.state for moment in moments if moment.first.position <= position][-1]
        assert read_as_recorded(salon, state, position).standings() == shown
    assert len({str(shown.rows) for shown in seen.values()}) > 4


def test_an_entry_within_a_correction_shows_the_whole_of_it(salon: Salon) -> None:
    row = in_round_1(salon)
    game = start_first_table(salon, row)
    called(played_to_the_end(game, [("N", 7, 6), ("E", 6, 7)]))
    game.refresh_from_db()
    before = Event.objects.filter(log=salon.log_id).count()
    correction = Correction(
        change=RemoveHand(hand=1),
        by="Mara",
        reason="never played",
        excused=((1, ("bad_dealer", "bad_trump")),),
    )
    record_correction(
        salon, game.pk, correction, actor="user:1", command=a_command(), version=game.version
    )
    after = Event.objects.filter(log=salon.log_id).count()
    state = moments_of(salon.log_id, row.pk)[-1].state

    assert after > before + 2
    shown = [
        read_as_recorded(salon, state, position).outcomes for position in range(before, after + 1)
    ]
    assert shown[0] != shown[1]
    assert all(each == shown[-1] for each in shown[1:])


def test_by_the_time_played_what_is_known_today_of_what_had_happened_by_then(salon: Salon) -> None:
    row = in_round_1(salon)
    row = does(row, result(1, 100, 250))
    wrong = standings_now(row)
    row = does(row, result(1, 262, 187))
    right = standings_now(row)
    row = does(row, GivePenalty(entry="2", points=-50, after_round=1, reason="late", by="Mara"))
    row = does(
        row,
        CancelPenalty(number=1, reason="the wrong pair"),
        result(2, 200, 260),
        CloseRound(round=1),
    )
    moments = moments_of(salon.log_id, row.pk)
    times = {moment.entry.name: moment.last.occurred_at for moment in reversed(moments)}

    assert wrong != right
    by_then = read_as_played(salon, moments, times["result_entered"]).standings()
    assert [(each.entry, each.points) for each in by_then.rows] == [
        (each.entry, each.points) for each in right.rows
    ]
    assert read_as_played(salon, moments, times["penalty_given"]).standings() == by_then
    assert read_as_played(
        salon, moments, moments[-1].last.occurred_at
    ).standings() == standings_now(row)
    assert read_as_played(salon, moments, times["round_drawn"] - 1).standings().after_round == 0


def test_a_linked_game_counts_by_the_time_played_as_soon_as_it_was_over(salon: Salon) -> None:
    row = in_round_1(salon)
    game = start_first_table(salon, row)
    called(played_to_the_end(game, [("N", 7, 6), ("E", 2, 11)]))
    ended = moments_of(salon.log_id, game.pk)[-1].last.occurred_at
    end = Game.objects.get(pk=game.pk)
    correction = Correction(change=RemoveHand(hand=2), by="Mara", reason="never played")
    record_correction(
        salon, game.pk, correction, actor="user:1", command=a_command(), version=end.version
    )
    moments = moments_of(salon.log_id, row.pk)

    assert read_as_played(salon, moments, ended - 1).outcomes == {}
    assert (
        read_as_played(salon, moments, ended).outcomes[game.pk].hands == 1
    )  # as it is known today
    assert read_as_played(salon, moments, ended + 10**12).standings() == standings_now(row)


def test_a_time_leads_to_the_last_entry_recorded_by_then(salon: Salon) -> None:
    row = after_round_1(salon)
    moments = moments_of(salon.log_id, row.pk)
    for moment in moments:
        last = max(
            each.last.position
            for each in moments
            if each.last.recorded_at <= moment.last.recorded_at
        )
        assert position_by(salon, row.pk, moment.state, moment.last.recorded_at) == last
    assert position_by(salon, row.pk, moments[0].state, moments[0].last.recorded_at - 1) == 0


def test_the_history_steps_through_the_standings_and_marks_what_differs_now(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon)
    steps = [
        moment
        for moment in moments_of(salon.log_id, row.pk)
        if moment.entry.name == "result_entered"
    ]
    address = f"/tournaments/{row.pk}/history/"

    first = words(owner.get(f"{address}?at={steps[0].last.version}").text)
    latest = words(owner.get(address).text)

    assert f"line {steps[0].last.position}, step" in first
    assert "One result was missing. 4 entries stand differently now; they are marked." in first
    assert "The standings are shown as they were here" in first
    assert "So they stand now, too." in latest
    assert words(owner.get(f"{address}?as_of={steps[0].last.position}").text) == first.replace(
        'value=""', ""
    )
    assert "As played by" in words(owner.get(f"{address}?as_of=2100-01-01 10:00&clock=played").text)
    assert "Nobody had entered by then." in words(owner.get(f"{address}?at=1").text)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("as_of=999999", 400, "There is no line"),
        ("as_of=2020-01-01 10:00", 400, "Nothing of this tournament was recorded by then"),
        ("at=999", 404, ""),
        ("as_of=1&clock=sand", 404, ""),
    ],
)
def test_a_moment_that_there_is_not_is_refused_in_words(
    owner: Client, salon: Salon, query: str, status: int, said: str
) -> None:
    answer = owner.get(f"/tournaments/{in_round_1(salon).pk}/history/?{query}")

    assert answer.status_code == status
    assert said in answer.text


def test_silent_rounds_stay_silent_in_the_history(owner: Client, salon: Salon) -> None:
    row = after_round_1(salon)
    row = does(row, BeginSilence(from_round=1))
    page = f"/tournaments/{row.pk}/history/"

    assert "Later rounds are silent" in words(scorer_at(salon, "4").get(page).text)
    assert "Later rounds are silent" not in words(owner.get(page).text)
    points = r'<b>1</b>(?:</a>)?</td><td class="r">1</td>'
    assert re.search(points, flat(owner.get(page).text))
    assert not re.search(points, flat(scorer_at(salon, "4").get(page).text))


def test_a_games_history_leads_to_the_standings_as_of_the_same_entry(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon)
    game = start_first_table(salon, row)
    played_to_the_end(game, [("N", 7, 6)])
    moment = moments_of(salon.log_id, game.pk)[3]

    page = owner.get(f"/games/{game.pk}/history/?at={moment.last.version}").text

    link = f"/tournaments/{row.pk}/history/?as_of={moment.last.position}"
    assert link in page
    assert owner.get(link).status_code == 200
