"""Ten thousand corrections of five hundred games of the material: law 1 holds in rules and rows,
and the audit finds nothing.
"""

from functools import cache
from itertools import chain
from random import Random
from typing import Any

import pytest

from ledger.accounts import trial_balance
from tests.material import MATERIAL, lines_of
from tests.scoring.corrected import begun
from tests.scoring.lone_defenders import with_rulings
from tests.tournament.helpers.correcting import check_right_first_time, correct, taken
from tests.tournament.helpers.tables import a_salon, recorded
from tournament.integrity.audit import audit
from tournament.models import Game

FILES = {
    "precedence": ("precedence_simulated", "precedence_games", "precedence_claimed_games"),
    "preference": ("preference_simulated",),
    "contract_sabacc": ("contract_sabacc_simulated", "contract_sabacc_tarot"),
    "order_of_precedence": ("order_of_precedence_games",),
}
GAMES, TIMES, FEW_HANDS = 10, 20, 4


@cache
def material() -> list[dict[str, Any]]:
    """The games of the material, with a hand at least."""
    given = chain.from_iterable(
        lines_of(MATERIAL / f"{name}.jsonl") for name in chain(*FILES.values())
    )
    return [with_rulings(record) for record in given if record["hands"]]


@pytest.mark.long
@pytest.mark.parametrize("part", range(50))
def test_ten_thousand_corrections_of_games_of_the_material(db: None, part: int) -> None:
    """Ten games a part, one of them whole, the others by their first hands; twenty corrections
    each.
    """
    chance, salon = Random(part), a_salon()
    pools: dict[str, list[Any]] = {}
    for number, value in enumerate(chance.sample(material(), GAMES)):
        played = value if number == 0 else {**value, "hands": value["hands"][:FEW_HANDS]}
        recorded(salon, played)
        pool = pools.setdefault(f"{value['game']} {len(value['players'])}", [])
        pool += begun(played).intended.hands
        assert taken(correct(salon, played, chance, pool, times=TIMES)) == TIMES
        check_right_first_time(salon, Game.objects.get(salon=salon, record=value["id"]))
    assert audit(salon).findings == []
    assert trial_balance(salon.log_id) == 0
