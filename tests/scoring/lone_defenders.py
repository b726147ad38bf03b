"""Games of Preference in which a defender who played alone left a trick to nobody (R12): such a
play needs a director's ruling.

The reference that counted `preference_simulated` doesn't ask a lone defender to head the soloist's
lead where no deal is written down. What such a game comes to is the same: its plays stand, each
accepted by a ruling.
"""

import re
from copy import deepcopy
from typing import Any

from scoring.errors import RuleViolation
from scoring.records import decide_record, read_record

PLAY = re.compile(r"hands\[(?P<hand>\d+)\]\.plays\[(?P<trick>\d+)\]\[1\]")
RULED = {"kind": "accept_play", "by": "Elder", "reason": "the trick was left as it was played"}


def breach_of(value: dict[str, Any]) -> RuleViolation | None:
    """The first play of a lone defender in this record that R12 refuses; nothing where there is
    none.
    """
    try:
        decide_record(read_record(value))
    except RuleViolation as refusal:
        if (refusal.code, refusal.rule) != ("must_head", "R12"):
            raise
        return refusal
    return None


def with_rulings(value: dict[str, Any]) -> dict[str, Any]:
    """The record with a ruling at each play that R12 refuses, asked for again and again; any other
    record is itself.
    """
    if value["game"] != "preference":
        return value
    ruled = deepcopy(value)
    while (refusal := breach_of(ruled)) is not None:
        place = PLAY.fullmatch(refusal.path)
        assert place is not None, refusal.path
        hand = ruled["hands"][int(place["hand"])]
        (alone,) = (seat for seat, choice in hand["defenders"].items() if choice != "out")
        hand.setdefault("rulings", []).append(
            RULED | {"trick": int(place["trick"]) + 1, "seat": alone}
        )
    return ruled
