"""Take a salon in from its archive: everything is checked, stored, folded and audited in one
transaction, or nothing is kept.

A server operator does it, while nobody records on an SQLite database: it is locked until the audit
has ended.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from django.db import IntegrityError, transaction
from django.db.models import Model

from ledger import chain, times, tree
from ledger.last_signed import ROLLED_BACK, accept
from ledger.models import Checkpoint, Event, Log
from ledger.notes import BadNote
from ledger.restoring import empty_log, restore_events, restore_rows
from ledger.signing import KeyIsAway, Keyring, NotHandedOver, keys_of, origin_of, renew, take_over
from tournament.accounts.invitations import Invitee, invite
from tournament.exchange.salon_archive.file_format import (
    ActorLine,
    ArchiveRefused,
    EventLine,
    InvitationLine,
    SalonLine,
    SuccessorLine,
)
from tournament.exchange.salon_archive.read import entry_of, lines_of
from tournament.exchange.salon_archive.rows import row_of
from tournament.integrity.audit import audit
from tournament.integrity.signing_keys import accept as vouch_for
from tournament.models import Membership, Player, Salon, new_id
from tournament.projections.rebuild import differences
from tournament.recording.house_rules import reopen_salon
from tournament.recording.name_digests import tell_what_stayed_behind
from tournament.recording.wake_workers import hint
from tournament.salons.prefix import NO_SLUGS
from tournament.streams.correction_period import house_of

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,64}", re.ASCII)
ACTOR = "command-line"
PASSES = 5  # each event is checked, stored, and read three times by the audit

type Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """Somebody who was a member and is invited to be one again; `token` is that of the link."""

    role: str
    name: str
    email: str
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """The outcome of an import: `imported`, `unchanged` where the salon was here already, or
    `sound` after a dry run.

    `key_begun` says that the private key of the salon was not here, so that a new one signs from
    now on. `key` is the one that signed the archive, `proven` whether a key that was given is that
    one or leads to it.
    """

    outcome: str
    name: str
    slug: str
    events: int
    key_begun: bool = False
    key: str = ""
    proven: bool = False
    invited: tuple[Invited, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Choices of the operator: another slug ("" for the salon's own), an owner's address ("" where
    the archive has one), nothing kept.

    `accept_rollback` takes in an archive that is older than what was signed on this very server.
    With `keys` one of them has to have signed the archive, or to lead to the key that did.
    """

    slug: str = ""
    owner: str = ""
    dry_run: bool = False
    accept_rollback: bool = False
    keys: tuple[str, ...] = ()


def take_in(
    path: Path, keyring: Keyring, wishes: Wishes, *, progress: Progress = lambda done, total: None
) -> TakenIn:
    """The salon of an archive on this server. Raises ArchiveRefused, OSError, and what making a key
    raises.
    """
    with path.open("rb") as file:
        salon, owned = _check_archive(file, progress)
        there = _there(salon)
        if there is not None:
            return TakenIn(
                outcome="unchanged", name=there.name, slug=there.slug, events=salon.events
            )
        slug = _slug(salon, wishes.slug)
        if not owned and not wishes.owner:
            raise ArchiveRefused("no_owner", "the archive names no owner: say --owner EMAIL")
        file.seek(0)
        try:
            with transaction.atomic():
                taken = _restore_archive(file, salon, slug, keyring, wishes, progress)
                transaction.set_rollback(wishes.dry_run)
        except IntegrityError as refused:
            message = (
                f"something of this salon is here already, in another one: "
                f"{str(refused).partition(chr(10))[0]}"
            )
            raise ArchiveRefused("ids_taken", message) from refused
    if wishes.accept_rollback and not wishes.dry_run:
        _accept_rollback(salon.log, keyring)
    return taken


def _accept_rollback(key: str, keyring: Keyring) -> None:
    """Let an older archive go on, where one came: only now, since before anything could still have
    been refused.
    """
    log = Log.objects.get(key=key)
    with suppress(LookupError):
        accept(log, origin_of(log), keyring.memory, now=times.now())


