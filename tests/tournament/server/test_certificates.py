"""Certificates for HTTPS in a local network: the salon's own authority, and files that somebody
gives.
"""

import ipaddress
import os
import shutil
import socket
import stat
import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import NameOID
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.server.certifying import NOW, certified, days, trusted
from tournament.server.environment.addresses import is_covered
from tournament.server.tls import certificates, local_ca
from tournament.server.tls.certificates import (
    CertificateFiles,
    UnusableCertificate,
    fingerprint,
    misgivings,
    usable,
)
from tournament.server.tls.local_ca import (
    Signer,
    is_private,
    networks_of,
    new_root,
    own_certificate,
    read_replaced_root,
    root_in,
)

EVERY_NETWORK = [ipaddress.ip_network(each) for each in local_ca.PRIVATE_NETWORKS]
SIGNER = new_root(NOW, EVERY_NETWORK)
LABELS = st.from_regex(r"[a-z][a-z0-9-]{0,12}[a-z0-9]", fullmatch=True)
PRIVATE = st.one_of(
    st.sampled_from(local_ca.PRIVATE_NETWORKS).flatmap(
        lambda network: st.integers(0, ipaddress.ip_network(network).num_addresses - 1).map(
            lambda place: str(ipaddress.ip_network(network)[place])
        )
    ),
    LABELS.map("{}.local".format),
    LABELS.map("{}.home.arpa".format),
    st.just("localhost"),
)
ELSEWHERE = st.one_of(
    LABELS.map("{}.example.org".format),
    LABELS.map("local.{}".format),
    st.ip_addresses().map(str).filter(lambda number: not is_private(number)),
)


# an authority of the salon's own


