"""The actor of an account in log entries: "user:<id>", in a salon that came from
another server "user:<id>.<moves>".

So an account of this server is never taken for one of the server before, whose ids
are in entries for ever.
"""

import re

from tournament.models import Salon

_ACCOUNT = re.compile(r"user:([1-9][0-9]{0,17})(?:\.([1-9][0-9]{0,8}))?", re.ASCII)


def actor_of_account(salon: Salon, account: int) -> str:
    """Return the actor, in entries of this salon, of the account with this id."""
    return f"user:{account}.{salon.moves}" if salon.moves else f"user:{account}"


def account_behind(salon: Salon, actor: str) -> int | None:
    """The id of the account on this server that acts as `actor` in the salon; None for any other
    actor.
    """
    found = _ACCOUNT.fullmatch(actor)
    return int(found[1]) if found is not None and int(found[2] or 0) == salon.moves else None
