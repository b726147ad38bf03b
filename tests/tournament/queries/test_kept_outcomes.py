"""Outcomes of an event's games are kept in a file: the next process reads it there, as long as it
is the same history.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import recorded, samples
from tournament.models import Game, Salon
from tournament.streams import game_results, kept_outcomes
from tournament.streams.game_results import outcomes_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def folded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The games that were folded in a process that keeps outcomes, from here on."""
    games = list[str]()
    fold = game_results._folded_outcome

    def noted(log: int, stream: str, version: int) -> object:
        games.append(stream)
        return fold(log, stream, version)

    monkeypatch.setattr(game_results, "_folded_outcome", noted)
    monkeypatch.setattr(kept_outcomes, "FEWEST", 2)
    kept_outcomes.keep_in(tmp_path / "outcomes")
    game_results.forget()
    yield games
    kept_outcomes.keep_in(None)
    game_results.forget()


def versions(salon: Salon) -> dict[str, int]:
    return dict(Game.objects.filter(salon=salon).order_by("pk").values_list("pk", "version"))


def test_another_process_folds_no_game_again(folded: list[str], tmp_path: Path) -> None:
    salon = opened_salon()
    for record in samples():
        recorded(salon, record)
    first = outcomes_at(salon, versions(salon))
    assert len(first) > 1
    assert set(first) <= set(folded)

    game_results.forget()
    folded.clear()
    assert outcomes_at(salon, versions(salon)) == first
    assert set(folded).isdisjoint(first)
    (file,) = (tmp_path / "outcomes").glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600


def test_another_history_gets_nothing_of_it_and_a_damaged_file_is_none(
    folded: list[str], tmp_path: Path
) -> None:
    salon = opened_salon()
    for record in samples():
        recorded(salon, record)
    first = outcomes_at(salon, versions(salon))
    (file,) = (tmp_path / "outcomes").glob("*.json")
    for written in (file.read_bytes().replace(b'["', b'["0'), b"{", b'{"a": 1}'):
        file.write_bytes(written)
        game_results.forget()
        folded.clear()
        assert outcomes_at(salon, versions(salon)) == first
        assert set(first) <= set(folded)


def test_jobs_and_audits_keep_nothing_and_read_nothing() -> None:
    assert kept_outcomes._folder is None
