"""`manage.py erase`: take a person's name and the words that name them out of a salon, and show
that its chain still holds.
"""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from ledger.reading import any_text, head_of
from ledger.verify import verify_log
from tournament.management.console import print_json, print_line, show_progress
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Salon
from tournament.privacy import erasure

ACTOR = "cli"


class Command(SalonCommand):
    """Without --yes nothing is erased: it says what would be."""

    help = (
        "Erase a person: the name, the account, and notes and reasons that hold the "
        "name. Results and chips stay, under a pseudonym."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the player, the salon, and the confirmation."""
        parser.add_argument("player", metavar="NAME", help="the player's name or id")
        add_salon(parser)
        parser.add_argument("--yes", action="store_true", help="erase; it can't be undone")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(
        self, *, player: str, salon: str | None, yes: bool, json: bool, **_options: object
    ) -> None:
        """Erase, then hash the chain again."""
        place = the_salon(salon)
        found = erasure.player_called(place, player)
        if found is None:
            raise CommandError(f"The salon has no player {player!r}.")
        try:
            erasure.refuse_owners(found)
        except erasure.CannotErase as owner:
            raise CommandError(str(owner)) from owner
        if not yes:
            texts = erasure.texts_naming(found)
            for text in texts:
                print_line(f"would go: {text.text}")
            raise CommandError(
                f"{found.name} and {len(texts)} texts would be erased for ever; say --yes to do it."
            )
        erased = erasure.erase(found, actor=ACTOR)
        faults, entries = _chain_faults(place), head_of(place.log_id).position
        if json:
            print_json(
                player=erased.player,
                pseudonym=erased.pseudonym,
                texts=erased.texts,
                entries=entries,
                faults=faults,
            )
        else:
            print_line(
                f"Erased: the player is called {erased.pseudonym} now, and {erased.texts} texts "
                f"are gone."
            )
            verdict = f"has {faults} faults: see manage.py audit" if faults else "holds as before"
            print_line(f"The chain of {entries} lines {verdict}.")
            print_line("Backups and files that were made before still hold the name.")


def _chain_faults(salon: Salon) -> int:
    with (
        show_progress(
            f"hashing the log of {salon.slug}", head_of(salon.log_id).position
        ) as progress,
        any_text(),
    ):
        return sum(
            1
            for _ in verify_log(
                salon.log_id, full=False, progress=lambda done, total: progress(done)
            )
        )
