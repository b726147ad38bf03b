"""What an owner sets: names in public, how long people are remembered, house rules to start with,
work that stopped.
"""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from ledger.models import Event
from ledger.verify import verify_log
from tests.tournament.helpers.full_salon import FullSalon, full_salon
from tests.tournament.helpers.reading import body
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tests.tournament.helpers.sweeping import addresses
from tournament.models import Erasure, Invitation, Player, Preset, Progress, RetentionRun, Salon
from tournament.privacy import retention
from tournament.projections.chain_check import CHECKED

SETTINGS = {"name": "Salon Rosewater", "names_shown": "whole", "forget_players_days": "0"}
A_YEAR = timedelta(days=366)


@pytest.fixture
def full(db: None) -> FullSalon:
    return full_salon("Rosewater")


def last_entry(salon: Salon) -> datetime:
    recorded = (
        Event.objects.filter(log=salon.log_id)
        .order_by("-position")
        .values_list("recorded_at", flat=True)[0]
    )
    return datetime.fromtimestamp(recorded / 1_000_000, UTC)


def public_texts(full: FullSalon) -> str:
    """All that anybody can read of a salon, its API included; the doors of links say whose they
    are.
    """
    ids = full.ids | {"salon": [full.salon.slug]}
    paths = [
        path
        for path in addresses(ids)
        if not path.startswith(("admin/", "t/", "c/", "e/", "account/", "sign-out/"))
    ]
    client = Client()
    return " ".join(body(client.get("/" + path)) for path in paths)


@pytest.mark.parametrize(
    ("shown", "instead"),
    [pytest.param("first", "Brass", marks=pytest.mark.long), ("pseudonym", "Player ")],
)
def test_in_public_nobody_is_called_otherwise_than_the_salon_chose(
    full: FullSalon, shown: str, instead: str
) -> None:
    names = list(Player.objects.values_list("name", flat=True))
    owner_of(full.salon).post("/settings/", SETTINGS | {"names_shown": shown})

    told = public_texts(full)

    assert [name for name in names if name in told] == []
    assert instead in told
    assert "Brass Otter Rosewater" in owner_of(full.salon).get("/").text


def test_a_player_chooses_otherwise_than_the_salon(full: FullSalon) -> None:
    otter = Player.objects.get(name__startswith="Brass")
    mine, page = member(full.salon, "player", otter), reverse("player", args=[otter.pk])
    assert "Brass Otter" in Client().get(page).text

    assert (
        mine.post(reverse("public_name", args=[otter.pk]), {"names_shown": "pseudonym"}).status_code
        == 302
    )

    assert "Brass Otter" not in Client().get(page).text
    assert f"Player {otter.pk[:6].upper()}" in Client().get(page).text
    assert "Brass Otter" in mine.get(page).text
    other = Player.objects.exclude(pk=otter.pk).order_by("pk")[0]
    assert (
        mine.post(reverse("public_name", args=[other.pk]), {"names_shown": "first"}).status_code
        == 403
    )


def test_a_board_that_was_kept_under_one_name_is_not_taken_for_the_other(full: FullSalon) -> None:
    board, live = reverse("board", args=[full.ids["game"][0]]), {"HX-Request": "true"}

    known = owner_of(full.salon).get(board, headers=live)["ETag"]

    assert Client().get(board, headers=live | {"If-None-Match": known}).status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"names_shown": "none"},
        {"forget_players_days": "-1"},
        {"forget_players_days": "9" * 9},
    ],
)
def test_settings_that_make_no_sense_are_refused(full: FullSalon, wrong: dict[str, str]) -> None:
    assert owner_of(full.salon).post("/settings/", SETTINGS | wrong).status_code == 422
    assert Salon.objects.get().name == "Salon Rosewater"


def test_players_who_came_no_more_are_erased_when_the_salon_says_so_and_the_chain_holds(
    full: FullSalon,
) -> None:
    salon, staying = full.salon, Player.objects.get(name__startswith="Brass")
    member(salon, "player", staying)
    later = last_entry(salon) + A_YEAR
    assert retention.carry_out(salon, later).players == 0

    owner_of(salon).post("/settings/", SETTINGS | {"forget_players_days": "365"})
    salon.refresh_from_db()
    assert retention.carry_out(salon, last_entry(salon) + timedelta(days=364)).players == 0
    run = retention.carry_out(salon, later)

    assert run.players == Erasure.objects.count() == 3
    assert list(Player.objects.exclude(name__startswith="erased").values_list("pk", flat=True)) == [
        staying.pk
    ]
    assert list(verify_log(salon.log_id)) == []
    assert retention.carry_out(salon, later).players == 0
    assert "3 players erased" in owner_of(salon).get("/settings/").text


