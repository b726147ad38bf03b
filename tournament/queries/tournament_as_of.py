"""A tournament as of a moment: after one of its acts, by the time recorded, or by the time played;
silent rounds left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from ledger.reading import head_of
from scoring.errors import NotationError
from tournament.accounts.permissions import Visitor
from tournament.domain.standings.ranking import Standings
from tournament.projections.standings_as_of import (
    TournamentThen,
    position_by,
    read_as_played,
    read_as_recorded,
)
from tournament.queries.game_as_of import PLAYED, began_in_words, find_last_recorded, read_moment
from tournament.queries.history_lines import at_time
from tournament.queries.tournament import TournamentView, silent_from
from tournament.streams.acts import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPicture:
    """A tournament as it stood `at` a moment, after the act `moment`, or, where that is None, with
    all that had happened by then.

    `position` is the entry of the log up to which it counts, 0 by the time played, and `until` the
    last of its versions by then. Results after round `last_round`, where there is one, are hidden
    from the visitor; the standings leave them out.
    """

    then: TournamentThen
    standings: Standings
    at: datetime
    moment: Moment | None
    position: int
    until: int
    last_round: int | None

    @property
    def version(self) -> int | None:
        """The step of the tournament it shows; None where it is no step."""
        return self.moment.last.version if self.moment else None


def present(visitor: Visitor, at: TournamentView, moments: Sequence[Moment]) -> TournamentPicture:
    """The tournament as it stands now; it needs no `moments` where none of its acts are shown."""
    head = head_of(at.row.salon.log_id).position
    if moments:
        return after(visitor, at, moments[-1], head)
    then, until = TournamentThen(state=at.state, outcomes=at.outcomes), at.row.version
    return _picture(visitor, at, then, timezone.now(), moment=None, position=head, until=until)


def after(visitor: Visitor, at: TournamentView, moment: Moment, position: int) -> TournamentPicture:
    """The tournament after this act; its games count what was recorded by the entry at
    `position`.
    """
    then = read_as_recorded(at.row.salon, moment.state, position)
    time = at_time(moment.last.recorded_at)
    return _picture(
        visitor, at, then, time, moment=moment, position=position, until=moment.last.version
    )


def tournament_as_of(
    visitor: Visitor, at: TournamentView, moments: Sequence[Moment], typed: str, clock: str
) -> TournamentPicture:
    """The tournament as of what was typed: a time, or the number of an entry; nothing typed is now.

    By the time recorded (or an entry) it is what the log held by then; by the time played, what is
    known today of what had happened by then. Raises NotationError for what can't be read, and for a
    moment before the tournament.
    """
    head = head_of(at.row.salon.log_id).position
    as_of = read_moment(moments, typed, clock, head=head)
    if as_of is None:
        return present(visitor, at, moments)
    if clock == PLAYED and as_of.occurred_at is not None:
        return _picture_as_played(visitor, at, moments, as_of.occurred_at)
    found = find_last_recorded(moments, as_of)
    if found is None:
        message = _(
            "Nothing of this tournament was recorded by then; it begins with line %(line)s "
            "at %(time)s."
        )
        raise NotationError(message % began_in_words(moments), path="as_of")
    position = as_of.position or position_by(
        at.row.salon, at.row.pk, found.state, as_of.occurred_at or 0
    )
    return after(visitor, at, found, position)


def _picture_as_played(
    visitor: Visitor, at: TournamentView, moments: Sequence[Moment], by: int
) -> TournamentPicture:
    then = read_as_played(at.row.salon, moments, by)
    until = max(
        (moment.last.version for moment in moments if moment.last.occurred_at <= by), default=0
    )
    return _picture(visitor, at, then, at_time(by), moment=None, position=0, until=until)


def _picture(
    visitor: Visitor,
    at: TournamentView,
    then: TournamentThen,
    time: datetime,
    *,
    moment: Moment | None,
    position: int,
    until: int,
) -> TournamentPicture:
    begun = silent_from(at, visitor)
    last = None if begun is None else begun - 1
    return TournamentPicture(
        then=then,
        standings=then.standings(after_round=last),
        at=time,
        moment=moment,
        position=position,
        until=until,
        last_round=last,
    )
