"""The demo salon: its owner, its tables, and a season of games recorded there, which lies step by
step in `season.jsonl`.
"""

import json
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from ledger.store import open_log
from scoring.commands import EndGame, Undo
from scoring.game import AnyGame
from scoring.games import GAMES
from scoring.shape import JsonObject
from tournament.accounts.table_links import actor_at, set_up_tables
from tournament.models import Membership, Salon, Table
from tournament.recording import door
from tournament.streams.folds import require_fold

SLUG = "demo"
NAME = "Demo"
EMAIL = "owner@demo.example"
OWNER = "Demo owner"
TABLES = 8
# One step a line, in the order it happened: the number of its `game`, the `evening` (six games
# each; null: tonight) and the seconds since its midnight, or until now, in `at`. A game begins with
# its `start`, goes on by a whole `hand` or by `acts` as a pad sends them, and may have `ended`.
SEASON = Path(__file__).with_name("season.jsonl")
AN_EVENING = 6  # games
A_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedDemo:
    """The new salon and the key to it; the password is kept nowhere."""

    salon: Salon
    owner: User
    password: str


@dataclass(slots=True)
class Playing:
    """A game of the season under way: its stream and the version it is at."""

    game: AnyGame
    options: JsonObject
    actor: str
    stream: str
    version: int


def find_demo() -> Salon | None:
    """The demo salon, if there is one."""
    return Salon.objects.filter(slug=SLUG).first()


def open_demo() -> OpenedDemo:
    """Make the salon, its tables and its owner. Only in a database of its own may that owner look
    into the admin pages.
    """
    password = secrets.token_urlsafe(12)
    alone = not Salon.objects.exists()
    with transaction.atomic():
        owner = User.objects.create_user(
            username=EMAIL,
            email=EMAIL,
            password=password,
            first_name=OWNER,
            is_staff=alone,
            is_superuser=alone,
        )
        salon = Salon.objects.create(name=NAME, slug=SLUG, log=open_log())
        Membership.objects.create(salon=salon, user=owner, role=Membership.Role.OWNER)
        set_up_tables(salon, [str(number + 1) for number in range(TABLES)])
    return OpenedDemo(salon=salon, owner=owner, password=password)


def season() -> list[JsonObject]:
    """The recorded season, step by step."""
    return [json.loads(line) for line in SEASON.read_text(encoding="utf-8").splitlines()]


def play_season(
    demo: OpenedDemo, *, games: int, now: datetime, progress: Callable[[int], None]
) -> None:
    """Record a season of `games` games that ends `now` (in the salon's own time), the last of them
    still going on; `progress` is told the games begun.

    Raises ValueError for fewer games than one, or more than were recorded.
    """
    steps = season()
    tonight = max(step["game"] for step in steps)
    if not 1 <= games <= tonight:
        raise ValueError(f"a season has 1 to {tonight} games")
    actors = {table.label: actor_at(table) for table in Table.objects.filter(salon=demo.salon)}
    weeks = -(-(games - 1) // AN_EVENING)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    playing: dict[int, Playing] = {}
    for step in steps:
        number, evening = step["game"], step["evening"]
        if number >= games and number != tonight:
            continue
        since = now if evening is None else midnight - A_WEEK * (weeks - evening)
        at = min(since + timedelta(seconds=step["at"]), now)
        if "start" in step:
            # Every third game is written down by the owner, the others by their table's phone.
            writer = f"user:{demo.owner.pk}" if number % 3 == 0 else actors[step["start"]["table"]]
            playing[number] = _begin_game(demo.salon, step["start"], writer, at)
            progress(len(playing))
        else:
            _go_on(demo.salon, playing[number], step, _microseconds(at))


def _begin_game(salon: Salon, start: JsonObject, actor: str, at: datetime) -> Playing:
    row = door.start_game(
        salon,
        actor=actor,
        command=uuid.uuid4().hex,
        played_on=at.date().isoformat(),
        occurred_at=_microseconds(at),
        **start,
    )
    return Playing(GAMES[start["kind"]], start["options"], actor, row.pk, row.version)


def _go_on(salon: Salon, playing: Playing, step: JsonObject, occurred_at: int) -> None:
    game, rules = playing.game, playing.game.read_rules(playing.options)
    claim: JsonObject = {"actor": playing.actor, "command": uuid.uuid4().hex}
    claim |= {"version": playing.version, "occurred_at": occurred_at}
    if "hand" in step:
        sheet = game.read_sheet(step["hand"], rules)
        recorded = door.record_sheet(salon, playing.stream, sheet, **claim)
    else:
        acts = [
            _undo_last(salon, playing)
            if collection == "undo"
            else game.acts[collection](value, rules)
            for collection, value in step.get("acts", ())
        ]
        acts = acts or [EndGame(**step["ended"])]
        recorded = door.record_acts(salon, playing.stream, acts, **claim)
    playing.version = recorded.version


def _undo_last(salon: Salon, playing: Playing) -> Undo:
    state = require_fold(salon.log_id, playing.stream, version=playing.version).state
    return Undo(version=state.trail[-1].version + 1)


def _microseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000)
