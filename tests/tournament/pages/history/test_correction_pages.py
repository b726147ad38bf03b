"""The pages of corrections: the hand as it was recorded, what would change, and the correction done
by the director.
"""

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from ledger.reading import version_of
from scoring.games import GAMES
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.correction_forms import corrected, fields, words
from tests.tournament.helpers.playing import a_game, done, told
from tests.tournament.helpers.salons import opened_salon, scorer_at
from tests.tournament.helpers.tables import bids, recorded, samples, simple
from tournament.exchange.game_records import export_game
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.salons.public_names import Audience

HANDS = [{"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": 7, "EW": 6}} for dealer in "NES"]

OTHERS = (
    "preference_simulated",
    "contract_sabacc_simulated",
    "contract_sabacc_tarot",
    "order_of_precedence_games",
)
OTHER_GAMES = [
    json.loads((SAMPLES / f"{name}.jsonl").read_text().splitlines()[0]) for name in OTHERS
]


@pytest.fixture
def salon(db: object) -> Salon:
    return opened_salon()


@pytest.fixture
def game(salon: Salon) -> Game:
    recorded(salon, simple("game", hands=HANDS, table="4"))
    return Game.objects.get(salon=salon)


def test_a_hand_is_corrected_after_its_preview(owner: Client, salon: Salon, game: Game) -> None:
    address = f"/games/{game.pk}/corrections/hand/?hand=2"
    form = owner.get(address).text
    assert "Hand 2" in words(form)

    seen = owner.post(
        address,
        fields(form) | {"tricks.NS:number": ["3"], "tricks.EW:number": ["10"], "step": ["preview"]},
    )
    assert "lines differ; they are marked" in words(seen.text)
    assert version_of(salon.log_id, game.pk) == game.version
    answer = owner.post(
        address, fields(seen.text) | {"reason": ["counted wrong"], "step": ["record"]}
    )

    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.pk}/")
    assert export_game(salon, game.pk, Audience.SALON)["hands"][1]["tricks"] == {"NS": 3, "EW": 10}
    assert "Corrected: hand 2." in words(owner.get(f"/games/{game.pk}/").text)
    history = words(owner.get(f"/games/{game.pk}/history/").text)
    assert "Corrected: hand 2 is recorded again. “counted wrong” Mara Ilves." in history
    assert list(audit(salon)) == []


def test_a_correction_needs_a_reason(owner: Client, salon: Salon, game: Game) -> None:
    answer = corrected(owner, f"/games/{game.pk}/corrections/removed/?hand=3", reason=" ")

    assert answer.status_code == 400
    assert "say in a few words why it is corrected" in answer.text
    assert version_of(salon.log_id, game.pk) == game.version


def test_who_was_first_is_said_and_nothing_is_corrected(
    owner: Client, salon: Salon, game: Game
) -> None:
    address = f"/games/{game.pk}/corrections/removed/?hand=1"
    seen = owner.post(address, fields(owner.get(address).text) | {"step": ["preview"]})
    done(game, "hands")

    answer = owner.post(address, fields(seen.text) | {"reason": ["twice"], "step": ["record"]})

    assert answer.status_code in (409, 422)
    assert len(export_game(salon, game.pk, Audience.SALON)["hands"]) == 3


def test_the_rulings_that_hands_need_are_shown_and_go_with_it(
    owner: Client, salon: Salon, game: Game
) -> None:
    address = f"/games/{game.pk}/corrections/removed/?hand=1"
    seen = owner.post(address, fields(owner.get(address).text) | {"step": ["preview"]})
    assert "Hand 1 counts as it was played: a trump out of turn" in words(seen.text)

    corrected(owner, address)

    hands = export_game(salon, game.pk, Audience.SALON)["hands"]
    assert [ruling["excuses"] for ruling in hands[0]["rulings"]] == [["bad_trump"]]


def test_two_teams_in_each_others_seats_for_three_hands_is_one_correction(
    owner: Client, salon: Salon, game: Game
) -> None:
    answer = corrected(owner, f"/games/{game.pk}/corrections/seats/?turned", first="1", last="3")

    assert answer.status_code == 302
    assert all(
        hand["players"] == {"N": "Birch", "E": "Cedar", "S": "Dogwood", "W": "Ash"}
        for hand in export_game(salon, game.pk, Audience.SALON)["hands"]
    )


def test_the_house_rules_are_corrected(owner: Client, salon: Salon, game: Game) -> None:
    answer = corrected(owner, f"/games/{game.pk}/corrections/options/", options__ante="3")

    assert answer.status_code == 302
    assert export_game(salon, game.pk, Audience.SALON)["options"]["ante"] == 3


