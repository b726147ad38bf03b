"""Names say what a function does (house style, 1): it begins with a verb, a predicate with `is_`,
`has_` or `can_`, a value is a noun. Docstrings open with an imperative or a noun (22).
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[1]
OPENS_SO = re.compile(r"(What|Who|Where|How|Whose|Whom)\b")
# Their docstrings are part of the API document, as all in tournament/api are.
PUBLISHED = frozenset({"CountsIn", "Current", "Line"})
# Participles that don't end in -ed or -ing.
IRREGULAR = frozenset(
    [
        "beaten",
        "been",
        "begun",
        "borne",
        "bought",
        "brought",
        "built",
        "caught",
        "chosen",
        "dealt",
        "done",
        "drawn",
        "driven",
        "fallen",
        "felt",
        "forgotten",
        "found",
        "given",
        "gone",
        "got",
        "grown",
        "had",
        "heard",
        "held",
        "hidden",
        "kept",
        "known",
        "laid",
        "left",
        "lent",
        "lost",
        "made",
        "meant",
        "met",
        "overdue",
        "paid",
        "redone",
        "said",
        "sat",
        "seen",
        "sent",
        "shown",
        "sold",
        "spent",
        "spoken",
        "stood",
        "struck",
        "swept",
        "swung",
        "taken",
        "taught",
        "thought",
        "thrown",
        "told",
        "torn",
        "typed",
        "understood",
        "undone",
        "withdrawn",
        "won",
        "worn",
        "written",
    ]
)
# Nouns and verbs that look like a participle.
NO_PARTICIPLES = frozenset(
    [
        "anything",
        "bed",
        "bidding",
        "binding",
        "bookkeeping",
        "breed",
        "bring",
        "building",
        "buying",
        "ceiling",
        "dealing",
        "during",
        "embed",
        "encoding",
        "ending",
        "everything",
        "exceed",
        "feed",
        "finding",
        "fling",
        "following",
        "greeting",
        "heading",
        "hundred",
        "keying",
        "king",
        "listing",
        "mapping",
        "meeting",
        "need",
        "nothing",
        "opening",
        "padding",
        "pairing",
        "proceed",
        "ranking",
        "rating",
        "reading",
        "recording",
        "red",
        "ring",
        "routing",
        "ruling",
        "scoring",
        "seating",
        "seed",
        "setting",
        "shed",
        "sing",
        "sled",
        "something",
        "sorting",
        "speed",
        "spelling",
        "spring",
        "staging",
        "standing",
        "string",
        "succeed",
        "thing",
        "timing",
        "training",
        "warning",
        "wing",
        "wording",
    ]
)
# Read by templates, stored, documented as part of the API, or a keyword of translations.
KEPT = frozenset(
    [
        "_entered",
        "_folded_outcome",
        "_looked",
        "_moved",
        "_opened",
        "_reached",
        "_refused",
        "accepted",
        "adjusted",
        "anted",
        "arrived",
        "awaited",
        "begun",
        "bought",
        "built",
        "called",
        "changed",
        "closed",
        "compared",
        "completed",
        "computed",
        "confirmed",
        "corrected",
        "cosigned",
        "counted_lines",
        "differing",
        "differing_scales",
        "disputed",
        "disputed_place",
        "done",
        "ended",
        "ended_at",
        "entered",
        "entered_as",
        "excused",
        "excused_as_json",
        "explained",
        "factored",
        "fitting",
        "folded",
        "hidden",
        "holding",
        "kept_part",
        "kept_part_of_each",
        "listed",
        "made_by",
        "made_otherwise",
        "merged_players",
        "met_again",
        "missed",
        "missed_round",
        "missing",
        "moved",
        "moved_to",
        "named",
        "naming",
        "needed",
        "opened",
        "packed",
        "paid",
        "parted_by",
        "planned",
        "played",
        "played_on",
        "playing",
        "printed",
        "printed_checkpoint",
        "published",
        "rated",
        "recorded",
        "recorded_at",
        "refused",
        "reopened",
        "replaced_name",
        "required",
        "roving",
        "ruled",
        "sealed",
        "seated",
        "seen_at",
        "seen_out",
        "shared_answers",
        "shown_points_of_rounds",
        "signed",
        "signed_points",
        "sitting",
        "stored_name",
        "turned",
        "typed_address",
        "typed_results",
        "unchanged_page",
        "unconfirmed",
        "unpacked",
        "waiting",
        "winning_score",
    ]
)


@cache
def functions_and_classes() -> list[tuple[str, str, bool]]:
    """The file, the name, and whether it is a class, of all in the source."""
    return [
        (str(path.relative_to(CLONE)), node.name, isinstance(node, ast.ClassDef))
        for room in ("scoring", "ledger", "tournament")
        for path in sorted((CLONE / room).rglob("*.py"))
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]


def is_participle(word: str) -> bool:
    """Whether a name's first word tells what became of something."""
    if word in NO_PARTICIPLES:
        return False
    regular = (word.endswith("ed") and len(word) > 3) or (word.endswith("ing") and len(word) > 4)
    return regular or word in IRREGULAR


def docstrings() -> Iterator[tuple[str, str, str]]:
    """The file, the name ("" for a module) and the docstring of all that have one."""
    for room in ("scoring", "ledger", "tournament"):
        for path in sorted((CLONE / room).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(
                    node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                ):
                    text = ast.get_docstring(node)
                    if text:
                        yield str(path.relative_to(CLONE)), getattr(node, "name", ""), text


def riddles() -> Iterator[tuple[str, str]]:
    """The file and the name of each function that begins with a participle."""
    for file, name, is_class in functions_and_classes():
        if not is_class and is_participle(name.strip("_").split("_")[0]):
            yield file, name


def test_no_function_begins_with_a_participle() -> None:
    assert [(file, name) for file, name in riddles() if name not in KEPT] == []


@pytest.mark.parametrize("name", ["settled_games", "_gone_on", "kept_rows", "playing"])
def test_a_participle_would_be_noticed(name: str) -> None:
    assert is_participle(name.strip("_").split("_")[0])


def test_no_docstring_opens_with_a_question_word() -> None:
    assert [
        (file, name)
        for file, name, text in docstrings()
        if OPENS_SO.match(text) and name not in PUBLISHED and not file.startswith("tournament/api/")
    ] == []


def test_what_may_be_called_so_is_still_there() -> None:
    assert KEPT - {name for _file, name in riddles()} == set()
