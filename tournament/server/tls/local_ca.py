"""An authority of the salon's own, for a network where no name leads to the salon: phones that
trust its root accept the certificate of this machine.

The root may vouch for servers alone (extended key usage), and of these only for the networks this
machine is in and for names that no other network knows (name constraints, RFC 5280 §4.2.1.10):
whoever stole its key could imitate no bank, and sign no mail and no program. In another network
another root is made; back in one that a root was made for, that root is shown again. A root that an
earlier version made, which could vouch for more, is replaced: phones have to trust once more. All
keys lie in the data folder, mode 0600, and in no backup: a restored salon makes others.
"""

import ipaddress
import socket
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tournament.server.environment.addresses import network_addresses
from tournament.server.environment.secret_file import private_folder, write_secret
from tournament.server.tls.certificates import CertificateFiles, names_of

FOLDER = "https"
REPLACED = "replaced.crt"
PRIVATE_NETWORKS = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "127.0.0.0/8",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
)
PRIVATE_NAMES = ("local", "localhost", "home.arpa")
# Reserved (RFC 2606): what may be vouched for as mail or address under it is nobody's.
NOBODY = "invalid"
YEARS_OF_THE_ROOT = timedelta(days=1095)
BITS_OF_A_NETWORK = {4: 24, 6: 64}  # that a root is for: this machine's address may change in it
DAYS_OF_A_CERTIFICATE = timedelta(days=397)  # iOS and Chromium accept 398 at most
SLOW_CLOCKS = timedelta(days=1)  # what a phone's clock may be behind
RENEWED_BEFORE = timedelta(days=30)

type IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True, kw_only=True)
class Signer:
    """A root and its key."""

    root: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def own_certificate(data: Path, host: str, now: datetime) -> CertificateFiles:
    """The files of a certificate for this machine's present names and addresses, valid for a month
    at least; made anew where those there are not.
    """
    names = names_here(host)
    signer = _signer(data, names, now)
    files = _files(data)
    if _is_due(files, signer.root, names, now):
        key = ec.generate_private_key(ec.SECP256R1())
        made = certificate_by(signer, names, key.public_key(), now)
        both = made.public_bytes(Encoding.PEM) + signer.root.public_bytes(Encoding.PEM)
        write_secret(files.key, _pem(key))
        write_secret(files.certificate, both.decode("ascii"))
    return files


def root_in(data: Path) -> x509.Certificate | None:
    """The root that phones are to trust; None where there is none."""
    return _root_of(data / FOLDER / "authority.crt")


def names_here(host: str) -> tuple[str, ...]:
    """Return the names by which phones can reach this machine, which listens at `host`:
    its name in the local network, and its private addresses.
    """
    machine = socket.gethostname().partition(".")[0].lower()
    numbers = dict.fromkeys(["127.0.0.1", "::1", host, *network_addresses()])
    wanted = ["localhost", f"{machine}.local" if _is_label(machine) else "", *numbers]
    return tuple(each for each in wanted if each and is_private(each))


def is_private(name: str) -> bool:
    """Whether the root may vouch for this name or number."""
    try:
        number = ipaddress.ip_address(name)
    except ValueError:
        return any(name == each or name.endswith(f".{each}") for each in PRIVATE_NAMES)
    return not number.is_unspecified and any(
        number in ipaddress.ip_network(each) for each in PRIVATE_NETWORKS
    )


def networks_of(names: Collection[str]) -> list[IPNetwork]:
    """The private networks of the numbers among these names, each once."""
    found = dict[IPNetwork, None]()
    for name in names:
        try:
            number = ipaddress.ip_address(name)
        except ValueError:
            continue
        if number.is_loopback:
            found[ipaddress.ip_network("127.0.0.0/8" if number.version == 4 else "::1/128")] = None
        elif is_private(name):
            bits = BITS_OF_A_NETWORK[number.version]
            found[ipaddress.ip_network(f"{number}/{bits}", strict=False)] = None
    return list(found)


