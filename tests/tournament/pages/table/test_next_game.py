"""The next game, begun by a phone that heard of nobody: an act with a key like all others, by the
same people at the same seats or at others, and whoever was first at the table is first.
"""

import time
from urllib.parse import urlencode

import pytest
from django.test import Client

from ledger.models import Event
from scoring.games import GAMES
from tests.tournament.helpers.outbox import (
    A_HAND,
    MINUTE,
    TYPED,
    Entry,
    commands_of,
    in_words,
    kept,
    packed,
    sent,
)
from tests.tournament.helpers.playing import a_command, bidding
from tests.tournament.helpers.salons import opened_salon, scorer_at
from tests.tournament.pages.table.sheets.tables import FIELDS, KINDS, after_a_hand, over, started
from tournament.models import Game, Salon
from tournament.queries.first_dealer import draw_first_dealer
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience

pytestmark = pytest.mark.django_db
BY_SHEETS = [kind for kind in KINDS if GAMES[kind].turns is not None]


@pytest.fixture
def salon() -> Salon:
    return opened_salon()


def begins(client: Client, before: Game) -> Entry:
    """The entry by which a phone begins the game after this one."""
    game = packed(client)["again"]["games"][0][0]
    return {
        "command": game,
        "collection": "games",
        "body": urlencode({"game": game, "follows": before.pk}),
        "after": None,
        "version": 0,
    }


def begins_moved(client: Client, before: Game, **seats: str) -> Entry:
    """The entry by which a phone begins it with these at other seats, each by the seat before."""
    game = packed(client)["again"]["moved"][0][0]
    said = {f"seats.{seat}": origin for seat, origin in seats.items()}
    body = urlencode({"game": game, "follows": before.pk, **said})
    return {**begins(client, before), "command": game, "body": body}


def behind(start: Entry, acts: list[tuple[str, dict[str, object]]]) -> list[Entry]:
    """These acts as the same phone keeps them behind the beginning of their game."""
    entries = [start]
    for collection, fields in acts:
        entries.append(
            {
                "command": a_command(),
                "collection": collection,
                "body": urlencode({"game": start["command"], **fields}),
                "after": entries[-1]["command"],
                "version": None,
            }
        )
    return entries


@pytest.mark.parametrize("kind", BY_SHEETS)
def test_the_last_hand_the_next_game_and_its_first_hand_arrive_in_a_row(
    salon: Salon, kind: str
) -> None:
    phone, game = scorer_at(salon, "4"), after_a_hand(salon, kind)
    start, again = begins(phone, game), packed(phone)["again"]["games"]
    over(game)
    fields = {name: value for name, value in FIELDS[kind].items() if name != "dealer"}
    (dealer,) = [seat for pk, seat in again if pk == start["command"]]
    entries = behind(start, [("sheet", {"dealer": dealer, **fields})])

    answers = sent(phone, entries)

    assert [answer["state"] for answer in answers] == ["recorded"] * 2
    follower = Game.objects.get(pk=start["command"])
    assert (follower.seats, follower.kind, follower.table) == (game.seats, kind, "4")
    assert follower.state["hands"] == 1
    assert [answer["state"] for answer in sent(phone, entries)] == ["known"] * 2


@pytest.mark.parametrize("kind", BY_SHEETS)
def test_a_phone_that_takes_it_over_is_told_in_words_what_begins_and_what_is_played(
    salon: Salon, kind: str
) -> None:
    phone, game = scorer_at(salon, "4"), after_a_hand(salon, kind)
    start, again = begins(phone, game), packed(phone)["again"]["games"]
    over(game)
    fields = {name: value for name, value in FIELDS[kind].items() if name != "dealer"}
    (dealer,) = [seat for pk, seat in again if pk == start["command"]]
    before = Event.objects.count()

    begun, played = in_words(behind(start, [("sheet", {"dealer": dealer, **fields})])).json()[
        "words"
    ]

    assert Event.objects.count() == before
    assert begun.startswith("The game starts: ")
    assert all(
        name in begun for name in names_of(salon, set(game.seats.values()), Audience.SALON).values()
    )
    assert played.startswith("Deal 1" if kind == "order_of_precedence" else "Hand 1")
    assert "refused" not in begun + played


