"""What a phone kept, sent late and however often: the log has each act once, in order, or the phone
is told what came first.
"""

import json
import time
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.models import Event
from tests.tournament.helpers.outbox import (
    A_HAND,
    BIDS,
    MINUTE,
    TYPED,
    WINNERS,
    commands_of,
    in_words,
    kept,
    sent,
)
from tests.tournament.helpers.playing import a_command, a_game, bidding, done, playing, tap
from tests.tournament.helpers.salons import member, opened_salon, owner_of, scorer_at, seated
from tournament.accounts.seat_links import links_of
from tournament.accounts.table_links import renew
from tournament.integrity.audit import audit
from tournament.models import Game, Salon, Table
from tournament.pages.table.outbox import LARGEST, MOST_ACTS
from tournament.projections.background import catch_up
from tournament.streams.folds import MEMORY, fold_of
from tournament.tasks import PROJECTIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def salon() -> Salon:
    return opened_salon()


def test_what_was_kept_in_a_row_is_recorded_in_a_row(salon: Salon) -> None:
    game = a_game(salon)
    entries = kept(game, A_HAND)

    states = [answer["state"] for answer in sent(scorer_at(salon, "4"), entries)]

    assert states == ["recorded"] * len(A_HAND)
    assert commands_of(game) == [entry["command"] for entry in entries]
    game.refresh_from_db()
    assert game.state["hands"] == 1


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(
    portions=st.lists(
        st.tuples(st.integers(0, len(A_HAND) - 1), st.integers(1, MOST_ACTS)), max_size=8
    )
)
def test_whatever_is_sent_again_too_early_or_cut_off_the_log_is_the_list_once_in_order(
    db: None, portions: list[tuple[int, int]]
) -> None:
    check_portions(portions)


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(
    portions=st.lists(
        st.tuples(st.integers(0, len(A_HAND) - 1), st.integers(1, MOST_ACTS)), max_size=12
    )
)
def test_a_thousand_ways_of_sending_end_in_the_same_log(
    db: None, part: int, portions: list[tuple[int, int]]
) -> None:
    check_portions(portions)


def check_portions(portions: list[tuple[int, int]]) -> None:
    salon = Salon.objects.first() or opened_salon()
    game = a_game(salon, table="4")
    client, entries, had = owner_of(salon), kept(game, A_HAND), 0
    for begin, count in [*portions, (0, MOST_ACTS)]:
        portion = entries[begin : begin + count]
        answers = sent(client, portion)
        expected = ["known"] * max(0, min(had, begin + len(portion)) - begin)
        expected += ["recorded"] * (begin + len(portion) - max(begin, had)) if begin <= had else []
        assert [answer["state"] for answer in answers] == (expected or ["refused"])
        had = max(had, begin + len(portion)) if begin <= had else had
        assert commands_of(game) == [entry["command"] for entry in entries[:had]]
    Game.objects.filter(pk=game.pk).update(table="")


def test_an_act_waits_for_the_one_before_it_though_its_version_would_fit(salon: Salon) -> None:
    game = bidding(salon)
    first, second = kept(game, BIDS[:2])

    (answer,) = sent(scorer_at(salon, "4"), [second])

    assert (answer["state"], answer["status"]) == ("refused", 409)
    assert [first["command"], second["command"]] != commands_of(game)[-2:]


def test_what_somebody_else_recorded_first_is_told_with_who_and_what(salon: Salon) -> None:
    game = bidding(salon)
    entries = kept(game, BIDS)
    done(game, "bids", seat="W", tricks=5)

    answers = sent(scorer_at(salon, "4"), entries)

    assert [answer["state"] for answer in answers] == ["refused"]
    (theirs,) = answers[0]["meanwhile"]
    assert theirs["words"] == "West bids 5"
    assert theirs["at"].count(":") == 1
    game.refresh_from_db()
    assert (answers[0]["version"], answers[0]["place"]) == (game.version, {"hand": 1, "trick": 1})


