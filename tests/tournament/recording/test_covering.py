"""The log covers who played: every name has a fact with its digest, a new one from the next
checkpoint on.
"""

import io
import json
from typing import Any

import pytest

from ledger.models import Event
from ledger.standalone import verify_export
from tests.tournament.helpers.auditors_files import checked, lines, written
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.reading import words
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import a_salon, everything, recorded, simple
from tournament.integrity.audit import audit
from tournament.models import Player, Salon, Text
from tournament.privacy.erasure import erase
from tournament.projections.audit import audit as rows_of
from tournament.recording.name_digests import cover_names
from tournament.streams.texts import digest_of
from tournament.tasks import sign_checkpoints

UNCOVERED = "Names of players that the log does not cover: {}"


@pytest.fixture
def salon(db: None) -> Salon:
    place = a_salon()
    recorded(place, everything())
    return place


def facts() -> list[dict[str, Any]]:
    return [
        json.loads(body)
        for body in Event.objects.filter(type="house.names_covered")
        .order_by("position")
        .values_list("body", flat=True)
    ]


def test_the_job_that_signs_covers_every_name_once_before_it_signs(salon: Salon) -> None:
    bare = audit(salon)
    assert (bare.findings, [each.partition(". ")[0] for each in bare.remarks]) == (
        [],
        [UNCOVERED.format(Player.objects.count())],
    )
    sign_checkpoints()

    (fact,) = facts()
    assert fact["names"] == [
        [player.pk, digest_of(player.salt, player.name)] for player in Player.objects.order_by("pk")
    ]
    assert (list(audit(salon).findings), list(audit(salon).remarks)) == ([], [])
    assert cover_names(salon) == 0
    recorded(
        salon, simple("more", players={"N": "New One", "E": "Birch", "S": "Cedar", "W": "New Two"})
    )
    sign_checkpoints()
    assert len(facts()) == 2
    assert len(facts()[1]["names"]) == len(Player.objects.filter(name__startswith="New"))
    assert (list(audit(salon).findings), list(audit(salon).remarks)) == ([], [])


def test_a_changed_name_stays_a_finding_whatever_jobs_run(salon: Salon) -> None:
    sign_checkpoints()
    player = Player.objects.order_by("pk")[0]
    Player.objects.filter(pk=player.pk).update(name="Somebody Else", salt="")

    sign_checkpoints()
    assert [(each.kind, each.row) for each in audit(salon).findings] == [("name", player.pk)]


def test_a_salon_of_before_tells_once_which_texts_were_gone_and_every_later_loss_is_named(
    salon: Salon,
) -> None:
    """Erasures of before left no fact."""
    first, second = Text.objects.order_by("pk")[:2]
    first.delete()
    assert (
        list(audit(salon).findings),
        any(
            "Texts that are gone" in each and "a move: 1." in each for each in audit(salon).remarks
        ),
    ) == (
        [],
        True,
    )
    sign_checkpoints()

    assert facts()[0]["gone"] == [first.digest]
    assert (list(audit(salon).findings), list(audit(salon).remarks)) == ([], [])
    second.delete()
    assert {each.kind for each in audit(salon).findings} == {"text"}


def test_an_erasure_takes_name_and_salt_and_nothing_of_the_audit(salon: Salon) -> None:
    sign_checkpoints()
    player = Player.objects.get(name="Birch")
    erase(player, actor="user:1")

    assert Player.objects.values_list("salt", flat=True).get(pk=player.pk) == ""
    sign_checkpoints()
    assert (list(audit(salon).findings), list(audit(salon).remarks)) == ([], [])


def test_an_erasure_or_a_name_covered_while_an_audit_runs_is_no_finding(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is read to its head first, the names and words after it."""
    sign_checkpoints()

    def meanwhile(place: Salon) -> list[Any]:
        erase(Player.objects.get(name="Birch"), actor="user:1")
        recorded(
            place,
            simple("more", players={"N": "New One", "E": "Alder", "S": "Cedar", "W": "New Two"}),
        )
        sign_checkpoints()
        return []

    monkeypatch.setattr("tournament.projections.audit.place_findings", meanwhile)
    assert [each for each in rows_of(salon, remarks=[]) if each.kind in ("name", "text")] == []


def test_a_covered_player_who_is_gone_and_a_salt_that_keeps_a_name_from_being_covered_are_named(
    salon: Salon,
) -> None:
    gone = Player.objects.create(salon=salon, name="Nobody's Opponent").pk
    sign_checkpoints()
    Player.objects.filter(pk=gone).delete()
    bare = Player.objects.create(salon=salon, name="Never Covered", salt="ab")
    sign_checkpoints()

    assert {(each.kind, each.row) for each in audit(salon).findings} == {
        ("name", gone),
        ("name", bare.pk),
    }


def test_the_auditors_file_of_the_salon_gives_each_name_under_the_digest_that_covers_it(
    salon: Salon,
) -> None:
    sign_checkpoints()
    file = written(salon)
    assert list(checked(file)[0]) == []

    values = lines(file)
    one, two = [value for value in values if "player" in value][:2]
    for part in ("name", "salt", "digest"):
        one[part], two[part] = two[part], one[part]
    found = verify_export.Faults()
    verify_export.check(io.BytesIO(b"".join(map(verify_export.canonical, values))), (), (), found)
    assert sum("an event here covers another name of this player" in each for each in found) == 2


def test_the_command_that_checks_says_how_many_names_are_not_covered(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"remark: {UNCOVERED.format(Player.objects.count())}. " in run(capsys, "audit").out
    assert UNCOVERED.format(Player.objects.count()) in run(capsys, "verify").out


def test_the_page_of_the_audit_says_how_many_names_are_not_covered_yet(db: None) -> None:
    place = opened_salon()
    recorded(place, simple("one", players={"N": "Alder", "E": "Birch", "S": "Cedar", "W": "Dale"}))
    browser = owner_of(place)
    here = Player.objects.count()
    assert f"The names of {here} players are not covered by the log yet" in words(
        browser.get("/audit/").text
    )
    sign_checkpoints()

    assert "not covered by the log yet" not in words(browser.get("/audit/").text)
    Player.objects.create(salon=place, name="Only One")
    assert "The name of 1 player is not covered by the log yet" in words(
        browser.get("/audit/").text
    )
