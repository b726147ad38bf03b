"""Players by the beginning of a name."""

import pytest

from ledger.store import open_log
from scoring.errors import NotationError
from tests.tournament.helpers.salon import open_a_salon, owner_of
from tournament.domain.names import in_alphabet
from tournament.models import Player, Salon
from tournament.queries.players import fitting, match_name, match_names

NAMES = ["Asha Renn", "Bea Astor", "Łukasz Żak", "Jean-Luc Osei", "Ærin Dray"]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("as", ["Asha Renn", "Bea Astor"]),
        ("RE", ["Asha Renn"]),
        ("lu", ["Łukasz Żak", "Jean-Luc Osei"]),
        ("za", ["Łukasz Żak"]),
        ("ae", ["Ærin Dray"]),
        ("sha", []),
        ("", []),
    ],
)
def test_a_name_is_found_by_the_beginning_of_any_of_its_words(typed: str, found: list[str]) -> None:
    assert [each.name for each in fitting(typed, NAMES)] == found


@pytest.mark.parametrize(("typed", "hit"), [("re", "Re"), ("za", "Ża"), ("ae", "Æ")])
def test_the_letters_that_fit_are_marked(typed: str, hit: str) -> None:
    found = next(iter(fitting(typed, NAMES)))

    assert found.hit == hit
    assert found.before + found.hit + found.after == found.name


def test_a_known_name_is_meant_whatever_its_case_and_accents() -> None:
    assert match_name("lukasz zak", NAMES) == "Łukasz Żak"
    assert match_name("Asha", NAMES) == "Asha"


def test_between_two_that_sound_alike_nothing_is_guessed() -> None:
    assert match_name("jose", ["José", "Jose"]) == "jose"


def test_two_new_people_who_differ_in_case_and_accents_alone_are_not_told_apart() -> None:
    known = ["José", "Jose", "Bea Astor"]

    assert match_names([("1", "bea astor"), ("2", "Cato")], known) == (
        ("1", "Bea Astor"),
        ("2", "Cato"),
    )
    assert match_names([("1", "José"), ("2", "Jose")], known) == (
        ("1", "José"),
        ("2", "Jose"),
    ), "the salon knows both"
    assert match_names([("1", "Cato"), ("2", "Cato")], known) == (
        ("1", "Cato"),
        ("2", "Cato"),
    ), "one name twice is for the rules"
    for one, other in (("Cato", "cato"), ("Núria", "Nuria"), ("jose", "José")):
        with pytest.raises(NotationError) as refused:
            match_names([("1", one), ("2", other)], known)
        assert refused.value.path == "players.2"


@pytest.mark.django_db
def test_only_players_of_the_own_salon_are_offered_and_a_new_name_is_a_line_below() -> None:
    salon = open_a_salon()
    Player.objects.create(salon=salon, name="Bea Astor")
    elsewhere = Salon.objects.create(name="Elsewhere", slug="elsewhere", log=open_log())
    Player.objects.create(salon=elsewhere, name="Asta Foreign")

    page = owner_of(salon).get("/players/", {"q": "as", "seat": "W"}).text

    assert 'data-name="Bea Astor"' in page
    assert "Bea <mark>As</mark>tor" in page
    assert "Foreign" not in page
    assert page.index("Bea") < page.index("<li hidden data-note>New player</li>")


@pytest.mark.django_db
def test_a_known_player_is_not_offered_as_new() -> None:
    salon = open_a_salon()
    Player.objects.create(salon=salon, name="Bea Astor")

    assert (
        "new player" not in owner_of(salon).get("/players/", {"q": "BEA ASTOR", "seat": "W"}).text
    )


def test_names_stand_in_the_alphabet_whatever_their_accents() -> None:
    assert sorted(["Ma", "Łuk", "Lum", "Zo", "Éa", "Eb"], key=in_alphabet) == [
        "Éa",
        "Eb",
        "Łuk",
        "Lum",
        "Ma",
        "Zo",
    ]
