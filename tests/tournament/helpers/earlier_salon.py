"""A salon as a version of Accord leaves it, and what it answers: made once by that version, looked
at by all later ones.

`uv run python -m tests.tournament.helpers.earlier_salon FOLDER` makes both files anew;
`samples/README.md` says by which version those were made that are kept.
"""

import json
import lzma
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

SLUG = "salon-at-border-gate"
LISTS = (
    "games",
    "tournaments",
    "seasons",
    "stocks",
    "players",
    "house",
    "ledger",
    "checkpoints",
    "tables",
)
OF_A_GAME = ("", "hands/", "confirmation/", "accounts/", "record/")
OF_A_TOURNAMENT = ("", "standings/")


def answers(client: Any) -> dict[str, Any]:
    """What the API says of the salon, by the address below it: boards, hands, standings,
    statements, checkpoints.
    """
    found = {f"{each}/": answer(client, f"{each}/?limit=100") for each in LISTS}
    for address in list(_below(found)):
        found[address] = answer(client, address)
    for address, tournament in list(found.items()):
        if address.startswith("tournaments/") and address.count("/") == 2:
            rounds = [
                f"{address}rounds/{number}/" for number in range(1, len(tournament["rounds"]) + 1)
            ]
            found |= {each: answer(client, each) for each in rounds}
    return found


def answer(client: Any, address: str) -> Any:
    """What one address of the API says."""
    response = client.get(f"/api/v1/salons/{SLUG}/{address}")
    assert response.status_code in {200, 404, 409, 422}, (address, response.status_code)
    return json.loads(response.content) if response.status_code == 200 else response.status_code


def _below(found: dict[str, Any]) -> Iterator[str]:
    for game in found["games/"]["items"]:
        yield from (f"games/{game['id']}/{each}" for each in OF_A_GAME)
    for tournament in found["tournaments/"]["items"]:
        yield from (f"tournaments/{tournament['id']}/{each}" for each in OF_A_TOURNAMENT)
    for season in found["seasons/"]["items"]:
        yield f"seasons/{season['id']}/"
    for person in found["players/"]["items"]:
        yield from (
            f"players/{person['id']}/",
            f"games/?limit=100&player={person['id']}",
            f"ledger/players/{person['id']}/",
        )
    yield from (f"checkpoints/{each['size']}/" for each in found["checkpoints/"]["items"])
    yield from ("games/?limit=100&finished=true", "game-records/?limit=100")


def main(folder: Path) -> None:
    """Play the salon in a database of its own; keep the database and what it answers."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "salon.sqlite3"
    os.environ |= {
        "DATABASE_URL": f"sqlite:///{database}",
        "ACCORD_DATA": str(folder / "data"),
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
    }
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", verbosity=0)
    from tests.tournament.helpers.earlier_play import play
    from tests.tournament.helpers.salons import owner_of

    said = answers(owner_of(play()))
    connection.close()
    with closing(sqlite3.connect(database)) as file:
        file.executescript(
            "DELETE FROM django_session; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA "
            "journal_mode = DELETE; VACUUM;"
        )
    (folder / "earlier_salon.sqlite3.xz").write_bytes(
        lzma.compress(database.read_bytes(), preset=9)
    )
    packed = json.dumps(said, sort_keys=True).encode()
    (folder / "earlier_salon.json.xz").write_bytes(lzma.compress(packed, preset=9))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
