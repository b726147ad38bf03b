"""All subjects of a tournament; `decide`, `evolve`, `events` and `read_commands` come of them."""

from tournament.domain.tournament import (
    byes,
    clock,
    draws,
    ended_games,
    entries,
    games,
    lifecycle,
    penalties,
    presence,
    results,
    rounds,
    short_addresses,
    singles,
    stage,
    substitutes,
    swaps,
)

SUBJECTS = (
    stage.SUBJECT,
    lifecycle.SUBJECT,
    short_addresses.SUBJECT,
    entries.SUBJECT,
    singles.SUBJECT,
    presence.SUBJECT,
    byes.SUBJECT,
    substitutes.SUBJECT,
    draws.SUBJECT,
    swaps.SUBJECT,
    rounds.SUBJECT,
    clock.SUBJECT,
    games.SUBJECT,
    ended_games.SUBJECT,
    results.SUBJECT,
    penalties.SUBJECT,
)
