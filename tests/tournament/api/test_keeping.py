"""What owners keep by the API: settings, house rules, webhooks, links of events, work that stopped,
people who want to be forgotten.
"""

import json
import uuid
from urllib.parse import parse_qs

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from ledger.models import Event
from ledger.verify import verify_log
from scoring.games import GAMES
from tests.tournament.api.calling import Caller, a_game, a_hand, owner_calls
from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.models import Delivery, Player, Preset, Progress, Salon, Webhook
from tournament.projections.background import catch_up
from tournament.salons.preferences import as_text, option_value
from tournament.tasks import PROJECTIONS
from tournament.webhooks.signing import opened


@pytest.fixture
def salon(db: None, settings: Settings) -> Salon:
    settings.WEBHOOKS_WITHIN = True
    return opened_salon()


@pytest.fixture
def owner(salon: Salon) -> Caller:
    return owner_calls(salon)


def in_all_rows(words: str) -> list[str]:
    """Where these words stand in the database, the accounts' own tables included."""
    return [
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        for value in model._default_manager.values_list(field.attname, flat=True)
        if isinstance(value, str) and words.casefold() in value.casefold()
    ]


def test_an_erased_person_stands_nowhere_in_the_database_not_even_in_kept_answers(
    salon: Salon, owner: Caller
) -> None:
    a_hand(owner, a_game(owner))
    player = Player.objects.get(name="Asha Renn")
    mine = Caller(
        salon=salon.slug, browser=member(salon, "player", player, email="asha.renn@example.org")
    )
    owner.post(
        "invitations/",
        {"role": "player", "player": player.pk, "email": "asha.elsewhere@example.org"},
    )
    owner.post("invitations/", {"role": "scorer", "email": "asha.renn@example.org"})
    owner.post("invitations/", {"role": "scorer", "email": "rhea@example.org"})
    owner.post("player-lists/", {"text": "Asha Renn"})
    held, ahead = mine.get(f"players/{player.pk}/held/"), owner.get(f"players/{player.pk}/erasure/")
    assert [each["email"][:6] for each in held.value["invitations"]] == ["asha.e", "asha.r"]
    assert (held.value["name"], ahead.value["account"], ahead.value["games"]) == (
        "Asha Renn",
        True,
        1,
    )
    refused = owner.post(f"players/{player.pk}/erasure/", {"name": "Cato Liss"})
    assert (refused.status, refused.value["path"]) == (422, "name")
    assert "Player.name" in in_all_rows("Asha Renn")

    done = owner.post(f"players/{player.pk}/erasure/", {"name": "Asha Renn"})

    assert done.value["name"] == f"erased {player.pk[:12]}"
    assert in_all_rows("Asha") == in_all_rows("asha.renn@example.org") == []
    assert in_all_rows("rhea@example.org") == ["Invitation.email"]
    assert list(verify_log(salon.log_id)) == []
    again = owner.post(f"players/{player.pk}/erasure/", {"name": "Asha Renn"})
    assert (again.status, again.value) == (201, done.value)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_who_owns_the_salon_is_not_erased(salon: Salon, owner: Caller) -> None:
    player = Player.objects.create(salon=salon, name="Mara Ilves")
    salon.membership_set.update(player=player)

    refused = owner.post(f"players/{player.pk}/erasure/", {"name": "Mara Ilves"})

    assert (refused.status, refused.value["code"]) == (422, "owns_the_salon")
    assert owner.get(f"players/{player.pk}/erasure/").value["refused"]


