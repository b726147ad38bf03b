"""No module imports a test module: what tests share is in helpers (house style, 30), so a test can
be changed for its own sake.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

CLONE = Path(__file__).resolve().parents[1]


def imported_names(module: Path) -> Iterator[str]:
    """Every name that a module imports, with the dots before it."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or ''}.{name.name}" for name in node.names)


def test_nothing_imports_a_test_module() -> None:
    modules = sorted((CLONE / "tests").rglob("*.py"))
    of_tests = {module.stem for module in modules if module.stem.startswith("test_")}
    assert len(of_tests) > 400
    assert [
        f"{module.relative_to(CLONE)} {name}"
        for module in modules
        for name in imported_names(module)
        if not of_tests.isdisjoint(name.split("."))
    ] == []
