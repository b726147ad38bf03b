"""What the tests need lies in the clone: nothing under `tests/` reads beside it, and of every file
of others is said what it is.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from tests.material import MATERIAL, PACKED, files, lines_of, text_of

CLONE = Path(__file__).resolve().parents[1]
# A path that climbs out of the clone, or begins at the root of this machine, and is no address of a
# page.
OUTSIDE = re.compile(r"(^|/)shared/|\.\./\.\.|^/(home|root|work|Users|mnt)/")


# What the user fixed, and what may stand beside it; files whose name begins with a dot may, too.
TOP = {"ledger", "scoring", "templates", "tests", "tournament"} | {
    "LICENSE",
    "README.md",
    "manage.py",
    "pyproject.toml",
    "uv.lock",
}


def sources() -> Iterator[Path]:
    for path in sorted((CLONE / "tests").rglob("*")):
        if path.suffix in (".py", ".md", ".toml", ".txt", ".html") and path != Path(__file__):
            yield path


def test_nothing_else_stands_at_the_top_of_the_clone() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=CLONE,
        capture_output=True,
        text=True,
    )
    # A copy without git's own folder has what was copied, beside what is made in it.
    names = listed.stdout.splitlines() or [
        path.name for path in CLONE.iterdir() if path.name != "__pycache__"
    ]
    found = {name.partition("/")[0] for name in names}

    assert {each for each in found if not each.startswith(".")} == TOP


def test_nothing_under_tests_names_a_path_outside_the_clone() -> None:
    found = [
        f"{path.relative_to(CLONE)}: {line.strip()}"
        for path in sources()
        for line in path.read_text(encoding="utf-8").splitlines()
        if any(OUTSIDE.search(word) for word in re.split(r"[\s\"'`(),]+", line))
    ]
    assert found == []


def test_nothing_under_tests_climbs_out_of_the_clone() -> None:
    """`Path(__file__).parents[n]` of every test file is the clone or inside it."""
    found = [
        f"{path.relative_to(CLONE)}: {ast.unparse(node)}"
        for path in sources()
        if path.suffix == ".py" and ".parents" in (source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, int)
        if ast.unparse(node.value).endswith(".parents") and "__file__" in ast.unparse(node.value)
        if not path.parents[node.slice.value].is_relative_to(CLONE)
    ]
    assert found == []


def described() -> dict[str, list[str]]:
    """The rows of the material's README: the file or pattern, and what is said of it."""
    rows = [
        line.strip("| ").split(" | ")
        for line in (MATERIAL / "README.md").read_text(encoding="utf-8").splitlines()
    ]
    return {
        name: rest
        for first, *rest in rows
        for name in re.findall(r"`([^`]+)`", first)
        if len(rest) == 3
    }


def stored() -> list[Path]:
    """Every file of the material but its reader, its README and the licences."""
    kept = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "."],
        cwd=MATERIAL,
        capture_output=True,
        text=True,
        check=False,
    )
    names = kept.stdout.splitlines() or [
        str(path.relative_to(MATERIAL)) for path in MATERIAL.rglob("*") if path.is_file()
    ]
    own = re.compile(r"(^|/)(LICENSE[^/]*|README\.md|__init__\.py|__pycache__/.*)$")
    return sorted(
        MATERIAL / name for name in names if not own.search(name) and (MATERIAL / name).exists()
    )


def test_every_file_of_the_material_is_in_its_readme_with_source_and_licence() -> None:
    rows = described()
    names = [str(path.relative_to(MATERIAL)).removesuffix(PACKED) for path in stored()]

    assert [name for name in names if not any(fnmatch(name, pattern) for pattern in rows)] == []
    assert [pattern for pattern in rows if not any(fnmatch(name, pattern) for name in names)] == []
    assert [name for name, said in rows.items() if not all(said)] == []
    for _what, _source, licence in rows.values():
        beside = re.findall(r"`([^`]+)`", licence)
        assert beside or licence.endswith("MIT, as the project")
        assert all(
            "licen" in (MATERIAL / name).read_text(encoding="utf-8").lower() for name in beside
        )


def test_every_file_of_the_material_is_packed_and_reads_by_its_own_name() -> None:
    packed = stored()

    assert {path.suffix for path in packed} == {PACKED}
    assert all(text_of(path.with_suffix("")) for path in packed)
    assert len(lines_of(MATERIAL / "precedence_games.jsonl")) == 103
    assert [path.stem for path in files(MATERIAL, "tournament/carrom/*.json")] == [
        f"event_{number:02}" for number in range(1, 11)
    ]
