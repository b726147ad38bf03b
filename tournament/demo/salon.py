"""The demo salon: its owner, its tables, and a season of games recorded there."""

import heapq
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random

from django.contrib.auth.models import User
from django.db import transaction

from ledger.store import open_log
from tournament.accounts.table_links import actor_at, set_up_tables
from tournament.demo.scripted_scorer import Scribe, written
from tournament.demo.season import PlannedGame, season
from tournament.models import Membership, Salon, Table

SLUG = "demo"
NAME = "Demo"
EMAIL = "owner@demo.example"
OWNER = "Demo owner"
TABLES = 8
OVER = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedDemo:
    """The new salon and the key to it; the password is kept nowhere."""

    salon: Salon
    owner: User
    password: str


def existing_demo() -> Salon | None:
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


def play_season(
    demo: OpenedDemo, *, games: int, seed: int, now: datetime, progress: Callable[[int], None]
) -> None:
    """Record a season of `games` games that ends `now`, in the order it happened; `progress` is
    told the games done.
    """
    rng = Random(seed)  # noqa: S311 - nothing is kept secret by it
    planned = season(rng, games=games, now=now)
    actors = {table.label: actor_at(table) for table in Table.objects.filter(salon=demo.salon)}
    done = 0
    for evening in planned:
        scribes = [
            Scribe(
                demo.salon,
                plan,
                Random(rng.random()),  # noqa: S311
                actor=_actor(plan, actors, demo.owner),
                until=now,
            )
            for plan in evening
        ]
        for _ in _side_by_side(scribes):
            done += 1
            progress(done)


def _actor(plan: PlannedGame, actors: dict[str, str], owner: User) -> str:
    """Every third game is written down by the owner, the others by their table's phone."""
    return f"user:{owner.pk}" if plan.number % 3 == 0 else actors[plan.table]


def _side_by_side(scribes: list[Scribe]) -> Iterator[Scribe]:
    """Go on with whichever game is due, and give each scribe whose game is written."""
    due = [(scribe.clock, place, scribe, written(scribe)) for place, scribe in enumerate(scribes)]
    heapq.heapify(due)
    while due:
        _, place, scribe, steps = heapq.heappop(due)
        if next(steps, OVER) is OVER:
            yield scribe
        else:
            heapq.heappush(due, (scribe.clock, place, scribe, steps))
