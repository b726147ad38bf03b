"""Acts become facts through one door: in order, once, all or none, whoever else records at the same
time.
"""

import threading
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, transaction
from psycopg._queries import MAX_CACHED_STATEMENT_LENGTH, MAX_CACHED_STATEMENT_PARAMS

from ledger import write_postgresql
from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import head_of, read_stream
from scoring.commands import Undo
from scoring.errors import NotationError, RuleViolation
from scoring.precedence.commands import CountTricks, MakeBid, OpenHand, TakeTrick
from scoring.records import read_record
from tests.tournament.helpers.tables import (
    ACTOR,
    PRECEDENCE,
    TREES,
    a_salon,
    act,
    bids,
    counts,
    everything,
    live_acts,
    new_command,
    opened,
    recorded,
    rows,
    samples,
    sit_down,
    state_of,
    told,
)
from tournament.domain.names import plain_name
from tournament.exchange.game_records import export_game
from tournament.models import Game, Hand, Player, Salon
from tournament.models.written_json import json_text
from tournament.projections import game_rows
from tournament.projections.audit import audit
from tournament.recording import door
from tournament.recording.door import preview_sheet, record_acts, record_sheet, start_game
from tournament.salons import players as people
from tournament.salons.players import NameTaken
from tournament.salons.public_names import Audience
from tournament.streams.drafts import drafts_of
from tournament.streams.folds import MEMORY, fold_of
from tournament.streams.texts import Sealing

RECORDS = [*samples(), everything()]
FOUR_BIDS = [
    MakeBid(seat=seat, tricks=tricks) for seat, tricks in (("E", 3), ("S", 2), ("W", 3), ("N", 2))
]


@pytest.fixture
def salon(db: None) -> Salon:
    return a_salon()


def a_closed_hand(salon: Salon) -> str:
    """A game whose first hand is closed by its thirteenth trick, won by E."""
    game = sit_down(salon).pk
    act(salon, game, OpenHand(dealer="N"), *FOUR_BIDS)
    act(salon, game, *[TakeTrick(seat="N")] * 12)
    act(salon, game, TakeTrick(seat="E"))
    return game


@pytest.mark.parametrize("value", RECORDS, ids=lambda value: value["id"])
def test_acts_one_by_one_hand_sheets_and_a_file_store_the_same_events(
    salon: Salon, value: dict[str, Any]
) -> None:
    record = read_record(value)
    by_acts, by_sheets = opened(salon, record).pk, opened(salon, record).pk

    for one in live_acts(record, salon, by_acts):
        act(salon, by_acts, one)
    for sheet in record.sheets:
        version = Game.objects.get(pk=by_sheets).version
        record_sheet(salon, by_sheets, sheet, actor=ACTOR, command=new_command(), version=version)
    if record.ended is not None:
        act(salon, by_sheets, record.ended)
    recorded(salon, value)

    by_file = Game.objects.get(salon=salon, record=value["id"]).pk
    assert told(salon, by_acts) == told(salon, by_file)
    assert told(salon, by_sheets) == told(salon, by_file)


@pytest.mark.parametrize("value", RECORDS, ids=lambda value: value["id"])
def test_every_state_on_the_way_has_the_rows_that_its_events_give(
    salon: Salon, value: dict[str, Any]
) -> None:
    record = read_record(value)
    game = opened(salon, record).pk

    for one in live_acts(record, salon, game):
        act(salon, game, one)
        row = Game.objects.get(pk=game)
        folded = fold_of(salon.log_id, game)
        assert folded is not None
        assert (row.version, row.position) == (folded.version, head_of(salon.log_id).position)
        assert json_text(row.state) == game_rows.game_columns(folded, position=0)["state"]
        assert list(
            Hand.objects.filter(game=game).order_by("number").values_list("result__text", flat=True)
        ) == [hand.result for hand in game_rows.list_closed_hands(folded.game, folded.state)]


