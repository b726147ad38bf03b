"""HTTPS for `serve --https`: a certificate, a second port, messages for the terminal."""

import contextlib
import hashlib
import os
import signal
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID
from django.conf import settings

from tournament.server.environment.addresses import (
    is_covered,
    is_this_machine,
    network_address,
    remember_own_names,
)
from tournament.server.environment.listeners import HTTPS_PORT, Doors, doors, remember
from tournament.server.process.granian import Door
from tournament.server.process.https_redirect import THREADS, TRUST, standing
from tournament.server.tls.certificates import (
    Certificate,
    CertificateFiles,
    UnusableCertificate,
    fingerprint,
    misgivings,
    usable,
)
from tournament.server.tls.local_ca import is_private, own_certificate, read_replaced_root, root_in

FIRST_PORT = 8443
FIRST_PLAIN_PORT = 8000
HTTP_PORT = 80
SECONDS_BETWEEN_LOOKS = 10.0  # at the files of the certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class Secured:
    """A certificate that can be used, how its files are found again, and whether an authority of
    the salon's own made it.
    """

    certificate: Certificate
    files: CertificateFiles
    again: Callable[[], CertificateFiles]
    own_authority: bool

    @property
    def name(self) -> str:
        """The name that phones call the salon by; "" where it has none but its addresses."""
        return "" if self.own_authority else self.certificate.name


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options for HTTPS."""
    parser.add_argument(
        "--https",
        action="store_true",
        help="speak HTTPS, by the certificate of --certificate, or by one of an authority of the "
        "salon's own that phones are led through trusting",
    )
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        default=os.environ.get("CERTIFICATE", ""),
        help="the certificate of the salon's name, with its chain (PEM); CERTIFICATE in the "
        "environment. It is read again when it is renewed",
    )
    parser.add_argument(
        "--key",
        metavar="FILE",
        default=os.environ.get("CERTIFICATE_KEY", ""),
        help="its private key (PEM, without passphrase); CERTIFICATE_KEY in the environment",
    )
    parser.add_argument(
        "--plain-port",
        type=int,
        help="beside HTTPS: the port that leads there; without it 8000 (80 where --port is 443), "
        "or the next one that is free",
    )


def prepare_https(host: str, *, https: bool, certificate: str, key: str) -> Secured | None:
    """Return the certificate for HTTPS; None if HTTPS wasn't asked for. Raises
    UnusableCertificate.
    """
    if not (https or certificate or key):
        return None
    if settings.HTTPS:
        raise UnusableCertificate(
            "HTTPS=1 says that a proxy in front speaks HTTPS. Leave it out, or serve without "
            "--https, --certificate and CERTIFICATE."
        )
    if bool(certificate) != bool(key):
        raise UnusableCertificate(
            "A certificate and its key belong together: give both --certificate and --key "
            "(CERTIFICATE and CERTIFICATE_KEY)."
        )
    now = datetime.now(UTC)
    if certificate:
        files = CertificateFiles(certificate=Path(certificate), key=Path(key))
        found = usable(files, now)
        _refuse_another_name(found)
        remember_own_names(found.names)
        return Secured(certificate=found, files=files, again=lambda: files, own_authority=False)
    _refuse_what_lasts_longer()

    def own() -> CertificateFiles:
        return own_certificate(Path(settings.DATA_DIR), host, datetime.now(UTC))

    files = own()
    return Secured(certificate=usable(files, now), files=files, again=own, own_authority=True)


def first_plain_port(secure_port: int) -> int:
    """The port of the plain door where none was asked for."""
    return HTTP_PORT if secure_port == HTTPS_PORT else FIRST_PLAIN_PORT


@contextlib.contextmanager
def both_doors(secure: Secured, door: Door, plain_port: int) -> Iterator[None]:
    """The plain door stands beside `door` during the block, and the certificate is looked at."""
    remember(Doors(secure=door.port, plain=plain_port, own_authority=secure.own_authority))
    answers = "tournament.server.process.redirect_asgi:application"
    plain = Door(host=door.host, port=plain_port, threads=THREADS, application=answers)
    with standing(plain):
        watch(secure.again, secure.files)
        yield


def watch(files: Callable[[], CertificateFiles], shown: CertificateFiles) -> None:
    """Look from now on at the files, which `files` renews where it can. Whole pairs alone are
    shown: a certificate whose key is still being written is waited for.
    """

    def look() -> None:
        known = stamp(shown)
        while True:
            time.sleep(SECONDS_BETWEEN_LOOKS)
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


def words(secure: Secured, host: str, plain_port: int) -> list[str]:
    """Return the terminal's messages about HTTPS."""
    if not secure.own_authority:
        return misgivings(secure.certificate, datetime.now(UTC))
    root = root_in(Path(settings.DATA_DIR))
    assert root is not None
    number = network_address()
    unknown = [
        f"{number} is no private address: the authority can't vouch for it, and phones "
        "can't trust it.",
        "Use a network with private addresses, or a name with a certificate of its own.",
        "",
    ]
    earlier = read_replaced_root(Path(settings.DATA_DIR))
    return [
        *(unknown if number and not is_private(number) else []),
        *(_words_of_replaced(earlier) if earlier is not None else []),
        "Each phone has to trust this salon's own authority once. It is led through it at",
        "",
        f"  {trust_address(host, plain_port)}",
        "",
        "and shows this fingerprint, if it is this salon's (SHA-256):",
        *(f"  {line}" for line in _in_two(fingerprint(root))),
        "",
        "Its key lies in the data folder and in no backup. In another network phones have to",
        "trust another one, which is made there; back in this network this one is shown again.",
    ]


def _words_of_replaced(root: x509.Certificate) -> list[str]:
    """Return the advice about the authority of an earlier version."""
    name = root.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    return [
        "The authority that an earlier version made could vouch for more than this salon, so",
        "another one took its place and its key was deleted. Phones have to trust once more.",
        f"Remove “{name!s}” from phones that trusted it.",
        "",
    ]


def trust_address(host: str, plain_port: int) -> str:
    """Return the address that leads phones through trusting the salon."""
    named = network_address() if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared only
    shown = "localhost" if named is None or is_this_machine(named) else named
    port = "" if plain_port == HTTP_PORT else f":{plain_port}"
    return f"http://[{shown}]{port}{TRUST}" if ":" in shown else f"http://{shown}{port}{TRUST}"


def find_trust_address() -> str:
    """Return the address that leads phones through trusting the running salon; "" if they
    don't have to.
    """
    known = doors()
    if known is None or not known.own_authority:
        return ""
    return trust_address(network_address() or "localhost", known.plain)


def _in_two(pairs: str) -> tuple[str, str]:
    middle = len(pairs) // 2 + 1
    return pairs[:middle], pairs[middle:]


def _refuse_another_name(certificate: Certificate) -> None:
    asked = [each for each in settings.ALLOWED_HOSTS if each != "*"]
    if asked and not any(is_covered(each, certificate.names) for each in asked):
        raise UnusableCertificate(
            f"The certificate is for {', '.join(certificate.names)}, and ALLOWED_HOSTS names "
            f"{', '.join(asked)}: phones would be refused under either."
        )


def _refuse_what_lasts_longer() -> None:
    """Browsers that were told never to come without HTTPS couldn't come at all once the authority
    is gone.
    """
    if settings.SECURE_HSTS_SECONDS:
        raise UnusableCertificate(
            "HSTS_SECONDS is for names with a certificate that every phone accepts: leave it out "
            "with an authority of the salon's own."
        )
