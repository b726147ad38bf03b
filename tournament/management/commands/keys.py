"""`manage.py keys`: the public keys that sign a salon's checkpoints, and a new one."""

from argparse import ArgumentParser
from itertools import zip_longest

from django.core.management.base import CommandError

from ledger import times
from ledger.last_signed import Inconsistent, accept
from ledger.signing import KeyIsAway, keys_of, origin_of, renew
from tournament.integrity.signing_keys import NoFreshKey, load_keyring, open_signed_last
from tournament.integrity.signing_keys import accept as vouch_for
from tournament.management.console import STDERR, print_json, print_line
from tournament.management.salon_argument import SalonCommand, add_salon, the_salon
from tournament.models import Salon


class Command(SalonCommand):
    """Keys are public here: what signs lies in a file or in SIGNING_KEY."""

    help = (
        "List the public keys that sign the salon's checkpoints; --renew begins a new "
        "one that the old one announces."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which salon, and whether to begin a key."""
        add_salon(parser)
        parser.add_argument(
            "--renew", action="store_true", help="begin a new key; the one before it announces it"
        )
        parser.add_argument(
            "--lost",
            action="store_true",
            help="with --renew: the private key is lost, so nothing announces the new one",
        )
        parser.add_argument(
            "--accept-rollback",
            action="store_true",
            help=(
                "an older copy was restored on purpose: sign on from what there is; every audit "
                "tells it from now on"
            ),
        )
        parser.add_argument(
            "--accept-key",
            metavar="KEY",
            nargs="+",
            action="extend",
            default=[],
            help="vouch for a key of the salon that no key before it announced",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object a key")

    def handle(
        self,
        *,
        salon: str | None,
        renew: bool,
        lost: bool,
        accept_rollback: bool,
        accept_key: list[str],
        json: bool,
        **_options: object,
    ) -> None:
        """Begin a key where it is asked for, then list all."""
        place = the_salon(salon)
        if lost and not renew:
            raise CommandError("--lost goes with --renew.")
        if accept_rollback:
            _accept_rollback(place)
        if renew:
            _renew(place, lost=lost)
        keys = keys_of(place.log_id)
        _accept_keys(accept_key, [key.verifier.vkey for key in keys])
        for key, later in zip_longest(keys, keys[1:]):
            span = {"after": key.after, "until": later.after if later else None}
            if json:
                print_json(
                    number=key.number, vkey=key.verifier.vkey, **span, announcement=key.announcement
                )
            else:
                until = f" to {later.after}" if later else ""
                print_line(
                    f"key {key.number}, checkpoints above {key.after}{until} lines: "
                    f"{key.verifier.vkey}"
                )
        if not keys and not json:
            print_line(f"{origin_of(place.log)} has no key yet; the first checkpoint makes one.")


def _accept_rollback(place: Salon) -> None:
    try:
        last = accept(place.log, origin_of(place.log), open_signed_last(), now=times.now())
    except LookupError as none:
        raise CommandError(f"There is nothing to accept: {none}.") from none
    STDERR.print(
        f"{place.slug}: {last.size} lines were signed here; from now on what the log "
        f"holds now is signed instead."
    )


def _accept_keys(given: list[str], known: list[str]) -> None:
    for vkey in given:
        if vkey not in known:
            raise CommandError(
                f"{vkey} is no key of this salon; name one as it is listed: name+id+key."
            )
    vouch_for(*given)


def _renew(place: Salon, *, lost: bool) -> None:
    try:
        key = renew(place.log, load_keyring(), now=times.now(), lost=lost)
        if lost:
            vouch_for(key.verifier.vkey)
    except KeyIsAway as away:
        raise CommandError(
            f"{str(away).capitalize()}; put its file or secret back, or say --lost."
        ) from away
    except (NoFreshKey, Inconsistent, ValueError) as refused:
        raise CommandError(f"{refused}.") from refused
