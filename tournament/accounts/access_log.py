"""Log lines about access for operators: sign-ins, refusals, lockouts, changed keys.

Lines contain ids of accounts, addresses and names of pages, and no secret.
"""

import json
import logging
import re

LOGGER = "accord.doors"
LONGEST = 200
PLAIN = re.compile(r"[0-9A-Za-z_.:/-]+", re.ASCII)

_log = logging.getLogger(LOGGER)


def note(what: str, **said: object) -> None:
    """One line: what happened, and what is to be said of it as name=value."""
    _log.info("%s", " ".join([what, *(f"{name}={_value(value)}" for name, value in said.items())]))


def _value(value: object) -> str:
    """A value that stays in its place on its line: as it is if it is plain, else in quotes with
    everything else escaped.
    """
    text = str(value)[:LONGEST]
    return text if PLAIN.fullmatch(text) else json.dumps(text)
