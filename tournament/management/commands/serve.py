"""`manage.py serve`: everything a salon needs, in one command."""

import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from functools import partial

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from tournament.server.environment.addresses import is_free, next_free_port, open_to
from tournament.server.environment.prepare import prepare
from tournament.server.process import https_setup
from tournament.server.process.banner import addresses, banner
from tournament.server.process.embedded_worker import AlreadyServed, beside, is_embedded, only_place
from tournament.server.process.granian import THREADS, Door, serve, web_processes
from tournament.server.process.https_setup import FIRST_PORT as SECURE_PORT
from tournament.server.process.https_setup import (
    Secured,
    both_doors,
    first_plain_port,
    prepare_https,
    trust_address,
    words,
)
from tournament.server.tls.certificates import UnusableCertificate

FIRST_PORT = 8000


class Command(BaseCommand):
    """Prepare the database and the files, then serve the salon until Ctrl-C."""

    help = "Open the salon: prepares the database, then serves it to this machine and its network."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the address to listen at, and the sizes of the server."""
        parser.add_argument(
            "--host",
            default="0.0.0.0",  # noqa: S104
            help="the address to listen at; 0.0.0.0, the default, is all of them",
        )
        parser.add_argument(
            "--port",
            type=int,
            help="the port to listen at; without it 8000, or the next one that is free",
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=web_processes(),
            help="web processes; without it as many as this machine has cores, four at most",
        )
        parser.add_argument(
            "--threads", type=int, default=THREADS, help="threads of each web process"
        )
        https_setup.add_arguments(parser)

    def handle(
        self,
        *,
        host: str,
        port: int | None,
        plain_port: int | None,
        processes: int,
        threads: int,
        https: bool,
        certificate: str,
        key: str,
        **_options: object,
    ) -> None:
        """Open the door and stand in it."""
        try:
            secure = prepare_https(host, https=https, certificate=certificate, key=key)
            found = self._port(host, port, SECURE_PORT if secure else FIRST_PORT)
            door = Door(
                host=host,
                port=found,
                processes=processes,
                threads=threads,
                certificate=secure.files if secure else None,
            )
            self._serve(door, secure, plain_port)
        except UnusableCertificate as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(
                f"The salon can't be opened: {error.strerror or error} ({error.filename}). Is the "
                f"disk read-only or full?"
            ) from error
        except DatabaseError as error:
            raise CommandError(
                f"The salon can't be opened: its database can't be used ({error}). If the file is "
                f"damaged, manage.py restore puts a backup in its place; if the disk is read-only "
                f"or full, make room or let it be written."
            ) from error
        except KeyboardInterrupt:
            return

    def _serve(self, door: Door, secure: Secured | None, plain_port: int | None) -> None:
        with ExitStack() as open_with:
            if is_embedded():
                try:
                    open_with.enter_context(only_place(settings.DATA_DIR))
                except AlreadyServed as refusal:
                    raise CommandError(str(refusal)) from refusal
            open_to(door.host)
            say = partial(banner, key=prepare(), bold=sys.stdout.isatty())
            if secure is None:
                text = say(addresses(door.host, door.port))
            else:
                first = first_plain_port(door.port)
                plain = self._port(door.host, plain_port, first, option="--plain-port")
                open_with.enter_context(both_doors(secure, door, plain))
                text = say(
                    addresses(door.host, door.port, scheme="https", name=secure.name),
                    more=words(secure, door.host, plain),
                    first=trust_address(door.host, plain) if secure.own_authority else "",
                )
            if is_embedded():
                open_with.enter_context(beside())
            if not serve(door, when_ready=lambda: self.stdout.write(text, ending="\n")):
                raise CommandError("The web process keeps ending. The lines above say why.")
        self.stdout.write("  Closed.")

    def _port(self, host: str, asked: int | None, first: int, *, option: str = "--port") -> int:
        if asked is not None and not is_free(host, asked):
            raise CommandError(
                f"Port {asked} is taken. Choose another with {option}, or leave it out."
            )
        port = next_free_port(host, first) if asked is None else asked
        if port is None:
            raise CommandError(
                f"Port {first} and those after it are taken. Choose one with {option}."
            )
        if asked is None and port != first:
            self.stdout.write(f"  Port {first} is taken, so this is port {port}.")
        return port
