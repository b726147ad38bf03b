"""A captain hands in from a phone without an account; the desk sees who has, and opens what it
must.
"""

import pytest
from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import does, of_teams
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import opened_salon, owner_of
from tournament.accounts.captain_links import links_of
from tournament.domain.tournament.team_line_ups import HandInLineUp
from tournament.models import CaptainLink, SealedLineUp, Tournament


@pytest.fixture
def row(db: None) -> Tournament:
    """Two teams that meet in round 1, which is published."""
    return of_teams(opened_salon())


def phone(row: Tournament, entry: str) -> tuple[Client, str]:
    """A browser that followed a captain's link and gave its PIN, and the captain's page."""
    link, client = links_of(row, [entry])[entry], Client()
    page = f"/captains/{link.token}/"
    assert client.post(page, {"pin": link.pin}).status_code == 302
    return client, page


def line_up(*names: str) -> dict[str, str]:
    """The form of a line-up."""
    return {
        "command": a_command(),
        "round:number": "1",
        **{f"players.{place}": name for place, name in enumerate(names)},
    }


def test_two_captains_hand_in_and_see_each_others_line_up_when_both_have(row: Tournament) -> None:
    (one, page), (two, others) = phone(row, "1"), phone(row, "2")

    assert one.post(page, line_up("Cato Liss", "Asha Renn")).status_code == 302
    waiting = two.get(others).text
    assert two.post(others, line_up("Gila Hart", "Emil Lark")).status_code == 302

    assert "Hand in the line-up" in waiting
    assert "Hand in" not in two.get(others).text
    shown = Client().get(f"/tournaments/{row.pk}/rounds/1/").text
    assert "Cato Liss &amp; Asha Renn" in shown
    assert "Gila Hart &amp; Emil Lark" in shown
    assert (
        "captain of entry 2, Spring Cup"
        in owner_of(row.salon).get(f"/tournaments/{row.pk}/history/").text
    )


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("Cato Liss", "Zoe"), "Zoe is no member of entry 1; name 2 of Asha Renn, Bruno Sol"),
        (("Cato Liss", "Dora Venn"), "Dora Venn is no member of entry 1"),
        (("Cato Liss", "Cato Liss"), "Cato Liss stands in the line-up twice"),
        (("Cato Liss",), "2 of entry 1 play at a table, not 1"),
        ((), "2 of entry 1 play at a table, not 0"),
    ],
)
def test_a_line_up_that_cant_be_is_refused_with_what_would_work(
    row: Tournament, names: tuple[str, ...], words: str
) -> None:
    client, page = phone(row, "1")

    answer = client.post(page, line_up(*names))

    assert (answer.status_code, words in answer.text) == (422, True)
    assert not SealedLineUp.objects.exists()


def test_a_captain_speaks_for_the_own_team_alone(row: Tournament) -> None:
    client, page = phone(row, "1")

    client.post(page, line_up("Cato Liss", "Asha Renn") | {"entry": "2"})

    assert SealedLineUp.objects.get().entry == "1"
    link = links_of(row, ["2"])["2"]
    assert client.get(f"/captains/{link.token}/").text.count("PIN")
    refused = client.post(f"/captains/{link.token}/", line_up("Gila Hart", "Emil Lark"))
    assert refused.status_code == 422
    assert SealedLineUp.objects.count() == 1


def test_a_pin_opens_no_page_of_another_team_tournament_or_salon(row: Tournament) -> None:
    client, page = phone(row, "1")
    other = of_teams(opened_salon("Harbour", "ines@example.org"))
    theirs = links_of(other, ["1"])["1"]
    own = links_of(row, ["1"])["1"]

    for link in (links_of(row, ["2"])["2"], theirs):
        address = f"/captains/{link.token}/"
        assert "Hand in" not in client.get(address).text
        wrong = own.pin if own.pin != link.pin else "x"
        assert client.post(address, {"pin": wrong}).status_code == 422
        assert client.post(address, line_up("Gila Hart", "Emil Lark")).status_code == 422
    assert client.get(f"/s/{other.salon.slug}{page}").status_code == 404
    assert not SealedLineUp.objects.exists()
    for address in ("desk/", "desk/rounds/1/", "desk/entries/1/captain/"):
        assert client.get(f"/tournaments/{row.pk}/{address}").status_code in (302, 403)


