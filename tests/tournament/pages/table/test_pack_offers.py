"""The keys by which a table goes on act by act without the server are those of its rules: each act
that may come next has its key, and each key that is taken is such an act.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from html import unescape
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.template.loader import render_to_string

from scoring import page_door
from scoring.forms import value_of_fields
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.records import decide_record, read_record
from scoring.stored_facts import StoredFact, fold_stored
from tests.material import MATERIAL, lines_of
from tests.scoring.legal_sets import members
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import RECORDED
from tests.scoring.stored_events import stored_facts
from tournament.models import Game

BY_ACTS = [kind for kind, game in GAMES.items() if game.has_dealer]  # a patience goes on by sheets
COLLECTION = re.compile(r'<template data-collection="([\w-]+)"[^>]*>(.*?)</template>', re.DOTALL)
KEY = re.compile(r'<button class="(?:key|btn)[^"]*"([^>]*)>')
NAMED = re.compile(r'name="([^"]*)"\s+value="([^"]*)"')
# Collections whose acts are each one key: whoever taps says all there is to say.
BY_KEYS = {
    "precedence": ("bids", "winners", "totals", "misdeals"),
    "preference": ("calls", "winners", "defences", "contracts", "throw-ins"),
    "contract_sabacc": ("calls",),
}


def shown_offers(kind: str, table: dict[str, Any], seats: Sequence[str]) -> dict[str, str]:
    """The templates of a game's page, by collection."""
    context = {"row": Game(kind=kind), "players": {seat: f"Player {seat}" for seat in seats}}
    return dict(
        COLLECTION.findall(render_to_string(f"{kind}/offers.html", {**context, "table": table}))
    )


@pytest.mark.parametrize("kind", BY_ACTS)
def test_every_act_of_a_game_by_sheets_can_be_kept_without_the_server(kind: str) -> None:
    game = GAMES[kind]
    found = shown_offers(kind, {"tricks_in_all": 18, "talon_size": 6}, game.seatings[0])

    assert set(found) == set(game.acts)


@pytest.mark.parametrize(
    "name", [name for name in RECORDED if name.split("_games")[0] != "order_of_precedence"]
)
@pytest.mark.parametrize("place", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_each_act_that_may_come_next_has_its_key_and_no_other_key_is_taken(
    name: str, place: int
) -> None:
    record = read_record(with_rulings(lines_of(MATERIAL / name)[place]))
    facts = stored_facts(decide_record(record)[0])
    tried = sum(check_keys(record.game, begun) for begun in starts(record.game, facts))
    assert tried > 0


def starts(game: AnyGame, facts: Sequence[StoredFact]) -> Iterator[list[StoredFact]]:
    """What was recorded before each act of the table."""
    for place, fact in enumerate(facts):
        if place and fact.name.startswith(f"{game.name}."):
            yield list(facts[:place])


def check_keys(game: AnyGame, facts: list[StoredFact]) -> int:
    """How many collections were compared."""
    state = fold_stored(game, facts)
    table = game.table(state)
    legal = json.loads(json.dumps(game.legal_next(table)))
    shown = shown_offers(game.name, table, list(state.players))
    begun = json.dumps({"game": game.name, "facts": facts, "ids": {}, "called": {}, "words": {}})
    there = [name for name in BY_KEYS[game.name] if name in legal]
    common = {name: page_door.common_fields(legal[name]) for name in there}
    there = [name for name in there if name != "contracts" or "soloist" in common[name]]
    for name in there:
        bodies = [body_of(key, common[name]) for key in KEY.findall(shown[name])]
        acts = [{"collection": name, "body": body} for body in bodies]
        question = {
            "recorded": [], "version": state.version, "kept": [], "tried": acts, "drafted": [],
        }  # fmt: skip
        answer = json.loads(page_door.offers(begun, json.dumps(question)))
        read = partial(events_of, game, name, state)
        taken = {
            read(value_of_fields(page_door.fields_of(act["body"])))
            for act, said in zip(acts, answer["tried"], strict=True)
            if said.get("taken")
        }
        may = {read(act) for form in legal[name] for act in members(form, Random(1), game.pack)}
        assert taken == may, (name, table["hand"])
    return len(there)


def events_of(game: AnyGame, collection: str, state: Any, value: object) -> str:
    """What is recorded by an act: what may be left out says the same."""
    return repr(game.decide(game.acts[collection](value, state.rules), state))


def body_of(key: str, common: dict[str, str]) -> str:
    named = NAMED.search(key)
    fields = {named[1]: unescape(named[2])} if named else {}
    return urlencode({**common, **fields})
