"""A certificate and its key as `serve --https` shows them to phones: whether the two can be used,
for which names, until when; what is wrong in a plain sentence.
"""

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from tournament.server.http.hosts import is_own_number

LONGEST_FILE = 256 * 1024  # bytes: a chain of a dozen certificates has a tenth of it
SOON = timedelta(days=14)


class UnusableCertificate(Exception):
    """The fault of a certificate or its key, in words for the person who started the
    server.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateFiles:
    """Paths of a certificate (PEM, its own first, then the chain) and its key (PEM)."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The contents of a usable certificate: host names and numbers as text, in its order,
    and its end (UTC).
    """

    names: tuple[str, ...]
    ends: datetime

    @property
    def name(self) -> str:
        """The first name that an address can have, "" where all are patterns."""
        return next((each for each in self.names if not each.startswith("*.")), "")


def usable(files: CertificateFiles, now: datetime) -> Certificate:
    """The certificate as it can be shown now. Raises UnusableCertificate."""
    found = _certificate_in(files.certificate)
    _refuse_another_key(files, found)
    ends = found.not_valid_after_utc
    if ends <= now:
        raise UnusableCertificate(
            f"The certificate in {files.certificate} ended on {_day(ends)}. "
            "Put a renewed one there."
        )
    if found.not_valid_before_utc > now:
        raise UnusableCertificate(
            f"The certificate in {files.certificate} begins on {_day(found.not_valid_before_utc)} "
            "only. Is the clock of this machine right?"
        )
    names = names_of(found)
    if not names:
        raise UnusableCertificate(
            f"The certificate in {files.certificate} names no host (subjectAltName): no phone "
            "would accept it."
        )
    return Certificate(names=names, ends=ends)


def names_of(certificate: x509.Certificate) -> tuple[str, ...]:
    """The host names, then the numbers, for which a certificate is valid."""
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    names = [each.lower() for each in found.get_values_for_type(x509.DNSName)]
    return (*names, *(str(each) for each in found.get_values_for_type(x509.IPAddress)))


def fingerprint(certificate: x509.Certificate) -> str:
    """The SHA-256 of a certificate in pairs of hexadecimal digits, as systems show it."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def misgivings(certificate: Certificate, now: datetime) -> list[str]:
    """Return the reasons that may keep phones from the salon although its certificate can
    be used: it ends soon, or its name leads elsewhere in this network.
    """
    found = []
    if certificate.ends - now < SOON:
        found.append(f"The certificate ends on {_day(certificate.ends)}: renew it before.")
    if certificate.name and not _is_number(certificate.name):
        found += leads_elsewhere(certificate.name)
    return found


def leads_elsewhere(name: str) -> list[str]:
    """Return the reasons why phones of this network don't find this machine by that name;
    [] if they do, as far as it can be told from here.
    """
    numbers = _numbers_of(name)
    if any(is_own_number(each) for each in numbers):
        return []
    answer = f"it leads to {', '.join(numbers)}" if numbers else "it is answered with no address"
    return [
        f"In this network {name} does not lead to this machine: {answer}. Give the name this "
        "machine's address at who keeps it. Many routers also hide private addresses behind "
        "public names (rebind protection): allow the name there."
    ]


def _certificate_in(file: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(_read_file(file, "certificate"))[0]
    except ValueError as unreadable:
        raise UnusableCertificate(f"{file} holds no certificate in PEM form.") from unreadable


def _refuse_another_key(files: CertificateFiles, certificate: x509.Certificate) -> None:
    text = _read_file(files.key, "key")
    try:
        key = load_pem_private_key(text, password=None)
    except TypeError as locked:
        raise UnusableCertificate(
            f"The key in {files.key} is locked by a passphrase: write it without one, readable "
            "for this server alone."
        ) from locked
    except ValueError as unreadable:
        raise UnusableCertificate(f"{files.key} holds no private key in PEM form.") from unreadable
    if _public(key.public_key()) != _public(certificate.public_key()):
        raise UnusableCertificate(
            f"The key in {files.key} does not belong to the certificate in {files.certificate}."
        )


def _public(key: PublicKeyTypes) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _read_file(file: Path, what: str) -> bytes:
    try:
        with file.open("rb") as opened:
            text = opened.read(LONGEST_FILE + 1)
    except OSError as failed:
        raise UnusableCertificate(
            f"The {what} {file} can't be read: {failed.strerror or failed}."
        ) from failed
    if len(text) > LONGEST_FILE:
        raise UnusableCertificate(f"{file} is too long for a {what}.")
    return text


def _numbers_of(name: str) -> list[str]:
    try:
        found: Iterable[str] = (str(each[4][0]) for each in socket.getaddrinfo(name, None))
        return sorted(set(found))
    except OSError:
        return []


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%d %B %Y}"
