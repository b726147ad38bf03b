"""Whatever is changed in the rows that pages read, the audit names; every table of the database has
its test or a reason why not.
"""

from datetime import date
from itertools import combinations
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.db import DataError, connection, transaction
from django.db.models import (
    BooleanField,
    CharField,
    DateField,
    FloatField,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
    TextField,
)

from ledger.models import (
    Event,
)
from ledger.verify import verify_log
from tests.ledger.rewriting import TABLES as LEDGER_TABLES
from tests.ledger.signing import SIGNED
from tests.tournament.helpers.every_table import (
    FREE,
    MAY_GO,
    MEANINGLESS,
    PROJECTED,
    a_full_salon,
    changed_json,
    mine,
)
from tests.tournament.helpers.tables import (
    for_a_while,
    recorded,
    simple,
    unguard,
)
from tournament.models import (
    Game,
    Hand,
    Mark,
    Player,
    Progress,
    Reckoning,
    Salon,
    Screen,
    SealedLineUp,
    StockSeed,
    Text,
    Tournament,
)
from tournament.privacy.erasure import erase
from tournament.projections.audit import audit
from tournament.projections.rebuild import differences

WORDS = (Player, Text)
COMMITTED = (StockSeed, SealedLineUp)  # the log holds their commitments
UNIQUE: dict[type[Model], tuple[str, ...]] = {
    Reckoning: ("id", "subject"),
    SealedLineUp: ("id", "round"),
    Screen: ("id", "address"),
}


def test_every_table_has_a_test_of_tampering_or_a_reason_why_nothing_speaks_for_it() -> None:
    tried = {"ledger_log", *LEDGER_TABLES, *SIGNED}

    assert {model._meta.db_table for model in apps.get_app_config("ledger").get_models()} == tried
    assert set(apps.get_app_config("tournament").get_models()) == {
        *PROJECTED,
        *WORDS,
        *COMMITTED,
        *FREE,
    }


@pytest.fixture
def salon(full: Salon, undone: None) -> Salon:
    return Salon.objects.get(pk=full.pk)


@pytest.fixture(scope="module")
def full(stored_once: None) -> Salon:
    return a_full_salon()


def named(salon: Salon) -> set[str]:
    """The tables that the audit names; a place with another generation is named by what is kept of
    it.
    """
    found = {each.table for each in audit(salon)}
    return found | ({Progress._meta.db_table} if Reckoning._meta.db_table in found else set())


