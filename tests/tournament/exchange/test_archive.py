"""Whole games from files and back: the same content changes nothing, other content under the same
id is refused.
"""

from typing import Any

import pytest

from ledger.models import Event
from scoring.errors import NotationError, Refusal, RuleViolation
from scoring.precedence.commands import CountTricks, MakeBid, OpenHand
from scoring.precedence.state import State
from scoring.records import decide_record, read_record
from tests.tournament.helpers.tables import (
    MATERIAL,
    TREES,
    a_salon,
    act,
    bids,
    counts,
    everything,
    expected,
    lines_of,
    recorded,
    rows,
    samples,
    simple,
    sit_down,
)
from tournament.exchange.game_records import export_game, export_games
from tournament.models import Game, Hand, Player, Salon, Text
from tournament.projections.audit import audit
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold_of
from tournament.streams.texts import digest_of

PRECEDENCE_FILES = ("precedence_games", "precedence_claimed_games", "precedence_simulated")


@pytest.fixture
def salon(db: None) -> Salon:
    return a_salon()


def score_of(value: object) -> dict[str, Any]:
    record = read_record(value)
    return record.game.result(decide_record(record)[1])


def rows_and_exports_score_as(salon: Salon, results: dict[str, dict[str, Any]]) -> None:
    """The hands' rows and the exported records come to these results."""
    for record in export_games(salon, [], Audience.SALON):
        result = results[record["id"]]
        assert score_of(record) == result
        game = Game.objects.get(salon=salon, record=record["id"])
        hands = Hand.objects.filter(game=game).order_by("number").values_list("result", flat=True)
        assert [hand["result"] for hand in hands] == result["hands"]
        table = game.state
        assert {key: table[key] for key in ("score", "excess", "chips", "pots", "winners")} == {
            key: result[key] for key in ("score", "excess", "chips", "pots", "winners")
        }
        assert game.finished == result["finished"]


def test_recorded_games_score_as_expected_from_their_rows_and_from_their_exports(
    salon: Salon,
) -> None:
    assert [recorded(salon, game) for game in samples()] == ["recorded"] * 5

    rows_and_exports_score_as(salon, expected())
    assert list(audit(salon)) == []


