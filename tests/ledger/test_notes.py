"""Notes are those of C2SP: what others signed is read, what is signed here others could read, and
no byte changes unseen.
"""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger import notes
from ledger.notes import BadNote, Note

# The note and key of the tests of golang.org/x/mod/sumdb/note.
THEIR_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
THEIR_NOTE = (
    "If you think cryptography is the answer to your problem,\nthen you don't know "
    "what your problem is.\n\n"
    "\u2014 PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# The example of c2sp.org/tlog-cosignature.
COSIGNED = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "\u2014 witness.example.com/w1 "
    "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = notes.verifier(PRIVATE, "accord/1")
TEXT = notes.Checkpoint(origin="accord/1", size=12, root=bytes(range(32))).text


def signed(text: str = TEXT) -> Note:
    return Note(text=text, signatures=(notes.sign(text, PRIVATE, "accord/1"),))


def test_a_note_that_another_program_signed_holds() -> None:
    note, key = notes.read_note(THEIR_NOTE), notes.read_vkey(THEIR_KEY)

    assert notes.is_signed(note, key)
    assert key.vkey == THEIR_KEY
    assert str(note) == THEIR_NOTE


def test_the_published_example_of_a_cosigned_checkpoint_is_read() -> None:
    note = notes.read_note(COSIGNED)
    checkpoint = notes.read_checkpoint(note.text)

    assert (checkpoint.origin, checkpoint.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert checkpoint.text == note.text
    assert [each.name for each in note.signatures] == [
        "example.com/behind-the-sofa",
        "witness.example.com/w1",
    ]
    assert notes.read_cosignature_time(note.signatures[1]) == 1_679_315_147
    assert str(note) == COSIGNED


def test_the_id_of_a_key_is_the_first_four_bytes_of_the_hash_of_its_name_kind_and_bytes() -> None:
    public = PRIVATE.public_key().public_bytes_raw()

    assert KEY.key_id == hashlib.sha256(b"accord/1\x0a\x01" + public).digest()[:4]
    assert KEY.cosigner.key_id == hashlib.sha256(b"accord/1\x0a\x04" + public).digest()[:4]
    assert notes.read_vkey(KEY.cosigner.vkey) == KEY.cosigner


def test_what_is_signed_is_the_text_with_its_last_line_end() -> None:
    line = signed().signatures[0].line

    assert line.startswith("\u2014 accord/1 ")
    raw = base64.b64decode(line.rpartition(" ")[2])
    assert raw[:4] == KEY.key_id
    PRIVATE.public_key().verify(raw[4:], TEXT.encode())


def test_a_cosignature_says_when_it_was_made() -> None:
    signature = notes.cosign(TEXT, PRIVATE, "accord/1", seconds=1_700_000_000)

    assert notes.holds(signature, TEXT, KEY.cosigner)
    assert notes.read_cosignature_time(signature) == 1_700_000_000
    PRIVATE.public_key().verify(
        signature.value[8:], f"cosignature/v1\ntime 1700000000\n{TEXT}".encode()
    )
    assert not notes.holds(signature, TEXT, KEY)


def test_no_byte_of_a_signed_note_can_change_unseen() -> None:
    written = str(signed()).encode()
    for place in range(len(written)):
        changed = bytearray(written)
        changed[place] ^= 1
        try:
            found = notes.read_note(changed.decode())
        except (BadNote, UnicodeDecodeError):
            continue
        assert not notes.is_signed(found, KEY), place


def test_a_line_of_an_unknown_key_is_passed_over_and_a_wrong_one_of_a_known_key_is_not() -> None:
    other = notes.sign(TEXT, Ed25519PrivateKey.from_private_bytes(bytes(32)), "accord/1")
    wrong = notes.sign(TEXT + "more\n", PRIVATE, "accord/1")
    right = signed().signatures[0]

    assert notes.is_signed(Note(text=TEXT, signatures=(other, right)), KEY)
    assert not notes.is_signed(Note(text=TEXT, signatures=(right, wrong)), KEY)
    assert not notes.is_signed(Note(text=TEXT, signatures=(other,)), KEY)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no signature\n",
        "text\n\nno dash\n",
        "text\n\n\u2014 name !!!\n",
        "text\n\n\u2014 name AAAA\n",
        "text\n\n\u2014 a b AAAAAAAAAAAA\n",
        "te\txt\n\n\u2014 name AAAAAAAAAAAA\n",
        "text\n\n\u2014 name AAAAAAAAAAAA",
        "text\n\n" + "\u2014 name AAAAAAAAAAAA\n" * 33,
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        notes.read_note(text)


@pytest.mark.parametrize("size", ["", "-1", "01", "1.0", "one", "\u0661", "9" * 19])
def test_what_is_no_size_is_refused(size: str) -> None:
    with pytest.raises(BadNote):
        notes.read_checkpoint(f"accord/1\n{size}\n{'A' * 43}=\n")


@pytest.mark.parametrize(
    "text", ["", "a\n1\n", "a\n1\nAAAA\n", "a\n1\n\n", "\n1\nA\n", f"a\n1\n{'A' * 42}B=\n"]
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        notes.read_checkpoint(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "name+00000000+AAAA",
        THEIR_KEY.replace("c7", "c8"),
        THEIR_KEY.replace("P", " "),
        "+" + THEIR_KEY,
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        notes.read_vkey(text)
