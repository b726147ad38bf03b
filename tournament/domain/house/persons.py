"""Two records of one person: merged, so that one of them stands for both, and separated again."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.errors import RuleViolation
from tournament.domain.same_fields import build_from

type Merged = tuple[tuple[str, str], ...]  # (merged player, the player that stands for them) pairs


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsMerged:
    """Everything of the player `merged` belongs to `player` from here on; `reason` is a digest, ""
    for none.
    """

    player: str
    merged: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsSeparated:
    """The player `merged` is a person of their own again; `reason` is a digest, "" for none."""

    merged: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePersons:
    """Let `player` stand for `merged`, too; `reason` may be ""."""

    player: str
    merged: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeparatePersons:
    """Let `merged` be a person of their own again; `reason` may be ""."""

    merged: str
    reason: str


type Event = PersonsMerged | PersonsSeparated
type Command = MergePersons | SeparatePersons

SHAPES: dict[tuple[str, int], type[Event]] = {
    ("house.persons_merged", 1): PersonsMerged,
    ("house.persons_separated", 1): PersonsSeparated,
}


def decide_persons(command: Command, merged: Merged) -> Event:
    """The fact that follows.

    Raises RuleViolation `merged` if one of them is merged already, `not_merged` if there is nothing
    to separate.
    """
    known = dict(merged)
    if isinstance(command, SeparatePersons):
        if command.merged not in known:
            raise RuleViolation("not_merged", "this player is not merged with another one")
        return build_from(PersonsSeparated, command)
    if command.player == command.merged:
        raise RuleViolation("merged", "two different players are expected here", path="other")
    if command.player in known or command.merged in known:
        raise RuleViolation(
            "merged",
            "one of the two is merged with another player already; separate them first",
            path="other",
        )
    return build_from(PersonsMerged, command)


def evolve_persons(merged: Merged, event: Event) -> Merged:
    """Return the merged persons after one more fact."""
    if isinstance(event, PersonsMerged):
        return (*merged, (event.merged, event.player))
    return tuple(pair for pair in merged if pair[0] != event.merged)


def stands_for(merged: Merged) -> Mapping[str, str]:
    """For each merged player the one who stands for them in the end."""
    known = dict(merged)
    found = {}
    for player, target in merged:
        while target in known:
            target = known[target]
        found[player] = target
    return found
