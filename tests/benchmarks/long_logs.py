"""Salons with long logs, made quickly: a few games are played, and their events stored again and
again as other games.

Each copy has its own stream, record, table and people, its place in the chain and a hash of its
own: `verify` finds nothing, and neither does `rebuild`. What jobs had computed of the games that
are copied they have computed of the copies.
"""

import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from random import Random
from typing import Any, NamedTuple

from django.db import connection, transaction

from ledger import triggers_postgresql, triggers_sqlite
from ledger.batch import EVENT_COLUMNS, Batch, Head
from ledger.chain import Stored, command_digest
from ledger.drafts import AccountRef, CommandClaim, Draft, TransferDraft
from ledger.models import Account, Transfer
from ledger.reading import fetch_all, head_of, read_stream
from ledger.sealing import nets_of, seal_batch
from tournament.models import Game, GameSeat, Hand, HandSide, Player, Progress, Reckoning, Salon
from tournament.models.written_json import JSONText, as_stored, json_text
from tournament.projections.careers import CAREERS

GAMES_AT_ONCE = 40
MINUTE = 60_000_000  # microseconds: a command comes so much later than the one before
TABLES = 12
EVENT = tuple(EVENT_COLUMNS.split(", "))
COMMAND = ("log_id", "key", "actor", "digest", "first_position", "last_position", "recorded_at")
ACCOUNT = ("id", "log_id", "stream", "key", "owner", "overdraft", "debits", "credits")
TRANSFER = (
    "log_id",
    "position",
    "stream",
    "source_id",
    "target_id",
    "source_overdraft",
    "target_overdraft",
    "chips",
    "reverses",
)


class Template(NamedTuple):
    """A game that is copied: its commands in order with what each stored, its rows, and its
    people.
    """

    commands: Sequence[tuple[str, Sequence[Draft]]]  # actor, drafts
    game: dict[str, Any]
    seats: Sequence[dict[str, Any]]
    hands: Sequence[dict[str, Any]]
    sides: Sequence[dict[str, Any]]
    players: Sequence[str]
    careers: Sequence[dict[str, Any]]


@dataclass(slots=True)
class _Rows:
    """Rows of several games that are written together."""

    events: list[tuple[Any, ...]]
    commands: list[tuple[Any, ...]]
    accounts: list[tuple[Any, ...]]
    transfers: list[tuple[Any, ...]]
    games: list[Game]
    seats: list[GameSeat]
    hands: list[Hand]
    sides: list[HandSide]
    careers: list[Reckoning]


def lengthen(
    salon: Salon, events: int, templates: Sequence[str], *, people: int, seed: int, games: int = 0
) -> None:
    """Let the salon's log hold at least so many events, by at least so many `games` more.

    They copy `templates` (streams) in turn, for so many people.
    """
    chance, known = Random(seed), [template_of(salon, stream) for stream in templates]
    players = _players(salon, people, seed, chance)
    with transaction.atomic(), connection.cursor() as cursor:
        triggers = triggers_postgresql if connection.vendor == "postgresql" else triggers_sqlite
        triggers.remove(cursor)  # They look up each row; `verify` looks at all of them afterwards.
        head, number = head_of(salon.log_id), 0
        while head.position < events or number < games:
            rows = _Rows([], [], [], [], [], [], [], [], [])
            account = fetch_all("SELECT coalesce(max(id), 0) FROM ledger_account", [])[0][0]
            while (head.position < events or number < games) and len(rows.games) < GAMES_AT_ONCE:
                head = _copy(
                    rows,
                    head,
                    known[number % len(known)],
                    salon,
                    chance.sample(players, 5),
                    number,
                    account,
                )
                number += 1
            _write(rows)
            cursor.execute(
                "UPDATE ledger_log SET position = %s, hash = %s, recorded_at = %s WHERE id = %s",
                _place(head),
            )
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence('ledger_account', 'id'), (SELECT max(id) "
                "FROM ledger_account))"
            )
        triggers.install(cursor)
    Progress.objects.filter(log=salon.log_id).update(position=head.position, hash=head.hash)


