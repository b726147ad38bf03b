"""`manage.py stock`: the order of the stock for a duplicate deal, from a seed."""

import secrets
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from scoring.games import STOCKS
from tournament.management.console import print_json, print_line, terminal_output


class Command(BaseCommand):
    """Print a seed, what to publish of it before play, and the order of the stock."""

    help = (
        "Draw (or repeat) the stock of a duplicate deal. Publish the commitment before "
        "play, and the seed after it."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The seed, and how to print."""
        parser.add_argument("--seed", help="the seed of an earlier deal; without it one is drawn")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of words")

    @terminal_output()
    def handle(self, *, seed: str | None, json: bool, **_options: object) -> None:
        """Print it; nothing is stored."""
        seed = seed or secrets.token_hex(32)
        stock = STOCKS.stock_of(seed)
        if json:
            print_json(seed=seed, commitment=STOCKS.commitment(seed), stock=stock)
            return
        print_line(f"seed (publish it after play):         {seed}")
        print_line(f"commitment (publish it before play):  {STOCKS.commitment(seed)}")
        print_line("stock, the first card dealt first:")
        for start in range(0, len(stock), 13):
            print_line("  " + " ".join(stock[start : start + 13]))
