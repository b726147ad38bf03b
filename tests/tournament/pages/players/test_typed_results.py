"""A player's page tells results that were typed at a desk, and says that they were."""

from django.test import Client

from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.evenings import after_round_1
from tests.tournament.helpers.playing import told
from tournament.models import Player, Salon


def test_typed_results_are_with_their_players(owner: Client, salon: Salon) -> None:
    row = after_round_1(salon)
    asha = Player.objects.get(name="Asha Renn")

    page = told(owner.get(f"/players/{asha.pk}/"))

    assert "Results of this player were typed at the desk." in page
    assert "Typed at the desk" in page
    assert "Spring Cup, round 1 with Cato Liss, against" in page
    assert "in no record and moved no chips" in page
    (typed,) = owner_calls(salon).get(f"players/{asha.pk}/records/").value["typed"]
    assert (typed["tournament"], typed["round"]) == (row.pk, 1)
    assert typed["outcome"] in ("won", "lost")
    own, _colon, other = typed["score"].partition(" : ")
    assert (int(own) > int(other)) == (typed["outcome"] == "won")


def test_a_player_of_no_tournament_has_none(owner: Client, salon: Salon) -> None:
    fresh = Player.objects.create(salon=salon, name="Nobody Yet")

    assert "No game of this player is over yet." in told(owner.get(f"/players/{fresh.pk}/"))
