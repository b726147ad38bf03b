"""Tournaments as files: in and out of the salon the same, stored once, refused whole."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from ledger.models import Event
from scoring.errors import Refusal
from tests.tournament.helpers.evenings import PAIRS, after_round_1, does
from tests.tournament.helpers.salons import opened_salon
from tournament.domain.standings.ranking import standings
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import Withdraw
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.exchange.game_records import Outcome
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.models import Salon, Tournament
from tournament.projections.audit import audit
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of

SPRING_CUP = {
    "format": "salon-tournament/1",
    "id": "spring-cup",
    "name": "Spring Cup",
    "game": "precedence",
    "seed": 7,
    "stage": {
        "kind": "swiss",
        "rounds": 5,
        "scale": {"kind": "match"},
        "tie_breaks": ["buchholz_cut_1", "buchholz"],
    },
    "entries": [
        {
            "id": str(number),
            "name": f"A{number} & B{number}",
            "players": [f"A{number}", f"B{number}"],
            "joined_in": 1,
        }
        for number in range(1, 6)
    ],
    "rounds": [
        {
            "tables": [
                {
                    "table": 1,
                    "entries": ["1", "4"],
                    "result": {"1": {"points": 1, "score": 262}, "4": {"points": 0, "score": 187}},
                },
                {
                    "table": 2,
                    "entries": ["2", "3"],
                    "result": {"2": {"points": 0}, "3": {"points": 1}},
                    "forfeit": True,
                },
            ],
            "byes": [{"entry": "5", "points": 1, "kind": "pairing"}],
        }
    ],
    "adjustments": [
        {"entry": "1", "points": -0.5, "reason": "late", "by": "Mara", "after_round": 1}
    ],
}


def test_what_is_imported_is_exported_the_same_and_ranked_the_same(salon: Salon) -> None:
    tournament = read_tournament(SPRING_CUP)

    assert import_tournament(salon, tournament, actor="user:1") is Outcome.RECORDED
    out = export_tournament(salon, Tournament.objects.get().pk, Audience.SALON)

    assert out == write_tournament(tournament)
    assert standings(read_tournament(out)) == standings(tournament)
    assert list(audit(salon)) == []


def test_the_same_file_again_changes_nothing_and_another_content_is_refused(salon: Salon) -> None:
    import_tournament(salon, read_tournament(SPRING_CUP), actor="user:1")
    events = Event.objects.count()

    assert (
        import_tournament(salon, read_tournament(SPRING_CUP), actor="user:1") is Outcome.UNCHANGED
    )
    with pytest.raises(Refusal, match="another tournament with the id"):
        import_tournament(salon, read_tournament(SPRING_CUP | {"seed": 8}), actor="user:1")
    assert Event.objects.count() == events


def test_a_tournament_that_was_directed_here_is_exported_and_imported_elsewhere(
    salon: Salon,
) -> None:
    row = after_round_1(salon, 5)
    does(
        row,
        GivePenalty(entry="1", points=-50, after_round=1, reason="late", by="Mara"),
        Withdraw(entry="2"),
    )
    does(row, DrawRound(round=2), PublishRound(round=2))
    out = export_tournament(salon, row.pk, Audience.SALON)
    elsewhere = opened_salon("Salon at Core Gate", "ilse@example.org")

    import_tournament(elsewhere, read_tournament(out), actor="user:1")

    assert (
        export_tournament(elsewhere, Tournament.objects.get(salon=elsewhere).pk, Audience.SALON)
        == out
    )


def test_who_played_before_a_substitute_came_is_exported_and_imported(salon: Salon) -> None:
    row = does(
        after_round_1(salon, 4),
        ReplacePlayer(entry="1", players=(("2", "Sub Stitute"),), reason="ill"),
    )
    does(
        row,
        DrawRound(round=2),
        PublishRound(round=2),
        ReplacePlayer(entry="3", players=(("1", "Other Body"),), from_round=3),
    )
    out = export_tournament(salon, row.pk, Audience.SALON)
    elsewhere = opened_salon("Salon at Core Gate", "ilse@example.org")

    import_tournament(elsewhere, read_tournament(out), actor="user:1")

    assert out["entries"][0]["earlier"] == [{"until": 1, "players": list(PAIRS[0])}]
    assert out["entries"][2]["earlier"] == [{"until": 2, "players": list(PAIRS[2])}]
    assert (
        export_tournament(elsewhere, Tournament.objects.get(salon=elsewhere).pk, Audience.SALON)
        == out
    )


def test_two_who_stand_in_one_after_the_other_in_rounds_to_come_are_imported(salon: Salon) -> None:
    """One plays the next round alone; who plays from then on to the end was said before."""
    row = does(
        after_round_1(salon, 4),
        ReplacePlayer(entry="1", players=(("2", "Sub Stitute"),), from_round=2),
        ReplacePlayer(entry="1", players=(("2", "Other Body"),), from_round=2, until_round=2),
    )
    out = export_tournament(salon, row.pk, Audience.SALON)
    elsewhere = opened_salon("Salon at Core Gate", "ilse@example.org")

    import_tournament(elsewhere, read_tournament(out), actor="user:1")

    assert [each["until"] for each in out["entries"][0]["earlier"]] == [1, 2]
    assert (
        export_tournament(elsewhere, Tournament.objects.get(salon=elsewhere).pk, Audience.SALON)
        == out
    )


FESTIVAL = {
    **{name: value for name, value in SPRING_CUP.items() if name != "stage"},
    "adjustments": [],
    "stages": [
        {
            "kind": "swiss",
            "rounds": 1,
            "scale": {"kind": "match"},
            "tie_breaks": ["buchholz_cut_1", "buchholz"],
        },
        {"kind": "knockout", "takes": {"from": 1, "top": 2}},
    ],
    "cuts": [{"stage": 2, "entries": ["5", "1"]}],
}


def test_several_stages_with_a_cut_are_imported_and_exported_the_same(salon: Salon) -> None:
    tournament = read_tournament(FESTIVAL)

    assert import_tournament(salon, tournament, actor="user:1") is Outcome.RECORDED
    row = Tournament.objects.get()
    out = export_tournament(salon, row.pk, Audience.SALON)

    assert out == write_tournament(tournament)
    assert [each["kind"] for each in out["stages"]] == ["swiss", "knockout"]
    assert out["cuts"] == FESTIVAL["cuts"]
    assert state_of(row).stage_number == 2
    assert import_tournament(salon, tournament, actor="user:1") is Outcome.UNCHANGED
    assert list(audit(salon)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"stage": {"kind": "pods"}, "rounds": []}, "can't be played in the format"),
        (
            {
                "entries": [{"id": "1", "name": "A", "players": ["A", "B", "C"]}],
                "rounds": [],
                "adjustments": [],
            },
            "1 or 2 players",
        ),
    ],
)
def test_what_can_not_be_directed_here_is_refused_and_nothing_is_stored(
    salon: Salon, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        import_tournament(salon, read_tournament(SPRING_CUP | change), actor="user:1")

    assert not Event.objects.exists()
    assert not Tournament.objects.exists()


def test_the_command_imports_and_exports(
    salon: Salon, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cup.json"
    path.write_text(
        json.dumps(SPRING_CUP) + "\n" + json.dumps(SPRING_CUP | {"id": "two", "entries": []}) + "\n"
    )

    with pytest.raises(SystemExit):
        call_command("tournament", "import", str(path), "--json")
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    call_command("tournament", "export", "spring-cup")

    assert lines[0] == {"id": "spring-cup", "outcome": "recorded"}
    assert lines[1]["error"]["path"]
    assert json.loads(capfd.readouterr().out) == write_tournament(read_tournament(SPRING_CUP))
