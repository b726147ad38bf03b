"""A game as of a moment, by either clock, and two moments beside each other."""

import pytest
from django.test import Client

from ledger.models import Event
from scoring.commands import Undo
from tests.tournament.helpers.played import PLAYERS, game_at, hand, record
from tests.tournament.helpers.playing import flat, scores
from tests.tournament.helpers.reading import entries, words
from tests.tournament.helpers.salons import owner_of
from tournament.models import Game, Player, Salon
from tournament.queries.comparison import compared
from tournament.queries.game_as_of import PLAYED, RECORDED, after, game_as_of
from tournament.salons.public_names import Audience
from tournament.streams.acts import moments_of

SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}


@pytest.fixture
def browser(salon: Salon) -> Client:
    return owner_of(salon)


@pytest.fixture
def game(salon: Salon) -> Game:
    """Two hands played at 19:30 and 20:30 of an evening, recorded now; the second one was entered
    twice.
    """
    game = game_at(salon, at="2026-10-31T19:00:00+00:00")
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)), at="2026-10-31T19:30:00+00:00")
    closed = record(game, *hand("E", (2, 3, 2, 3), (13, 0)), at="2026-10-31T20:30:00+00:00")
    record(game, Undo(version=closed - 3))
    record(game, hand("E", (2, 3, 2, 3), (6, 7))[-1], at="2026-10-31T20:30:00+00:00")
    return game


def at(game: Game, typed: str, clock: str) -> object:
    head = Event.objects.filter(log=game.salon.log_id).count()
    picture = game_as_of(moments_of(game.salon.log_id, game.pk), typed, clock, head=head)
    return picture.table["score"]


def test_by_the_time_recorded_it_is_a_prefix_of_the_log(game: Game) -> None:
    moments = moments_of(game.salon.log_id, game.pk)
    for moment in moments:
        assert at(game, str(moment.last.position), RECORDED) == moment.after["score"]
    times = [moment.last.recorded_at for moment in moments]
    assert times == sorted(times)


def test_by_the_time_played_it_is_what_stands_today(game: Game) -> None:
    assert at(game, "2026-10-31 19:15", PLAYED) == {"NS": 0, "EW": 0}
    assert at(game, "2026-10-31 19:45", PLAYED) == {"NS": 72, "EW": -70}
    assert at(game, "2026-10-31 20:45", PLAYED) == {"NS": 114, "EW": -9}


def test_the_page_shows_the_board_by_either_clock(browser: Client, game: Game) -> None:
    played = browser.get(
        f"/games/{game.pk}/history/", {"as_of": "2026-10-31 19:45", "clock": "played"}
    ).text
    assert '<p class="score">72</p>' in flat(played)
    assert "As played by 31 Oct 19:30" in words(played)

    first = Event.objects.filter(stream=game.pk).order_by("position").first()
    assert first is not None
    recorded = browser.get(
        f"/games/{game.pk}/history/", {"as_of": str(first.position), "clock": "recorded"}
    ).text
    assert scores(recorded) == ["0", "0"]
    assert "step 1 of" in words(recorded)


def test_chips_stand_beside_the_board_as_they_were_then_and_in_the_accounts(
    browser: Client, game: Game
) -> None:
    for moment in moments_of(game.salon.log_id, game.pk):
        page = browser.get(f"/games/{game.pk}/history/?at={moment.last.version}").text
        books = browser.get(f"/ledger/games/{game.pk}/?as_of={moment.last.position}").text
        for seat, chips in moment.after["chips"].items():
            shown = f"{chips:,}".replace("-", "−")
            assert f"{PLAYERS[seat]} {shown} " in words(page)
            assert f"{PLAYERS[seat]}, {SEAT_NAMES[seat]} {shown} " in words(books)
        assert f'/ledger/games/{game.pk}/?as_of={moment.last.position}"' in page


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("noon", "neither a time"),
        ("99999", "There is no line"),
        ("2020-01-01 10:00", "Nothing of this game was"),
    ],
)
def test_a_moment_that_there_is_not_is_refused_in_words(
    browser: Client, game: Game, typed: str, why: str
) -> None:
    answer = browser.get(f"/games/{game.pk}/history/", {"as_of": typed})
    assert answer.status_code == 400
    assert why in words(answer.text)

    answer = browser.get(f"/games/{game.pk}/comparison/", {"one": typed})
    assert answer.status_code == 400
    assert why in words(answer.text)


def test_two_moments_stand_side_by_side_and_what_differs_is_marked(
    browser: Client, game: Game
) -> None:
    moments = moments_of(game.salon.log_id, game.pk)
    first = next(moment for moment in moments if moment.closed)

    page = browser.get(f"/games/{game.pk}/comparison/", {"one": first.last.position}).text

    assert "North–South , differs 72 114" in words(page)
    assert "Hand 1 N–S +72, E–W −70" in words(page)
    assert "Hand 2 , differs – N–S +42, E–W +61" in words(page)
    assert page.count('<tr class="new">') == int(
        words(page).partition(" lines differ")[0].rpartition(" ")[2]
    )
    same = words(browser.get(f"/games/{game.pk}/comparison/").text)
    assert "Nothing differs." in same


def test_imperial_audits_are_counted_at_both_moments(salon: Salon) -> None:
    """P19: nine tricks above the contract twice are an audit, which a correction's preview shows as
    well.
    """
    game = game_at(salon)
    record(game, *hand("N", (2, 3, 2, 3), (13, 0)))
    record(game, *hand("E", (2, 3, 2, 3), (13, 0)))
    first, last = (moment for moment in moments_of(salon.log_id, game.pk) if moment.closed)

    found = {
        group.title: group.rows
        for group in compared(
            Game.objects.get(pk=game.pk), after(first), after(last), audience=Audience.SALON
        )
    }

    assert [(row.label, row.one, row.other) for row in found["Imperial Audits"]] == [
        ("North–South", "0", "1"),
        ("East–West", "0", "0"),
    ]


def test_the_history_is_narrowed_by_time_player_and_person(
    browser: Client, salon: Salon, game: Game
) -> None:
    other = game_at(salon, "5", actor="command-line", at="2026-10-31T22:00:00+00:00")
    stranger = Player.objects.create(salon=salon, name="Ink Heron")
    otter = Player.objects.get(salon=salon, name="Brass Otter")

    def shown(address: str, **query: str) -> set[str]:
        found = entries(browser.get(address, query).text)
        return set(Event.objects.filter(position__in=found).values_list("type", flat=True))

    assert shown("/history/", until="2026-10-31T19:10") == {"precedence.game_started"}
    assert "hand.closed" in shown("/history/", since="2026-10-31T19:20", until="2026-10-31T19:40")
    assert shown("/history/", since="2026-10-31T21:59", until="2026-10-31T22:00") == {
        "precedence.game_started"
    }
    assert shown("/history/", show="games") == {"precedence.game_started"}
    assert shown("/history/", player=stranger.pk) == set()
    assert "hand.closed" in shown("/history/", player=otter.pk)
    assert shown(f"/games/{other.pk}/history/", by="user:0") == set()
    assert shown(f"/games/{game.pk}/history/", until="2026-10-31T19:10") == {
        "precedence.game_started"
    }
    assert browser.get("/history/", {"since": "yesterday"}).status_code == 404
