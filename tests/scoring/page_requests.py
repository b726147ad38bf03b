"""Texts that a page asks the rules with, and the hands they answer."""

import json
from typing import Any
from urllib.parse import urlencode

from scoring.records import decide_record, read_record
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.stored_events import stored_facts

SEATS = {"N": "ada", "E": "ben", "S": "cleo", "W": "dan"}
OPTIONS = {"target_score": 1000}
HAND = {
    "dealer": "N", "trump": "V",
    "bids.N:number": 4, "bids.E:number": 3, "bids.S:number": 3, "bids.W:number": 2,
    "tricks.NS:number": 8, "tricks.EW:number": 5,
}  # fmt: skip


def begun_precedence() -> str:
    record = read_record(
        {"format": "salon-record/1", "id": "a", "game": "precedence", "players": SEATS,
         "options": OPTIONS, "hands": []}
    )  # fmt: skip
    events, _ = decide_record(record)
    return json.dumps(
        {"game": "precedence", "facts": stored_facts(events), "ids": {"Ida": "player-of-ida"},
         "called": {}, "words": {}}
    )  # fmt: skip


def body(*without: str, **changes: object) -> str:
    numbers = {name.replace("__", ".") + ":number": to for name, to in changes.items()}
    fields = {**HAND, **numbers}
    return urlencode({name: fields[name] for name in fields if name not in without})


def hands_of(value: Any) -> list[dict[str, Any]]:
    record = read_record(with_rulings(value))
    _, state = decide_record(record)
    return record.game.hand_results(state, 0)
