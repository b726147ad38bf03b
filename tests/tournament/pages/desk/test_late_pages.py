"""What becomes of a late entry is said before it is made, and who waits is seated at one more table
of a running round.
"""

from django.test import Client

from tests.tournament.helpers.evenings import in_round_1, send
from tests.tournament.helpers.playing import told
from tournament.domain.tournament.lookups import a_round
from tournament.models import Salon
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def test_a_late_pair_is_seated_with_who_sits_out(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon, 5)
    state = state_of(row)
    (bye,) = a_round(state, 1).byes
    entries = told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))
    assert "Whoever enters now plays from round 2 on." in entries
    assert "you can seat the two at one more table" in entries

    send(owner, row, "entries", "entries", **{"players.1": "Mia Late", "players.2": "Noa Late"})
    page = f"/tournaments/{row.pk}/desk/rounds/1/"
    assert "Add a table for those who wait" in told(owner.get(page))
    added = send(
        owner, row, "added-tables", "round-1", round__number="1", entry=bye.entry, other="6"
    )

    assert added.status_code == 302
    assert state_of(row).rounds[0].tables[-1].entries == (bye.entry, "6")
    shown = told(owner.get(page))
    assert "Take table 3 back" in shown
    assert "Add a table for those who wait" not in shown
    assert "which was added" in told(owner.get(f"/tournaments/{row.pk}/history/"))
    for place in ("", "rounds/1/", "standings/"):
        assert owner.get(f"/tournaments/{row.pk}/{place}").status_code == 200
    catch_up(salon.log, PROJECTIONS)
    assert list(audit(salon)) == []

    send(owner, row, "added-table-removals", "round-1", round__number="1", table__number="3")
    assert [each.entry for each in state_of(row).rounds[0].byes] == [bye.entry]
    assert list(audit(salon)) == []