def test_house_rules_kept_by_a_program_start_games_on_the_page_and_the_other_way_round(
    salon: Salon, owner: Caller
) -> None:
    chosen = {"hands_limit": 8}
    made = owner.post("presets/", {"game": "precedence", "name": "Saturday", "options": chosen})
    browser = owner_of(salon)

    page = browser.get(f"{reverse('start')}?{Preset.objects.get().options}").text
    field = {
        name: values[0]
        for name, values in parse_qs(Preset.objects.get().options, keep_blank_values=True).items()
    }
    browser.post(reverse("presets"), field | {"preset": "Sunday"})

    assert made.value["options"] == chosen
    assert 'value="8"' in page
    assert [(each["name"], each["options"]) for each in owner.get("presets/").value] == [
        ("Saturday", chosen),
        ("Sunday", chosen),
    ]
    wrong = owner.post(
        "presets/", {"game": "precedence", "name": "Sunday", "options": {"hands_limit": -1}}
    )
    assert (wrong.status, wrong.value["path"]) == (400, "options.hands_limit")


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_a_house_rule_is_kept_as_it_was_made(game: str) -> None:
    for option in GAMES[game].options:
        choices = [value for value, _words in option.choices] or [option.least, option.most]
        for value in [*choices, *([None] if option.optional else [])]:
            assert option_value(option, as_text(value)) == value, option.name


@pytest.mark.parametrize(
    ("field", "value"), [("name", " "), ("names_shown", "none"), ("forget_players_days", -1)]
)
def test_settings_that_make_no_sense_are_refused_at_their_place(
    salon: Salon, owner: Caller, field: str, value: object
) -> None:
    new = {"name": "Rosewater", "names_shown": "first", "forget_players_days": 30}

    refused = owner.post("settings/", new | {field: value})

    assert (refused.status, refused.value["path"]) == (400, field)
    assert owner.get("settings/").value["name"] == salon.name
    assert owner.post("settings/", new).value == new | {
        "time_zone": "",
        "language": "",
        "logo": "",
        "paper": "a4",
        "tells_phones": True,
        "address": "",
        "nights": [],
    }
    at = {"address": "https://cards.example.org"}
    assert owner.post("settings/", new | at).value["address"] == "https://cards.example.org"
    assert owner.post("settings/", new | {"address": "here"}).value["path"] == "address"
    assert owner.post("settings/", new | {"tells_phones": False}).value["tells_phones"] is False
    assert owner.post("settings/", new).value["tells_phones"] is False


def test_a_public_name_is_chosen_by_the_player_and_nobody_else(salon: Salon, owner: Caller) -> None:
    a_game(owner)
    asha, cato = (Player.objects.get(name=name) for name in ("Asha Renn", "Cato Liss"))
    mine = Caller(salon=salon.slug, browser=member(salon, "player", asha))

    assert mine.post(f"players/{asha.pk}/public-name/", {"names_shown": "pseudonym"}).status == 201
    assert mine.post(f"players/{cato.pk}/public-name/", {"names_shown": "pseudonym"}).status == 403
    assert (
        Caller(salon=salon.slug).get(f"players/{asha.pk}/records/").value["player"]["name"]
        == f"Player {asha.pk[:6].upper()}"
    )


def test_an_address_is_told_and_its_secret_said_once(salon: Salon, owner: Caller) -> None:
    key, new = (
        str(uuid.uuid4()),
        {"address": "http://127.0.0.1:9/", "events": ["hand.closed", "no such event"]},
    )

    first, again = (owner.post("webhooks/", new, key=key) for _ in range(2))
    hook = first.value["id"]

    assert again.value == first.value | {"secret": ""}
    assert first.value["events"] == ["hand.closed"]
    assert opened(Webhook.objects.get().secret) == first.value["secret"]
    a_hand(owner, a_game(owner))
    catch_up(salon.log, PROJECTIONS)
    (told,) = owner.get(f"webhooks/{hook}/deliveries/").value
    assert (told["event"], told["state"], json.loads(told["body"])["data"]["hand"]) == (
        "hand.closed",
        "waiting",
        1,
    )
    Delivery.objects.update(due_at=None, tries=8)
    assert owner.get(f"webhooks/{hook}/deliveries/").value[0]["state"] == "given_up"
    assert (
        owner.post(f"webhooks/{hook}/deliveries/{told['id']}/repeats/").value["state"] == "waiting"
    )
    other = owner.post(f"webhooks/{hook}/secrets/").value["secret"]
    assert opened(Webhook.objects.get().secret) == other != first.value["secret"]


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"address": "ftp://example.org"}, "address"),
        ({"events": []}, "events"),
        ({"address": "https://" + "a" * 500}, "address"),
    ],
)
def test_an_address_that_can_not_be_told_is_refused_at_its_place(
    owner: Caller, wrong: dict[str, object], path: str
) -> None:
    refused = owner.post(
        "webhooks/", {"address": "http://127.0.0.1:9/", "events": ["hand.closed"]} | wrong
    )

    assert (refused.status, refused.value["path"]) == (422, path)
    assert not Webhook.objects.exists()


