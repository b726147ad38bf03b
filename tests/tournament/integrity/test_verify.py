"""`manage.py verify` finds nothing where nothing was changed, and names what was."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from ledger import triggers
from ledger.findings import Finding
from ledger.models import Account, Event
from scoring.commands import AcceptHand, Undo
from scoring.precedence.commands import CountTricks, MakeBid, OpenHand
from tests.conftest import OwnDatabase
from tests.tournament.helpers.tables import (
    a_salon,
    act,
    everything,
    new_command,
    recorded,
    samples,
    simple,
    sit_down,
    unguard,
)
from tournament.models import Game, Hand, Player, Salon, Text
from tournament.projections import audit as auditing
from tournament.projections.audit import audit
from tournament.projections.game_row_audit import rows_of
from tournament.streams.folds import fold_of


@pytest.fixture
def salon(db: None) -> Salon:
    place = a_salon()
    for value in (*samples()[1:4], everything()):
        recorded(place, value)
    sit_down(place)
    return place


def verified(
    capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, list[dict[str, Any]]]:
    """The exit status of `verify --json`, and what it printed for each salon."""
    status = 0
    try:
        call_command("verify", "--json", *arguments)
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def kinds(findings: list[Finding]) -> set[tuple[str, str, str | None]]:
    return {(each.kind, each.table, each.column) for each in findings}


def everything_row() -> Game:
    return Game.objects.get(record="everything")


def update_game(**columns: object) -> None:
    Game.objects.filter(record="everything").update(**columns)


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("fast", [(), ("--fast",)], ids=["full", "fast"])
def test_nothing_is_found_where_nothing_was_changed(
    salon: Salon, capsys: pytest.CaptureFixture[str], fast: tuple[str, ...]
) -> None:
    status, (said,) = verified(capsys, *fast)

    assert (status, said["findings"], said["more"]) == (0, [], False)
    assert said["events"] == Event.objects.count() > 300


def test_nothing_is_found_in_a_salon_without_events(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    a_salon()

    assert verified(capsys) == (
        0,
        [{"salon": "salon", "events": 0, "findings": [], "more": False, "remarks": []}],
    )


def test_nothing_is_found_after_acts_were_taken_back(salon: Salon) -> None:
    game = sit_down(salon, opening_chips=20).pk
    act(
        salon,
        game,
        OpenHand(dealer="N", players=(("N", "Fir"),), buy_ins=(("N", 20),)),
        *[MakeBid(seat=seat, tricks=2) for seat in "ESWN"],
    )
    act(salon, game, CountTricks(ns=7, ew=6))
    for _ in range(6):
        folded = fold_of(salon.log_id, game)
        assert folded is not None
        act(salon, game, Undo(version=folded.state.trail[-1].version + 1))
    act(salon, game, OpenHand(dealer="N"))

    assert list(audit(salon)) == []


def test_nothing_is_found_where_chips_were_excused_after_a_substitute_had_left(
    salon: Salon,
) -> None:
    """Whether an account may go below 0 is what held when chips last moved on it, not what holds at
    the end.
    """
    game, excuse = (
        sit_down(salon, opening_chips=20).pk,
        AcceptHand(excuses=("no_chips",), by="Elder", reason="a long evening"),
    )
    act(salon, game, OpenHand(dealer="N", players=(("N", "Fir"),), buy_ins=(("N", 20),)))
    act(salon, game, *[MakeBid(seat=seat, tricks=2) for seat in "ESWN"], CountTricks(ns=7, ew=6))
    act(salon, game, OpenHand(accepted=(excuse,)))

    accounts = Account.objects.filter(stream=game)
    assert not accounts.get(key__startswith="N:").overdraft
    assert accounts.get(key="N").overdraft
    assert list(audit(salon)) == []


GAME_COLUMNS: dict[str, object] = {
    "record": "another",
    "kind": "preference",
    "table": "9",
    "played_on": "1999-01-01",
    "seats": {},
    "finished": False,
    "started_position": 4711,
    "position": 4711,
    "version": 4711,
    "state": {},
}
ROWS: dict[str, tuple[str, str | None, Callable[[], object]]] = {
    **{
        f"game {column}": ("tournament_game", column, partial(update_game, **{column: value}))
        for column, value in GAME_COLUMNS.items()
    },
    "game missing": ("tournament_game", None, lambda: everything_row().delete()),
    "hand result": (
        "tournament_hand",
        "result",
        lambda: Hand.objects.filter(game=everything_row(), number=1).update(result={}),
    ),
    "hand missing": (
        "tournament_hand",
        None,
        lambda: Hand.objects.filter(game=everything_row(), number=1).delete(),
    ),
    "hand extra": (
        "tournament_hand",
        None,
        lambda: Hand.objects.create(game=everything_row(), number=9, result={}),
    ),
}


@pytest.mark.parametrize("change", ROWS)
def test_a_changed_row_is_named(
    salon: Salon, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    stream = everything_row().pk
    table, column, harm = ROWS[change]
    harm()

    status, (said,) = verified(capsys)

    assert status == 1
    assert {(each["kind"], each["table"], each["column"]) for each in said["findings"]} == {
        ("row", table, column)
    }
    assert all(stream in each["row"] for each in said["findings"])


def test_a_game_without_events_is_named(salon: Salon) -> None:
    stray = everything_row()
    stray.pk, stray.record = "0" * 32, "stray"
    stray.save(force_insert=True)

    (finding,) = audit(salon)
    assert (finding.kind, finding.table, finding.row) == ("row", "tournament_game", "0" * 32)


@pytest.mark.parametrize("column", ["salt", "text", "digest"])
def test_words_that_are_not_those_written_are_named(salon: Salon, column: str) -> None:
    text = Text.objects.get(text="the window table")
    Text.objects.filter(pk=text.pk).update(**{column: "other"})

    (finding,) = audit(salon)
    assert (finding.kind, finding.table, finding.row) == ("text", "tournament_text", text.pk)


def test_words_that_were_erased_are_not_missed(salon: Salon) -> None:
    Text.objects.all().delete()

    assert list(audit(salon)) == []


def test_a_player_who_is_not_there_is_named(salon: Salon) -> None:
    gone = Player.objects.get(name="Fir").pk
    Player.objects.filter(pk=gone).delete()

    (finding,) = audit(salon)
    assert (finding.kind, finding.table, finding.row) == ("player", "tournament_player", gone)


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({"owner": "somebody"}, {"owner"}),
        ({"overdraft": True}, {"overdraft"}),
        ({"credits": 1000}, {"credits"}),
        ({"debits": 1}, {"credits"}),
        ({"key": "S:nobody"}, {None}),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_an_account_that_is_not_what_the_game_says_is_named(
    salon: Salon, columns: dict[str, Any], named: set[str | None]
) -> None:
    account = Account.objects.get(stream=everything_row().pk, key="N")
    unguard()
    Account.objects.filter(pk=account.pk).update(**columns)

    assert {(each.kind, each.table, each.column) for each in audit(salon)} == {
        ("account", "ledger_account", each) for each in named
    }


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"body": '{"bid":1}'}, "shape"),
        ({"body": "no JSON"}, "shape"),
        ({"type": "precedence.dance_danced"}, "shape"),
        ({"schema": 99}, "shape"),
        ({"type": "precedence.hand_opened"}, "shape"),
        ({"body": '{"seat":"N","tricks":9}'}, "row"),
    ],
)
def test_an_event_that_was_changed_is_named_by_the_chain_and_by_the_fold(
    salon: Salon, capsys: pytest.CaptureFixture[str], columns: dict[str, Any], kind: str
) -> None:
    event = Event.objects.filter(stream=everything_row().pk, type="precedence.bid_made").earliest(
        "version"
    )
    unguard()
    Event.objects.filter(pk=event.pk).update(**columns)

    status, (said,) = verified(capsys)

    assert status == 1
    named = {(each["kind"], each["row"]) for each in said["findings"]}
    assert ("hash", event.position) in named
    assert kind == "row" or (kind, event.position) in named
    assert kind in {each["kind"] for each in said["findings"]}


def test_an_event_that_makes_no_sense_in_its_game_is_named_and_the_rest_is_read(
    salon: Salon,
) -> None:
    opening = Event.objects.filter(
        stream=everything_row().pk, type="precedence.hand_opened"
    ).earliest("version")
    unguard()
    Event.objects.filter(pk=opening.pk).update(type="hand.misdealt", body="{}")
    Game.objects.filter(record="claimed-187").update(version=1)

    assert {each.kind for each in audit(salon)} == {"fold", "row"}


def test_an_unknown_shape_is_named_once(salon: Salon) -> None:
    unguard()
    Event.objects.filter(type="precedence.game_started").update(schema=99)

    (finding,) = audit(salon)
    assert (finding.kind, finding.row) == ("shape", 1)
    assert "'precedence.game_started' with schema 99" in finding.message


@pytest.mark.parametrize(
    ("table", "statement"),
    [
        ("ledger_event", "UPDATE ledger_event SET actor = 'somebody' WHERE position = 3"),
        ("ledger_command", "UPDATE ledger_command SET actor = 'somebody' WHERE first_position = 1"),
        ("ledger_transfer", "UPDATE ledger_transfer SET chips = chips + 1 WHERE position = 2"),
        ("ledger_account", "UPDATE ledger_account SET credits = credits + 1"),
        ("ledger_log", "UPDATE ledger_log SET position = position + 1"),
    ],
)
@pytest.mark.parametrize("fast", [(), ("--fast",)], ids=["full", "fast"])
def test_a_changed_row_of_the_ledger_is_named(
    salon: Salon,
    capsys: pytest.CaptureFixture[str],
    table: str,
    statement: str,
    fast: tuple[str, ...],
) -> None:
    unguard()
    sql(statement)
    triggers.install()

    status, (said,) = verified(capsys, *fast)

    assert status == 1
    assert table in {each["table"] for each in said["findings"]}


@pytest.mark.parametrize(
    ("form", "asked"), [((), [True, "folded"]), (("--fast",), [False])], ids=["full", "fast"]
)
def test_the_fast_pass_trusts_the_encoder_and_folds_nothing(
    salon: Salon,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    form: tuple[str, ...],
    asked: list[object],
) -> None:
    seen: list[object] = []

    def verify_log(log: int, *, full: bool, progress: object) -> list[Finding]:
        seen.append(full)
        return []

    def folding(place: Salon, *, remarks: list[str], progress: object) -> list[Finding]:
        seen.append("folded")
        return []

    monkeypatch.setattr("tournament.management.commands.verify.verify_log", verify_log)
    monkeypatch.setattr("tournament.management.commands.verify.audit", folding)

    assert verified(capsys, *form)[0] == 0
    assert seen == asked


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL refuses text that isn't UTF-8"
)
def test_a_body_that_is_no_text_any_more_is_named(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    unguard()
    sql("UPDATE ledger_event SET body = CAST(X'7bff7d' AS TEXT) WHERE position = 9")

    status, (told,) = verified(capsys)

    assert status == 1
    assert ("ledger_event", "9") in {(each["table"], str(each["row"])) for each in told["findings"]}


def test_missing_guards_are_named(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    missing = ("ledger_event_linked", "ledger_log_rises")
    for name in missing:
        table = name.rpartition("_")[0]
        sql(f"DROP TRIGGER {name}" + (f" ON {table}" if connection.vendor == "postgresql" else ""))

    status, (said,) = verified(capsys)

    assert status == 1
    assert {(each["kind"], each["row"]) for each in said["findings"]} >= {
        ("guard", name) for name in missing
    }


def test_each_salon_is_verified_and_one_that_is_named_alone(
    salon: Salon, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = a_salon("elsewhere")
    recorded(elsewhere, simple())
    Game.objects.filter(salon=elsewhere).update(version=1)

    status, said = verified(capsys)
    assert (status, [(each["salon"], len(each["findings"])) for each in said]) == (
        1,
        [("elsewhere", 1), ("salon", 0)],
    )
    assert verified(capsys, "--salon", "salon")[0] == 0
    assert verified(capsys, "--salon", "elsewhere")[0] == 1


def test_findings_are_told_in_words(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    Game.objects.filter(record="everything").update(version=1)

    with pytest.raises(SystemExit):
        call_command("verify")

    first, remark, last = capsys.readouterr().out.splitlines()
    assert first.startswith("salon: tournament_game ")
    assert remark.startswith("salon: remark: Names of players that the log does not cover")
    assert "version is 1, its events say" in first
    assert last.endswith("events verified, 1 finding")


def test_more_findings_than_are_listed_are_counted_as_more(
    salon: Salon, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.management.commands.verify.MOST", 2)
    Game.objects.update(version=1)

    status, (said,) = verified(capsys)
    assert (status, len(said["findings"]), said["more"]) == (1, 2, True)


def test_a_game_is_dropped_after_its_last_event(
    salon: Salon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory stays flat however many games there are: games recorded one after another are never
    open together.
    """
    most = []
    follow = auditing.follow
    states: list[auditing.Audit] = []
    made = auditing.Audit

    def remember(**given: Any) -> auditing.Audit:
        states.append(made(**given))
        return states[-1]

    def counted(followed: auditing.Followed, event: Any) -> Any:
        most.append(len(states[-1].open))
        return follow(followed, event)

    monkeypatch.setattr(auditing, "Audit", remember)
    monkeypatch.setattr(auditing, "follow", counted)

    assert list(audit(salon)) == []
    assert set(most) == {1}


def test_a_game_that_goes_on_while_it_is_verified_is_no_finding(
    own_database: OwnDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody records after the log was read and before the rows are looked at."""
    salon = a_salon()
    game = sit_down(salon).pk
    others = [OpenHand(dealer="N")]

    def after_somebody_recorded(*given: Any) -> Any:
        if others:
            act(salon, game, others.pop(), command=new_command())
        return rows_of(*given)

    monkeypatch.setattr(auditing, "rows_of", after_somebody_recorded)

    assert list(audit(salon)) == []
