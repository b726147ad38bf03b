"""Preference in the database: files in and out, act by act as from the file, rebuilt and
verified.
"""

import json
from typing import Any

import pytest

from ledger.models import Event
from scoring.preference.rules import Rules
from scoring.preference.sheet import Sheet
from scoring.records import decide_record, read_record
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import SAMPLES
from tests.scoring.sheet_acts import preference_acts
from tests.tournament.helpers.tables import MATERIAL, a_salon, act, lines_of, opened, recorded, told
from tournament.exchange.game_records import Outcome, export_game, export_games
from tournament.models import Game, Hand, Salon, Text
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.salons.public_names import Audience

DIRECTOR = {"by": "Elder", "reason": "dropped a card"}
FULL = {
    "format": "salon-record/1",
    "id": "everything",
    "game": "preference",
    "players": {"A": "Ash", "B": "Birch", "C": "Cedar"},
    "played_on": "2026-11-21",
    "table": "7",
    "note": "the window table",
    "options": {"opening_chips": 100, "insister_pays": True},
    "hands": [
        {
            "dealer": "C",
            "note": "late start",
            "at": "2026-11-21T19:30:00Z",
            "soloist": "A",
            "contract": "one",
            "tricks": {"A": 6, "B": 2, "C": 2},
        },
        {
            "soloist": "B",
            "contract": "two",
            "defenders": {"A": "insisted"},
            "winners": list("BBBBBBACCC"),
            "players": {"A": "Fir"},
        }
        | {
            "buy_ins": {"A": 30},
            "rulings": [{"kind": "adjust_tricks", "from": "C", "to": "A", "tricks": 1, **DIRECTOR}],
        },
        {
            "soloist": None,
            "contract": None,
            "rulings": [{"kind": "move_chips", "from": "B", "to": "pot", "chips": 2, **DIRECTOR}],
        },
        {
            "soloist": "C",
            "contract": "misere",
            "players": {"A": "Birch", "B": "Ash"},
            "tricks": {"A": 5, "B": 4, "C": 1},
        },
    ],
    "ended": {"kind": "called", "by": "Elder", "reason": "the house closes"},
}


@pytest.fixture
def salon(db: None) -> Salon:
    return a_salon()


def sound(salon: Salon) -> bool:
    """Nothing differs when all is folded again, and nothing is found wrong."""
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )


def test_files_come_out_as_they_went_in_with_the_same_result(salon: Salon) -> None:
    values = [with_rulings(value) for value in lines_of(MATERIAL / "preference_simulated.jsonl")]
    expected = lines_of(MATERIAL / "preference_simulated.expected.jsonl")
    for value in values:
        assert recorded(salon, value) == Outcome.RECORDED
        assert recorded(salon, value) == Outcome.UNCHANGED

    exported = list(export_games(salon, [], Audience.SALON))

    assert [result_of(value) for value in exported] == expected
    assert sound(salon)


def result_of(value: dict[str, Any]) -> dict[str, Any]:
    read = read_record(value)
    return read.game.result(decide_record(read)[1])


@pytest.mark.parametrize(
    "value",
    [FULL, *lines_of(SAMPLES / "preference_simulated.jsonl")[:3]],
    ids=lambda value: value["id"],
)
def test_acts_one_by_one_store_what_the_file_stores(salon: Salon, value: dict[str, Any]) -> None:
    read = read_record(value)
    recorded(salon, value)
    live = opened(salon, read)
    assert isinstance(read.start.rules, Rules)
    for sheet in read.sheets:
        assert isinstance(sheet, Sheet)
        for each in preference_acts(sheet, read.start.rules):
            act(salon, live.pk, each)
    if read.ended is not None:
        act(salon, live.pk, read.ended)
    filed = Game.objects.exclude(pk=live.pk).get()

    assert told(salon, live.pk) == told(salon, filed.pk)
    assert {**export_game(salon, live.pk, Audience.SALON), "id": value["id"]} == export_game(
        salon, filed.pk, Audience.SALON
    )
    assert results(live) == results(filed)
    assert (
        Event.objects.filter(stream=live.pk).count()
        == Event.objects.filter(stream=filed.pk).count()
    )
    assert sound(salon)


def results(game: Game) -> list[Any]:
    """The rows of the closed hands, with what directors wrote in place of its digests, which differ
    in every game.
    """
    words = dict(Text.objects.filter(salon=game.salon).values_list("digest", "text"))
    rows = Hand.objects.filter(game=game).order_by("number").values_list("result__text", flat=True)
    return [
        json.loads(
            row, object_hook=lambda part: {key: _plain(words, value) for key, value in part.items()}
        )
        for row in rows
    ]


def _plain(words: dict[str, str], value: Any) -> Any:
    return words.get(value, value) if isinstance(value, str) else value
