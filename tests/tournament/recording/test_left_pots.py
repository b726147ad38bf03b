"""What a Sabacc game leaves in its Ante Pot goes to the game that begins with it, and every chip is
in the books of both (S13).
"""

import random
from typing import Any

import pytest

from ledger.models import Account, Event
from scoring.commands import EndGame, Undo
from scoring.corrections import Correction, CorrectOpeningPot, CorrectOptions, ReopenGame
from scoring.errors import NotationError, Refusal, RuleViolation
from scoring.events import OpeningPot
from scoring.games import GAMES
from scoring.records import read_record
from tests.tournament.helpers.playing import state_of
from tests.tournament.helpers.sabacc_chains import (
    ACTOR,
    LEAVE,
    NAMES,
    a_command,
    a_game,
    begun,
    chips_of,
    is_sound,
    recorded,
)
from tests.tournament.helpers.salons import opened_salon
from tournament.exchange.game_records import Outcome, export_games, record_file
from tournament.models import Game, Salon
from tournament.projections.audit import audit
from tournament.recording.confirmations import finalise_when_due
from tournament.recording.corrections import preview_correction, record_correction
from tournament.recording.door import record_acts, start_game
from tournament.recording.left_pots import list_left_pots
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of

LATER = 10**18


def act(salon: Salon, game: Game, *acts: Any) -> None:
    game.refresh_from_db()
    record_acts(salon, game.pk, acts, actor=ACTOR, command=a_command(), version=game.version)


def correct(salon: Salon, game: Game, change: Any) -> None:
    game.refresh_from_db()
    told = Correction(change=change, by="Director", reason="Seen at the table")
    record_correction(salon, game.pk, told, actor=ACTOR, command=a_command(), version=game.version)


NOT_PLAYED = EndGame(kind="not_played", by="Director", reason="Two were called away")


def test_the_pot_of_one_game_is_the_pot_of_the_next_by_one_command(salon: Salon) -> None:
    first = recorded(salon, a_game("first"))
    assert (chips_of(first), state_of(first)["pots"]["ante"]) == (
        {"A": -3, "B": -3, "C": -3, "ante": 9},
        9,
    )
    assert [(pot.game, pot.chips) for pot in list_left_pots(salon, "contract_sabacc")] == [
        (first, 9)
    ]

    second = begun(salon, {"from": "first", "chips": 9})

    assert chips_of(first) == {"A": -3, "B": -3, "C": -3, "later": 9}
    assert chips_of(second) == {"earlier": -9, "ante": 9}
    assert state_of(first)["pot_taken"] == {"by": second.record, "chips": 9}
    assert state_of(second)["opening_pot"] == {"from": "first", "chips": 9}
    assert state_of(second)["pots"]["ante"] == 9
    command = Event.objects.filter(stream=second.pk).values_list("command", flat=True)[0]
    assert set(Event.objects.filter(command=command).values_list("stream", flat=True)) == {
        first.pk,
        second.pk,
    }
    assert list_left_pots(salon, "contract_sabacc") == []
    assert is_sound(salon)


def test_the_same_command_again_takes_the_pot_once(salon: Salon) -> None:
    recorded(salon, a_game("first"))
    command = a_command()
    once = begun(salon, {"from": "first", "chips": 9}, command=command)
    events = Event.objects.count()

    assert begun(salon, {"from": "first", "chips": 9}, command=command) == once
    assert Event.objects.count() == events


@pytest.mark.parametrize(
    ("pot", "code", "path"),
    [
        ({"from": "nobody", "chips": 9}, "bad_record", "opening_pot.from"),
        ({"from": "cards", "chips": 9}, "bad_record", "opening_pot.from"),
        ({"from": "elsewhere", "chips": 9}, "bad_record", "opening_pot.from"),
        ({"from": "going-on", "chips": 3}, "out_of_turn", "opening_pot.from"),
        ({"from": "first", "chips": 10}, "no_chips", "opening_pot.chips"),
        ({"from": "first", "chips": 8}, "bad_total", "opening_pot.chips"),
        ({"from": "shared", "chips": 9}, "no_chips", "opening_pot.chips"),
        ({"from": "taken", "chips": 9}, "pot_taken", "opening_pot.from"),
        ({"from": "first", "chips": -9}, "bad_record", "opening_pot.chips"),
    ],
)
def test_a_pot_that_is_not_there_is_refused_and_nothing_is_recorded(
    salon: Salon, pot: dict[str, object], code: str, path: str
) -> None:
    recorded(salon, a_game("first"))
    recorded(salon, a_game("shared", options={}))
    recorded(salon, a_game("going-on", hands=a_game("x")["hands"][:1]))
    recorded(salon, a_game("taken"))
    recorded(salon, a_game("taker", pot=("taken", 9)))
    start_game(
        salon,
        actor=ACTOR,
        command=a_command(),
        kind="order_of_precedence",
        players={"A": NAMES[0]},
        options={},
        table="4",
    )
    Game.objects.filter(kind="order_of_precedence").update(record="cards")
    recorded(opened_salon("other", "other@example.org"), a_game("elsewhere"))
    events = Event.objects.count()

    with pytest.raises(Refusal) as live:
        begun(salon, pot)
    with pytest.raises(Refusal) as file:
        recorded(salon, a_game("file", opening_pot=pot))

    assert [(each.value.code, each.value.path) for each in (live, file)] == [(code, path)] * 2
    assert Event.objects.count() == events