def test_a_repeated_act_gets_its_first_answer_and_stores_nothing(salon: Salon) -> None:
    game, command = sit_down(salon).pk, new_command()
    first = act(salon, game, OpenHand(dealer="N"), command=command, version=5)
    act(salon, game, FOUR_BIDS[0])
    before = counts()

    again = act(salon, game, OpenHand(dealer="N"), command=command, version=5)

    assert (first.repeated, again.repeated, again.version) == (False, True, first.version)
    assert counts() == before


def test_somebody_else_who_repeats_a_command_gets_its_first_answer(salon: Salon) -> None:
    game, command = sit_down(salon).pk, new_command()
    act(salon, game, OpenHand(dealer="N"), command=command, version=5)

    again = record_acts(
        salon, game, [OpenHand(dealer="N")], actor="somebody else", command=command, version=5
    )

    assert again.repeated
    assert {event.actor for event in read_stream(salon.log_id, game)} == {ACTOR}


def test_a_command_that_came_too_late_may_come_again_with_the_version_it_then_sees(
    salon: Salon,
) -> None:
    game, command = sit_down(salon).pk, new_command()
    act(salon, game, OpenHand(dealer="N"))
    with pytest.raises(StreamMoved):
        act(salon, game, FOUR_BIDS[0], command=command, version=5)

    answer = act(salon, game, FOUR_BIDS[0], command=command)

    assert not answer.repeated
    assert act(salon, game, FOUR_BIDS[0], command=command, version=5).repeated


@pytest.mark.parametrize(
    "other",
    [[MakeBid(seat="E", tricks=4)], [FOUR_BIDS[0], FOUR_BIDS[1]], [TakeTrick(seat="E")]],
    ids=["another number", "an act more", "another act"],
)
def test_a_command_that_comes_again_with_other_content_is_refused(
    salon: Salon, other: list[Any]
) -> None:
    game, command = sit_down(salon).pk, new_command()
    act(salon, game, OpenHand(dealer="N"))
    act(salon, game, FOUR_BIDS[0], command=command)

    with pytest.raises(CommandReused):
        act(salon, game, *other, command=command, version=11)


def test_two_kinds_of_acts_that_have_the_same_fields_say_different_things() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class GiveTrick:
        seat: str

    assert door._content("game", TakeTrick(seat="N")) != door._content("game", GiveTrick(seat="N"))


def test_a_command_that_comes_again_for_another_game_is_refused(salon: Salon) -> None:
    here, there, command = sit_down(salon).pk, sit_down(salon).pk, new_command()
    act(salon, here, OpenHand(dealer="N"), command=command)

    with pytest.raises(CommandReused):
        act(salon, there, OpenHand(dealer="N"), command=command)


def test_a_game_started_again_is_the_same_game(salon: Salon) -> None:
    command = new_command()
    first = sit_down(salon, command=command)
    act(salon, first.pk, OpenHand(dealer="N"))
    before = counts()

    again = sit_down(salon, command=command)

    assert again.pk == first.pk == command
    assert counts() == before


def test_a_game_started_again_with_other_players_or_options_is_refused(salon: Salon) -> None:
    command = new_command()
    sit_down(salon, command=command)

    with pytest.raises(CommandReused):
        sit_down(salon, TREES | {"N": "Fir"}, command)
    with pytest.raises(CommandReused):
        sit_down(salon, command=command, ante=2)
    assert not Player.objects.filter(name="Fir").exists()


def test_a_game_cannot_be_started_under_an_id_whose_record_the_salon_has(salon: Salon) -> None:
    command = new_command()
    recorded(salon, everything() | {"id": f"precedence-{command[:16]}"})
    before = counts()

    with pytest.raises(CommandReused):
        sit_down(salon, command=command)
    assert counts() == before


@pytest.mark.parametrize("command", ["", "x", "A" * 32, "0" * 31, "0" * 33])
def test_a_game_has_an_id_of_thirty_two_hexadecimal_digits(salon: Salon, command: str) -> None:
    with pytest.raises(NotationError, match="32 hexadecimal digits"):
        start_game(
            salon, actor=ACTOR, command=command, kind="precedence", players=TREES, options={}
        )


