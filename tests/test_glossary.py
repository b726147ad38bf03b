"""The glossary names what there is: every path and every name in it is found in the source."""

import ast
import re
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[1]
GLOSSARY = CLONE / "tournament" / "GLOSSARY.md"
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][1:]


@pytest.fixture(scope="module")
def names() -> set[str]:
    """Everything that the source defines at the top of a module or class, and its modules."""
    found = set[str]()
    for room in ("scoring", "ledger", "tournament"):
        for path in (CLONE / room).rglob("*.py"):
            found.add(path.stem)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    found.add(node.name)
                elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.add(node.id)
    return found


def test_it_has_45_to_70_terms_each_once() -> None:
    terms = [row[0] for row in ROWS]

    assert 45 <= len(terms) <= 70
    assert len(set(terms)) == len(terms)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_what_it_names_is_there(row: list[str], names: set[str]) -> None:
    for named in re.findall(r"`([^`]+)`", row[2]):
        assert (CLONE / named).exists() if "/" in named else named in names, named
