"""What visitors write is read in time that grows with its length and no faster, and refused by its
length before any work.
"""

import ast
import importlib
import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ledger.models import Log
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import registered
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.salons import owner_of
from tournament.domain.tournament.entry_order import LONGEST_LINE, ListReading, read_list
from tournament.exchange.entry_lists import with_known_people
from tournament.formats import player_list
from tournament.formats.player_list import BAD, KNOWN, NEW, guess_columns, lines_of, read_listed
from tournament.models import Player, Salon, Tournament
from tournament.streams.tournament_rows import state_of

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("scoring", "ledger", "tournament")
NOT_LOADED = (
    "migrations",
    "settings",
    "wsgi",
    "celery",
    "__main__",
)  # what does something as soon as it is imported
METHODS = {"fullmatch", "match", "search", "split", "sub", "findall", "finditer"}
# What makes an expression go back and forth, over and over; the end matches nothing.
OVER_AND_OVER = (
    " ", "a", "1", "0", "a ", "1 ", "-", "a-", ".", "a.", "1.", "[", "[1", "[1]", "plays[1", "/",
    "/a", "&", " and ", "a and ", ": ", "\n",
    "\t", ",", ";", "+", "=", "\u2014 a ", "a\n", "abcdef0123456789", " - at `", "a: ", "1 more ",
    "/salons/a", '"', "\u2013", "1-",
)  # fmt: skip
FEW, MANY = 300, 1_200


def expressions() -> Iterator[tuple[str, re.Pattern[str], str]]:
    """Every expression of the product with where it stands and each way it is used there."""
    for path in sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        text = path.read_text(encoding="utf-8")
        if "re." in text and not set(module.split(".")) & set(NOT_LOADED):
            yield from (
                (f"{module}: {found.pattern}", found, method)
                for found, method in _used_in(module, ast.parse(text))
            )


