"""`manage.py person import`, `person take-back` and `tournament enter` as somebody runs them."""

from pathlib import Path

import pytest

from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does, draft
from tests.tournament.helpers.salons import opened_salon
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.models import Player, Salon, Tournament
from tournament.queries.tournament import load_tournament
from tournament.salons.public_names import Audience

PEOPLE = "surname;forename\nHarrow;Nell\nRenn;Asha\n;;9\n"
PAIRS = "player 1;player 2;club\nAsha Renn;Cato Liss;Core\nIlse Marrow;Ilse Marrow;Rim\n"


@pytest.fixture
def salon(db: None) -> Salon:
    salon = opened_salon()
    Player.objects.create(salon=salon, name="Asha Renn")
    return salon


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


@pytest.fixture
def event(salon: Salon) -> Tournament:
    return does(draft(salon), EnterPhase(phase="registration"))


def names() -> set[str]:
    return set(Player.objects.filter(set_aside=False).values_list("name", flat=True))


def test_a_list_of_players_is_looked_at_kept_and_taken_back(
    salon: Salon, people: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ahead = run(capsys, "person", "import", people, "--dry-run", "--json")
    (told,) = ahead.lines
    assert (told["name"], told["second"], told["heading"], told["kept"]) == (1, 0, True, False)
    assert [line["kind"] for line in told["lines"]] == ["new", "known", "bad"]
    assert (ahead.status, names()) == (1, {"Asha Renn"})

    assert run(capsys, "person", "import", people).status == 1
    assert names() == {"Asha Renn", "Nell Harrow"}
    (told,) = run(capsys, "person", "take-back", people, "--json").lines
    assert told == {"taken_back": 1, "stay": 1}
    assert names() == {"Asha Renn"}


def test_a_list_of_entries_is_looked_at_and_entered(
    event: Tournament, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)

    ahead = run(capsys, "tournament", "enter", event.pk, path, "--dry-run", "--json")
    (told,) = ahead.lines
    assert told["columns"] == ["players", "players", "club"]
    assert (told["heading"], told["kept"], ahead.status) == (True, False, 1)
    assert told["lines"][0]["players"] == ["Asha Renn", "Cato Liss"]
    assert told["lines"][1]["problem"]
    assert not load_tournament(event, Audience.SALON).state.entries

    assert run(capsys, "tournament", "enter", event.pk, path).status == 1
    event.refresh_from_db()
    assert len(load_tournament(event, Audience.SALON).state.entries) == 1


@pytest.mark.parametrize("content", [None, b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_what_is_no_list_is_refused_with_words(
    event: Tournament, tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people"
    if content is not None:
        path.write_bytes(content)

    for words in (("person", "import", path), ("tournament", "enter", event.pk, path)):
        ran = run(capsys, *words)
        assert ran.status == 1
        assert "Traceback" not in ran.err
        assert str(path) in ran.err