def _check_archive(file: BinaryIO, progress: Progress) -> tuple[SalonLine, bool]:
    """The first line of an archive that was read to its end, and whether it names an owner."""
    read = lines_of(file)
    salon, owned = next(read), False
    for value in _with_progress(read, salon.events, 0, progress):
        owned = owned or (_is_to_come(value) and value.role == Membership.Role.OWNER)
    return salon, owned


def _there(line: SalonLine) -> Salon | None:
    """The salon, where it is here with all that the archive has. Raises ArchiveRefused `behind`,
    `other_history`.
    """
    log = Log.objects.filter(key=line.log).first()
    if log is None:
        return None
    if log.position < line.events:
        message = (
            f"this salon is here with {log.position} events, and the archive has "
            f"{line.events}: nothing is added to a salon"
        )
        raise ArchiveRefused("behind", message)
    begun = chain.genesis(log.key, log.command_key)
    here = (
        Event.objects.filter(log=log, position=line.events).values_list("hash", flat=True).first()
        if line.events
        else begun
    )
    if here != line.hash:
        raise ArchiveRefused(
            "other_history",
            f"this salon is here, and its event {line.events} is not the one of the archive",
        )
    return Salon.objects.get(log=log)


def _slug(line: SalonLine, wanted: str) -> str:
    slug = wanted or line.slug
    if not SLUG.fullmatch(slug):
        raise ArchiveRefused(
            "slug_taken", f"{slug!r} is no slug: 1 to 64 letters, digits, - and _", path="--slug"
        )
    if slug in NO_SLUGS or Salon.objects.filter(slug=slug).exists():
        raise ArchiveRefused(
            "slug_taken",
            f"there is another salon {slug!r} on this server: give a slug with --slug",
            path="--slug",
        )
    return slug


def _restore_archive(
    file: BinaryIO, line: SalonLine, slug: str, keyring: Keyring, wishes: Wishes, progress: Progress
) -> TakenIn:
    """The salon with all its rows, folded and audited."""
    salon, people, handed = _new_salon(line, slug), list[ActorLine | InvitationLine](), ""
    values = _with_progress(lines_of(file), line.events, 1, progress)
    next(values)
    for shape, of_one in groupby(values, key=type):
        if shape is EventLine:
            restore_events(salon.log_id, map(entry_of, of_one))
        elif shape is SuccessorLine:
            handed = next(of_one).announcement
        else:
            restore_rows(_rows(salon, line, of_one, people))
    _fold(salon)
    _reopen(salon)
    tell_what_stayed_behind(salon, names=line.names)
    signed_by = keys_of(salon.log_id)[-1].verifier.vkey
    key_begun = not wishes.dry_run and _key_begun(salon.log, keyring, handed)
    brought = [key.verifier.vkey for key in keys_of(salon.log_id)]
    believed = brought
    if wishes.keys:
        _check_keys(wishes.keys, brought[:-1] if key_begun else brought)
        # What the salon begins here is this server's own.
        believed = [*wishes.keys, *(brought[-1:] if key_begun else ())]
    _audit_restored(salon, believed, progress, accept_rollback=wishes.accept_rollback)
    if not wishes.dry_run:
        vouch_for(*brought)
    invited = tuple(_invite_people(salon, people, wishes.owner))
    hint(salon.log_id)
    outcome = "sound" if wishes.dry_run else "imported"
    return TakenIn(
        outcome=outcome,
        name=salon.name,
        slug=slug,
        events=line.events,
        key_begun=key_begun,
        key=signed_by,
        proven=bool(wishes.keys),
        invited=invited,
    )


def _check_keys(given: Collection[str], brought: Collection[str]) -> None:
    """Raise ArchiveRefused where no key that was given is one of the salon's."""
    if not {*given} & {*brought}:
        raise ArchiveRefused(
            "another_key",
            "none of the keys that were given is a key of this salon: it is another one, or "
            "somebody signed it anew",
            path="--key",
        )


def _new_salon(line: SalonLine, slug: str) -> Salon:
    salon = Salon.objects.create(
        slug=slug,
        name=line.name,
        names_shown=line.names_shown,
        forget_players_days=line.forget_players_days,
        log=empty_log(line.log, line.command_key),
        moves=line.moves + 1,
    )
    Salon.objects.filter(pk=salon.pk).update(created_at=times.moment(line.created_at))
    return salon


