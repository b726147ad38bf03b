"""Whatever a record says of a hand, rulings apart, can be written on the hand sheet or the pad, and
comes to the same.
"""

from typing import Any

import pytest
from django.test import Client

from scoring.records import decide_record, read_record
from tests.scoring.sample_games import SAMPLES
from tests.tournament.helpers.forms import fields_of
from tests.tournament.helpers.playing import a_command, about, state_of, tap, told
from tests.tournament.helpers.tables import lines_of
from tournament.exchange.game_records import export_game
from tournament.models import Game, Player, Salon
from tournament.recording.door import start_game
from tournament.salons.public_names import Audience

KINDS = {"plays": "tricks", "moves": "list", "points": "half"}


def games_of(name: str) -> list[dict[str, Any]]:
    """The games of a sample without those that need a ruling."""
    return [
        game
        for game in lines_of(SAMPLES / f"{name}.jsonl")
        if not any("rulings" in hand for hand in game["hands"])
    ]


def begun(salon: Salon, record: dict[str, Any]) -> Game:
    """The game of a record at table 4, no hand played."""
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind=record["game"],
        players=record["players"],
        options=record.get("options", {}),
        table="4",
    )


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("precedence_simulated", 2),
        ("precedence_games", 1),
        ("preference_simulated", 2),
        ("contract_sabacc_simulated", 2),
        ("order_of_precedence_games", 1),
    ],
)
def test_whole_hands_typed_into_the_sheet_come_to_what_their_record_comes_to(
    salon: Salon, owner: Client, name: str, most: int
) -> None:
    for record in games_of(name)[:most]:
        game = begun(salon, record)
        for hand in record["hands"]:
            if hand.get("misdeal"):
                tap(
                    owner,
                    "hands",
                    **fields_of({key: value for key, value in hand.items() if key != "misdeal"}),
                )
                assert tap(owner, "misdeals").status_code == 303
                continue
            sheet = owner.get("/tables/4/sheet/")
            answer = owner.post("/tables/4/sheet/", about(sheet) | fields_of(hand))
            assert answer.status_code == 303, told(answer)[:1500]
        if "ended" in record:
            tap(owner, "endings", kind=record["ended"]["kind"], reason=record["ended"]["reason"])

        exported = {**export_game(salon, game.pk, Audience.SALON), "id": record["id"]}
        assert result_of(exported) == result_of(record)
        Game.objects.filter(pk=game.pk).update(table="")  # the table is free for the next one


def result_of(record: dict[str, Any]) -> dict[str, Any]:
    read = read_record(record)
    return read.game.result(decide_record(read)[1])


FOUR = {"N": "Ash", "E": "Birch", "S": "Cedar", "W": "Dogwood"}


def test_a_substitute_and_a_buy_in_are_said_as_the_hand_opens(salon: Salon, owner: Client) -> None:
    Player.objects.create(salon=salon, pk="f" * 32, name="Émile Fir")
    record = {"game": "precedence", "players": FOUR, "options": {"opening_chips": 20}}
    game = begun(salon, record)
    page = owner.get("/tables/4/")
    assert all(
        name in page.text
        for name in ('name="players.E"', 'name="buy_ins.E:number"', '<option value="Émile Fir">')
    )

    refused = tap(owner, "hands", dealer="N", players__E="Ash", **{"buy_ins.E:number": "30"})
    tap(owner, "hands", dealer="N", players__E="emile fir", **{"buy_ins.E:number": "30"})

    assert (
        refused.status_code,
        "one player sits in two seats" in told(refused),
        'value="Ash"' in refused.text,
    ) == (400, True, True)
    assert state_of(game)["hand"]["players"] == {"E": "f" * 32}
    assert Player.objects.filter(salon=salon).count() == 5
    exported = export_game(salon, game.pk, Audience.SALON)
    assert exported["players"]["E"] == "Birch"


def test_buy_ins_are_offered_only_where_chips_are_given_out(salon: Salon, owner: Client) -> None:
    begun(salon, {"game": "preference", "players": {"A": "Ash", "B": "Birch", "C": "Cedar"}})

    page = owner.get("/tables/4/")

    assert 'name="players.A"' in page.text
    assert "buy_ins" not in page.text


def test_somebody_else_may_play_a_deal_of_a_patience(salon: Salon, owner: Client) -> None:
    game = begun(salon, {"game": "order_of_precedence", "players": {"A": "Ash"}})

    tap(owner, "hands", players__A="Birch")

    assert list(state_of(game)["hand"]["players"]) == ["A"]


THREE = {"A": "Ash", "B": "Birch", "C": "Cedar"}
FRENCH = [rank + suit for suit in "CSDH" for rank in "789TJQKA"]
TAROT = [f"{rank}{suit}" for suit in "CFST" for rank in range(1, 15)] + [
    str(-rank) for rank in range(22)
]
PACK = [rank + suit for suit in "VFBC" for rank in "23456789TOCPE"]
HANDS: dict[str, tuple[dict[str, str], list[tuple[str, dict[str, str]]]]] = {
    "precedence": (
        FOUR,
        [
            ("hands", {"dealer": "N"}),
            *(("bids", {"seat": seat, "tricks:number": "1"}) for seat in "ESWN"),
        ],
    ),
    "preference": (
        THREE,
        [
            ("hands", {"dealer": "C"}),
            ("contracts", {"soloist": "A", "contract": "one"}),
            ("defences", {}),
        ],
    ),
    "contract_sabacc": (
        THREE,
        [("hands", {"dealer": "C"}), ("contracts", {"declarer": "A", "contract": "take"})],
    ),
}
WRITTEN = [
    (
        "precedence",
        "deals",
        {f"{seat}:cards": " ".join(PACK[place::4]).lower() for place, seat in enumerate("NESW")},
    ),
    (
        "preference",
        "deals",
        {f"deal.{seat}:cards": " ".join(FRENCH[place:30:3]) for place, seat in enumerate("ABC")},
    ),
    ("preference", "deals", {"widow:cards": "kh ah", "discards:cards": "7c KH"}),
    (
        "contract_sabacc",
        "deals",
        {f"{seat}:cards": " ".join(TAROT[place:72:3]).lower() for place, seat in enumerate("ABC")},
    ),
    ("contract_sabacc", "talons", {"cards:cards": "1c 2c 3c -1 -21 0"}),
    ("contract_sabacc", "asides", {"cards:cards": "1C 2C 3C 4C 5C 6C"}),
]


@pytest.mark.parametrize(("kind", "collection", "sent"), WRITTEN)
def test_what_was_dealt_is_written_down_on_the_pad_before_the_first_trick(
    salon: Salon, owner: Client, kind: str, collection: str, sent: dict[str, str]
) -> None:
    players, before = HANDS[kind]
    game = begun(salon, {"game": kind, "players": players})
    for noun, fields in before:
        assert tap(owner, noun, **fields).status_code == 303
    assert f"/tables/4/{collection}/" in owner.get("/tables/4/").text

    wrong = tap(
        owner, collection, **{field: text.rpartition(" ")[0] for field, text in sent.items()}
    )
    answer = tap(owner, collection, **sent)

    assert (wrong.status_code, answer.status_code) == (422, 303)
    assert all(text.rpartition(" ")[0].upper() in wrong.text for text in sent.values())
    assert state_of(game)["undo"]["act"]["type"].partition(".")[2] in (
        "cards_dealt",
        "talon_shown",
        "cards_set_aside",
    )
    page = owner.get("/tables/4/")
    assert f"/tables/4/{collection}/" not in page.text
    assert "Undo" in told(page)
