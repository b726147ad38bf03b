"""Games of a salon that are corrected by chance, beside a table that knows what they should come
to.
"""

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from tests.scoring.changes import KINDS, Pool, tries
from tests.scoring.corrected import begun, check_as_if_right_first_time
from tests.tournament.helpers.tables import ACTOR, new_command
from tournament.models import Game, Salon
from tournament.recording.corrections import record_correction


def correct(
    salon: Salon, value: Mapping[str, Any], chance: Random, pool: Pool, *, times: int
) -> Counter[str]:
    """Correct a recorded game so many times, or as often as ten times as many tries do; what came
    of it, by how often.
    """
    table, done = begun(value), Counter[str]()
    for _ in range(10 * times):
        found = tries(chance, table, pool)
        if not found:
            continue
        done.update(found)
        game = Game.objects.get(salon=salon, record=value["id"])
        assert table.last is not None
        record_correction(
            salon, game.pk, table.last, actor=ACTOR, command=new_command(), version=game.version
        )
        if taken(done) >= times:
            break
    check_as_if_right_first_time(table)
    return done


def taken(done: Counter[str]) -> int:
    """How many corrections were taken."""
    return sum(done[kind] for kind in KINDS)