def test_a_phone_that_was_let_in_by_an_old_pin_hands_in_nothing_by_the_new_link(
    row: Tournament,
) -> None:
    client, page = phone(row, "1")
    owner_of(row.salon).post(f"/tournaments/{row.pk}/desk/entries/1/captain/")
    link = CaptainLink.objects.get(entry="1")

    assert client.post(page, line_up("Cato Liss", "Asha Renn")).status_code == 404
    again = client.post(f"/captains/{link.token}/", line_up("Cato Liss", "Asha Renn"))
    assert (again.status_code, "This field is required" in again.text) == (422, True)
    assert not SealedLineUp.objects.exists()


def test_what_is_wrong_with_a_line_up_stands_at_its_field_and_the_rest_stays_chosen(
    row: Tournament,
) -> None:
    client, page = phone(row, "1")
    shown = client.post(page, line_up("Cato Liss", "Cato Liss")).text
    acts = f"/tournaments/{row.pk}/acts/line-ups/?page=round-1"
    sent = line_up("Emil Lark", "Emil Lark") | {"entry": "2", "version": str(row.version)}
    desk = owner_of(row.salon).post(acts, sent)

    assert 'aria-describedby="c-1-1-players.1-error"' in shown
    assert shown.count('<option value="Cato Liss" selected>') == 2
    assert desk.status_code == 422
    assert 'aria-describedby="d-1-2-players.1-error"' in desk.text
    assert desk.text.count('<option value="Emil Lark" selected>') == 2
    assert desk.text.count("<details open>") == 1
    for answer in (shown, desk.text):
        assert answer.count("stands in the line-up twice") == 1
        assert "Not recorded:" not in answer


def test_the_opponents_line_up_is_named_once_both_are_open(row: Tournament) -> None:
    (one, page), (two, others) = phone(row, "1"), phone(row, "2")
    one.post(page, line_up("Cato Liss", "Asha Renn"))
    sealed = told(two.get(others))
    two.post(others, line_up("Gila Hart", "Emil Lark"))

    assert "against Asha Renn & Bruno Sol & Cato Liss" in sealed
    assert "against Cato Liss & Asha Renn" in told(two.get(others))
    assert "against Gila Hart & Emil Lark" in told(one.get(page))


def test_nothing_is_offered_to_be_recorded_before_a_line_up_is_open(row: Tournament) -> None:
    owner, page = owner_of(row.salon), f"/tournaments/{row.pk}/desk/rounds/1/"
    sealed = owner.get(page).text
    acts = f"/tournaments/{row.pk}/acts/opened-line-ups/?page=round-1"
    sent = {"command": a_command(), "version": str(row.version), "round:number": "1"}
    assert owner.post(acts, sent).status_code == 302

    assert "Record the results typed" not in sealed
    assert "Record the results typed" in owner.get(page).text


def test_a_team_is_entered_with_as_many_fields_as_the_others_and_more_can_be_had(
    row: Tournament,
) -> None:
    owner = owner_of(row.salon)
    page = owner.get(f"/tournaments/{row.pk}/desk/entries/").text
    first, more = page.split("More members of the team")
    sent = {"command": a_command(), "version": str(row.version)}
    names = {f"players.{place}": f"Rhea {place}" for place in range(6)}
    made = owner.post(f"/tournaments/{row.pk}/acts/entries/?page=entries", sent | names)
    row.refresh_from_db()
    after = owner.get(f"/tournaments/{row.pk}/desk/entries/").text

    assert [f'name="players.{place}"' in first for place in range(5)] == [True] * 4 + [False]
    assert [f'name="players.{place}"' in more for place in range(4, 9)] == [True] * 4 + [False]
    assert "waits for a partner" not in page
    assert made.status_code == 302
    assert 'name="players.5"' in after.split("More members of the team")[0]


