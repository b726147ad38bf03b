"""`manage.py rules_for_pages`: lets the page of a table that hears of nobody check and score by the
rules themselves.
"""

import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournament.management.console import print_json, print_line
from tournament.server.browser_python.pyodide import (
    LARGEST,
    PACKAGE,
    SHA512,
    VERSION,
    NotThePackage,
    lay_package,
    size_below,
)

MINUTES = 10  # for a slow line


class Command(BaseCommand):
    """Fetch Python for browsers; what is fetched is checked against the digest in the
    program.
    """

    help = (
        f"Fetch Python for browsers ({PACKAGE} {VERSION}, by npm or from a file) into the data "
        "folder: tables then check and score by the rules without the server."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the source."""
        parser.add_argument(
            "--from",
            dest="file",
            metavar="FILE.tgz",
            type=Path,
            help=f"the package as `npm pack {PACKAGE}@{VERSION}` gives it, instead of asking npm",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *, file: Path | None, json: bool, **_options: object) -> None:
        """Fetch, check, lay."""
        package = _pack_by_npm() if file is None else _bytes_of(file)
        try:
            place = lay_package(package, settings.PYTHON_FOR_PAGES)
        except NotThePackage as other:
            named = file or "What npm gave"
            raise CommandError(
                f"{named} is not {PACKAGE} {VERSION} as published: {other}. Nothing was laid; "
                f"`npm pack {PACKAGE}@{VERSION}` gives the right file."
            ) from None
        except OSError as failure:
            raise CommandError(
                f"The data folder took no more: {failure.strerror or failure}. Nothing was laid."
            ) from None
        size = size_below(settings.PYTHON_FOR_PAGES)
        assert size is not None
        if json:
            print_json(
                package=PACKAGE, version=VERSION, sha512=SHA512, folder=str(place), bytes=size
            )
            return
        print_line(
            f"{PACKAGE} {VERSION} lies in {place}: a phone fetches {size / 1_000_000:.1f} MB, "
            "once, when its table is taken offline."
        )


def _bytes_of(file: Path) -> bytes:
    try:
        if file.stat().st_size > LARGEST:
            raise CommandError(f"{file} is too large to be {PACKAGE} {VERSION}.")
        return file.read_bytes()
    except OSError as failure:
        raise CommandError(f"{file} can't be read: {failure.strerror or failure}.") from None


def _pack_by_npm() -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise CommandError(
            f"There is no npm here. Install Node.js, or say --from FILE.tgz with what "
            f"`npm pack {PACKAGE}@{VERSION}` gave on another machine."
        )
    with tempfile.TemporaryDirectory(prefix="accord-") as folder:
        asks = [npm, "pack", f"{PACKAGE}@{VERSION}", "--silent", "--pack-destination", folder]
        try:
            done = subprocess.run(  # noqa: S603 - nothing in it comes from outside
                asks, cwd=folder, capture_output=True, text=True, timeout=MINUTES * 60, check=False
            )
        except subprocess.TimeoutExpired:
            raise CommandError(f"npm gave nothing in {MINUTES} minutes.") from None
        packed = list(Path(folder).glob("*.tgz"))
        if done.returncode or len(packed) != 1:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise CommandError(f"npm gave no package: {said[0] if said else 'it said nothing'}")
        return _bytes_of(packed[0])
