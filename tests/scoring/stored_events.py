"""Facts as the log stores them, and the shapes in which they were ever stored."""

import json
from pathlib import Path
from typing import Any

from scoring.stored_facts import StoredFact
from tournament.streams.codec import encode, find_stored_name

# One line for each event: its stored name and schema, a space, its body. Lines are added, never
# changed: a changed shape is a new schema, with an upcaster from the old one where a default does
# not stand for what is new.
STORED = dict(
    line.split(" ", 1)
    for line in (Path(__file__).parent / "stored_bodies.txt").read_text().splitlines()
)


def stored_facts(events: list[Any]) -> list[StoredFact]:
    return [StoredFact(*find_stored_name(event), json.loads(encode(event))) for event in events]
