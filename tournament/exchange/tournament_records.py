"""Whole tournaments in and out of the salon as salon-tournament/1."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.db import IntegrityError

from ledger.drafts import CommandReused, StreamMoved
from ledger.reading import snapshot
from scoring.errors import NotationError, sentence
from scoring.shape import JsonObject
from tournament.domain.pairing.values import DrawnTable
from tournament.domain.same_fields import build_from
from tournament.domain.standings.stages import field_of_stage, with_cuts
from tournament.domain.standings.team_matches import part_tables
from tournament.domain.standings.values import Bye, Entry, Round, SeatedTable, Tournament
from tournament.domain.standings.writing import write_tournament
from tournament.domain.tournament.awards import AwardDeal
from tournament.domain.tournament.byes import HALF, AskBye
from tournament.domain.tournament.cuts import SeatStage
from tournament.domain.tournament.draws import SeatRound
from tournament.domain.tournament.entries import MakeEntry, Withdraw
from tournament.domain.tournament.leavers import OUT, SettleLeaver
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.penalties import GivePenalty
from tournament.domain.tournament.play_offs import SeatPlayOff
from tournament.domain.tournament.results import EnterResult, ExcuseTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State
from tournament.domain.tournament.team_line_ups import LineUp, OpenLineUps
from tournament.exchange.game_records import Outcome
from tournament.exchange.substitutes import entered, substitutes_of
from tournament.models import Salon
from tournament.models import Tournament as TournamentRow
from tournament.recording.door import Decided, Prepare, WriteRequest, decide_and_fold, record_new
from tournament.salons.players import names_of
from tournament.salons.public_names import Audience
from tournament.streams.codec import encode
from tournament.streams.folds import fold_of
from tournament.streams.game_results import outcomes_of
from tournament.streams.texts import words_of
from tournament.streams.types import TOURNAMENT

NO_REASON = "as its file says"
NOBODY: Mapping[str, int] = {}


def import_tournament(salon: Salon, tournament: Tournament, *, actor: str) -> Outcome:
    """Store a whole tournament, all or nothing. The same id with the same content again changes
    nothing.

    Raises Refusal: what can't be directed here, or `bad_record` when the id belongs to a tournament
    of other content.
    """
    tournament = with_cuts(tournament)
    acts = list(acts_of(tournament))
    if _is_stored(salon, tournament):
        return Outcome.UNCHANGED
    stream = _own_stream(salon, tournament.id)
    order = WriteRequest(
        salon=salon,
        stream=stream,
        actor=actor,
        command=stream,
        content=encode(write_tournament(tournament)),
    )
    try:
        recorded = record_new(order, TOURNAMENT, lambda prepare: _decide_acts(acts, prepare))
    except (StreamMoved, CommandReused, IntegrityError):  # somebody stored this id in the meantime
        if not _is_stored(salon, tournament):
            raise
        return Outcome.UNCHANGED
    return Outcome.UNCHANGED if recorded.repeated else Outcome.RECORDED


def export_tournament(salon: Salon, stream: str, audience: Audience) -> JsonObject:
    """One tournament as a canonical file, with names for this audience and words, as it was at one
    moment.

    Raises LookupError when there is none.
    """
    with snapshot():
        folded = fold_of(salon.log_id, stream)
        if folded is None or folded.kind is not TOURNAMENT:
            raise LookupError(f"there is no tournament {stream}")
        return write_tournament(with_names(salon, folded.state, audience))


def export_tournaments(
    salon: Salon, records: Sequence[str], audience: Audience
) -> Iterator[JsonObject]:
    """Canonical files in the order set up: of all tournaments, or those with these ids.

    All are as they were at one moment: they are to be taken at once.
    """
    rows = TournamentRow.objects.filter(salon=salon).order_by("started_position")
    if records:
        rows = rows.filter(record__in=records)
    with snapshot():
        for stream in rows.values_list("pk", flat=True):
            yield export_tournament(salon, stream, audience)


def with_names(salon: Salon, state: State, audience: Audience) -> Tournament:
    """A tournament as pairing and standings see it, with the names of its people and the words of
    its director.
    """
    now = {entry.id: max(state.next_to_play(entry.id), entry.joined_in) for entry in state.entries}
    return named(salon, field_of(state, outcomes_of(salon, state)), audience, now)


def named(
    salon: Salon, seen: Tournament, audience: Audience, now: Mapping[str, int] = NOBODY
) -> Tournament:
    """A tournament of the log, which knows players and words by ids and digests, with names and
    words. `now` is the round that each entry has not begun to play, by whose players it is called.
    """
    names = names_of(
        salon, {player for entry in seen.entries for player in entry.everybody}, audience
    )
    words = words_of(
        salon,
        {
            *(digest for each in seen.adjustments for digest in (each.reason, each.by)),
            *(each.reason for each in seen.play_offs),
            *(entry.entry_name for entry in seen.entries),
        },
    )
    return replace(
        seen,
        entries=tuple(
            _name_entry(_by_name(entry, names, words), now.get(entry.id)) for entry in seen.entries
        ),
        adjustments=tuple(
            replace(each, reason=words.get(each.reason, "erased"), by=words.get(each.by, "erased"))
            for each in seen.adjustments
        ),
        play_offs=tuple(
            replace(each, reason=words.get(each.reason, "erased")) for each in seen.play_offs
        ),
    )


def acts_of(tournament: Tournament) -> Iterator[object]:
    """Yield the acts of a director that lead to this tournament, in order. Raises
    NotationError for an entry without players.
    """
    first, *later = tournament.stages or (tournament.stage,)
    yield build_from(
        OpenTournament, tournament, record=tournament.id, stage=first, later=tuple(later)
    )
    yield EnterPhase(phase="registration")
    for entry in tournament.entries:
        yield _make(entry)
    played = len(tournament.rounds)
    substitutes = [each for entry in tournament.entries for each in substitutes_of(entry, played)]
    if not tournament.rounds:
        yield from substitutes
        yield from _withdrawals(tournament, 0)
        return
    yield EnterPhase(phase="running")
    yield from (
        AskBye(entry=entry.id, round=number, kind="zero")
        for entry in tournament.entries
        for number in entry.away
    )
    joined, begun = {entry.id: entry.joined_in for entry in tournament.entries}, 1
    for number, each in enumerate(tournament.rounds, start=1):
        missed = [bye for bye in each.byes if _is_missed(bye, joined, number)]
        yield from (AskBye(entry=bye.entry, round=number, kind=bye.kind) for bye in missed)
        yield from (
            Withdraw(entry=entry.id)
            for entry in tournament.entries
            if entry.withdrawn_after == number - 1
        )
        yield from (each for each in substitutes if each.from_round == number)
        if begun < each.stage:
            yield from _leavers(tournament, begun)
            yield from _play_offs(tournament, range(begun, each.stage))
            yield _stage_act(tournament, each.stage)
            begun = each.stage
        yield from _round_acts(
            number,
            replace(each, byes=tuple(bye for bye in each.byes if bye not in missed)),
            {entry.id: entry for entry in tournament.entries},
        )
    last = len(tournament.rounds)
    yield from (each for each in substitutes if (each.from_round or 0) > last)
    yield from _withdrawals(tournament, last)
    yield from _leavers(tournament, begun)
    yield from _play_offs(tournament, range(begun, len(tournament.stages)))
    if tournament.cuts and tournament.cuts[-1].stage > begun:
        yield _stage_act(tournament, tournament.cuts[-1].stage)
    for penalty in tournament.adjustments:
        reason, by = penalty.reason or NO_REASON, penalty.by or NO_REASON
        yield build_from(GivePenalty, penalty, reason=reason, by=by)


def _withdrawals(tournament: Tournament, last: int) -> Iterator[Withdraw]:
    """Yield the withdrawals after the last round that there is, and those announced for
    after a later one.
    """
    yield from (
        Withdraw(entry=entry.id, after_round=entry.withdrawn_after)
        for entry in tournament.entries
        if entry.withdrawn_after is not None and entry.withdrawn_after >= last
    )


def _leavers(tournament: Tournament, stage: int) -> Iterator[SettleLeaver]:
    """The entries whose games are left out of this stage."""
    yield from (
        SettleLeaver(entry=entry.id, games=OUT, reason=NO_REASON)
        for entry in tournament.entries
        if stage in entry.left_out
    )


def _play_offs(tournament: Tournament, stages: range) -> Iterator[SeatPlayOff]:
    """Yield the play-offs after these stages."""
    yield from (
        SeatPlayOff(stage=each.stage, order=each.order, reason=each.reason or NO_REASON)
        for each in tournament.play_offs
        if each.stage in stages
    )


def _stage_act(tournament: Tournament, number: int) -> SeatStage:
    """That a stage begins with those whom the file names, or whom its standings let through."""
    return SeatStage(stage=number, entries=field_of_stage(tournament, number))


def _is_missed(bye: Bye, joined: Mapping[str, int], number: int) -> bool:
    """Whether it is half a point for a round before the entry joined."""
    return number < joined.get(bye.entry, 0) and bye.kind == HALF and bye.points is None


def _make(entry: Entry) -> MakeEntry:
    players = entered(entry) or (entry.name,)
    pairs = tuple((str(place), name) for place, name in enumerate(players, start=1))
    name = entry.entry_name or None
    return build_from(MakeEntry, entry, players=pairs, entry=entry.id, entry_name=name)


def _line_ups(number: int, each: Round, entries: Mapping[str, Entry]) -> Iterator[OpenLineUps]:
    """Yield the line-up of each team, by the places of its players, at the tables that
    give one.
    """
    for table in each.tables:
        played = {
            key: players
            for key in table.entries
            if (players := dict(entries[key].line_ups).get(number)) is not None
        }
        if played:
            yield OpenLineUps(
                round=number,
                table=table.table,
                line_ups=tuple(
                    LineUp(
                        entry=key,
                        places=tuple(
                            str(entries[key].members_in(number).index(player) + 1)
                            for player in players
                        ),
                    )
                    for key, players in played.items()
                ),
            )


def _round_acts(number: int, each: Round, entries: Mapping[str, Entry]) -> Iterator[object]:
    yield SeatRound(
        round=number,
        tables=tuple(build_from(DrawnTable, table) for table in part_tables(each.tables)),
        byes=each.byes,
    )
    yield PublishRound(round=number)
    yield from _line_ups(number, each, entries)
    for table in part_tables(each.tables):
        yield from _table_acts(number, table)
    if all(table.results or table.excused for table in part_tables(each.tables)):
        yield CloseRound(round=number)


def _table_acts(number: int, table: SeatedTable) -> Iterator[object]:
    """Yield the acts recorded for a table; one whose deals were all awarded has no result
    besides.
    """
    for board in table.boards:
        if board.awarded:
            yield AwardDeal(
                round=number,
                table=table.table,
                deal=board.deal,
                awarded=board.awarded,
                reason=NO_REASON,
            )
    played = tuple(replace(board, awarded=()) for board in table.boards if board.scores)
    if table.results and (played or not table.boards):
        yield build_from(EnterResult, table, round=number, boards=played)
    elif table.excused:
        yield ExcuseTable(round=number, table=table.table, reason=NO_REASON)


def _decide_acts(acts: Sequence[object], prepare: Prepare) -> Decided:
    events: list[object] = []
    state: object = None
    for act in acts:
        new, state = decide_and_fold(TOURNAMENT, prepare(act), state)
        events += new
    return events, state


def _by_name(entry: Entry, names: Mapping[str, str], words: Mapping[str, str]) -> Entry:
    earlier = tuple(
        (last, tuple(names[player] for player in players)) for last, players in entry.earlier
    )
    players, entered = (
        tuple(names[player] for player in each) for each in (entry.players, entry.entered)
    )
    line_ups = tuple(
        (number, tuple(names[player] for player in chosen)) for number, chosen in entry.line_ups
    )
    return replace(
        entry,
        players=players,
        earlier=earlier,
        entered=entered,
        line_ups=line_ups,
        entry_name=words.get(entry.entry_name, ""),
    )


def _name_entry(entry: Entry, number: int | None = None) -> Entry:
    """An entry called by its own name, else by those who play for it in round `number` (None: in
    the end).
    """
    players = entry.players or (entry.name,)
    now = players if number is None else entry.members_in(number) or players
    return replace(entry, name=entry.entry_name or " & ".join(now), players=players)


def _is_stored(salon: Salon, tournament: Tournament) -> bool:
    """Whether this very tournament is in the salon. Raises NotationError when its id is another
    one's.
    """
    row = TournamentRow.objects.filter(salon=salon, record=tournament.id).first()
    if row is None:
        return False
    named = replace(tournament, entries=tuple(map(_name_entry, tournament.entries)))
    if encode(_comparable(export_tournament(salon, row.pk, Audience.SALON))) != encode(
        _comparable(write_tournament(named))
    ):
        message = sentence(
            "the salon has another tournament with the id %(record)s; a tournament is stored once",
            record=repr(tournament.id),
        )
        raise NotationError(message, path="id")
    return True


def _comparable(written: JsonObject) -> dict[str, object]:
    """A file without the order of byes, without the difference between words that are missing and
    those that stand for them, and without the names of entries of whom somebody was replaced, which
    depend on what they have begun to play; where somebody is to stand in later on, also without
    whom they were entered with: that depends on what was said first.
    """
    played = len(written["rounds"])
    entries = [
        {**each, "name": ""}
        | (
            {"entered": []}
            if any(int(lineup["until"]) > played for lineup in each["earlier"])
            else {}
        )
        if each.get("earlier")
        else each
        for each in written["entries"]
    ]
    penalties = written.get("adjustments", [])
    plain = [
        {**each, "reason": each["reason"] or NO_REASON, "by": each["by"] or NO_REASON}
        for each in penalties
    ]
    play_offs = [
        {**each, "reason": each.get("reason") or NO_REASON}
        for each in sorted(written.get("play_offs", []), key=lambda each: int(each["stage"]))
    ]
    rounds = [
        {**each, "byes": sorted(each["byes"], key=lambda bye: str(bye["entry"]))}
        for each in written["rounds"]
    ]
    return {
        **written,
        "entries": entries,
        "rounds": rounds,
        "adjustments": plain,
        "play_offs": play_offs,
    }


def _own_stream(salon: Salon, identity: str) -> str:
    """The stream of a tournament that comes from a file: the same id in the same salon is the same
    stream.
    """
    return uuid.uuid5(uuid.UUID(salon.log.key), f"tournament {identity}").hex
