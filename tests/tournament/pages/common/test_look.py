"""The look: what is served is what was vetted, small, and free of anything the content policy
forbids.
"""

import gzip
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import override_settings

STATIC = Path(settings.BASE_DIR, "tournament", "static")
TEMPLATES = sorted(Path(settings.BASE_DIR, "templates").rglob("*.html"))
STYLES = sorted((STATIC / "accord").glob("*.css"))


def test_vendored_files_are_those_that_were_vetted() -> None:
    listed = dict(
        line.split("  ")[::-1]
        for line in (STATIC / "vendor" / "SHA256SUMS").read_text().splitlines()
    )
    found = {
        path.relative_to(STATIC / "vendor").as_posix(): path
        for path in (STATIC / "vendor").rglob("*")
        if path.is_file()
    }
    del found["SHA256SUMS"]

    assert {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()
    } == listed


def texts() -> Iterator[tuple[str, str]]:
    """Every template: its name and what stands in it."""
    return ((path.name, path.read_text()) for path in TEMPLATES)


def test_no_template_has_inline_styles_or_scripts() -> None:
    inline = re.compile(r"\sstyle=|<style|\son(?!e=)[a-z]+=|hx-on|javascript:")

    assert [
        (name, found)
        for name, text in texts()
        for found in (*inline.findall(text), *re.findall(r"<script(?![^>]*src=)[^>]*>", text))
    ] == []


def test_every_icon_that_a_template_shows_is_in_its_sprite() -> None:
    sprites = {
        tag: {*re.findall(r'id="([^"]+)"', (STATIC / "accord" / f"{tag}s.svg").read_text())}
        for tag in ("icon", "suit")
    }

    assert [
        (name, icon)
        for name, text in texts()
        for tag, icon in re.findall(r'{% (icon|suit) "([^"]+)"', text)
        if icon not in sprites[tag]
    ] == []


def test_every_file_that_a_template_asks_for_is_there_to_be_served() -> None:
    """A served salon refuses a page that names another one."""
    assert [
        (name, file)
        for name, text in texts()
        for file in re.findall(r"""{% static ['"]([^'"]+)""", text)
        if not finders.find(file)
    ] == []


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.name)
def test_a_style_names_only_tokens_that_exist(style: Path) -> None:
    tokens = "".join(path.read_text() for path in STYLES)

    missing = {
        name
        for name in re.findall(r"var\((--[\w-]+)\)", style.read_text())
        if f"{name}:" not in tokens
    }
    assert missing == set()


def test_every_file_that_styles_and_templates_name_gets_its_hashed_name(tmp_path: Path) -> None:
    storage = {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    with override_settings(STATIC_ROOT=tmp_path, STORAGES=settings.STORAGES | storage, DEBUG=False):
        call_command("collectstatic", interactive=False, verbosity=0)
        page = render_to_string("base.html", {})
        tokens = next(tmp_path.glob("accord/tokens.*.css")).read_text()

    fonts = re.findall(r'url\("([^"]+)"\)', tokens)
    assert len(fonts) == 2
    assert all((tmp_path / "accord" / font).is_file() for font in fonts)
    served = re.findall(r'(?:href|src)="/static/([^"#]+)', page)
    assert served
    assert all(
        (tmp_path / name).is_file() and re.search(r"\.[0-9a-f]{12}\.", name) for name in served
    )


def test_a_first_visit_loads_less_than_100_kilobytes() -> None:
    page = render_to_string("base.html", {})
    names = set(re.findall(r'(?:href|src)="/static/([^"#]+)', page)) | {
        "accord/pad.css",
        "accord/suits.svg",
    }
    found = {name: Path(str(finders.find(name))).read_bytes() for name in names}
    sizes = {
        name: len(body if name.endswith(".woff2") else gzip.compress(body))
        for name, body in found.items()
    }

    assert any(name.endswith(".woff2") for name in sizes)
    assert any("htmx" in name for name in sizes)
    assert sum(sizes.values()) + len(gzip.compress(page.encode())) < 100_000
