"""Python for browsers in the tests: from the package that PYODIDE_PACKAGE names, where it does."""

import os
from pathlib import Path

import pytest

from tournament.server.python_for_pages import PACKAGE, VERSION


def package_file() -> Path:
    """The package as npm gives it; skips the test where none is named."""
    named = os.environ.get("PYODIDE_PACKAGE", "")
    if not named:
        pytest.skip(f"PYODIDE_PACKAGE names no file that `npm pack {PACKAGE}@{VERSION}` gave")
    return Path(named)
