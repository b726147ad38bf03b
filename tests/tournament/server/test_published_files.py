"""Static files under the names `serve` publishes them by: every page of a salon finds all of its
own.
"""

import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import override_settings

from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.reading import body
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.sweeping import addresses
from tournament.server.environment import prepare
from tournament.server.http.static import PublishedFiles

NAMED = re.compile(r"""["'(]/static/([^"')?#]+)""")
BY_CONTENT = re.compile(r"\.[0-9a-f]{12}\.\w+$")
ASKED = re.compile(r"{% static [^%]*%}")
LITERAL = re.compile(r"{% static ['\"]([^'\"]+)['\"] %}")
IN_SCRIPTS = re.compile(r"""(?:import|from)\s*["'](\.[^"']+)["']""")
WRITES = ("sign-out/", "first-visit/")


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the published files; none is compressed, for nobody fetches them here."""
    monkeypatch.setattr(
        "whitenoise.storage.CompressedManifestStaticFilesStorage.compress_files",
        lambda *_: iter(()),
    )
    storages = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "tournament.server.http.static.PublishedFiles"},
    }
    with override_settings(STORAGES=storages, STATIC_ROOT=tmp_path):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield tmp_path


def lacking(root: Path, text: str) -> set[str]:
    """The static files that a page or a file names and that are not there, or that have not been
    named by their content.
    """
    return {
        name
        for name in NAMED.findall(text)
        if not (root / name).is_file() or not BY_CONTENT.search(name)
    }


def test_what_a_template_names_is_published(published: Path) -> None:
    """By a literal name alone, so that this is all that a page may name."""
    sources = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    asked = [tag for source in sources for tag in ASKED.findall(source)]
    named = {name for tag in asked for name in LITERAL.findall(tag)}

    assert len(named) > 15
    assert all(LITERAL.fullmatch(tag) for tag in asked)
    assert not any("/static/" in source for source in sources)
    assert all(BY_CONTENT.search(staticfiles_storage.url(name)) for name in named)


@pytest.mark.long
def test_every_page_of_a_salon_finds_its_static_files(published: Path, db: None) -> None:
    full = full_salon("Rosewater")
    owner, seen = owner_of(full.salon), {}
    for address in ("admin/", *addresses(full.ids)):
        if not address.startswith(WRITES):
            answer = owner.get(f"/{address}", {"version": "1", "command": "c" * 32, "table": "7"})
            assert answer.status_code < 500, address
            seen[address] = body(answer) if answer.status_code == 200 else ""

    assert {
        address: found for address, text in seen.items() if (found := lacking(published, text))
    } == {}
    assert sum(bool(NAMED.search(text)) for text in seen.values()) > 60


def test_what_a_page_does_not_find_fails_the_tests_above(published: Path, db: None) -> None:
    assert isinstance(staticfiles_storage, PublishedFiles)
    name = staticfiles_storage.stored_name("accord/board.css")
    text = owner_of(full_salon("Rosewater").salon).get("/").text
    assert NAMED.search(text)
    (published / name).unlink()

    assert lacking(published, f'<link href="/static/{name}">') == {name}
    with pytest.raises(ValueError, match="could not be found"):
        staticfiles_storage.url("accord/none.css")


def test_published_style_sheets_and_scripts_name_files_that_are_there(published: Path) -> None:
    """A style sheet's own names are changed with the files; a script would have to be told them by
    its page.
    """
    for sheet in published.glob("accord/**/*.css"):
        for name in re.findall(r"""url\(["']?([^"')#?]+)""", sheet.read_text()):
            assert name.startswith("data:") or (sheet.parent / name).is_file(), (sheet.name, name)
    for script in published.glob("accord/**/*.js"):
        assert lacking(published, script.read_text()) == set(), script.name
        for name in IN_SCRIPTS.findall(script.read_text()):
            assert (script.parent / name).is_file(), (script.name, name)


def test_servers_that_begin_at_once_publish_the_files_one_after_the_other_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, nobody_else = list[str](), threading.Event()

    def collect(name: str, **_given: object) -> None:
        begun.append(name)
        nobody_else.wait(0.5)  # the others have come by then

    monkeypatch.setattr(prepare, "call_command", collect)
    monkeypatch.setattr(prepare, "_stamp", lambda: "as they are")
    with override_settings(STATIC_ROOT=tmp_path / "static"):
        servers = [threading.Thread(target=prepare.publish_static_files) for _ in range(3)]
        for each in servers:
            each.start()
        for each in servers:
            each.join()

    assert begun == ["collectstatic"]
    assert (tmp_path / "static" / "stamp.txt").read_text() == "as they are"