def test_one_salons_night_leaves_the_others_players(full: FullSalon) -> None:
    other = full_salon("Umberhall")
    Salon.objects.filter(pk=full.salon.pk).update(forget_players_days=1)
    full.salon.refresh_from_db()

    assert retention.carry_out(full.salon, last_entry(full.salon) + A_YEAR).players == 4
    assert not Player.objects.filter(salon=other.salon, name__startswith="erased").exists()


def test_invitations_are_forgotten_a_month_after_their_end(full: FullSalon) -> None:
    owner_of(full.salon).post("/people/", {"role": "scorer"})
    end = Invitation.objects.get().expires_at

    assert retention.carry_out(full.salon, end + timedelta(days=29)).invitations == 0
    assert retention.carry_out(full.salon, end + timedelta(days=31)).invitations == 1
    assert not Invitation.objects.exists()


def test_a_night_has_one_run(db: None) -> None:
    salon = opened_salon()
    night = datetime.now(UTC).replace(hour=3) + timedelta(days=2)

    assert retention.is_due(salon, night)
    RetentionRun.objects.create(salon=salon, ran_at=night)
    assert not retention.is_due(salon, night + timedelta(minutes=30))
    assert not retention.is_due(
        salon, night + timedelta(hours=21, minutes=59) + timedelta(hours=-6)
    )
    assert retention.is_due(salon, night + timedelta(hours=24))


def test_house_rules_are_kept_under_a_name_and_start_a_game(full: FullSalon) -> None:
    owner = owner_of(full.salon)
    form = {
        "game": "precedence",
        "table": "1",
        "options.ante": "3",
        "players.N": "Ash",
        "preset": "Saturday",
    }

    answer = owner.post("/settings/presets/", form)

    assert "options.ante=3" in answer["Location"]
    assert "players.N=Ash" in answer["Location"]
    kept = Preset.objects.get()
    page = owner.get(f"/games/new/?{kept.options}")
    assert "Saturday" in page.text
    assert page.context["written"].options["ante"] == "3"
    owner.post("/settings/presets/", form | {"options.ante": "4"})
    assert "options.ante=4" in Preset.objects.get().options
    owner.post(f"/settings/presets/{kept.pk}/end/")
    assert not Preset.objects.exists()


def test_work_that_stopped_is_shown_with_its_entry_and_goes_on_when_it_is_told_to(
    full: FullSalon,
) -> None:
    owner, mine = (
        owner_of(full.salon),
        Progress.objects.filter(log=full.salon.log_id, projection=CHECKED.name),
    )
    mine.update(error="cannot be read", error_position=3)
    assert "stopped at line 3" in owner.get("/settings/").text

    owner.post(f"/settings/tasks/{CHECKED.name}/")

    assert mine.get().error == ""
    assert owner.post("/settings/tasks/nothing/").status_code == 404


def test_slips_and_sheets_print_the_address_that_the_owner_gave(db: None) -> None:
    salon = opened_salon()
    owner = owner_of(salon)

    answer = owner.post("/settings/", SETTINGS | {"address": "https://cards.example.org/"})

    assert answer.status_code == 302
    assert "cards.example.org/t/" in owner.get("/table-slips/").text
    assert 'value="https://cards.example.org"' in owner.get("/settings/").text
    owner.post("/settings/", SETTINGS)
    assert Salon.objects.get().address == "https://cards.example.org"


@pytest.mark.parametrize(
    "typed", ["cards.example.org", "https://a b", "ftp://a.b", "https://a.b/salon", "http://a:0"]
)
def test_what_is_no_address_is_not_printed(db: None, typed: str) -> None:
    owner = owner_of(opened_salon())

    refused = owner.post("/settings/", SETTINGS | {"address": typed})

    assert refused.status_code == 422
    assert "An address is expected here such as https://cards.example.org" in refused.text
    assert Salon.objects.get().address == ""
