"""Decisions about rounds: drawn, swapped, published, closed; each refusal says what is missing."""

from collections.abc import Sequence
from dataclasses import replace

from scoring.deciding import Decisions
from scoring.errors import sentence
from tournament.domain.pairing.draw import draw
from tournament.domain.pairing.values import DrawnTable
from tournament.domain.standings.lots import lot
from tournament.domain.standings.values import Bye
from tournament.domain.tournament.commands import (
    CloseRound,
    DrawRound,
    DropRound,
    Outcome,
    PublishRound,
    ReopenRound,
    SeatRound,
    SwapEntries,
    UnpublishRound,
)
from tournament.domain.tournament.counting import Outcomes, missing
from tournament.domain.tournament.events import Event
from tournament.domain.tournament.lookups import a_round, an_open_round, last_round, refused
from tournament.domain.tournament.presence import settled
from tournament.domain.tournament.round_events import (
    RoundClosed,
    RoundDrawn,
    RoundDropped,
    RoundPublished,
    RoundReopened,
    RoundUnpublished,
)
from tournament.domain.tournament.standings_view import asked_byes, field_of
from tournament.domain.tournament.state import RoundState, State
from tournament.domain.tournament.swap_decisions import swap

BY_HAND = "by hand"  # the engine of a round that a file or a director seated
LOT_BITS_LEFT_OUT = 11  # a seed of 53 bits is a whole number in every JSON


def by_game(outcomes: Sequence[Outcome]) -> Outcomes:
    """Outcomes by the stream of their game."""
    return {outcome.game: outcome for outcome in outcomes}


def _draw(command: DrawRound, state: State) -> list[Event]:
    if state.phase != "running":
        raise refused(
            "wrong_phase",
            sentence(
                "rounds are drawn while the tournament runs; it is in %(phase)s", phase=state.phase
            ),
            "phase",
        )
    last = state.last
    again = last is not None and command.round == last.number
    if last is not None and again and last.has_started:
        raise refused(
            "round_started",
            sentence(
                "round %(number)s has begun; swap two entries instead of drawing it anew",
                number=last.number,
            ),
            "round",
        )
    if not again and command.round != state.next_round:
        raise refused(
            "round_missing",
            sentence("round %(next_round)s is the next to be drawn", next_round=state.next_round),
            "round",
        )
    presence, state = settled(command, state)
    seed = _lots(command, last if again else None, state)
    drawn = draw(
        replace(field_of(state, by_game(command.outcomes), before=command.round), draw_seed=seed),
        command.round,
    )
    byes = (*(Bye(entry=entry) for entry in drawn.byes), *asked_byes(state, command.round))
    return [
        *presence,
        RoundDrawn(
            round=command.round,
            tables=drawn.tables,
            byes=byes,
            engine=drawn.engine,
            digest=drawn.digest,
            broken=drawn.broken,
            byes_why=drawn.byes_why,
            totals=drawn.totals,
            seed=seed,
            reason=command.reason if command.other_lots else None,
        ),
    ]


def _lots(command: DrawRound, drawn: RoundState | None, state: State) -> int | None:
    """What the lots come from: the tournament's seed, or that of the draw before it; other lots
    follow from those there were.

    So nobody can choose them: the next ones of a draw are always the same.
    """
    if not command.other_lots:
        return drawn.seed if drawn is not None else None
    if drawn is None:
        raise refused(
            "round_missing",
            sentence(
                "draw round %(number)s first; then it can have other lots", number=command.round
            ),
            "other_lots",
        )
    if state.stage.kind != "swiss":
        raise refused(
            "bad_draw",
            sentence("a round robin follows its list: other lots would draw the same tables"),
            "other_lots",
        )
    if not command.reason:
        raise refused("reason_missing", sentence("say why it is drawn with other lots"), "reason")
    return (
        lot(state.seed if drawn.seed is None else drawn.seed, "other lots", command.round)
        >> LOT_BITS_LEFT_OUT
    )


