"""Calling the director: from a pad, a seat or a player's account, and what stands at the desk."""

import re

import pytest
from django.test import Client
from django.urls import resolve, reverse

from scoring.games import GAMES
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import does, in_round_1, start_first_table
from tests.tournament.helpers.playing import a_command, a_game, bidding, told
from tests.tournament.helpers.salons import member, owner_of, scorer_at, seated
from tournament.domain.tournament.lifecycle import BeginSilence
from tournament.models import Call, Game, Player, Salon, Tournament
from tournament.queries.calls import REASONS

AT_4 = "/tables/4/director/"
HX = {"HX-Request": "true"}


def calls(client: Client, reason: str = "card", *, command: str = "") -> Answer:
    return client.post(AT_4, {"reason": reason, "command": command or a_command()})


def takes_back(client: Client, call: Call) -> Answer:
    sent = {"call": call.pk, "command": a_command()}
    return client.post(f"{AT_4}cancellations/", sent)


def acts(client: Client, call: Call, collection: str, **sent: str) -> Answer:
    address = reverse("call_acts", args=[call.pk, collection])
    return client.post(address, {"command": a_command()} | sent, headers=HX)


def in_a_tournament(salon: Salon) -> Tournament:
    """One whose first table plays at table 4."""
    row = in_round_1(salon)
    start_first_table(salon, row)
    row.refresh_from_db()
    return row


def desk_of(row: Tournament) -> str:
    return f"/tournaments/{row.pk}/desk/"


def test_the_page_offers_six_reasons_each_a_sentence(salon: Salon) -> None:
    page = scorer_at(salon, "4").get(AT_4)

    assert re.findall(r'name="reason" value="(\w+)"', page.text) == list(REASONS)
    assert all(str(words) in told(page) for words in REASONS.values())


def test_every_way_to_a_table_leads_to_the_call(salon: Salon) -> None:
    phone = scorer_at(salon, "4")
    free = phone.get("/tables/4/")
    game = a_game(salon)
    seat = seated(game, "E")

    for client, page in (
        (phone, "/tables/4/"),
        (phone, "/tables/4/sheet/"),
        (seat, f"/games/{game.pk}/confirmation/"),
        (player_in(salon, game), f"/games/{game.pk}/confirmation/"),
    ):
        assert AT_4 in client.get(page).text, page
        assert client.get(AT_4).status_code == 200
    assert AT_4 in free.text
    assert AT_4 not in Client().get(f"/games/{game.pk}/confirmation/").text


def player_in(salon: Salon, game: Game) -> Client:
    """The account of who sits in the east."""
    return member(salon, "player", Player.objects.get(salon=salon, name="Ilse Marrow"))


def test_no_page_of_a_table_takes_the_address_of_what_a_game_records() -> None:
    collections = {each for game in GAMES.values() for each in game.acts}

    assert {resolve(f"/tables/4/{each}/").url_name for each in collections} == {"acts"}


def test_who_sits_at_another_table_calls_nobody_to_this_one(salon: Salon) -> None:
    client = player_in(salon, a_game(salon, table="5"))

    assert calls(client).status_code == 403
    assert not Call.objects.exists()


def test_who_has_left_the_table_calls_nobody_to_it(salon: Salon) -> None:
    seat = seated(a_game(salon), "E")
    a_game(salon)

    assert calls(seat).status_code == 403


def test_the_table_sees_since_when_it_waits_and_who_is_coming(salon: Salon) -> None:
    phone, owner = scorer_at(salon, "4"), owner_of(salon)
    assert calls(phone).status_code == 303
    call = Call.objects.get()

    waits = told(phone.get(AT_4))
    acts(owner, call, "arrivals")
    comes = told(phone.get(AT_4, headers=HX))
    acts(owner, call, "answers")
    over = told(phone.get(AT_4, headers=HX))

    assert "Called at" in waits
    assert "It stands on the director’s desk" in waits
    assert "Take the call back" in waits
    assert "The director is coming" in comes
    assert "Answered at" in over
    assert "Call again" in over


def test_a_second_call_of_a_table_says_that_it_has_called(salon: Salon) -> None:
    phone, command = scorer_at(salon, "4"), a_command()
    assert [calls(phone, command=command).status_code for _tap in range(2)] == [303, 303]

    again = calls(scorer_at(salon, "4"), "rules")

    assert again.status_code == 422
    assert "table 4 has called the director already" in told(again)
    assert "A wrong card was played or shown" in told(again)
    assert Call.objects.count() == 1


