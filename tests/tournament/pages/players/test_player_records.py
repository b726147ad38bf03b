"""Records and ratings of players: computed in the background, told on their page, the same after
corrections and rebuilds.
"""

from collections import Counter

import pytest
from django.test import Client

from scoring.commands import EndGame
from scoring.games import GAMES
from tests.tournament.helpers.evenings import PAIRS, after_round_1, does, in_round_1, result
from tests.tournament.helpers.played import PLAYERS, game_at, hand, record
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.tables import everything, recorded, samples
from tournament.domain.careers.career import career_of
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginPractice, EnterPhase, SetRated
from tournament.domain.tournament.results import ClearTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound, ReopenRound
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.models import Game, Player, Reckoning, Salon, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.careers import career_games
from tournament.projections.ratings import RatedAfter, rating_history
from tournament.projections.rebuild import differences
from tournament.streams.folds import Folded, fold_of
from tournament.tasks import PROJECTIONS


def player(salon: Salon, name: str) -> Player:
    return Player.objects.get(salon=salon, name=name)


def over(game: Game) -> Game:
    """A game that is called after one hand."""
    record(
        game,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="called", by="Mara", reason="Time was up."),
    )
    return game


def test_every_player_of_every_finished_game_has_it_behind_them_once(salon: Salon) -> None:
    for value in (*samples(), everything()):
        recorded(salon, value)
    game_at(salon)
    catch_up(salon.log, PROJECTIONS)

    expected = Counter(
        who for row in Game.objects.filter(finished=True) for who in row.seats.values()
    )
    assert expected
    for person in Player.objects.all():
        games = career_games(salon, person.pk)
        assert len(games) == expected[person.pk]
        assert [each.place for each in games] == sorted(each.place for each in games)
    chips = Counter[str]()
    for row in Game.objects.filter(finished=True):
        for person in Player.objects.all():
            chips[row.pk] += sum(
                each.chips for each in career_games(salon, person.pk) if each.game == row.pk
            )
        left = sum(row.state.get("pots", {}).values())
        assert chips[row.pk] == -left, GAMES[row.kind].title


def test_a_game_that_is_taken_up_again_is_behind_nobody(salon: Salon) -> None:
    game, north = over(game_at(salon)), PLAYERS["N"]
    catch_up(salon.log, PROJECTIONS)
    assert career_of(career_games(salon, player(salon, north).pk)).won == 1

    from scoring.commands import Undo
    from tournament.streams.folds import fold_of

    folded = fold_of(salon.log_id, game.pk)
    assert folded is not None
    record(game, Undo(version=folded.state.trail[-1].version + 1))
    catch_up(salon.log, PROJECTIONS)

    assert career_games(salon, player(salon, north).pk) == []
    assert not Reckoning.objects.filter(projection="careers").exists()


def test_the_page_tells_records_partners_and_where_they_were_set(salon: Salon) -> None:
    game = over(game_at(salon))
    catch_up(salon.log, PROJECTIONS)

    page = owner_of(salon).get(f"/players/{player(salon, PLAYERS['N']).pk}/")

    assert "Records in Precedence" in told(page)
    assert "Won, drawn, lost 1 – 0 – 0" in told(page)
    assert f"/games/{game.pk}/history/" in page.text
    assert "Velvet Heron 1 1" in told(page), "the partner"
    assert "Most chips of a game" in told(page)
    assert "Most chips of a game" not in told(
        Client().get(f"/players/{player(salon, PLAYERS['N']).pk}/")
    )


def test_a_finished_tournament_moves_the_ratings_of_all_who_played(salon: Salon) -> None:
    row = after_round_1(salon)
    assert rating_history(salon, player(salon, PAIRS[0][0]).pk) == ()
    does(row, EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)

    histories = {
        name: rating_history(salon, player(salon, name).pk) for pair in PAIRS[:4] for name in pair
    }
    assert all(len(history) == 1 and history[0].tables == 1 for history in histories.values())
    assert (
        sorted(history[0].mean > 25_000 for history in histories.values())
        == [False] * 4 + [True] * 4
    )
    page = Client().get(f"/players/{player(salon, PAIRS[0][0]).pk}/")
    assert "After one rated table." in told(page)
    assert "Spring Cup" in told(page)
    assert "<svg" in page.text