def test_a_called_game_goes_on(owner: Client, salon: Salon) -> None:
    recorded(
        salon,
        simple("called", hands=HANDS, ended={"kind": "called", "by": "Elder", "reason": "late"}),
    )
    game = Game.objects.get(salon=salon, record="called")
    assert game.finished

    corrected(owner, f"/games/{game.pk}/corrections/reopened/")

    game.refresh_from_db()
    assert not game.finished


def test_a_forgotten_hand_is_inserted(owner: Client, salon: Salon, game: Game) -> None:
    sheet = {
        "dealer": "S",
        "trump": "B",
        "bids__N:number": "2",
        "bids__E:number": "3",
        "bids__S:number": "2",
        "bids__W:number": "3",
    }
    answer = corrected(
        owner,
        f"/games/{game.pk}/corrections/inserted/?hand=2",
        **sheet,
        **{"tricks__NS:number": "7", "tricks__EW:number": "6"},
    )

    assert answer.status_code == 302
    assert [hand["dealer"] for hand in export_game(salon, game.pk, Audience.SALON)["hands"]] == [
        "N",
        "S",
        "E",
        "S",
    ]


def test_a_hand_that_was_a_misdeal_becomes_one_with_what_was_paid_given_back(
    owner: Client, salon: Salon, game: Game
) -> None:
    corrected(owner, f"/games/{game.pk}/corrections/hand/?hand=3", **{"misdeal:flag": "true"})

    recorded(salon, simple("right", hands=[*HANDS[:2], {"misdeal": True, "dealer": "S"}]))
    right, mended = Game.objects.get(salon=salon, record="right"), Game.objects.get(pk=game.pk)
    assert export_game(salon, game.pk, Audience.SALON)["hands"][2]["misdeal"] is True
    assert {key: table[key] for table in [mended.state] for key in ("score", "chips", "pots")} == {
        key: table[key] for table in [right.state] for key in ("score", "chips", "pots")
    }
    assert list(audit(salon)) == []


@pytest.mark.parametrize("value", [samples()[0], *OTHER_GAMES], ids=lambda value: value["id"])
def test_a_game_that_knows_misdeals_offers_one_wherever_a_hand_is_corrected(
    owner: Client, salon: Salon, value: dict[str, Any]
) -> None:
    recorded(salon, value)
    game = Game.objects.get(salon=salon, record=value["id"])

    for what in ("hand", "inserted"):
        page = owner.get(f"/games/{game.pk}/corrections/{what}/?hand=1").text
        assert page.count('name="misdeal:flag"') == ("misdeals" in GAMES[game.kind].acts)


@pytest.mark.parametrize("value", [*samples(), *OTHER_GAMES], ids=lambda value: value["id"])
def test_a_form_left_as_it_is_changes_nothing(
    owner: Client, salon: Salon, value: dict[str, Any]
) -> None:
    recorded(salon, value)
    game = Game.objects.get(salon=salon, record=value["id"])

    for hand in (1, len(export_game(salon, game.pk, Audience.SALON)["hands"])):
        address = f"/games/{game.pk}/corrections/hand/?hand={hand}"
        answer = owner.post(address, fields(owner.get(address).text) | {"step": ["preview"]})
        assert answer.status_code == 400, words(answer.text)
        assert "this is what is recorded" in told(answer)


def test_a_scorer_by_link_takes_back_and_never_corrects(salon: Salon, game: Game) -> None:
    scorer = scorer_at(salon, "4")

    assert scorer.get(f"/games/{game.pk}/corrections/").status_code == 403
    assert "Correct what was recorded" not in scorer.get(f"/games/{game.pk}/").text


def test_the_list_offers_every_closed_hand(owner: Client, game: Game) -> None:
    page = words(owner.get(f"/games/{game.pk}/corrections/").text)

    assert page.count("One is missing before it") == 3
    assert "It is not over" not in page


def test_a_game_that_is_reopened_at_a_taken_table_is_said_to_be_so_and_asked_about(
    owner: Client, salon: Salon
) -> None:
    over = simple("game", hands=HANDS, table="4", options={"target_score": 120})
    recorded(salon, over)
    game = Game.objects.get(salon=salon)
    assert game.finished
    other = a_game(salon, table="4")
    address = f"/games/{game.pk}/corrections/hand/?hand=3"
    changed = {"tricks.NS:number": ["3"], "tricks.EW:number": ["10"], "step": ["preview"]}
    seen = owner.post(address, fields(owner.get(address).text) | changed)

    assert "This game is no longer over: nobody has won it yet." in words(seen.text)
    assert "Another game is being played at table 4" in words(seen.text)
    record = fields(seen.text) | {"reason": ["counted wrong"], "step": ["record"]}
    refused = owner.post(address, record)
    assert refused.status_code == 400
    game.refresh_from_db()
    assert game.finished
    assert version_of(salon.log_id, game.pk) == game.version
    answer = owner.post(address, fields(refused.text) | record | {"after": ["ends"]})

    assert answer.status_code == 302, words(answer.text)
    game.refresh_from_db()
    assert game.finished
    assert game.state["closed"] == "called"
    assert owner.get("/tables/4/").context["row"].pk == other.pk
    assert list(audit(salon)) == []