def test_an_address_within_the_servers_own_network_is_refused_unless_settings_allow_it(
    owner: Caller, settings: Settings
) -> None:
    settings.WEBHOOKS_WITHIN = False

    refused = owner.post("webhooks/", {"address": "http://127.0.0.1:9/", "events": ["hand.closed"]})

    assert (refused.status, refused.value["path"]) == (422, "address")


def test_webhooks_and_messages_of_another_salon_are_not_there(salon: Salon, owner: Caller) -> None:
    other = owner_calls(opened_salon("Elsewhere", "pim@example.org"))
    hooks = [
        each.post("webhooks/", {"address": "http://127.0.0.1:9/", "events": ["hand.closed"]}).value[
            "id"
        ]
        for each in (owner, other)
    ]
    mine = owner.post(f"webhooks/{hooks[0]}/pings/").value["id"]

    answers = [
        other.get(f"webhooks/{hooks[0]}/"),
        other.get(f"webhooks/{hooks[0]}/deliveries/"),
        other.post(f"webhooks/{hooks[1]}/deliveries/{mine}/repeats/"),
        other.delete(f"webhooks/{hooks[0]}/"),
        other.post(f"webhooks/{hooks[0]}/secrets/"),
    ]

    assert {each.status for each in answers} == {404}
    assert Webhook.objects.count() == 2


def test_work_that_stopped_at_an_entry_is_told_and_goes_on(salon: Salon, owner: Caller) -> None:
    a_game(owner)
    catch_up(salon.log, PROJECTIONS)
    Progress.objects.filter(projection="careers").update(error="Trouble", error_position=1)

    (stopped,) = [each for each in owner.get("work/").value if each["error"]]

    assert (stopped["name"], stopped["stopped_at"]) == ("careers", 1)
    assert owner.delete("parked-work/careers/").status == 204
    assert [each for each in owner.get("work/").value if each["error"]] == []
    assert owner.delete("parked-work/nothing/").status == 404


def test_the_link_of_an_event_lets_phones_record_until_it_is_ended(
    salon: Salon, owner: Caller
) -> None:
    row = after_round_1(salon)

    link = owner.post(f"tournaments/{row.pk}/link/").value
    path = "/" + link["address"].split("/", 3)[3]
    phone = Client()

    assert owner.get(f"tournaments/{row.pk}/link/").value == link
    assert phone.post(path, {"pin": link["pin"]}).status_code == 302
    assert Caller(salon=salon.slug, browser=phone).get("").value["role"] == "table link"
    assert owner.delete(f"tournaments/{row.pk}/link/").status == 204
    assert Caller(salon=salon.slug, browser=phone).get("").value["role"] == "anyone"
    assert owner.get(f"tournaments/{row.pk}/link/").status == 404
    does(row, EnterPhase(phase="finished"))
    assert owner.post(f"tournaments/{row.pk}/link/").value["code"] == "not_under_way"


def test_what_a_round_was_drawn_from_is_the_file_of_the_page(salon: Salon, owner: Caller) -> None:
    row = after_round_1(salon)
    catch_up(salon.log, PROJECTIONS)

    snapshot = owner.get(f"tournaments/{row.pk}/rounds/1/snapshot/").value

    page = owner_of(salon).get(reverse("draw_snapshot_file", args=[row.pk, 1]))
    assert snapshot["tournament"] == json.loads(page.content)
    assert snapshot["right"] is True
    assert (
        snapshot["digest"] in Event.objects.get(stream=row.pk, type="tournament.round_drawn").body
    )
    assert owner.get(f"tournaments/{row.pk}/rounds/2/snapshot/").status == 404
