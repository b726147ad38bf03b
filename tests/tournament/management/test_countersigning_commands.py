"""Two salons countersign each other from the command line: `checkpoint --since`, `countersign`,
`cosignature`.
"""

import json
from pathlib import Path

import pytest

from ledger import signing
from ledger.models import Cosignature, Witnessed
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.tables import a_salon, recorded, simple
from tournament.models import Salon


@pytest.fixture
def salons(db: None) -> tuple[Salon, Salon]:
    """Our salon and another one; each has a game."""
    found = a_salon("ours"), a_salon("theirs")
    for place in found:
        recorded(place, simple(place.slug))
        place.log.refresh_from_db()
    return found


def key(salon: Salon) -> str:
    return signing.keys_of(salon.log_id)[-1].verifier.vkey


def kept(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_checkpoint_goes_to_the_other_salon_and_comes_back_countersigned(
    salons: tuple[Salon, Salon], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = salons
    asked = kept(tmp_path / "asked", run(capsys, "checkpoint", "--salon", "ours").out)

    answer = run(capsys, "countersign", asked, "--key", key(ours), "--salon", "theirs")
    assert answer.status == 0
    cosigner = signing.keys_of(theirs.log_id)[-1].verifier.cosigner.vkey
    assert cosigner in answer.err
    note = kept(tmp_path / "note", answer.out)
    imported = run(capsys, "cosignature", note, "--key", cosigner, "--salon", "ours")

    assert imported.out == (
        f"The signature of accord/{theirs.log.key} under the checkpoint of "
        f"{ours.log.position} lines is kept.\n"
    )
    assert answer.out.splitlines()[-1] in run(capsys, "checkpoint", "--salon", "ours").out
    assert (
        run(capsys, "cosignature", note, "--key", cosigner, "--salon", "ours", "--json").lines[0][
            "size"
        ]
        == ours.log.position
    )
    assert Cosignature.objects.count() == Witnessed.objects.count() == 1


def test_the_next_one_takes_a_proof_from_the_entries_seen_last(
    salons: tuple[Salon, Salon], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, _ = salons
    first = run(capsys, "checkpoint", "--salon", "ours").out
    run(
        capsys,
        "countersign",
        kept(tmp_path / "one", first),
        "--key",
        key(ours),
        "--salon",
        "theirs",
    )
    seen = ours.log.position
    recorded(ours, simple("more"))
    alone = kept(tmp_path / "two", run(capsys, "checkpoint", "--salon", "ours").out)
    proven = kept(
        tmp_path / "three", run(capsys, "checkpoint", "--since", seen, "--salon", "ours").out
    )

    refused = run(capsys, "countersign", alone, "--salon", "theirs")
    assert (refused.status, refused.out) == (1, "")
    assert f"the proof has to begin there, with “old {seen}”." in refused.err
    answer = run(capsys, "countersign", proven, "--salon", "theirs", "--json")
    assert json.loads(answer.out)["size"] > seen
    assert Witnessed.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no note at all\n", "Nothing was signed: a note is a text"),
        ("", "Nothing was signed"),
        ("\x00", "Nothing was signed"),
    ],
)
def test_what_is_no_checkpoint_is_refused_in_words(
    salons: tuple[Salon, Salon],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    text: str,
    said: str,
) -> None:
    refused = run(capsys, "countersign", kept(tmp_path / "bad", text), "--salon", "theirs")

    assert refused.status == 1
    assert refused.err.startswith(said)


def test_a_file_that_is_not_there_or_no_text_is_refused_in_words(
    salons: tuple[Salon, Salon], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")

    assert run(capsys, "countersign", tmp_path / "none", "--salon", "ours").err.endswith(
        "can't be read: No such file or directory."
    )
    assert run(capsys, "countersign", tmp_path / "bytes", "--salon", "ours").err.endswith(
        "is no text in UTF-8."
    )
    kept(tmp_path / "long", "x" * 100_001)
    assert run(capsys, "countersign", tmp_path / "long", "--salon", "ours").err.endswith(
        "is too long for a checkpoint."
    )


def test_a_signature_of_another_checkpoint_or_another_key_is_not_kept(
    salons: tuple[Salon, Salon], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, theirs = salons
    of_theirs = kept(tmp_path / "theirs", run(capsys, "checkpoint", "--salon", "theirs").out)
    asked = kept(tmp_path / "asked", run(capsys, "checkpoint", "--salon", "ours").out)
    cosigner = signing.keys_of(theirs.log_id)[-1].verifier.cosigner.vkey

    assert (
        "ours has no such checkpoint"
        in run(capsys, "cosignature", of_theirs, "--key", cosigner, "--salon", "ours").err
    )
    assert (
        "no signature of"
        in run(capsys, "cosignature", asked, "--key", cosigner, "--salon", "ours").err
    )
    assert (
        "a key is written"
        in run(capsys, "cosignature", asked, "--key", "mine", "--salon", "ours").err
    )
    assert run(capsys, "checkpoint", "--since", 99, "--salon", "ours").err.startswith(
        "There is no proof from 99 lines on"
    )
    assert not Cosignature.objects.exists()