def _seat(command: SeatRound, state: State) -> list[Event]:
    if state.phase != "running" or command.round != state.next_round:
        raise refused(
            "round_missing",
            sentence(
                "round %(next_round)s is the next to be seated, while the tournament runs",
                next_round=state.next_round,
            ),
            "round",
        )
    seated = [entry for _, entries, _ in command.tables for entry in entries] + [
        bye.entry for bye in command.byes
    ]
    numbers = [number for number, _, _ in command.tables]
    if len(set(numbers)) < len(numbers):
        raise refused("bad_round", sentence("two tables have the same number"), "tables")
    for key in seated:
        entry = state.entry(key)
        if entry is None or seated.count(key) > 1:
            raise refused(
                "bad_round",
                sentence(
                    "entry %(entry)s is not in this tournament, or in the round twice",
                    entry=key[:20],
                ),
                "tables",
            )
        if not replace(entry, asked=()).plays_in(command.round):
            raise refused(
                "withdrawn",
                sentence(
                    "entry %(entry)s does not play in round %(round)s",
                    entry=key,
                    round=command.round,
                ),
                "tables",
            )
    tables = tuple(
        DrawnTable(table=number, entries=entries, dealer=dealer)
        for number, entries, dealer in command.tables
    )
    return [
        RoundDrawn(round=command.round, tables=tables, byes=command.byes, engine=BY_HAND, digest="")
    ]


def _drop(command: DropRound, state: State) -> list[Event]:
    last = last_round(state, command.round)
    if last.has_started:
        raise refused(
            "round_started",
            sentence(
                "round %(number)s has begun; clear its results and games first", number=last.number
            ),
            "round",
        )
    return [RoundDropped(round=last.number)]


def _publish(command: PublishRound, state: State) -> list[Event]:
    each = a_round(state, command.round)
    if each.published:
        raise refused(
            "round_published",
            sentence("round %(number)s is published already", number=each.number),
            "round",
        )
    gone = next(
        (entry for entry in state.entries if entry.id in each.seated and entry.is_withdrawn), None
    )
    if gone is not None:
        raise refused(
            "withdrawn",
            sentence(
                "entry %(entry)s has withdrawn and is seated in round %(number)s; draw it anew",
                entry=gone.id,
                number=each.number,
            ),
            "round",
        )
    held = [table for number, table in command.seen.live if number < each.number]
    if held:
        tables = ", ".join(map(str, held))
        message = sentence(
            "games of an earlier round still hold table %(tables)s; end them first", tables=tables
        )
        raise refused("tables_held", message, "round")
    return [RoundPublished(round=each.number)]


def _unpublish(command: UnpublishRound, state: State) -> list[Event]:
    each = last_round(state, command.round)
    if not each.published or each.has_started:
        raise refused(
            "round_started",
            sentence("round %(number)s has begun, or isn't published", number=each.number),
            "round",
        )
    return [RoundUnpublished(round=each.number)]


def _close(command: CloseRound, state: State) -> list[Event]:
    each = an_open_round(state, command.round)
    lacking = missing(each, by_game(command.outcomes), state.stage)
    if lacking:
        tables = ", ".join(str(table.table) for table in lacking)
        message = sentence(
            "the result of table %(tables)s is missing; type it, excuse it, or wait for its game",
            tables=tables,
        )
        raise refused("result_missing", message, f"rounds[{each.number - 1}].tables")
    return [RoundClosed(round=each.number, asked=True)]


def _reopen(command: ReopenRound, state: State) -> list[Event]:
    each = a_round(state, command.round)
    if not each.closed:
        raise refused(
            "round_open", sentence("round %(number)s is not closed", number=each.number), "round"
        )
    if not command.reason:
        raise refused("reason_missing", sentence("say why the round is opened again"), "reason")
    return [RoundReopened(round=each.number, reason=command.reason)]


ROUND_DECISIONS: Decisions[State, Event] = {
    DrawRound: _draw,
    SeatRound: _seat,
    DropRound: _drop,
    SwapEntries: swap,
    PublishRound: _publish,
    UnpublishRound: _unpublish,
    CloseRound: _close,
    ReopenRound: _reopen,
}