def test_a_corrected_result_moves_the_ratings_and_keeps_the_order_of_tournaments(
    salon: Salon,
) -> None:
    first = does(after_round_1(salon), EnterPhase(phase="finished"))
    second = does(after_round_1(salon), EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)
    before = rating_history(salon, player(salon, PAIRS[0][0]).pk)
    does(
        first,
        EnterPhase(phase="running", reason="Seats were swapped."),
        ReopenRound(round=1, reason="Seats were swapped."),
    )
    catch_up(salon.log, PROJECTIONS)
    assert [each.tournament for each in rating_history(salon, player(salon, PAIRS[0][0]).pk)] == [
        second.pk
    ]

    for table in (1, 2):
        does(first, ClearTable(round=1, table=table), result(table, 180, 250 + table))
    does(first, CloseRound(round=1), EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)

    after = rating_history(salon, player(salon, PAIRS[0][0]).pk)
    assert (
        [each.tournament for each in after]
        == [each.tournament for each in before]
        == [first.pk, second.pk]
    )
    assert (after[0].mean > 25_000) != (before[0].mean > 25_000)
    assert list(audit(salon)) == []


@pytest.mark.parametrize("act", [SetRated(rated=False), BeginPractice()])
def test_an_unrated_tournament_and_one_to_practise_with_move_no_rating(
    salon: Salon, act: object
) -> None:
    from tests.tournament.helpers.evenings import draft

    row = does(draft(salon), act)
    assert row.phase == "draft"
    row = in_round_1_of(row)
    does(
        row,
        result(1, 250, 180),
        result(2, 250, 180),
        CloseRound(round=1),
        EnterPhase(phase="finished"),
    )
    catch_up(salon.log, PROJECTIONS)

    assert not Reckoning.objects.filter(projection="ratings").exists()
    assert list(audit(salon)) == []


def in_round_1_of(row: Tournament) -> Tournament:
    from tournament.domain.tournament.draws import DrawRound
    from tournament.domain.tournament.entries import MakeEntry
    from tournament.domain.tournament.rounds import PublishRound

    entries = [MakeEntry(players=(("1", one), ("2", two))) for one, two in PAIRS[:4]]
    return does(
        row,
        EnterPhase(phase="registration"),
        *entries,
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    )


def test_damaged_records_and_ratings_are_found_and_mended(salon: Salon) -> None:
    over(game_at(salon))
    does(after_round_1(salon), EnterPhase(phase="finished"))
    catch_up(salon.log, PROJECTIONS)
    good = list(
        Reckoning.objects.order_by("projection", "subject", "about").values_list(
            "projection", "subject", "about", "state"
        )
    )
    Reckoning.objects.filter(projection="careers", about=player(salon, PLAYERS["N"]).pk).update(
        state={}
    )
    Reckoning.objects.filter(projection="ratings", about=player(salon, PAIRS[0][0]).pk).delete()

    found = list(audit(salon))
    assert (
        sorted((finding.kind, finding.table) for finding in found)
        == [("row", Reckoning._meta.db_table)] * 2
    )
    assert len(list(differences(salon, mend=True, progress=lambda done: None))) == 2
    assert (
        list(
            Reckoning.objects.order_by("projection", "subject", "about").values_list(
                "projection", "subject", "about", "state"
            )
        )
        == good
    )


