"""`manage.py salon`: open one more on this server, close one that moves, write a whole one into a
file, take one in.
"""

import os
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from ledger import times
from ledger.checkpoints import make
from ledger.drafts import StreamMoved
from ledger.notes import BadNote, Verifier, read_vkey, verifier
from ledger.reading import head_of
from ledger.signing import NotHandedOver
from scoring.errors import Refusal
from scoring.shape import JsonObject
from tournament.exchange.salon_archive.file_format import ArchiveRefused
from tournament.exchange.salon_archive.read_again import check_written
from tournament.exchange.salon_archive.restore import TakenIn, Wishes, take_in
from tournament.exchange.salon_archive.write import archive_of
from tournament.integrity.signing_keys import NOT_SIGNED, NoFreshKey, load_keyring
from tournament.management.console import (
    as_json,
    explain_refusal,
    print_json,
    print_line,
    refused,
    show_progress,
    write_lines,
)
from tournament.management.salon_argument import SalonCommand, add_salon, check_address, the_salon
from tournament.models import Salon, new_id
from tournament.recording.house_rules import move_salon, reopen_salon
from tournament.salons.prefix import address_in
from tournament.server.environment.first_owner import open_further_salon
from tournament.server.environment.secret_file import settle
from tournament.streams.correction_period import house_of

ACTOR = "command-line"
ORIGIN = re.compile(r"accord/[0-9a-f]{32}")
PROVEN = "The key that was given signed it, or leads to the key that did: {key}"
NOT_PROVEN = (
    "Its keys came with the archive, so nothing proves that nobody wrote and signed it anew: "
    "compare {key} with the key that the salon showed before, or give that one with --key."
)
WORDS = {
    "imported": "{name} is here as {slug}, with {events} events, every one of them checked.",
    "unchanged": (
        "{name} is here already as {slug}, with all {events} events of the archive. "
        "Nothing was changed."
    ),
    "sound": (
        "{name} could be imported as {slug}: {events} events and all that was signed "
        "hold. Nothing was kept."
    ),
}