def test_mine_after_theirs_goes_on_from_what_stands_there_now(salon: Salon) -> None:
    game = bidding(salon)
    client, entries = scorer_at(salon, "4"), kept(game, BIDS[1:2])
    done(game, "bids", seat="W", tricks=5)
    (refused,) = sent(client, entries)

    again = {"version": refused["version"], "place": refused["place"], "command": a_command()}
    answers = sent(client, [entries[0] | again])

    assert [answer["state"] for answer in answers] == ["recorded"]


def test_an_act_meant_for_another_trick_is_refused_though_it_comes_in_order(salon: Salon) -> None:
    game = playing(salon)
    entries = kept(game, [("winners", {"seat": "N"})] * 3)
    entries[2]["place"] = {"hand": 1, "trick": 2}  # tapped twice, and meant once

    answers = sent(scorer_at(salon, "4"), entries)

    assert [answer["state"] for answer in answers] == ["recorded", "recorded", "refused"]
    assert answers[-1]["status"] == 409


def test_a_rule_stops_the_row_and_is_named(salon: Salon) -> None:
    game = bidding(salon)
    entries = kept(game, [BIDS[0], BIDS[2], BIDS[1]])

    answers = sent(scorer_at(salon, "4"), entries)

    assert [answer["state"] for answer in answers] == ["recorded", "refused"]
    assert answers[1]["status"] == 422
    assert "bids next" in answers[1]["words"]


def test_the_same_command_that_says_something_else_is_refused(salon: Salon) -> None:
    game = bidding(salon)
    client, (entry,) = scorer_at(salon, "4"), kept(game, BIDS[:1])
    sent(client, [entry])

    other = entry["body"].replace("tricks%3Anumber=2", "tricks%3Anumber=7")
    (answer,) = sent(client, [entry | {"body": other}])

    assert other != entry["body"]
    assert (answer["state"], answer["status"]) == ("refused", 409)


def test_a_whole_hand_from_a_sheet_goes_on_after_taps(salon: Salon) -> None:
    game = bidding(salon)
    fields = {"bids.N:number": 4, "bids.E:number": 3, "bids.S:number": 3, "bids.W:number": 2}
    tricks: dict[str, object] = {"tricks.NS:number": 7, "tricks.EW:number": 6}

    answers = sent(
        scorer_at(salon, "4"),
        kept(game, [BIDS[0], ("sheet", fields | tricks), ("sheet", fields | tricks)]),
    )

    assert [answer["state"] for answer in answers] == ["recorded"] * 3
    game.refresh_from_db()
    assert game.state["hands"] == 2


def test_what_was_typed_long_ago_says_when_and_when_it_arrived(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, now = bidding(salon), time.time_ns
    entries = kept(game, BIDS[:1], typed_at=TYPED)
    client = scorer_at(salon, "4")

    monkeypatch.setattr(time, "time_ns", lambda: now() + 50 * MINUTE * 1_000_000)
    sent(client, entries, sent_at=TYPED + 17 * MINUTE)

    event = Event.objects.get(stream=game.pk, command=entries[0]["command"], type__endswith="made")
    between = (event.recorded_at - event.occurred_at) / 1_000 / MINUTE
    assert 17 <= between < 20


@pytest.mark.parametrize(
    ("typed_at", "sent_at"),
    [
        (TYPED - 600 * MINUTE, TYPED),  # before the game began
        (TYPED + MINUTE, TYPED),  # the clock was set back
        (-5, TYPED),
        ("soon", TYPED),
        (TYPED, "never"),
    ],
)
def test_a_time_that_cannot_be_counts_as_none(
    salon: Salon, typed_at: object, sent_at: object
) -> None:
    game = bidding(salon)
    entries = kept(game, BIDS[:1], typed_at=typed_at)

    (answer,) = sent(scorer_at(salon, "4"), entries, sent_at=sent_at)

    assert answer["state"] == "recorded"
    event = Event.objects.get(stream=game.pk, command=entries[0]["command"], type__endswith="made")
    assert event.recorded_at == event.occurred_at


def test_what_is_known_is_answered_once_the_round_or_the_game_is_over(salon: Salon) -> None:
    game = done(playing(salon, target_score=50), "totals", NS=8, EW=5)
    done_before = bidding(salon)
    assert game.finished
    client, entries = scorer_at(salon, "4"), kept(done_before, BIDS)
    sent(client, entries)
    Game.objects.filter(pk=done_before.pk).update(finished=True)

    assert [answer["state"] for answer in sent(client, entries)] == ["known"] * 3


def test_another_link_of_the_table_sends_what_the_one_before_kept(salon: Salon) -> None:
    game = bidding(salon)
    before, entries = scorer_at(salon, "4"), kept(game, BIDS)
    sent(before, entries[:2])
    renew(Table.objects.get(salon=salon, label="4"))

    refused = before.post("/tables/4/outbox/", {"acts": json.dumps(entries)})
    answers = sent(scorer_at(salon, "4"), entries)

    assert refused.status_code == 403
    assert "Accord-Command" not in refused
    assert [answer["state"] for answer in answers] == ["known", "known", "recorded"]


def test_a_game_of_another_table_is_not_recorded_in(salon: Salon) -> None:
    game = bidding(salon)
    Game.objects.filter(pk=game.pk).update(table="5")

    (answer,) = sent(scorer_at(salon, "4"), kept(game, BIDS[:1]))

    assert (answer["state"], answer["status"]) == ("refused", 409)


def test_a_seat_says_hands_are_right_by_its_own_outbox_and_nothing_else(salon: Salon) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)
    entries = kept(game, [("confirmations", {}), ("bids", {"seat": "N", "tricks:number": 1})])
    east = seated(game, "E")

    answers = [
        east.post(f"/games/{game.pk}/outbox/", {"acts": json.dumps(entries)}).json()["answers"]
        for _ in range(2)
    ]

    assert [each["state"] for each in answers[0]] == ["recorded", "refused"]
    assert [each["state"] for each in answers[1]] == ["known", "refused"]
    assert answers[0][1]["status"] == 404