def test_a_game_of_another_salon_is_not_there(salon: Salon) -> None:
    elsewhere, game = a_salon("elsewhere"), sit_down(salon).pk
    fold_of(salon.log_id, game)
    folded = fold_of(salon.log_id, game)
    assert folded is not None
    MEMORY._remember((salon.log_id, game), folded)

    assert fold_of(elsewhere.log_id, game) is None
    with pytest.raises(LookupError):
        act(elsewhere, game, OpenHand(dealer="N"), version=5)
    with pytest.raises(LookupError):
        export_game(elsewhere, game, Audience.SALON)
    with pytest.raises(StreamMoved):
        sit_down(elsewhere, command=game)


def test_no_acts_at_all_are_refused(salon: Salon) -> None:
    with pytest.raises(NotationError, match="at least one act"):
        act(salon, sit_down(salon).pk)


def test_acts_are_recorded_all_or_none(salon: Salon) -> None:
    game = sit_down(salon).pk
    before = counts()

    with pytest.raises(RuleViolation):
        act(salon, game, OpenHand(dealer="N"), FOUR_BIDS[0], FOUR_BIDS[0])
    assert counts() == before


def test_acts_meant_for_another_hand_or_trick_come_too_late(salon: Salon) -> None:
    game = sit_down(salon).pk

    def opening(place: dict[str, int]) -> None:
        record_acts(
            salon,
            game,
            [OpenHand(dealer="N")],
            actor=ACTOR,
            command=new_command(),
            version=5,
            place=place,
        )

    for place in ({"hand": 2}, {"hand": 1, "trick": 1}, {"hand": 0}):
        with pytest.raises(StreamMoved):
            opening(place)
    opening({"hand": 1, "trick": 0})


def test_a_hand_taken_back_and_closed_otherwise_in_one_command_has_its_new_result(
    salon: Salon,
) -> None:
    game = a_closed_hand(salon)
    before = Hand.objects.get(game=game).result
    closing = Game.objects.get(pk=game)
    undo = fold_of(salon.log_id, game)
    assert undo is not None
    taken_back = Undo(version=undo.state.trail[-1].version + 1)

    act(salon, game, taken_back, TakeTrick(seat="S"))

    assert Hand.objects.get(game=game).result != before
    assert Game.objects.get(pk=game).version > closing.version
    assert list(audit(salon)) == []


def test_a_hand_that_is_taken_back_has_no_row(salon: Salon) -> None:
    game = a_closed_hand(salon)
    folded = fold_of(salon.log_id, game)
    assert folded is not None

    act(salon, game, Undo(version=folded.state.trail[-1].version + 1))

    assert not Hand.objects.filter(game=game).exists()
    assert list(audit(salon)) == []


def test_a_lost_row_keeps_nobody_from_recording(salon: Salon) -> None:
    game = sit_down(salon).pk
    act(salon, game, OpenHand(dealer="N"), *FOUR_BIDS)
    version = Game.objects.get(pk=game).version
    Game.objects.filter(pk=game).delete()

    act(salon, game, CountTricks(ns=7, ew=6), version=version)

    assert state_of(salon, game).played == 1


def test_a_stray_hand_row_keeps_nobody_from_recording(salon: Salon) -> None:
    game = sit_down(salon).pk
    act(salon, game, OpenHand(dealer="N"), *FOUR_BIDS)
    Hand.objects.create(game_id=game, number=1, result="nonsense")

    act(salon, game, CountTricks(ns=7, ew=6))

    assert list(audit(salon)) == []


# What is remembered


def test_a_fold_of_a_transaction_that_was_rolled_back_is_forgotten(own_database: object) -> None:
    """A start form that is refused at its second step is sent again, changed, under the same
    command.
    """
    salon, command = a_salon(), new_command()
    with transaction.atomic():
        version = sit_down(salon, command=command, ante=7).version
        act(salon, command, OpenHand(dealer="N"))
        transaction.set_rollback(True)

    assert fold_of(salon.log_id, command) is None
    assert sit_down(salon, command=command, ante=1).version == version
    act(salon, command, OpenHand(dealer="N"), version=version)
    assert state_of(salon, command).rules.ante == 1
    assert list(audit(salon)) == []