@settings(max_examples=25)
@given(names=st.lists(PRIVATE, min_size=1, max_size=4, unique=True))
def test_who_trusts_the_root_accepts_private_names_and_numbers(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    files = certified(tmp_path_factory.mktemp("made"), SIGNER, *names)

    assert {name: trusted(files, SIGNER, name) for name in names} == dict.fromkeys(names, "")
    assert "mismatch" in trusted(files, SIGNER, "other.local")


@settings(max_examples=25)
@given(name=ELSEWHERE)
def test_the_root_vouches_for_no_place_in_the_internet_even_where_its_key_signs(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    files = certified(tmp_path_factory.mktemp("made"), SIGNER, name)

    assert trusted(files, SIGNER, name) == "permitted subtree violation"


def test_a_certificate_of_the_authority_lasts_as_long_as_phones_accept_and_no_longer(
    tmp_path: Path,
) -> None:
    found = usable(own_certificate(tmp_path, "0.0.0.0", NOW), NOW)

    assert days(395) < found.ends - NOW < days(397)
    assert {"localhost", "127.0.0.1"} <= {*found.names}


def test_its_keys_are_for_this_server_alone(tmp_path: Path) -> None:
    own_certificate(tmp_path, "0.0.0.0", NOW)

    folder = tmp_path / local_ca.FOLDER
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def kept(folder: Path, now: datetime) -> tuple[str, bytes]:
    """The root's fingerprint, and the certificate, as they are at this time."""
    files = own_certificate(folder, "0.0.0.0", now)
    root = root_in(folder)
    assert root is not None
    return fingerprint(root), files.certificate.read_bytes()


def test_it_stays_the_same_until_a_month_before_its_end_and_the_root_for_years(
    tmp_path: Path,
) -> None:
    root, first = kept(tmp_path, NOW)

    assert kept(tmp_path, NOW + days(365)) == (root, first)
    again, renewed = kept(tmp_path, NOW + days(367))
    assert (again, renewed != first) == (root, True)
    assert kept(tmp_path, NOW + days(1_060))[0] == root
    assert kept(tmp_path, NOW + days(1_070))[0] != root


def test_another_address_of_this_machine_gets_another_certificate_of_the_same_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_ca, "network_addresses", lambda: ["192.168.77.7"])
    root, first = kept(tmp_path, NOW)
    monkeypatch.setattr(local_ca, "network_addresses", lambda: ["192.168.77.8", "203.0.113.9"])

    again, second = kept(tmp_path, NOW)

    assert (again, second != first) == (root, True)
    names = usable(own_certificate(tmp_path, "0.0.0.0", NOW), NOW).names
    assert "192.168.77.8" in names
    assert "203.0.113.9" not in names


def test_in_another_network_another_root_is_made_and_back_in_the_first_the_same_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roots = []
    for number in ("192.168.77.8", "10.3.4.5", "192.168.77.9", "10.3.4.6"):
        monkeypatch.setattr(local_ca, "network_addresses", lambda number=number: [number])
        roots.append(kept(tmp_path, NOW)[0])
        usable(own_certificate(tmp_path, "0.0.0.0", NOW), NOW)

    assert roots[0] == roots[2] != roots[1] == roots[3]


def verified(
    tmp_path: Path, signer: Signer, *options: str, names: Sequence[x509.GeneralName]
) -> str:
    """What OpenSSL says to a certificate that the root's key signed for other ends."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Accord")])
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(signer.root.subject)
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(NOW - days(1))
        .not_valid_after(NOW + days(30))
        .add_extension(x509.SubjectAlternativeName(list(names)), critical=False)
    )
    root, leaf = tmp_path / "root.pem", tmp_path / "leaf.pem"
    root.write_bytes(signer.root.public_bytes(Encoding.PEM))
    leaf.write_bytes(builder.sign(signer.key, hashes.SHA256()).public_bytes(Encoding.PEM))
    command = ["openssl", "verify", "-CAfile", str(root), *options, str(leaf)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the program openssl")
def test_the_root_vouches_for_no_mail_no_program_no_person_and_no_other_network(
    tmp_path: Path,
) -> None:
    signer = new_root(NOW, networks_of(["192.168.77.8", "::1", "127.0.0.1", "salon.local"]))
    here = [x509.IPAddress(ipaddress.ip_address("192.168.77.9"))]
    assert "OK" in verified(tmp_path, signer, "-purpose", "sslserver", names=here)
    for purpose in ("smimesign", "smimeencrypt", "sslclient", "timestampsign", "codesign"):
        said = verified(tmp_path, signer, "-purpose", purpose, names=here)
        assert "OK" not in said, (purpose, said)
    for other in (
        x509.RFC822Name("ceo@bank.example"),
        x509.UniformResourceIdentifier("https://bank.example/"),
        x509.IPAddress(ipaddress.ip_address("192.168.78.9")),
        x509.IPAddress(ipaddress.ip_address("10.0.0.1")),
        x509.DNSName("bank.example"),
    ):
        assert "permitted subtree violation" in verified(tmp_path, signer, names=[other]), other


def test_the_root_of_an_earlier_version_is_replaced_and_its_key_is_gone(tmp_path: Path) -> None:
    """It could vouch for mail and programs in every private network, for ten years."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Accord salon 2026-11-22")])
    old = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(5)
        .not_valid_before(NOW - days(5))
        .not_valid_after(NOW + days(3_645))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    folder = tmp_path / local_ca.FOLDER
    folder.mkdir()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "authority.crt").write_bytes(old.public_bytes(Encoding.PEM))
    (folder / "authority.key").write_bytes(private)
    assert read_replaced_root(tmp_path) is None

    root, _certificate = kept(tmp_path, NOW)

    assert root != fingerprint(old)
    assert read_replaced_root(tmp_path) == old
    assert not [file for file in folder.iterdir() if private in file.read_bytes()]
    assert kept(tmp_path, NOW)[0] == root
    usable(own_certificate(tmp_path, "0.0.0.0", NOW), NOW)


@pytest.mark.parametrize("lost", ["server.crt", "server.key"])
@pytest.mark.parametrize("how", ["gone", "empty", "another's"])
def test_a_lost_file_is_made_again_by_the_same_root(tmp_path: Path, lost: str, how: str) -> None:
    root, _first = kept(tmp_path, NOW)
    file = tmp_path / local_ca.FOLDER / lost
    other = certified(tmp_path, new_root(NOW, EVERY_NETWORK), "localhost")
    match how:
        case "gone":
            file.unlink()
        case "empty":
            file.write_bytes(b"")
        case _:
            text = (other.certificate if lost == "server.crt" else other.key).read_bytes()
            file.write_bytes(text)

    assert kept(tmp_path, NOW)[0] == root
    usable(own_certificate(tmp_path, "0.0.0.0", NOW), NOW)


def test_without_its_key_another_authority_is_made_and_has_to_be_trusted_anew(
    tmp_path: Path,
) -> None:
    root, _first = kept(tmp_path, NOW)
    (tmp_path / local_ca.FOLDER / "authority.key").unlink()

    assert kept(tmp_path, NOW)[0] != root
    usable(own_certificate(tmp_path, "0.0.0.0", NOW), NOW)


