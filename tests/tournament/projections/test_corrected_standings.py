"""Standings of a tournament whose games were corrected are those of one whose games were recorded
right the first time.
"""

import json
from random import Random
from typing import Any

import pytest

from tests.scoring.changes import CONSEQUENCES
from tests.scoring.corrected import begun
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.correcting import check_right_first_time, correct
from tests.tournament.helpers.evenings import PAIRS, does, in_round_1
from tests.tournament.helpers.tables import a_salon, lines_of, recorded
from tournament.domain.tournament.games import LinkGame
from tournament.domain.tournament.rounds import CloseRound
from tournament.exchange.game_records import export_game
from tournament.models import Game, Salon, Tournament, TournamentGame
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.computed import reckonings
from tournament.projections.standings import STANDINGS, standings_of
from tournament.salons.public_names import Audience
from tournament.tasks import PROJECTIONS

HANDS = 3


@pytest.fixture
def salon(db: None) -> Salon:
    return a_salon()


def a_game(number: int, chance: Random) -> dict[str, Any]:
    """A record of three hands between the two pairs of a table, over after them."""
    values = [
        value
        for value in lines_of(SAMPLES / "precedence_simulated.jsonl")
        if not any("misdeal" in hand for hand in value["hands"][:HANDS])
    ]
    value = chance.choice(values)
    (north, south), (east, west) = PAIRS[2 * number : 2 * number + 2]
    players = {"N": north, "E": east, "S": south, "W": west}
    options = value["options"] | {"hands_limit": HANDS, "target_score": 500}
    return {
        **value,
        "id": f"table-{number}",
        "players": players,
        "options": options,
        "hands": value["hands"][:HANDS],
    }


def an_evening(salon: Salon, values: list[dict[str, Any]]) -> Tournament:
    """A round whose tables count these recorded games."""
    row = in_round_1(salon, 2 * len(values))
    for table, value in enumerate(values, start=1):
        recorded(salon, value)
        row = does(
            row,
            LinkGame(
                round=1, table=table, game=Game.objects.get(salon=salon, record=value["id"]).pk
            ),
        )
    catch_up(row.salon.log, PROJECTIONS)
    return row


def standing(row: Tournament) -> dict[str, Any]:
    """The row of the standings, and what counts in them."""
    catch_up(row.salon.log, PROJECTIONS)
    ((_, _, kept),) = reckonings(row.salon.log_id, STANDINGS.name, subject=row.pk)
    assert kept == standings_of(row.salon, row.pk)
    counted = (
        TournamentGame.objects.filter(stream=row.pk).order_by("table").values_list("round", "table")
    )
    return {"standings": json.loads(kept), "games": list(counted)}


def check(salon: Salon, seed: int, *, tables: int, times: int) -> set[str]:
    """The law, for an evening of so many tables; what came of its corrections."""
    chance = Random(seed)
    values = [a_game(number, chance) for number in range(tables)]
    row = does(an_evening(salon, values), CloseRound(round=1))
    before = standing(row)
    done = {
        what
        for value in values
        for what in correct(salon, value, chance, begun(value).intended.hands, times=times)
    }
    games = [Game.objects.get(salon=salon, record=value["id"]) for value in values]

    right = an_evening(
        a_salon("right"), [export_game(salon, game.pk, Audience.SALON) for game in games]
    )
    assert standing(row) == standing(right)
    for game in games:
        check_right_first_time(salon, game)
    assert list(audit(salon)) == []
    return done | ({"other standings"} if standing(row) != before else set())


def test_standings_of_corrected_games_are_those_of_games_recorded_right_the_first_time(
    salon: Salon,
) -> None:
    done = check(salon, 9, tables=2, times=3)

    assert {"other standings", "another winner", "goes on", "is over", "surplus"} <= done


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_so_are_those_of_many_games(salon: Salon, seed: int) -> None:
    done = check(salon, seed, tables=3, times=10)

    assert "other standings" in done
    assert done & set(CONSEQUENCES)