def test_a_phone_that_takes_it_over_is_told_who_would_sit_at_two_seats(salon: Salon) -> None:
    phone, game = scorer_at(salon, "4"), over(after_a_hand(salon, "precedence"))
    start = begins_moved(phone, game, N="N", E="N", S="S", W="W")

    (told,) = in_words([start]).json()["words"]

    assert "would be refused: each player of the game before it sits at one seat" in told


def test_the_house_rules_stay_and_the_acts_of_the_new_game_are_its_own(salon: Salon) -> None:
    game = after_a_hand(salon, "precedence", target_score=99, meld_overlap=True)
    phone = scorer_at(salon, "4")
    start = begins(phone, game)
    over(game)

    entries = behind(start, A_HAND[:-1])
    sent(phone, entries)

    follower = Game.objects.get(pk=start["command"])
    assert follower.state["target_score"] == 99
    assert follower.state["meld_overlap"] is True
    assert commands_of(follower) == [entry["command"] for entry in entries[1:]]


def test_the_page_says_which_games_can_follow_and_who_deals_first(salon: Salon) -> None:
    game = after_a_hand(salon, "precedence", first_trump="B")
    phone = scorer_at(salon, "4")

    again = packed(phone)["again"]

    assert again == packed(phone)["again"]
    assert len({game for game, _ in again["games"]}) == 12
    assert again["games"] == [[pk, draw_first_dealer("NESW", pk)] for pk, _ in again["games"]]
    assert again["trump"] == "B"
    sent(phone, [begins(phone, over(game))])
    follower = Game.objects.get(table="4", finished=False)
    assert follower.pk == again["games"][0][0]
    assert follower.pk not in dict(packed(phone)["again"]["games"])


def test_a_game_that_is_over_has_a_page_for_the_next_one(salon: Salon) -> None:
    over(after_a_hand(salon, "precedence"))

    assert packed(scorer_at(salon, "4"))["over"] is True


def test_nobody_begins_a_game_while_the_one_before_it_is_open(salon: Salon) -> None:
    game = bidding(salon)
    phone = scorer_at(salon, "4")

    (answer,) = sent(phone, [begins(phone, game)])

    assert answer["state"] == "refused"
    assert "still open at table 4" in answer["words"]


def test_whoever_took_the_table_meanwhile_is_first_and_what_was_kept_goes_out_later(
    salon: Salon,
) -> None:
    game = over(after_a_hand(salon, "precedence"))
    phone = scorer_at(salon, "4")
    entries = behind(begins(phone, game), A_HAND[:-1])
    taken = after_a_hand(salon, "precedence")

    (answer,) = sent(phone, entries)
    assert answer["state"] == "refused"
    assert "Another game was begun at table 4 meanwhile" in answer["words"]

    over(taken)
    assert {answer["state"] for answer in sent(phone, entries)} == {"recorded"}


def test_two_phones_that_begin_the_next_game_begin_the_same(salon: Salon) -> None:
    game = over(after_a_hand(salon, "precedence"))
    one, other = scorer_at(salon, "4"), scorer_at(salon, "4")
    first = behind(begins(one, game), A_HAND[:3])
    second = behind(begins(other, game), A_HAND[:2])
    sent(one, first)

    answers = sent(other, second)

    assert [answer["state"] for answer in answers] == ["known", "refused"]
    assert answers[1]["words"] == "Something else was recorded at this table first."
    assert len(answers[1]["meanwhile"]) > 0


