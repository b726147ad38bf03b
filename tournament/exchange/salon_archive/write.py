"""Write a salon as an archive, line by line, in memory that does not grow with the salon."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from copy import replace
from dataclasses import dataclass, field
from itertools import chain

from django.contrib.auth.models import User

from ledger import notes, times
from ledger.exporting import entries_of
from ledger.notes import Note, Verifier
from ledger.reading import head_of, snapshot
from ledger.signing import Keyring, hand_over, origin_of, signer
from tournament.accounts.actors import account_behind, actor_of_account
from tournament.accounts.invitations import open_invitations
from tournament.accounts.seat_links import players_at
from tournament.exchange.salon_archive import file_format
from tournament.exchange.salon_archive.rows import (
    list_checkpoint_lines,
    list_salon_lines,
    microseconds,
)
from tournament.models import EarlierActor, Membership, Salon


@dataclass(slots=True)
class _LinesWritten:
    """The digests of the lines written so far."""

    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    parts: dict[str, tuple[int, "hashlib._Hash"]] = field(default_factory=dict)

    def line(self, value: object) -> bytes:
        """A line as it stands in the file."""
        line, kind = file_format.line_of(value), file_format.KIND_OF[type(value)]
        lines, of_kind = self.parts.get(kind) or (0, hashlib.sha256())
        self.digest.update(line)
        of_kind.update(line)
        self.parts[kind] = lines + 1, of_kind
        return line

    def end(self, salon: Salon, keyring: Keyring) -> bytes:
        """The last line, signed by the key that signs now."""
        origin, (_, private) = origin_of(salon.log), signer(salon.log, keyring, now=times.now())
        text = file_format.build_signed_text(origin, self.digest.hexdigest())
        parts = tuple(
            file_format.Part(kind=kind, lines=lines, digest=of_kind.hexdigest())
            for kind, (lines, of_kind) in self.parts.items()
        )
        return file_format.line_of(
            file_format.EndLine(
                parts=parts,
                note=str(Note(text=text, signatures=(notes.sign(text, private, origin),))),
            )
        )


def archive_of(
    salon: Salon, keyring: Keyring, *, names: bool = True, successor: Verifier | None = None
) -> Iterator[bytes]:
    """The archive line by line, as far as the head of the log now; without `names` nothing in it
    says who anybody is.

    All of it is read as it was at one moment, whatever is recorded meanwhile: the lines are to be
    taken at once.

    `successor` is the key that is to sign on the other server. Raises KeyIsAway and NotHandedOver
    before the first line.
    """
    signer(salon.log, keyring, now=times.now())
    handed = (
        []
        if successor is None
        else [
            file_format.SuccessorLine(
                announcement=hand_over(salon.log, keyring, successor, now=times.now())
            )
        ]
    )
    with snapshot():
        yield from _lines(salon, keyring, names=names, handed=handed)


def _lines(
    salon: Salon, keyring: Keyring, *, names: bool, handed: Sequence[file_format.SuccessorLine]
) -> Iterator[bytes]:
    written = _LinesWritten()
    head = head_of(salon.log_id)
    first = _salon(salon, events=head.position, last=head.hash, names=names)
    actors = set[str]()
    parts = (
        list_salon_lines(salon, names=names),
        _events(salon, head.position, actors),
        _actors(salon, actors, names=names),
        _invitations(salon, names=names),
        list_checkpoint_lines(salon.log_id, head.position),
        handed,
    )
    for value in chain([first], *parts):
        yield written.line(value)
    yield written.end(salon, keyring)


def archive_name(salon: Salon) -> str:
    """Return the name of the file."""
    return f"{salon.slug}.salon.jsonl"


def _salon(salon: Salon, *, events: int, last: str, names: bool) -> file_format.SalonLine:
    return file_format.SalonLine(
        format=file_format.FORMAT,
        slug=salon.slug,
        name=salon.name,
        names=names,
        names_shown=salon.names_shown,
        forget_players_days=salon.forget_players_days,
        created_at=microseconds(salon.created_at),
        moves=salon.moves,
        log=salon.log.key,
        command_key=salon.log.command_key,
        events=events,
        hash=last,
        made_at=times.now(),
    )


def _events(salon: Salon, until: int, actors: set[str]) -> Iterator[file_format.EventLine]:
    """Every event; who acted is added to `actors`."""
    for entry in entries_of(salon.log, until=until):
        del entry["log"]
        moved = entry.pop("transfer", None)
        actors.add(entry["actor"])
        yield file_format.EventLine(
            **entry, transfer=None if moved is None else file_format.TransferLine(**moved)
        )


def _actors(salon: Salon, actors: set[str], *, names: bool) -> Iterator[file_format.ActorLine]:
    """The members, others with an account who acted, those who acted on servers before, and players
    by the link of their seat.
    """
    said = set[str]()
    for line in (
        *_members(salon),
        *_others(salon, actors),
        *_at_seats(salon, actors),
        *_earlier(salon),
    ):
        if line.actor not in said:
            said.add(line.actor)
            yield line if names else replace(line, name="", email="", role="", since=0)


def _members(salon: Salon) -> Iterator[file_format.ActorLine]:
    for row in Membership.objects.filter(salon=salon).select_related("user").order_by("pk"):
        yield file_format.ActorLine(
            actor=actor_of_account(salon, row.user_id),
            name=row.user.first_name,
            email=row.user.email or row.user.username,
            role=row.role,
            since=microseconds(row.since),
            player=row.player_id or "",
        )


def _others(salon: Salon, actors: Iterable[str]) -> Iterator[file_format.ActorLine]:
    accounts = {
        account: actor for actor in actors if (account := account_behind(salon, actor)) is not None
    }
    for user in User.objects.filter(pk__in=accounts).order_by("pk"):
        yield file_format.ActorLine(
            actor=accounts[user.pk], name=user.first_name, email="", role="", since=0, player=""
        )


def _at_seats(salon: Salon, actors: Iterable[str]) -> Iterator[file_format.ActorLine]:
    for actor, player in sorted(players_at(salon, actors).items()):
        yield file_format.ActorLine(actor=actor, name="", email="", role="", since=0, player=player)


def _earlier(salon: Salon) -> Iterator[file_format.ActorLine]:
    for row in EarlierActor.objects.filter(salon=salon).order_by("pk"):
        yield file_format.ActorLine(
            actor=row.actor, name=row.name, email="", role="", since=0, player=row.player_id or ""
        )


def _invitations(salon: Salon, *, names: bool) -> Iterator[file_format.InvitationLine]:
    rows = open_invitations().filter(salon=salon).exclude(email="").order_by("pk")
    for row in rows if names else ():
        yield file_format.InvitationLine(role=row.role, email=row.email, player=row.player_id or "")
