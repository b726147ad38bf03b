"""`manage.py serve`: everything a salon needs, in one command."""

import sys
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from tournament.server.addresses import is_free, next_free_port, open_to
from tournament.server.banner import addresses, banner
from tournament.server.embedded_worker import AlreadyServed, hold_the_only_place, is_embedded
from tournament.server.granian import THREADS, Door, serve
from tournament.server.prepare import prepare

FIRST_PORT = 8000


class Command(BaseCommand):
    """Prepare the database and the files, then serve the salon until Ctrl-C."""

    help = "Open the salon: prepares the database, then serves it to this machine and its network."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to listen, and how wide."""
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
            default=1,
            help="web processes; more than one needs CELERY_BROKER_URL",
        )
        parser.add_argument(
            "--threads", type=int, default=THREADS, help="threads of each web process"
        )

    def handle(
        self, *, host: str, port: int | None, processes: int, threads: int, **_options: object
    ) -> None:
        """Open the door and stand in it."""
        try:
            self._serve(host, port, processes, threads)
        except KeyboardInterrupt:
            return

    def _serve(self, host: str, port: int | None, processes: int, threads: int) -> None:
        _refuse_what_memory_cannot_do(processes)
        door = Door(host=host, port=self._port(host, port), processes=processes, threads=threads)
        open_to(host)
        key = prepare()
        text = banner(addresses(host, door.port), key=key, bold=sys.stdout.isatty())
        if not serve(door, when_ready=lambda: self.stdout.write(text, ending="\n")):
            raise CommandError("The web process keeps ending. The lines above say why.")
        self.stdout.write("  Closed.")

    def _port(self, host: str, asked: int | None) -> int:
        if asked is not None and not is_free(host, asked):
            raise CommandError(
                f"Port {asked} is taken. Choose another with --port, or leave it out."
            )
        port = next_free_port(host, FIRST_PORT) if asked is None else asked
        if port is None:
            raise CommandError(
                f"Port {FIRST_PORT} and those after it are taken. Choose one with --port."
            )
        if asked is None and port != FIRST_PORT:
            self.stdout.write(f"  Port {FIRST_PORT} is taken, so this is port {port}.")
        return port


def _refuse_what_memory_cannot_do(processes: int) -> None:
    """Hints in memory reach one process only: no second one, neither here nor in another
    `serve`.
    """
    if not is_embedded():
        return
    if processes > 1:
        raise CommandError(
            "More than one web process needs a broker server: set CELERY_BROKER_URL, or "
            "leave --processes at 1."
        )
    try:
        hold_the_only_place(settings.DATA_DIR).close()
    except AlreadyServed as refusal:
        raise CommandError(str(refusal)) from refusal
