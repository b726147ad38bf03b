"""Names say what a function gives or does (house style, 14): none is a bare participle, verb or
pronoun that only its writer can read.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[1]
RIDDLE = re.compile(
    r"_*(answered|ask|asked|came|come|counted|done|drawn|due|each|elsewhere|found|gave|get|given"
    r"|gone|got|heard|held|hold|keep|kept|known|laid|left|made|meant|met|nobody|nowhere|once|outside"
    r"|owed|put|read|reckon|reckoned|reckoning|said|say|seen|sent|set|shown|somebody|stands|stood"
    r"|taken|tell|tells|told|tried|try|wanted|who|whole|written)_*",
    re.IGNORECASE,
)
# What a protocol calls so, what is stored or documented under the name, and what a salon would
# call it itself.
PLAIN = frozenset(
    {
        "scoring/common_state.py done",
        "scoring/purses.py done",
        "tournament/accounts/login_limits.py Try",
        "tournament/api/confirmation.py Said",
        "tournament/api/http/responses.py Done",
        "tournament/backups/backup_file.py read",
        "tournament/backups/encryption.py read",
        "tournament/models/background.py Reckoning",
        "tournament/templatetags/kept_parts.py once",
    }
)
# Methods as those of a mapping or of Django's cache.
OF_A_CACHE = frozenset({"get", "put", "set", "delete", "clear"})


@cache
def riddles() -> list[str]:
    """The file and the name of each function, method and class that is one of these words."""
    return [
        f"{path.relative_to(CLONE)} {node.name}"
        for room in ("scoring", "ledger", "tournament")
        for path in sorted((CLONE / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and RIDDLE.fullmatch(node.name)
        and node.name not in OF_A_CACHE
    ]


def test_no_function_or_class_is_called_by_a_bare_participle_verb_or_pronoun() -> None:
    assert [each for each in riddles() if each not in PLAIN] == []


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_what_may_be_called_so_is_still_there(name: str) -> None:
    assert name in riddles()