def whose(client: Client) -> str:
    """The mark that this browser has now, once a page was opened in it."""
    client.get("/tables/")
    return client.cookies["whose"].value


def test_what_someone_else_kept_on_a_phone_is_not_sent_in_another_name(salon: Salon) -> None:
    """A scorer's acts stay where they are while a director is signed in on that phone."""
    game, phone = bidding(salon), member(salon, "scorer")
    entries = [each | {"by": whose(phone)} for each in kept(game, BIDS)]
    director = owner_of(salon)
    assert whose(director) != whose(phone)

    (refused,) = sent(director, entries)

    assert (refused["state"], refused["status"]) == ("refused", 403)
    assert "Someone else tapped this" in refused["words"]
    assert commands_of(game)[-1] != entries[0]["command"]
    assert [each["state"] for each in sent(phone, entries)] == ["recorded"] * 3
    last = Event.objects.filter(stream=game.pk).latest("version")
    assert last.actor == f"user:{phone.session['_auth_user_id']}"


def test_what_was_handed_over_says_so_and_plays_on_as_any_act(salon: Salon) -> None:
    game = a_game(salon)
    entries = [{**entry, "handed_over": True} for entry in kept(game, A_HAND)]

    assert {answer["state"] for answer in sent(scorer_at(salon, "4"), entries)} == {"recorded"}
    game.refresh_from_db()
    live = fold_of(salon.log_id, game.pk)
    MEMORY.forget(salon.log_id)
    assert fold_of(salon.log_id, game.pk) == live
    assert (game.state["hands"], game.version) == (1, Event.objects.filter(stream=game.pk).count())
    said = Event.objects.filter(stream=game.pk, type="act.handed_over").order_by("position")
    assert [event.command for event in said] == [entry["command"] for entry in entries]

    undo = kept(game, [("retractions", {"version:number": game.state["undo"]["version"]})])
    (undone,) = sent(owner_of(salon), undo)
    assert undone["state"] == "recorded", undone
    for address in (f"/games/{game.pk}/history/", "/history/"):
        history = " ".join(owner_of(salon).get(address).text.split())
        assert history.count("handed over to ") == len(entries)
        assert "was handed over to this phone" not in history
    catch_up(salon.log, PROJECTIONS)
    assert not audit(salon).findings


