"""Screens are set up at the desk; what they show is what everybody may see, whoever opened them,
and all of them show the same at the same time.
"""

import re
from collections.abc import Mapping

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import after_round_1, does, in_round_1, registered
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import member, opened_salon, owner_of
from tournament.domain.screens.rules import ArrangeScreen, HoldPart, LetGoOn, Part, RetireScreen
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import BeginSilence, EnterPhase
from tournament.domain.tournament.rounds import PublishRound
from tournament.models import Player, Salon, Screen, Text
from tournament.pages.wall import screen as wall
from tournament.pages.wall.screen import MICROSECONDS, turn_at
from tournament.pages.wall.screenfuls import LINES, ROOM, in_columns, lines_of
from tournament.queries.bracket_drawing import text_width
from tournament.recording.screens import add_screen, keep_screen


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time of the server in seconds, to be set."""
    seconds = [0]
    monkeypatch.setattr(wall, "_now", lambda: seconds[0] * MICROSECONDS)
    return seconds


def hung(salon: Salon, *parts: Part, name: str = "Bar") -> Screen:
    """A screen that shows these in turn."""
    row = add_screen(salon, name=name, address="", actor="user:1", command=a_command())
    return done(row, ArrangeScreen(name=name, parts=parts)) if parts else row


def done(row: Screen, act: object) -> Screen:
    by = {"actor": "user:1", "command": a_command()}
    row.refresh_from_db()
    keep_screen(row.salon, row.pk, act, version=row.version, **by)  # type: ignore[arg-type]
    row.refresh_from_db()
    return row


def on(row: Screen, client: Client | None = None) -> str:
    """What is on the wall now, as text."""
    answer = (client or Client()).get(f"/s/{row.address}/")
    assert answer.status_code == 200
    main = re.search(r"<main.*</main>", answer.text, re.DOTALL)
    assert main is not None
    return " ".join(re.sub(r"<[^>]+>", " ", main[0]).split())


def sends(client: Client, row: Screen, collection: str, **fields: object) -> Answer:
    """Send a form as the pages have it."""
    row.refresh_from_db()
    sent = {"version": str(row.version), "command": a_command()} | fields
    return client.post(f"/screens/{row.pk}/acts/{collection}/", sent)


LINES_OF_FORM: Mapping[str, list[str]] = {
    "place": ["2", "1", "3"],
    "kind": ["standings", "text", ""],
    "seconds": ["20", "10", "15"],
    "of": ["", "", ""],
    "note": ["left over", "Soup from nine", ""],
}


def test_a_screen_is_set_up_arranged_held_let_go_put_away_and_brought_back_by_forms_alone(
    salon: Salon,
) -> None:
    desk = owner_of(salon)
    desk.post("/screens/", {"name": "Left wall", "command": a_command()})
    row = Screen.objects.get(salon=salon)
    assert row.address == "left-wall"

    sends(desk, row, "arrangements", name="Bar", **LINES_OF_FORM)
    assert "Soup from nine" in on(row)
    assert 'value="Soup from nine"' in desk.get(f"/screens/{row.pk}/").text
    sends(desk, row, "holds", kind="text", note="Fire alarm: leave by the yard")
    assert "Fire alarm" in on(row)
    assert "Shows only" in desk.get("/screens/").text
    sends(desk, row, "releases")
    assert "Soup from nine" in on(row)
    sends(desk, row, "retirements")
    assert "This screen is retired" in on(row)
    sends(desk, row, "returns")
    assert "Soup from nine" in on(row)
    history = desk.get(f"/screens/{row.pk}/history/").text
    assert all(word in history for word in ("Left wall", "shows only", "retired", "in use again"))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seconds": ["20", "1", "15"]}, "for 5 to 600 seconds"),
        ({"seconds": ["20", "soon", "15"]}, "a whole number"),
        ({"place": ["2", "", "3"]}, "a whole number"),
        ({"kind": ["standings", "weather", ""]}, "one of seating"),
        ({"note": ["", "x" * 201, ""]}, "1 to 200 characters"),
        ({"of": ["0" * 32, "", ""]}, "one of the salon"),
        ({"kind": ["", "", ""]}, "1 to 16 parts"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_that_was_typed_is_lost(
    salon: Salon, changed: Mapping[str, list[str]], said: str
) -> None:
    row, desk = hung(salon), owner_of(salon)

    answer = sends(desk, row, "arrangements", name="By the bar", **{**LINES_OF_FORM, **changed})

    assert answer.status_code == 422
    assert said in answer.text
    assert 'value="By the bar"' in answer.text
    row.refresh_from_db()
    assert (row.version, row.name) == (1, "Bar")


def test_two_directors_at_once_are_told(salon: Salon) -> None:
    row, desk = hung(salon), owner_of(salon)
    done(row, HoldPart(part=Part(kind="clock")))

    answer = sends(desk, row, "arrangements", name="Mine", version="1", **LINES_OF_FORM)

    assert answer.status_code == 409
    assert "Somebody else was first" in answer.text


def test_screens_of_one_name_have_addresses_of_their_own(salon: Salon) -> None:
    found = {hung(salon).address for _again in range(3)}

    assert len(found) == 3
    assert "bar" in found


def test_parts_take_turns_by_the_clock_of_the_server_and_everywhere_alike(
    salon: Salon, now: list[int]
) -> None:
    one, two = (Part(kind="text", seconds=10, note=note) for note in ("Soup", "Bread"))
    row = hung(salon, one, two)

    shown = []
    for now[0] in (100, 109, 110, 119, 120):
        assert on(row, Client()) == on(row, owner_of(salon))
        shown.append("Soup" in on(row))

    assert shown == [True, True, False, False, True]


def test_what_is_held_stands_whatever_the_time_until_it_is_let_go(
    salon: Salon, now: list[int]
) -> None:
    row = hung(salon, Part(kind="text", seconds=10, note="Soup"))
    done(row, HoldPart(part=Part(kind="text", note="Bread")))
    for now[0] in (0, 7, 1000):
        assert "Bread" in on(row)
    done(row, LetGoOn())
    assert "Soup" in on(row)


def test_what_has_nothing_to_show_is_passed_over_and_a_screen_without_anything_says_whose_it_is(
    salon: Salon, now: list[int]
) -> None:
    row = hung(salon)
    assert salon.name in on(row)

    in_round_1(salon)
    for now[0] in range(0, 40, 5):
        assert "please be seated" in on(row)


def test_an_erased_text_is_on_no_wall(salon: Salon) -> None:
    row = hung(salon, Part(kind="text", note="Well done, Asha Renn"))
    Text.objects.filter(salon=salon).delete()

    assert "Asha" not in on(row)


def test_a_director_sees_on_the_wall_what_everybody_sees(salon: Salon) -> None:
    """Names as the public reads them, no draw before it is published, no result of a silent
    round.
    """
    Salon.objects.filter(pk=salon.pk).update(names_shown="first")
    event = does(after_round_1(salon), BeginSilence(from_round=2), DrawRound(round=2))
    seats, standings = (hung(salon, Part(kind=kind), name=kind) for kind in ("names", "standings"))
    desk = owner_of(salon)
    assert "please" not in on(seats, desk)
    assert "Renn" not in on(standings, desk)
    assert "Asha" in on(standings, desk)

    does(event, PublishRound(round=2))

    assert "Asha" in on(seats, desk)
    assert all(on(row, desk) == on(row) for row in (seats, standings))


def test_the_wall_of_a_salon_is_not_in_another_one(salon: Salon) -> None:
    row = hung(salon)
    other = opened_salon("Elsewhere", "pim@example.org")

    assert Client().get(f"/salons/{other.slug}/s/{row.address}/").status_code == 404
    assert member(salon, "scorer").get("/screens/").status_code == 403


def test_without_a_script_the_page_comes_again_when_its_turn_is_over(
    salon: Salon, now: list[int]
) -> None:
    row, now[0] = hung(salon, Part(kind="text", seconds=10, note="Soup")), 104

    page = Client().get(f"/s/{row.address}/").text

    assert '<noscript><meta http-equiv="refresh" content="6"></noscript>' in page


def test_a_draft_and_a_practice_are_on_no_wall(salon: Salon) -> None:
    row = hung(salon, Part(kind="standings"), Part(kind="seating"))
    event = registered(salon)
    assert "Spring Cup" not in on(row)
    does(event, EnterPhase(phase="running"), DrawRound(round=1))
    assert "Spring Cup" not in on(row)


def test_names_with_accents_stand_where_people_look_for_them(salon: Salon, owner: Client) -> None:
    row = registered(salon)
    for player, name in zip(
        Player.objects.filter(salon=salon).order_by("name"),
        ("Zoë", "Änne", "Émile", "Bo", "Ärmel", "Ed", "Yan", "Óscar"),
        strict=True,
    ):
        Player.objects.filter(pk=player.pk).update(name=name)
    row = does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))

    wall = on(hung(salon, Part(kind="names")))
    swaps = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/").text

    order = ["Änne", "Ärmel", "Bo", "Ed", "Émile", "Óscar", "Yan", "Zoë"]
    assert sorted(order, key=wall.index) == order
    (select,) = re.findall(r'<select[^>]*id="two".*?</select>', swaps, re.DOTALL)
    listed = re.findall(r"(\w+) &amp;", select)
    assert listed == [name for name in order if name in listed]


def test_60_names_turn_on_as_many_screenfuls_as_they_need(salon: Salon) -> None:
    names = [f"Player Number {number}" for number in range(60)]
    pages = in_columns(names, lambda name, room: lines_of(name, room - 560))

    shown = [name for page in pages for column in page.columns for name in column]
    assert shown == names
    assert all(len(column) <= LINES for page in pages for column in page.columns)


@given(st.lists(st.integers(5, 600), min_size=1, max_size=20), st.integers(0, 10**12))
def test_whose_turn_it_is_changes_when_it_is_over_and_not_before(
    seconds: list[int], now: int
) -> None:
    turn = turn_at(now, seconds)
    last = now + round(turn.left * MICROSECONDS)

    assert 0 < turn.left <= seconds[turn.place]
    assert turn_at(last - 1, seconds).place == turn.place
    after = turn_at(last, seconds)
    assert after.place == (turn.place + 1) % len(seconds)
    assert after.left == seconds[after.place]


@given(
    st.lists(st.text("abcdeimwMW &-", min_size=1, max_size=90), max_size=70),
    st.integers(0, 600),
)
def test_every_item_is_on_one_screenful_and_no_column_is_too_long(
    names: list[str], beside: int
) -> None:
    lines = [lines_of(name, ROOM - beside) for name in names]
    pages = in_columns(names, lambda name, room: lines_of(name, room - beside))

    assert [name for page in pages for column in page.columns for name in column] == names
    for page in pages:
        for column in page.columns:
            room = (ROOM if not page.is_wide else (ROOM - 130) // 2) - beside
            taken = sum(lines_of(name, room) for name in column)
            assert taken <= LINES or len(column) == 1
    assert len(pages) <= max(1, sum(lines))


@given(st.text("abcdeimwMW &-", min_size=1, max_size=90), st.integers(200, ROOM))
def test_lines_are_enough_for_a_text_and_one_for_what_fits(text: str, room: int) -> None:
    lines, width = lines_of(text, room), text_width(" ".join(text.split()), 100)

    assert lines * room >= width - 32 * lines
    assert lines == 1 or width > room


def test_a_public_name_on_the_wall_is_the_one_of_now(salon: Salon) -> None:
    after_round_1(salon)
    row = hung(salon, Part(kind="standings"))
    Player.objects.filter(salon=salon, name="Asha Renn").update(names_shown="pseudonym")

    assert "Asha" not in on(row)


def test_a_retired_screen_takes_nothing_but_being_brought_back(salon: Salon) -> None:
    row = done(hung(salon), RetireScreen())

    answer = sends(owner_of(salon), row, "holds", kind="clock")

    assert answer.status_code == 422
    assert "bring it back first" in answer.text
