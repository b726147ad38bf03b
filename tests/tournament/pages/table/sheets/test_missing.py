"""What is missing on a sheet is named: whose it is, in words that stand on the page, beside its
field and in the preview.
"""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from scoring.errors import NotationError
from scoring.games import GAMES
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.playing import a_command, about, tap, told
from tests.tournament.pages.table.sheets.tables import FIELDS, HANDS, after_a_hand, started
from tournament.models import Game, Hand, Salon

WANTING = {
    "precedence": [
        ("bids.E:number", "East's bid is missing"),
        ("tricks.EW:number", "East–West's tricks are missing"),
    ],
    "preference": [
        ("tricks.A:number", "Asha Renn's tricks are missing"),
        ("fields", "The soloist is missing"),
        ("contract", "The contract is missing"),
    ],
    "contract_sabacc": [
        ("fields", "The declarer is missing"),
        ("contract", "The contract is missing"),
        ("points:half", "The declarer's card points are missing"),
    ],
    "order_of_precedence": [("passes:number", "The passes are missing")],
}
CASES = [(kind, field, words) for kind, cases in WANTING.items() for field, words in cases]


def sent(owner: Client, kind: str, **changes: str) -> tuple[Answer, Answer]:
    """The answers to a sheet with these changes, and to its preview."""
    page = owner.get("/tables/4/sheet/")
    form = about(page) | FIELDS[kind] | changes
    return owner.post("/tables/4/sheet/", form), owner.post("/tables/4/sheet/preview/", form)


@pytest.mark.parametrize(("kind", "field", "words"), CASES)
def test_what_is_missing_is_named_by_the_refusal_and_by_the_preview(
    salon: Salon, owner: Client, kind: str, field: str, words: str
) -> None:
    started(salon, kind)

    answer, preview = sent(owner, kind, **{field: ""})

    assert answer.status_code == 400
    assert words.casefold() in told(answer).casefold()
    assert not re.search(r"\b[A-E] is missing", told(answer))
    shown = preview.text[preview.text.index('id="preview"') :]
    assert words in told(HttpResponse(shown))


@pytest.mark.parametrize(("kind", "field", "words"), CASES)
def test_the_words_stand_in_the_part_of_the_form_that_they_are_about(
    salon: Salon, owner: Client, kind: str, field: str, words: str
) -> None:
    started(salon, kind)

    answer, _ = sent(owner, kind, **{field: ""})

    form = answer.text[answer.text.index('id="sheet"') :]
    error = form.index('class="error"')
    part = form.rindex("<fieldset" if "<fieldset" in form[:error] else "<form", 0, error)
    named = field if field != "fields" else "declarer" if kind == "contract_sabacc" else "soloist"
    assert named.partition(":")[0] in form[part : form.index("</fieldset>", error)]


def test_who_keeps_out_has_no_tricks_by_itself(salon: Salon, owner: Client) -> None:
    started(salon, "preference")

    answer, preview = sent(
        owner,
        "preference",
        **{
            "defenders.A": "along",
            "defenders.C": "out",
            "tricks.A:number": "4",
            "tricks.C:number": "",
        },
    )

    assert answer.status_code == 303
    assert "are missing" not in told(preview)
    assert Hand.objects.get().result["result"]["tricks"] == {"A": 4, "B": 6, "C": 0}


def test_a_record_of_a_hand_needs_no_tricks_of_who_keeps_out() -> None:
    game = GAMES["preference"]
    hand = HANDS["preference"] | {
        "defenders": {"A": "along", "C": "out"},
        "tricks": {"A": 4, "B": 6},
    }

    assert game.read_sheet(hand, game.read_rules({})).tricks == (4, 6, 0)
    with pytest.raises(NotationError, match="Seat A's tricks are missing"):
        game.read_sheet(hand | {"tricks": {"B": 6}}, game.read_rules({}))


def test_a_refusal_on_the_pad_names_who_it_is_about(salon: Salon, owner: Client) -> None:
    started(salon, "preference")
    tap(owner, "hands", dealer="A")

    answer = tap(owner, "contracts", soloist="B", contract="one")
    answer = tap(owner, "defences", A="along", C="out")
    answer = tap(owner, "winners", seat="C")

    assert answer.status_code == 422
    assert "Cato Liss keeps out and wins no trick" in told(answer)
    assert "Seat C" not in told(answer)


def test_a_refusal_on_the_sabacc_pad_names_who_it_is_about(salon: Salon, owner: Client) -> None:
    started(salon, "contract_sabacc", wager="bidders_only")
    tap(owner, "hands", dealer="A")

    answer = tap(owner, "calls", seat="C", call="take")

    assert answer.status_code == 422
    assert "Ilse Marrow calls next, not Cato Liss" in told(answer)


def test_the_api_names_them_too(salon: Salon) -> None:
    game, owner = started(salon, "preference"), owner_calls(salon)

    missing = owner.post(
        f"games/{game.pk}/hands/",
        HANDS["preference"] | {"tricks": {"B": 6, "C": 1}},
        version=game.version,
    )
    owner.post(f"games/{game.pk}/acts/hands/", {"dealer": "A"}, version=game.version)

    assert missing.status == 400
    assert missing.value["detail"] == "Asha Renn's tricks are missing"
    assert missing.value["path"] == "tricks.A"


def test_the_api_names_who_is_not_to_call(salon: Salon) -> None:
    game, owner = started(salon, "contract_sabacc", wager="bidders_only"), owner_calls(salon)
    owner.post(f"games/{game.pk}/acts/hands/", {"dealer": "A"}, version=game.version)

    answer = owner.post(
        f"games/{game.pk}/acts/calls/", {"seat": "C", "call": "take"}, version=_version(game)
    )

    assert answer.status == 422
    assert answer.value["detail"] == "Ilse Marrow calls next, not Cato Liss"


def _version(game: Game) -> int:
    game.refresh_from_db()
    return game.version


def test_a_correction_names_them_too(salon: Salon, owner: Client) -> None:
    game = after_a_hand(salon, "preference")
    form = {
        "game": game.pk,
        "version": str(game.version),
        "command": a_command(),
        "step": "preview",
    }

    answer = owner.post(
        f"/games/{game.pk}/corrections/hand/?hand=1",
        form | FIELDS["preference"] | {"tricks.C:number": ""},
    )

    assert "Cato Liss's tricks are missing" in told(answer)


def test_two_entries_that_differ_are_told_by_names(salon: Salon, owner: Client) -> None:
    game = after_a_hand(salon, "preference")
    page = owner.get(f"/games/{game.pk}/hands/1/second-entry/")
    owner.post(
        f"/games/{game.pk}/hands/1/second-entry/",
        about(page) | FIELDS["preference"] | {"tricks.A:number": "2", "tricks.C:number": "2"},
    )

    words = told(owner.get(f"/games/{game.pk}/confirmation/")).replace(" , ", ", ")

    assert (
        "Asha Renn 3, Ilse Marrow 6, Cato Liss 1 Asha Renn 2, Ilse Marrow 6, Cato Liss 2" in words
    )
