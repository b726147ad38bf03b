"""Refusals in the language of whoever is told: every sentence can be translated, with its values,
and is on the pages.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from scoring import errors
from scoring.errors import TERMS, NotationError, Refusal, RuleViolation, Sentence, sentence
from tests.tournament.helpers.evenings import in_round_1, registered, send
from tests.tournament.helpers.playing import bidding, told
from tournament.domain.tournament.lookups import (
    entry_refused,
    need_reason,
    need_running,
    refused,
    round_refused,
    table_refused,
)
from tournament.management.commands import makemessages
from tournament.models import Salon
from tournament.queries import refusal_text
from tournament.queries.refusal_text import in_words

ROOT = Path(__file__).resolve().parents[3]
PURE = (
    "scoring",
    "tournament/domain/tournament",
    "tournament/domain/standings",
    "tournament/domain/pairing",
    "tournament/domain/schedules",
    "tournament/domain/season",
    "tournament/domain/stock.py",
    "tournament/domain/deals.py",
)
REFUSALS = {
    "RuleViolation",
    "NotationError",
    "Refusal",
    "refused",
    "_refused",
    "need_reason",
    "_refusal",
    "_refuse",
}
PLACES = re.compile(r"%\((\w+)\)s")


def calls(names: set[str], *folders: str) -> Iterator[tuple[str, ast.Call]]:
    """Every call of a function of these names, with where it stands."""
    for path in sorted(each for folder in folders for each in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in names
            ):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_every_sentence_is_written_out_and_has_a_value_for_each_of_its_places() -> None:
    found = list(calls({"sentence"} | REFUSALS, "scoring", "tournament"))
    assert len(found) > 600

    for where, call in found:
        name = getattr(call.func, "id", "")
        place = name not in {"sentence", "NotationError"}
        template = call.args[place] if len(call.args) > place else None
        if isinstance(template, ast.Constant):
            assert isinstance(template.value, str), where
            named = {word.arg for word in call.keywords}
            values = named if name == "sentence" else named - {"rule", "path"}
            assert set(PLACES.findall(template.value)) == values, where
            assert not values or "%" not in PLACES.sub("", template.value), (
                f"{where}: numbers and texts alike are %(…)s"
            )
        else:
            assert name != "sentence", f"{where}: translators find what is written out"


def test_no_refusal_of_the_pure_parts_is_put_together_from_pieces_of_english() -> None:
    found = list(calls(REFUSALS, *PURE))
    assert len(found) > 300

    for where, call in found:
        said = [*call.args, *(word.value for word in call.keywords if word.arg == "message")]
        assert not any(map(is_put_together, said)), where


def test_no_message_of_the_pure_parts_is_put_together_before_it_is_refused() -> None:
    for path in sorted(each for folder in PURE for each in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Assign) and any(
                isinstance(each, ast.Name) and each.id == "message" for each in node.targets
            ):
                assert not is_put_together(node.value), f"{path.relative_to(ROOT)}:{node.lineno}"


def is_put_together(node: ast.expr) -> bool:
    """Whether these are words with values among them, not a path or a number."""
    return isinstance(node, ast.JoinedStr) and any(
        isinstance(part, ast.Constant) and " " in str(part.value) for part in node.values
    )


def test_translators_are_given_the_sentences_of_refusals() -> None:
    options = makemessages.Command.xgettext_options

    for function, place in ((sentence, 1), (NotationError, 1), (RuleViolation, 2), (Refusal, 2)):
        assert f"--keyword={function.__name__}:{place}" in options
    for refusing in (
        refused,
        round_refused,
        table_refused,
        entry_refused,
        need_reason,
        need_running,
    ):
        assert f"--keyword={refusing.__name__}:2" in options


def marked(words: str) -> str:
    """Another language: every word in capitals, places for values as they are."""
    return re.sub(
        r"%\(\w+\)s|[^%]+",
        lambda part: part[0] if part[0].startswith("%(") else part[0].upper(),
        words,
    )


def test_a_sentence_is_translated_with_its_values_and_what_is_somebody_s_own_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refusal_text, "_", marked)
    why = sentence("after %(rounds)s rounds", rounds=3)
    said = sentence(
        "%(name)s is in %(phase)s, %(why)s; then %(phases)s",
        name="Asha",
        phase="draft",
        why=why,
        phases=("one", "two"),
    )

    assert in_words(said) == "Asha IS IN DRAFT, AFTER 3 ROUNDS; THEN ONE, TWO"
    assert str(said) == "Asha is in draft, after 3 rounds; then one, two"
    assert in_words(Sentence("100 % of it")) == "100 % OF IT"
    assert "name" not in TERMS


def test_a_refusal_keeps_its_sentence_beside_its_english() -> None:
    refusal = RuleViolation(
        "bad", sentence("round %(round)s is not drawn", round=2), path="round"
    ).under("acts[0]")

    assert (refusal.message, str(refusal), refusal.path) == (
        "round 2 is not drawn",
        "round 2 is not drawn",
        "acts[0].round",
    )
    assert RuleViolation("bad", "50 % is plain").message == "50 % is plain"


@pytest.mark.usefixtures("capitals")
@pytest.mark.parametrize(
    ("collection", "fields", "words"),
    [
        ("draws", {"round__number": "3"}, "ROUND 2 IS THE NEXT TO BE DRAWN"),
        (
            "results",
            {"round__number": "1", "table__number": "9", "results.0.score__half": "1"},
            "ROUND 1 HAS NO TABLE 9; IT HAS 2",
        ),
        (
            "closings",
            {"round__number": "1"},
            "THE RESULT OF TABLE 1, 2 IS MISSING; TYPE IT, EXCUSE IT, OR WAIT FOR ITS GAME",
        ),
        (
            "phases",
            {"phase": "archived"},
            "THE TOURNAMENT IS IN RUNNING; FROM THERE IT GOES TO ONE OF: FINISHED, REGISTRATION",
        ),
        ("check-ins", {"entry": "77"}, "THERE IS NO ENTRY 77; THERE ARE 4"),
        ("clock-pauses", {"round__number": "1"}, "THE CLOCK OF ROUND 1 ISN'T RUNNING"),
    ],
)
def test_the_desk_says_in_another_language_what_it_refuses(
    owner: Client, salon: Salon, collection: str, fields: dict[str, str], words: str
) -> None:
    assert words in told(send(owner, in_round_1(salon), collection, **fields))


@pytest.mark.usefixtures("capitals")
def test_so_does_a_list_line_by_line_and_a_pad(owner: Client, salon: Salon) -> None:
    row = registered(salon, 1)
    sent = {
        "version": str(row.version),
        "command": "a" * 32,
        "list": "Asha Renn & New Body\nOne Alone",
        "keep": "yes",
    }
    page = told(owner.post(f"/tournaments/{row.pk}/desk/lists/", sent))
    assert "THIS PLAYER IS IN ENTRY 1 ALREADY" in page
    assert "2 NAMES ARE EXPECTED, AS IN “ASHA & CATO; CLUB; RATING”" in page

    game = bidding(salon)
    sent = {
        "game": game.pk,
        "version": str(game.version),
        "command": "b" * 32,
        "seat": "S",
        "tricks:number": "3",
    }
    assert "BIDS NEXT, NOT" in told(owner.post(f"/tables/{game.table}/bids/", sent))


@pytest.mark.usefixtures("capitals")
def test_a_page_with_the_rules_says_it_in_the_language_of_the_server() -> None:
    words = refusal_text.words_of_rules()
    refusal = NotationError("a whole number is expected here, not “%(text)s”", text="x")

    said = errors.in_words(refusal.sentence, lambda text: words.get(text, text))

    assert said == refusal_text.refusal_words(refusal)
    assert said == "A WHOLE NUMBER IS EXPECTED HERE, NOT “x”"


def test_in_english_there_is_nothing_to_say_otherwise() -> None:
    assert refusal_text.words_of_rules() == {}


@pytest.fixture
def capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusal_text, "_", marked)
