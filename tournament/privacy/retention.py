"""Retention: data that a salon keeps no longer than it has to.

Ended invitations, phones that are notified of a tournament that is over, and by its
own choice players who came no more. A night's work carries it out and writes down
what it did; results and the log stay as they are.
"""

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from ledger import times
from ledger.models import Event
from tournament.integrity.audit_runs import NIGHT, REST
from tournament.models import Erasure, GameSeat, Invitation, Membership, Player, RetentionRun, Salon
from tournament.privacy.erasure import CannotErase, erase
from tournament.pushes.subscriptions import forget_ended
from tournament.salons.time_zones import zone_of

INVITATION_DAYS = 30  # so long an invitation stays listed in the books after its end
ACTOR = "retention"
KEPT_RUNS = 60


def is_due(salon: Salon, now: datetime) -> bool:
    """Whether a salon waits for the work of this night. What was done in the future, by a clock
    that was ahead, puts off none.
    """
    last = (
        RetentionRun.objects.filter(salon=salon)
        .order_by("-pk")
        .values_list("ran_at", flat=True)
        .first()
    )
    return (
        not timedelta(0) <= now - (last or salon.created_at) <= REST
        and now.astimezone(zone_of(salon)).hour in NIGHT
    )


def carry_out(salon: Salon, now: datetime) -> RetentionRun:
    """Take away what the salon keeps no longer; what was done is in the run."""
    forget_ended()
    ended = Invitation.objects.filter(
        salon=salon, expires_at__lt=now - timedelta(days=INVITATION_DAYS)
    )
    invitations, _each = ended.delete()
    players = sum(_erase_player(player) for player in strangers(salon, now))
    run = RetentionRun.objects.create(
        salon=salon, ran_at=now, invitations=invitations, players=players
    )
    old = (
        RetentionRun.objects.filter(salon=salon)
        .order_by("-pk")
        .values_list("pk", flat=True)[KEPT_RUNS:]
    )
    RetentionRun.objects.filter(pk__in=list(old)).delete()
    return run


def clear_sessions() -> None:
    """Take away sessions that have expired, of every salon."""
    SessionStore.clear_expired()
    for session in UserSession.objects.order_by("pk").iterator():
        session.purge()


def strangers(salon: Salon, now: datetime) -> list[Player]:
    """The players without an account who came last longer ago than the salon remembers; none where
    it remembers for ever.
    """
    if not salon.forget_players_days:
        return []
    until = now - timedelta(days=salon.forget_players_days)
    known = Membership.objects.filter(salon=salon).exclude(player=None).values("player")
    erased = Erasure.objects.filter(salon=salon).values("player")
    players = (
        Player.objects.select_related("salon").filter(salon=salon, practice=False).order_by("pk")
    )
    left = players.exclude(pk__in=known).exclude(pk__in=erased)
    return [player for player in left if _last_seen(player, salon) < until]


def _last_seen(player: Player, salon: Salon) -> datetime:
    """When anything was last recorded of a game in which the player sits; for one who never sat,
    the moment nothing is known of: now.
    """
    games = (
        GameSeat.objects.filter(player=player)
        .order_by("-game__position")
        .values_list("game__position", flat=True)
    )
    last = games.first()
    moment = (
        Event.objects.filter(log=salon.log_id, position=last)
        .values_list("recorded_at", flat=True)
        .first()
        if last
        else None
    )
    return timezone.now() if moment is None else times.moment(moment)


def _erase_player(player: Player) -> bool:
    try:
        erase(player, actor=ACTOR)
    except CannotErase:
        return False
    return True
