"""Corrections about people: another name, two records that are one person, and that
they are two after all. Each is an event of the house; names lie beside the log,
which has their digests.
"""

import secrets

from django.db import transaction

from ledger.models import Account, Log
from ledger.reading import events_in
from scoring.errors import RuleViolation, sentence
from tournament.domain.house.covered_names import RenamePerson
from tournament.domain.house.persons import MergePersons, SeparatePersons
from tournament.domain.house.rules import Command
from tournament.domain.names import NOTE_EXAMPLE
from tournament.models import Erasure, GameSeat, Player, Salon, TournamentPlayer
from tournament.recording.house_rules import keep_in_house
from tournament.salons.persons import games_with, ids_of_person
from tournament.salons.players import plain_names
from tournament.streams.correction_period import house_of, house_stream
from tournament.streams.texts import digest_of

RULE = "people"


def rename_person(player: Player, written: str, *, reason: str, actor: str, command: str) -> Player:
    """Give a person another name, everywhere and for all that was played; the player as they are
    called then. The same command again changes nothing.

    Raises NotationError for what is no name; RuleViolation `same_name`, `name_taken`,
    `reason_missing` if something was played under the name, `merged`, `erased`; LogClosed.
    """
    salon = player.salon
    ((_place, name),) = plain_names([("name", written)])
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        found = Player.objects.select_related("salon").get(pk=player.pk)
        if _is_recorded(salon, command):
            return found
        _check_name(found, name)
        _need_reason(found, reason)
        earlier, found.name, found.salt = found.name, name, secrets.token_hex(16)
        found.save(update_fields=["name", "salt"])
        act = RenamePerson(
            player=found.pk,
            digest=digest_of(found.salt, name),
            earlier_name=earlier,
            reason=reason,
        )
        _record(salon, act, actor=actor, command=command)
    return found


def merge_persons(player: Player, other: Player, *, reason: str, actor: str, command: str) -> None:
    """Let `player` stand for `other`, too: games, chips, ratings and seasons of both are one
    person's. The same command again changes nothing.

    Raises RuleViolation `merged`, `played_together` if both sat in one game or tournament,
    `reason_missing`, `erased`; LogClosed.
    """
    salon = player.salon
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        if _is_recorded(salon, command):
            return
        _check_not_erased(player)
        _check_not_erased(other)
        if player.pk != other.pk and not player.merged_into and not other.merged_into:
            _check_apart(player, other)
        _need_reason(other, reason)
        act = MergePersons(player=player.pk, merged=other.pk, reason=reason)
        _record(salon, act, actor=actor, command=command)


def separate_persons(other: Player, *, reason: str, actor: str, command: str) -> None:
    """Let a merged player be a person of their own again, with all that was theirs before. The same
    command again changes nothing. Raises RuleViolation `not_merged`, LogClosed.
    """
    salon = other.salon
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        if not _is_recorded(salon, command):
            act = SeparatePersons(merged=other.pk, reason=reason)
            _record(salon, act, actor=actor, command=command)


def needs_reason(player: Player) -> bool:
    """Whether games, chips or tournaments rest on who this is."""
    known = ids_of_person(player.salon, player.pk)
    return (
        GameSeat.objects.filter(player__in=known).exists()
        or Account.objects.filter(log=player.salon.log_id, owner__in=known).exists()
        or TournamentPlayer.objects.filter(player__in=known, stream__rounds__gt=0).exists()
    )


def _record(salon: Salon, act: Command, *, actor: str, command: str) -> None:
    keep_in_house(salon, act, actor=actor, command=command, version=house_of(salon).version)


def _is_recorded(salon: Salon, command: str) -> bool:
    house = events_in(salon.log_id, [house_stream(salon.log)])
    return house.filter(command=command).exists()


def _check_name(player: Player, name: str) -> None:
    _check_not_erased(player)
    if player.merged_into:
        raise RuleViolation(
            "merged",
            "this player is merged with another one; rename that one, or separate them first",
            rule=RULE,
            path="name",
        )
    if player.name == name:
        raise RuleViolation("same_name", "that is the name already", rule=RULE, path="name")
    if Player.objects.filter(salon=player.salon, name=name).exists():
        message = sentence(
            "someone else is called %(name)s; merge the two if they are one person, or write what "
            "tells them apart, as in “%(example)s”",
            name=name,
            example=NOTE_EXAMPLE % name,
        )
        raise RuleViolation("name_taken", message, rule=RULE, path="name")


def _check_not_erased(player: Player) -> None:
    if Erasure.objects.filter(player=player.pk).exists():
        raise RuleViolation(
            "erased", "this person was erased; the name stays as it is", rule=RULE, path="name"
        )


def _check_apart(player: Player, other: Player) -> None:
    """Raise RuleViolation `played_together` if the two can't be one person."""
    salon = player.salon
    ours, theirs = (ids_of_person(salon, each.pk) for each in (player, other))
    games = set(games_with(salon, player.pk)) & set(games_with(salon, other.pk))
    if games:
        message = sentence(
            "%(name)s and %(other)s sat in one game; correct who sat there first, or they are two",
            name=player.name,
            other=other.name,
        )
        raise RuleViolation("played_together", message, rule=RULE, path="other")
    both = TournamentPlayer.objects.filter(player__in=ours).filter(
        stream__in=TournamentPlayer.objects.filter(player__in=theirs).values("stream")
    )
    first = both.select_related("stream").order_by("stream__started_position").first()
    if first is not None:
        message = sentence(
            "%(name)s and %(other)s are both in the tournament %(tournament)s; one person plays "
            "there once",
            name=player.name,
            other=other.name,
            tournament=first.stream.name,
        )
        raise RuleViolation("played_together", message, rule=RULE, path="other")


def _need_reason(player: Player, reason: str) -> None:
    if not reason and needs_reason(player):
        raise RuleViolation(
            "reason_missing",
            "say why: games or tournaments are recorded under this name",
            rule=RULE,
            path="reason",
        )