def test_a_new_link_ends_the_old_one_and_the_end_of_the_tournament_ends_all(
    row: Tournament,
) -> None:
    client, page = phone(row, "1")
    owner_of(row.salon).post(f"/tournaments/{row.pk}/desk/entries/1/captain/")
    assert client.get(page).status_code == 404

    link = CaptainLink.objects.get(entry="1")
    client.post(f"/captains/{link.token}/", {"pin": link.pin})
    assert client.get(f"/captains/{link.token}/").status_code == 200
    Tournament.objects.filter(pk=row.pk).update(phase="finished")
    for answer in (
        client.get(f"/captains/{link.token}/"),
        client.post(f"/captains/{link.token}/", line_up("Cato Liss", "Asha Renn")),
        Client().get(f"/captains/{link.token}/"),
    ):
        assert answer.status_code == 410
        assert "Spring Cup is over" in answer.text
        assert f'href="/tournaments/{row.pk}/standings/"' in answer.text
    assert not SealedLineUp.objects.exists()


@pytest.mark.parametrize("gone", [{"phase": "draft"}, {"phase": "finished", "hidden": True}])
def test_a_captain_s_link_of_an_event_that_nobody_sees_opens_nothing(
    row: Tournament, gone: dict[str, object]
) -> None:
    client, page = phone(row, "1")
    Tournament.objects.filter(pk=row.pk).update(**gone)

    assert client.get(page).status_code == 404


def test_the_desk_says_who_has_handed_in_and_hands_in_for_a_captain(row: Tournament) -> None:
    owner, page = owner_of(row.salon), f"/tournaments/{row.pk}/desk/rounds/1/"
    does(row, HandInLineUp(round=1, entry="1", members=("Cato Liss", "Asha Renn")))
    before = owner.get(page).text
    acts = f"/tournaments/{row.pk}/acts/line-ups/?page=round-1"
    sent = line_up("Emil Lark", "Fenn Moss") | {"entry": "2", "version": "1"}

    assert before.count("Handed in, sealed.") == before.count("Not handed in yet.") == 1
    assert 'name="tables.t1.results.0' not in before, "nothing is typed before they are open"
    assert owner.post(acts, sent).status_code == 302
    after = owner.get(page).text
    assert "Not handed in yet." not in after
    assert 'name="tables.t1.results.0' in after


def test_a_program_hands_in_opens_and_reads_what_is_open(row: Tournament) -> None:
    call, cup = owner_calls(row.salon), f"tournaments/{row.pk}/"
    version = call.get(cup).value["version"]

    sent = {"round": 1, "entry": "1", "players": ["Cato Liss", "Asha Renn"]}
    assert call.post(f"{cup}acts/line-ups/", sent, version=version).status == 201
    waiting = call.get(f"{cup}rounds/1/").value["tables"][0]["seated"]
    assert call.post(f"{cup}acts/opened-line-ups/", {"round": 1}, version=version + 1).status == 201
    seated = call.get(f"{cup}rounds/1/").value["tables"][0]["seated"]

    assert {each["entry"]: (each["line_up"], each["handed_in"]) for each in waiting} == {
        "1": ([], True),
        "2": ([], False),
    }
    assert {each["entry"]: each["line_up"] for each in seated} == {
        "1": ["Cato Liss", "Asha Renn"],
        "2": ["Dora Venn", "Emil Lark"],
    }
    assert call.get(f"{cup}entries/1/captain/").value["pin"] == CaptainLink.objects.get().pin


def test_the_slips_carry_the_captains_link_and_pin(row: Tournament) -> None:
    page = owner_of(row.salon).get(f"/tournaments/{row.pk}/desk/slips/").text

    for link in links_of(row, ["1", "2"]).values():
        assert link.pin in page
