"""People by the API: invited, changed and ended as on the page, and never more than the token is
for.
"""

import json
import re

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from tests.tournament.api.calling import Caller, owner_calls
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.accounts.permissions import GRANTS, Permission, Role
from tournament.models import Invitation, KeptAnswer, Membership, Player, Salon


@pytest.fixture
def owner(salon: Salon) -> Caller:
    return owner_calls(salon)


def test_who_is_invited_by_a_program_joins_by_the_link_once(salon: Salon, owner: Caller) -> None:
    made = owner.post("invitations/", {"role": "scorer", "email": "rhea@example.org"})
    path = re.sub(r"^https?://[^/]+", "", made.value["address"])
    new = {"name": "Rhea", "email": "rhea@example.org", "password": "velvet ladder comet"}

    assert (made.status, made.value["mailed"], len(mail.outbox)) == (
        201,
        False,
        1,
    )  # the server of a test keeps its mail
    assert path in mail.outbox[0].body
    assert Client().post(path, new).status_code == 302
    assert Membership.objects.get(user__username="rhea@example.org").role == "scorer"
    assert Client().get(path).status_code == 404
    assert [line["role"] for line in owner.get("people/").value] == ["owner", "scorer"]


def test_the_link_of_an_invitation_is_said_once_and_kept_nowhere(
    salon: Salon, owner: Caller
) -> None:
    key, new = (
        "0" * 7 + "1-0000-4000-8000-000000000000",
        {"role": "scorer", "email": "rhea@example.org"},
    )

    first, again = (owner.post("invitations/", new, key=key) for _ in range(2))

    assert first.value["address"]
    assert again.value == first.value | {"address": ""}
    assert Invitation.objects.count() == 1
    kept = KeptAnswer.objects.get().answer
    assert "rhea" not in kept
    assert first.value["address"].rstrip("/").rpartition("/")[2] not in kept


@pytest.mark.parametrize("role", sorted(Membership.Role.values))
def test_a_token_makes_nobody_more_than_it_may_do_itself(salon: Salon, role: str) -> None:
    narrow = owner_calls(salon, Permission.INVITE, Permission.ADMINISTER)
    member(salon, "scorer")
    scorer = Membership.objects.get(role="scorer")
    player = Player.objects.create(salon=salon, name="Asha Renn")

    asked = {"role": role, "player": player.pk}
    refused = [narrow.post("invitations/", asked), narrow.post(f"people/{scorer.pk}/role/", asked)]

    assert any(
        Role(role) in who
        for act, who in GRANTS.items()
        if act not in (Permission.INVITE, Permission.ADMINISTER)
    )
    assert [(each.status, each.value["code"], each.value["path"]) for each in refused] == [
        (422, "not_allowed", "role")
    ] * 2
    assert not Invitation.objects.exists()


def test_a_director_invites_no_owner_and_changes_nobody(salon: Salon) -> None:
    browser = member(salon, "director")
    director = Caller(salon=salon.slug, browser=browser)
    owner = Membership.objects.get(role="owner")

    assert director.post("invitations/", {"role": "owner"}).status == 403
    assert director.post("invitations/", {"role": "scorer"}).status == 201
    assert director.post(f"people/{owner.pk}/role/", {"role": "scorer"}).status == 403
    assert director.delete(f"people/{owner.pk}/").status == 403


def test_a_salon_keeps_one_owner(salon: Salon, owner: Caller) -> None:
    (only,) = owner.get("people/").value

    ended, changed = (
        owner.delete(f"people/{only['id']}/"),
        owner.post(f"people/{only['id']}/role/", {"role": "scorer"}),
    )

    assert {(each.status, each.value["code"]) for each in (ended, changed)} == {(422, "last_owner")}
    assert Membership.objects.get().role == "owner"


def test_people_invitations_and_house_rules_of_another_salon_are_not_there(
    salon: Salon, owner: Caller
) -> None:
    other = owner_calls(opened_salon("Elsewhere", "pim@example.org"))
    made = owner.post("invitations/", {"role": "scorer"}).value
    rules = owner.post("presets/", {"game": "precedence", "name": "Saturday"}).value
    mine = Membership.objects.get(salon=salon)

    reached = [
        other.post(f"people/{mine.pk}/role/", {"role": "owner"}),
        other.delete(f"people/{mine.pk}/"),
        other.delete(f"invitations/{made['id']}/"),
        other.delete(f"presets/{rules['id']}/"),
    ]

    assert {each.status for each in reached} == {404}
    assert len(owner.get("invitations/").value) == len(owner.get("presets/").value) == 1


def test_the_salons_one_belongs_to_are_listed_and_no_others(salon: Salon) -> None:
    second = opened_salon("Elsewhere", "pim@example.org")
    opened_salon("Nowhere", "orla@example.org")
    Membership.objects.create(
        salon=second, user=User.objects.get(membership__salon=salon), role="scorer"
    )

    by_browser = Caller(salon=salon.slug, browser=owner_of(salon)).get("/salons/").value
    by_token = Caller(salon=salon.slug, token=owner_calls(second).token).get("/salons/").value

    assert [(each["name"], each["role"]) for each in by_browser] == [
        (salon.name, "owner"),
        ("Elsewhere", "scorer"),
    ]
    assert [each["name"] for each in by_token] == ["Elsewhere"]
    assert json.dumps(by_browser).count("Nowhere") == 0
    assert Caller(salon=salon.slug).get("/salons/").status == 401
