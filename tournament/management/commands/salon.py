"""`manage.py salon`: open one more salon on this server."""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from tournament.opening import open_further_salon
from tournament.reporting import as_json, heard, say
from tournament.salon_prefix import address_in
from tournament.salons import database_in_words, ready_database


class Command(BaseCommand):
    """The account with the address owns the salon; without such an account a link is printed by which somebody becomes the owner."""

    help = "Open one more salon on this server. Nothing of one salon is seen in another."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Its name, and whose it is."""
        parser.add_argument("name", help="what the salon is called")
        parser.add_argument("--owner", required=True, metavar="EMAIL", help="the address of its owner")
        parser.add_argument("--json", action="store_true", help="one JSON object")

    @heard()
    @database_in_words()
    def handle(self, *, name: str, owner: str, json: bool, **_options: Any) -> None:
        """Open it, and say where it is."""
        ready_database()
        try:
            validate_email(owner)
        except ValidationError as error:
            raise CommandError(f"{owner!r} is no e-mail address.") from error
        if not name.strip() or len(name) > 120:
            raise CommandError("The salon needs a name of 1 to 120 characters.")
        salon, token = open_further_salon(" ".join(name.split()), owner, by=None)
        home, link = address_in(salon, "home"), address_in(salon, "invitation", token) if token else ""
        if json:
            say(as_json({"salon": salon.slug, "address": home, "invitation": link}))
            return
        say(f"{salon.name} is open at {home}.")
        say(f"Its owner joins at {link} within a week." if link else f"{owner.lower()} owns it.")
