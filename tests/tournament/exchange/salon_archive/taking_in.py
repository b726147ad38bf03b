"""Archives written to a file and taken in, and all that is stored then."""

from pathlib import Path
from typing import Any

from django.apps import apps

from tournament.exchange.salon_archive.restore import TakenIn, Wishes, take_in
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Salon


def everything_stored() -> dict[str, int]:
    """How many rows there are of everything."""
    return {model.__name__: model._default_manager.count() for model in apps.get_models()}


def written(salon: Salon, path: Path, *, names: bool = True) -> Path:
    path.write_bytes(b"".join(archive_of(salon, load_keyring(), names=names)))
    return path


def taken(path: Path, **wishes: Any) -> TakenIn:
    return take_in(path, load_keyring(), Wishes(**wishes))