def test_what_was_typed_in_a_game_that_began_here_keeps_its_time(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, now = over(after_a_hand(salon, "precedence")), time.time_ns
    phone = scorer_at(salon, "4")
    entries = behind(begins(phone, game), A_HAND[:2])
    for place, entry in enumerate(entries):
        entry["typed_at"] = TYPED + MINUTE * place
    monkeypatch.setattr(time, "time_ns", lambda: now() + 60 * MINUTE * 1_000_000)

    sent(phone, entries, sent_at=TYPED + 30 * MINUTE)

    events = Event.objects.filter(stream=entries[0]["command"]).order_by("version")
    times = dict(events.values_list("command", "occurred_at"))
    began, opened, bid = (times[entry["command"]] for entry in entries)
    assert (opened - began) // 1_000_000 == 60
    assert (bid - opened) // 1_000_000 == 60


@pytest.mark.parametrize("follows", ["", "0" * 32])
def test_a_game_begins_after_one_of_its_own_table(salon: Salon, follows: str) -> None:
    game = over(after_a_hand(salon, "precedence"))
    phone = scorer_at(salon, "4")
    entry = begins(phone, game)

    body = urlencode({"game": entry["command"], "follows": follows})
    (answer,) = sent(phone, [entry | {"body": body}])

    assert answer["state"] == "refused"
    assert not Game.objects.filter(pk=entry["command"]).exists()


def test_the_game_before_goes_out_first(salon: Salon) -> None:
    game = started(salon, "precedence")
    phone = scorer_at(salon, "4")
    entries = kept(game, [("sheet", FIELDS["precedence"])])

    assert [answer["state"] for answer in sent(phone, entries)] == ["recorded"]


@pytest.mark.parametrize("kind", BY_SHEETS)
def test_the_next_game_begins_with_the_same_people_at_other_seats(salon: Salon, kind: str) -> None:
    game = over(after_a_hand(salon, kind))
    phone, seats = scorer_at(salon, "4"), list(game.seats)
    came_from = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    start = begins_moved(phone, game, **came_from)

    assert [answer["state"] for answer in sent(phone, [start])] == ["recorded"]
    assert [answer["state"] for answer in sent(phone, [start])] == ["known"]
    follower = Game.objects.get(pk=start["command"])
    assert follower.seats == {seat: game.seats[origin] for seat, origin in came_from.items()}


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ({"N": "N", "E": "E", "S": "S", "W": "N"}, "nobody is left out"),
        ({"N": "S", "S": "N"}, "one of N, E, S, W is expected here"),
        ({"N": "N", "E": "E", "S": "S", "W": "A"}, "one of N, E, S, W is expected here"),
        ({"N": "N", "E": "E", "S": "S", "W": "W", "A": "W"}, "there is no key 'A' here"),
        ({"N": "Somebody Else", "E": "E", "S": "S", "W": "W"}, "is expected here"),
    ],
)
def test_the_next_game_is_of_the_same_people_each_at_one_seat(
    salon: Salon, seats: dict[str, str], words: str
) -> None:
    game = over(after_a_hand(salon, "precedence"))
    phone = scorer_at(salon, "4")

    (answer,) = sent(phone, [begins_moved(phone, game, **seats)])

    assert answer["state"] == "refused"
    assert words in answer["words"]
    assert Game.objects.count() == 1


def test_two_phones_that_change_the_seats_otherwise_hear_of_each_other(salon: Salon) -> None:
    game = over(after_a_hand(salon, "precedence"))
    one, other, third = (scorer_at(salon, "4") for _ in range(3))
    same = begins(third, game)
    first = begins_moved(one, game, N="N", E="W", S="E", W="S")
    second = begins_moved(other, game, N="N", E="S", S="W", W="E")
    sent(one, [first])

    (answer,) = sent(other, [second])
    assert answer["state"] == "refused"
    assert "with people at other seats. Drop yours" in answer["words"]
    (answer,) = sent(third, [same])
    assert "Another game was begun at table 4 meanwhile" in answer["words"]


def test_at_other_seats_the_first_dealer_is_drawn_anew(salon: Salon) -> None:
    after_a_hand(salon, "precedence")
    again = packed(scorer_at(salon, "4"))["again"]

    assert {game for game, _ in again["games"]}.isdisjoint(game for game, _ in again["moved"])
    assert again["moved"] == [[pk, draw_first_dealer("NESW", pk)] for pk, _ in again["moved"]]
