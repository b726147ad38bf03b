"""Rows of the same events change only together with the number of the code that makes them: what
`rebuild` is owed is not forgotten.

The events lie in `samples/golden_salon.jsonl.xz`, a salon's archive, and for each column of the
rows made from them a digest in `samples/golden_rows.json`, with the number they were made under.
"""

import hashlib
import io
import json
import lzma
import os
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from django.db.models import AutoField, Model

from ledger.restoring import empty_log, restore_events, restore_rows
from tests.material import lines_of, text_of
from tests.scoring.lone_defenders import with_rulings
from tests.scoring.sample_games import SAMPLES as GAMES
from tests.tournament.exchange.salon_archive.salons import played_salon
from tests.tournament.helpers.every_table import OWNED_BY, PROJECTED
from tests.tournament.helpers.tables import for_a_while, new_command, recorded
from tournament.exchange.salon_archive import read
from tournament.exchange.salon_archive.file_format import EventLine, PlayerLine, TextLine
from tournament.exchange.salon_archive.rows import row_of
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.signing_keys import load_keyring
from tournament.models import Progress, Reckoning, Salon, Stock
from tournament.models.rows_made_by import ROWS_MADE_BY
from tournament.models.written_json import as_stored, json_text
from tournament.projections.background import catch_up
from tournament.projections.game_rows import game_columns
from tournament.projections.rebuild import differences
from tournament.recording import stocks
from tournament.recording.door import start_game
from tournament.tasks import PROJECTIONS

SAMPLES = Path(__file__).parents[1] / "samples"
EVENTS, ROWS = SAMPLES / "golden_salon.jsonl", SAMPLES / "golden_rows.json"
GAMES_OF_EACH = 1
WRITE = "ACCORD_WRITE_GOLDEN"
COMMAND = (
    f"`{WRITE}=rows uv run pytest -n 0 {Path(__file__).relative_to(Path(__file__).parents[3])}`"
)
RAISE = (
    "Raise ROWS_MADE_BY in tournament/models/rows_made_by.py, and write the golden rows again by "
    + COMMAND
)
# Given by the database, or telling when it was computed and not what holds.
NOT_OF_EVENTS = {"salon_id", "log_id", "generation"}

type Golden = dict[str, str]


def golden_salon() -> Salon:
    """The stored events in a salon of this database, with all their rows."""
    values = read.lines_of(io.BytesIO(text_of(EVENTS).encode()))
    first = next(values)
    salon = Salon.objects.create(
        slug="golden", name="Golden", log=empty_log(first.log, first.command_key)
    )
    for shape, lines in groupby(values, key=type):
        if shape is EventLine:
            restore_events(salon.log_id, map(read.entry_of, lines))
        elif shape in {PlayerLine, TextLine}:
            restore_rows(row_of(salon, line, events=first.events) for line in lines)
    assert all(each.mended for each in differences(salon, mend=True, progress=lambda done: None))
    salon.log.refresh_from_db()
    catch_up(salon.log, PROJECTIONS)
    return salon


def digests(salon: Salon) -> Golden:
    """What the rows of a salon hold, a digest for each column of each table."""
    return {
        f"{model._meta.db_table}.{name}": digest
        for model in PROJECTED
        if model is not Progress
        for name, digest in _columns(salon, model)
    }


def _columns(salon: Salon, model: type[Model]) -> list[tuple[str, str]]:
    names = [
        field.attname
        for field in model._meta.concrete_fields
        if not _is_of_the_database(model, field)
    ]
    rows = [[row[name] for name in names] for row in _rows(salon, model)]
    assert rows, f"nothing in the golden salon has rows in {model._meta.db_table}"
    rows.sort(key=lambda row: json.dumps(row, default=str))
    return [(name, _digest([row[place] for row in rows])) for place, name in enumerate(names)]


def _rows(salon: Salon, model: type[Model]) -> list[dict[str, Any]]:
    rows = model._default_manager.filter(**{OWNED_BY.get(model, "salon"): salon})
    if model is not Reckoning:
        return list(as_stored(rows))
    counting = set(
        Progress.objects.filter(log=salon.log_id).values_list("projection", "generation")
    )
    return [row for row in as_stored(rows) if (row["projection"], row["generation"]) in counting]


