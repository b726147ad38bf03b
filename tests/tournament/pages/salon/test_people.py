"""Accounts come by invitation, sign in with a second step where they need one, and are changed and
ended by the owner.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from tests.conftest import OwnDatabase
from tests.tournament.helpers.people import (
    NEWCOMER,
    code_now,
    handed_link,
    invited,
    member_called,
    signs_in,
    with_code,
    words,
)
from tests.tournament.helpers.reading import link_in
from tests.tournament.helpers.salons import PASSWORD, member, opened_salon, owner_of
from tournament.accounts.invitations import AlreadyThere, Invitee, NotValid, accept, invite
from tournament.accounts.two_factor import GRACE
from tournament.models import Invitation, Membership, Player, Salon


def test_an_invitation_makes_one_account_and_opens_the_salon_to_it(salon: Salon) -> None:
    link = invited(owner_of(salon))
    client = Client()
    assert "Join Salon at Border Gate" in client.get(link).text

    assert client.post(link, NEWCOMER)["Location"] == "/"

    made = member_called("odo@example.org")
    assert (made.role, made.user.first_name, made.user.is_staff, made.user.is_superuser) == (
        "scorer",
        "Odo Fenn",
        False,
        False,
    )
    assert client.get("/games/new/").status_code == 200
    assert client.get("/people/").status_code == 403
    assert Client().get(link).status_code == 404
    assert Client().post(link, NEWCOMER | {"email": "two@example.org"}).status_code == 404


def test_an_invitation_ends_after_a_week_and_when_it_is_withdrawn(salon: Salon) -> None:
    owner = owner_of(salon)
    old, withdrawn = invited(owner), invited(owner)
    first, second = Invitation.objects.order_by("pk")
    Invitation.objects.filter(pk=first.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    owner.post(f"/people/invitations/{second.pk}/end/")

    assert [Client().get(link).status_code for link in (old, withdrawn)] == [404, 404]
    assert Client().post(old, NEWCOMER).status_code == 404
    assert not User.objects.filter(username="odo@example.org").exists()


def test_an_invitation_is_for_the_address_it_was_sent_to(salon: Salon) -> None:
    link = invited(owner_of(salon), email="odo@example.org", role="auditor")

    assert [each.to for each in mail.outbox] == [["odo@example.org"]]
    assert link in mail.outbox[0].body
    assert Client().post(link, NEWCOMER | {"email": "else@example.org"}).status_code == 422
    assert Client().post(link, NEWCOMER).status_code == 302
    assert member_called("odo@example.org").role == "auditor"


def test_the_link_of_an_invitation_is_kept_nowhere(salon: Salon) -> None:
    token = invited(owner_of(salon)).split("/")[-2]

    assert token not in str(list(Invitation.objects.values()))


def test_a_player_is_invited_as_one_of_the_salons_players(salon: Salon) -> None:
    player = Player.objects.create(salon=salon, name="Paper Comet")
    other = Player.objects.create(
        salon=opened_salon("Elsewhere", "nela@example.org"), name="Velvet Heron"
    )
    owner = owner_of(salon)

    assert owner.post("/people/", {"role": "player"}).status_code == 422
    assert owner.post("/people/", {"role": "player", "player": other.name}).status_code == 422
    Client().post(invited(owner, role="player", player="paper comet"), NEWCOMER)

    assert member_called("odo@example.org").player == player


@pytest.mark.parametrize("role", ["owner", "director"])
def test_a_director_invites_neither_owners_nor_directors(salon: Salon, role: str) -> None:
    assert member(salon, "director").post("/people/", {"role": role}).status_code == 403
    assert not Invitation.objects.exists()


def test_somebody_with_an_account_brings_it_along(salon: Salon) -> None:
    other = opened_salon("Elsewhere", "nela@example.org")
    link, guest = invited(owner_of(salon)), owner_of(other)
    assert (
        "There is an account with this address"
        in Client().post(link, NEWCOMER | {"email": "nela@example.org"}).text
    )

    assert guest.post(link)["Location"] == "/"

    assert set(
        Membership.objects.filter(user__username="nela@example.org").values_list("salon", "role")
    ) == {
        (salon.pk, "scorer"),
        (other.pk, "owner"),
    }


def test_of_many_who_follow_one_link_at_once_one_gets_in(own_database: OwnDatabase) -> None:
    salon = opened_salon()
    made, _token = invite(salon, Invitee(role="scorer"), by=None)
    users = [User.objects.create_user(f"{number}@example.org") for number in range(4)]

    def joined(user: User) -> bool:
        try:
            accept(made, user)
        except (NotValid, AlreadyThere):
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(joined, users)) == [False, False, False, True]
    assert Membership.objects.filter(role="scorer").count() == 1


def test_a_link_by_mail_sets_a_new_password_once(salon: Salon) -> None:
    Client().post(invited(owner_of(salon)), NEWCOMER)
    Client().post("/account/password/forgotten/", {"email": "nobody@example.org"})
    assert mail.outbox == []

    Client().post("/account/password/forgotten/", {"email": "ODO@example.org"})
    link = link_in(mail.outbox[0])
    client = Client()
    form = client.get(link)["Location"]
    new = {"password1": "paper lantern river", "password2": "paper lantern river"}
    assert client.post(form, {"password1": "short", "password2": "short"}).status_code == 200
    assert client.post(form, new).status_code == 302

    assert signs_in()[1] == ""
    assert signs_in(password="paper lantern river")[1] == "/"
    assert "used or too old" in Client().get(link, follow=True).text


def test_an_owner_makes_a_link_to_a_new_password_for_members_of_this_salon_alone(
    salon: Salon,
) -> None:
    owner, other = owner_of(salon), opened_salon("Elsewhere", "nela@example.org")
    Client().post(invited(owner), NEWCOMER)
    User.objects.filter(username="nela@example.org").update(is_superuser=False)
    guest = Membership.objects.create(
        salon=salon, user=User.objects.get(username="nela@example.org"), role="scorer"
    )

    link = handed_link(owner, "password-link")
    assert Client().post(link, {"password": "short"}).status_code == 422
    assert (
        Client()
        .post(link, {"password": "paper lantern river"})["Location"]
        .endswith("/account/password/new/")
    )
    assert Client().get(link).status_code == 404
    assert signs_in(password="paper lantern river")[1] == "/"
    for found in (guest, Membership.objects.get(salon=salon, role="owner")):
        assert (
            "change how it signs in"
            in owner.post(f"/people/{found.pk}/password-link/", follow=True).text
        )
        assert (
            "change how it signs in"
            in owner.post(f"/people/{found.pk}/second-step/", follow=True).text
        )
    assert (
        owner.post(
            f"/people/{Membership.objects.get(salon=other, role='owner').pk}/end/"
        ).status_code
        == 404
    )


def test_a_salon_keeps_an_owner(salon: Salon) -> None:
    owner, own = owner_of(salon), Membership.objects.get(salon=salon)

    assert "keeps one owner" in owner.post(f"/people/{own.pk}/end/", follow=True).text
    assert (
        "keeps one owner"
        in owner.post(f"/people/{own.pk}/role/", {"role": "scorer"}, follow=True).text
    )
    own.refresh_from_db()
    assert own.role == "owner"

    Client().post(invited(owner, role="owner"), NEWCOMER)
    owner.post(f"/people/{own.pk}/end/")
    assert list(
        Membership.objects.filter(role="owner").values_list("user__username", flat=True)
    ) == ["odo@example.org"]
    assert owner.get("/people/").status_code == 302


def test_another_role_holds_from_the_next_page_on(salon: Salon) -> None:
    scorer = member(salon, "scorer")
    found = Membership.objects.get(salon=salon, role="scorer")

    owner_of(salon).post(f"/people/{found.pk}/role/", {"role": "auditor"})

    assert scorer.get("/games/new/").status_code == 403
    assert scorer.get("/ledger/").status_code == 200


def test_signing_in_takes_the_code_once_there_is_one(salon: Salon) -> None:
    secret = with_code(owner_of(salon))

    client, asked = signs_in("mara@example.org")
    assert asked == "/account/second-step/code/"
    assert client.get("/people/").status_code == 302
    assert "not the code shown now" in client.post(asked, {"code": "000000"}).text
    assert client.post(asked, {"code": code_now(secret, 1)})["Location"] == "/"
    assert client.get("/people/").status_code == 200


def test_a_recovery_code_opens_once(salon: Salon) -> None:
    owner = owner_of(salon)
    with_code(owner)
    codes = re.findall(r"<li>(\d{8})</li>", owner.get("/account/recovery-codes/").text)
    assert len(codes) == 10

    first, asked = signs_in("mara@example.org")
    assert first.post(asked, {"code": codes[0]})["Location"] == "/"
    second, asked = signs_in("mara@example.org")
    assert second.post(asked, {"code": codes[0]}).status_code == 200


def test_a_lone_owner_who_lost_everything_is_let_in_by_the_server_and_told(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere, _asked = signs_in("mara@example.org")
    with_code(elsewhere)
    assert signs_in("mara@example.org")[1] == "/account/second-step/code/"
    with pytest.raises(CommandError, match=r"owner of Salon at Border Gate.*say --yes"):
        call_command("drop_second_step", "mara@example.org")
    assert Authenticator.objects.exists()

    call_command("drop_second_step", "Mara@example.org", "--yes")

    assert not Authenticator.objects.exists()  # recovery codes included
    assert elsewhere.get("/people/").status_code == 302
    back, asked = signs_in("mara@example.org")
    assert asked == "/account/second-step/?next=%2F"
    assert back.get("/people/").status_code == 200
    assert "password alone" in capsys.readouterr().out
    (told,) = mail.outbox
    assert told.to == ["mara@example.org"]
    assert "by the operator of the server" in told.body


@pytest.mark.parametrize("email", ["nobody@example.org", "mara@example.org"])
def test_a_second_step_that_is_not_there_is_not_taken_away(salon: Salon, email: str) -> None:
    with pytest.raises(CommandError, match=r"no account|no second step"):
        call_command("drop_second_step", email, "--yes")

    assert mail.outbox == []


def test_the_key_of_a_second_step_is_not_readable_in_the_database(salon: Salon) -> None:
    secret = with_code(owner_of(salon))

    assert secret not in str(list(Authenticator.objects.values("data")))


@pytest.mark.parametrize("role", ["owner", "director"])
def test_owners_and_directors_are_asked_for_a_second_step_and_may_put_it_off_for_two_weeks(
    salon: Salon, role: str
) -> None:
    client = member(salon, role)
    found = Membership.objects.get(salon=salon, role=role)
    assert "Later" in client.get("/account/second-step/?next=/tables/").text
    assert client.get("/people/").status_code == 200

    Membership.objects.filter(pk=found.pk).update(
        since=timezone.now() - GRACE - timedelta(seconds=1)
    )

    assert client.get("/people/")["Location"] == "/account/second-step/?next=/people/"
    assert client.post("/people/", {"role": "scorer"}).status_code == 403
    assert client.get("/tables/").status_code == 200
    assert "Later" not in client.get("/account/second-step/").text
    assert "which are over" in client.get("/account/second-step/").text


def test_a_second_step_that_is_due_is_due_in_every_salon_that_needs_it(salon: Salon) -> None:
    """Neither a salon opened now nor one joined now begins the two weeks again."""
    owner, elsewhere = owner_of(salon), opened_salon("Elsewhere", "nela@example.org")
    link = invited(owner_of(elsewhere), role="director")
    Membership.objects.filter(salon=salon).update(
        since=timezone.now() - GRACE - timedelta(seconds=1)
    )

    assert owner.get("/salons/new/")["Location"].startswith("/account/second-step/new/")
    assert (
        owner.post("/salons/new/", {"name": "Third", "owner": "mara@example.org"}).status_code
        == 302
    )
    assert not Salon.objects.filter(name="Third").exists()
    owner.post(link)
    assert owner.get(f"/salons/{elsewhere.slug}/people/")["Location"].startswith(
        f"/salons/{elsewhere.slug}/account/second-step/"
    )
    assert owner.get("/admin/").status_code == 302
    Membership.objects.filter(user__username="mara@example.org").update(role="scorer")
    User.objects.filter(username="mara@example.org").update(
        date_joined=timezone.now() - GRACE - timedelta(seconds=1)
    )
    assert owner.get("/salons/new/").status_code == 302  # the server is hers all the same
    Membership.objects.filter(user__username="mara@example.org").update(role="owner")
    with_code(owner)
    assert owner.get(f"/salons/{elsewhere.slug}/people/").status_code == 200
    assert (
        owner.post("/salons/new/", {"name": "Third", "owner": "mara@example.org"}).status_code
        == 200
    )


def test_with_the_second_step_set_up_everything_is_open_again(salon: Salon) -> None:
    owner = owner_of(salon)
    Membership.objects.update(since=timezone.now() - GRACE * 2)
    assert owner.get("/people/").status_code == 302

    with_code(owner)

    assert owner.get("/people/").status_code == 200


@pytest.mark.parametrize("role", ["scorer", "auditor", "player"])
def test_nobody_else_has_to_have_one(salon: Salon, role: str) -> None:
    client = member(salon, role, Player.objects.create(salon=salon, name="Paper Comet"))
    Membership.objects.update(since=timezone.now() - GRACE * 2)

    assert client.get("/account/").status_code == 200
    assert client.get("/").status_code == 200
    assert client.get("/account/second-step/?next=/tables/").status_code == 200


def test_an_owner_takes_the_second_step_from_one_who_lost_the_phone(salon: Salon) -> None:
    Client().post(invited(owner_of(salon), role="director"), NEWCOMER)
    client = signs_in()[0]
    with_code(client)

    link = handed_link(owner_of(salon), "second-step")
    assert client.get("/people/").status_code == 200  # nothing is taken before the person comes

    back = Client()
    assert "not the password of this account" in words(back.post(link, {"password": "wrong"}))
    assert Authenticator.objects.exists()
    assert "/account/second-step/?next=" in back.post(link, {"password": PASSWORD})["Location"]
    assert not Authenticator.objects.exists()
    assert client.get("/people/").status_code == 302
    assert back.get("/people/").status_code == 200
    assert Client().get(link).status_code == 404
    assert [told.to for told in mail.outbox] == [["odo@example.org"]] * 2
    assert "by Mara Ilves" in mail.outbox[1].body


def test_sessions_are_listed_and_ended_one_by_one_or_all_others_at_once(salon: Salon) -> None:
    Client().post(invited(owner_of(salon)), NEWCOMER)
    first, second, third = (signs_in()[0] for _ in range(3))
    key = second.session.session_key
    assert first.get("/account/").text.count('action="/account/sessions/') == 4

    first.post(f"/account/sessions/{UserSession.objects.get(session_key=key).pk}/")
    assert second.get("/account/").status_code == 302
    assert third.get("/account/").status_code == 200
    first.post("/account/sessions/")
    assert third.get("/account/").status_code == 302
    assert first.get("/account/").status_code == 200


def test_nobody_ends_another_accounts_session(salon: Salon) -> None:
    Client().post(invited(owner_of(salon)), NEWCOMER)
    client = signs_in()[0]

    assert (
        owner_of(salon).post(f"/account/sessions/{UserSession.objects.last().pk}/").status_code
        == 404
    )
    assert client.get("/account/").status_code == 200


def test_wrong_codes_are_limited_like_wrong_passwords(salon: Salon) -> None:
    secret = with_code(owner_of(salon))
    client, asked = signs_in("mara@example.org")

    for _ in range(10):
        client.post(asked, {"code": "000000"})

    assert client.post(asked, {"code": code_now(secret, 1)}).status_code != 302
    assert client.get("/people/").status_code == 302
