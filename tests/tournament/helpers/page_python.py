"""Python for browsers in the tests: from the package that PYODIDE_PACKAGE names, where it does."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test.utils import override_settings

from tournament.server.python_for_pages import PACKAGE, VERSION, lay_package


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
