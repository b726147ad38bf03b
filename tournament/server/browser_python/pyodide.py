"""Python as a browser runs it (Pyodide), laid into the data folder once, from a package that is the
one we know: pages have the rules of a table with it where it lies, and nothing of it where it
doesn't.
"""

import gzip
import hashlib
import json
import os
import shutil
import tarfile
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from tournament.server.environment.secret_file import private_folder

PACKAGE = "pyodide"
VERSION = "0.29.5"
SHA512 = (
    "4e462b52ff66f1099f2260032919a9c19ba52f8f04d2e51a0523be76f4502b20"
    "09734aa1f60bbb8e7f1bb721cf8773599b5af6207d98ac9848afb43607dbab03"
)
LOCK = "pyodide-lock.json"
COMPRESSED = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")
PLAIN = ("python_stdlib.zip",)  # a zip is compressed already
NAMES = (*COMPRESSED, LOCK, *PLAIN)
LARGEST = 64 * 1024 * 1024  # bytes of a package, ten times what ours has


class NotThePackage(Exception):
    """These bytes are not the package that is expected here; the sentence says what they are."""


@dataclass(frozen=True, slots=True)
class LaidFile:
    """A file as it lies there; `compressed` with gzip or as it is."""

    path: Path
    compressed: bool


@lru_cache
def folder_below(root: Path) -> Path:
    """Return the folder of this version, existing or not, below the folder of all
    versions.
    """
    return root / f"{PACKAGE}-{VERSION}"


def is_laid(root: Path) -> bool:
    """Whether it lies there: all of it, since it is laid whole or not at all."""
    return folder_below(root).is_dir()


def find_installed_file(root: Path, name: str) -> LaidFile | None:
    """Return one of NAMES if all of them are installed; None for another name, and if they
    aren't.
    """
    if name not in NAMES or not is_laid(root):
        return None
    compressed = name not in PLAIN
    return LaidFile(folder_below(root) / (f"{name}.gz" if compressed else name), compressed)


def size_below(root: Path) -> int | None:
    """Return the number of bytes that a phone downloads; None if it isn't installed."""
    laid = [find_installed_file(root, name) for name in NAMES]
    return sum(each.path.stat().st_size for each in laid if each) if all(laid) else None


def read_unpacked_size(root: Path, name: str) -> int:
    """Return the unpacked size of one of the installed NAMES in bytes, which gzip has at
    its end (RFC 1952, ISIZE).
    """
    file = find_installed_file(root, name)
    assert file is not None
    if not file.compressed:
        return file.path.stat().st_size
    with file.path.open("rb") as content:
        content.seek(-4, os.SEEK_END)
        return int.from_bytes(content.read(), "little")


def check_package(package: bytes) -> None:
    """Raises NotThePackage for anything but this version as it was published."""
    if package[:2] != b"\x1f\x8b":
        raise NotThePackage("it is no .tgz")
    found = hashlib.sha512(package).hexdigest()
    if found != SHA512:
        raise NotThePackage(
            f"its SHA-512 begins with {found[:16]}, that of {PACKAGE} {VERSION} with {SHA512[:16]}"
        )


def lay_package(package: bytes, root: Path) -> Path:
    """Check it, and lay what pages need of it below `root`, in the place of any other version: all
    or nothing.

    Raises NotThePackage, and OSError for a disk that takes no more.
    """
    check_package(package)
    files = _files_of(package)
    place = folder_below(root)
    private_folder(root)
    partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=root))
    try:
        for name, content in files.items():
            _write(partial / name, content)
        _clear(root, but=partial)
        partial.rename(place)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return place


def _write(path: Path, content: bytes) -> None:
    """On the disk when this returns: a folder that has its name is whole, after a power cut too."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _clear(root: Path, *, but: Path) -> None:
    """Remove other versions, and what was left half by who was killed."""
    for each in root.iterdir():
        if each != but:
            shutil.rmtree(each)


def _files_of(package: bytes) -> dict[str, bytes]:
    """Return the files to install, by name: compressed once, and so that the same package
    always gives the same bytes.
    """
    files = {}
    with tarfile.open(fileobj=BytesIO(package), mode="r:gz") as archive:
        for name in NAMES:
            member = archive.extractfile(f"package/{name}")
            assert member is not None  # the digest says which files there are
            content = member.read()
            if name == LOCK:
                content = _lock_without_packages(content)
            files[name if name in PLAIN else f"{name}.gz"] = (
                content if name in PLAIN else gzip.compress(content, 9, mtime=0)
            )
    return files


def _lock_without_packages(content: bytes) -> bytes:
    """The list of what may be loaded besides, with nothing on it."""
    return json.dumps({"info": json.loads(content)["info"], "packages": {}}).encode()
