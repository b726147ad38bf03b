"""What a server makes of an archive: who is who there, what stays behind, and when it is taken in
at all.
"""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ledger import checkpoints
from ledger.models import Checkpoint, Event, Log, SigningKey
from ledger.notes import Note, is_signed, read_note, read_vkey, verifier
from ledger.notes import sign as note_sign
from ledger.signing import NotHandedOver, announcement, keys_of, origin_of, renew
from tests.conftest import OwnDatabase
from tests.ledger.signing import Pocket
from tests.tournament.exchange.salon_archive.conftest import Server
from tests.tournament.exchange.salon_archive.forging import changed, own_key, values_of
from tests.tournament.exchange.salon_archive.forging import signed as signed_again
from tests.tournament.exchange.salon_archive.salons import (
    owner_actor,
    played_salon,
    sign,
    strangers,
)
from tests.tournament.exchange.salon_archive.taking_in import everything_stored, taken, written
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.salons import PASSWORD, member, opened_salon
from tests.tournament.helpers.tables import everything, new_command, recorded, simple
from tournament.accounts import personal_links
from tournament.accounts.access import as_member
from tournament.accounts.actor_names import actors_in_words
from tournament.accounts.seat_links import links_of
from tournament.exchange.salon_archive.file_format import ArchiveRefused, SuccessorLine
from tournament.exchange.salon_archive.restore import Wishes, take_in
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.audit import audit
from tournament.integrity.signing_keys import load_keyring
from tournament.models import (
    EarlierActor,
    EventLink,
    Game,
    Invitation,
    Membership,
    PersonalLink,
    Player,
    Salon,
    SeatLink,
    Table,
    Text,
    Tournament,
    Webhook,
)
from tournament.privacy.erasure import erase
from tournament.privacy.personal_data import collect_personal_data
from tournament.recording.house_rules import move_salon
from tournament.recording.name_digests import cover_names
from tournament.salons.public_names import Audience
from tournament.streams.correction_period import house_of
from tournament.streams.covered_names import count_uncovered_names, digests_of_names
from tournament.webhooks.signing import opened


@pytest.fixture
def salon(own_database: OwnDatabase) -> Salon:
    """A salon whose owner recorded a game, with a member of each other role."""
    place = opened_salon()
    recorded(place, everything(), actor=owner_actor(place))
    for role in ("director", "scorer", "auditor"):
        member(place, role)
    member(place, "player", Player.objects.get(name="Birch"))
    cover_names(place)
    return place


def refusal_of(path: Path, **wishes: Any) -> ArchiveRefused:
    with pytest.raises(ArchiveRefused) as refused:
        taken(path, **wishes)
    return refused.value


