"""Python for browsers in the tests: from the package that PYODIDE_PACKAGE names, where it does."""

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test.utils import override_settings
from pytest_django.fixtures import Settings

from tournament.pages.common.page_rules import PageRules, page_rules
from tournament.server.browser_python.pyodide import (
    NAMES,
    PACKAGE,
    PLAIN,
    VERSION,
    folder_below,
    lay_package,
)


def package_file() -> Path:
    """The package as npm gives it; skips the test where none is named."""
    named = os.environ.get("PYODIDE_PACKAGE", "")
    if not named:
        pytest.skip(f"PYODIDE_PACKAGE names no file that `npm pack {PACKAGE}@{VERSION}` gave")
    return Path(named)


@contextmanager
def python_laid(root: Path) -> Iterator[None]:
    """Python for pages lies below `root` meanwhile."""
    lay_package(package_file().read_bytes(), root)
    with override_settings(PYTHON_FOR_PAGES=root):
        yield


@pytest.fixture
def here(tmp_path: Path, settings: Settings) -> PageRules:
    """Small files in the place of Python for pages."""
    settings.PYTHON_FOR_PAGES = tmp_path
    folder = folder_below(tmp_path)
    folder.mkdir()
    for name in NAMES:
        content = f"{name} ".encode() * 50
        plain = name in PLAIN
        (folder / (name if plain else f"{name}.gz")).write_bytes(
            content if plain else gzip.compress(content, mtime=0)
        )
    found = page_rules()
    assert found is not None
    return found