def test_a_call_that_was_taken_back_stands_at_no_desk(salon: Salon) -> None:
    phone = scorer_at(salon, "4")
    calls(phone)
    assert "Table 4: A wrong card" in told(owner_of(salon).get("/calls/"))

    assert takes_back(phone, Call.objects.get()).status_code == 303
    again = takes_back(phone, Call.objects.get())

    assert "Taken back at" in told(phone.get(AT_4))
    assert "No table is calling." in told(owner_of(salon).get("/calls/", headers=HX))
    assert again.status_code == 422
    assert "the table has taken this call back" in told(again)


def test_a_table_takes_no_other_tables_call_back(salon: Salon) -> None:
    calls(scorer_at(salon, "4"))
    sent = {"call": Call.objects.get().pk, "command": a_command()}

    answer = scorer_at(salon, "5").post("/tables/5/director/cancellations/", sent)

    assert answer.status_code == 404
    assert Call.objects.get().ending == ""


@pytest.mark.parametrize("reason", ["", "thirst", "card" * 40])
def test_what_is_none_of_the_six_is_no_reason(salon: Salon, reason: str) -> None:
    assert calls(scorer_at(salon, "4"), reason).status_code == 422
    assert not Call.objects.exists()


def test_a_pad_shows_the_call_and_looks_again_once_somebody_is_coming(salon: Salon) -> None:
    a_game(salon)
    phone, owner = scorer_at(salon, "4"), owner_of(salon)

    def looked(page: Answer) -> Answer:
        shown = re.search(r'data-shown="([^"]*)"', page.text)
        assert shown is not None
        known = shown[1].replace("&quot;", '"')
        return phone.get("/tables/4/", headers=HX | {"If-None-Match": known})

    before = phone.get("/tables/4/")
    calls(phone)
    called = looked(before)
    unchanged = looked(called)
    acts(owner, Call.objects.get(), "arrivals")
    coming = looked(called)

    assert "Call the director" in told(before)
    assert "The director is called" in told(called)
    assert unchanged.status_code == 304
    assert "The director is coming" in told(coming)


def test_a_desk_shows_its_calls_and_those_of_no_tournament_the_oldest_first(salon: Salon) -> None:
    row, owner = in_a_tournament(salon), owner_of(salon)
    other = scorer_at(salon, "5")
    other.post("/tables/5/director/", {"reason": "table", "command": a_command()})
    calls(scorer_at(salon, "4"))

    for page in (
        desk_of(row),
        f"{desk_of(row)}entries/",
        f"{desk_of(row)}rounds/1/",
        f"{desk_of(row)}calls/",
    ):
        shown = told(owner.get(page))
        assert shown.index("Table 5: Something is wrong") < shown.index("Table 4: A wrong card")
        assert "a table in no tournament" in shown
        assert "Spring Cup, round 1, table 1" in shown


def test_a_desk_that_looks_again_hears_nothing_where_nothing_changed(salon: Salon) -> None:
    row, owner = in_a_tournament(salon), owner_of(salon)
    address = f"{desk_of(row)}calls/"

    def shown(answer: Answer) -> str:
        found = re.search(r'data-shown="([^"]*)"', answer.text)
        assert found is not None
        return found[1].replace("&quot;", '"')

    first = shown(owner.get(desk_of(row)))
    unchanged = owner.get(address, headers=HX | {"If-None-Match": first})
    calls(scorer_at(salon, "4"))
    changed = owner.get(address, headers=HX | {"If-None-Match": first})

    assert unchanged.status_code == 304
    assert "Table 4: A wrong card" in told(changed)
    assert "<html" not in changed.text


def test_an_act_at_the_desk_answers_with_what_waits_then(salon: Salon) -> None:
    row, owner = in_a_tournament(salon), owner_of(salon)
    calls(scorer_at(salon, "4"))
    call = Call.objects.get()

    coming = acts(owner, call, "arrivals", tournament=row.pk)
    twice = acts(owner, call, "arrivals", tournament=row.pk)
    answered = acts(owner, call, "answers", tournament=row.pk)
    late = acts(owner, call, "answers", tournament=row.pk)

    assert "A director is coming" in told(coming)
    assert (twice.status_code, late.status_code) == (422, 422)
    assert "a director is coming already" in told(twice)
    assert "No table is calling." in told(answered)
    assert "this call was answered already" in told(late)


