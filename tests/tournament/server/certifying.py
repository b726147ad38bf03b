"""Certificates for tests, and a handshake without a network."""

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tournament.server.tls.certificates import CertificateFiles
from tournament.server.tls.local_ca import Signer, certificate_by

NOW = datetime.now(UTC).replace(microsecond=0)


def certified(
    folder: Path, signer: Signer, *names: str, made: datetime = NOW, file: str = "salon"
) -> CertificateFiles:
    """A certificate for these names in files of `folder`, made at this time for 396 days."""
    key = ec.generate_private_key(ec.SECP256R1())
    made_one = certificate_by(signer, names, key.public_key(), made)
    files = CertificateFiles(certificate=folder / f"{file}.crt", key=folder / f"{file}.key")
    files.certificate.write_bytes(made_one.public_bytes(Encoding.PEM))
    files.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return files


def trusted(files: CertificateFiles, signer: Signer, host: str) -> str:
    """What a client that trusts this root says to the certificate: "" where it accepts it for
    `host`.
    """
    context = ssl.create_default_context(
        cadata=signer.root.public_bytes(Encoding.PEM).decode("ascii")
    )
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(files.certificate, files.key)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(to_client, to_server, server_hostname=host)
    server = server_context.wrap_bio(to_server, to_client, server_side=True)
    try:
        for side in (client, server, client, server):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    except ssl.SSLCertVerificationError as refused:
        return str(refused.verify_message)
    assert client.version() is not None
    return ""


def days(number: float) -> timedelta:
    """So many days."""
    return timedelta(days=number)
