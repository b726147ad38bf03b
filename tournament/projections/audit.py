"""Read a salon's log once more and say where rows, accounts, words or players are not what its
events say.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from django.db import transaction

from ledger import times
from ledger.accounts import accounts_of as account_rows
from ledger.chain import Stored
from ledger.findings import ACCOUNT, EVENT, Finding
from ledger.models import Log
from ledger.reading import fetch_all, head_of, read_log, read_stream, version_of
from scoring.attestations import GameFinalised
from scoring.events import ChipsMoved
from scoring.game import AnyGame
from tournament.domain.house.rules import HOURS_AT_FIRST, CorrectionPeriodSet
from tournament.domain.tournament.deals import DealsRevealed
from tournament.domain.tournament.team_line_ups import LineUpsOpened
from tournament.models import Game as GameRow
from tournament.models import Hand as HandRow
from tournament.models import Player, Progress, Salon
from tournament.projections import stock_audit
from tournament.projections.careers import CAREERS, careers_in
from tournament.projections.computed import read_stored_states
from tournament.projections.difference import Difference
from tournament.projections.earlier_rows import in_words, made_by
from tournament.projections.game_row_audit import compared, rows_of
from tournament.projections.generations import Backlog, compare_reckonings
from tournament.projections.line_up_audit import (
    check_kept_line_ups,
    check_opened_line_ups,
    stray_line_ups,
)
from tournament.projections.name_audit import LoggedNames
from tournament.projections.progress_audit import behind_findings, place_findings
from tournament.projections.registry import COMPUTED_PROJECTIONS
from tournament.projections.stream_rows import strays
from tournament.streams.codec import UnknownShape, decode
from tournament.streams.correction_period import HOUR, Period, hours_by
from tournament.streams.drafts import accounts_of
from tournament.streams.folds import Folded, fold_on
from tournament.streams.types import STOCK, TOURNAMENT, StreamType

GAME, HAND, PLAYER = (model._meta.db_table for model in (GameRow, HandRow, Player))
STREAMS = """
SELECT stream, count(*), min(position) FROM ledger_event WHERE log_id = %s
  AND position <= %s GROUP BY stream"""


class StreamExtent(NamedTuple):
    """The number of events of a stream when the audit began, and the position of the
    first.
    """

    events: int
    first: int


class Entry(NamedTuple):
    """An entry's position in the log, and when it was recorded."""

    position: int
    recorded_at: int


@dataclass(slots=True)
class Followed:
    """A game on the way through the log: its fold, and the chips and the overdraft of each account
    it has touched.
    """

    folded: Folded | None = None
    events: int = 0
    last: int = 0
    recorded_at: int = 0
    command: str = ""
    chips: dict[str, int] = field(default_factory=dict)
    overdraft: dict[str, bool] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Audit:
    """The state of an audit while it reads the log. A game is dropped after its last
    event, so that memory stays flat.

    `generation` of the careers is the one that counts (None: none are kept), `careers`
    are the games whose careers are right.
    """

    salon: Salon
    ends: dict[str, StreamExtent]
    players: set[str]
    generation: int | None
    careers: set[str] = field(default_factory=set)
    periods: list[Period] = field(default_factory=lambda: [Period(0, HOURS_AT_FIRST)])
    open: dict[str, Followed] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    unread: set[tuple[str, int]] = field(default_factory=set)
    covered: LoggedNames = field(default_factory=LoggedNames)


def audit(
    salon: Salon,
    *,
    remarks: list[str] | None = None,
    progress: Callable[[int], None] = lambda done: None,
) -> Iterator[Finding]:
    """Every difference, as far as the head of the log when this began; what is no fault yet is
    added to the `remarks`.

    `kind` is row, account, pot, text, name, player, stock (a seed is not what was committed to, or
    was known too early), progress, behind (not compared, since it waits longer than it may),
    parked, final (too early), shape (nothing here reads such an event) or fold (it makes no sense
    where it stands). `progress` is told how many events have been read.
    """
    head = head_of(salon.log_id).position
    ends = {
        stream: StreamExtent(*ends) for stream, *ends in fetch_all(STREAMS, [salon.log_id, head])
    }
    known = set(Player.objects.filter(salon=salon).values_list("id", flat=True))
    counts = Progress.objects.filter(
        log=salon.log_id, projection=CAREERS.name, error=""
    ).values_list("generation", flat=True)
    state = Audit(salon=salon, ends=ends, players=known, generation=counts.first())
    for event in read_log(salon.log_id, until=head):
        if event.stream not in state.broken:
            yield from _event_findings(state, event)
        if not event.position % 1000:
            progress(event.position)
    yield from _stray_rows(state)
    notes = [] if remarks is None else remarks
    if version := made_by(salon):
        notes.append(in_words(salon.slug, version))
    behind: dict[str, Backlog] = {}
    reckonings = compare_reckonings(
        salon, COMPUTED_PROJECTIONS, mend=False, right={CAREERS.name: state.careers}, behind=behind
    )
    yield from map(_row_finding, reckonings)
    yield from behind_findings(behind, notes, now=times.now())
    yield from place_findings(salon)
    yield from state.covered.findings(salon, remarks if remarks is not None else [])


