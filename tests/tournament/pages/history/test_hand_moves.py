"""A hand that was recorded at the wrong table moves to the game in which it was played."""

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client

from scoring.commands import EndGame
from tests.scoring.sample_games import SAMPLES
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import recorded
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.recording import door
from tournament.tasks import PROJECTIONS

OTHERS = (
    "preference_simulated",
    "contract_sabacc_simulated",
    "contract_sabacc_tarot",
    "order_of_precedence_games",
)
OTHER_GAMES = [
    json.loads((SAMPLES / f"{name}.jsonl").read_text().splitlines()[0]) for name in OTHERS
]
FIRST, SECOND = hand("N", (4, 3, 3, 4), (9, 4)), hand("E", (2, 3, 3, 2), (5, 8))


def a_game(salon: Salon, table: str, **options: object) -> Game:
    players = {seat: f"{seat}{table}" for seat in "NESW"}
    return door.start_game(
        salon,
        actor="user:0",
        command=uuid.uuid4().hex,
        kind="precedence",
        players=players,
        options=options,
        table=table,
    )


@pytest.fixture
def salon(db: object) -> Salon:
    return opened_salon()


@pytest.fixture
def games(salon: Salon) -> tuple[Game, Game]:
    """Two games: at table 6 two hands, of which the second was played at table 5."""
    wrong, right = a_game(salon, "6"), a_game(salon, "5")
    record(wrong, *FIRST, *SECOND)
    record(right, *FIRST)
    return wrong, right


def seen(owner: Client, wrong: Game, right: Game, number: int = 2) -> Answer:
    return owner.get(f"/games/{wrong.pk}/corrections/moved/?hand={number}&to={right.pk}&as_hand=")


def moved(owner: Client, page: Answer, wrong: Game, **changed: str) -> Answer:
    form = page.text[page.text.index('aria-labelledby="do"') :]
    sent = dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)"', form))
    sent = {name: value.replace("&quot;", '"') for name, value in sent.items()}
    return owner.post(
        f"/games/{wrong.pk}/corrections/moved/", sent | {"reason": "Wrong pad"} | changed
    )


def scores(*games: Game) -> list[Any]:
    return [Game.objects.get(pk=game.pk).state["score"] for game in games]


def is_sound(salon: Salon) -> bool:
    catch_up(salon.log, PROJECTIONS)
    return not list(differences(salon, mend=False, progress=lambda done: None)) and not list(
        audit(salon)
    )


def as_played(salon: Salon) -> list[Any]:
    """The scores of both games recorded right the first time."""
    one, two = a_game(salon, "7"), a_game(salon, "8")
    record(one, *FIRST)
    record(two, *FIRST, *SECOND)
    return scores(one, two)


def test_a_hand_moves_to_its_own_game_and_both_are_as_if_recorded_right(
    owner: Client, salon: Salon, games: tuple[Game, Game]
) -> None:
    wrong, right = games
    assert "It was played at another table: move it" in told(
        owner.get(f"/games/{wrong.pk}/corrections/")
    )
    form = told(owner.get(f"/games/{wrong.pk}/corrections/moved/?hand=2"))
    assert "Table 5: N5, E5, S5, W5" in form
    page = seen(owner, wrong, right)
    assert "The hand is taken out: Table 6" in told(page)
    assert "It is recorded here: Table 5" in told(page)

    assert moved(owner, page, wrong).status_code == 302

    assert scores(*games) == as_played(salon)
    history = [told(owner.get(f"/games/{game.pk}/history/")) for game in games]
    assert "hand 2 is moved to another game , in which it was played. “Wrong pad”" in history[0]
    assert "hand 2 was recorded in another game and moved here." in history[1]
    assert is_sound(salon)


def test_a_moved_hand_can_be_moved_back(
    owner: Client, salon: Salon, games: tuple[Game, Game]
) -> None:
    before = scores(*games)
    wrong, right = games
    moved(owner, seen(owner, wrong, right), wrong)

    assert moved(owner, seen(owner, right, wrong), right).status_code == 302

    assert scores(*games) == before
    assert is_sound(salon)


def test_a_hand_moves_though_others_follow_it_and_one_is_open(
    owner: Client, salon: Salon, games: tuple[Game, Game]
) -> None:
    wrong, right = games
    record(right, *hand("E", (1, 2, 2, 1), (6, 7))[:3])

    answer = moved(owner, seen(owner, wrong, right, 1), wrong)

    assert answer.status_code == 302, told(answer)
    assert is_sound(salon)


@pytest.mark.parametrize("value", OTHER_GAMES, ids=[game["game"] for game in OTHER_GAMES])
def test_a_hand_of_every_game_moves(owner: Client, salon: Salon, value: dict[str, Any]) -> None:
    hands = value["hands"][:1]
    bare = {"format", "game", "players", "options"}
    begun = {name: value[name] for name in bare & value.keys()}
    recorded(salon, begun | {"id": "wrong", "table": "6", "hands": hands})
    recorded(salon, begun | {"id": "right", "table": "5", "hands": []})
    wrong, right = (Game.objects.get(salon=salon, record=name) for name in ("wrong", "right"))
    before = [wrong.state["score"], right.state["score"]]

    answer = moved(owner, seen(owner, wrong, right, 1), wrong)

    assert answer.status_code == 302, told(answer)
    assert scores(right, wrong) == before
    assert is_sound(salon)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"target_score": 500}, "that game has other house rules"),
        ({}, "that game is over"),
        (None, "choose another game of the same kind"),
    ],
)
def test_a_hand_that_cannot_be_of_a_game_is_refused_in_words(
    owner: Client, salon: Salon, games: tuple[Game, Game], other: Any, words: str
) -> None:
    wrong = games[0]
    there = a_game(salon, "9", **other) if other is not None else wrong
    if other == {}:
        record(there, *FIRST, EndGame(kind="called", by="Mara", reason="late"))

    page = seen(owner, wrong, there)

    assert (page.status_code, words in told(page)) == (422, True)
    assert "In which game was it played?" in told(page)


def test_without_another_game_the_page_says_what_to_do(owner: Client, salon: Salon) -> None:
    wrong = a_game(salon, "6")
    record(wrong, *FIRST)

    page = told(owner.get(f"/games/{wrong.pk}/corrections/moved/?hand=1"))

    assert "No other game of this kind is being played" in page


def test_nothing_moves_when_the_other_game_went_on(
    owner: Client, salon: Salon, games: tuple[Game, Game]
) -> None:
    wrong, right = games
    page, before = seen(owner, wrong, right), scores(wrong)
    record(right, *SECOND)

    answer = moved(owner, page, wrong)

    assert (answer.status_code, "Somebody recorded meanwhile" in told(answer)) == (409, True)
    assert scores(wrong) == before
    without = moved(owner, seen(owner, wrong, right), wrong, reason="")
    assert (without.status_code, "why it is corrected" in told(without)) == (400, True)


def test_a_program_moves_a_hand(salon: Salon, games: tuple[Game, Game]) -> None:
    wrong, right = games
    caller = owner_calls(salon)
    new = {"what": "moved", "hand": 2, "to": right.pk}
    preview = caller.post(f"games/{wrong.pk}/correction-previews/", new)
    assert preview.status == 200
    wrong.refresh_from_db()

    done = caller.post(
        f"games/{wrong.pk}/corrections/", new | {"reason": "Wrong pad"}, version=wrong.version
    )

    assert done.status == 201
    assert scores(*games) == [
        preview.value["after"]["score"],
        preview.value["there"]["after"]["score"],
    ]
    assert scores(*games) == as_played(salon)
