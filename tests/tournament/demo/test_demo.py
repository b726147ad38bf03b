"""The demo season: legal hands, sensible bids, a season of evenings, and a salon that
is made once.
"""

from collections import Counter
from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from ledger.models import Event
from ledger.verify import verify_log
from scoring.commands import StartGame
from scoring.game import AnyGame as Rules
from scoring.games import GAMES
from scoring.precedence.commands import OpenHand
from tests.invented_hands import SEATS, acts_of_a_hand
from tournament.demo.card_play import legal, play_hand, sheet_of
from tournament.demo.evening import NAMES
from tournament.demo.salon import season
from tournament.management.commands.demo import GAMES as GAMES_RECORDED
from tournament.models import Game, Hand, Player, Salon, Tournament, TournamentGame
from tournament.models.written_json import json_text
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.queries.tournament import list_tables, load_tournament
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

NOW = datetime(2026, 11, 21, 21, 15, tzinfo=UTC)
PRECEDENCE: Rules = GAMES["precedence"]


def begun(game: Rules = PRECEDENCE, seats: str = "NESW") -> Any:
    state = None
    start = StartGame(
        record="demo", players=tuple(zip(seats, "abcd", strict=False)), rules=game.read_rules({})
    )
    for event in game.decide(start, None):
        state = game.evolve(state, event)
    return state


def demo(*arguments: str) -> str:
    said = StringIO()
    call_command("demo", *arguments, stdout=said)
    return said.getvalue()


@pytest.mark.parametrize("detail", ["cards", "winners", "totals"])
def test_every_hand_keeps_the_rules(detail: str) -> None:
    state = begun()
    for seed in range(150):
        hand = play_hand(Random(seed), dealer="NESW"[seed % 4], trump="V")
        _, after = PRECEDENCE.decide_sheet(
            sheet_of(hand, detail=detail, opening=OpenHand(dealer=hand.dealer)), state
        )
        assert after.played == 1


@pytest.mark.parametrize("kind", SEATS)
def test_every_hand_of_the_other_games_is_played_to_its_end_by_what_is_offered(kind: str) -> None:
    made = Counter[object]()
    for seed in range(6):
        state = begun(GAMES[kind], SEATS[kind])
        acts = acts_of_a_hand(Random(seed), kind, state)
        again = acts_of_a_hand(Random(seed), kind, state)
        for act in acts:
            for event in GAMES[kind].decide(act, state):
                state = GAMES[kind].evolve(state, event)
        assert (state.played, acts) == (1, again)
        made[GAMES[kind].result(state)["hands"][0].get("made")] += 1
    assert (
        kind == "order_of_precedence" or len(made) > 1
    )  # some are made, some fail, some are passed out


def test_about_two_thirds_of_the_contracts_are_made() -> None:
    made = Counter[bool]()
    for seed in range(400):
        hand = play_hand(Random(seed), dealer="N", trump="B", nerve={"NS": 0.1, "EW": 0.3})
        bids, (ns, ew) = dict(hand.bids), hand.tricks
        made.update([ns >= bids["N"] + bids["S"], ew >= bids["E"] + bids["W"]])

    assert 0.6 < made[True] / made.total() < 0.8


def test_melds_are_shown_in_some_hands_and_not_in_all() -> None:
    shown = [bool(play_hand(Random(seed), dealer="N", trump="B").melds) for seed in range(50)]

    assert 10 < sum(shown) < 50


def test_a_declared_card_goes_before_others_of_its_suit() -> None:
    held = ["2V", "EV", "3F", "EF"]

    assert legal(held, {"EV", "EF"}, ["9V"]) == ["EV"]
    assert legal(held, {"EF"}, ["9V"]) == ["2V", "EV"]
    assert legal(held, {"EF"}, ["9B"]) == ["EF"]
    assert legal(held, set(), []) == held


def test_a_season_ends_tonight_and_seats_nobody_twice_in_an_evening() -> None:
    steps = season()
    *evenings, tonight = (*sorted({step["evening"] for step in steps} - {None}), None)
    begun = {step["game"]: step for step in steps if "start" in step}

    assert len(begun) == GAMES_RECORDED
    assert max(begun) == next(step["game"] for step in steps if step["evening"] is tonight)
    assert evenings == list(range(6))
    for evening in (*evenings, tonight):
        played = [each["start"]["players"] for each in begun.values() if each["evening"] == evening]
        seated = [name for players in played for name in players.values()]
        assert len(set(seated)) == len(seated)
        assert set(seated) <= set(NAMES)