def _event_findings(state: Audit, event: Stored) -> Iterator[Finding]:
    followed = state.open.setdefault(event.stream, Followed())
    before = Entry(followed.last, followed.recorded_at)
    try:
        fact = follow(followed, event)
    except UnknownShape as unknown:
        _give_up(state, event.stream)
        if (event.type, event.schema) not in state.unread:
            state.unread.add((event.type, event.schema))
            yield Finding(
                kind="shape",
                table=EVENT,
                row=event.position,
                column="type",
                message=f"Event {event.position}: {unknown}.",
            )
        return
    except msgspec.DecodeError as error:
        _give_up(state, event.stream)
        message = f"Event {event.position} does not have the shape of {event.type}: {error}."
        yield Finding(kind="shape", table=EVENT, row=event.position, column="body", message=message)
        return
    except Exception as error:  # The fold refuses nothing that was decided: here is what never was.
        _give_up(state, event.stream)
        message = (
            f"Event {event.position} makes no sense in its stream: {type(error).__name__}: {error}."
        )
        yield Finding(kind="fold", table=EVENT, row=event.position, message=message)
        return
    for seat, player in getattr(fact, "players", ()):
        if player not in state.players:
            message = (
                f"Event {event.position} seats {player} at {seat}, who is not among the salon's "
                f"players."
            )
            yield Finding(kind="player", table=PLAYER, row=player, message=message)
    state.covered.add_event(event, fact)
    if isinstance(fact, CorrectionPeriodSet):
        state.periods.append(Period(event.position, fact.hours))
    if isinstance(fact, GameFinalised) and fact.by is None:
        yield from _final_findings(state, event, before)
    if isinstance(fact, stock_audit.FACTS) and followed.folded is not None:
        yield from stock_audit.fact_findings(event, fact, followed.folded.state)
    if isinstance(fact, LineUpsOpened) and followed.folded is not None:
        yield from check_opened_line_ups(event, fact, followed.folded.state)
    if isinstance(fact, DealsRevealed) and followed.folded is not None:
        yield from stock_audit.check_revealed_deals(event, fact, followed.folded.state)
    if followed.events == state.ends[event.stream].events:
        yield from _game_findings(state, event.stream, followed)
        _note_careers(state, event.stream, followed)
        del state.open[event.stream]


def follow(followed: Followed, event: Stored) -> object:
    """Fold one more event; the fact it holds. Raises what the fold raises."""
    if event.command != followed.command:
        _settle(followed)
        followed.command = event.command
    followed.events += 1
    followed.last, followed.recorded_at = event.position, event.recorded_at
    fact = decode(event.type, event.schema, event.body)
    followed.folded = fold_on(followed.folded, event, fact)
    if isinstance(fact, ChipsMoved):
        followed.chips[fact.source] = followed.chips.get(fact.source, 0) - fact.chips
        followed.chips[fact.target] = followed.chips.get(fact.target, 0) + fact.chips
        followed.touched |= {fact.source, fact.target}
    return fact


def _final_findings(state: Audit, event: Stored, before: Entry) -> Iterator[Finding]:
    """A game becomes final by itself no earlier than the correction period that was laid down by
    its last entry allows.
    """
    hours = hours_by(state.periods, before.position)
    if event.recorded_at - before.recorded_at < hours * HOUR:
        message = (
            f"Event {event.position} makes a game final less than {hours} hours after its "
            f"last line, {before.position}."
        )
        yield Finding(kind="final", table=EVENT, row=event.position, message=message)


def _settle(followed: Followed) -> None:
    """Note for each account that a command touched whether it may go below 0 after that command."""
    if followed.touched and followed.folded is not None:
        accounts = accounts_of(followed.folded.game, followed.folded.state)
        followed.overdraft |= {key: accounts.account(key).overdraft for key in followed.touched}
        followed.touched = set()


def _give_up(state: Audit, stream: str) -> None:
    state.broken.add(stream)
    del state.open[stream]


def _game_findings(state: Audit, stream: str, followed: Followed) -> list[Finding]:
    """The differences of one game, looked at twice: somebody may have recorded between its events
    and its rows.
    """
    salon = state.salon
    if not _differences(salon, stream, followed, state.ends[stream].first):
        return []
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        if followed.folded is not None:
            for event in read_stream(salon.log_id, stream, after=followed.folded.version):
                follow(followed, event)
        return _differences(salon, stream, followed, state.ends[stream].first)


