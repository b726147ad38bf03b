"""The file of a tournament for auditors: its own events and those of every game that counted in it,
and none can be left out.
"""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from ledger import notes, signing
from ledger.models import Event
from ledger.standalone import verify_export
from tests.tournament.helpers.auditors_files import checked, joined, lines, sign, written
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does, in_round_1
from tests.tournament.helpers.playing import a_command, done
from tests.tournament.helpers.reading import bytes_of
from tests.tournament.helpers.salons import owner_of
from tests.tournament.helpers.tables import a_salon, recorded, simple
from tournament.domain.tournament.games import UnlinkGame
from tournament.domain.tournament.penalties import GivePenalty
from tournament.integrity.auditors_export import auditors_file
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Game, Membership, Salon, Tournament
from tournament.recording.tournaments import start_linked_game


@pytest.fixture
def salon(db: None) -> Salon:
    return a_salon()


@pytest.fixture
def cup(salon: Salon) -> Tournament:
    """A tournament with two games of its first round, one of them taken out again, among other
    games; then a checkpoint.
    """
    row = in_round_1(salon)
    for table, label in ((1, "4"), (2, "5")):
        game = start_linked_game(
            salon,
            row.pk,
            round=1,
            table=table,
            label=label,
            actor="user:1",
            command=a_command(),
            version=row.version,
        )
        done(game, "hands", dealer="N")
        recorded(salon, simple(f"beside-{table}"))
        row.refresh_from_db()
    row = does(row, UnlinkGame(round=1, table=2, reason="the wrong table"))
    sign(salon)
    return does(
        row, GivePenalty(entry="1", points=-50, after_round=1, reason="late", by="Mara Ilves")
    )


def of_the_cup(salon: Salon, cup: Tournament, *, redacted: bool = False) -> bytes:
    return b"".join(auditors_file(salon, load_keyring(), stream=cup.pk, redacted=redacted))


def test_the_file_of_a_tournament_has_it_and_every_game_that_ever_counted_in_it(
    salon: Salon, cup: Tournament
) -> None:
    file = of_the_cup(salon, cup)
    found, seen = checked(file)

    head, *rest = lines(file)
    streams = {line["stream"] for line in rest if "position" in line}
    beside = set(Game.objects.filter(record__startswith="beside").values_list("pk", flat=True))
    assert list(found) == []
    assert (head["kind"], head["stream"]) == ("tournament", cup.pk)
    assert streams == set(head["streams"])
    assert len(streams) == 3
    assert not streams & beside
    assert seen["events"] == Event.objects.filter(stream__in=streams).count() == seen["proven"] + 1
    assert "Asha Renn" in file.decode()
    assert "the wrong table" in file.decode()
    redacted = of_the_cup(salon, cup, redacted=True)
    assert list(checked(redacted)[0]) == []
    assert not any(text in redacted.decode() for text in ("Asha Renn", "wrong table", "Mara Ilves"))


def test_no_event_and_no_game_can_be_left_out_of_the_file_of_a_tournament(
    salon: Salon, cup: Tournament
) -> None:
    """Not even by somebody who has the salon's key and signs what is left."""
    file = lines(of_the_cup(salon, cup))
    game = file[0]["streams"][1]
    without = [line for line in file if line.get("stream") != game or "position" not in line]

    def signed_again(values: list[dict[str, Any]]) -> bytes:
        values[0]["streams"].remove(game)
        values[0]["events"] = sum("position" in value for value in values)
        body = joined(values[:-1])
        covered = (
            verify_export.canonical(
                {
                    k: v
                    for k, v in each.items()
                    if "digest" not in each or k not in ("name", "words", "salt")
                }
            )
            for each in values[:-1]
        )
        _, private = signing.signer(salon.log, load_keyring(), now=1)
        origin = signing.origin_of(salon.log)
        text = f"accord export\n{origin}\n{hashlib.sha256(b''.join(covered)).hexdigest()}\n"
        note = notes.Note(text=text, signatures=(notes.sign(text, private, origin),))
        return body + verify_export.canonical({"lines": len(values) - 1, "note": str(note)})

    assert any("something was changed" in each for each in checked(joined(without))[0])
    (fault,) = [each for each in checked(signed_again(without))[0] if "no event is here of" in each]
    assert fault == f"no event is here of {game}, which belongs to this tournament"


def test_an_event_of_another_game_does_not_belong_in_the_file_of_a_tournament(
    salon: Salon, cup: Tournament
) -> None:
    file = lines(of_the_cup(salon, cup))
    stranger = next(line for line in lines(written(salon, "beside-1")) if "position" in line)
    file.insert(2, stranger)

    assert any("belongs elsewhere" in each for each in checked(joined(file))[0])


def test_an_earlier_checkpoint_holds_for_the_file_of_a_tournament(
    salon: Salon, cup: Tournament
) -> None:
    kept = sign(salon)
    does(cup, GivePenalty(entry="2", points=-50, after_round=1, reason="late too", by="Mara Ilves"))
    sign(salon)

    found, seen = checked(of_the_cup(salon, cup), kept)
    assert list(found) == []
    assert seen["proven"] == seen["events"]


def test_the_command_and_the_page_give_the_file_of_a_tournament(
    salon: Salon, cup: Tournament, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "cup.jsonl"
    assert run(capsys, "auditors_file", cup.record, "--output", str(path)).status == 0
    assert list(checked(path.read_bytes())[0]) == []

    Membership.objects.create(
        salon=salon, user=User.objects.create_user("mara"), role=Membership.Role.OWNER
    )
    page = owner_of(salon).get(f"/tournaments/{cup.pk}/log.jsonl")
    assert f"{cup.record}.accord.jsonl" in page["Content-Disposition"]
    assert list(checked(bytes_of(page))[0]) == []
    assert (
        f"/tournaments/{cup.pk}/log.jsonl"
        in owner_of(salon).get(f"/tournaments/{cup.pk}/history/").text
    )


def test_a_record_that_a_game_and_a_tournament_share_is_asked_about(
    salon: Salon, cup: Tournament, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(salon, simple(cup.record))

    refused = run(capsys, "auditors_file", cup.record, "--output", str(tmp_path / "a"))
    assert refused.status == 1
    assert f"give the tournament's stream instead, {cup.pk}." in refused.err
    assert run(capsys, "auditors_file", cup.pk, "--output", str(tmp_path / "b")).status == 0
