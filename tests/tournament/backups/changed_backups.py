"""Backups that someone changed, whole and with the sums that fit."""

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, cast

from django.db import connections

from ledger.models import Event
from tournament.streams import folds


def events() -> list[str]:
    return list(Event.objects.order_by("log", "position").values_list("hash", flat=True))


def forget() -> None:
    """As a process that starts anew."""
    connections.close_all()
    folds.MEMORY.__init__()  # type: ignore[misc]  # it is of this very class


type Change = Callable[[dict[str, Any], dict[str, bytes]], None]


def rewritten(
    path: Path, target: Path, change: Callable[[dict[str, Any], dict[str, bytes]], None]
) -> Path:
    """A backup with another manifest and other parts, whole and with the sums that fit."""
    with tarfile.open(path) as tar:
        parts = {each.name: cast("IO[bytes]", tar.extractfile(each)).read() for each in tar}
    manifest = json.loads(parts.pop("manifest.json"))
    change(manifest, parts)
    with tarfile.open(target, "w:gz") as tar:
        for name, content in {"manifest.json": json.dumps(manifest).encode(), **parts}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return target


def larger_than_it_says(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    for each in manifest["files"]:
        each["bytes"] = 10


def a_large_secret(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    parts["secret-key"] = bytes(1_000_000)
    for each in manifest["files"]:
        if each["name"] == "secret-key":
            digest = hashlib.sha256(parts["secret-key"]).hexdigest()
            each |= {"bytes": 1_000_000, "sha256": digest}


def sizes_that_are_none(manifest: dict[str, Any], parts: dict[str, bytes]) -> None:
    manifest["logs"][0]["events"] = "many"
