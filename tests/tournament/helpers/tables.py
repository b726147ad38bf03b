"""Short ways to sit down, record and look at what was stored, for the tests of recording."""

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from ledger.models import Event
from ledger.reading import read_stream
from ledger.store import open_log
from ledger.triggers_postgresql import TRIGGERS
from scoring.games import GAMES
from scoring.precedence.sheet import Sheet
from scoring.records import Record, read_record
from tests.material import MATERIAL as MATERIAL
from tests.material import lines_of as lines_of
from tests.scoring.sheet_acts import precedence_acts
from tournament.exchange.game_records import Outcome, record_file
from tournament.models import Game, GameSeat, Hand, HandSide, Player, Salon, Text
from tournament.models.written_json import as_stored
from tournament.recording.door import Recorded, record_acts, start_game
from tournament.streams.folds import fold_of

SAMPLES = Path(__file__).parents[1] / "samples"
ACTOR = "test"
TREES = {"N": "Ash", "E": "Birch", "S": "Cedar", "W": "Dogwood"}
LEDGER = ("ledger_event", "ledger_command", "ledger_transfer", "ledger_account", "ledger_log")


def a_salon(slug: str = "salon") -> Salon:
    return Salon.objects.create(slug=slug, name="Salon", log=open_log())


def new_command() -> str:
    return uuid.uuid4().hex


def samples() -> list[dict[str, Any]]:
    return lines_of(SAMPLES / "games.jsonl")


def expected() -> dict[str, dict[str, Any]]:
    return {game["id"]: game for game in lines_of(SAMPLES / "games.expected.jsonl")}


def everything() -> dict[str, Any]:
    """A record with all that is kept outside the log: substitutes, a team in the other's seats,
    notes, reasons, times.
    """
    ruled = {"by": "Elder", "reason": "dropped a card"}
    return {
        "format": "salon-record/1",
        "id": "everything",
        "game": "precedence",
        "players": TREES,
        "played_on": "2026-11-21",
        "table": "7",
        "note": "the window table",
        "options": {"hands_limit": 4, "opening_chips": 60},
        "hands": [
            {
                "dealer": "N",
                "note": "late start",
                "at": "2026-11-21T19:30:00Z",
                "bids": bids("2323"),
                "tricks": {"NS": 7, "EW": 6},
            },
            {
                "players": {"E": "Fir"},
                "buy_ins": {"E": 30},
                "rulings": [{"kind": "adjust_points", "side": "NS", "points": -5, **ruled}],
            }
            | {"bids": bids("3214"), "winners": list("NNNNNNNEEEEEE")},
            {"misdeal": True, "note": ""},
            {
                "players": {"N": "Birch", "E": "Cedar", "S": "Dogwood", "W": "Ash"},
                "bids": bids("1111"),
                "tricks": {"NS": 3, "EW": 10},
            }
            | {
                "rulings": [{"kind": "move_chips", "from": "E", "to": "hand", "chips": 2, **ruled}],
                "at": "1969-12-31T23:59:59.5+00:00",
            },
        ],
        "ended": {"kind": "called", "by": "Elder", "reason": "the house closes"},
    }


def bids(tricks: str) -> dict[str, int]:
    """Bids of N, E, S and W, one digit each."""
    return {seat: int(digit) for seat, digit in zip("NESW", tricks, strict=True)}


def simple(identity: str = "simple", *, tricks: int = 7, **changes: Any) -> dict[str, Any]:
    """A record of one hand in totals."""
    hand = {"dealer": "N", "bids": bids("2323"), "tricks": {"NS": tricks, "EW": 13 - tricks}}
    return {
        "format": "salon-record/1",
        "id": identity,
        "game": "precedence",
        "players": TREES,
        "hands": [hand],
    } | changes


def recorded(salon: Salon, value: object, *, actor: str = ACTOR) -> Outcome:
    return record_file(salon, read_record(value), actor=actor)