def test_the_same_archive_again_changes_nothing(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive = written(salon, tmp_path / "a")
    with another_server():
        taken(archive)
        before = everything_stored()
        assert taken(archive).outcome == "unchanged"
        assert taken(archive, slug="another").slug == salon.slug
        recorded(Salon.objects.get(), simple())
        assert taken(archive).outcome == "unchanged"
        assert everything_stored()["Salon"] == before["Salon"]
    assert taken(archive).outcome == "unchanged"  # on the server that it comes from


def test_a_salon_that_is_here_with_less_or_with_another_history_is_left_as_it_is(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    early = written(salon, tmp_path / "early")
    recorded(salon, simple())
    late = written(salon, tmp_path / "late")
    with another_server():
        taken(early)
        assert refusal_of(late).code == "behind"
        recorded(Salon.objects.get(), simple("of its own"))
        recorded(Salon.objects.get(), simple("and another"))
        assert refusal_of(late).code == "other_history"


def test_nothing_is_kept_of_a_dry_run(salon: Salon, another_server: Server, tmp_path: Path) -> None:
    archive = written(salon, tmp_path / "a")
    with another_server():
        before = everything_stored()
        said = taken(archive, dry_run=True)
        assert (said.outcome, said.events) == ("sound", Log.objects.count() + said.events)
        assert everything_stored() == before


def test_a_slug_that_is_taken_can_be_another(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive = written(salon, tmp_path / "a")
    with another_server():
        opened_salon()
        assert [refusal_of(archive, slug=slug).code for slug in ("", "new", "no slug")] == [
            "slug_taken"
        ] * 3
        assert taken(archive, slug="gate-2").slug == "gate-2"
        assert audit(Salon.objects.get(slug="gate-2")).findings == []
        assert Client().get("/salons/gate-2/").status_code == 200


def test_ids_that_another_salon_has_are_refused_whole(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive, player = written(salon, tmp_path / "a"), Player.objects.get(name="Cedar").pk
    with another_server():
        Player.objects.create(id=player, salon=opened_salon("Elsewhere"), name="Somebody")
        before = everything_stored()
        assert refusal_of(archive).code == "ids_taken"
        assert everything_stored() == before


def test_without_names_nothing_says_who_anybody_is(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive = written(salon, tmp_path / "a", names=False)
    people = [
        *Player.objects.values_list("name", flat=True),
        *User.objects.values_list("first_name", flat=True),
    ]
    words = [
        *Text.objects.values_list("text", flat=True),
        *User.objects.values_list("username", flat=True),
    ]
    assert [word for word in {*people, *words} if word in archive.read_text()] == []
    with another_server():
        assert refusal_of(archive).code == "no_owner"
        assert [each.email for each in taken(archive, owner="new@example.org").invited] == [
            "new@example.org"
        ]
        there = Salon.objects.get()
        assert audit(there).findings == []
        assert all(
            re.fullmatch("player [0-9a-f]{12}", name)
            for name in Player.objects.values_list("name", flat=True)
        )
        assert Event.objects.count() == there.log.position > 10


def test_names_that_were_left_out_are_covered_as_they_are_called_now(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive = written(salon, tmp_path / "a", names=False)
    with another_server():
        taken(archive, owner="new@example.org")
        there = Salon.objects.get()
        assert (count_uncovered_names(there), cover_names(there), list(audit(there).remarks)) == (
            0,
            0,
            [],
        )
        one = Player.objects.order_by("pk")[0]
        Player.objects.filter(pk=one.pk).update(name="player 0123456789ab")
        assert [(each.kind, each.row) for each in audit(there).findings] == [("name", one.pk)]


def test_who_was_erased_after_the_move_is_told_of_where_the_salon_goes_on(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    """The log took no facts by then."""
    move_salon(
        salon,
        "https://there.example",
        reason="",
        actor="user:1",
        command=new_command(),
        version=house_of(salon).version,
    )
    erased = erase(Player.objects.get(name="Birch"), actor="user:1")
    assert (
        audit(salon).findings,
        [each[-3:] for each in audit(salon).remarks if "after the salon had moved" in each],
    ) == ([], [" 1."])
    archive = written(salon, tmp_path / "a")
    with another_server():
        taken(archive)
        assert digests_of_names(Salon.objects.get())[erased.player] == ""
        assert (audit(Salon.objects.get()).findings, list(audit(Salon.objects.get()).remarks)) == (
            [],
            [],
        )


def test_no_secret_but_the_logs_own_leaves_the_server(
    own_database: OwnDatabase, tmp_path: Path
) -> None:
    salon = played_salon(1)
    links_of(Game.objects.filter(salon=salon, kind="precedence")[0], "NESW")
    event = Tournament.objects.filter(salon=salon).order_by("pk")[0]
    personal = personal_links.links_of(event, ["1"])["1"]
    text = written(salon, tmp_path / "a").read_text()

    secrets = [personal.code]
    secrets += [user.password for user in User.objects.all()]
    secrets += [each for table in Table.objects.all() for each in (table.token, f'"{table.pin}"')]
    secrets += [
        link.token
        for model in (SeatLink, EventLink, PersonalLink)
        for link in model._default_manager.all()
    ]
    secrets += [
        each for hook in Webhook.objects.all() for each in (hook.secret, opened(hook.secret))
    ]
    assert len(secrets) > 15
    assert [secret for secret in secrets if secret in text] == []
    assert PASSWORD not in text


def test_people_are_invited_again_as_what_they_were(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive = written(salon, tmp_path / "a")
    with another_server():
        invited = taken(archive).invited
        assert [each.role for each in invited] == [
            "owner",
            "director",
            "scorer",
            "auditor",
            "player",
        ]
        assert Invitation.objects.get(role="player").player == Player.objects.get(name="Birch")
        assert not User.objects.exists()
        chained = written(Salon.objects.get(), tmp_path / "b")
    with another_server():  # before any of them came
        assert {each.role for each in taken(chained).invited} == {each.role for each in invited}


def test_its_owner_comes_to_a_new_server_by_the_link_alone(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    archive = written(salon, tmp_path / "a")
    with another_server():
        assert Client().get("/", follow=True).redirect_chain[-1][0] == reverse("welcome")
        owner = taken(archive).invited[0]
        page = reverse("invitation", args=[owner.token])
        client = Client()
        assert client.get(page).status_code == 200
        client.post(page, {"name": "Mara Ilves", "email": owner.email, "password": PASSWORD})
        assert Membership.objects.get().role == "owner"


def test_nobody_is_taken_for_an_account_of_the_server_before(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    """The owner there was account 1; account 1 here is a stranger, who also comes into the
    salon.
    """
    archive, before = written(salon, tmp_path / "a"), owner_actor(salon)
    with another_server():
        (stranger,) = strangers(1)
        assert f"user:{stranger.pk}" == before
        taken(archive)
        there = Salon.objects.get()
        here = as_member(Membership.objects.create(salon=there, user=stranger, role="scorer"))
        assert here.actor != before
        recorded(there, simple(), actor=here.actor)
        assert actors_in_words(there, [before, here.actor], Audience.SALON) == {
            before: "Mara Ilves",
            here.actor: "Stranger 0",
        }


def test_what_a_player_entered_on_the_server_before_is_still_theirs(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    birch = Player.objects.get(name="Birch")
    account = Membership.objects.get(player=birch)
    recorded(salon, simple(), actor=as_member(account).actor)
    entered = collect_personal_data(birch)["entered"]
    archive = written(salon, tmp_path / "a")
    with another_server():
        taken(archive)
        assert collect_personal_data(Player.objects.get(pk=birch.pk))["entered"] == entered != []
        assert EarlierActor.objects.get(player=birch.pk).name == "Player"


def test_webhooks_wait_for_another_secret_and_tables_have_other_links(
    own_database: OwnDatabase, another_server: Server, tmp_path: Path
) -> None:
    salon = played_salon(2)
    archive, before = written(salon, tmp_path / "a"), Webhook.objects.get()
    pins = dict(Table.objects.values_list("label", "token"))
    with another_server():
        taken(archive)
        hook = Webhook.objects.get()
        assert (hook.address, hook.events, hook.since) == (
            before.address,
            before.events,
            hook.salon.log.position,
        )
        assert "another server" in hook.paused_why
        assert opened(hook.secret) != opened(before.secret)
        tokens = dict(Table.objects.values_list("label", "token"))
        assert tokens.keys() == pins.keys()
        assert not set(tokens.values()) & set(pins.values())


def test_a_key_is_begun_where_the_salons_own_is_not(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    sign(salon)
    archive, pocket = written(salon, tmp_path / "a"), Pocket("new")
    with another_server():
        assert take_in(archive, pocket, Wishes()).key_begun
        there = Salon.objects.get()
        keys = SigningKey.objects.filter(log=there.log).order_by("number")
        assert read_vkey(keys[1].vkey).public == pocket.keys[0].public_key().public_bytes_raw()
        report = audit(there)
        assert (report.findings, len(report.remarks)) == ([], 1)
        assert "Key 2 was not announced by the key before it" in report.remarks[0]
    with another_server():
        assert not taken(archive).key_begun  # the key was brought along


def test_a_key_that_is_given_has_to_lead_to_the_one_that_signed_the_archive(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    sign(salon)
    genuine = keys_of(salon.log_id)[-1].verifier.vkey
    stranger = verifier(Pocket("x").new(genuine, frozenset()), origin_of(salon.log)).vkey
    archive, forger = written(salon, tmp_path / "a"), Pocket("forger")
    renew(salon.log, forger, now=8_000_000, lost=True)
    (tmp_path / "forged").write_bytes(b"".join(archive_of(salon, forger)))
    with another_server():
        found = taken(archive, keys=(stranger, genuine))
        assert (found.proven, found.key) == (True, genuine)
    for path, key, code in (
        (archive, stranger, "another_key"),
        (tmp_path / "forged", genuine, "unsound"),
    ):
        with another_server():
            with pytest.raises(ArchiveRefused) as refused:
                take_in(path, forger, Wishes(keys=(key,)))
            assert refused.value.code == code
            assert not Salon.objects.exists()
    with another_server():
        unproven = take_in(tmp_path / "forged", forger, Wishes())
        assert (unproven.proven, unproven.key != genuine) == (False, True)


def test_the_command_says_what_was_proven_of_a_salon(
    salon: Salon, another_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sign(salon)
    archive = str(written(salon, tmp_path / "a"))
    key = keys_of(salon.log_id)[-1].verifier.vkey
    with another_server():
        said = run(capsys, "salon", "import", archive, "--dry-run").out
        assert f"compare {key} with the key that the salon showed before" in said
        said = run(capsys, "salon", "import", archive, "--dry-run", "--key", key).out
        assert f"signed it, or leads to the key that did: {key}" in said
        refused = run(capsys, "salon", "import", archive, "--key", f"{key[:-1]}x")
        assert refused.status != 0


def test_the_key_of_the_other_server_is_announced_by_the_one_before_it(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    """So that whoever trusts the old key is led to the new one, and no audit has anything to
    remark.
    """
    sign(salon)
    origin, pocket = origin_of(salon.log), Pocket("new")
    successor = verifier(pocket.new(origin, frozenset()), origin)
    (tmp_path / "a").write_bytes(b"".join(archive_of(salon, load_keyring(), successor=successor)))
    with another_server():
        assert not take_in(tmp_path / "a", pocket, Wishes()).key_begun
        there = Salon.objects.get()
        recorded(there, simple())
        cover_names(there)
        signed = checkpoints.make(there.log, pocket, now=9_000_000)
        assert signed is not None
        assert is_signed(read_note(signed.note), successor)
        report = audit(there)
        assert (report.findings, report.remarks) == ([], [])
    with another_server():
        with pytest.raises(ArchiveRefused, match="private key"):
            take_in(tmp_path / "a", Pocket("other"), Wishes())
        assert not Salon.objects.exists()


def test_no_key_is_announced_that_is_anothers_or_was_used(salon: Salon) -> None:
    sign(salon)
    origin = origin_of(salon.log)
    used = keys_of(salon.log_id)[-1].verifier
    for wrong in (used, verifier(Pocket("x").new(origin, frozenset()), "accord/elsewhere")):
        with pytest.raises(NotHandedOver):
            next(archive_of(salon, load_keyring(), successor=wrong))


def test_an_announcement_for_another_place_is_not_taken_over(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    sign(salon)
    origin, pocket = origin_of(salon.log), Pocket("new")
    successor = verifier(pocket.new(origin, frozenset()), origin)
    values = values_of(b"".join(archive_of(salon, load_keyring(), successor=successor)))
    size = Checkpoint.objects.get().size
    right, elsewhere = (
        announcement(origin, 2, successor, after=after, made_at=5) for after in (size, 1)
    )
    for text, signer in ((elsewhere, own_key(values)), (right, pocket.keys[0])):
        note = Note(text=text, signatures=(note_sign(text, signer, origin),))
        (tmp_path / "a").write_bytes(
            signed_again(changed(values, SuccessorLine, announcement=str(note)))
        )
        with another_server():
            with pytest.raises(ArchiveRefused) as refused:
                take_in(tmp_path / "a", pocket, Wishes())
            assert refused.value.code == "not_handed_over"


def test_a_salon_can_move_more_than_once(
    salon: Salon, another_server: Server, tmp_path: Path
) -> None:
    first, before = written(salon, tmp_path / "a"), owner_actor(salon)
    with another_server():
        taken(first)
        there = Salon.objects.get()
        user = strangers(1)[0]
        between = as_member(Membership.objects.create(salon=there, user=user, role="owner")).actor
        recorded(there, simple(), actor=between)
        second = written(there, tmp_path / "b")
    with another_server():
        taken(second)
        there = Salon.objects.get()
        assert (there.moves, audit(there).findings) == (2, [])
        assert actors_in_words(there, [before, between], Audience.SALON) == {
            before: "Mara Ilves",
            between: "Stranger 0",
        }