def _note_careers(state: Audit, stream: str, followed: Followed) -> None:
    """Note a game of which each of its players has the record that this fold gives; the others are
    looked at afterwards.
    """
    if (
        state.generation is None
        or followed.folded is None
        or isinstance(followed.folded.kind, StreamType)
    ):
        return
    fresh = careers_in(stream, state.ends[stream].first, followed.folded)
    if (
        read_stored_states(state.salon.log_id, CAREERS.name, state.generation, [stream])[stream]
        == fresh
    ):
        state.careers.add(stream)


def _differences(salon: Salon, stream: str, followed: Followed, first: int) -> list[Finding]:
    assert followed.folded is not None
    rows = rows_of(salon, stream, followed.folded, first, followed.last)
    kind, state = followed.folded.kind, followed.folded.state
    kept: Iterable[Finding] = ()
    if kind is STOCK:
        kept = stock_audit.seed_findings(salon, stream, state)
    elif kind is TOURNAMENT:
        kept = (
            *check_kept_line_ups(salon, stream, state),
            *stock_audit.check_kept_deals(salon, stream, state),
        )
    return [
        *(_row_finding(each) for each in compared({stream: rows}).get(stream, [])),
        *_account_findings(salon, stream, followed, followed.folded),
        *kept,
    ]


def _row_finding(each: Difference) -> Finding:
    table = {"game": GAME, "hand": HAND}.get(each.table, each.table)
    return Finding(
        kind="row",
        table=table,
        row=each.key,
        column=each.column or None,
        message=f"{each.key}: {each.message}.",
    )


def _account_findings(
    salon: Salon, stream: str, followed: Followed, folded: Folded
) -> Iterator[Finding]:
    if isinstance(folded.kind, StreamType):
        return  # Chips move in games alone.
    _settle(followed)
    accounts = accounts_of(folded.game, folded.state)
    rows = {row.key: row for row in account_rows(salon.log_id, stream=stream)}
    yield from _pot_findings(stream, followed, folded)
    for key in sorted(rows.keys() | followed.chips.keys()):
        name = f"Account {key} of stream {stream}"
        if key not in rows:
            yield Finding(
                kind="account", table=ACCOUNT, row=f"{stream}/{key}", message=f"{name} is missing."
            )
            continue
        if key not in followed.chips:
            yield Finding(
                kind="account",
                table=ACCOUNT,
                row=rows[key].account,
                message=f"{name} is in no event.",
            )
            continue
        stored = (rows[key].owner, rows[key].overdraft, rows[key].chips)
        folded_to = (accounts.account(key).owner, followed.overdraft[key], followed.chips[key])
        for column, is_now, should_be in zip(
            ("owner", "overdraft", "credits"), stored, folded_to, strict=True
        ):
            if is_now != should_be:
                what = "balance" if column == "credits" else column
                message = f"{name} has {what} {is_now}, its events say {should_be}."
                yield Finding(
                    kind="account",
                    table=ACCOUNT,
                    row=rows[key].account,
                    column=column,
                    message=message,
                )


def _pot_findings(stream: str, followed: Followed, folded: Folded) -> Iterator[Finding]:
    """The pots of a game that is over are empty, unless its house rules leave what they hold."""
    if folded.state.closed is None or folded.game.leaves_pots(folded.state):
        return
    for key, chips in sorted(followed.chips.items()):
        if chips and is_pot(folded.game, key):
            message = (
                f"Account {key} of stream {stream} holds {chips} chips, and the game is over: a "
                f"pot is shared at its end."
            )
            yield Finding(kind="pot", table=ACCOUNT, row=f"{stream}/{key}", message=message)


def is_pot(game: AnyGame, key: str) -> bool:
    """Whether this account of a game is one of its pots."""
    return key in game.pot_names


def _stray_rows(state: Audit) -> Iterator[Finding]:
    rows = GameRow.objects.filter(salon=state.salon).values_list("pk", "record")
    for stream, record in rows.iterator():
        if stream not in state.ends and not version_of(state.salon.log_id, stream):
            yield Finding(
                kind="row",
                table=GAME,
                row=stream,
                message=f"{stream}: the row of {record} has no events.",
            )
    for model, stream in strays(state.salon, state.ends):
        yield Finding(
            kind="row",
            table=model._meta.db_table,
            row=stream,
            message=f"{stream}: the row has no events.",
        )
    yield from stock_audit.stray_seeds(state.salon, state.ends)
    yield from stray_line_ups(state.salon, state.ends)