def test_a_word_that_one_seat_kept_does_not_go_out_as_the_other_sides(salon: Salon) -> None:
    game = done(playing(salon), "totals", NS=8, EW=5)
    north, east = seated(game, "N"), seated(game, "E")
    entries = [each | {"by": whose(north)} for each in kept(game, [("confirmations", {})])]

    def answered(client: Client) -> str:
        found = client.post(f"/games/{game.pk}/outbox/", {"acts": json.dumps(entries)})
        return str(found.json()["answers"][0]["state"])

    assert [answered(east), answered(north), answered(north)] == ["refused", "recorded", "known"]


def test_a_tables_phone_sends_what_it_kept_under_an_earlier_link(salon: Salon) -> None:
    game, before = bidding(salon), scorer_at(salon, "4")
    entries = [each | {"by": whose(before)} for each in kept(game, BIDS)]
    renew(Table.objects.get(salon=salon, label="4"))

    answers = sent(scorer_at(salon, "4"), entries)
    assert [each["state"] for each in answers] == ["recorded"] * 3


def test_a_word_kept_at_the_tables_phone_for_a_seat_is_not_sent_for_another(salon: Salon) -> None:
    game, phone = done(playing(salon), "totals", NS=8, EW=5), scorer_at(salon, "4")
    links = links_of(game, "NE")
    phone.post(f"/c/{links['N'].token}/", {"pin": links["N"].pin})
    entries = [each | {"by": whose(phone)} for each in kept(game, [("confirmations", {})])]
    phone.post(f"/c/{links['E'].token}/", {"pin": links["E"].pin})

    (refused,) = sent(phone, entries)
    assert (refused["state"], refused["status"]) == ("refused", 403)
    assert "confirmed" not in str(Game.objects.get(pk=game.pk).confirmation)


def test_signing_out_clears_what_the_browser_keeps_and_whose_it_is(salon: Salon) -> None:
    game, phone = bidding(salon), member(salon, "scorer")
    mark = whose(phone)
    for address in ("/tables/4/pack/", "/tables/4/handover/"):
        assert f'data-whose="{mark}"' in phone.get(address).text
    assert "data-whose" not in phone.get("/tables/4/").text

    answer = phone.post("/sign-out/")

    assert answer["Clear-Site-Data"] == '"cache"'
    assert answer.cookies["whose"].value == ""
    assert game.pk not in phone.get("/tables/4/pack/").text
    assert whose(owner_of(salon)) != mark


def test_a_seats_link_hears_nothing_of_the_history_that_it_may_not_read(salon: Salon) -> None:
    """Who recorded what meanwhile is told to the table, which reads it anyway."""
    game = done(playing(salon), "totals", NS=8, EW=5)
    entries = kept(game, [("confirmations", {})])
    done(game, "hands")
    east, table = seated(game, "E"), scorer_at(salon, "4")

    (own,) = east.post(f"/games/{game.pk}/outbox/", {"acts": json.dumps(entries)}).json()["answers"]
    (told,) = sent(table, kept(game, [("bids", {"seat": "W", "tricks:number": 1})], version=1))

    assert (own["status"], own["meanwhile"]) == (409, [])
    assert told["status"] == 409
    assert told["meanwhile"]


@pytest.mark.parametrize(
    "acts",
    [
        "", "{", "[]", "{}", "[1]", "[" * 5000, '[{"command": "x"}]',
        json.dumps([{"command": "0" * 32, "collection": "bids", "body": "x" * 40_000}]),
        json.dumps([{"command": "0" * 32, "collection": "bids", "body": "", "more": 1}]),
        json.dumps([{"command": "0" * 32, "collection": "bids", "body": ""}] * (MOST_ACTS + 1)),
        " " * (LARGEST + 1),
    ],
)  # fmt: skip
def test_what_is_no_list_of_acts_is_not_taken(salon: Salon, acts: str) -> None:
    bidding(salon)

    answer = scorer_at(salon, "4").post("/tables/4/outbox/", {"acts": acts})

    assert answer.status_code == 400
    assert answer.json()["answers"] == []