def changed(field: Any, value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(field, ForeignKey) and field.related_model.__name__ in ("Salon", "Log"):
        return Salon.objects.values_list(
            "pk" if field.related_model is Salon else "log_id", flat=True
        ).get(slug="other")
    if isinstance(field, BooleanField):
        return not value
    if isinstance(field, IntegerField | FloatField):
        return (value or 0) + 1000
    if isinstance(field, DateField):
        return (value or date(2026, 11, 21)).replace(year=1999)
    if isinstance(field, JSONField):
        return changed_json(value)
    assert isinstance(field, CharField | TextField | ForeignKey)
    return ("z" if value[:1] != "z" else "y") + value[1:]


def columns(model: type[Model]) -> list[Any]:
    return [
        field for field in model._meta.concrete_fields if (model, field.attname) not in MEANINGLESS
    ]


@pytest.mark.parametrize(
    "model",
    [
        each if number % 2 == 0 else pytest.param(each, marks=pytest.mark.long)
        for number, each in enumerate([*PROJECTED, *WORDS, *COMMITTED])
    ],
    ids=lambda model: model.__name__,
)
def test_a_changed_value_is_named_in_every_column(salon: Salon, model: type[Model]) -> None:
    for field in columns(model):
        row = Random(field.attname).choice(mine(salon, model))
        with for_a_while():
            model._default_manager.filter(pk=row[model._meta.pk.attname]).update(
                **{field.attname: changed(field, row[field.attname])}
            )
            assert model._meta.db_table in named(salon), field.attname


@pytest.mark.long
def test_a_deleted_row_is_named(salon: Salon) -> None:
    for model, row in (
        (each, row)
        for each in (*PROJECTED, *COMMITTED)
        for row in mine(salon, each)
        if each not in MAY_GO
    ):
        with for_a_while():
            model._default_manager.filter(pk=row[model._meta.pk.attname]).delete()
            assert model._meta.db_table in named(salon), (model, row)


def test_a_deleted_player_and_words_that_went_without_a_fact_are_named(salon: Salon) -> None:
    texts = Text.objects.filter(salon=salon).order_by("pk")
    for pk in list(texts.values_list("pk", flat=True)):
        with for_a_while():
            Text.objects.filter(pk=pk).delete()
            assert [each.kind for each in audit(salon)] == ["text"]
    kept = {player for game in Game.objects.filter(salon=salon) for player in game.seats.values()}
    for gone in (
        Player.objects.filter(salon=salon, pk__in=kept).order_by("pk").values_list("pk", flat=True)
    ):
        with for_a_while():
            Player.objects.filter(pk=gone).delete()
            assert ("tournament_player", gone) in {(each.table, each.row) for each in audit(salon)}


def test_words_whose_first_line_was_moved_into_the_salt_are_named(salon: Salon) -> None:
    """Their digest is over the salt, a line feed and the words: it stays what it was."""
    recorded(salon, simple("noted", note="It is not true that\nthe game was given up."))
    text = Text.objects.get(text__startswith="It is not true")
    first, _, rest = text.text.partition("\n")
    salt = f"{text.salt}\n{first}"[:60]
    if connection.vendor == "postgresql":  # whose column is as long as a salt
        with pytest.raises(DataError), transaction.atomic():
            Text.objects.filter(pk=text.pk).update(salt=salt, text=rest)
        return
    Text.objects.filter(pk=text.pk).update(salt=salt, text=rest)

    assert ("text", text.pk) in {(each.kind, each.row) for each in audit(salon)}


@pytest.mark.parametrize("body", ["[" * 200_000, '{"note":' * 100_000 + "1" + "}" * 100_000])
def test_a_body_of_brackets_is_a_finding(salon: Salon, body: str) -> None:
    unguard()
    for kind in ("chips.moved", "precedence.bid_made"):
        event = Event.objects.filter(log=salon.log_id, type=kind).earliest("position")
        Event.objects.filter(pk=event.pk).update(body=body)

    assert any(each.table == Event._meta.db_table for each in audit(salon))
    assert any(each.kind == "canonical" for each in verify_log(salon.log_id))


def test_erasures_are_no_findings_and_two_names_that_changed_places_are(salon: Salon) -> None:
    """As whoever has the database would make the loser the winner: with and without the salts."""
    one, two = Player.objects.filter(salon=salon).order_by("pk")[:2]
    for columns in (("name",), ("name", "salt")):
        with for_a_while():
            Player.objects.filter(pk=one.pk).update(name="for a moment")
            for player, other in ((two, one), (one, two)):
                Player.objects.filter(pk=player.pk).update(
                    **{column: getattr(other, column) for column in columns}
                )
            assert {("name", one.pk), ("name", two.pk)} <= {
                (each.kind, each.row) for each in audit(salon)
            }
    erase(two, actor="user:1")
    assert list(audit(salon)) == []
    Player.objects.filter(pk=two.pk).update(name="Somebody")
    assert [(each.kind, each.row) for each in audit(salon)] == [("name", two.pk)]


def test_a_row_put_in_is_named(salon: Salon) -> None:
    """A copy of a row that is there, under other names where names are unique; the place of a
    projection that is none harms nobody.
    """
    for model in [model for model in (*PROJECTED, *COMMITTED) if model is not Progress]:
        row, names = (
            mine(salon, model)[-1],
            {field.attname: field for field in model._meta.concrete_fields},
        )
        renamed = [name for name in UNIQUE.get(model, ("id", "record", "number")) if name in names]
        with for_a_while():
            model._default_manager.create(
                **row | {name: changed(names[name], row[name]) for name in renamed}
            )
            assert model._meta.db_table in named(salon), model


@pytest.mark.parametrize(
    ("model", "column"), [(Game, "state"), (Game, "seats"), (Hand, "result"), (Reckoning, "state")]
)
def test_two_rows_that_changed_places_are_named(
    salon: Salon, model: type[Model], column: str
) -> None:
    one, two = next(
        pair for pair in combinations(mine(salon, model), 2) if pair[0][column] != pair[1][column]
    )
    for row, other in ((one, two), (two, one)):
        model._default_manager.filter(pk=row["id"]).update(**{column: other[column]})

    assert model._meta.db_table in named(salon)


def test_a_projection_that_stands_still_is_named(salon: Salon) -> None:
    """Whoever wants its rows to stay false would stop it."""
    Progress.objects.filter(log=salon.log, projection="standings").update(
        error="stop", error_position=3
    )
    Reckoning.objects.filter(log=salon.log, projection="standings").update(state={})

    assert [(each.kind, each.row) for each in audit(salon)] == [("parked", "standings")]


@pytest.mark.parametrize("hidden", ["mark", "progress", "mark of an entry to come"])
def test_false_standings_that_are_said_to_wait_are_named_once_a_worker_would_have_come_to_them(
    salon: Salon, hidden: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Reckoning.objects.filter(log=salon.log, projection="standings")
    subject, last = kept.values_list("subject", flat=True)[0], salon.log.position
    kept.filter(subject=subject).update(state={})
    if hidden == "progress":
        event = Event.objects.get(log=salon.log, position=3)
        Progress.objects.filter(log=salon.log, projection="standings").update(
            position=3, hash=event.hash
        )
    else:
        since = last if hidden == "mark" else last + 1000
        Mark.objects.create(
            log=salon.log, projection="standings", subject=subject, since=since, position=since
        )

    remarks: list[str] = []
    young = [(each.kind, each.row) for each in audit(salon, remarks=remarks)]
    if hidden == "mark of an entry to come":
        assert (young, remarks) == ([], []) or young == [("behind", "standings")]
    monkeypatch.setattr("tournament.projections.progress_audit.SECONDS_TO_WAIT", -1)
    assert ("behind", "standings") in {(each.kind, each.row) for each in audit(salon)}


def test_an_event_that_makes_no_sense_in_a_tournament_stops_neither_audit_nor_rebuild(
    salon: Salon,
) -> None:
    linked = Event.objects.filter(
        stream=Tournament.objects.get(salon=salon, name="Rosewater Cup").pk
    ).order_by("version")
    unguard()
    linked.filter(version=3).update(body="{}")

    assert {"shape", "row"} <= {each.kind for each in audit(salon)}
    found = list(differences(salon, mend=True, progress=lambda done: None))
    assert any("can't be computed from the log" in each.message for each in found)