def _used_in(module: str, tree: ast.Module) -> Iterator[tuple[re.Pattern[str], str]]:
    for node in ast.walk(tree):
        if not (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            continue
        name, method = node.func.value.id, node.func.attr
        if method not in METHODS:
            continue
        known = getattr(importlib.import_module(module), name, None)
        if isinstance(known, re.Pattern) and isinstance(known.pattern, str):
            yield known, method
        elif name == "re" and isinstance(node.args[0], ast.Constant):
            yield re.compile(str(node.args[0].value)), method


def seconds(expression: re.Pattern[str], method: str, text: str) -> float:
    """The least time that this takes of a few tries."""
    use: Callable[..., Any] = getattr(expression, method)
    given = ("", text) if method == "sub" else (text,)
    taken = []
    for _try in range(4):
        before = time.thread_time()
        found = use(*given)
        if method == "finditer":
            list(found)
        taken.append(time.thread_time() - before)
    return min(taken)


def takes_more(expression: re.Pattern[str], method: str, part: str) -> bool:
    """Whether a longer text took more than its share this time: what others do on this machine may
    be why.
    """
    few, many = (seconds(expression, method, part * count + "\x00!") for count in (FEW, MANY))
    return many > max(0.002, 7 * few)


def test_no_expression_takes_more_than_its_share_of_a_longer_text() -> None:
    slow, tried = [], list(expressions())

    for where, expression, method in tried:
        for part in OVER_AND_OVER:
            if all(takes_more(expression, method, part) for _time in range(5)):
                slow.append((where, method, part))

    assert len(tried) > 40
    assert slow == []


SPACES = "a" + 100_000 * " " + "b"
FIELD = "Half Three & Half Four; Club\n" + 140_000 * "a" + ";b\nHalf Five & Half Six"


@pytest.mark.parametrize(
    "text", [SPACES, 100_000 * " and ", 100_000 * "&", 100_000 * ";", 100_000 * '"']
)
def test_a_line_that_is_too_long_is_refused_before_it_is_worked_on(text: str) -> None:
    (line,) = read_list(f"x{text}x", ListReading(players=2))

    assert str(line.problem) == f"a line has {LONGEST_LINE} characters at most"


def test_the_longest_line_there_can_be_is_read() -> None:
    names = f"{80 * 'A'} & {80 * 'B'}; {80 * 'C'}; 1510"
    (line,) = read_list(names, ListReading(players=2))

    assert (len(names) < LONGEST_LINE, line.problem) == (True, None)


def test_of_a_list_of_players_the_lines_too_long_are_bad_and_the_others_are_read() -> None:
    listed = read_listed(f"Asha;1\n{140_000 * 'a'};2\nCato;3\n")
    lines = list(lines_of(listed, guess_columns(listed), {"Asha"}))

    assert [(line.number, line.kind) for line in lines] == [(1, KNOWN), (2, BAD), (3, NEW)]
    assert str(player_list.LONGEST_LINE) in lines[1].problem


def test_a_quote_that_is_never_closed_is_a_bad_line() -> None:
    listed = read_listed('"' + 100 * (1_400 * "a" + "\n"))

    assert BAD in {line.kind for line in lines_of(listed, guess_columns(listed), set())}


def test_a_list_of_entries_with_a_line_that_cannot_be_read_is_no_fault_and_names_the_line(
    salon: Salon,
) -> None:
    row, owner = registered(salon, 1), owner_of(salon)

    answer = owner.post(
        f"/tournaments/{row.pk}/desk/lists/",
        {"list": FIELD, "command": a_command(), "keep": "yes"},
    )

    assert answer.status_code == 422
    assert f"a line has {LONGEST_LINE} characters at most" in answer.text
    assert entered(row) == ["Half Five", "Half Four", "Half Six", "Half Three"]


@pytest.mark.parametrize("text", [FIELD, SPACES, 'Asha & "' + 140_000 * "b"])
def test_no_list_is_a_fault_of_ours_wherever_it_is_sent(salon: Salon, text: str) -> None:
    row, owner, call = registered(salon, 1), owner_of(salon), owner_calls(salon)
    event = f"tournaments/{row.pk}"

    pages = [
        owner.post(f"/{event}/desk/lists/", {"list": text, "command": a_command()}).status_code,
        owner.post(
            f"/{event}/desk/lists/", {"list": text, "command": a_command(), "keep": "yes"}
        ).status_code,
        owner.post("/players/list/", {"list": text}).status_code,
        owner.post("/players/list/", {"list": text, "keep": "yes"}).status_code,
    ]
    places = (
        "player-lists/",
        "player-list-previews/",
        f"{event}/entry-list-previews/",
        f"{event}/entry-lists/",
    )
    answers = [call.post(place, {"text": text}) for place in places]

    assert pages == [200, 422, 200, 302]
    assert [answer.status for answer in answers] == [201, 200, 200, 201]
    assert not Player.objects.filter(name__startswith="aaaa").exists()


def test_a_list_is_entered_as_one_or_not_at_all(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    row, client, asked = registered(salon, 1), owner_of(salon), iter([1, 2])
    client.raise_request_exception = False
    before = Log.objects.values_list("position", flat=True).get(pk=salon.log_id)

    def breaks_at_the_third(*given: Any, **also: Any) -> Any:
        next(asked)
        return with_known_people(*given, **also)

    with monkeypatch.context() as broken:
        broken.setattr("tournament.exchange.entry_lists.with_known_people", breaks_at_the_third)
        client.post(
            f"/tournaments/{row.pk}/desk/lists/",
            {
                "list": "A B & C D\nE F & G H\nI J & K L\nM N & O P",
                "command": a_command(),
                "keep": "yes",
            },
        )

    assert entered(row) == []
    assert Log.objects.values_list("position", flat=True).get(pk=salon.log_id) == before


def test_the_same_list_again_enters_nobody_and_says_the_same(salon: Salon) -> None:
    row, call = registered(salon, 1), owner_calls(salon)
    key, text = "0" * 8 + "-0000-4000-8000-" + "0" * 12, "A B & C D\nA B & E F\nG H"

    one, other = (
        call.post(f"tournaments/{row.pk}/entry-lists/", {"text": text}, key=key)
        for _time in range(2)
    )

    assert one.value["lines"] == other.value["lines"]
    assert [bool(line["problem"]) for line in one.value["lines"]] == [False, True, True]
    assert entered(row) == ["A B", "C D"]


def entered(row: Tournament) -> list[str]:
    """The players of all entries but the first, by name."""
    row.refresh_from_db()
    known = dict(Player.objects.filter(salon=row.salon).values_list("pk", "name"))
    return sorted(
        known[player] for entry in state_of(row).entries[1:] for _place, player in entry.players
    )


def test_a_place_in_a_message_is_found_however_often_it_seems_to_be_there(salon: Salon) -> None:
    tricky = 50_000 * " - at `" + "\n"
    answer = Client().post(
        "/api/v1/salons/x/people/", json.dumps({tricky: 1}), content_type="application/json"
    )

    assert answer.status_code < 500
