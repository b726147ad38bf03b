"""`manage.py export`: the salon's games as canonical records, one a line."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.db.models import Q

from tournament.exchange.game_records import export_games
from tournament.management.console import as_json, print_line
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Game
from tournament.salons.public_names import Audience


class Command(SalonCommand):
    """Print recorded games in the order recorded."""

    help = "Print the salon's games as salon-record/1, one a line, in the order recorded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which games of which salon."""
        parser.add_argument(
            "ids", nargs="*", metavar="ID", help="ids of games; without any all of them"
        )
        add_salon(parser)

    def handle(self, *, ids: list[str], salon: str | None, **_options: object) -> None:
        """Print one game after another."""
        place = the_salon(salon)
        known = dict(
            Game.objects.filter(Q(record__in=ids) | Q(pk__in=ids), salon=place).values_list(
                "pk", "record"
            )
        )
        missing = [
            identity for identity in ids if identity not in known and identity not in known.values()
        ]
        if missing:
            raise CommandError(f"The salon has no game {missing[0]!r}.")
        nothing = [
            row.record for row in Game.objects.filter(pk__in=known, salon=place) if row.not_played
        ]
        if nothing:
            raise CommandError(f"The game {nothing[0]!r} was not played; there is no record of it.")
        for record in export_games(
            place, [known.get(identity, identity) for identity in ids], Audience.SALON
        ):
            print_line(as_json(record))
