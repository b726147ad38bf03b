"""Whole games in and out of the salon as salon-record/1."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from django.db import IntegrityError

from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import snapshot
from scoring.common_state import GameState
from scoring.errors import NotationError, Refusal
from scoring.game import AnyGame
from scoring.legacy_hands import TAKEN_BEFORE, state_as_taken
from scoring.records import Record, decide_record, write_record
from scoring.shape import JsonObject
from scoring.sheets import HandSheet
from tournament.models import Game as GameRow
from tournament.models import Salon
from tournament.models.visibility import SilentGame, unseen_games
from tournament.recording.door import Decided, Prepare, WriteRequest, record_new
from tournament.salons.players import names_of, plain_names
from tournament.salons.public_names import Audience
from tournament.streams.codec import encode
from tournament.streams.drafts import microseconds
from tournament.streams.folds import fold_of
from tournament.streams.texts import digests_in, with_words, words_of


class Outcome(StrEnum):
    """Outcome of recording a file's game."""

    RECORDED = "recorded"
    UNCHANGED = "unchanged"


def record_file(salon: Salon, record: Record, *, actor: str) -> Outcome:
    """Store a whole game. The same id with the same content again changes nothing.

    Raises Refusal: what the rules forbid, or `bad_record` when the id belongs to a game of other
    content.
    """
    record = plain_record(record)
    try:
        _, state = decide_record(record)
    except Refusal as refusal:
        if refusal.code in TAKEN_BEFORE and _was_taken(salon, record):
            return Outcome.UNCHANGED
        raise
    canonical = write_record(record.game, state)
    if _is_stored(salon, canonical):
        return Outcome.UNCHANGED
    stream = _own_stream(salon, record.start.record)
    order = WriteRequest(
        salon=salon, stream=stream, actor=actor, command=stream, content=encode(canonical)
    )
    try:
        recorded = record_new(order, record.game, lambda prepare: _decide_prepared(record, prepare))
    except (StreamMoved, CommandReused, IntegrityError):
        # Somebody recorded this id in the meantime.
        if not _is_stored(salon, canonical):
            raise
        return Outcome.UNCHANGED
    return Outcome.UNCHANGED if recorded.repeated else Outcome.RECORDED


def plain_record(record: Record) -> Record:
    """The record with every name as it is kept. Raises NotationError for what is no name, and for a
    time that can't be stored.
    """
    start = replace(record.start, players=plain_names(record.start.players))
    return replace(
        record,
        start=start,
        sheets=tuple(_plain_sheet(sheet, place) for place, sheet in enumerate(record.sheets)),
    )


def _plain_sheet(sheet: HandSheet, place: int) -> HandSheet:
    try:
        if sheet.opening.at is not None:
            microseconds(sheet.opening.at)
        return replace(
            sheet, opening=replace(sheet.opening, players=plain_names(sheet.opening.players))
        )
    except Refusal as refusal:
        raise refusal.under(f"hands[{place}]") from None


def _decide_prepared(record: Record, prepare: Prepare) -> Decided:
    prepared = Record(
        game=record.game,
        start=prepare(record.start),
        sheets=tuple(prepare(sheet) for sheet in record.sheets),
        ended=prepare(record.ended),
    )
    return decide_record(prepared)


def _was_taken(salon: Salon, record: Record) -> bool:
    """Whether this very game is in the salon since before a rule was asked for that refuses
    it now.
    """
    state = state_as_taken(record)
    try:
        return state is not None and _is_stored(salon, write_record(record.game, state))
    except NotationError:
        return False


def _is_stored(salon: Salon, canonical: JsonObject) -> bool:
    """Whether this very game is in the salon. Raises NotationError when its id is another
    game's.
    """
    identity = canonical["id"]
    row = GameRow.objects.filter(salon=salon, record=identity).first()
    try:
        stored = export_game(
            salon, row.pk if row is not None else _own_stream(salon, identity), Audience.SALON
        )
    except LookupError:
        return False
    if encode(stored) != encode(canonical):
        raise NotationError(
            "the salon has another game with the id %(identity)s; a game is recorded once",
            path="id",
            identity=repr(identity),
        )
    return True


def _own_stream(salon: Salon, identity: str) -> str:
    """The stream of a game that comes from a file: the same id in the same salon is the same
    stream.
    """
    return uuid.uuid5(uuid.UUID(salon.log.key), identity).hex


def export_game(salon: Salon, stream: str, audience: Audience) -> JsonObject:
    """One game as a canonical record, with names for this audience and words.

    Raises LookupError when there is none, SilentGame for one not to be seen.
    """
    folded = fold_of(salon.log_id, stream)
    if folded is None:
        raise LookupError(f"there is no game {stream}")
    if stream in unseen_games():
        raise SilentGame(GameRow.objects.get(pk=stream))
    return _with_names(salon, folded.game, folded.state, audience)


def export_games(salon: Salon, records: Sequence[str], audience: Audience) -> Iterator[JsonObject]:
    """Canonical records in the order recorded: all of them, or those with these ids; of a game that
    was not played there is none.

    All are as they were at one moment: they are to be taken at once.
    """
    with snapshot():
        yield from _export_games(salon, records, audience)


def _export_games(salon: Salon, records: Sequence[str], audience: Audience) -> Iterator[JsonObject]:
    rows = GameRow.objects.filter(salon=salon, not_played=False).order_by("started_position")
    if records:
        rows = rows.filter(record__in=records)
    for stream in rows.values_list("pk", flat=True).iterator():
        yield export_game(salon, stream, audience)


def _with_names(salon: Salon, game: AnyGame, state: GameState, audience: Audience) -> JsonObject:
    record = write_record(game, state)
    seated = [record, *record["hands"]]
    names = names_of(
        salon, [player for part in seated for player in part.get("players", {}).values()], audience
    )
    for part in seated:
        if "players" in part:
            part["players"] = {seat: names[player] for seat, player in part["players"].items()}
    return with_words(record, words_of(salon, digests_in(record)))  # type: ignore[no-any-return]