def test_files_bring_a_chain_of_games_and_again_change_nothing(salon: Salon) -> None:
    chain = [
        a_game("one"),
        a_game("two", pot=("one", 9), players=4),
        a_game("three", pot=("two", 25), options={}),
    ]
    for record in chain:
        recorded(salon, record)

    assert [pot.chips for pot in list_left_pots(salon, "contract_sabacc")] == []
    exported = list(export_games(salon, [], Audience.SALON))
    assert [each.get("opening_pot") for each in exported] == [
        None,
        {"from": "one", "chips": 9},
        {"from": "two", "chips": 25},
    ]
    assert [record_file(salon, read_record(each), actor=ACTOR) for each in exported] == [
        Outcome.UNCHANGED
    ] * 3

    other = opened_salon("other", "other@example.org")
    assert [record_file(other, read_record(each), actor=ACTOR) for each in exported] == [
        Outcome.RECORDED
    ] * 3
    assert list(export_games(other, [], Audience.SALON)) == exported
    assert is_sound(salon)
    assert is_sound(other)


def test_a_game_that_was_not_played_gives_the_pot_back_and_takes_it_again_when_it_goes_on(
    salon: Salon,
) -> None:
    first = recorded(salon, a_game("first"))
    second = begun(salon, {"from": "first", "chips": 9})

    act(salon, second, NOT_PLAYED)
    assert (chips_of(first)["ante"], chips_of(second)) == (9, {})
    assert state_of(first)["pot_taken"] is None
    assert is_sound(salon)

    second.refresh_from_db()
    act(salon, second, Undo(version=state_of(second)["undo"]["version"]))
    assert (chips_of(first)["later"], chips_of(second)) == (9, {"earlier": -9, "ante": 9})

    act(salon, second, NOT_PLAYED)
    correct(salon, second, ReopenGame())
    assert (chips_of(first)["later"], chips_of(second)) == (9, {"earlier": -9, "ante": 9})
    assert is_sound(salon)

    act(salon, second, NOT_PLAYED)
    third = begun(salon, {"from": "first", "chips": 9})
    with pytest.raises(RuleViolation, match=third.record) as refused:
        correct(salon, second, ReopenGame())
    assert refused.value.code == "pot_taken"
    assert is_sound(salon)


def test_a_director_has_a_way_to_correct_a_game_whose_pot_was_taken(salon: Salon) -> None:
    first = recorded(salon, a_game("first"))
    second = recorded(salon, a_game("second", pot=("first", 9)))
    dearer = CorrectOptions(rules=GAMES["contract_sabacc"].read_rules(LEAVE | {"ante": 2}))

    with pytest.raises(RuleViolation, match="game second began with the 9 chips"):
        correct(salon, first, dearer)
    with pytest.raises(RuleViolation, match="game second began with the 9 chips"):
        preview_correction(salon, first.pk, Correction(change=dearer, by="", reason=""))

    correct(salon, second, CorrectOpeningPot(opening_pot=None))
    assert (chips_of(first)["ante"], chips_of(second)["ante"]) == (9, 9)
    correct(salon, first, dearer)
    assert is_sound(salon)
    correct(salon, second, CorrectOpeningPot(opening_pot=OpeningPot(game="first", chips=18)))

    right = opened_salon("right", "right@example.org")
    once = recorded(right, a_game("first", options=LEAVE | {"ante": 2}))
    assert chips_of(first) == {"A": -6, "B": -6, "C": -6, "later": 18}
    assert chips_of(second) == chips_of(recorded(right, a_game("second", pot=("first", 18))))
    assert chips_of(first) == chips_of(once)
    assert is_sound(salon)


