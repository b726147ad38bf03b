"""What cannot be read, and what is found first: code, rule and path of every refusal of a record
(salon-record/1).
"""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from scoring.errors import NotationError, Refusal
from scoring.records import decide_record, identity_of, read_record, write_record
from tests.scoring.table import ONE_SUIT_EACH, decided, hand, record, refused, ruling, scored

HUGE = 10**5000
CALLED = {"kind": "called", "by": "Director", "reason": "time is up"}
RUN = {"seat": "E", "kind": "run", "cards": ["2V", "3V", "4V"]}
PLAYS = [["4V", "5V", "6V", "7V"], ["2F", "3V", "3F", "4F"]]


def with_change(change: Callable[[dict[str, Any]], object], **options: Any) -> dict[str, Any]:
    """A record of one good hand with every key, then changed."""
    full = hand(
        7,
        melds=[copy.deepcopy(RUN)],
        plays=copy.deepcopy(PLAYS),
        rulings=[ruling("accept_play", trick=1, seat="S")],
        note="x",
        at="2026-11-21T19:30:00Z",
    )
    value = copy.deepcopy(record(full, **options))
    change(value)
    return value


def setting(*keys: Any) -> Callable[[dict[str, Any]], object]:
    """Set what the last key but one names: `setting("hands", 0, "bids", "E", 15)`."""
    *path, last, new = keys

    def change(value: Any) -> None:
        for key in path:
            value = value[key]
        value[last] = new

    return change


def without(*keys: Any) -> Callable[[dict[str, Any]], object]:
    """Take a key out."""
    *path, last = keys

    def change(value: Any) -> None:
        for key in path:
            value = value[key]
        del value[last]

    return change


