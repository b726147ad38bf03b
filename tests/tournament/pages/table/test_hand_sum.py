"""Between hands a pad says on one plaque what the last one brought whoever plays, and folds why."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.tournament.helpers import patience, preference, sabacc
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.playing import about
from tests.tournament.helpers.reading import match_in
from tournament.models import Salon


def after_preference(salon: Salon, owner: Client) -> None:
    game = preference.playing(salon, B="along", C="along")
    preference.done(game, "totals", tricks={"A": 6, "B": 2, "C": 2})


def after_sabacc(salon: Salon, owner: Client) -> None:
    sabacc.done(sabacc.guarded(salon), "totals", points=45.5)


def after_patience(_salon: Salon, owner: Client) -> None:
    patience.begun(owner)
    form = about(owner.get("/tables/4/sheet/")) | {"passes:number": "3"}
    owner.post("/tables/4/sheet/", form | patience.lengths(13, 13, 9, 7, 6, 4, 2, 0))


AFTER: dict[str, Callable[[Salon, Client], None]] = {
    "preference": after_preference,
    "contract_sabacc": after_sabacc,
    "order_of_precedence": after_patience,
}


@pytest.mark.parametrize("kind", AFTER)
def test_a_plaque_says_what_the_last_hand_brought_and_why_is_folded(
    salon: Salon, owner: Client, kind: str
) -> None:
    AFTER[kind](salon, owner)
    page: Answer = owner.get("/tables/4/")
    table = page.context["table"]
    plaque = match_in(page.text, r'(?s)<div class="handsum">(.*?)</div>')[1]

    for score in table["score"].values():
        assert f" → {str(score).replace('-', '−')}</b>" in plaque
    assert '<details class="lasthand">' in page.text
    assert page.text.index('class="handsum"') < page.text.index('class="btn btn--act')
