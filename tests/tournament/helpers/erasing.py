"""Someone whose name is in every place of a record, to be erased."""

from typing import Any

from tests.tournament.helpers.tables import everything

NAME = "Zebulon Quirke"


def record_of(identity: str = "everything") -> dict[str, Any]:
    """The record with everything in it, with this person in the place of Ash."""
    record = everything() | {"id": identity, "note": f"{NAME} came late"}
    record["players"] = record["players"] | {"N": NAME}
    record["hands"][0]["note"] = f"spoke to {NAME.upper()}, who agreed"
    record["hands"][1]["note"] = "the Quirkes are many"
    record["hands"][3]["players"]["W"] = NAME
    return record