UNREADABLE = [
    (setting("format", "salon-record/2"), "format"),
    (without("format"), "format"),
    (without("id"), "id"),
    (setting("id", ""), "id"),
    (setting("id", "x" * 65), "id"),
    (setting("id", 7), "id"),
    (setting("id", "a\x00b"), "id"),
    (setting("id", "\ud800"), "id"),
    (without("game"), "game"),
    (setting("game", "whist"), "game"),
    (setting("game", None), "game"),
    (setting("colour", "red"), "colour"),
    (without("players"), "players"),
    (setting("players", ["A", "B"]), "players"),
    (without("players", "W"), "players"),
    (setting("players", "X", "Zoe"), "players.X"),
    (setting("players", "W", 4), "players.W"),
    (setting("players", "W", "  "), "players.W"),
    (setting("players", "W", "Asha"), "players.W"),
    (setting("players", "W", " Asha "), "players.W"),
    (setting("options", "traget_score", 250), "options.traget_score"),
    (setting("options", []), "options"),
    (setting("options", {"ante": -1}), "options.ante"),
    (setting("options", {"ante": True}), "options.ante"),
    (setting("options", {"ante": 1.0}), "options.ante"),
    (setting("options", {"ante": None}), "options.ante"),
    (setting("options", {"ante": HUGE}), "options.ante"),
    (setting("options", {"ante": "1"}), "options.ante"),
    (setting("options", {"hands_limit": 0}), "options.hands_limit"),
    (setting("options", {"meld_overlap": 1}), "options.meld_overlap"),
    (setting("options", {"trump": "V"}), "options.trump"),
    (setting("options", {"first_trump": ["V"]}), "options.first_trump"),
    (setting("played_on", "21.11.2026"), "played_on"),
    (setting("played_on", 20261121), "played_on"),
    (setting("table", ""), "table"),
    (setting("note", 5), "note"),
    (setting("note", "x" * 2001), "note"),
    (without("hands"), "hands"),
    (setting("hands", {}), "hands"),
    (setting("hands", 0, None), "hands[0]"),
    (setting("hands", 0, "card", "2V"), "hands[0].card"),
    (setting("hands", 0, "dealer", "X"), "hands[0].dealer"),
    (setting("hands", 0, "dealer", "NE"), "hands[0].dealer"),
    (setting("hands", 0, "dealer", None), "hands[0].dealer"),
    (without("hands", 0, "dealer"), "hands[0].dealer"),
    (setting("hands", 0, "trump", "Q"), "hands[0].trump"),
    (setting("hands", 0, "trump", "VF"), "hands[0].trump"),
    (setting("hands", 0, "trump", ""), "hands[0].trump"),
    (setting("hands", 0, "trump", None), "hands[0].trump"),
    (without("hands", 0, "bids"), "hands[0].bids"),
    (without("hands", 0, "bids", "S"), "hands[0].bids.S"),
    (setting("hands", 0, "bids", "Q", 3), "hands[0].bids.Q"),
    (setting("hands", 0, "bids", "E", None), "hands[0].bids.E"),
    (setting("hands", 0, "bids", "E", True), "hands[0].bids.E"),
    (setting("hands", 0, "bids", "E", 3.0), "hands[0].bids.E"),
    (setting("hands", 0, "bids", "E", float("nan")), "hands[0].bids.E"),
    (setting("hands", 0, "bids", "E", "3"), "hands[0].bids.E"),
    (setting("hands", 0, "bids", "E", HUGE), "hands[0].bids.E"),
    (setting("hands", 0, "bids", "E", -HUGE), "hands[0].bids.E"),
    (setting("hands", 0, "tricks", "NS", 7.5), "hands[0].tricks.NS"),
    (without("hands", 0, "tricks", "EW"), "hands[0].tricks.EW"),
    (setting("hands", 0, "tricks", "N", 7), "hands[0].tricks.N"),
    (setting("hands", 0, "tricks", [7, 6]), "hands[0].tricks"),
    (setting("hands", 0, "tricks", None), "hands[0].tricks"),
    (setting("hands", 0, "melds", None), "hands[0].melds"),
    (setting("hands", 0, "melds", 0, "seat", "NS"), "hands[0].melds[0].seat"),
    (without("hands", 0, "melds", 0, "seat"), "hands[0].melds[0].seat"),
    (setting("hands", 0, "melds", 0, "kind", "pair"), "hands[0].melds[0].kind"),
    (without("hands", 0, "melds", 0, "cards"), "hands[0].melds[0].cards"),
    (setting("hands", 0, "melds", 0, "cards", "2V 3V 4V"), "hands[0].melds[0].cards"),
    (setting("hands", 0, "melds", 0, "cards", 1, "1V"), "hands[0].melds[0].cards[1]"),
    (setting("hands", 0, "melds", 0, "points", 3), "hands[0].melds[0].points"),
    (setting("hands", 0, "plays", "2V"), "hands[0].plays"),
    (setting("hands", 0, "plays", 1, "2V"), "hands[0].plays[1]"),
    (setting("hands", 0, "plays", 1, 2, "2X"), "hands[0].plays[1][2]"),
    (setting("hands", 0, "plays", 1, 2, None), "hands[0].plays[1][2]"),
    (setting("hands", 0, "plays", 1, 2, ["2V"]), "hands[0].plays[1][2]"),
    (setting("hands", 0, "plays", 1, 2, "2v"), "hands[0].plays[1][2]"),
    (setting("hands", 0, "winners", "NNNN"), "hands[0].winners"),
    (setting("hands", 0, "winners", ["N", "NS"]), "hands[0].winners[1]"),
    (setting("hands", 0, "deal", {"N": []}), "hands[0].deal.E"),
    (setting("hands", 0, "deal", {"X": []}), "hands[0].deal.X"),
    (setting("hands", 0, "deal", dict.fromkeys("NESW", "2V")), "hands[0].deal.N"),
    (setting("hands", 0, "players", {"X": "Zoe"}), "hands[0].players.X"),
    (setting("hands", 0, "players", {"N": ""}), "hands[0].players.N"),
    (setting("hands", 0, "buy_ins", {"N": 0}), "hands[0].buy_ins.N"),
    (setting("hands", 0, "buy_ins", {"N": -5}), "hands[0].buy_ins.N"),
    (setting("hands", 0, "misdeal", 1), "hands[0].misdeal"),
    (setting("hands", 0, "misdeal", None), "hands[0].misdeal"),
    (setting("hands", 0, "at", "tonight"), "hands[0].at"),
    (setting("hands", 0, "at", "0001-01-01T00:00:00+14:00"), "hands[0].at"),
    (setting("hands", 0, "note", ["x"]), "hands[0].note"),
    (setting("ended", {"kind": "called"}), "ended.by"),
    (setting("ended", {**CALLED, "kind": "stopped"}), "ended.kind"),
    (setting("ended", {**CALLED, "when": "now"}), "ended.when"),
    (setting("ended", {**CALLED, "reason": " "}), "ended.reason"),
    (setting("ended", None), "ended"),
]