def template_of(salon: Salon, stream: str) -> Template:
    """A game of the salon as what can be copied."""
    stored = list(read_stream(salon.log_id, stream))
    versions = {event.position: event.version for event in stored}
    moved = {
        row.position: row
        for row in Transfer.objects.filter(log=salon.log_id, stream=stream).select_related(
            "source", "target"
        )
    }
    commands = [
        (events[0].actor, [_draft(event, moved.get(event.position), versions) for event in events])
        for events in (list(each) for _command, each in groupby(stored, key=attrgetter("command")))
    ]
    (row,) = as_stored(Game.objects.filter(pk=stream))
    seats = GameSeat.objects.filter(game=stream).order_by("seat").values("seat", "player_id")
    hands = as_stored(Hand.objects.filter(game=stream).order_by("number"))
    sides = HandSide.objects.filter(game=stream).order_by("number", "side").values()
    owners = (
        Account.objects.filter(stream=stream)
        .exclude(owner="")
        .order_by("owner")
        .values_list("owner", flat=True)
    )
    careers = as_stored(
        Reckoning.objects.filter(log=salon.log_id, projection=CAREERS.name, subject=stream)
    )
    people = list(dict.fromkeys([*json.loads(row["seats"]).values(), *owners]))
    return Template(
        commands,
        dict(row),
        [dict(seat) for seat in seats],
        [dict(hand) for hand in hands],
        [dict(side) for side in sides],
        people,
        [dict(kept) for kept in careers],
    )


def _draft(event: Stored, moved: Transfer | None, versions: dict[int, int]) -> Draft:
    transfer = (
        None
        if moved is None
        else TransferDraft(
            AccountRef(
                key=moved.source.key, owner=moved.source.owner, overdraft=moved.source_overdraft
            ),
            AccountRef(
                key=moved.target.key, owner=moved.target.owner, overdraft=moved.target_overdraft
            ),
            moved.chips,
            None if moved.reverses is None else versions[moved.reverses],
        )
    )
    return Draft(
        event.stream, event.type, event.schema, event.occurred_at, event.body.encode(), transfer
    )


