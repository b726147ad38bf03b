"""Erase a person: the name and the words that speak of them go, what was played stays, and the
chain holds as before.
"""

import re
from dataclasses import dataclass

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ledger import times
from ledger.models import Log
from tournament import models
from tournament.domain.house.covered_names import ErasePerson
from tournament.pushes.subscriptions import phones_of
from tournament.recording.house_rules import keep_in_house
from tournament.salons.persons import ids_of_person
from tournament.salons.players import pseudonym
from tournament.server.pdf.pdf_cache import forget_papers
from tournament.streams.correction_period import house_of
from tournament.streams.covered_names import earlier_names, salon_is_closed


class CannotErase(Exception):
    """A person who can't be erased as things are; the message says why and what to do first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """The erased player, their new name, and the number of texts that went with the
    name.
    """

    player: str
    pseudonym: str
    texts: int


def texts_naming(player: models.Player) -> list[models.Text]:
    """The notes, reasons and signatures of the salon in which this name stands as words of its own,
    in capitals or not, or one that the person had before.
    """
    names = {player.name, *earlier_names(player.salon, player.pk)}
    for other in models.Player.objects.filter(salon=player.salon_id, merged_into=player.pk):
        names |= {other.name, *earlier_names(player.salon, other.pk)}
    written = "|".join(re.escape(each.casefold()) for each in sorted(names))
    name = re.compile(rf"(?<!\w)(?:{written})(?!\w)")
    return [
        text
        for text in models.Text.objects.filter(salon=player.salon_id).order_by("pk").iterator()
        if name.search(text.text.casefold())
    ]


def is_erased(player: models.Player) -> bool:
    """Whether this person has been erased."""
    return models.Erasure.objects.filter(player=player.pk).exists()


def erase(player: models.Player, *, actor: str) -> Erased:
    """Take the name, the account and the texts that name them out of the database; one who was
    erased already stays so.

    Phones that were told of their entries are told no more. An account that is of use in another
    salon stays there. Nothing of the log is touched: events
    carry ids and digests alone, and one more fact tells that these went; not in a salon that has
    moved, whose log takes none. Backups and files made before still hold the name. Raises
    CannotErase for an owner of the salon.
    """
    refuse_owners(player)
    _overwrite_what_is_deleted()
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=player.salon.log_id)
        before = models.Erasure.objects.filter(player=player.pk).first()
        if before is not None:
            return Erased(player=player.pk, pseudonym=player.name, texts=before.texts)
        gone = texts_naming(player)
        _record_erasure(player, tuple(sorted(text.digest for text in gone)), actor=actor)
        texts, _ = models.Text.objects.filter(pk__in=[text.pk for text in gone]).delete()
        for other in models.Player.objects.filter(salon=player.salon, merged_into=player.pk):
            erase(other, actor=actor)
        _leave(player)
        phones_of(player).delete()
        models.EarlierActor.objects.filter(player=player).update(name="")
        player.name = pseudonym(player.pk)
        player.salt = ""
        player.save(update_fields=["name", "salt"])
        models.Erasure.objects.create(
            salon=player.salon,
            player=player.pk,
            actor=actor,
            texts=texts,
            erased_at=times.now(),
        )
    _overwrite_what_is_left()
    transaction.on_commit(forget_papers)
    return Erased(player=player.pk, pseudonym=player.name, texts=texts)


def _record_erasure(player: models.Player, texts: tuple[str, ...], *, actor: str) -> None:
    """Let the log say that the name and these texts go, so that the audit can tell it from
    a loss.
    """
    salon = player.salon
    if salon_is_closed(salon):
        return
    act = ErasePerson(player=player.pk, texts=texts)
    keep_in_house(salon, act, actor=actor, command=models.new_id(), version=house_of(salon).version)


def refuse_owners(player: models.Player) -> None:
    """Raise CannotErase for a person who owns the salon: somebody has to."""
    if models.Membership.objects.filter(
        salon=player.salon_id,
        player__in=ids_of_person(player.salon, player.pk),
        role=models.Membership.Role.OWNER,
    ).exists():
        raise CannotErase(
            _("%(name)s owns the salon: make somebody else the owner first.")
            % {"name": player.name}
        )


def why_not(player: models.Player) -> str:
    """Why a person can't be erased as things are, "" where they can."""
    try:
        refuse_owners(player)
    except CannotErase as refused:
        return str(refused)
    return ""


def _leave(player: models.Player) -> None:
    """End what the person's account is in this salon, and the account itself where it is of use
    nowhere else; invitations go too.
    """
    invitations_of(player).delete()
    for membership in models.Membership.objects.select_related("user").filter(
        salon=player.salon_id, player=player
    ):
        user = membership.user
        membership.delete()
        if not models.Membership.objects.filter(user=user).exists() and not user.is_staff:
            user.delete()


def invitations_of(player: models.Player) -> QuerySet[models.Invitation]:
    """The invitations of this person, used or not: made for the player, or to the address of the
    player's account here.
    """
    known = ids_of_person(player.salon, player.pk)
    accounts = models.Membership.objects.filter(
        salon=player.salon_id, player__in=known
    ).values_list("user__username", flat=True)
    return models.Invitation.objects.filter(
        Q(player__in=known) | Q(email__in=list(accounts)), salon=player.salon_id
    ).order_by("made_at", "pk")


def player_called(salon: models.Salon, name: str) -> models.Player | None:
    """The player of this name or id."""
    players = models.Player.objects.select_related("salon").filter(salon=salon)
    return players.filter(name=name).first() or players.filter(pk=name).first()


def _overwrite_what_is_deleted() -> None:
    """Have SQLite write zeros over what a row held; PostgreSQL's vacuum gives its space to others
    by and by.
    """
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete = ON")


def _overwrite_what_is_left() -> None:
    """Bring the write-ahead log of SQLite into the file, and empty it."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.execute("PRAGMA secure_delete = OFF")
