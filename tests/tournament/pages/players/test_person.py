"""All that is held of a person, for them to take along; and the page that erases them once their
name is typed.
"""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ledger.models import Event
from ledger.reading import head_of
from ledger.verify import verify_log
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.erasing import NAME, record_of
from tests.tournament.helpers.evenings import PAIRS, registered
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import member, opened_salon, owner_of, seated
from tests.tournament.helpers.tables import recorded
from tournament.models import AuditRun, Erasure, Game, Membership, Player, Salon, Text
from tournament.privacy.erasure import CannotErase, erase, player_called
from tournament.privacy.personal_data import collect_personal_data
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.tasks import PROJECTIONS


@pytest.fixture
def salon(db: None) -> Salon:
    place = opened_salon()
    recorded(place, record_of() | {"table": "4"})
    return place


@pytest.fixture
def person(salon: Salon) -> Player:
    return Player.objects.get(salon=salon, name=NAME)


def test_everything_held_of_a_person_is_in_their_file(salon: Salon, person: Player) -> None:
    game = Game.objects.get()
    phone = seated(game, "N")
    form = {
        "game": game.pk,
        "version": str(game.version),
        "command": "d" * 32,
        "number:number": "2",
        "reason": "Six tricks, not five",
    }
    assert phone.post(f"/games/{game.pk}/attestations/disputes/", form).status_code == 303
    client = member(salon, "player", person, email="zebulon@example.org")

    held = json.loads(client.get(f"/players/{person.pk}/held.json").content)

    assert (held["name"], held["player"]) == (NAME, person.pk)
    assert held["account"]["email"] == "zebulon@example.org"
    assert [(each["id"], each["seats"]) for each in held["games"]] == [(game.record, ["N"])]
    assert held["said"] == ["Six tricks, not five"]
    assert sorted(held["texts_naming_them"]) == sorted(
        [f"{NAME} came late", f"spoke to {NAME.upper()}, who agreed"]
    )
    assert [each["what"] for each in held["entered"]] == ["hand.disputed"]
    page = words(client.get(f"/players/{person.pk}/held/").text)
    assert "zebulon@example.org" in page
    assert "“Six tricks, not five” written by them" in page


def test_games_for_somebody_else_and_tournaments_are_held_too(salon: Salon) -> None:
    registered(salon)

    (game,) = collect_personal_data(Player.objects.get(name="Fir"))["games"]
    assert (game["id"], game["seats"], list(game["chips"])) == ("everything", [], ["E"])
    entered = collect_personal_data(Player.objects.get(name=PAIRS[0][0]))
    assert [(each["name"], each["entry"]) for each in entered["tournaments"]] == [
        ("Spring Cup", "1")
    ]


def test_a_player_reads_their_own_and_nobody_elses(salon: Salon, person: Player) -> None:
    client, other = (
        member(salon, "player", person),
        Player.objects.exclude(pk=person.pk).order_by("name")[0],
    )

    assert client.get(f"/players/{person.pk}/held/").status_code == 200
    assert "Everything the salon knows" in client.get(f"/players/{person.pk}/").text
    for page in ("held/", "held.json", "erasure/"):
        assert client.get(f"/players/{other.pk}/{page}").status_code == 403
    assert client.get(f"/players/{person.pk}/erasure/").status_code == 403
    assert "Everything the salon knows" not in client.get(f"/players/{other.pk}/").text


def test_the_page_says_what_goes_and_what_stays_before_anything_goes(
    owner: Client, person: Player
) -> None:
    page = words(owner.get(f"/players/{person.pk}/erasure/").text)

    assert f"The name {NAME} in 1 game" in page
    assert f"“{NAME} came late” a note or reason that names them" in page
    assert "Results and chips, under a made-up name" in page
    assert Player.objects.get(pk=person.pk).name == NAME


