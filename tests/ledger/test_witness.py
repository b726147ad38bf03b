"""A salon countersigns another's checkpoints: each begins with the one it countersigned before, or
it is refused.
"""

import pytest

from ledger import checkpoints, notes, signing, witness
from ledger.models import Checkpoint, Log, Witnessed
from ledger.notes import BadNote
from ledger.store import open_log
from ledger.witness import NotWitnessed
from tests.ledger.signing import Pocket
from tests.ledger.writing import filled

OWN, THEIRS = Pocket("own"), Pocket("theirs")


@pytest.fixture
def other(log: int) -> Log:
    """Another salon's log with two checkpoints, of 5 and of 12 entries; it lies in the same
    database, which nothing here asks.
    """
    place = open_log()
    for count in (5, 7):
        checkpoints.make(filled(place.pk, count), THEIRS, now=1)
    return place


def handed_in(other: Log, old: int, new: int) -> witness.Request:
    note = Checkpoint.objects.get(log=other, size=new).note
    return witness.read_request(
        witness.request_text(checkpoints.consistency(other.pk, old, new), note)
    )


def key_of(other: Log) -> notes.Verifier:
    return signing.keys_of(other.pk)[-1].verifier


def countersigned(
    log: int, request: witness.Request, key: notes.Verifier | None = None
) -> Witnessed:
    return witness.countersign(Log.objects.get(pk=log), request, key, OWN, now=9_000_000)


def test_the_first_checkpoint_is_countersigned_on_the_key_given_and_later_ones_on_a_proof(
    log: int, other: Log
) -> None:
    first = countersigned(
        log, witness.read_request(Checkpoint.objects.get(log=other, size=5).note), key_of(other)
    )
    second = countersigned(log, handed_in(other, 5, 12))

    assert [(row.old, row.size) for row in (first, second)] == [(0, 5), (5, 12)]
    own = signing.keys_of(log)[-1].verifier.cosigner
    line = notes.read_note(second.note).signatures[-1]
    kept = checkpoints.cosigned(Checkpoint.objects.get(log=other, size=12), line.line, own)
    assert notes.holds(line, notes.read_note(second.note).text, own)
    assert kept.vkey == own.vkey


def test_the_same_checkpoint_again_gets_the_same_answer(log: int, other: Log) -> None:
    first = countersigned(log, handed_in(other, 0, 5), key_of(other))

    assert countersigned(log, handed_in(other, 0, 5)) == first
    assert Witnessed.objects.count() == 1


def test_a_form_that_ends_lines_its_own_way_is_read_too(other: Log) -> None:
    text = witness.request_text(
        checkpoints.consistency(other.pk, 5, 12), Checkpoint.objects.get(log=other, size=12).note
    )

    assert witness.read_request(
        "\r\n" + text.replace("\n", "\r\n") + "\r\n"
    ) == witness.read_request(text)


def test_an_old_checkpoint_is_refused(log: int, other: Log) -> None:
    countersigned(log, handed_in(other, 0, 12), key_of(other))

    with pytest.raises(NotWitnessed, match="An old checkpoint: one of 12 lines"):
        countersigned(log, handed_in(other, 0, 5))


def test_a_second_history_is_refused(log: int, other: Log) -> None:
    countersigned(log, handed_in(other, 0, 5), key_of(other))
    private = THEIRS.find(key_of(other).public, "")
    assert private is not None

    def forged(size: int) -> witness.Request:
        said = notes.Checkpoint(origin=signing.origin_of(other), size=size, root=bytes(32))
        note = notes.Note(text=said.text, signatures=(notes.sign(said.text, private, said.origin),))
        proof = checkpoints.consistency(other.pk, 5, 12).path if size > 5 else ()
        return witness.Request(old=5, path=proof, note=note, checkpoint=said)

    with pytest.raises(NotWitnessed, match="Two histories"):
        countersigned(log, forged(5))
    with pytest.raises(NotWitnessed, match="The proof doesn't hold"):
        countersigned(log, forged(12))


def test_a_proof_from_another_beginning_is_refused(log: int, other: Log) -> None:
    countersigned(log, handed_in(other, 0, 5), key_of(other))

    with pytest.raises(NotWitnessed, match="with “old 5”"):
        countersigned(log, handed_in(other, 0, 12))


def test_a_salon_is_not_countersigned_without_its_key_or_on_another_one(
    log: int, other: Log
) -> None:
    with pytest.raises(NotWitnessed, match="its key is needed"):
        countersigned(log, handed_in(other, 0, 5))
    signing.signer(filled(log, 1), OWN, now=1)
    with pytest.raises(NotWitnessed, match="is expected, this one is named"):
        countersigned(log, handed_in(other, 0, 5), key_of(Log.objects.get(pk=log)))
    stranger = notes.verifier(Pocket("x").new("", frozenset()), signing.origin_of(other))
    with pytest.raises(NotWitnessed, match="not signed by"):
        countersigned(log, handed_in(other, 0, 5), stranger)
    countersigned(log, handed_in(other, 0, 5), key_of(other))
    with pytest.raises(NotWitnessed, match="signed by another key"):
        countersigned(log, handed_in(other, 5, 12), stranger)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "old x\n\nnote",
        "old 5\nnot base64\n\na\n1\nb\n\n\u2014 n AAAAAAAA\n",
        "old 5",
        "old 5\n" + "AAAA\n" * 70,
    ],
)
def test_what_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        witness.read_request(text)
