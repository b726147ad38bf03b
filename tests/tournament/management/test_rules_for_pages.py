"""`manage.py rules_for_pages`: the package that is known is laid, and nothing else, whole or not at
all.
"""

import gzip
import hashlib
import io
import json
import os
import tarfile
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from tests.tournament.helpers.commanding import Ran, run
from tests.tournament.helpers.page_python import package_file
from tournament.server.browser_python import pyodide
from tournament.server.browser_python.pyodide import (
    NAMES,
    find_installed_file,
    folder_below,
    size_below,
)

CONTENTS = {name: f"{name}, as it is".encode() for name in NAMES} | {
    "pyodide-lock.json": b'{"info": {"python": "3.13.2"}, "packages": {"affine": {}}}'
}


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    """The folder that takes Python for pages; it isn't there yet."""
    settings.PYTHON_FOR_PAGES = tmp_path / "data" / "python-for-pages"
    return tmp_path / "data" / "python-for-pages"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small package of the same files, which is the one that is known here."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as archive:
        for name, content in {**CONTENTS, "console.html": b"<script>"}.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    file = tmp_path / "python.tgz"
    file.write_bytes(written.getvalue())
    known = hashlib.sha512(written.getvalue()).hexdigest()
    monkeypatch.setattr(pyodide, "SHA512", known)
    return file


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only program on PATH; the test writes what it does."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "bin" / "npm"


def does(npm: Path, script: str) -> None:
    npm.write_text(f"#!/bin/sh\n{script}\n")
    npm.chmod(0o755)


def rules_for_pages(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    return run(capsys, "rules_for_pages", *arguments)


def laid(root: Path) -> dict[str, bytes]:
    """What lies there by name, as a browser would have it."""
    files = {name: find_installed_file(root, name) for name in NAMES}
    return {
        name: gzip.decompress(file.path.read_bytes()) if file.compressed else file.path.read_bytes()
        for name, file in files.items()
        if file is not None
    }


def test_the_known_package_is_laid_without_what_no_page_needs(
    root: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = rules_for_pages(capsys, "--from", package)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(
        f"pyodide 0.29.5 lies in {folder_below(root)}: a phone fetches 0.0 MB"
    )
    without_packages = {"info": {"python": "3.13.2"}, "packages": {}}
    found = laid(root)
    assert json.loads(found.pop("pyodide-lock.json")) == without_packages
    assert found == {name: text for name, text in CONTENTS.items() if name in found}
    assert len(list(folder_below(root).iterdir())) == len(NAMES) == len(found) + 1


def test_it_is_laid_again_in_the_place_of_every_other_version(
    root: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules_for_pages(capsys, "--from", package)
    before = {path.name: path.read_bytes() for path in folder_below(root).iterdir()}
    for left in ("pyodide-0.1.0", ".partial-of-one-killed"):
        (root / left).mkdir()

    (line,) = rules_for_pages(capsys, "--json", "--from", package).lines

    assert [each.name for each in root.iterdir()] == ["pyodide-0.29.5"]
    assert {path.name: path.read_bytes() for path in folder_below(root).iterdir()} == before
    assert line["bytes"] == size_below(root) == sum(map(len, before.values()))


def test_npm_is_asked_for_this_version_alone(
    root: Path, package: Path, npm: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = tmp_path / "asked"
    does(npm, f'echo "$@" > {asked}; /bin/cp {package} .')

    assert rules_for_pages(capsys).status == 0
    assert asked.read_text().startswith("pack pyodide@0.29.5 --silent --pack-destination ")
    assert size_below(root) is not None


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("echo 'npm error network is down' >&2; exit 1", "npm error network is down"),
        ("exit 0", "it said nothing"),
        ("exit 3", "it said nothing"),
    ],
)
def test_what_npm_says_is_told_on(
    root: Path, npm: Path, capsys: pytest.CaptureFixture[str], script: str, words: str
) -> None:
    does(npm, script)

    ran = rules_for_pages(capsys)

    assert (ran.status, ran.err) == (1, f"npm gave no package: {words}")
    assert not root.exists()


def test_without_npm_it_is_said_what_else_will_do(
    root: Path, npm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = rules_for_pages(capsys)

    assert ran.status == 1
    assert ran.err.startswith("There is no npm here. Install Node.js, or say --from FILE.tgz")


def test_another_file_is_not_laid(
    root: Path, package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, text = tmp_path / "other.tgz", tmp_path / "text.tgz"
    other.write_bytes(package.read_bytes() + b"\x00")
    text.write_text("<html>Sign in to the Wi-Fi</html>")

    changed = rules_for_pages(capsys, "--from", other)
    not_a_tgz = rules_for_pages(capsys, "--from", text)
    away = rules_for_pages(capsys, "--from", tmp_path / "away.tgz")

    assert [each.status for each in (changed, not_a_tgz, away)] == [1, 1, 1]
    assert "other.tgz is not pyodide 0.29.5 as published: its SHA-512 begins with" in changed.err
    assert "text.tgz is not pyodide 0.29.5 as published: it is no .tgz" in not_a_tgz.err
    assert "can't be read: No such file" in away.err
    assert not root.exists()


def test_a_full_disk_leaves_nothing_half_and_the_one_before_whole(
    root: Path,
    package: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def full(number: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        ran = rules_for_pages(capsys, "--from", package)
        assert list(root.iterdir()) == []
    assert ran.err == "The data folder took no more: No space left on device. Nothing was laid."

    rules_for_pages(capsys, "--from", package)
    whole = laid(root)
    monkeypatch.setattr(os, "fsync", full)
    assert rules_for_pages(capsys, "--from", package).status == 1
    assert laid(root) == whole


@pytest.mark.pyodide
def test_the_published_package_is_the_one_that_is_known(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = rules_for_pages(capsys, "--json", "--from", package_file())

    assert ran.status == 0, ran.err
    found = laid(root)
    assert found["pyodide.asm.wasm"].startswith(b"\x00asm")
    assert found["python_stdlib.zip"].startswith(b"PK")
    assert json.loads(found["pyodide-lock.json"])["info"]["python"].startswith("3.13.")
    assert 4_000_000 < (size_below(root) or 0) < 6_000_000