def test_a_substitute_is_rated_for_the_rounds_they_played_and_a_rebuild_says_the_same(
    salon: Salon,
) -> None:
    row = does(
        after_round_1(salon),
        ReplacePlayer(entry="1", players=(("2", "Sub Stitute"),)),
        DrawRound(round=2),
        PublishRound(round=2),
    )
    row = does(
        row,
        result(1, 250, 180, round=2),
        result(2, 250, 190, round=2),
        CloseRound(round=2),
        EnterPhase(phase="finished"),
    )
    catch_up(salon.log, PROJECTIONS)

    def tables(name: str) -> int:
        return sum(each.tables for each in rating_history(salon, player(salon, name).pk))

    assert (tables(PAIRS[0][0]), tables(PAIRS[0][1]), tables("Sub Stitute")) == (2, 1, 1)
    assert {tables(name) for pair in PAIRS[1:4] for name in pair} == {2}
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []
    live = list(
        Reckoning.objects.order_by("projection", "about").values_list(
            "projection", "about", "state"
        )
    )
    assert list(differences(salon, mend=True, progress=lambda done: None)) == []
    assert (
        list(
            Reckoning.objects.order_by("projection", "about").values_list(
                "projection", "about", "state"
            )
        )
        == live
    )

    does(
        row,
        ReplacePlayer(
            entry="1", players=(("2", "Sub Stitute"),), from_round=1, reason="They came at once."
        ),
    )
    catch_up(salon.log, PROJECTIONS)
    assert (tables(PAIRS[0][1]), tables("Sub Stitute")) == (0, 2), (
        "what was told late counts as told in time"
    )
    assert list(audit(salon)) == []


def test_pages_name_in_each_round_those_who_played_it(salon: Salon) -> None:
    row = does(
        after_round_1(salon),
        ReplacePlayer(entry="1", players=(("2", "Sub Stitute"),)),
        DrawRound(round=2),
        PublishRound(round=2),
    )
    one, two = PAIRS[0]

    first, second = (
        told(Client().get(f"/tournaments/{row.pk}/rounds/{number}/")) for number in (1, 2)
    )
    entry = told(Client().get(f"/tournaments/{row.pk}/entries/1/"))

    assert f"{one} & {two}" in first
    assert "Sub Stitute" not in first
    assert f"{one} & Sub Stitute" in second
    assert f"{two} in round 1" in entry
    assert "Sub Stitute from round 2" in entry
    history = told(owner_of(salon).get(f"/tournaments/{row.pk}/history/"))
    assert f"plays for entry 1 instead of {two} from round 2 on" in history


def test_an_audit_folds_a_game_once_for_its_events_and_for_its_records(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tournament.projections import careers

    over(game_at(salon))
    catch_up(salon.log, PROJECTIONS)
    asked: list[str] = []

    def counting(log: int, stream: str) -> Folded | None:
        asked.append(stream)
        return fold_of(log, stream)

    monkeypatch.setattr(careers, "fold_of", counting)

    assert list(audit(salon)) == []
    assert asked == []
    Reckoning.objects.filter(projection="careers", about=player(salon, PLAYERS["N"]).pk).update(
        state={}
    )
    assert [finding.kind for finding in audit(salon)] == ["row"], (
        "what was not right at once is looked at again"
    )
    assert len(asked) == 1


def test_a_chart_of_many_tournaments_stays_within_its_frame() -> None:
    from tournament.pages.players.player_records import rating_chart

    history = [
        RatedAfter(
            tournament=str(n),
            mean=25_000 + 700 * (n % 5) - 90 * n,
            deviation=8_000 - 60 * n,
            tables=n,
        )
        for n in range(60)
    ]
    chart = rating_chart(history)

    assert all(
        0 <= float(point.y[:-1]) <= 100 and 0 <= float(point.x[:-1]) <= 96 for point in chart.points
    )
    assert all(0 <= float(y[:-1]) <= 100 for y, _label in chart.levels)
    assert 2 <= len(chart.levels) <= 8
    assert len([point for point in chart.points if point.name]) <= 12


def test_in_round_1_nothing_is_rated(salon: Salon) -> None:
    in_round_1(salon)
    catch_up(salon.log, PROJECTIONS)

    assert not Reckoning.objects.filter(projection__in=("ratings", "careers")).exists()