def new_root(now: datetime, networks: Collection[IPNetwork]) -> Signer:
    """A root of three years for servers in these networks, under a name that tells two of them
    apart.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    machine = socket.gethostname().partition(".")[0][:30]
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Accord {machine} {now:%Y-%m-%d}")])
    limits = x509.NameConstraints(
        permitted_subtrees=[
            *(x509.DNSName(each) for each in PRIVATE_NAMES),
            *(x509.IPAddress(each) for each in networks),
            # Of a kind that is not named here, every name would be right.
            x509.RFC822Name(NOBODY),
            x509.UniformResourceIdentifier(NOBODY),
        ],
        excluded_subtrees=None,
    )
    builder = (
        _begin_certificate(name, name, key.public_key(), now, now + YEARS_OF_THE_ROOT)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(limits, critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    )
    return Signer(root=builder.sign(key, hashes.SHA256()), key=key)


def certificate_by(
    signer: Signer, names: Collection[str], key: ec.EllipticCurvePublicKey, now: datetime
) -> x509.Certificate:
    """A certificate of this key for these names and numbers, for 397 days."""
    root = signer.root
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Accord")])
    ends = min(now - SLOW_CLOCKS + DAYS_OF_A_CERTIFICATE, root.not_valid_after_utc)
    builder = (
        _begin_certificate(name, root.subject, key, now, ends)
        .add_extension(x509.SubjectAlternativeName([_general(each) for each in names]), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.key.public_key()),
            critical=False,
        )
    )
    return builder.sign(signer.key, hashes.SHA256())


def _signer(data: Path, names: Collection[str], now: datetime) -> Signer:
    """The authority in the data folder that was made for these names; another, which phones have to
    be told to trust, where there is none or it ends within a month.
    """
    folder, networks = private_folder(data / FOLDER), networks_of(names)
    kept = list(_signers_in(folder))
    for signer in kept:
        lasts = signer.root.not_valid_after_utc > now + RENEWED_BEFORE
        if lasts and is_narrow(signer.root) and set(networks) <= set(_networks_in(signer.root)):
            break
    else:
        signer = new_root(now, networks)
    for shown in kept[:1]:
        if is_narrow(shown.root) and shown.root != signer.root:
            _write_signer(folder, f"authority-{shown.root.serial_number:x}", shown)
        elif not is_narrow(shown.root):
            # Its key is written over: nothing can be signed by it any more.
            write_secret(folder / REPLACED, _text_of(shown.root))
    _write_signer(folder, "authority", signer)
    return signer


def read_replaced_root(data: Path) -> x509.Certificate | None:
    """Return the root of an earlier version that was replaced because it could vouch for
    more than servers of this salon; None if none was.
    """
    return _root_of(data / FOLDER / REPLACED)


def is_narrow(root: x509.Certificate) -> bool:
    """Whether a root vouches for servers alone; one that an earlier version made did not."""
    try:
        usage = root.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        return False
    return list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]


def _networks_in(root: x509.Certificate) -> list[IPNetwork]:
    limits = root.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = limits.permitted_subtrees or []
    return [
        each.value
        for each in permitted
        if isinstance(each, x509.IPAddress)
        and isinstance(each.value, ipaddress.IPv4Network | ipaddress.IPv6Network)
    ]


def _signers_in(folder: Path) -> Iterator[Signer]:
    """The authorities in a folder whose keys are there, the one that is shown first."""
    for file in (folder / "authority.crt", *sorted(folder.glob("authority-*.crt"))):
        root, key = _root_of(file), _key_in(file.with_suffix(".key"))
        if root is not None and key is not None and root.public_key() == key.public_key():
            yield Signer(root=root, key=key)


def _write_signer(folder: Path, name: str, signer: Signer) -> None:
    if _root_of(folder / f"{name}.crt") == signer.root:
        return
    write_secret(folder / f"{name}.key", _pem(signer.key))
    write_secret(folder / f"{name}.crt", _text_of(signer.root))


def _is_due(
    files: CertificateFiles, root: x509.Certificate, names: Collection[str], now: datetime
) -> bool:
    """Whether the certificate there can't be shown on: it is missing, another authority's, another
    key's, ends within a month, or lacks one of the names.
    """
    key = _key_in(files.key)
    try:
        found = x509.load_pem_x509_certificates(files.certificate.read_bytes())[0]
        found.verify_directly_issued_by(root)
    except (OSError, ValueError, TypeError, InvalidSignature):
        return True
    return (
        key is None
        or found.public_key() != key.public_key()
        or found.not_valid_after_utc < now + RENEWED_BEFORE
        or found.not_valid_before_utc > now
        or not set(names) <= set(names_of(found))
    )


def _files(data: Path) -> CertificateFiles:
    folder = data / FOLDER
    return CertificateFiles(certificate=folder / "server.crt", key=folder / "server.key")


def _root_of(file: Path) -> x509.Certificate | None:
    try:
        return x509.load_pem_x509_certificate(file.read_bytes())
    except (OSError, ValueError):
        return None


def _key_in(file: Path) -> ec.EllipticCurvePrivateKey | None:
    try:
        key = load_pem_private_key(file.read_bytes(), password=None)
    except (OSError, ValueError, TypeError):
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _begin_certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    now: datetime,
    ends: datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SLOW_CLOCKS)
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _is_label(name: str) -> bool:
    return bool(name) and name.isascii() and name.replace("-", "").isalnum()


def _text_of(root: x509.Certificate) -> str:
    return root.public_bytes(Encoding.PEM).decode("ascii")


def _pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii")