def test_without_scripts_an_act_leads_back_to_where_it_was_done(salon: Salon) -> None:
    row, owner = in_a_tournament(salon), owner_of(salon)
    calls(scorer_at(salon, "4"))
    call = Call.objects.get()

    def back(collection: str, **sent: str) -> str:
        address = reverse("call_acts", args=[call.pk, collection])
        return owner.post(address, {"command": a_command()} | sent)["Location"]

    assert back("arrivals", tournament=row.pk) == desk_of(row)
    assert back("answers", tournament=row.pk, back="calls") == f"{desk_of(row)}calls/"
    assert back("reopenings", back="calls") == "/calls/"
    assert back("answers") == "/"


def test_the_evening_tells_how_long_tables_waited(salon: Salon) -> None:
    row, owner = in_a_tournament(salon), owner_of(salon)
    for seconds in (20, 40, 300):
        calls(scorer_at(salon, "4"))
        call = Call.objects.get(ended_at=None)
        acts(owner, call, "answers")
        Call.objects.filter(pk=call.pk).update(ended_at=call.made_at + seconds * 1_000_000)
    calls(scorer_at(salon, "4"))
    takes_back(scorer_at(salon, "4"), Call.objects.get(ended_at=None))

    for page in ("/calls/", f"{desk_of(row)}calls/"):
        shown = told(owner.get(page))
        assert "4 calls. 3 were answered." in shown
        assert "they waited 0:40 in the middle and 5:00 at the longest" in shown
        assert "taken back by the table" in shown


def test_what_is_called_after_midnight_belongs_to_the_evening_before(salon: Salon) -> None:
    calls(scorer_at(salon, "4"))
    midnight = 1_764_201_600_000_000  # 27 November 2025, 0:00 UTC
    Call.objects.update(made_at=midnight + 3_600_000_000)
    owner = owner_of(salon)

    assert "One call." in told(owner.get("/calls/?evening=2025-11-26"))
    assert "Nobody has called." in told(owner.get("/calls/?evening=2025-11-27"))
    assert "26 November 2025" in told(owner.get("/calls/?evening=2025-11-27"))
    for nonsense in ("never", "0001-01-01", "9999-12-31", "2025-02-30"):
        assert owner.get(f"/calls/?evening={nonsense}").status_code == 200


def test_both_ends_of_a_call_stand_in_the_history(salon: Salon) -> None:
    a_game(salon)
    calls(scorer_at(salon, "4"), "rules")
    owner, call = owner_of(salon), Call.objects.get()
    for collection in ("arrivals", "answers", "reopenings", "answers"):
        acts(owner, call, collection)

    for page in (f"/calls/{call.pk}/", "/history/?show=calls"):
        shown = told(owner.get(page))
        assert "Table 4 calls the director: We have a question about the rules" in shown
        assert "A director is coming to table 4" in shown
        assert "Table 4 has its answer" in shown
        assert "Table 4 has no answer after all" in shown


def test_an_answer_too_much_is_taken_back_on_the_page_of_all_calls(salon: Salon) -> None:
    calls(scorer_at(salon, "4"))
    owner, call = owner_of(salon), Call.objects.get()
    acts(owner, call, "answers")
    assert "Not answered after all" in told(owner.get("/calls/"))

    acts(owner, call, "reopenings")

    assert "Table 4: A wrong card" in told(owner.get("/calls/"))


def test_in_a_silent_round_a_player_calls_and_nothing_of_the_game_is_told(salon: Salon) -> None:
    row = does(in_a_tournament(salon), BeginSilence(from_round=1))
    game = Game.objects.get(table="4")

    assert calls(seated(game, "E")).status_code == 303
    shown = told(member(salon, "auditor").get(f"{desk_of(row)}calls/"))

    assert "Table 4: A wrong card" in shown
    assert "Answered" not in shown


def test_home_shows_calls_to_those_who_direct(salon: Salon) -> None:
    a_game(salon)
    calls(scorer_at(salon, "4"))

    assert "Table 4: A wrong card" in told(owner_of(salon).get("/"))
    assert "Table 4: A wrong card" not in told(scorer_at(salon, "4").get("/"))


def test_the_head_of_a_pad_says_that_a_call_waits_and_that_somebody_is_coming(
    salon: Salon, owner: Client
) -> None:
    bidding(salon)
    phone = scorer_at(salon, "4")

    def head() -> str:
        page = phone.get("/tables/4/").text
        return page[page.index('id="padtop"') :].partition("</header>")[0]

    assert "director" not in head()
    calls(phone)
    assert "The director is called, waiting since" in " ".join(head().split())
    acts(owner, Call.objects.get(), "arrivals")
    assert "The director is coming" in head()
    acts(owner, Call.objects.get(), "answers")
    assert "director" not in head()
