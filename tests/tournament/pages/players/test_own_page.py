"""The page of an entry's own people: found by the code on their slip, it says where they sit, what
waits for them and how they stand.
"""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from scoring.confirmation import ConfirmHands
from tests.tournament.helpers.evenings import (
    after_round_1,
    does,
    in_round_1,
    registered,
    result,
)
from tests.tournament.helpers.played import hand, record
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.accounts.personal_links import format_code, links_of
from tournament.domain.standings.values import Stage
from tournament.domain.tournament.clock import PauseClock, StartClock
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.state import MICROSECONDS
from tournament.models import Call, Game, PersonalLink, Player, Salon, Tournament
from tournament.pages.players import entry_page_cache
from tournament.privacy.erasure import erase
from tournament.projections.background import catch_up
from tournament.queries import round_clocks
from tournament.recording.confirmations import record_attestation
from tournament.recording.tournaments import start_linked_game
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

NOW = 1_700_000_000 * MICROSECONDS
AGAIN = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing, at a moment at which the clock of a round stands for this test."""
    monkeypatch.setattr(round_clocks, "time_ns", lambda: NOW * 1000)
    entry_page_cache.forget()


def page_of(row: Tournament, entry: str = "1") -> str:
    """The address of the page of an entry."""
    return f"/me/{links_of(row, [entry])[entry].token}/"


def seen(row: Tournament, entry: str = "1") -> str:
    """What stands on the page of an entry, for somebody without an account, but for when it was
    asked for.
    """
    answer = Client().get(page_of(row, entry))
    assert answer.status_code == 200
    return re.sub(r"\d\d:\d\d:\d\d", "", told(answer))


def table_of(row: Tournament, entry: str, number: int) -> int:
    each = state_of(row).rounds[number - 1]
    return next(table.table for table in each.tables if entry in table.entries)


def elsewhere(row: Tournament) -> str:
    """An entry that sits at another table than entry 1 in round 1."""
    own = table_of(row, "1", 1)
    return next(entry for entry in ("2", "3", "4") if table_of(row, entry, 1) != own)


def game_of(row: Tournament, entry: str = "1", label: str = "4") -> Game:
    """A game at the table of an entry in round 1."""
    row.refresh_from_db()
    return start_linked_game(
        row.salon, row.pk, round=1, table=table_of(row, entry, 1), label=label,
        actor="user:1", command=a_command(), version=row.version,
    )  # fmt: skip


def confirms(game: Game, seat: str) -> None:
    """The player of a seat says that hand 1 is right."""
    said = ConfirmHands(hands=(1,), seat=seat)
    game.refresh_from_db()
    record_attestation(
        game.salon, game.pk, said, actor="user:1", command=a_command(), version=game.version
    )


def test_before_the_first_round_it_says_whether_they_are_checked_in(salon: Salon) -> None:
    row = registered(salon)

    assert "You are not checked in yet: tell the desk that you are here." in seen(row)
    assert "You are checked in." in seen(does(row, CheckIn(entry="1")))


def test_it_says_table_seat_company_and_how_long(salon: Salon) -> None:
    row = in_round_1(salon)
    (table, *_others) = state_of(row).rounds[0].tables
    one, two = table.entries

    assert f"Table {table.table}, N–S" in seen(row, one)
    assert f"Table {table.table}, E–W" in seen(row, two)
    assert "The clock of this round has not been started." in seen(row, one)

    does(row, StartClock(round=1, at=NOW - 100 * MICROSECONDS, seconds=300))
    assert "3:20" in seen(row, one)


def test_between_rounds_and_after_them_it_says_so_with_results_and_rank(salon: Salon) -> None:
    row = after_round_1(salon)

    between = seen(row)
    assert "Between rounds" in between
    assert re.search(r"Rank \d with (1 point|0 points) after round 1\.", between)
    assert re.search(r"25[12] : 180|180 : 25[12]", between)
    over = seen(does(row, EnterPhase(phase="finished")))
    assert "The tournament is over" in over


def test_the_result_of_the_round_that_is_on_stands_there_as_soon_as_it_is_in(
    salon: Salon,
) -> None:
    row = in_round_1(salon)
    (table, *_others) = state_of(row).rounds[0].tables
    assert "251 : 180" not in seen(row, table.entries[0])

    page = seen(does(row, result(table.table, 251, 180)), table.entries[0])

    assert "251 : 180" in page


def test_of_a_plan_it_says_the_next_round_too(salon: Salon) -> None:
    page = seen(in_round_1(salon, stage=Stage(kind="round_robin")))

    assert "Then round 2" in page
    assert "As the plan has it; it holds once the round is published." in page


def test_it_says_which_hands_wait_for_them_until_they_are_confirmed(salon: Salon) -> None:
    row = in_round_1(salon)
    game = game_of(row)
    record(game, *hand("S", (4, 3, 3, 2), (7, 6)))
    other = elsewhere(row)

    assert "Confirm hand 1" in seen(row)
    assert "Confirm hand" not in seen(row, other)
    for seat in ("N", "E"):
        confirms(game, seat)
    assert "Confirm hand" not in seen(row)


def test_of_a_silent_round_it_says_the_seat_and_nothing_that_was_scored(salon: Salon) -> None:
    row = does(after_round_1(salon), BeginSilence(from_round=2), DrawRound(round=2))
    row = does(row, PublishRound(round=2))
    before = seen(row)
    does(row, *(result(table, 999, 888, round=2) for table in (1, 2)), CloseRound(round=2))
    catch_up(salon.log, PROJECTIONS)
    after = seen(row)

    assert "From round 2 on results are silent" in before
    # as numbers: an address with a key of the page may hold these digits by chance
    assert not re.findall(r"\b(?:999|888)\b", after)
    ranks = [re.findall(r"Rank .* after round 1\.", page) for page in (before, after)]
    assert ranks[0] == ranks[1] != []


def test_a_silent_game_is_not_told_of(salon: Salon) -> None:
    row = does(in_round_1(salon), BeginSilence(from_round=1))
    game = game_of(row)
    record(game, *hand("S", (4, 3, 3, 2), (7, 6)))

    page = seen(row)
    assert "Confirm hand" not in page
    assert "The board of your table" not in page


def test_a_round_that_is_not_published_is_not_told_of(salon: Salon) -> None:
    row = after_round_1(salon)
    before = seen(row)

    row = does(row, DrawRound(round=2))

    assert seen(row) == before
    assert "Round 2" in seen(does(row, PublishRound(round=2)))


def test_nobody_but_a_director_opens_a_draft_s_pages(salon: Salon) -> None:
    row = registered(salon)
    page = page_of(row)
    Tournament.objects.filter(pk=row.pk).update(phase="draft")

    assert Client().get(page).status_code == 404


def test_names_stand_whole_there_for_those_who_were_given_the_code(salon: Salon) -> None:
    row = in_round_1(salon)
    Player.objects.filter(salon=salon).update(names_shown="pseudonym")
    page = page_of(row)

    assert "Asha Renn" in told(Client().get(page))
    assert "Asha Renn" not in told(Client().get(f"/tournaments/{row.pk}/entries/1/"))


def test_the_code_on_the_slip_is_typed_in_any_case_and_spacing(salon: Salon) -> None:
    row = in_round_1(salon)
    link = links_of(row, ["1"])["1"]
    code = format_code(link)

    slips = told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/slips/"))
    assert code in slips
    for typed in (code, code.lower(), f" {code[:2]} {code[2:]} "):
        answer = Client().post("/me/", {"code": typed})
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/me/{link.token}/")


def test_a_wrong_code_opens_nothing_and_after_many_the_door_waits(
    salon: Salon, settings: Settings
) -> None:
    settings.WRONG_CODES_OF_ONE_ADDRESS = 5
    client, code = Client(), links_of(in_round_1(salon), ["1"])["1"].code
    answers = [client.post("/me/", {"code": f"ABCDEFG{number}"}) for number in range(2, 7)]

    assert all("There is no such code here." in told(answer) for answer in answers)
    waits = client.post("/me/", {"code": code})
    assert waits.status_code == 422
    assert "Wait 60 seconds" in told(waits)
    assert Client(REMOTE_ADDR="192.0.2.9").post("/me/", {"code": code}).status_code == 302


def test_what_is_no_code_at_all_is_said_plainly(salon: Salon) -> None:
    for typed in ("", "x" * 21, "\0"):
        assert Client().post("/me/", {"code": typed}).status_code == 422


@pytest.mark.parametrize("what", ["", "end"])
def test_the_old_code_opens_nothing_once_there_is_another_or_none(salon: Salon, what: str) -> None:
    row = in_round_1(salon)
    page, link = page_of(row), links_of(row, ["1"])["1"]
    etag = Client().get(page, headers=AGAIN).headers["ETag"]
    slip = f"/tournaments/{row.pk}/desk/entries/1/page/"

    assert owner_of(salon).post(slip, {"what": what}).status_code == 302

    assert Client().get(page).status_code == 404
    assert Client().get(page, headers=AGAIN | {"If-None-Match": etag}).status_code == 404
    assert Client().get(f"{page}rounds.ics").status_code == 404
    assert Client().post("/me/", {"code": link.code}).status_code == 422
    kept = PersonalLink.objects.get(entry="1")
    assert (kept.ended, kept.code == link.code) == (what == "end", what == "end")
    assert (kept.code in told(owner_of(salon).get(slip)).replace(" ", "")) is (not what)


def test_one_that_was_ended_is_opened_again_by_another(salon: Salon) -> None:
    row = in_round_1(salon)
    slip, owner = f"/tournaments/{row.pk}/desk/entries/1/page/", owner_of(salon)
    owner.post(slip, {"what": "end"})
    assert "The page is closed" in told(owner.get(slip))
    ended = PersonalLink.objects.get()
    assert format_code(ended) not in told(owner.get(f"/tournaments/{row.pk}/desk/slips/"))

    owner.post(slip)

    assert Client().get(page_of(row)).status_code == 200


def test_a_link_is_nothing_in_another_salon(salon: Salon) -> None:
    page = page_of(in_round_1(salon))
    other = opened_salon("Elsewhere", "pim@example.org")

    assert Client().get(f"/salons/{salon.slug}{page}").status_code == 200
    assert Client().get(f"/salons/{other.slug}{page}").status_code == 404


def test_the_director_who_scans_it_checks_the_entry_in(salon: Salon) -> None:
    row = registered(salon)
    words = "Check in Asha Renn"

    assert words in told(owner_of(salon).get(page_of(row)))
    assert words not in told(member(salon, "scorer").get(page_of(row)))
    assert words not in seen(row)


def unchanged(page: str) -> tuple[int, int]:
    """The status of a look at the page that one has, and how many look-ups it took."""
    etag = Client().get(page, headers=AGAIN).headers["ETag"]
    with CaptureQueriesContext(
        connection,
    ) as looks:
        answer = Client().get(page, headers=AGAIN | {"If-None-Match": etag})
    return answer.status_code, len(looks)


def test_one_that_is_the_same_is_answered_by_one_look_up(salon: Salon) -> None:
    row = in_round_1(salon)
    game_of(row)
    does(row, StartClock(round=1, at=NOW, seconds=300))

    assert unchanged(page_of(row)) == (304, 1)


def test_whatever_it_shows_changes_what_it_is_asked_again_by(salon: Salon) -> None:
    row = in_round_1(salon)
    page = page_of(row)
    etags = [Client().get(page, headers=AGAIN).headers["ETag"]]

    def looked(*commands: Any) -> None:
        if commands:
            does(row, *commands)
        answer = Client().get(page, headers=AGAIN | {"If-None-Match": etags[-1]})
        assert answer.status_code == 200, commands
        etags.append(answer.headers["ETag"])

    looked(StartClock(round=1, at=NOW, seconds=300))
    looked(PauseClock(round=1, at=NOW + 1))
    game = game_of(row)
    looked()
    record(game, *hand("S", (4, 3, 3, 2), (7, 6)))
    looked()
    confirms(game, "N")
    looked()
    catch_up(salon.log, PROJECTIONS)
    looked()
    erase(Player.objects.get(name="Asha Renn"), actor="user:1")
    looked()
    assert len(set(etags)) == len(etags)


def test_what_happens_at_other_tables_leaves_it_as_it_is(salon: Salon) -> None:
    row = in_round_1(salon)
    other = next(
        entry for entry in ("2", "3", "4") if table_of(row, entry, 1) != table_of(row, "1", 1)
    )
    game = game_of(row, other)
    etag = Client().get(page_of(row), headers=AGAIN).headers["ETag"]

    record(game, *hand("S", (4, 3, 3, 2), (7, 6)))

    again = AGAIN | {"If-None-Match": etag}
    assert Client().get(page_of(row), headers=again).status_code == 304


def test_a_player_calls_the_director_to_the_table_where_they_play(salon: Salon) -> None:
    """Without an account; the desk sees it, the page says what becomes of it and takes it back."""
    row = in_round_1(salon)
    before = Client().get(page_of(row))
    assert "Call the director" not in told(before)
    game_of(row)
    player = Client()
    form = {"command": a_command(), "reason": "rules"}

    assert "Call the director" in told(player.get(page_of(row)))
    fresh = player.get(page_of(row), headers=AGAIN)
    assert player.post(f"{page_of(row)}calls/", form).status_code == 302
    assert player.post(f"{page_of(row)}calls/", form).status_code == 302  # a double tap

    call = Call.objects.get()
    assert (call.table, call.tournament, call.ended_at) == ("4", row.pk, None)
    assert "question about the rules" in told(owner_of(salon).get("/calls/"))
    again = AGAIN | {"If-None-Match": fresh.headers["ETag"]}
    assert "The director is called, waiting since" in told(player.get(page_of(row), headers=again))
    back = {"command": a_command(), "what": "back"}
    assert player.post(f"{page_of(row)}calls/", back).status_code == 302
    call.refresh_from_db()
    assert call.ending == "taken_back"


def test_nobody_calls_from_a_page_whose_table_has_no_game(salon: Salon) -> None:
    row = in_round_1(salon)
    form = {"command": a_command(), "reason": "rules"}

    assert Client().post(f"{page_of(row)}calls/", form).status_code == 404
    assert not Call.objects.exists()


def test_the_bar_leads_a_player_without_an_account_to_no_sign_in(salon: Salon) -> None:
    row = in_round_1(salon)

    page = Client().get(page_of(row)).content.decode()
    led = set(re.findall(r'<a href="([^"]+)"', page[page.index("<nav") : page.index("</nav>")]))

    assert led
    assert all(Client().get(address).status_code == 200 for address in led)


def test_a_slip_and_the_own_page_name_the_same_table(salon: Salon) -> None:
    """That of the salon where the game is, whatever its number in the round."""
    row = in_round_1(salon)
    game = game_of(row, label="8")
    own = seen(row)
    slips = told(owner_of(salon).get(f"/tournaments/{row.pk}/desk/slips/"))

    assert "Table 8 of the salon" in own
    assert "Round 1: table 8 of the salon" in slips
    assert "Table 8, hand 1" in told(owner_of(salon).get(f"/tables/{game.table}/"))
