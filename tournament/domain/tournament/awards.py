"""Artificial scores for a deal that can't be played, or not be scored, at a table (F8)."""

from dataclasses import dataclass, replace

from scoring.shape import a_list, a_number, required
from tournament.domain.same_fields import build_from
from tournament.domain.standings.board_checks import AWARDS
from tournament.domain.tournament.lookups import a_table_to_settle, need_reason, refused
from tournament.domain.tournament.reading import Given, a_count, a_needed_reason, a_reason, reads
from tournament.domain.tournament.state import State, TableState
from tournament.domain.tournament.subject import AtTable, Command, Event, Subject, on_table


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardDeal(AtTable, Command):
    """Give the entries of a table, in the order of the seats, so many per cent for a deal: 60 who
    is at no fault, 50 who is in part, 40 who is.
    """

    deal: int
    awarded: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAwarded(AtTable, Event):
    """The director awarded so many per cent for a deal to each side of a table, whatever was played
    there.
    """

    deal: int
    awarded: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelAward(AtTable, Command):
    """Let a deal count as it was played."""

    deal: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardCancelled(AtTable, Event):
    """The deal counts as it was played; nothing is awarded for it any more."""

    deal: int
    reason: str | None = None


def _award(command: AwardDeal, state: State) -> list[Event]:
    need_reason(command.reason, "say why this deal has no result of its own")
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    if command.deal not in table.deals:
        raise refused(
            "bad_boards",
            "deal %(deal)s is none of table %(table)s, or stands twice there",
            "deal",
            deal=command.deal,
            table=table.table,
        )
    if len(command.awarded) != len(table.entries) or not set(command.awarded) <= set(AWARDS):
        raise refused(
            "bad_boards",
            "an artificial score is 60 for a side at no fault, 50 or 40 for one at fault",
            "awarded",
        )
    return [build_from(DealAwarded, command)]


def _cancel(command: CancelAward, state: State) -> list[Event]:
    table = a_table_to_settle(state, command.round, command.table, command.reason)
    if command.deal not in dict(table.awards):
        raise refused(
            "result_missing",
            "nothing is awarded for deal %(deal)s at table %(table)s",
            "deal",
            deal=command.deal,
            table=table.table,
        )
    return [build_from(AwardCancelled, command)]


def _with_award(table: TableState, event: DealAwarded) -> TableState:
    awards = dict(table.awards) | {event.deal: event.awarded}
    return replace(table, awards=tuple(sorted(awards.items())))


def _without_award(table: TableState, event: AwardCancelled) -> TableState:
    return replace(table, awards=tuple(each for each in table.awards if each[0] != event.deal))


def _read_awarded(given: Given, name: str) -> tuple[int, ...]:
    shares = a_list(required(given, name, ""), name)
    return tuple(
        a_number(share, f"{name}[{place}]", least=0, most=100) for place, share in enumerate(shares)
    )


SUBJECT = Subject(
    decisions={AwardDeal: _award, CancelAward: _cancel},
    changes={DealAwarded: on_table(_with_award), AwardCancelled: on_table(_without_award)},
    shapes={
        ("tournament.deal_awarded", 1): DealAwarded,
        ("tournament.award_cancelled", 1): AwardCancelled,
    },
    readers={
        "awards": reads(
            AwardDeal,
            round=a_count,
            table=a_count,
            deal=a_count,
            awarded=_read_awarded,
            reason=a_needed_reason,
        ),
        "award-cancellations": reads(
            CancelAward, round=a_count, table=a_count, deal=a_count, reason=a_reason
        ),
    },
)
