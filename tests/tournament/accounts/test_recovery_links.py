"""Links into an account: those that an owner hands to a member, for an hour, and those that say
whose an address is.
"""

import time

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from tests.tournament.helpers.people import (
    NEWCOMER,
    handed_link,
    invited,
    member_called,
    signs_in,
    with_code,
    words,
)
from tests.tournament.helpers.reading import link_in
from tests.tournament.helpers.salons import PASSWORD, opened_salon, owner_of
from tournament.models import Membership, Salon
from tournament.server.environment import addresses


@pytest.mark.parametrize("purpose", ["password-link", "second-step"])
@pytest.mark.parametrize(
    "meanwhile",
    ["joins another salon", "an hour passes", "the owner is one no more", "leaves", "uses it"],
)
def test_a_link_that_an_owner_made_holds_while_the_account_is_in_that_salon_alone(
    salon: Salon, purpose: str, meanwhile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, elsewhere = owner_of(salon), opened_salon("Elsewhere", "nela@example.org")
    Client().post(invited(owner), NEWCOMER)
    theirs, _asked = signs_in()
    with_code(theirs)
    link = handed_link(owner, purpose)
    assert Client().get(link).status_code == 200
    match meanwhile:
        case "joins another salon":
            theirs.post(invited(owner_of(elsewhere), role="director"))
            assert Membership.objects.filter(user__username="odo@example.org").count() == 2
        case "an hour passes":
            later = time.time() + 3601
            monkeypatch.setattr("time.time", lambda: later)
        case "the owner is one no more":
            Client().post(invited(owner, role="owner"), NEWCOMER | {"email": "ida@example.org"})
            Membership.objects.filter(salon=salon, user__username="mara@example.org").update(
                role="director"
            )
        case "leaves":
            member_called("odo@example.org").delete()
        case _:
            Client().post(link, {"password": PASSWORD})
    mail.outbox.clear()

    for answer in (Client().get(link), Client().post(link, {"password": PASSWORD})):
        assert answer.status_code == 404
        assert "This link no longer works" in answer.text
    assert Authenticator.objects.exists() == (purpose == "password-link" or meanwhile != "uses it")
    assert User.objects.get(username="odo@example.org").check_password(PASSWORD)
    assert mail.outbox == []


def test_the_person_hears_of_a_link_and_of_a_password_set_by_it(salon: Salon) -> None:
    owner = owner_of(salon)
    Client().post(invited(owner), NEWCOMER)
    link = handed_link(owner, "password-link")
    Client().post(link, {"password": "paper lantern river"})

    made, used = mail.outbox
    assert made.to == used.to == ["odo@example.org"]
    assert "Mara Ilves, an owner of Salon at Border Gate, made a link" in made.body
    assert link not in made.body
    assert "A new password was set" in used.body


def test_a_link_for_one_purpose_is_none_for_the_other(salon: Salon) -> None:
    owner = owner_of(salon)
    Client().post(invited(owner), NEWCOMER)
    token = handed_link(owner, "password-link").rstrip("/").rpartition("/")[2]

    assert Client().get(f"/account/second-step/handed/{token}/").status_code == 404


def test_an_address_is_verified_by_a_link_that_was_sent_there(
    salon: Salon, settings: Settings
) -> None:
    owner = owner_of(salon)
    settings.MAIL_IS_SENT = True
    client = Client()
    client.post(invited(owner), NEWCOMER)
    assert "odo@example.org · address not verified" in words(owner.get("/people/"))
    (sent,) = mail.outbox
    assert sent.to == ["odo@example.org"]
    link = link_in(sent)

    assert "Is odo@example.org yours?" in words(Client().get(link))
    assert "odo@example.org · not verified" in " ".join(words(client.get("/account/")).split())
    assert "Your address is verified" in words(Client().post(link))

    assert "odo@example.org · address verified" in words(owner.get("/people/"))
    assert Client().get(link[:-3] + "x/").status_code == 404
    User.objects.filter(username="odo@example.org").update(email="other@example.org")
    assert Client().get(link).status_code == 404
    assert "other@example.org · address not verified" in words(owner.get("/people/"))


def test_a_link_by_mail_to_a_new_password_verifies_and_an_invitation_does_not(
    salon: Salon, settings: Settings
) -> None:
    owner = owner_of(salon)
    assert "verified" not in owner.get("/people/").text  # where no mail is sent, nobody can
    settings.MAIL_IS_SENT = True
    Client().post(invited(owner, email="odo@example.org"), NEWCOMER)
    assert "odo@example.org · address not verified" in words(owner.get("/people/"))
    mail.outbox.clear()

    Client().post("/account/password/forgotten/", {"email": "odo@example.org"})
    client = Client()
    form = client.get(link_in(mail.outbox[0]))["Location"]
    client.post(form, {"password1": "paper lantern river", "password2": "paper lantern river"})

    assert "odo@example.org · address verified" in words(owner.get("/people/"))


def test_no_host_that_somebody_made_up_stands_in_a_mail_that_is_kept(
    salon: Salon, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(addresses, "network_address", lambda: "192.168.7.1")
    monkeypatch.setenv("ACCORD_PORT", "8000")
    Client().post(invited(owner_of(salon), email="odo@example.org"), NEWCOMER)
    mail.outbox.clear()

    Client().post(
        "/account/password/forgotten/", {"email": "odo@example.org"}, headers={"host": "evil"}
    )

    assert "http://192.168.7.1:8000/account/password/link/" in mail.outbox[0].body
    assert "evil" not in mail.outbox[0].body


def test_a_link_to_the_own_address_is_sent_again_but_not_for_ever(
    salon: Salon, settings: Settings
) -> None:
    owner = owner_of(salon)
    assert "Send a link there" not in owner.get("/account/").text
    assert "sends no mail" in words(owner.post("/account/address/", follow=True))
    settings.MAIL_IS_SENT = True
    assert "Send a link there" in owner.get("/account/").text

    answers = [words(owner.post("/account/address/", follow=True)) for _try in range(6)]

    assert ["on its way to mara@example.org" in each for each in answers] == [True] * 5 + [False]
    assert "Too many" in answers[-1]
    assert len(mail.outbox) == 5


def test_nobody_is_flooded_with_links_and_one_that_came_holds_as_long(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.update(email="mara@example.org")
    now = time.time()
    for minute in (0, 2, 55):
        monkeypatch.setattr("time.time", lambda minute=minute: now + minute * 60)
        for number in range(4):
            Client(REMOTE_ADDR=f"192.0.2.{number}").post(
                "/account/password/forgotten/", {"email": "mara@example.org"}
            )

    assert len(mail.outbox) == 5
    link = link_in(mail.outbox[0])
    assert Client().get(link).status_code == 302
