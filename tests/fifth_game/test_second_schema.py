"""A game whose event got a second schema: what was stored before folds, verifies, is corrected,
exported and rebuilt as ever.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from ledger.models import Event
from scoring.game import AnyGame
from scoring.games import GAMES
from tests.fifth_game.whist import WHIST
from tests.fifth_game.whist_later import WHIST_LATER
from tests.fifth_game.whist_record import RECORD, is_sound
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.auditors_files import checked, sign, written
from tests.tournament.helpers.playing import told
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import recorded
from tournament.exchange.game_records import Outcome, export_game
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.salons.public_names import Audience
from tournament.streams import codec
from tournament.streams.codec import unread_shapes

type Update = Callable[..., None]

COUNTED = "whist.tricks_counted"


@pytest.fixture
def update(whist: AnyGame, monkeypatch: pytest.MonkeyPatch) -> Iterator[Update]:
    """Start again with the later version, as an update of the server does; what is known of shapes
    is asked anew.
    """

    def forget() -> None:
        for known in (codec._decoder, codec._upcasters):
            known.cache_clear()
        codec._STORED_AS.clear()

    def updated(game: AnyGame = WHIST_LATER) -> None:
        monkeypatch.setitem(GAMES, game.name, game)
        forget()

    yield updated
    forget()


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


def schemas() -> list[tuple[str, int]]:
    return list(
        Event.objects.filter(type=COUNTED).order_by("position").values_list("type", "schema")
    )


def test_games_of_both_schemas_stand_side_by_side(salon: Salon, update: Update) -> None:
    assert recorded(salon, RECORD) == Outcome.RECORDED
    before = list(Event.objects.order_by("position").values_list("body", "hash"))
    update()

    assert recorded(salon, RECORD | {"id": "later"}) == Outcome.RECORDED
    assert schemas() == [(COUNTED, 1)] * 3 + [(COUNTED, 2)] * 3
    assert (
        list(Event.objects.order_by("position").values_list("body", "hash"))[: len(before)]
        == before
    )
    old, new = (
        export_game(salon, GameRow.objects.get(record=record).pk, Audience.SALON)
        for record in ("whist", "later")
    )
    assert (old, old["hands"]) == (RECORD, new["hands"])
    assert recorded(salon, RECORD) == Outcome.UNCHANGED
    assert unread_shapes() == []
    assert is_sound(salon)
    call_command("rebuild")
    call_command("verify")
    assert is_sound(salon)


def test_the_auditors_file_of_both_holds_and_the_history_tells_both(
    salon: Salon, update: Update
) -> None:
    recorded(salon, RECORD)
    update()
    recorded(salon, RECORD | {"id": "later"})
    sign(salon)

    assert list(checked(written(salon))[0]) == []
    assert list(checked(written(salon, "whist"))[0]) == []
    client: Client = owner_of(salon)
    assert told(client.get("/history/")).count("Tricks counted: 7 and 6") == 2
    assert all(
        client.get(f"/games/{row.pk}/history/").status_code == 200 for row in GameRow.objects.all()
    )


def test_a_game_begun_before_goes_on_after(salon: Salon, update: Update) -> None:
    unfinished: dict[str, Any] = RECORD | {"hands": RECORD["hands"][:1]}
    recorded(salon, unfinished)
    update()
    game = GameRow.objects.get(record="whist")
    client = owner_of(salon)
    hand = {"trump": "H", "tricks": {"NS": 5, "EW": 8}}

    taken = owner_calls(salon).post(f"games/{game.pk}/hands/", hand, version=game.version)
    assert taken.status in {200, 201}, taken.value
    assert schemas() == [(COUNTED, 1), (COUNTED, 2)]
    assert client.get(f"/games/{game.pk}/history/").status_code == 200
    assert is_sound(salon)


def test_before_the_update_its_events_are_told_as_of_a_newer_version(
    salon: Salon, update: Update
) -> None:
    """The same database under the version before: a restored server that was updated and
    set back.
    """
    recorded(salon, RECORD)
    update(WHIST_LATER)
    recorded(salon, RECORD | {"id": "later"})
    update(WHIST)

    assert unread_shapes() == [(COUNTED, 2)]
    page = told(owner_of(salon).get("/history/"))
    assert "whist.tricks_counted, schema 2, was written by a newer version of Accord." in page