def sit_down(
    salon: Salon, players: Mapping[str, str] = TREES, command: str = "", **options: object
) -> Game:
    return start_game(
        salon,
        actor=ACTOR,
        command=command or new_command(),
        kind="precedence",
        players=players,
        options=options,
    )


def act(
    salon: Salon, game: str, *acts: Any, version: int | None = None, command: str = ""
) -> Recorded:
    """Record acts on top of the game as it is, or of `version`."""
    at = Game.objects.get(pk=game).version if version is None else version
    return record_acts(salon, game, acts, actor=ACTOR, command=command or new_command(), version=at)


def opened(salon: Salon, record: Record) -> Game:
    """A game recorded at a table under the conditions of a record, with none of its hands yet."""
    start = record.start
    return start_game(
        salon,
        actor=ACTOR,
        command=new_command(),
        kind=record.game.name,
        players=dict(start.players),
        options=record.game.write_rules(start.rules),
        table=start.table or "",
        played_on=start.played_on,
        note=start.note,
    )


def state_of(salon: Salon, game: str) -> Any:
    """What the events of a game come to."""
    folded = fold_of(salon.log_id, game)
    assert folded is not None
    return folded.state


def live_acts(record: Record, salon: Salon, game: str) -> Iterator[Any]:
    """The acts of a record one by one; each hand's dealer is the one the table then expects."""
    for sheet in record.sheets:
        assert isinstance(sheet, Sheet)
        table = Game.objects.get(pk=game).state
        yield from precedence_acts(sheet, sheet.opening.dealer or table["next"]["dealer"])
    if record.ended is not None:
        yield record.ended


def told(salon: Salon, game: str) -> list[tuple[str, int, Any]]:
    """What the events of a game say, players by name and written words in place of their digests;
    the first one's record id apart.
    """
    names = dict(Player.objects.filter(salon=salon).values_list("id", "name"))
    words = dict(Text.objects.filter(salon=salon).values_list("digest", "text"))
    known = names | words

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(part) for key, part in value.items() if key != "record"}
        if isinstance(value, list):
            return [plain(part) for part in value]
        if isinstance(value, str) and ":" in value and value.partition(":")[2] in names:
            return f"{value[0]}:{names[value[2:]]}"
        return known.get(value, value) if isinstance(value, str) else value

    return [
        (event.type, event.schema, plain(json.loads(event.body)))
        for event in read_stream(salon.log_id, game)
    ]


def rows(salon: Salon) -> dict[str, list[dict[str, Any]]]:
    """The rows of all games of a salon."""
    games = list(as_stored(Game.objects.filter(salon=salon).order_by("pk")))
    hands = [
        dict(row)
        for row in Hand.objects.filter(game__salon=salon)
        .order_by("game", "number")
        .values("game", "number", "result__text")
    ]
    seats = [
        dict(row) for row in GameSeat.objects.filter(game__salon=salon).order_by("pk").values()
    ]
    sides = [
        {name: value for name, value in row.items() if name != "id"}
        for row in HandSide.objects.filter(game__salon=salon)
        .order_by("game", "number", "side")
        .values()
    ]
    return {"games": games, "seats": seats, "hands": hands, "sides": sides}


def counts() -> dict[str, int]:
    """How many rows there are of all that recording writes."""
    models = (Event, Game, GameSeat, Hand, HandSide, Player, Text)
    with connection.cursor() as cursor:
        found = {}
        for table in (*LEDGER[:4], *(model._meta.db_table for model in models[1:])):
            cursor.execute(f"SELECT count(*) FROM {table}")
            found[table] = cursor.fetchone()[0]
    return found


def unguard() -> None:
    """Take the guards off the ledger, to tamper with it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for table in sorted({table for table, _, _ in TRIGGERS.values()}):
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            return
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")


PRECEDENCE = GAMES["precedence"]


@contextmanager
def for_a_while() -> Iterator[None]:
    """Whatever is done meanwhile is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