def reopening(owner: Client, salon: Salon) -> tuple[Game, Game, str, dict[str, list[str]]]:
    """A game that is over, another one at its table, and the previewed correction that reopens the
    first: its address and fields.
    """
    recorded(salon, simple("game", hands=HANDS, table="4", options={"target_score": 120}))
    game = Game.objects.get(salon=salon)
    other = a_game(salon, table="4")
    address = f"/games/{game.pk}/corrections/hand/?hand=3"
    changed = {"tricks.NS:number": ["3"], "tricks.EW:number": ["10"], "step": ["preview"]}
    seen = owner.post(address, fields(owner.get(address).text) | changed)
    sent = fields(seen.text) | {"reason": ["counted wrong"], "step": ["record"]}
    return game, other, address, sent


def test_a_reopened_game_continues_at_another_table(owner: Client, salon: Salon) -> None:
    game, other, address, sent = reopening(owner, salon)
    assert sent["table"] == ["1"]

    refused = owner.post(address, sent | {"after": ["moves"], "table": ["4"]})
    assert refused.status_code == 422
    assert "Choose a table of the salon at which nobody plays." in words(refused.text)
    answer = owner.post(address, sent | {"after": ["moves"], "table": ["5"]})

    assert answer.status_code == 302, words(answer.text)
    game.refresh_from_db()
    assert (game.finished, game.table, game.state["hands"]) == (False, "5", 3)
    assert owner.get("/tables/5/").context["row"].pk == game.pk
    assert owner.get("/tables/4/").context["row"].pk == other.pk
    assert "It is played at table 5 now" in words(owner.get(f"/games/{game.pk}/history/").text)
    assert list(audit(salon)) == []


def test_a_pad_stays_with_its_game_beside_another_one(owner: Client, salon: Salon) -> None:
    recorded(salon, simple("game", hands=HANDS, table="4", options={"target_score": 120}))
    over = Game.objects.get(salon=salon)
    shown = owner.get("/tables/4/")
    assert shown.context["row"].pk == over.pk
    assert 'data-key="u"' in shown.text

    other = a_game(salon, table="4")
    idle = {"HX-Request": "true", "Accord-Game": over.pk, "If-None-Match": shown.context["shown"]}
    followed = owner.get("/tables/4/", headers=idle)

    assert followed.context["row"].pk == over.pk
    assert followed["HX-Replace-Url"] == f"/tables/4/games/{over.pk}/"
    page = owner.get(f"/tables/4/games/{over.pk}/").text
    assert f'href="/tables/4/games/{other.pk}/"' in page
    assert re.search(r"<title>\s*Table 4, game of \d\d:\d\d", page)
    assert 'data-key="u"' not in page
    assert owner.get("/tables/4/").context["row"].pk == other.pk


def test_an_undo_never_reaches_the_other_game_of_a_table(owner: Client, salon: Salon) -> None:
    recorded(salon, simple("game", hands=HANDS, table="4", options={"target_score": 120}))
    over = Game.objects.get(salon=salon)
    undo = over.state["undo"]
    other = a_game(salon, table="4")
    sent = {"game": over.pk, "version": str(over.version), "command": uuid.uuid4().hex}

    refused = owner.post("/tables/4/retractions/", sent | {"version:number": undo["version"]})

    assert refused.status_code == 422
    assert "Another game is being played at table 4." in words(refused.text)
    assert refused.context["row"].pk == over.pk
    assert version_of(salon.log_id, other.pk) == other.version
    over.refresh_from_db()
    assert over.finished


def test_an_act_for_a_game_that_goes_on_elsewhere_is_not_recorded_here(
    owner: Client, salon: Salon
) -> None:
    game, other, address, sent = reopening(owner, salon)
    assert other.version == version_of(salon.log_id, other.pk)
    owner.post(address, sent | {"after": ["moves"], "table": ["5"]})
    about = {"game": game.pk, "version": "9", "command": uuid.uuid4().hex, "dealer": "N"}

    answer = owner.post("/tables/4/hands/", about)

    assert answer.status_code == 409
    assert "This game goes on at table 5 now." in words(answer.text)
    assert version_of(salon.log_id, other.pk) == other.version
