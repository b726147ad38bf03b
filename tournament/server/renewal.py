"""A renewed certificate is shown without a restart: the web processes are begun anew, one after the
other, and read it.
"""

import contextlib
import hashlib
import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from tournament.server.certificates import CertificateFiles, UnusableCertificate, usable

SECONDS_BETWEEN = 10.0


def watch(files: Callable[[], CertificateFiles], shown: CertificateFiles) -> None:
    """Look from now on at the files, which `files` renews where it can. Whole pairs alone are
    shown: a certificate whose key is still being written is waited for.
    """

    def look() -> None:
        known = stamp(shown)
        while True:
            time.sleep(SECONDS_BETWEEN)
            with contextlib.suppress(OSError, UnusableCertificate):
                found = files()
                if (now := stamp(found)) != known:
                    usable(found, datetime.now(UTC))
                    known = now
                    os.kill(os.getpid(), signal.SIGHUP)

    threading.Thread(target=look, name="certificate", daemon=True).start()


def stamp(files: CertificateFiles) -> str:
    """A digest of both files. Raises OSError where one is missing."""
    return hashlib.sha256(_of(files.certificate) + _of(files.key)).hexdigest()


def _of(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()