@pytest.mark.django_db
def test_the_salon_shows_what_can_happen_at_a_table() -> None:
    demo("--games", "15")

    salon = Salon.objects.get(slug="demo")
    games = Game.objects.filter(salon=salon).exclude(pk__in=TournamentGame.objects.values("game"))
    types = Counter(Event.objects.values_list("type", flat=True))
    assert (games.count(), games.filter(finished=True).count()) == (15, 14)
    assert types["entry.retracted"] >= 2
    assert types["hand.misdealt"] == 1
    assert types["ruling.points_adjusted"] == 1
    assert types["precedence.meld_declared"] > 20
    assert sum(game.state["winners"] == ["NS", "EW"] for game in games) == 1
    assert sum(game.state["closed"] == "called" for game in games if game.kind == "precedence") == 1
    assert Counter(game.kind for game in games) == {
        "precedence": 9,
        "preference": 2,
        "contract_sabacc": 2,
        "order_of_precedence": 2,
    }
    patiences = games.filter(kind="order_of_precedence")
    assert all(
        game.state["closed"] == "called" and Hand.objects.filter(game=game).count() == 3
        for game in patiences
    )
    assert any('"what":"audit"' in json_text(hand.result) for hand in Hand.objects.all())
    assert Player.objects.filter(salon=salon).count() == len(NAMES) + 1, "and a substitute"
    live = games.get(finished=False)
    assert live.state["stage"] == "play"
    assert list(verify_log(salon.log_id)) == []
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []


@pytest.mark.django_db
def test_its_event_is_in_the_middle_of_a_round_with_all_that_a_desk_has_to_do() -> None:
    demo("--games", "1")

    row = Tournament.objects.get()
    state = state_of(row)
    first, second, third = state.rounds
    assert (row.phase, first.closed, second.closed, third.published, third.closed) == (
        "running",
        True,
        True,
        True,
        False,
    )
    assert third.clock is not None
    assert third.clock.since is not None
    assert [table.table for table in third.tables if table.extension] == [2]
    assert [entry.id for entry in state.entries if entry.joined_in == 2] == ["12"]
    assert [(entry.id, entry.withdrawn_after) for entry in state.entries if entry.is_withdrawn] == [
        ("7", 2)
    ]
    assert [entry.id for entry in state.entries if entry.earlier] == ["4"]
    assert any(table.absent for table in second.tables)
    tables = {
        shown.table.table: shown
        for shown in list_tables(load_tournament(row, Audience.SALON), third)
    }
    assert {number: (shown.status, shown.confirmation) for number, shown in tables.items()} == {
        1: ("done", ""),
        2: ("playing", "entered"),
        3: ("done", "disputed"),
        4: ("done", "confirmed"),
        5: ("waiting", ""),
    }
    catch_up(row.salon.log, PROJECTIONS)
    assert list(audit(row.salon)) == []


@pytest.mark.django_db
def test_games_happen_over_weeks_and_never_later_than_they_were_recorded() -> None:
    demo("--games", "8")

    events = Event.objects.order_by("position").values_list("occurred_at", "recorded_at")
    assert events[len(events) - 1][0] - events[0][0] > timedelta(days=13) // timedelta(
        microseconds=1
    )
    assert all(occurred <= recorded for occurred, recorded in events)
    assert [occurred for occurred, _ in events] == sorted(occurred for occurred, _ in events)


@pytest.mark.django_db
def test_the_owner_can_sign_in_with_the_password_that_is_printed_once() -> None:
    said = demo("--games", "1")

    password = said.split("with the password ")[1].split()[0]
    answer = Client().post("/sign-in/", {"email": "owner@demo.example", "password": password})
    assert answer.status_code == 302
    assert password not in demo("--games", "1")


@pytest.mark.django_db
def test_a_second_time_changes_nothing() -> None:
    demo("--games", "1")
    before = Event.objects.count()

    assert "is there already, with 4 games" in demo("--games", "5", "--seed", "7")
    assert Event.objects.count() == before
    assert Salon.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("alone", "staff"), [(True, True), (False, False)])
def test_the_demos_owner_looks_into_the_admin_only_where_there_is_no_other_salon(
    alone: bool, staff: bool
) -> None:
    if not alone:
        from tests.tournament.helpers.salons import opened_salon

        opened_salon()

    demo("--games", "1")

    owner = User.objects.get(email="owner@demo.example")
    assert (owner.is_staff, owner.is_superuser) == (staff, staff)


@pytest.mark.django_db
def test_a_season_of_no_games_is_refused() -> None:
    with pytest.raises(CommandError, match="at least one game"):
        demo("--games", "0")


def test_a_season_has_no_more_games_than_were_recorded(db: None) -> None:
    with pytest.raises(CommandError, match="has 36 games"):
        demo("--games", "37")
