"""Addresses that somebody can read aloud and type, for events and tables, on slips that phones can
follow.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.tournament.helpers.evenings import does, draft, in_round_1, registered, send
from tests.tournament.helpers.playing import a_command, a_game, flat, told
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.accounts.event_links import open_link
from tournament.accounts.login_limits import WITHOUT_LINK_A_DAY, WRONG_TRIES
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.short_addresses import ChooseAddress, short_name
from tournament.domain.tournament.stage import ChangeStage
from tournament.models import Salon, Table, Tournament, TournamentAddress
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences
from tournament.recording.tournaments import open_tournament
from tournament.server.environment import addresses
from tournament.streams.short_addresses import short_address


def another(salon: Salon, name: str) -> Tournament:
    row = open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name=name,
        game="precedence",
        stage=Stage(kind="swiss", rounds=3),
    )
    return does(row, EnterPhase(phase="registration"))


def leads_to(client: Client, address: str) -> str:
    answer = client.get(f"/e/{address}/")
    return str(answer.headers.get("Location", answer.status_code))


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("Lantern Cup", "lantern-cup"),
        ("Łódź & Zürich — Straße 7", "lodz-zurich-strasse-7"),
        ("  St. John's  ", "st-john-s"),
        ("灯笼杯", "event"),
        ("0" * 32, "event"),
        ("x" * 80, "x" * 40),
    ],
)
def test_a_name_is_an_address_that_somebody_can_say(name: str, address: str) -> None:
    assert short_name(name) == address


def test_an_event_is_found_by_its_name(salon: Salon) -> None:
    row = registered(salon)

    assert leads_to(Client(), "spring-cup") == f"/tournaments/{row.pk}/"
    assert leads_to(Client(), "Spring%20Cup") == f"/tournaments/{row.pk}/"
    assert Client().get("/e/spring-cup/2/")["Location"] == f"/tournaments/{row.pk}/entries/2/"
    assert Client().get("/e/spring-cup").status_code == 301
    assert leads_to(Client(), "winter-cup") == "404"


def test_a_draft_is_found_by_its_director_alone(salon: Salon, owner: Client) -> None:
    row = draft(salon)

    assert leads_to(Client(), "spring-cup") == "404"
    assert leads_to(owner, "spring-cup") == f"/tournaments/{row.pk}/"


def test_the_second_of_a_name_has_a_number_and_the_first_keeps_its_own(salon: Salon) -> None:
    first, second = another(salon, "Club Night"), another(salon, "Club night")

    assert (short_address(first), short_address(second)) == ("club-night", "club-night.2")
    assert leads_to(Client(), "club-night") == f"/tournaments/{first.pk}/"
    assert leads_to(Client(), "club-night.2") == f"/tournaments/{second.pk}/"
    assert leads_to(Client(), "club-night.3") == "404"


def test_an_event_that_is_called_otherwise_is_found_by_both_names(salon: Salon) -> None:
    row, other = registered(salon), another(salon, "Autumn Cup")

    row = does(row, ChangeStage(name="Autumn Cup", stage=Stage(kind="swiss", rounds=3)))

    assert leads_to(Client(), "spring-cup") == f"/tournaments/{row.pk}/"
    assert leads_to(Client(), "autumn-cup") == f"/tournaments/{other.pk}/"
    assert short_address(row) == "autumn-cup.2"
    assert leads_to(Client(), "autumn-cup.2") == f"/tournaments/{row.pk}/"


def test_a_director_chooses_another_address_and_the_old_one_leads_there_too(
    salon: Salon, owner: Client
) -> None:
    row = registered(salon)

    assert send(owner, row, "addresses", "slips", address="Lantern").status_code == 302

    assert short_address(row) == "lantern"
    for address in ("lantern", "spring-cup"):
        assert leads_to(Client(), address) == f"/tournaments/{row.pk}/"
    assert "Its short address is lantern from here on" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )
    assert list(differences(salon, mend=False, progress=lambda done: None)) == []
    assert list(audit(salon)) == []


@pytest.mark.parametrize(
    "address", ["", "two words", "a--b", "-a", "a.2", "x" * 41, "0" * 32, "spring-cup", "taken"]
)
def test_what_is_no_address_or_has_one_is_refused_with_what_was_typed(
    salon: Salon, owner: Client, address: str
) -> None:
    row = registered(salon)
    does(another(salon, "Other"), ChooseAddress(address="taken"))
    before = row.version

    answer = send(owner, row, "addresses", "slips", address=address)

    row.refresh_from_db()
    assert answer.status_code in (400, 422)
    assert row.version == before
    assert f'value="{address}"' in answer.text
    assert "error" in answer.text


def test_rows_of_addresses_are_made_again(salon: Salon) -> None:
    row = does(registered(salon), ChooseAddress(address="lantern"))
    TournamentAddress.objects.all().delete()
    assert short_address(row) == row.pk

    assert list(differences(salon, mend=True, progress=lambda done: None))

    assert short_address(row) == "lantern"


def test_a_link_of_scorers_is_no_short_address(salon: Salon) -> None:
    row = in_round_1(salon)
    link = open_link(row)

    assert "Record at Spring Cup" in told(Client().get(f"/e/{link.token}/"))
    assert Client().get(f"/e/{'0' * 32}/").status_code == 404


def test_two_salons_have_their_own_addresses(salon: Salon) -> None:
    other = opened_salon("Harbour Salon", "nela@example.org")
    mine, theirs = another(salon, "Spring Cup"), registered(other)

    assert leads_to(Client(), "spring-cup") == f"/tournaments/{mine.pk}/"
    answer = Client().get(f"/salons/{other.slug}/e/spring-cup/")
    assert answer["Location"] == f"/salons/{other.slug}/tournaments/{theirs.pk}/"
    slips = owner_of(other).get(
        f"/tournaments/{theirs.pk}/desk/slips/", headers={"Host": "salon.local"}
    )
    assert f"salon.local/salons/{other.slug}/e/spring-cup/1" in slips.text


def test_slips_of_entries_carry_the_short_address(salon: Salon, owner: Client) -> None:
    row = registered(salon)

    page = told(
        owner.get(f"/tournaments/{row.pk}/desk/slips/", headers={"Host": "salon.local:8000"})
    )

    assert "salon.local:8000/e/spring-cup/1" in page
    assert row.pk not in page


def test_the_pages_of_an_event_say_its_short_address(salon: Salon, owner: Client) -> None:
    row = registered(salon)

    for client, path in ((Client(), ""), (owner, "desk/")):
        page = told(
            client.get(f"/tournaments/{row.pk}/{path}", headers={"Host": "salon.local:8000"})
        )
        assert "salon.local:8000/e/spring-cup" in page


def test_a_table_is_reached_by_its_label_and_pin(salon: Salon) -> None:
    table, phone = Table.objects.get(label="4"), Client()
    assert "Record at a table" in told(phone.get("/t/"))

    answer = phone.post("/t/", {"table": " 4 ", "pin": table.pin})

    assert answer["Location"] == "/tables/4/"
    assert phone.get("/tables/4/").status_code == 200
    assert phone.get("/tables/5/").status_code in (302, 403)


@pytest.mark.parametrize(
    ("label", "says"),
    [("44", "There is no table 44 here."), ("4", "This is not the PIN of table 4.")],
)
def test_a_wrong_table_or_pin_is_said_beside_its_field(salon: Salon, label: str, says: str) -> None:
    answer = Client().post("/t/", {"table": label, "pin": "no"})

    assert answer.status_code == 422
    assert says in told(answer)
    assert f'value="{label}"' in answer.text


def test_pins_of_a_table_are_not_guessed(salon: Salon) -> None:
    table = Table.objects.get(label="4")
    for _try in range(WRONG_TRIES):
        Client().post("/t/", {"table": "4", "pin": "x"})

    answer = Client().post("/t/", {"table": "4", "pin": table.pin})

    assert answer.status_code == 422
    assert (
        "Too many wrong tries. Wait 60 seconds, then try again. Or scan the code on its slip."
        in told(answer)
    )


def test_after_ten_wrong_pins_a_table_is_typed_from_there_no_more_that_day(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table.objects.get(label="4")
    monkeypatch.setattr("tournament.accounts.login_limits.SECONDS_TO_WAIT", 0)
    for _try in range(WITHOUT_LINK_A_DAY):
        Client(REMOTE_ADDR="192.0.2.9").post("/t/", {"table": "4", "pin": "x"})

    answer = Client(REMOTE_ADDR="192.0.2.9").post("/t/", {"table": "4", "pin": table.pin})

    assert "Try again tomorrow. Or scan the code on its slip." in told(answer)
    by_its_code = Client(REMOTE_ADDR="192.0.2.9").post(f"/t/{table.token}/", {"pin": table.pin})
    assert by_its_code.status_code == 302
    assert Client().post("/t/", {"table": "4", "pin": table.pin}).status_code == 302


def test_a_retired_table_is_not_reached_by_its_pin(salon: Salon) -> None:
    table = Table.objects.get(label="4")
    Table.objects.filter(pk=table.pk).update(retired=True)

    assert Client().post("/t/", {"table": "4", "pin": table.pin}).status_code == 422


def test_a_slip_of_a_table_says_what_to_type(salon: Salon, owner: Client) -> None:
    page = owner.get("/tables/4/link/", headers={"Host": "salon.local:8000"}).text

    assert (
        'No camera? Type <b class="slip__typed">salon.local:8000/t</b>, then table 4 and the PIN.'
        in flat(page)
    )


LAN, HERE = "192.0.2.7", "127.0.0.1"
SLIPS = (
    "/tables/4/link/",
    "/table-slips/",
    "/tournaments/{event}/desk/slips/",
    "/tournaments/{event}/desk/entries/1/",
)


@pytest.mark.parametrize("path", SLIPS)
def test_what_is_printed_has_an_address_of_the_network_where_there_is_one(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    event = registered(salon).pk
    monkeypatch.setattr(addresses, "network_address", lambda: LAN)
    monkeypatch.setenv(addresses.LISTENS_AT, "0.0.0.0")

    page = owner.get(path.format(event=event), headers={"Host": "localhost:8000"}).text

    assert f"{LAN}:8000/" in page
    assert "localhost:8000" not in page


@pytest.mark.parametrize("path", SLIPS)
def test_where_only_this_machine_is_served_that_is_said_and_no_code_leads_nowhere(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    event = registered(salon).pk
    monkeypatch.setattr(addresses, "network_address", lambda: LAN)
    monkeypatch.setenv(addresses.LISTENS_AT, HERE)

    page = owner.get(path.format(event=event), headers={"Host": f"{HERE}:8000"})

    assert "No address is known that phones can open" in told(page)
    assert "<svg viewBox" not in page.text.partition("<main")[2].partition("</main>")[0].replace(
        'class="i"', ""
    )
    assert LAN not in page.text


def test_an_invitation_without_a_network_says_so_and_is_there_for_this_machine(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(addresses.LISTENS_AT, HERE)

    page = told(owner.post("/people/", {"role": "scorer"}, headers={"Host": f"{HERE}:8000"}))

    assert "No address is known that phones can open" in page
    assert f"http://{HERE}:8000/invitations/" in page


def test_the_links_of_seats_and_scorers_say_so_too(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = in_round_1(salon)
    open_link(row)
    a_game(salon, table="4")
    monkeypatch.setenv(addresses.LISTENS_AT, HERE)

    for path in ("/tables/4/seats/", f"/tournaments/{row.pk}/desk/link/"):
        assert "No address is known that phones can open" in told(
            owner.get(path, headers={"Host": f"{HERE}:8000"})
        )


def test_commands_take_what_the_address_bar_shows(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    row = registered(salon)

    for identity in (row.record, row.pk, "spring-cup"):
        capsys.readouterr()
        call_command("tournament", "export", identity)
        assert '"name":"Spring Cup"' in capsys.readouterr().out


def test_an_auditors_file_takes_the_short_address(salon: Salon, tmp_path: object) -> None:
    registered(salon)
    path = f"{tmp_path}/cup.jsonl"

    call_command("auditors_file", "spring-cup", "--output", path)

    assert Path(path).stat().st_size


def test_games_are_exported_by_the_id_in_the_address_bar(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    game = a_game(salon, table="4")

    for identity in (game.record, game.pk):
        capsys.readouterr()
        call_command("export", identity)
        assert game.record in capsys.readouterr().out


def test_nobody_but_a_director_chooses_an_address(salon: Salon) -> None:
    row = registered(salon)

    assert (
        send(member(salon, "scorer"), row, "addresses", "slips", address="lantern").status_code
        == 403
    )


def test_sheets_on_paper_say_where_the_event_is_found(
    salon: Salon, owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = registered(salon)
    said: list[str] = []

    def paper(_template: str, shown: dict[str, Any], **_more: Any) -> bytes:
        said.append(shown["under"])
        return b"%PDF"

    monkeypatch.setattr("tournament.queries.pages_on_paper.paper", paper)

    owner.get(f"/tournaments/{row.pk}/files/standings.pdf", headers={"Host": "salon.local:8000"})

    assert said == ["4 entries · salon.local:8000/e/spring-cup"]