def test_a_committed_fold_is_remembered_and_saves_reading(
    own_database: object, django_assert_num_queries: Any
) -> None:
    salon = a_salon()
    game = sit_down(salon)

    with django_assert_num_queries(0):
        assert fold_of(salon.log_id, game.pk, version=game.version) is not None


# Nothing half


FAILING = {
    "before anything is stored": (door, "drafts_of"),
    "when players are stored": (people.Roster, "store"),
    "when words are stored": (Sealing, "store"),
    "when the game's row is written": (game_rows, "game_columns"),
    "when the hands' rows are written": (game_rows, "write_hands"),
    "when the fold is remembered": (type(MEMORY), "put"),
}


@pytest.mark.parametrize("step", FAILING)
def test_a_command_that_fails_half_way_leaves_nothing(
    own_database: object, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    salon, before = a_salon(), counts()
    owner, name = FAILING[step]
    whole = getattr(owner, name)

    def fail(*given: Any, **named: Any) -> Any:
        whole(*given, **named)
        raise ZeroDivisionError

    monkeypatch.setattr(owner, name, fail)
    with pytest.raises(ZeroDivisionError):
        recorded(salon, everything())
    assert counts() == before
    assert head_of(salon.log_id).position == 0

    monkeypatch.undo()
    assert recorded(salon, everything()) == "recorded"
    assert list(audit(salon)) == []


# Names


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("  Ash   Tree ", "Ash Tree"),
        ("Ash\u00a0\u2003Tree", "Ash Tree"),
        ("Ash\tTree\n", "Ash Tree"),
        ("E\u0301bene", "\u00c9bene"),
        ("Ash\u200b", "Ash"),
        ("\u202eAsh\ufeff", "Ash"),
        ("\u200b Ash \u200b", "Ash"),
        ("A\x00sh", "Ash"),
        ("\u0646\u0645\u06cc\u200c\u0634", "\u0646\u0645\u06cc\u200c\u0634"),
        ("ﬁ", "ﬁ"),
    ],
)
def test_a_name_is_kept_as_it_is_seen(written: str, kept: str) -> None:
    assert plain_name(written) == kept
    assert plain_name(kept) == kept


@pytest.mark.parametrize(
    "name", ["", " ", "\u200b", "\u200d\u200c", "\u3000", "x" * 81, "\u0958" * 41]
)
def test_a_name_has_one_to_eighty_characters_that_can_be_seen(salon: Salon, name: str) -> None:
    with pytest.raises(NotationError, match="1 to 80") as refused:
        sit_down(salon, TREES | {"S": name})

    assert refused.value.path == "players.S"


@pytest.mark.parametrize("twin", ["Ash", " Ash ", "Ash\u200b", "A\u200bsh"])
def test_one_player_sits_in_one_seat_however_the_name_is_written(salon: Salon, twin: str) -> None:
    with pytest.raises(NotationError, match="two seats") as refused:
        sit_down(salon, TREES | {"S": twin})

    assert refused.value.path == "players.S"
    assert not Player.objects.exists()


def test_a_substitute_who_is_known_by_an_oddly_written_name_is_the_same_player(
    salon: Salon,
) -> None:
    game = sit_down(salon).pk
    seats = (("N", "Birch "), ("E", "A\u200bsh"), ("S", " Dogwood"), ("W", "Cedar"))

    act(salon, game, OpenHand(dealer="N", players=seats))

    assert Player.objects.count() == 4
    assert set(state_of(salon, game).hand.accounts.values()) == set("NESW")


def test_a_new_player_of_a_refused_act_is_not_kept(salon: Salon) -> None:
    game = sit_down(salon).pk

    with pytest.raises(RuleViolation):
        act(salon, game, OpenHand(dealer="N", players=(("N", "Fir"),)), *FOUR_BIDS, FOUR_BIDS[0])
    assert not Player.objects.filter(name="Fir").exists()


