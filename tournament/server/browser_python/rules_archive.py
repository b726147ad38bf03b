"""The rules as one file for pages that have Python: the same sources always give the same bytes."""

import ast
import hashlib
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import scoring

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip knows


class RulesArchive(NamedTuple):
    """A zip of the package of the rules, and the digest of what is in it."""

    content: bytes
    digest: str


@lru_cache(maxsize=1)
def rules_archive() -> RulesArchive:
    """The modules of the rules as they lie here, made once a process."""
    sources, digest, written = _sources(), hashlib.sha256(), BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for name, content in sources.items():
            digest.update(f"{name} {len(content)}\n".encode() + content)
            archive.writestr(ZipInfo(name, LONG_AGO), content, ZIP_DEFLATED, 9)
    return RulesArchive(written.getvalue(), digest.hexdigest())


@lru_cache(maxsize=1)
def texts_of_rules() -> frozenset[str]:
    """Every text that stands in them: among others all that a refusal may say."""
    return frozenset(
        node.value
        for content in _sources().values()
        for node in ast.walk(ast.parse(content))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value
    )


def _sources() -> dict[str, bytes]:
    """The content of each module by its name in the zip, in order."""
    root = Path(scoring.__file__).parent
    return {
        path.relative_to(root.parent).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*.py"))
    }
