"""A tournament that can't be folded stops its own standings; everything else of the salon goes on,
and pages, files and the audit name it with the way on.
"""

from dataclasses import dataclass

import pytest
from django.test import Client

from ledger.models import Event
from tests.tournament.helpers.evenings import after_round_1, does, result
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.tables import recorded, simple, unguard
from tournament.domain.season.rules import AddEvent, SeasonRule
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.models import Mark, Player, Progress, Reckoning, Salon, Season, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up, waiting
from tournament.projections.chain_check import CHECKED
from tournament.projections.ratings import rating_history
from tournament.projections.rebuild import differences
from tournament.projections.standings import read_computed_standings, read_season_table
from tournament.recording.seasons import keep_season, open_season
from tournament.tasks import PROJECTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoCups:
    salon: Salon
    broken: Tournament
    whole: Tournament
    season: Season
    owner: Client


def finished(salon: Salon) -> Tournament:
    row = after_round_1(salon)
    for number in (2, 3):
        does(row, DrawRound(round=number), PublishRound(round=number))
        does(row, result(1, 260, 180, number), result(2, 255, 120, number))
        does(row, CloseRound(round=number))
    return does(row, EnterPhase(phase="finished"))


@pytest.fixture
def cups(db: None) -> TwoCups:
    """Two tournaments that are over and count in a season; the log of the first holds an event that
    nothing can read.
    """
    salon = opened_salon()
    broken, whole = finished(salon), finished(salon)
    season = open_season(
        salon, name="Winter", rule=SeasonRule(), actor="user:1", command=a_command()
    )
    for version, row in enumerate((broken, whole), start=1):
        keep_season(
            salon, season.pk, AddEvent(tournament=row.pk),
            version=version, actor="user:1", command=a_command(),
        )  # fmt: skip
    unguard()
    Event.objects.filter(stream=broken.pk, type="tournament.round_closed").update(schema=99)
    for model in (Progress, Mark, Reckoning):
        model.objects.all().delete()
    catch_up(salon.log, PROJECTIONS)
    return TwoCups(salon=salon, broken=broken, whole=whole, season=season, owner=owner_of(salon))


def mend(cups: TwoCups) -> None:
    Event.objects.filter(stream=cups.broken.pk, schema=99).update(schema=1)


def parked(salon: Salon) -> set[tuple[str, str]]:
    return set(
        Mark.objects.filter(log=salon.log).exclude(error="").values_list("projection", "subject")
    )


def test_it_alone_is_parked_and_all_else_is_computed(cups: TwoCups) -> None:
    assert parked(cups.salon) == {
        ("standings", cups.broken.pk),
        ("snapshots", cups.broken.pk),
        ("seasons", cups.season.pk),
        ("ratings", ""),
    }
    stopped = Progress.objects.exclude(error="").values_list("projection", flat=True)
    assert list(stopped) == [CHECKED.name]  # its hash differs, which is what that looks for
    assert waiting(PROJECTIONS) == []
    assert read_computed_standings(cups.whole)[0] is not None
    player = Player.objects.filter(salon=cups.salon).earliest("pk")
    assert [each.tournament for each in rating_history(cups.salon, player.pk)] == [cups.whole.pk]
    table, _reached = read_season_table(cups.season)
    assert table is not None
    assert table.events == (cups.whole.pk,)


def test_what_is_recorded_later_is_computed_as_ever(cups: TwoCups) -> None:
    later = after_round_1(cups.salon)
    recorded(cups.salon, simple())
    catch_up(cups.salon.log, PROJECTIONS)

    assert read_computed_standings(later)[0] is not None
    assert Mark.objects.filter(log=cups.salon.log, error="").count() == 0


def test_pages_name_it_with_the_way_on_and_others_show_nothing_of_it(cups: TwoCups) -> None:
    for address in ("/audit/", "/settings/"):
        page = told(cups.owner.get(address))
        assert f"{cups.broken.name} could not be computed up to line" in page
        assert "Spring Cup is left out" in page
    assert "The standings of Spring Cup could not be computed" in told(cups.owner.get("/"))
    assert "could not be computed any further" in told(
        Client().get(f"/tournaments/{cups.broken.pk}/standings/")
    )
    assert "They could not be computed" in told(
        cups.owner.get(f"/tournaments/{cups.broken.pk}/desk/")
    )
    assert "could not be computed" not in told(
        cups.owner.get(f"/tournaments/{cups.whole.pk}/standings/")
    )
    season = told(cups.owner.get(f"/seasons/{cups.season.pk}/"))
    assert "The table could not be computed in full. Spring Cup is left out" in season
    assert "left out: it could not be computed" in season
    work = {
        each["name"]: each["parked"]
        for each in cups.owner.get(f"/api/v1/salons/{cups.salon.slug}/work/").json()
    }
    assert [each["subject"] for each in work["standings"]] == [cups.broken.pk]
    assert work["careers"] == []


@pytest.mark.parametrize(
    "address",
    ["/tournaments/{broken}/desk/standings/", "/seasons/{season}/acts/computations/"],
)
def test_it_tries_again_from_its_page(cups: TwoCups, address: str) -> None:
    mend(cups)
    place = address.format(broken=cups.broken.pk, season=cups.season.pk)
    assert cups.owner.post(place).status_code == 302
    catch_up(cups.salon.log, PROJECTIONS)

    assert parked(cups.salon) == set()
    assert read_computed_standings(cups.broken)[0] is not None
    table, _reached = read_season_table(cups.season)
    assert table is not None
    assert len(table.events) == 2


def test_the_audit_names_what_is_parked_and_compares_all_else(cups: TwoCups) -> None:
    found = {each.row for each in audit(cups.salon) if each.kind == "parked"}

    assert found - {CHECKED.name} == {
        f"{projection}/{subject}" for projection, subject in parked(cups.salon)
    }


def test_a_rebuild_computes_all_else_anew_and_lets_it_try_again(cups: TwoCups) -> None:
    unmended = [
        each
        for each in differences(cups.salon, mend=True, progress=lambda done: None)
        if not each.mended
    ]
    assert cups.broken.pk in {each.key for each in unmended}
    assert read_computed_standings(cups.whole)[0] is not None
    assert parked(cups.salon) == set()

    mend(cups)
    catch_up(cups.salon.log, PROJECTIONS)
    assert read_computed_standings(cups.broken)[0] is not None
    assert not list(differences(cups.salon, mend=False, progress=lambda done: None))