def test_a_preview_knows_who_sits_and_keeps_nothing(salon: Salon) -> None:
    game = sit_down(salon)
    hand = {
        "dealer": "N",
        "players": {"N": "Birch", "E": "Ash", "S": "Dogwood", "W": "Cedar"},
        "bids": bids("2323"),
        "tricks": {"NS": 7, "EW": 6},
    }
    sheet = PRECEDENCE.read_sheet(hand, PRECEDENCE.read_rules({}))
    before = counts()

    seen = preview_sheet(salon, game.pk, sheet)

    assert counts() == before
    record_sheet(salon, game.pk, sheet, actor=ACTOR, command=new_command(), version=game.version)
    now = fold_of(salon.log_id, game.pk)
    assert now is not None
    assert (seen.version, seen.state.score, seen.state.balances) == (
        now.version,
        now.state.score,
        now.state.balances,
    )


# Several at once


def test_eight_tables_that_name_the_same_new_players_at_once_make_each_of_them_once(
    own_database: object,
) -> None:
    salon, together, failed = a_salon(), threading.Barrier(8), list[BaseException]()

    def start(number: int) -> None:
        seats = "NESW" if number % 2 else "WSEN"
        players = dict(zip("NESW", (TREES[seat] for seat in seats), strict=True))
        together.wait()
        try:
            sit_down(salon, players)
        except BaseException as error:
            failed.append(error)
        finally:
            connection.close()

    in_threads(start, 8)

    assert failed == []
    assert sorted(Player.objects.values_list("name", flat=True)) == sorted(TREES.values())
    assert Game.objects.count() == 8
    assert list(audit(salon)) == []


def test_a_name_that_became_known_meanwhile_is_looked_up_again(
    own_database: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    salon = a_salon()
    others = [None]

    def while_somebody_sits_down(*given: Any, **named: Any) -> Any:
        if others:
            others.pop()
            sit_down(salon, dict(zip("NESW", ("Ash", "Fir", "Gorse", "Hazel"), strict=True)))
        return drafts_of(*given, **named)

    monkeypatch.setattr(door, "drafts_of", while_somebody_sits_down)
    sit_down(salon)

    assert Player.objects.filter(name="Ash").count() == 1
    assert list(audit(salon)) == []


def test_a_name_that_can_never_be_made_is_not_tried_for_ever(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(roster: people.Roster) -> None:
        raise NameTaken

    monkeypatch.setattr(people.Roster, "store", taken)

    with pytest.raises(NameTaken):
        sit_down(salon)


def test_of_eight_scorers_who_bid_at_once_one_is_first_and_nothing_is_lost(
    own_database: object,
) -> None:
    salon = a_salon()
    game = sit_down(salon).pk
    act(salon, game, OpenHand(dealer="N"))
    version, together, outcomes = (
        Game.objects.get(pk=game).version,
        threading.Barrier(8),
        list[str](),
    )

    def bid(number: int) -> None:
        together.wait()
        try:
            act(salon, game, MakeBid(seat="E", tricks=number), version=version)
            outcomes.append("recorded")
        except StreamMoved:
            outcomes.append("late")
        finally:
            connection.close()

    in_threads(bid, 8)

    assert sorted(outcomes) == ["late"] * 7 + ["recorded"]
    assert list(audit(salon)) == []


def in_threads(work: Any, count: int) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def test_rows_of_one_salon_are_not_those_of_another(salon: Salon) -> None:
    elsewhere = a_salon("elsewhere")
    recorded(salon, everything())
    recorded(elsewhere, everything())

    here, there = rows(salon), rows(elsewhere)
    assert (
        [game["record"] for game in here["games"]]
        == [game["record"] for game in there["games"]]
        == ["everything"]
    )
    assert here["games"][0]["id"] != there["games"][0]["id"]
    assert (
        Player.objects.filter(salon=salon).count() == Player.objects.filter(salon=elsewhere).count()
    )


def test_psycopg_reads_the_statement_of_an_act_once_and_remembers_it() -> None:
    """Longer ones it reads letter by letter for each act, a tenth of what recording one takes."""
    statement = write_postgresql.statement_of(
        chips=True, there=game_rows.GAME, changes=(game_rows.UPDATE_GAME,)
    )

    assert len(statement) <= MAX_CACHED_STATEMENT_LENGTH
    assert statement.count("%s") <= MAX_CACHED_STATEMENT_PARAMS
