"""Starting a game from the form."""

import pytest
from django.http import QueryDict

from tests.tournament.helpers.playing import flat
from tests.tournament.helpers.salon import open_a_salon, owner_of, start_form
from tournament.models import Game
from tournament.pages.table.start_form import StartForm, problems, read_form, read_options


def written(**changes: str) -> StartForm:
    sent = QueryDict(mutable=True)
    sent.update(start_form(**changes))
    return read_form(sent, table="")


def test_a_form_filled_in_rightly_has_no_problems_and_no_options_of_its_own() -> None:
    assert problems(written()) == {}
    assert read_options(written()) == {}


def test_options_come_out_as_the_values_the_rules_know() -> None:
    form = written(
        options__target_score="300",
        options__meld_overlap="yes",
        options__hands_limit="12",
        options__trump="declared",
    )

    assert problems(form) == {}
    assert read_options(form) == {
        "target_score": 300,
        "hands_limit": 12,
        "trump": "declared",
        "meld_overlap": True,
    }


@pytest.mark.parametrize(
    ("changes", "path", "said"),
    [
        ({"players__W": ""}, "players.W", "West is not seated yet"),
        ({"players__W": "asha  RENN"}, "players.W", "asha RENN already sits at North"),
        ({"table": " "}, "table", "At which table"),
        ({"dealer": "X"}, "dealer", "Who deals first"),
        (
            {"options__target_score": "0"},
            "options.target_score",
            "Play to is a whole number from 1 to 1\u00a0000\u00a0000, not “0”",
        ),
        ({"options__ante": "many"}, "options.ante", "not “many”"),
        ({"options__ante": ""}, "options.ante", "not “”"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_alone(
    changes: dict[str, str], path: str, said: str
) -> None:
    found = problems(written(**changes))

    assert list(found) == [path]
    assert said in found[path].message


@pytest.mark.django_db
def test_what_was_typed_stands_there_again_when_something_is_wrong() -> None:
    page = owner_of(open_a_salon()).post(
        "/games/new/", start_form(players__W="", options__ante="3")
    )

    assert page.status_code == 422
    assert 'value="Ilse Marrow"' in page.text
    assert 'name="options.ante" value="3"' in flat(page.text)
    assert "West is not seated yet" in page.text
    assert "<details open>" in page.text
    assert not Game.objects.exists()


@pytest.mark.django_db
def test_an_option_the_game_does_not_offer_is_refused_beside_it() -> None:
    page = owner_of(open_a_salon()).post("/games/new/", start_form(options__trump="sometimes"))

    assert page.status_code == 422
    assert (
        "trump is one of &quot;rotate&quot;, &quot;declared&quot;, not &quot;sometimes&quot;"
        in page.text
    )
    assert not Game.objects.exists()
