"""Simulated events of every format, with all that can go wrong: clean books, pages' rows as the log
has them, and files that say the same.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import call_command

from scoring.games import GAMES
from tests.tournament.helpers.tables import a_salon
from tournament.demo.tables import DRAWN, Evening
from tournament.demo.whole_event import play_event
from tournament.domain.pairing.stages import draw_next
from tournament.domain.pairing.values import Draw
from tournament.domain.standings.entry_sizes import find_common_sizes
from tournament.domain.standings.fitting_tie_breaks import usual_tie_breaks
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.stages import whole_standings
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.draws import BY_HAND
from tournament.domain.tournament.state import RoundState
from tournament.exchange.game_records import Outcome
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.integrity.audit import audit
from tournament.models import Salon, Tournament
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.projections.standings import standings_of
from tournament.salons.public_names import Audience
from tournament.tasks import PROJECTIONS

MOST_IN_A_TEAM = 4
OFTEN = 4  # times as often something goes wrong where much is to happen in a small field

type Event = tuple[Any, ...]  # the game, how many play it, and what each stage says

# What is played, by how many, and what the stage says besides.
SMALL: dict[str, Event] = {
    "swiss": ("precedence", 9, {"kind": "swiss", "rounds": 4}),
    "swiss of patience": ("order_of_precedence", 8, {"kind": "swiss", "rounds": 3}),
    "round robin": ("precedence", 5, {"kind": "round_robin"}),
    "double round robin": ("precedence", 4, {"kind": "round_robin", "double": True}),
    "threes": ("preference", 10, {"kind": "pods", "rounds": 4}),
    "fours and threes": ("contract_sabacc", 14, {"kind": "pods", "rounds": 4, "sizes": [4, 3]}),
    "fives and fours": ("contract_sabacc", 14, {"kind": "pods", "rounds": 3, "sizes": [5, 4]}),
    "singles": ("precedence", 13, {"kind": "rotating", "rounds": 6}),
    "three games a sitting": (
        "precedence",
        16,
        {"kind": "rotating", "rounds": 6, "games_a_sitting": 3},
    ),
    "Mitchell": ("precedence", 11, {"kind": "movement", "movement": "mitchell"}),
    "Mitchell with a rover": (
        "precedence",
        11,
        {"kind": "movement", "rover": True, "small_groups": "averages", "winners": 2},
    ),
    "Howell": ("precedence", 8, {"kind": "movement", "movement": "howell"}),
    "same deals": ("precedence", 8, {"kind": "duplicate", "deals": 6}),
    "same patience": ("order_of_precedence", 7, {"kind": "duplicate", "deals": 3}),
    "by score": ("contract_sabacc", 13, {"kind": "pods", "rounds": 4, "seating": "score"}),
    "knock-out": ("precedence", 7, {"kind": "knockout", "third_place": True}),
    "knock-out of patience": ("order_of_precedence", 8, {"kind": "knockout", "reseed": True}),
    "best of three": ("precedence", 5, {"kind": "knockout", "best_of": 3}),
    "double elimination": ("precedence", 9, {"kind": "knockout", "elimination": "double"}),
    "fold and accelerated": (
        "precedence",
        10,
        {"kind": "swiss", "rounds": 4, "seeding": "fold", "accelerated": 2},
    ),
    "teams": ("precedence", 7, {"kind": "swiss", "rounds": 4, "line_up": 2}),
    "teams at two tables": (
        "precedence",
        7,
        {"kind": "swiss", "rounds": 3, "line_up": 2, "tables_a_match": 2},
    ),
    "teams at two tables, everybody twice": (
        "precedence",
        4,
        {"kind": "round_robin", "double": True, "line_up": 2, "tables_a_match": 2},
    ),
    "boards of the patience": (
        "order_of_precedence",
        6,
        {"kind": "swiss", "rounds": 3, "line_up": 1, "tables_a_match": 4},
    ),
    "matchpoints": (
        "precedence",
        8,
        {"kind": "movement", "movement": "howell", "scale": {"kind": "matchpoints"}},
    ),
    "IMPs": (
        "precedence",
        9,
        {"kind": "duplicate", "deals": 10, "scoring": "imps", "scale": {"kind": "imps"}},
    ),
}
SCALES = {"duplicate": "matchpoints"}
DEALS = {"scale": {"kind": "matchpoints"}}
SEVERAL: dict[str, Event] = {
    "Swiss, then a knock-out": (
        "precedence",
        12,
        {"kind": "swiss", "rounds": 3},
        {"kind": "knockout", "top": 5, "third_place": True},
    ),
    "teams, then a final of teams": (
        "precedence",
        9,
        {"kind": "swiss", "rounds": 3, "line_up": 2},
        {"kind": "knockout", "line_up": 2, "top": 4},
    ),
    "teams at two tables, then a final at three": (
        "precedence",
        8,
        {"kind": "swiss", "rounds": 2, "line_up": 2, "tables_a_match": 2},
        {"kind": "knockout", "line_up": 2, "tables_a_match": 3, "top": 4, "best_of": 3},
    ),
    "two winners, then a final": (
        "precedence",
        10,
        {"kind": "movement", "winners": 2, **DEALS},
        {"kind": "knockout", "top": 4, "best_of": 3},
    ),
    "singles, then fewer singles": (
        "precedence",
        13,
        {"kind": "rotating", "rounds": 4},
        {"kind": "rotating", "rounds": 3, "top": 8},
    ),
    "threes, then threes": (
        "preference",
        13,
        {"kind": "pods", "rounds": 3},
        {"kind": "pods", "rounds": 2, "seating": "score", "top": 9},
    ),
    "patience, then the same for all": (
        "order_of_precedence",
        8,
        {"kind": "swiss", "rounds": 2},
        {"kind": "duplicate", "deals": 2, "top": 5},
    ),
    "Swiss, then same deals": (
        "precedence",
        10,
        {"kind": "swiss", "rounds": 2},
        {"kind": "duplicate", "deals": 6, "top": 6},
    ),
    "round robin, then double elimination": (
        "precedence",
        6,
        {"kind": "round_robin"},
        {"kind": "knockout", "elimination": "double", "top": 4},
    ),
    "teams with the same deals, then a final": (
        "precedence",
        8,
        {"kind": "duplicate", "deals": 8, "line_up": 2},
        {"kind": "knockout", "line_up": 2, "top": 4},
    ),
    "three stages": (
        "precedence",
        12,
        {"kind": "swiss", "rounds": 2},
        {"kind": "round_robin", "top": 6},
        {"kind": "knockout", "top": 2},
    ),
    "five stages": (
        "contract_sabacc",
        20,
        {"kind": "pods", "rounds": 2, "sizes": [4, 3]},
        {"kind": "pods", "rounds": 1, "sizes": [4, 3], "seating": "score", "top": 16},
        {"kind": "pods", "rounds": 2, "sizes": [5, 4], "top": 12},
        {"kind": "pods", "rounds": 1, "sizes": [4], "top": 8},
        {"kind": "pods", "rounds": 1, "sizes": [4], "top": 4},
    ),
}
LARGE: dict[str, Event] = {
    "31 at Preference": ("preference", 31, {"kind": "pods", "rounds": 9}),
    "100 at Sabacc": ("contract_sabacc", 100, {"kind": "pods", "rounds": 10, "sizes": [5, 4]}),
    "36 singles": ("precedence", 36, {"kind": "rotating", "rounds": 27, "games_a_sitting": 3}),
    "27 pairs twice": ("precedence", 27, {"kind": "knockout", "elimination": "double"}),
    "21 pairs with deals": ("precedence", 21, {"kind": "movement"}),
}


def stages_of(game: str, *said: dict[str, Any]) -> list[Stage]:
    """Stages as a file would say them, with the usual tie-breaks; from the second on after a cut of
    so many (`top`).
    """
    built = max(map(len, GAMES[game].seatings)) == 1
    stages = [
        read_stage(
            {
                "scale": {"kind": "built" if built else SCALES.get(each["kind"], "match")},
                **({"takes": {"from": place, "top": each["top"]}} if place else {}),
                **{key: value for key, value in each.items() if key != "top"},
            },
            "stage",
            game,
        )
        for place, each in enumerate(said)
    ]
    return [replace(each, tie_breaks=usual_tie_breaks(each, game)) for each in stages]


def played(salon: Salon, event: Event, *, seed: int, often: float = 1) -> Evening:
    """The event played by chance; each draw and each standing is held against its file."""
    game, entries, *said = event
    stages = stages_of(game, *said)
    sizes = find_common_sizes(stages, game)
    return play_event(
        salon,
        stages=stages,
        game=game,
        players=min(max(sizes), max(MOST_IN_A_TEAM, min(sizes) + 1)),
        entries=entries,
        seed=seed,
        hands=1,
        actor="simulation",
        progress=lambda done: None,
        often=often,
        watching=held_against_its_file,
    )


def held_against_its_file(evening: Evening, moment: str) -> None:
    """The laws of every moment: the desk draws what the file draws, and ranks as the file does."""
    if moment == DRAWN:
        drawn_as_on_file(evening)
    else:
        ranked_as_on_file(evening)


def check_books(salon: Salon, stream: str) -> None:
    """The audit is clean, rows are as the log has them, and the file is one that can be read and
    stored elsewhere.
    """
    catch_up(salon.log, PROJECTIONS)
    assert list(audit(salon).findings) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    read = read_tournament(file_of(salon, stream))
    elsewhere = a_salon(f"{salon.slug}-elsewhere")
    assert import_tournament(elsewhere, read, actor="simulation") is Outcome.RECORDED
    there = Tournament.objects.get(salon=elsewhere)
    again = read_tournament(file_of(elsewhere, there.pk))
    assert whole_standings(again).rows == whole_standings(read).rows
    assert import_tournament(elsewhere, read, actor="simulation") is Outcome.UNCHANGED
    catch_up(elsewhere.log, PROJECTIONS)
    assert list(audit(elsewhere).findings) == []


def file_of(salon: Salon, stream: str) -> Any:
    """The tournament as a file has it."""
    return json.loads(json.dumps(export_tournament(salon, stream, Audience.SALON)))


def drawn_as_on_file(evening: Evening) -> None:
    """The round drawn last is what `pair` makes of the file without it."""
    last = evening.state.rounds[-1]
    assert last.engine != BY_HAND
    written = file_of(evening.salon, evening.stream)
    written["rounds"] = written["rounds"][: last.number - 1]
    if last.seed is not None:
        written["draw"] = {"seed": last.seed}
    assert _of_file(draw_next(read_tournament(written))) == _of_desk(last)


def ranked_as_on_file(evening: Evening) -> None:
    """Who stands where is the same on the desk and by its file."""
    told = json.loads(standings_of(evening.salon, evening.stream))
    read = read_tournament(file_of(evening.salon, evening.stream))
    assert told == json.loads(msgspec.json.encode(whole_standings(read)))


def _of_file(drawn: Draw) -> object:
    tables = [
        (each.table, each.entries, each.dealer, each.deals, each.match, each.bracket, each.why)
        for each in drawn.tables
    ]
    return drawn.round, drawn.digest, drawn.construction, tables, drawn.byes, drawn.counted


def _of_desk(drawn: RoundState) -> object:
    tables = [
        (each.table, each.entries, each.dealer, each.deals, each.match, each.bracket, each.why)
        for each in drawn.tables
    ]
    out = tuple(bye.entry for bye in drawn.byes if bye.kind == "pairing")
    return drawn.number, drawn.digest, drawn.construction, tables, out, drawn.counted


# The others of the small ones are played with other seeds among the long ones.
BY_DEFAULT = ("swiss", "threes", "double elimination")
BY_DEFAULT_OF_SEVERAL = ("two winners, then a final",)


@pytest.mark.parametrize("name", BY_DEFAULT)
def test_an_event_of_every_format_ends_with_clean_books_and_each_draw_is_that_of_its_file(
    db: None, name: str
) -> None:
    salon = a_salon("played")

    evening = played(salon, SMALL[name], seed=len(name))

    assert evening.state.phase == "finished"
    assert evening.state.rounds
    check_books(salon, evening.stream)


@pytest.mark.long
@pytest.mark.parametrize("name", BY_DEFAULT_OF_SEVERAL)
def test_an_event_of_several_stages_ends_with_clean_books_and_ranks_as_its_file_does(
    db: None, name: str
) -> None:
    salon = a_salon("played")

    evening = played(salon, SEVERAL[name], seed=len(name), often=OFTEN)

    assert len(evening.state.begun) == len(SEVERAL[name]) - 3
    check_books(salon, evening.stream)


@pytest.mark.long
def test_a_final_of_teams_after_awards_is_taken_to_another_salon_by_the_commands(
    db: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    salon, elsewhere = a_salon("played"), a_salon("elsewhere")
    evening = played(salon, SEVERAL["teams with the same deals, then a final"], seed=1, often=OFTEN)
    assert {"awards", "line_ups", "passed_over_at_a_cut"} <= (+evening.happened).keys()

    call_command("tournament", "export", "--salon", "played")
    (tmp_path / "cup.json").write_text(capfd.readouterr().out)
    call_command("tournament", "import", str(tmp_path / "cup.json"), "--salon", "elsewhere")

    there = Tournament.objects.get(salon=elsewhere)
    assert standings_of(elsewhere, there.pk) == standings_of(salon, evening.stream)
    assert file_of(elsewhere, there.pk) == file_of(salon, evening.stream)


@pytest.mark.long
@pytest.mark.parametrize("name", [*SMALL, *SEVERAL, *LARGE])
@pytest.mark.parametrize(("seed", "often"), [(0, 1), (2, OFTEN)])
def test_other_and_larger_events_end_with_clean_books_too(
    db: None, name: str, seed: int, often: float
) -> None:
    salon = a_salon("played")

    evening = played(salon, (SMALL | SEVERAL | LARGE)[name], seed=seed, often=often)

    check_books(salon, evening.stream)