def _is_of_the_database(model: type[Model], field: Any) -> bool:
    if field.primary_key:
        return isinstance(field, AutoField)
    return field.attname in NOT_OF_EVENTS or (model is Reckoning and field.attname == "position")


def _digest(values: list[Any]) -> str:
    return hashlib.sha256(json.dumps(values, default=str).encode()).hexdigest()[:16]


def refusal(golden: dict[str, Any], number: int, rows: Golden) -> str:
    """What a developer is told who has changed what rows hold; "" where they hold the same, or the
    new is written down.
    """
    changed = sorted(
        name
        for name in golden["rows"].keys() | rows.keys()
        if golden["rows"].get(name) != rows.get(name)
    )
    if golden["rows_made_by"] != number:
        return (
            f"The golden rows are of ROWS_MADE_BY {golden['rows_made_by']}, and it is "
            f"{number}: write them again by {COMMAND}"
        )
    return (
        f"The same events have other rows than before, in {', '.join(changed)}. {RAISE}"
        if changed
        else ""
    )


def test_rows_of_the_same_events_change_only_with_the_number_of_the_code_that_makes_them(
    db: None,
) -> None:
    if os.environ.get(WRITE) == "events":
        with for_a_while():
            write_events()
    rows, written = digests(golden_salon()), ROWS.exists()
    golden = (
        json.loads(ROWS.read_text(encoding="ascii")) if written else {"rows_made_by": 0, "rows": {}}
    )
    if os.environ.get(WRITE) and (
        os.environ[WRITE] == "events" or golden["rows_made_by"] != ROWS_MADE_BY
    ):
        golden = {"rows_made_by": ROWS_MADE_BY, "rows": rows}
        ROWS.write_text(json.dumps(golden, indent=2, sort_keys=True) + "\n", encoding="ascii")

    if told := refusal(golden, ROWS_MADE_BY, rows):
        pytest.fail(told, pytrace=False)


def test_whoever_changes_rows_is_told_which_and_to_raise_the_number() -> None:
    golden = {"rows_made_by": 4, "rows": {"hand.result": "a", "game.state": "b"}}

    assert refusal(golden, 4, {"hand.result": "a", "game.state": "b"}) == ""
    told = refusal(golden, 4, {"hand.result": "a", "game.state": "c", "game.new": "d"})
    assert "in game.new, game.state. Raise ROWS_MADE_BY" in told
    assert f"{WRITE}=rows uv run pytest" in told
    assert "are of ROWS_MADE_BY 4, and it is 5: write them again by" in refusal(
        golden, 5, {"hand.result": "a"}
    )


def test_code_that_makes_another_value_of_a_column_is_told_of_it(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(folded: Any, *, position: int) -> dict[str, Any]:
        columns = game_columns(folded, position=position)
        return (
            columns | {"marks": json_text({"corrected": [], "surplus": []})}
            if folded.game.name == "preference"
            else columns
        )

    monkeypatch.setattr("tournament.projections.game_rows.game_columns", changed)
    golden = json.loads(ROWS.read_text(encoding="ascii"))

    told = refusal(golden, ROWS_MADE_BY, digests(golden_salon()))
    assert told.startswith(
        "The same events have other rows than before, in tournament_game.marks. Raise ROWS_MADE_BY"
    )


def write_events() -> None:
    """Let another salon be played, and keep its events: for kinds of events that the one before had
    none of.
    """
    salon = played_salon(1)
    for path in sorted(GAMES.glob("*.expected.jsonl")):
        for value in lines_of(path.with_name(path.name.replace(".expected", "")))[:GAMES_OF_EACH]:
            recorded(salon, with_rulings(value))
    game = start_game(
        salon,
        actor="user:1",
        command=new_command(),
        kind="order_of_precedence",
        players={"A": "Asha"},
        options={},
        table="8",
    )
    stocks.open_deal(
        salon,
        game,
        Stock.objects.get(salon=salon),
        actor="user:1",
        command=new_command(),
        version=1,
    )
    packed = EVENTS.with_name(EVENTS.name + ".xz")
    packed.write_bytes(lzma.compress(b"".join(archive_of(salon, load_keyring())), preset=9))