class Command(SalonCommand):
    """Import: exit status 1 and nothing kept when anything of the archive is not as it was
    written.
    """

    help = (
        "Open one more salon on this server, write a whole salon into a file, or take "
        "one in from such a file."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what to do, and with what."""
        what = parser.add_subparsers(
            dest="what", required=True, metavar="open|move|reopen|key|export|import"
        )
        opening = what.add_parser(
            "open", help="open one more salon; nothing of one salon is seen in another"
        )
        opening.add_argument("name", help="what the salon is called")
        opening.add_argument(
            "--owner",
            required=True,
            metavar="EMAIL",
            help="the address of its owner, who is invited",
        )
        opening.add_argument("--json", action="store_true", help="one JSON object")
        exporting = what.add_parser(
            "export", help="write all of a salon into a file; keep the file like a backup"
        )
        exporting.add_argument("file", type=Path, metavar="FILE", help="where to")
        add_salon(exporting)
        exporting.add_argument(
            "--to",
            default="",
            metavar="KEY",
            help="what `salon key` printed on the other server: it will sign next",
        )
        exporting.add_argument(
            "--without-names",
            action="store_true",
            help="leave out names, addresses and what people wrote",
        )
        moving = what.add_parser(
            "move", help="record nothing more here, since the salon goes on at another place"
        )
        moving.add_argument("place", metavar="ADDRESS", help="where it goes on")
        reopening = what.add_parser("reopen", help="record here again")
        key = what.add_parser(
            "key",
            help="make the key by which a salon signs once it is here, and print its public side",
        )
        key.add_argument(
            "origin", metavar="ORIGIN", help="the salon's name as its keys have it: accord/…"
        )
        for closing in (moving, reopening):
            add_salon(closing)
            closing.add_argument("--reason", default="", help="why; it stands in the history")
        importing = what.add_parser(
            "import", help="take a salon in; the same one again changes nothing"
        )
        importing.add_argument(
            "file", type=Path, metavar="FILE", help="a file that `salon export` wrote"
        )
        importing.add_argument(
            "--slug",
            default="",
            metavar="SLUG",
            help="what it has in addresses here; without it what it had",
        )
        importing.add_argument(
            "--owner", default="", metavar="EMAIL", help="one more owner to be invited"
        )
        importing.add_argument(
            "--key",
            action="extend",
            nargs="+",
            default=[],
            metavar="KEY",
            help="a key of the salon as it showed it itself, which has to have signed the "
            "archive or to lead to the key that did",
        )
        importing.add_argument(
            "--dry-run", action="store_true", help="check all of it and keep nothing"
        )
        importing.add_argument(
            "--accept-rollback",
            action="store_true",
            help="take it in although this server has signed more of this salon; audits say so",
        )
        importing.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, *, what: str, **options: Any) -> None:  # noqa: ANN401 - each word has options of its own
        """Open, export or import."""
        if what == "open":
            _open(options["name"], options["owner"], json=options["json"])
        elif what in {"move", "reopen"}:
            _move_or_reopen(the_salon(options["salon"]), options.get("place"), options["reason"])
        elif what == "export":
            _export(
                the_salon(options["salon"]),
                options["file"],
                names=not options["without_names"],
                successor=_key(options["to"]) if options["to"] else None,
            )
        elif what == "key":
            _new_key(options["origin"])
        else:
            owner = options["owner"].strip().lower()
            wishes = Wishes(
                slug=options["slug"],
                owner=owner,
                dry_run=options["dry_run"],
                accept_rollback=options["accept_rollback"],
                keys=tuple(_key(each).vkey for each in options["key"]),
            )
            _import(options["file"], wishes, json=options["json"])


def _open(name: str, owner: str, *, json: bool) -> None:
    """Open it, and say where it is."""
    check_address(owner)
    if not name.strip() or len(name) > 120:
        raise CommandError("The salon needs a name of 1 to 120 characters.")
    salon, _made, token = open_further_salon(" ".join(name.split()), owner, by=None)
    home, link = address_in(salon, "home"), address_in(salon, "invitation", token)
    if json:
        print_json(salon=salon.slug, address=home, invitation=link)
        return
    print_line(f"{salon.name} is open at {home}.")
    print_line(
        f"{owner.strip().lower()} joins as its owner at {link} within a week, with an "
        f"account there is or a new one."
    )


def _move_or_reopen(salon: Salon, place: str | None, reason: str) -> None:
    """Close or open the record by a fact of the house."""
    claim: JsonObject = {
        "reason": reason,
        "actor": ACTOR,
        "command": new_id(),
        "version": house_of(salon).version,
    }
    try:
        if place is None:
            reopen_salon(salon, **claim)
        else:
            move_salon(salon, place, **claim)
    except (Refusal, StreamMoved) as refusal:
        raise CommandError(f"Nothing was recorded: {refusal}.") from refusal
    print_line(
        f"{salon.name} records here again."
        if place is None
        else f"Nothing more is recorded in {salon.name} here: now export it."
    )


def _key(written: str) -> Verifier:
    """The public key of this text. Raises CommandError."""
    try:
        return read_vkey(written)
    except BadNote as fault:
        raise CommandError(f"{written!r} is no key: {fault}.") from fault


def _new_key(origin: str) -> None:
    """Keep a private key for a salon that is to come, and say what its public side is."""
    if not ORIGIN.fullmatch(origin):
        raise CommandError(
            "A salon's name is written accord/ and 32 hexadecimal digits, as its "
            "checkpoints have it."
        )
    try:
        private = load_keyring().new(origin, frozenset())
    except (NoFreshKey, ValueError) as refusal:
        raise CommandError(f"No key can be made: {refusal}.") from refusal
    print_line(verifier(private, origin).vkey)


def _export(salon: Salon, path: Path, *, names: bool, successor: Verifier | None) -> None:
    """Sign what there is now, write, and read it again; a file that can't be taken in, or was begun
    and couldn't be ended is taken away.
    """
    try:
        make(salon.log, load_keyring(), now=times.now())
        _write(salon, path, names=names, successor=successor)
    except (*NOT_SIGNED, NotHandedOver) as refusal:
        raise CommandError(f"No archive can be signed: {refusal}.") from refusal
    except ArchiveRefused as unsound:
        raise CommandError(
            f"The file that was written can't be taken in anywhere, and was taken away: "
            f"{unsound}. Run an audit."
        ) from unsound
    except OSError as error:
        raise CommandError(f"{path} can't be written: {error.strerror}.") from error
    print_line(
        f"{path}: all of {salon.name}. Whoever has it can read all that the salon keeps to itself."
    )


def _write(salon: Salon, path: Path, *, names: bool, successor: Verifier | None) -> None:
    begun = path.with_name(f"{path.name}.part")
    try:
        with (
            begun.open("wb") as file,
            show_progress(f"writing {path.name}", head_of(salon.log_id).position) as progress,
        ):
            begun.chmod(0o600)
            lines = archive_of(salon, load_keyring(), names=names, successor=successor)
            write_lines(file, lines, progress)
            file.flush()
            os.fsync(file.fileno())
        check_written(begun)
        begun.replace(path)
        settle(path.parent)
    finally:
        begun.unlink(missing_ok=True)


def _import(path: Path, wishes: Wishes, *, json: bool) -> None:
    if wishes.owner:
        check_address(wishes.owner)
    try:
        with show_progress(f"reading {path.name}", 100) as progress:
            taken = take_in(
                path,
                load_keyring(),
                wishes,
                progress=lambda done, total: progress(100 * done // max(total, 1)),
            )
    except ArchiveRefused as refusal:
        print_line(
            as_json(refused(None, refusal)) if json else explain_refusal(str(path), None, refusal)
        )
        raise SystemExit(1) from refusal
    except (NoFreshKey, ValueError) as refusal:
        raise CommandError(f"No key can be begun: {refusal}.") from refusal
    except OSError as error:
        raise CommandError(f"{path} can't be read: {error.strerror}.") from error
    print_line(as_json(_as_value(taken)) if json else _in_words(taken))


def _as_value(taken: TakenIn) -> dict[str, object]:
    links = [
        {
            "role": each.role,
            "name": each.name,
            "email": each.email,
            "link": _link(taken, each.token),
        }
        for each in taken.invited
    ]
    return {
        "outcome": taken.outcome,
        "salon": taken.slug,
        "events": taken.events,
        "key_begun": taken.key_begun,
        "key": taken.key,
        "proven": taken.proven,
        "invitations": links,
    }


def _in_words(taken: TakenIn) -> str:
    said = [
        WORDS[taken.outcome].format(name=taken.name, slug=taken.slug, events=f"{taken.events:,}")
    ]
    if taken.outcome == "imported":
        said += [
            (
                f"Invited within a week, as {each.role}: {each.name} {each.email} "
                f"{_link(taken, each.token)}"
            )
            for each in taken.invited
        ]
    if taken.key:
        said.append((PROVEN if taken.proven else NOT_PROVEN).format(key=taken.key))
    if taken.key_begun:
        said.append(
            "Its private key is not on this machine: a new key signs from now on, and every "
            "audit says so."
        )
    return "\n".join(said)


def _link(taken: TakenIn, token: str) -> str:
    salon = Salon.objects.filter(slug=taken.slug).first()
    return address_in(salon, "invitation", token) if salon is not None else ""
