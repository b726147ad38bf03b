"""`manage.py demo`: a salon with a season behind it and an event in its middle, to look
around in.
"""

import time
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournament.demo.cup import play_cup
from tournament.demo.salon import find_demo, open_demo, play_season
from tournament.management.console import show_progress
from tournament.management.salon_argument import ready_database
from tournament.models import Game

GAMES = 36
SEED = 1


class Command(BaseCommand):
    """Make the salon "Demo" once; said again it only says that it is there."""

    help = (
        "Make a demo salon: invented players, a season of games, the last one still "
        "being played, and a tournament in its middle."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the size of the demo, and which event of all possible ones it is."""
        parser.add_argument(
            "--games",
            type=int,
            default=GAMES,
            help=f"how many games, one of them unfinished; {GAMES} without it",
        )
        parser.add_argument(
            "--seed", type=int, default=SEED, help="another number gives another event"
        )

    def handle(self, *, games: int, seed: int, **_options: object) -> None:
        """Open the salon, record the season and direct the event."""
        if games < 1:
            raise CommandError("A season has at least one game.")
        if games > GAMES:
            raise CommandError(f"The recorded season has {GAMES} games.")
        ready_database()
        there = find_demo()
        if there is not None:
            recorded = Game.objects.filter(salon=there).count()
            self.stdout.write(
                f"The demo salon is there already, with {recorded} games. Nothing was changed."
            )
            return
        began = time.monotonic()
        demo = open_demo()
        with show_progress("playing", games) as progress:
            play_season(demo, games=games, now=timezone.localtime(), progress=progress)
        play_cup(demo.salon, seed=seed, actor=f"user:{demo.owner.pk}")
        self.stdout.write(
            f"The demo salon is open: {games} games and an event in its third round, in "
            f"{time.monotonic() - began:.0f} s."
        )
        self.stdout.write(f"Sign in as {demo.owner.email} with the password {demo.password}")
        self.stdout.write("The password is not shown again.")
