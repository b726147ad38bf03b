"""What is encrypted comes out as it went in, by its passphrase alone, and nothing of it can be
changed unseen.
"""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.helpers.tables import SAMPLES
from tournament.backups import encryption
from tournament.backups.backup_file import BackupRefused, unpack
from tournament.backups.encryption import NotOpened, Opening, Sealing, is_encrypted

WORDS = "velvet ladder comet"
EARLIER = SAMPLES / "earlier_backup.tar.gz.enc"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of eight bytes and a cheap key: what holds between chunks is tried often."""
    monkeypatch.setattr(encryption, "CHUNK", 8)
    monkeypatch.setattr(encryption, "COST", {"n": 16, "r": 1, "p": 1})


def sealed(content: bytes, *, step: int = 5) -> bytes:
    out = io.BytesIO()
    target = Sealing(out, WORDS)
    for first in range(0, len(content), step):
        target.write(content[first : first + step])
    target.close()
    return out.getvalue()


def opened(file: bytes, words: str = WORDS) -> bytes:
    source, found = Opening(io.BytesIO(file), words), b""
    while piece := source.read(3):
        found += piece
    return found


@settings(max_examples=60)
@given(content=st.binary(max_size=60), step=st.integers(1, 30))
def test_what_goes_in_comes_out(content: bytes, step: int) -> None:
    file = sealed(content, step=step)

    assert opened(file) == content
    assert content not in file[file.index(b"\n", len(encryption.MAGIC)) :] or len(content) < 4
    assert is_encrypted(io.BytesIO(file))


def test_no_byte_can_be_changed_left_out_or_put_in() -> None:
    file = sealed(bytes(range(40)))
    for place in range(len(file)):
        for harm in (
            file[:place] + bytes([file[place] ^ 1]) + file[place + 1 :],
            file[:place],
            file[:place] + b"x" + file[place:],
        ):
            if harm[: len(encryption.MAGIC)] == encryption.MAGIC:
                with pytest.raises(NotOpened):
                    opened(harm)


def test_two_chunks_cannot_change_places_and_the_last_cannot_be_left_out() -> None:
    file = sealed(bytes(range(32)))
    head, chunk = file.index(b"\n", len(encryption.MAGIC)) + 1, 8 + encryption.TAG
    chunks = [file[place : place + chunk] for place in range(head, len(file), chunk)]
    assert len(chunks) == 4

    for order in ([1, 0, 2, 3], [0, 1, 2], [0, 0, 1, 2, 3], [3], []):
        with pytest.raises(NotOpened):
            opened(file[:head] + b"".join(chunks[each] for each in order))


def test_another_passphrase_is_said() -> None:
    with pytest.raises(NotOpened, match="the passphrase is another one"):
        opened(sealed(b"something"), "another")


def test_two_files_of_the_same_content_are_not_alike() -> None:
    assert sealed(b"something") != sealed(b"something")


def test_a_cost_that_would_take_all_memory_is_refused() -> None:
    file = sealed(b"something").replace(b'"n": 16', b'"n": 99999999999')
    with pytest.raises(NotOpened):
        opened(file)


def test_a_backup_that_an_earlier_version_encrypted_still_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    assert encryption.CHUNK == 1 << 20, "no head says it: it belongs to the format"

    manifest = unpack(EARLIER, tmp_path, passphrase=WORDS)

    assert [part.name for part in manifest.files] == ["database.sqlite3", "secret-key"]
    assert (manifest.made_at, manifest.database) == (1_780_000_000_000_000, "sqlite")
    assert (tmp_path / "secret-key").read_bytes() == b"not a key of any server\n"
    with pytest.raises(BackupRefused, match="the passphrase is another one"):
        unpack(EARLIER, tmp_path, passphrase="another ladder comet")