def test_a_pot_is_corrected_only_to_one_that_is_there_and_older(salon: Salon) -> None:
    first = recorded(salon, a_game("first"))
    second = recorded(salon, a_game("second"))

    for game, pot, code in (
        (first, ("second", 9), "out_of_turn"),
        (second, ("first", 5), "bad_total"),
        (second, ("gone", 5), "bad_record"),
    ):
        change = CorrectOpeningPot(opening_pot=OpeningPot(game=pot[0], chips=pot[1]))
        with pytest.raises(Refusal) as refused:
            preview_correction(salon, game.pk, Correction(change=change, by="", reason=""))
        assert refused.value.code == code
        with pytest.raises(Refusal):
            correct(salon, game, change)
    with pytest.raises(NotationError, match="nothing would change"):
        correct(salon, second, CorrectOpeningPot(opening_pot=None))
    assert is_sound(salon)


def test_corrections_before_and_after_leave_the_pot_where_it_is(salon: Salon) -> None:
    first = recorded(salon, a_game("first"))
    right = CorrectOptions(
        rules=GAMES["contract_sabacc"].read_rules(LEAVE | {"first_caller": "right"})
    )
    correct(salon, first, right)
    second = recorded(salon, a_game("second", pot=("first", 9)))
    correct(salon, first, CorrectOptions(rules=GAMES["contract_sabacc"].read_rules(LEAVE)))
    correct(salon, second, right)

    assert (chips_of(first)["later"], chips_of(second)["ante"], chips_of(second)["earlier"]) == (
        9,
        18,
        -9,
    )
    correct(salon, second, CorrectOpeningPot(opening_pot=None))
    assert (chips_of(first)["ante"], chips_of(second)["ante"]) == (9, 9)
    assert is_sound(salon)


def test_a_final_game_stays_final_when_its_pot_is_taken_and_given_back(salon: Salon) -> None:
    first = recorded(salon, a_game("first"))
    assert finalise_when_due(salon, now=LATER)

    second = begun(salon, {"from": "first", "chips": 9})
    folded = fold_of(salon.log_id, first.pk)
    assert folded is not None
    assert folded.confirmation.final
    act(salon, second, NOT_PLAYED)
    folded = fold_of(salon.log_id, first.pk)
    assert folded is not None
    assert folded.confirmation.final
    assert {finding.kind for finding in audit(salon)} == {"final"}  # for it was said early


def test_several_left_pots_are_offered_the_latest_first(salon: Salon) -> None:
    for name in ("one", "two", "three"):
        recorded(salon, a_game(name))
    recorded(salon, a_game("four", pot=("two", 9), options={}))

    assert [pot.game.record for pot in list_left_pots(salon, "contract_sabacc")] == ["three", "one"]
    assert list_left_pots(salon, "precedence") == []


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_to_pots_every_chip_stays_in_the_books(salon: Salon, seed: int) -> None:
    """Games begin with pots that are left or without, are not played after all, go on again and are
    corrected.
    """
    chance = random.Random(seed)
    for turn in range(14):
        games, pots = (
            list(Game.objects.filter(salon=salon).order_by("pk")),
            list_left_pots(salon, "contract_sabacc"),
        )
        pot = chance.choice(pots) if pots and chance.random() < 0.7 else None
        named = {"from": pot.game.record, "chips": pot.chips} if pot else None
        try:
            match (
                chance.choice(
                    ("record", "record", "begin", "not_played", "reopen", "pot", "options")
                )
                if games
                else "record"
            ):
                case "record":
                    changes: dict[str, Any] = {"players": chance.choice((3, 4, 5))} | (
                        {"opening_pot": named} if named else {}
                    )
                    recorded(salon, a_game(f"game-{turn}", **changes))
                case "begin":
                    begun(salon, named)
                case "not_played":
                    act(salon, chance.choice(games), NOT_PLAYED)
                case "reopen":
                    correct(salon, chance.choice(games), ReopenGame())
                case "pot":
                    change = OpeningPot(game=pot.game.record, chips=pot.chips) if pot else None
                    correct(salon, chance.choice(games), CorrectOpeningPot(opening_pot=change))
                case "options":
                    rules = GAMES["contract_sabacc"].read_rules(
                        LEAVE | {"ante": chance.choice((1, 2))}
                    )
                    correct(salon, chance.choice(games), CorrectOptions(rules=rules))
        except Refusal:
            pass
        held = Account.objects.filter(log=salon.log_id)
        assert (
            sum(row.credits - row.debits for row in held.exclude(key__in=("earlier", "later"))) == 0
        )
        states = {row.record: row.state for row in Game.objects.filter(salon=salon)}
        taken = {
            record: each["pot_taken"]["chips"]
            for record, each in states.items()
            if each["pot_taken"]
        }
        held_there = [
            each["opening_pot"]
            for each in states.values()
            if each["opening_pot"] and each["closed"] != "not_played"
        ]
        assert {pot["from"]: pot["chips"] for pot in held_there} == taken
    assert is_sound(salon)