UNREADABLE_RULINGS = [
    ({"kind": "forgive"}, "kind"),
    ({}, "kind"),
    ({"kind": "accept_play", "trick": 1, "seat": "E", "why": "x"}, "why"),
    ({"kind": "accept_play", "trick": 0, "seat": "E"}, "trick"),
    ({"kind": "accept_play", "trick": 14, "seat": "E"}, "trick"),
    ({"kind": "accept_play", "trick": 1, "seat": "EW"}, "seat"),
    ({"kind": "accept_play", "trick": 1}, "seat"),
    ({"kind": "accept_play", "trick": 1, "seat": "E", "points": 4}, "points"),
    ({"kind": "accept_hand", "excuses": []}, "excuses"),
    ({"kind": "accept_hand", "excuses": ["revoke"]}, "excuses[0]"),
    ({"kind": "accept_hand", "excuses": "bad_dealer"}, "excuses"),
    ({"kind": "adjust_tricks", "tricks": 1}, "to"),
    ({"kind": "adjust_tricks", "from": "NS", "to": "NS", "tricks": 1}, "to"),
    ({"kind": "adjust_tricks", "from": "N", "tricks": 1}, "from"),
    ({"kind": "adjust_tricks", "from": "NS", "tricks": 0}, "tricks"),
    ({"kind": "adjust_points", "side": "NS", "points": 1.5}, "points"),
    ({"kind": "adjust_points", "points": 1}, "side"),
    ({"kind": "move_chips", "from": "E", "chips": 2}, "to"),
    ({"kind": "move_chips", "to": "E", "chips": 2}, "from"),
    ({"kind": "move_chips", "from": "E", "to": "bank", "chips": 2}, "to"),
    ({"kind": "move_chips", "from": "E", "to": "W", "chips": 0}, "chips"),
    ({"kind": "move_chips", "from": "E", "to": "W", "chips": True}, "chips"),
]


def test_the_record_that_is_changed_below_is_good() -> None:
    assert decided(with_change(lambda value: None))


@pytest.mark.parametrize(
    ("change", "path"),
    UNREADABLE,
    ids=[f"{place}-{path}" for place, (_, path) in enumerate(UNREADABLE)],
)
def test_what_cannot_be_read_is_a_bad_record_with_its_path(
    change: Callable[[dict[str, Any]], object], path: str
) -> None:
    with pytest.raises(NotationError) as caught:
        decided(with_change(change))
    assert (caught.value.code, caught.value.path) == ("bad_record", path)
    assert len(caught.value.message) > 15


@pytest.mark.parametrize(
    ("written", "path"),
    UNREADABLE_RULINGS,
    ids=[f"{place}-{path}" for place, (_, path) in enumerate(UNREADABLE_RULINGS)],
)
def test_a_ruling_that_cannot_be_read_is_a_bad_record(written: dict[str, Any], path: str) -> None:
    with pytest.raises(NotationError) as caught:
        scored(hand(7, rulings=[{"by": "Director", "reason": "x", **written}]))
    assert caught.value.path == f"hands[0].rulings[0].{path}"