@pytest.mark.parametrize(
    "each", [pytest.param(12, id="some"), pytest.param(1, id="all", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", PRECEDENCE_FILES)
def test_games_of_the_material_score_as_expected(salon: Salon, name: str, each: int) -> None:
    games = lines_of(MATERIAL / f"{name}.jsonl")[::each]
    for game in games:
        assert recorded(salon, game) == "recorded"

    rows_and_exports_score_as(
        salon, {result["id"]: result for result in lines_of(MATERIAL / f"{name}.expected.jsonl")}
    )
    assert list(audit(salon)) == []
    before = counts()
    assert {recorded(salon, game) for game in games} == {"unchanged"}
    assert counts() == before


def test_every_record_of_the_material_that_must_be_refused_leaves_nothing(salon: Salon) -> None:
    before = counts()
    for line in lines_of(MATERIAL / "precedence_refused.jsonl"):
        with pytest.raises(Refusal) as refused:
            recorded(salon, line["record"])
        assert refused.value.code == line["code"]
    assert counts() == before


@pytest.mark.parametrize("value", [*samples(), everything()], ids=lambda value: value["id"])
def test_what_is_exported_can_be_recorded_elsewhere_and_comes_out_the_same(
    salon: Salon, value: dict[str, Any]
) -> None:
    recorded(salon, value)
    (exported,) = export_games(salon, [], Audience.SALON)
    elsewhere = a_salon("elsewhere")

    assert recorded(elsewhere, exported) == "recorded"

    (again,) = export_games(elsewhere, [], Audience.SALON)
    assert again == exported
    assert recorded(salon, exported) == "unchanged"


def test_an_export_has_the_words_the_names_and_the_times_that_were_written(salon: Salon) -> None:
    recorded(salon, everything())

    (exported,) = export_games(salon, [], Audience.SALON)

    written = everything()
    assert {key: exported[key] for key in ("note", "table", "played_on", "players", "ended")} == {
        key: written[key] for key in ("note", "table", "played_on", "players", "ended")
    }
    first, second, misdeal, fourth = exported["hands"]
    assert (first["note"], first["at"]) == ("late start", "2026-11-21T19:30:00Z")
    assert (second["players"], second["rulings"][0]["reason"]) == ({"E": "Fir"}, "dropped a card")
    assert misdeal == {"dealer": "S", "trump": "B", "misdeal": True}
    assert fourth["players"] == written["hands"][3]["players"]


def test_an_export_is_in_the_order_recorded(salon: Salon) -> None:
    for identity in ("c", "a", "b"):
        recorded(salon, simple(identity))

    assert [record["id"] for record in export_games(salon, [], Audience.SALON)] == ["c", "a", "b"]
    assert [record["id"] for record in export_games(salon, ["b", "c"], Audience.SALON)] == [
        "c",
        "b",
    ]


def test_no_words_and_no_names_are_in_events(salon: Salon) -> None:
    recorded(salon, everything())

    stored = " ".join(Event.objects.values_list("body", flat=True))
    for text in (*TREES.values(), "Fir", "Elder", "window", "late", "dropped", "closes"):
        assert text not in stored


def test_an_empty_note_is_no_note(salon: Salon) -> None:
    value = simple()
    value["hands"][0]["note"] = ""
    recorded(salon, value)

    assert not Text.objects.exists()
    assert recorded(salon, value) == "unchanged"
    assert "note" not in next(export_games(salon, [], Audience.SALON))["hands"][0]


@pytest.mark.parametrize(
    "again",
    [
        simple(format="salon-record/1"),
        simple(options={"ante": 1, "target_score": 250}),
        simple(players={"N": " Ash ", "E": "Bi\u200brch", "S": "Cedar", "W": "Dogwood"}),
        simple(
            hands=[
                {"dealer": "N", "trump": "V", "bids": bids("2323"), "tricks": {"NS": 7, "EW": 6}}
            ]
        ),
    ],
    ids=["again", "defaults spelled out", "names oddly written", "trump spelled out"],
)
def test_the_same_content_under_the_same_id_changes_nothing(
    salon: Salon, again: dict[str, Any]
) -> None:
    recorded(salon, simple())
    before, there = counts(), rows(salon)

    assert recorded(salon, again, actor="somebody else") == "unchanged"
    assert (counts(), rows(salon)) == (before, there)


@pytest.mark.parametrize(
    "other",
    [
        simple(tricks=8),
        simple(note="another evening"),
        simple(players=TREES | {"N": "Fir"}),
        simple(options={"ante": 2}),
        simple(hands=[]),
        simple(hands=simple()["hands"] * 2),
        simple(ended={"kind": "called", "by": "Elder", "reason": "late"}),
    ],
    ids=["tricks", "note", "player", "option", "no hands", "a hand more", "ended"],
)
def test_other_content_under_the_same_id_is_refused_and_changes_nothing(
    salon: Salon, other: dict[str, Any]
) -> None:
    recorded(salon, simple())
    if len(other["hands"]) == 2:
        other["hands"][1] = {**other["hands"][1], "dealer": "E"}
    before, there = counts(), rows(salon)

    with pytest.raises(NotationError, match="another game with the id 'simple'") as refused:
        recorded(salon, other)
    assert refused.value.path == "id"
    assert (counts(), rows(salon)) == (before, there)


def test_a_file_with_the_id_of_a_live_game_is_that_game_or_refused(salon: Salon) -> None:
    game = sit_down(salon)
    act(
        salon,
        game.pk,
        OpenHand(dealer="N"),
        *[MakeBid(seat=seat, tricks=2) for seat in "ESWN"],
        CountTricks(ns=7, ew=6),
    )
    before, exported = counts(), export_game(salon, game.pk, Audience.SALON)

    assert recorded(salon, exported) == "unchanged"
    with pytest.raises(NotationError, match="another game with the id"):
        recorded(salon, exported | {"note": "a better evening"})
    assert counts() == before


@pytest.mark.parametrize("other", [False, True], ids=["same content", "other content"])
def test_a_game_whose_row_is_lost_is_still_recorded_once(salon: Salon, *, other: bool) -> None:
    recorded(salon, simple())
    Hand.objects.all().delete()
    Game.objects.all().delete()

    if other:
        with pytest.raises(NotationError, match="another game"):
            recorded(salon, simple(tricks=8))
    else:
        assert recorded(salon, simple()) == "unchanged"


def test_two_who_record_the_same_file_at_once_record_it_once(
    own_database: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other comes between this one's look and its append."""
    from tournament.exchange import game_records
    from tournament.recording.door import record_new

    salon, others = a_salon(), [everything()]

    def after_somebody_else(*given: Any) -> Any:
        if others:
            recorded(salon, others.pop(), actor="somebody else")
        return record_new(*given)

    monkeypatch.setattr(game_records, "record_new", after_somebody_else)
    assert recorded(salon, everything()) == "unchanged"

    assert Game.objects.count() == 1
    assert {event.actor for event in Event.objects.all()} == {"somebody else"}


def test_two_who_record_other_games_under_one_id_at_once_keep_the_first(
    own_database: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tournament.exchange import game_records
    from tournament.recording.door import record_new

    salon, others = a_salon(), [simple(tricks=8)]

    def after_somebody_else(*given: Any) -> Any:
        if others:
            recorded(salon, others.pop())
        return record_new(*given)

    monkeypatch.setattr(game_records, "record_new", after_somebody_else)
    with pytest.raises(NotationError, match="another game"):
        recorded(salon, simple(tricks=7))

    assert next(export_games(salon, [], Audience.SALON))["hands"][0]["tricks"] == {"NS": 8, "EW": 5}


def test_events_occurred_when_their_hand_says_it_was_played(salon: Salon) -> None:
    recorded(salon, everything())
    game = Game.objects.get()
    events = list(Event.objects.filter(stream=game.pk).order_by("version"))
    hands = [place for place, event in enumerate(events) if event.type.endswith("hand_opened")]

    occurred = [events[place].occurred_at for place in hands]

    assert occurred[0] == 1_795_289_400_000_000
    assert occurred[3] == -500_000
    assert occurred[1] == occurred[2] == events[0].occurred_at == events[0].recorded_at
    assert {event.occurred_at for event in events[hands[0] : hands[1]]} == {occurred[0]}


@pytest.mark.parametrize(
    "at",
    [
        "0001-01-01T00:00:00Z",
        "1684-01-01T00:00:00Z",
        "2256-01-01T00:00:00Z",
        "9999-12-31T23:59:59Z",
    ],
)
def test_a_time_that_no_event_could_hold_is_refused(salon: Salon, at: str) -> None:
    value = simple()
    value["hands"][0]["at"] = at

    with pytest.raises(NotationError, match="between the years") as refused:
        recorded(salon, value)
    assert refused.value.path == "hands[0].at"
    with pytest.raises(NotationError, match="between the years"):
        act(salon, sit_down(salon).pk, OpenHand(dealer="N", at=at))


def test_a_refusal_for_who_sits_names_the_hand_and_the_seat(salon: Salon) -> None:
    value = simple()
    value["hands"][0]["players"] = {"E": "Fir", "S": "Fir\u200b"}

    with pytest.raises(NotationError, match="two seats") as refused:
        recorded(salon, value)
    assert refused.value.path == "hands[0].players.S"


def test_a_rule_that_is_broken_leaves_no_new_player(salon: Salon) -> None:
    with pytest.raises(RuleViolation):
        recorded(
            salon,
            simple(hands=[{"dealer": "N", "bids": bids("7070"), "tricks": {"NS": 7, "EW": 6}}]),
        )
    assert not Player.objects.exists()


def test_erased_words_and_players_leave_an_export_that_can_be_recorded(salon: Salon) -> None:
    recorded(salon, everything())
    Text.objects.all().delete()
    Player.objects.all().delete()

    (exported,) = export_games(salon, [], Audience.SALON)

    assert exported["note"] == exported["ended"]["by"] == "erased"
    assert len(set(exported["players"].values())) == 4
    assert recorded(a_salon("elsewhere"), exported) == "recorded"


def test_a_text_belongs_to_its_digest() -> None:
    assert digest_of("salt", "words") != digest_of("salt", "word") != digest_of("other", "word")


def test_the_fold_of_a_recorded_game_is_the_decided_state(salon: Salon) -> None:
    value = samples()[2]
    recorded(salon, value)
    _, decided = decide_record(read_record(value))

    folded = fold_of(salon.log_id, Game.objects.get().pk)

    assert folded is not None
    assert isinstance(decided, State)
    assert (folded.version, folded.state.score, folded.state.balances) == (
        decided.version,
        decided.score,
        decided.balances,
    )
