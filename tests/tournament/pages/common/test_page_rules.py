"""What a page fetches to have the rules itself: each address is of one content for ever, and there
is nothing but what was laid.
"""

import gzip
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests.tournament.helpers.page_python import here as here
from tests.tournament.helpers.running import PATIENCE, ROOT
from tournament.models import Salon
from tournament.pages.common.page_rules import PageRules, page_rules
from tournament.server.browser_python.pyodide import NAMES, PLAIN
from tournament.server.browser_python.rules_archive import rules_archive

IN_ANOTHER_PROCESS = """
import hashlib
from tournament.server.browser_python.rules_archive import rules_archive
print(hashlib.sha256(rules_archive().content).hexdigest(), rules_archive().digest)
"""


def test_each_file_comes_for_ever_and_with_its_type(salon: Salon, here: PageRules) -> None:
    types = {
        "pyodide.mjs": "text/javascript; charset=utf-8",
        "pyodide.asm.js": "text/javascript; charset=utf-8",
        "pyodide.asm.wasm": "application/wasm",
        "pyodide-lock.json": "application/json",
        "python_stdlib.zip": "application/zip",
    }
    for name, media_type in types.items():
        answer = Client().get(f"{here.python}{name}", headers={"Accept-Encoding": "gzip"})
        body = answer.content

        assert answer.status_code == 200
        assert answer["Content-Type"] == media_type
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "Set-Cookie" not in answer
        assert "Cookie" not in answer.get("Vary", "")
        if name not in PLAIN:
            assert (answer["Content-Encoding"], answer["Vary"]) == ("gzip", "Accept-Encoding")
            body = gzip.decompress(body)
        assert body == f"{name} ".encode() * 50
        assert here.files[f"{here.python}{name}"] == len(body)
    assert types.keys() == set(NAMES)


def test_who_reads_no_gzip_has_it_plain(salon: Salon, here: PageRules) -> None:
    answer = Client().get(f"{here.python}pyodide.asm.wasm")

    assert answer.content == b"pyodide.asm.wasm " * 50
    assert "Content-Encoding" not in answer


@pytest.mark.parametrize("accepts", ["gzip", "identity"])
def test_it_is_in_memory_once_however_many_fetch_it(
    salon: Salon, here: PageRules, accepts: str
) -> None:
    address = f"{here.python}pyodide.asm.wasm"
    one, other = (Client(headers={"accept-encoding": accepts}).get(address) for _ in range(2))

    assert one.content is other.content


def test_the_rules_are_a_zip_of_their_package_alone(salon: Salon, here: PageRules) -> None:
    answer = Client().get(here.rules)

    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        found = {name: archive.read(name) for name in names}
    assert names == sorted(names)
    assert {"scoring/page_door.py", "scoring/precedence/play.py"} <= set(names)
    assert found == {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in (ROOT / "scoring").rglob("*.py")
    }


def test_another_process_makes_the_same_zip_of_them() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", IN_ANOTHER_PROCESS],
            cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE,
        ).stdout
        for _ in range(2)
    }  # fmt: skip

    assert len(printed) == 1
    assert printed.pop().split()[1] == rules_archive().digest


def test_the_worker_alone_may_compile_and_no_page_more_than_before(
    salon: Salon, here: PageRules
) -> None:
    worker, zipped = Client().get(here.worker), Client().get(here.rules)

    policy = dict(
        part.strip().split(" ", 1) for part in worker["Content-Security-Policy"].split(";")
    )
    assert policy.pop("script-src") == "'self' 'wasm-unsafe-eval'"
    assert policy == dict(
        part.strip().split(" ", 1) for part in zipped["Content-Security-Policy"].split(";")
    )
    assert "unsafe" not in zipped["Content-Security-Policy"]
    assert worker["Content-Type"] == "text/javascript; charset=utf-8"
    assert worker["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "name",
    [
        "console.html",
        "..",
        "%2e%2e",
        "..%2f..%2fsecret-key",
        "pyodide.mjs.gz",
        "pyodide.mjs%00",
        "",
    ],
)
def test_there_is_nothing_else(salon: Salon, here: PageRules, name: str) -> None:
    for folder in (here.python, here.rules.removesuffix("rules.zip"), "/page-rules/other/"):
        assert Client().get(f"{folder}{name}").status_code == 404
    assert Client().get(here.python.replace("python-", "python-0") + NAMES[0]).status_code == 404


def test_nothing_is_written_there(salon: Salon, here: PageRules) -> None:
    for address in (here.worker, here.rules, *here.files):
        assert Client().post(address).status_code == 405
        head = Client().head(address)
        assert (head.status_code, head.content) == (200, b"")


def test_where_nothing_was_laid_there_is_nothing(
    salon: Salon, here: PageRules, settings: Settings, tmp_path: Path
) -> None:
    settings.PYTHON_FOR_PAGES = tmp_path / "elsewhere"

    assert page_rules() is None
    for address in (here.worker, here.rules, *here.files):
        assert Client().get(address).status_code == 404


def test_a_salon_with_a_prefix_has_them_too(salon: Salon, here: PageRules) -> None:
    prefix = f"/salons/{salon.slug}"

    assert Client().get(prefix + here.rules).status_code == 200
    assert reverse("page_rules", args=["a", "b"]) == "/page-rules/a/b"
