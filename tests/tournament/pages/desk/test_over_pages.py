"""A tournament that is over offers nothing that can't be changed, and names the way back."""

from django.test import Client

from tests.tournament.helpers.evenings import after_round_1, does
from tests.tournament.helpers.playing import told
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.models import Salon


def test_a_round_of_a_tournament_that_is_over_names_the_way_back(
    owner: Client, salon: Salon
) -> None:
    row = after_round_1(salon)
    page = f"/tournaments/{row.pk}/desk/rounds/1/"
    running = told(owner.get(page))
    assert "Change it" in running
    assert "Go back a step" not in running

    for phase in ("finished", "archived"):
        row = does(row, EnterPhase(phase=phase))
        over = owner.get(page)
        assert over.status_code == 200
        assert "Change it" not in told(over)
        assert "Open it again" not in told(over)
        assert "Go back a step at the desk first" in told(over)
        assert f'href="/tournaments/{row.pk}/desk/#back"' in over.text
        assert 'id="back"' in owner.get(f"/tournaments/{row.pk}/desk/").text