def _players(salon: Salon, people: int, seed: int, chance: Random) -> list[str]:
    names = [f"Guest {seed}.{number:04}" for number in range(people)]
    rows = [
        Player(id=uuid.UUID(int=chance.getrandbits(128)).hex, salon=salon, name=name)
        for name in names
    ]
    known = set(Player.objects.filter(salon=salon).values_list("name", flat=True))
    Player.objects.bulk_create([row for row in rows if row.name not in known])
    return list(
        Player.objects.filter(salon=salon, name__in=names)
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def _copy(
    rows: _Rows,
    head: Head,
    template: Template,
    salon: Salon,
    players: Sequence[str],
    number: int,
    account: int,
) -> Head:
    """Add the rows of one more game to `rows`; the head after it."""
    stream, record, table = (
        uuid.uuid4().hex,
        f"copy-{uuid.uuid4().hex[:12]}",
        str(number % TABLES + 1),
    )
    changed = {
        template.game["record"]: record,
        f'"table":"{template.game["table"]}"': f'"table":"{table}"',
        **dict(zip(template.players, players, strict=False)),
    }
    owners, first, version = (
        dict(zip(template.players, players, strict=False)),
        head.position + 1,
        0,
    )
    moved: list[Any] = []
    positions: dict[tuple[str, int], int] = {}
    for actor, drafts in template.commands:
        now = head.recorded_at + MINUTE
        told = [_told(draft, stream, now, changed, owners) for draft in drafts]
        claim = CommandClaim(
            id=uuid.uuid4().hex,
            actor=actor.replace("user:1", f"table:{number % TABLES + 1}.copies"),
            content=stream.encode(),
        )
        digest = command_digest(head.command_key, claim.content)
        batch = seal_batch(
            head, claim, told, digest, now=now, versions={stream: version}, positions=positions
        )
        head, version = batch.head_after, version + len(told)
        moved += batch.moved
        _add(rows, batch)
    _add_chips(rows, head.log, moved, account)
    row = template.game | {"salon_id": salon.pk, "id": stream, "record": record, "table": table}
    row |= {
        "seats": JSONText(_changed(template.game["seats"], changed)),
        "state": JSONText(_changed(template.game["state"], changed)),
    }
    row |= {"started_position": first, "position": head.position}
    rows.games.append(Game(**row))
    rows.hands += [
        Hand(
            game_id=stream,
            number=hand["number"],
            result=JSONText(_changed(hand["result"], changed)),
        )
        for hand in template.hands
    ]
    rows.seats += [
        GameSeat(
            id=f"{stream}-{seat['seat']}",
            game_id=stream,
            seat=seat["seat"],
            player_id=owners[seat["player_id"]],
            started_position=first,
        )
        for seat in template.seats
    ]
    rows.sides += [HandSide(**side | {"id": None, "game_id": stream}) for side in template.sides]
    rows.careers += [
        _career(kept, stream, first, head.position, changed) for kept in template.careers
    ]
    return head


def _career(
    kept: dict[str, Any], stream: str, first: int, last: int, changed: dict[str, str]
) -> Reckoning:
    state = json.loads(_changed(kept["state"], changed)) | {"game": stream, "place": first}
    columns = {
        "subject": stream,
        "about": changed[kept["about"]],
        "position": last,
        "state": json_text(state),
    }
    return Reckoning(**{name: value for name, value in kept.items() if name != "id"} | columns)


def _told(
    draft: Draft, stream: str, now: int, changed: dict[str, str], owners: dict[str, str]
) -> Draft:
    transfer = draft.transfer and draft.transfer._replace(
        source=_account(draft.transfer.source, owners),
        target=_account(draft.transfer.target, owners),
    )
    return Draft(
        stream,
        draft.type,
        draft.schema,
        now,
        _changed(draft.body.decode(), changed).encode(),
        transfer,
    )


def _account(account: AccountRef, owners: dict[str, str]) -> AccountRef:
    key = _changed(account.key, owners)
    return AccountRef(key=key, owner=owners.get(account.owner, ""), overdraft=account.overdraft)


def _changed(text: str, changed: dict[str, str]) -> str:
    for before, after in changed.items():
        text = text.replace(before, after)
    return text


def _add(rows: _Rows, batch: Batch) -> None:
    first, last = batch.events[0], batch.events[-1]
    rows.events += batch.events
    rows.commands.append(
        (
            last.log,
            last.command,
            last.actor,
            batch.digest,
            first.position,
            last.position,
            last.recorded_at,
        )
    )


def _add_chips(rows: _Rows, log: int, moved: Sequence[Any], account: int) -> None:
    ids: dict[tuple[str, str], int] = {}
    for net in nets_of(moved):
        ids[net.stream, net.key] = account + len(rows.accounts) + 1
        rows.accounts.append((ids[net.stream, net.key], log, *net))
    for position, stream, posted in moved:
        source, target = ids[stream, posted.source], ids[stream, posted.target]
        overdrafts = bool(posted.source_overdraft), bool(posted.target_overdraft)
        rows.transfers.append(
            (log, position, stream, source, target, *overdrafts, posted.chips, posted.reverses)
        )


def _write(rows: _Rows) -> None:
    for table, columns, values in _tables(rows):
        names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
        with connection.cursor() as cursor:
            if connection.vendor != "postgresql":
                cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", values)
                continue
            with cursor.cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in values:
                    copy.write_row(row)
    Game.objects.bulk_create(rows.games)
    GameSeat.objects.bulk_create(rows.seats)
    Hand.objects.bulk_create(rows.hands)
    HandSide.objects.bulk_create(rows.sides)
    Reckoning.objects.bulk_create(rows.careers)


def _tables(rows: _Rows) -> Iterator[tuple[str, Sequence[str], Sequence[tuple[Any, ...]]]]:
    yield "ledger_event", EVENT, rows.events
    yield "ledger_command", COMMAND, rows.commands
    yield "ledger_account", ACCOUNT, rows.accounts
    yield "ledger_transfer", TRANSFER, rows.transfers


def _place(head: Head) -> tuple[int, str, int, int]:
    return head.position, head.hash, head.recorded_at, head.log