def _with_progress(
    values: Iterator[object], events: int, passed: int, progress: Progress
) -> Iterator[Any]:
    """The same values; `progress` is told of the events among them, `passed` passes over all having
    been made before.
    """
    for value in values:
        if isinstance(value, EventLine) and not value.position % 1000:
            progress(passed * events + value.position, PASSES * events)
        yield value


def _rows(
    salon: Salon, line: SalonLine, values: Iterable[Any], people: list[ActorLine | InvitationLine]
) -> Iterator[Model]:
    """The rows of these lines; whoever is to come is added to `people`."""
    for value in values:
        if _is_to_come(value):
            people.append(value)
        if not isinstance(value, InvitationLine):
            yield row_of(salon, value, events=line.events)


def _fold(salon: Salon) -> None:
    """Every row that follows from the events, and the tiles of their tree."""
    unmended = [
        each
        for each in differences(salon, mend=True, progress=lambda done: None)
        if not each.mended
    ]
    if unmended:
        raise ArchiveRefused("unsound", unmended[0].message, path=unmended[0].key)
    last = (
        Checkpoint.objects.filter(log=salon.log_id)
        .order_by("-size")
        .values_list("size", flat=True)
        .first()
    )
    tree.grow(salon.log_id, last or 0)


def _reopen(salon: Salon) -> None:
    """Record again, by a further fact, where the salon was closed on the server before."""
    house = house_of(salon)
    if house.moved_to:
        reopen_salon(salon, reason="", actor=ACTOR, command=new_id(), version=house.version)


def _key_begun(log: Log, keyring: Keyring, handed: str) -> bool:
    """Whether a key had to be begun that nobody announced, since the private part of the last one
    is not here.

    Raises ArchiveRefused for a key that was announced to follow it, and is not here or not the
    next.
    """
    if handed:
        try:
            take_over(log, keyring, handed)
        except (KeyIsAway, BadNote, NotHandedOver) as refused:
            raise ArchiveRefused("not_handed_over", str(refused), path="successor") from refused
        return False
    keys = keys_of(log.pk)
    if keyring.find(keys[-1].verifier.public, origin_of(log)) is not None:
        return False
    renew(log, keyring, now=times.now(), lost=True)
    return True


def _audit_restored(
    salon: Salon, keys: Collection[str], progress: Progress, *, accept_rollback: bool
) -> None:
    """Raises ArchiveRefused `unsound` for whatever an audit finds, `older_than_signed` where that
    can be accepted.
    """
    report = audit(
        salon,
        keys=keys,
        progress=lambda done, total: progress(2 * total // 3 + done, PASSES * total // 3),
    )
    found = [each for each in report.findings if each.kind != ROLLED_BACK]
    if found:
        first = found[0]
        more = f" (and {len(found) - 1} more findings)" if len(found) > 1 else ""
        raise ArchiveRefused("unsound", f"{first.message}{more}", path=f"{first.table} {first.row}")
    older = [each for each in report.findings if each.kind == ROLLED_BACK]
    if older and not accept_rollback:
        message = f"{older[0].message.partition('. ')[0]}; if that is meant, say --accept-rollback"
        raise ArchiveRefused("older_than_signed", message, path="events")


def _is_to_come(value: object) -> bool:
    """Whether a line is about somebody who was a member, or was to be one, and can be invited."""
    return isinstance(value, ActorLine | InvitationLine) and bool(value.email and value.role)


def _invite_people(
    salon: Salon, people: Iterable[ActorLine | InvitationLine], owner: str
) -> Iterator[Invited]:
    """Everybody who is to come, invited once, and one more owner where an address is given."""
    wanted: dict[str, ActorLine | InvitationLine] = {}
    if owner:
        wanted[owner] = InvitationLine(role=Membership.Role.OWNER, email=owner, player="")
    for each in people:
        wanted.setdefault(each.email.lower(), each)
    for email, each in wanted.items():
        player = Player.objects.filter(salon=salon, pk=each.player).first() if each.player else None
        _row, token = invite(salon, Invitee(role=each.role, player=player, email=email), by=None)
        yield Invited(role=each.role, name=getattr(each, "name", ""), email=email, token=token)
