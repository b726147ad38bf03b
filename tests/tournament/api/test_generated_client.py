"""A client that a generator made of the document alone, and that nobody wrote: it plays a game."""

import importlib
import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from tests.tournament.api.calling import SEATED, owner_calls
from tests.tournament.helpers.salons import opened_salon

PACKAGE = "accord_client"
CONFIG = {
    "post_hooks": [],
    "package_name_override": PACKAGE,
    "content_type_overrides": {"application/jsonl": "application/octet-stream"},
}


@pytest.fixture
def client_package(tmp_path: Path) -> Iterator[str]:
    """The package as generated, importable for the length of a test."""
    document, config = tmp_path / "openapi.json", tmp_path / "config.json"
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # drf-spectacular has no types for it
    document.write_text(json.dumps(schema))
    config.write_text(json.dumps(CONFIG))
    command = [
        "-m",
        "openapi_python_client",
        "generate",
        "--meta",
        "none",
        "--path",
        str(document),
        "--config",
        str(config),
    ]
    made = subprocess.run(
        [sys.executable, *command, "--output-path", str(tmp_path / PACKAGE), "--fail-on-warning"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    sys.path.insert(0, str(tmp_path))
    yield PACKAGE
    sys.path.remove(str(tmp_path))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def test_a_generated_client_plays_a_hand_and_reads_the_board(
    site: str, client_package: str
) -> None:
    salon = opened_salon()
    made = _Made(client_package, site, owner_calls(salon).token, salon.slug)

    done = made.call(
        "games.start_game", body=made.model("NewGame", game="precedence", players=SEATED, table="4")
    )
    made.call(
        "acts.record_act",
        game=done.stream,
        collection="hands",
        body={"dealer": "S"},
        if_match=f'"{done.version}"',
    )
    for seat, tricks in (("W", 2), ("N", 4), ("E", 3), ("S", 3)):
        version = made.call("games.read_game", game=done.stream).version
        made.call(
            "acts.record_act",
            game=done.stream,
            collection="bids",
            body={"seat": seat, "tricks": tricks},
            if_match=f'"{version}"',
        )

    board = made.call("games.read_game", game=done.stream)
    assert board.state.to_dict()["stage"] == "play"
    assert made.call("ledger.read_books").trial_balance == 0
    late = made.call(
        "acts.record_act",
        game=done.stream,
        collection="totals",
        body={"NS": 7, "EW": 6},
        if_match='"1"',
    )
    assert (late.status, late.code, late.current.version) == (409, "moved", board.version)


class _Made:
    """Calls the generated functions with what every call needs."""

    def __init__(self, package: str, site: str, token: str, salon: str) -> None:
        self._package, self._salon = package, salon
        made: Any = importlib.import_module(package)
        self._client = made.AuthenticatedClient(base_url=site, token=token)

    def model(self, name: str, **values: Any) -> Any:
        """A value of a generated model."""
        return getattr(importlib.import_module(f"{self._package}.models"), name).from_dict(values)

    def call(self, name: str, **given: Any) -> Any:
        """What a generated function answers, as its model."""
        module = importlib.import_module(f"{self._package}.api.{name}")
        body = given.get("body")
        if isinstance(body, dict):
            title = "".join(part.capitalize() for part in name.rpartition(".")[2].split("_"))
            given["body"] = self.model(f"{title}Body", **body)
        if "if_match" in given or body is not None:
            given["idempotency_key"] = str(uuid.uuid4())
        return module.sync(self._salon, client=self._client, **given)