# files that somebody gives


def given_files(tmp_path: Path, name: str = "salon.example.org") -> CertificateFiles:
    return certified(tmp_path, SIGNER, name)


def test_a_certificate_with_its_key_says_its_names_and_its_end(tmp_path: Path) -> None:
    found = usable(certified(tmp_path, SIGNER, "*.example.org", "salon.example.org"), NOW)

    assert found.names == ("*.example.org", "salon.example.org")
    assert found.name == "salon.example.org"
    assert found.ends == NOW + days(396)


@pytest.mark.parametrize(
    ("host", "right"),
    [
        ("salon.example.org", True),
        ("SALON.example.org", True),
        ("a.hall.example.org", True),
        ("hall.example.org", False),
        ("a.b.hall.example.org", False),
        ("example.org", False),
        ("192.168.1.2", False),
    ],
)
def test_a_pattern_stands_for_one_label(host: str, right: bool) -> None:
    assert is_covered(host, ("salon.example.org", "*.hall.example.org")) is right


def wrong(files: CertificateFiles, now: datetime = NOW) -> str:
    with pytest.raises(UnusableCertificate) as refused:
        usable(files, now)
    return str(refused.value)


def test_what_is_wrong_with_it_is_said_in_a_plain_sentence(tmp_path: Path) -> None:
    files = given_files(tmp_path)
    elsewhere = certified(tmp_path, SIGNER, "salon.example.org", file="other")
    none = tmp_path / "none"

    assert "ended on" in wrong(files, NOW + days(397))
    assert "Is the clock of this machine right?" in wrong(files, NOW - days(2))
    assert "does not belong to" in wrong(
        CertificateFiles(certificate=files.certificate, key=elsewhere.key)
    )
    assert "can't be read: No such file" in wrong(CertificateFiles(certificate=none, key=files.key))
    assert "can't be read: No such file" in wrong(
        CertificateFiles(certificate=files.certificate, key=none)
    )
    assert "holds no certificate" in wrong(CertificateFiles(certificate=files.key, key=files.key))
    assert "holds no private key" in wrong(
        CertificateFiles(certificate=files.certificate, key=files.certificate)
    )
    assert "names no host" in wrong(certified(tmp_path, SIGNER))


def test_a_key_behind_a_passphrase_and_a_file_without_end_are_refused(tmp_path: Path) -> None:
    files = given_files(tmp_path)
    key = load_pem_private_key(files.key.read_bytes(), password=None)
    files.key.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    )

    assert "locked by a passphrase" in wrong(files)
    with (tmp_path / "long").open("wb") as file:
        os.truncate(file.fileno(), certificates.LONGEST_FILE + 1)
    assert "too long" in wrong(CertificateFiles(certificate=tmp_path / "long", key=files.key))


@settings(max_examples=40)
@given(text=st.binary(max_size=300))
def test_whatever_stands_in_the_files_is_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, text: bytes
) -> None:
    folder = tmp_path_factory.mktemp("junk")
    (folder / "junk").write_bytes(text)
    files = given_files(folder)

    wrong(CertificateFiles(certificate=folder / "junk", key=files.key))
    wrong(CertificateFiles(certificate=files.certificate, key=folder / "junk"))


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (["127.0.0.1"], []),
        (["203.0.113.5"], ["it leads to 203.0.113.5", "rebind protection"]),
        ([], ["answered with no address", "rebind protection"]),
    ],
)
def test_a_name_that_leads_elsewhere_in_this_network_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: list[str], words: list[str]
) -> None:
    def answered(_name: str, _port: object) -> list[tuple[object, ...]]:
        if not numbers:
            raise socket.gaierror
        return [(0, 0, 0, "", (number, 0)) for number in numbers]

    monkeypatch.setattr(socket, "getaddrinfo", answered)
    found = misgivings(usable(given_files(tmp_path), NOW), NOW)

    assert len(found) == bool(words)
    assert all(word in found[0] for word in words)


def test_an_end_that_is_near_is_told(tmp_path: Path) -> None:
    found = misgivings(usable(given_files(tmp_path, "127.0.0.1"), NOW), NOW + days(390))

    assert ["ends on" in each for each in found] == [True]
