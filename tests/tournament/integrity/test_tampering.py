"""Whatever is changed in the rows that pages read, the audit names; every table of the database has
its test or a reason why not.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
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
    Checkpoint,
    Command,
    Cosignature,
    Event,
    SigningKey,
    Tile,
    Transfer,
    Witnessed,
)
from ledger.verify import verify_log
from tests.ledger.rewriting import TABLES as LEDGER_TABLES
from tests.ledger.signing import SIGNED
from tests.tournament.helpers.evenings import MEMBERS, does, of_teams
from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.tables import (
    a_salon,
    everything,
    new_command,
    recorded,
    simple,
    unguard,
)
from tournament.accounts import personal_links
from tournament.accounts.captain_links import links_of
from tournament.domain.calls.rules import AnswerCall
from tournament.domain.season.rules import AddEvent, SeasonRule
from tournament.domain.tournament.team_line_ups import HandInLineUp
from tournament.models import (
    ApiToken,
    AuditRun,
    BackupRun,
    Call,
    CaptainLink,
    Delivery,
    EarlierActor,
    Erasure,
    EventLink,
    Game,
    GameSeat,
    Hand,
    HandSide,
    House,
    Invitation,
    KeptAnswer,
    Logo,
    Mark,
    Membership,
    Notice,
    PersonalLink,
    Player,
    Preset,
    Progress,
    PushSubscription,
    Reckoning,
    RetentionRun,
    Salon,
    Screen,
    SealedLineUp,
    Season,
    SeasonEvent,
    SeatLink,
    Standing,
    Stock,
    StockDeal,
    StockSeed,
    Table,
    Text,
    Tournament,
    TournamentAddress,
    TournamentGame,
    TournamentPlayer,
    TournamentRound,
    Turn,
    Webhook,
)
from tournament.models.written_json import JSONText, as_stored, json_text
from tournament.privacy.erasure import erase
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.rebuild import differences
from tournament.recording.calls import keep_call, make_call
from tournament.recording.house_rules import set_correction_hours
from tournament.recording.name_coverage import cover_names
from tournament.recording.screens import add_screen
from tournament.recording.seasons import keep_season, open_season
from tournament.tasks import PROJECTIONS

PROJECTED = (
    Game, GameSeat, Hand, HandSide, Stock, StockDeal, House, Tournament, TournamentPlayer,
    TournamentRound, TournamentGame, TournamentAddress, Season, SeasonEvent, Standing,
    Call, Screen, Reckoning, Progress,
)  # fmt: skip
WORDS = (Player, Text)
COMMITTED = (StockSeed, SealedLineUp)  # the log holds their commitments
# Why nothing in the log speaks for these.
FREE: dict[type[Model], str] = {
    Salon: "its name and address are the owner's to change",
    Logo: "a picture, shown only while it has the digest that the house laid down",
    Membership: "who may do what is no part of what was played",
    Table: "labels, links and PINs open pads and are made anew at will",
    SeatLink: "links and PINs of seats",
    EventLink: "links and PINs of events",
    CaptainLink: "links and PINs of captains",
    PersonalLink: "links and codes of the pages of entries, which read and may have a phone told",
    PushSubscription: "phones that asked to be told; their keys are made anew by a button",
    Notice: "what phones were told of the log; the log is what counts",
    Preset: "house rules under a name; a game's own options are in its first event",
    RetentionRun: "what a night's work took away; it changes nothing that was played",
    ApiToken: "keys to the API",
    KeptAnswer: "answers to be given once more, which nobody counts by",
    Mark: "what is to be computed again: one too many costs a computation",
    Turn: "who is at work",
    Erasure: "an owner's note that a name was erased; a fact of the log tells it to the audit",
    EarlierActor: "what people were called on a server before; entries carry what they acted as",
    Invitation: "who was asked to come; what they may do is no part of what was played",
    Webhook: "who is told what happens",
    Delivery: "messages that were made from the log; the log is what counts",
    BackupRun: "who asked for a backup, and what came of it; the file tells what it holds",
    AuditRun: "what former audits found; the next one finds it again",
}
OWNED_BY: dict[type[Model], str] = {
    GameSeat: "game__salon", Hand: "game__salon", HandSide: "game__salon",
    Reckoning: "log__salon", Progress: "log__salon",
    **dict.fromkeys((StockDeal, TournamentPlayer, TournamentRound, Standing), "stream__salon"),
    **dict.fromkeys((TournamentGame, TournamentAddress, SeasonEvent), "stream__salon"),
}  # fmt: skip
UNIQUE: dict[type[Model], tuple[str, ...]] = {
    Reckoning: ("id", "subject"),
    SealedLineUp: ("id", "round"),
    Screen: ("id", "address"),
}
# Columns by which nothing can be told falsely, and why; every other column of these tables, and of
# the ledger's, is tried.
MEANINGLESS: dict[tuple[type[Model], str], str] = {
    (
        Hand,
        "id",
    ): "given by the database; a hand is known by its game and number, and no row points to it",
    (
        HandSide,
        "id",
    ): "given by the database; it is known by its game, hand and side, and no row points to it",
    (Progress, "id"): "given by the database; a place is known by its log and projection",
    (
        Progress,
        "moved_at",
    ): (
        "when work was last done, for the page that says whether it stands still; "
        "nothing is computed from it"
    ),
    (
        Reckoning,
        "id",
    ): "given by the database; what was worked out is known by projection, generation and subject",
    (
        Reckoning,
        "position",
    ): (
        "as of which entry it was worked out: its state is compared with one worked out "
        "anew, whatever it says"
    ),
    (
        Player,
        "names_shown",
    ): (
        "a wish for privacy, not what happened: in public a name that is covered, the "
        "first part of it or a number"
    ),
    (
        Player,
        "practice",
    ): (
        "whether lists offer the name and a retention lets it go: no game, career or "
        "standing is read by it"
    ),
    **dict.fromkeys(
        ((Player, "from_list"), (Player, "set_aside")),
        "whether a list may still be taken back, and whether lists offer the name: no game, "
        "career or standing is read by it",
    ),
    (SealedLineUp, "id"): "given by the database; it is known by its round and entry",
    (Text, "id"): "given by the database; a text is found by its digest, and entries name no other",
    **dict.fromkeys(
        (
            (model, "id")
            for model in (
                Event,
                Command,
                Transfer,
                Tile,
                SigningKey,
                Checkpoint,
                Cosignature,
                Witnessed,
            )
        ),
        (
            "given by the database; it is known by its place in the log or its number, and "
            "no row points to it"
        ),
    ),
}
# Rows that may be taken away without a finding, and why.
MAY_GO: dict[type[Model], str] = {
    Cosignature: (
        "another one's signature under a checkpoint that is signed all the same; a copy "
        "kept outside tells that it was there"
    ),
    SealedLineUp: "its captain hands it in again, and the log has both commitments",
    Witnessed: (
        "what was countersigned of another salon, which has it, too; nothing of this "
        "one is proven by it"
    ),
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


def a_full_salon() -> Salon:
    """One with rows in every table, and another beside it."""
    a_salon("other")
    salon = full_salon("Rosewater").salon
    recorded(salon, everything())
    set_correction_hours(
        salon, 48, reason="League night", actor="user:1", command=new_command(), version=0
    )
    season = open_season(
        salon, name="Winter", rule=SeasonRule(), actor="user:1", command=new_command()
    )
    cup = AddEvent(tournament=Tournament.objects.get(salon=salon).pk)
    keep_season(salon, season.pk, cup, actor="user:1", command=new_command(), version=1)
    call = make_call(salon, "5", "card", game="", actor="user:1", command=new_command())
    keep_call(salon, call.game, AnswerCall, actor="user:1", command=new_command())
    add_screen(salon, name="Bar", address="", actor="user:1", command=new_command())
    teams = of_teams(salon)
    links_of(teams, ["1"])
    personal_links.links_of(teams, ["1"])
    does(teams, HandInLineUp(round=1, entry="1", members=MEMBERS[0][1:]))
    cover_names(salon)
    catch_up(salon.log, PROJECTIONS)
    return salon


def named(salon: Salon) -> set[str]:
    """The tables that the audit names; a place with another generation is named by what is kept of
    it.
    """
    found = {each.table for each in audit(salon)}
    return found | ({Progress._meta.db_table} if Reckoning._meta.db_table in found else set())


def mine(salon: Salon, model: type[Model]) -> list[dict[str, Any]]:
    """The rows of this salon in a table; of the places of projections those of which something is
    kept.
    """
    rows = as_stored(
        model._default_manager.filter(**{OWNED_BY.get(model, "salon"): salon}).order_by("pk")
    )
    kept = {"careers", "standings"}
    return [row for row in rows if model is not Progress or row["projection"] in kept]


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


def changed_json(value: Any) -> Any:
    """With a part more, or another one where it has no parts."""
    if isinstance(value, JSONText):
        return json_text(changed_json(json.loads(value)))
    if isinstance(value, dict):
        return value | {f"{len(value)} more": 1}
    return [*value, 1] if isinstance(value, list) else [value]


def columns(model: type[Model]) -> list[Any]:
    return [
        field for field in model._meta.concrete_fields if (model, field.attname) not in MEANINGLESS
    ]


@contextmanager
def for_a_while() -> Iterator[None]:
    """Whatever is done meanwhile is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


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