def test_every_answer_to_a_form_of_the_pad_names_its_command(salon: Salon) -> None:
    bidding(salon)
    client = scorer_at(salon, "4")
    page = client.get("/tables/4/")

    recorded = tap(client, "bids", page, **{"seat": "W", "tricks:number": "2"})
    moved = tap(client, "bids", page, **{"seat": "W", "tricks:number": "3"})
    refused = tap(client, "bids", None, **{"seat": "W", "tricks:number": "3"})
    unread = tap(client, "bids", None, **{"seat": "N", "tricks:number": "many"})

    answers = (recorded, moved, refused, unread)
    assert [answer.status_code for answer in answers] == [303, 409, 422, 400]
    for answer in answers:
        assert len(answer["Accord-Command"]) == 32


def test_a_phone_that_has_a_name_is_called_by_it_in_a_conflict(salon: Salon) -> None:
    game = playing(salon)
    entries = kept(game, WINNERS[:2])
    anna, other = scorer_at(salon, "4"), scorer_at(salon, "4")
    anna.cookies["phone"] = "Anna%20Berg"
    tap(anna, "winners", seat="E")

    (answer,) = sent(other, entries[:1])
    assert [first["who"] for first in answer["meanwhile"]] == ["the phone “Anna Berg”"]

    anna.cookies["phone"] = ""
    tap(anna, "winners", seat="S")
    *_, last = sent(other, kept(game, WINNERS[:1], version=1))[0]["meanwhile"]
    assert last["who"] == "another phone at this table"


@pytest.mark.parametrize(
    ("first", "then", "follows"),
    [
        (("bids", {"seat": "W", "tricks": 2}), ("bids", {"seat": "W", "tricks:number": 3}), False),
        (("bids", {"seat": "W", "tricks": 2}), ("bids", {"seat": "N", "tricks:number": 3}), True),
        (("bids", {"seat": "W", "tricks": 2}), ("winners", {"seat": "N"}), False),
        (("bids", {"seat": "W", "tricks": 2}), ("retractions", {"version:number": 2}), False),
    ],
)
def test_an_act_that_means_nothing_after_what_came_first_is_not_offered_to_be_sent_after_it(
    salon: Salon, first: tuple[str, dict[str, Any]], then: tuple[str, Any], follows: bool
) -> None:
    game = bidding(salon)
    entries = kept(game, [then])
    done(game, first[0], **first[1])

    (answer,) = sent(scorer_at(salon, "4"), entries)

    assert answer["follows"] is follows


def test_a_preview_tells_what_kept_acts_would_record_and_records_nothing(salon: Salon) -> None:
    entries = kept(a_game(salon), A_HAND)
    before = Event.objects.count()

    said = in_words(entries).json()["words"]

    assert Event.objects.count() == before
    assert len(said) == len(entries)
    assert said[0].startswith("Hand 1: South deals")
    assert said[1].startswith("West")
    assert "refused" not in " ".join(said)
    assert sent(owner_of(salon), entries)[-1]["state"] == "recorded"


def test_a_preview_says_what_the_rules_refuse_and_what_can_t_be_read(salon: Salon) -> None:
    game = bidding(salon)
    (refused,) = in_words(kept(game, [("bids", {"seat": "W", "tricks:number": 99})])).json()[
        "words"
    ]

    assert refused.startswith("bids: seat W, tricks 99 (would be refused: ")
    assert in_words([{"command": "x"}]).status_code == 400
    (unknown,) = in_words(kept(game, [("confirmations", {"seat": "W"})])).json()["words"]
    assert unknown == "confirmations: seat W"


def test_a_bid_of_a_dealing_that_was_dealt_again_is_not_offered_to_be_sent_after_it(
    salon: Salon,
) -> None:
    game = bidding(salon)
    entries = kept(game, BIDS[:1])
    done(done(game, "misdeals"), "hands")

    (answer,) = sent(scorer_at(salon, "4"), entries)

    assert answer["place"]["hand"] == 1
    assert answer["follows"] is False


def test_the_pad_names_the_phone_that_recorded_first(salon: Salon) -> None:
    playing(salon)
    anna, other = scorer_at(salon, "4"), scorer_at(salon, "4")
    seen = other.get("/tables/4/")
    anna.cookies["phone"] = "Anna"
    tap(anna, "winners", seat="E")

    refused = tap(other, "winners", seen, seat="S")

    assert "Recorded meanwhile by the phone “Anna”" in refused.text
