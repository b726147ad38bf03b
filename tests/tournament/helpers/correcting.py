"""Games of a salon that are corrected by chance, beside a table that knows what they should come
to.
"""

import re
from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import Any

from ledger.accounts import accounts_of
from ledger.reading import read_stream
from scoring.corrections import Correction
from scoring.games import GAMES
from tests.scoring.changes import KINDS, Pool, tries
from tests.scoring.corrected import begun, check_as_if_right_first_time
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.tables import ACTOR, a_salon, bids, new_command, recorded
from tournament.exchange.game_records import export_game
from tournament.models import Game, Hand, Salon
from tournament.recording.corrections import record_correction
from tournament.salons.public_names import Audience
from tournament.streams.folds import fold, fold_of

PRECEDENCE = GAMES["precedence"]


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


def corrected(
    game: Game, change: Any, reason: str, excused: tuple[tuple[int, tuple[str, ...]], ...] = ()
) -> Game:
    game.refresh_from_db()
    correction = Correction(change=change, by="Mara Ilves", reason=reason, excused=excused)
    record_correction(
        game.salon, game.pk, correction, actor="user:1", command=a_command(), version=game.version
    )
    game.refresh_from_db()
    return game


def sheet(ns: int, dealer: str) -> Any:
    hand = {"dealer": dealer, "bids": bids("2424"), "tricks": {"NS": ns, "EW": 13 - ns}}
    return PRECEDENCE.read_sheet(hand, PRECEDENCE.read_rules({}))


def check_right_first_time(salon: Salon, game: Game) -> None:
    """The rows and chips are those of the same record, recorded in another salon; the fold in
    memory is the one from the events.
    """
    game.refresh_from_db()
    value = export_game(salon, game.pk, Audience.SALON)
    other = a_salon(f"other-{new_command()[:8]}")
    recorded(other, value)
    right = Game.objects.get(salon=other)
    assert _chips(other, right) == _chips(salon, game)
    assert _shown(right) == _shown(game)
    assert export_game(other, right.pk, Audience.SALON) == value
    assert fold_of(salon.log_id, game.pk) == fold(read_stream(salon.log_id, game.pk))


def _chips(salon: Salon, game: Game) -> dict[str, int]:
    """The chips of each account by its seat or pot, those of substitutes together."""
    chips: Counter[str] = Counter()
    for account in accounts_of(salon.log_id, stream=game.pk):
        chips[
            account.key.partition(":")[0] + (":" if account.owner and ":" in account.key else "")
        ] += account.chips
    return {key: count for key, count in chips.items() if count}


def _shown(game: Game) -> list[Any]:
    """What the rows show, without the ids of players and versions."""
    table = {key: part for key, part in game.state.items() if key not in ("undo", "hand")}
    results = (
        Hand.objects.filter(game=game).order_by("number").values_list("result__text", flat=True)
    )
    return [
        game.finished,
        table,
        *(re.sub(r":[0-9a-f]{32}|[0-9a-f]{64}", ":", result) for result in results),
    ]
