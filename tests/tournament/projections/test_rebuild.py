"""Rows can be folded again: every damage is reported and mended, and nothing else is touched."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from ledger.models import Event
from scoring.precedence.commands import OpenHand
from tests.tournament.helpers.tables import (
    a_salon,
    act,
    counts,
    everything,
    recorded,
    rows,
    samples,
    sit_down,
    unguard,
)
from tournament.models import Game, GameSeat, Hand, HandSide, Salon
from tournament.projections import rebuild
from tournament.projections.difference import Difference
from tournament.projections.game_row_audit import Rows, compared
from tournament.projections.rebuild import differences

Damage = Callable[[Game], object]


@pytest.fixture
def salon(db: None) -> Salon:
    place = a_salon()
    for value in (*samples(), everything()):
        recorded(place, value)
    sit_down(place)
    return place


def found(salon: Salon, *, mend: bool) -> list[Difference]:
    return list(differences(salon, mend=mend, progress=lambda done: None))


def seat(game: Game) -> Any:
    return GameSeat.objects.filter(game=game, seat="N")


def hand(game: Game) -> Any:
    return Hand.objects.filter(game=game, number=1)


def side(game: Game) -> Any:
    return HandSide.objects.filter(game=game, number=1, side="NS")


SIDE_COLUMNS: dict[str, object] = {
    "bid": 12,
    "contract": "take",
    "made": None,
    "taken": 12,
    "points": 0.5,
    "excess": 9,
    "audits": 1,
    "chips": None,
}
GAME_COLUMNS: dict[str, object] = {
    "record": "another",
    "kind": "preference",
    "table": "9",
    "played_on": "1999-01-01",
    "seats": {},
    "finished": False,
    "final": True,
    "disputed": True,
    "not_played": True,
    "started_position": 4711,
    "position": 4711,
    "version": 4711,
    "state": {},
}


def update(game: Game, /, **columns: object) -> None:
    Game.objects.filter(pk=game.pk).update(**columns)


def extra_seat(game: Game) -> dict[str, Any]:
    return {
        "game": game,
        "seat": "X",
        "player_id": "0" * 32,
        "started_position": game.started_position,
    }


DAMAGES: dict[str, tuple[str, str, Damage]] = {
    **{
        column: ("game", column, partial(update, **{column: value}))
        for column, value in GAME_COLUMNS.items()
    },
    "salon": ("game", "salon_id", lambda game: update(game, salon=a_salon("elsewhere"))),
    "missing game": ("game", "", lambda game: game.delete()),
    "player": ("tournament_gameseat", "player_id", lambda game: seat(game).update(player="0" * 32)),
    "seat": ("tournament_gameseat", "seat", lambda game: seat(game).update(seat="X")),
    "began": (
        "tournament_gameseat",
        "started_position",
        lambda game: seat(game).update(started_position=4711),
    ),
    "missing seat": ("tournament_gameseat", "", lambda game: seat(game).delete()),
    "extra seat": (
        "tournament_gameseat",
        "",
        lambda game: GameSeat.objects.create(pk=f"{game.pk}-X", **extra_seat(game)),
    ),
    "seat of another game": (
        "tournament_gameseat",
        "",
        lambda game: seat(game).update(game=Game.objects.exclude(pk=game.pk)[0]),
    ),
    "result": ("hand", "result", lambda game: hand(game).update(result={})),
    "number": ("hand", "", lambda game: hand(game).update(number=99)),
    "missing hand": ("hand", "", lambda game: hand(game).delete()),
    "hand before the first": (
        "hand",
        "",
        lambda game: Hand.objects.create(game=game, number=0, result={}),
    ),
    **{
        f"{column} of a side": (
            "tournament_handside",
            column,
            lambda game, changed={column: value}: side(game).update(**changed),  # type: ignore[misc]
        )
        for column, value in SIDE_COLUMNS.items()
    },
    "side": ("tournament_handside", "", lambda game: side(game).update(side="N")),
    "number of a side": ("tournament_handside", "", lambda game: side(game).update(number=99)),
    "missing side": ("tournament_handside", "", lambda game: side(game).delete()),
    "extra side": (
        "tournament_handside",
        "",
        lambda game: HandSide.objects.create(game=game, number=1, side="N"),
    ),
    "extra hand": ("hand", "", lambda game: Hand.objects.create(game=game, number=99, result={})),
}


def test_rows_that_are_right_have_no_difference(salon: Salon) -> None:
    before = rows(salon)

    assert found(salon, mend=True) == []
    assert rows(salon) == before


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(each, marks=[pytest.mark.long] if place % 3 else [])
        for place, each in enumerate(DAMAGES)
    ],
)
def test_a_damaged_row_is_named_and_mended(salon: Salon, damage: str) -> None:
    table, column, harm = DAMAGES[damage]
    before = rows(salon)
    game = Game.objects.get(salon=salon, record="everything")
    stream = game.pk
    harm(game)

    seen = found(salon, mend=False)
    mended = found(salon, mend=True)

    assert (table, column) in {(each.table, each.column) for each in seen}
    assert all(each.key.replace("-", "/").partition("/")[0] == stream for each in seen)
    assert [each.message for each in mended] == [each.message for each in seen]
    assert all(each.mended for each in mended)
    assert not any(each.mended for each in seen)
    assert found(salon, mend=True) == []
    assert rows(salon) == before


def test_a_row_without_events_is_removed(salon: Salon) -> None:
    before = rows(salon)
    stray = Game.objects.get(record="everything")
    stray.pk, stray.record = "0" * 32, "stray"
    stray.save(force_insert=True)

    (difference,) = found(salon, mend=True)

    assert (difference.key, difference.column, difference.message) == (
        "0" * 32,
        "",
        "the row of stray has no events",
    )
    assert rows(salon) == before


def test_looking_without_mending_changes_nothing(salon: Salon) -> None:
    Game.objects.filter(record="everything").update(version=1)
    before = rows(salon)

    assert len(found(salon, mend=False)) == 1
    assert rows(salon) == before


def test_all_rows_of_a_salon_can_be_made_from_its_events_alone(salon: Salon) -> None:
    before, whole = rows(salon), counts()
    Game.objects.all().delete()

    assert len(found(salon, mend=True)) == 7
    assert (rows(salon), counts()) == (before, whole)


@pytest.mark.parametrize("limit", ["EVENTS_AT_ONCE", "STREAMS_AT_ONCE", "ROWS_A_TRANSACTION"])
@pytest.mark.parametrize("most", [1, 3, 100])
def test_however_few_streams_are_taken_at_once_the_rows_are_the_same(
    salon: Salon, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    before = rows(salon)
    monkeypatch.setattr(rebuild, limit, most)
    told: list[int] = []
    Game.objects.filter(record__lt="c").delete()
    Game.objects.update(version=1)

    mended = list(differences(salon, mend=True, progress=told.append))

    assert {each.key for each in mended} == set(rebuild.streams_of(salon.log_id))
    assert (told[-1], told) == (len(mended), sorted(set(told)))
    assert rows(salon) == before


def test_what_is_recorded_while_rows_are_compared_is_no_difference(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet, busy, damaged = (sit_down(salon).pk for _ in range(3))
    Game.objects.filter(pk=damaged).update(kind="9")
    later = iter([busy, damaged])

    def compared_late(
        expected: dict[str, Rows], *, mended: bool = False
    ) -> dict[str, list[Difference]]:
        for game in later:
            act(salon, game, OpenHand(dealer="N"))
        return compared(expected, mended=mended)

    monkeypatch.setattr(rebuild, "compared", compared_late)

    (difference,) = found(salon, mend=True)

    assert (difference.key, difference.column, difference.mended) == (damaged, "kind", True)
    versions = dict(Game.objects.filter(pk__in=[quiet, busy, damaged]).values_list("pk", "version"))
    assert versions[quiet] < versions[busy] == versions[damaged]
    assert found(salon, mend=False) == []


def test_rows_of_another_salon_are_left_alone(salon: Salon) -> None:
    elsewhere = a_salon("elsewhere")
    recorded(elsewhere, everything())
    Game.objects.filter(salon=elsewhere).update(version=1)

    assert found(salon, mend=True) == []
    assert len(found(elsewhere, mend=True)) == 1


@pytest.mark.parametrize("body", ["{}", "no JSON", "[]"])
def test_a_game_that_cannot_be_folded_is_named_and_the_others_are_mended(
    salon: Salon, body: str
) -> None:
    broken, other = Game.objects.get(record="everything"), Game.objects.get(record="bridge-002")
    unguard()
    Event.objects.filter(stream=broken.pk, version=2).update(body=body)
    Game.objects.filter(pk__in=[broken.pk, other.pk]).update(version=1)

    seen = found(salon, mend=True)

    assert {(each.key, each.mended) for each in seen} == {(broken.pk, False), (other.pk, True)}
    assert "can't be folded" in next(each.message for each in seen if each.key == broken.pk)