@pytest.mark.parametrize("typed", ["", "zebulon quirke", "Zebulon", NAME + "x"])
def test_nobody_is_erased_unless_the_name_is_typed(
    owner: Client, person: Player, typed: str
) -> None:
    answer = owner.post(f"/players/{person.pk}/erasure/", {"name": typed})

    assert answer.status_code == 422
    assert "Type the name as it stands here" in answer.text
    assert Player.objects.get(pk=person.pk).name == NAME
    assert not Erasure.objects.exists()


def test_erasing_leaves_the_chain_as_it_was_and_says_so(
    owner: Client, salon: Salon, person: Player
) -> None:
    before = head_of(salon.log_id)

    answer: Any = owner.post(f"/players/{person.pk}/erasure/", {"name": f"  {NAME} "}, follow=True)

    page = words(answer.content.decode())
    assert "This person was erased" in page
    assert f"Nothing in the log's {before.position + 1} lines was touched" in page
    assert "an erasure is a line of its own" in page
    assert Event.objects.get(position=before.position).hash == before.hash
    assert [each.type for each in Event.objects.filter(position__gt=before.position)] == [
        "house.person_erased"
    ]
    assert list(verify_log(salon.log_id)) == []
    assert list(audit(salon)) == []
    assert AuditRun.objects.get().asked_by.startswith("user:")
    assert not Text.objects.filter(text__icontains=NAME).exists()
    assert NAME not in owner.get(f"/games/{Game.objects.get().pk}/history/").content.decode()
    assert owner.post(f"/players/{person.pk}/erasure/", {"name": NAME}).status_code == 302
    assert collect_personal_data(Player.objects.get(pk=person.pk))["erased_at"] is not None


def test_the_account_goes_too_unless_it_is_of_use_in_another_salon(
    salon: Salon, person: Player
) -> None:
    member(salon, "player", person, email="zebulon@example.org")
    elsewhere = opened_salon("Salon at Core Gate", "core@example.org")
    second = Player.objects.exclude(pk=person.pk).order_by("name")[0]
    member(salon, "player", second, email="second@example.org")
    Membership.objects.create(
        salon=elsewhere, user=User.objects.get(username="second@example.org"), role="scorer"
    )

    erase(person, actor="user:1")
    erase(second, actor="user:1")

    assert not User.objects.filter(username="zebulon@example.org").exists()
    assert list(
        Membership.objects.filter(user__username="second@example.org").values_list(
            "salon", flat=True
        )
    ) == [elsewhere.pk]


def test_what_the_person_entered_stays_in_the_log(salon: Salon, person: Player) -> None:
    client, game = member(salon, "player", person), Game.objects.get()
    form = {
        "game": game.pk,
        "version": str(game.version),
        "command": "d" * 32,
        "number:number": "2",
        "reason": "Six tricks",
    }
    assert client.post(f"/games/{game.pk}/attestations/disputes/", form).status_code == 303
    erase(person, actor="user:1")

    assert [each.type for each in Event.objects.order_by("-position")[:2]] == [
        "house.person_erased",
        "hand.disputed",
    ]
    assert "Somebody who has left" in words(owner_of(salon).get(f"/games/{game.pk}/history/").text)


def test_an_owner_is_not_erased_before_there_is_another_one(
    owner: Client, salon: Salon, person: Player, capsys: pytest.CaptureFixture[str]
) -> None:
    Membership.objects.filter(salon=salon, role="owner").update(player=person)

    assert f"{NAME} owns the salon" in words(owner.get(f"/players/{person.pk}/erasure/").text)
    assert owner.post(f"/players/{person.pk}/erasure/", {"name": NAME}).status_code == 422
    with pytest.raises(CannotErase, match="make somebody else the owner first"):
        erase(person, actor="user:1")
    assert "owns the salon" in run(capsys, "erase", NAME, "--yes").err
    assert player_called(salon, NAME) == person


def test_what_was_worked_out_of_their_games_is_held_too(salon: Salon, person: Player) -> None:
    catch_up(salon.log, PROJECTIONS)

    assert "careers" in {each["what"] for each in collect_personal_data(person)["worked_out"]}
    assert (
        collect_personal_data(Player.objects.create(salon=salon, name="Nobody yet"))["worked_out"]
        == []
    )