@pytest.mark.parametrize("missing", ["by", "reason"])
def test_a_ruling_names_who_gave_it_and_why(missing: str) -> None:
    written = {
        key: value
        for key, value in ruling("adjust_points", side="NS", points=1).items()
        if key != missing
    }

    with refused(
        "bad_record", rule="", path=f"hands[0].rulings[0].{missing}", says=f"{missing} is missing"
    ):
        scored(hand(7, rulings=[written]))


@pytest.mark.parametrize("value", [None, [], "x", 1, True, 1.5])
def test_a_record_is_an_object(value: object) -> None:
    with refused("bad_record", rule="", path="", says="an object is expected here"):
        read_record(value)
    assert identity_of(value) is None


@pytest.mark.parametrize(
    "fourteen",
    [
        {"plays": PLAYS * 7},
        {"winners": ["N"] * 14},
        {"tricks": {"NS": 7, "EW": 7}},
        {"tricks": {"NS": 14, "EW": 0}},
    ],
)
def test_fourteen_tricks_cannot_be(fourteen: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        scored(hand(**fourteen))
    assert (caught.value.code, caught.value.rule, caught.value.path) == (
        "bad_total",
        "P13",
        f"hands[0].{next(iter(fourteen))}",
    )


@pytest.mark.parametrize(
    ("hands", "code", "path"),
    [
        ([hand(7), hand(14)], "bad_total", "hands[1].tricks"),
        ([hand(7, bid=(3, 15, 3, 3))], "bad_bid", "hands[0].bids.E"),
        ([hand(7, bid=(7, 3, 7, 3))], "bad_bid", "hands[0].bids.N"),
        (
            [hand(7, melds=[RUN, {**RUN, "kind": "triad", "cards": ["2V", "2F", "2B"]}])],
            "bad_meld",
            "hands[0].melds[1].cards",
        ),
        (
            [hand(7, melds=[RUN, {**RUN, "cards": ["5V", "6V", "7V"]}])],
            "bad_meld",
            "hands[0].melds[1].cards",
        ),
        ([hand(7, plays=[["2F", "2B", "2C", "2F"]])], "bad_total", "hands[0].plays[0][3]"),
        ([hand(7, plays=[["2F", "2B", "2C"]])], "bad_total", "hands[0].plays[0]"),
        (
            [hand(7, deal={seat: cards.split()[:12] for seat, cards in ONE_SUIT_EACH.items()})],
            "bad_total",
            "hands[0].deal.N",
        ),
        ([{"bids": hand()["bids"]}], "bad_record", "hands[0].tricks"),
        ([{**hand(), "plays": []}], "bad_total", "hands[0].tricks"),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(
    hands: list[dict[str, Any]], code: str, path: str
) -> None:
    with pytest.raises(Refusal) as caught:
        scored(*hands)
    assert (caught.value.code, caught.value.path) == (code, path)


def test_the_order_of_checks_is_the_one_of_the_format() -> None:
    """From the last check to the first: each change breaks one thing more, and that one is
    found.
    """
    suits = {seat: cards.split() for seat, cards in ONE_SUIT_EACH.items()}
    second: dict[str, Any] = hand(
        7, deal={"N": suits["N"], "E": suits["E"], "S": suits["S"], "W": suits["W"]}
    )
    second["plays"] = [["2B", "2C", "2V", "2F"]]
    steps: list[tuple[str, str, dict[str, Any]]] = [
        ("bad_total", "hands[1].tricks", {"tricks": {"NS": 8, "EW": 6}}),
        (
            "must_play_declared",
            "hands[1].plays[0][0]",
            {"melds": [{"seat": "S", "kind": "run", "cards": ["4B", "5B", "6B"]}]},
        ),
        (
            "card_not_held",
            "hands[1].plays[1][0]",
            {"plays": [["2B", "2C", "2V", "2F"], ["3C", "4C", "5C", "6C"]]},
        ),
        (
            "bad_total",
            "hands[1].plays[1][3]",
            {"plays": [["2B", "2C", "2V", "2F"], ["3C", "4C", "5C", "2B"]]},
        ),
        ("bad_total", "hands[1].deal.W", {"deal": {**suits, "W": suits["W"][1:]}}),
        ("bad_bid", "hands[1].bids.S", {"bids": {"N": 0, "E": 0, "S": 14, "W": 0}}),
        (
            "bad_meld",
            "hands[1].melds[0].cards",
            {"melds": [{"seat": "S", "kind": "run", "cards": ["4B", "5B", "7B"]}]},
        ),
        ("bad_trump", "hands[1].trump", {"trump": "V"}),
        ("bad_dealer", "hands[1].dealer", {"dealer": "W"}),
    ]
    scored(hand(7), second)
    for code, path, change in steps:
        second |= change
        with pytest.raises(Refusal) as caught:
            scored(hand(7), second)
        assert (caught.value.code, caught.value.path) == (code, path)
    with refused("game_over", rule="P23", path="hands[1]", says="the game is over"):
        scored(hand(7), second, hands_limit=1)
    with refused("bad_record", rule="", path="hands[1].note", says="a text is expected"):
        scored(hand(7), {**second, "note": 5}, hands_limit=1)


def test_the_shape_of_the_whole_record_comes_before_any_rule() -> None:
    with refused("bad_record", rule="", path="hands[1].bids.E", says="a whole number"):
        scored(hand(14), hand(7, bid=(3, "x", 3, 3)))  # type: ignore[arg-type]  # no number, on purpose


def test_an_ended_game_needs_a_hand() -> None:
    with refused("out_of_turn", rule="P23", path="ended", says="after a hand was played"):
        decided(record(ended=CALLED))
    with refused("out_of_turn", rule="P23", path="ended", says="after a hand was played"):
        decided(record({"misdeal": True}, ended=CALLED))


def test_a_hand_after_the_end_is_refused() -> None:
    with refused("game_over", rule="P23", path="hands[1]", says="the game is over"):
        scored(hand(7), hand(7), hands_limit=1)


def test_a_game_without_hands_is_a_game_not_finished() -> None:
    read, _, state = decided(record())

    assert read.game.result(state)["finished"] is False
    assert read.game.result(state)["pots"] == {"hand": 0, "accord": 20}


@pytest.mark.parametrize("written", ["TV", "10V", "10 of Void"])
def test_a_ten_may_be_written_in_three_ways_and_is_kept_as_t(written: str) -> None:
    read, _, state = decided(
        record(
            hand(
                7, melds=[{"seat": "E", "kind": "run", "cards": ["9V", written, "Officer of Void"]}]
            )
        )
    )

    assert read.game.write_hands(state)[0]["melds"][0]["cards"] == ["9V", "TV", "OV"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2026-11-21T19:30:00", "2026-11-21T19:30:00Z"),
        ("2026-11-21T19:30:00+01:00", "2026-11-21T18:30:00Z"),
        ("2026-11-21T19:30:00Z", "2026-11-21T19:30:00Z"),
    ],
)
def test_a_time_is_kept_in_utc(given: str, kept: str) -> None:
    read, _, state = decided(record(hand(7, at=given)))

    assert read.game.write_hands(state)[0]["at"] == kept


def test_a_whole_record_is_written_as_it_was_read_with_its_extras() -> None:
    value = {
        **record(hand(7), ended=CALLED),
        "played_on": "2026-11-21",
        "table": "4",
        "note": "a short note",
    }
    read = read_record(value)
    _, state = decide_record(read)
    written = write_record(read.game, state)
    assert {
        key: written[key] for key in ("played_on", "table", "note", "ended", "players", "id")
    } == {
        "played_on": "2026-11-21",
        "table": "4",
        "note": "a short note",
        "ended": CALLED,
        "players": value["players"],
        "id": "game-1",
    }
    assert written["options"]["target_score"] == 250
    assert "hands_limit" not in written["options"]
