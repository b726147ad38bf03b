"""Hold the names and words that lie beside the log against the digests in it: is each what was
written, and did a fact take it away?
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ledger.chain import Stored
from ledger.findings import Finding
from tournament.domain.house.covered_names import NamesCovered, PersonErased, PersonRenamed
from tournament.models import Player, Salon, Text
from tournament.salons.players import nameless, pseudonym
from tournament.streams import covered_names
from tournament.streams.texts import gives_digest

PLAYER, TEXT = Player._meta.db_table, Text._meta.db_table


@dataclass(slots=True)
class LoggedNames:
    """The log's statements about names and words, as far as it was read.

    `names` are digests by player ("" once erased), `covers_any` that any were covered,
    `erased_texts` the texts that facts took away, `first_positions` where each digest
    of a text first appears.
    """

    names: dict[str, str] = field(default_factory=dict)
    covers_any: bool = False
    erased_texts: set[str] = field(default_factory=set)
    first_positions: dict[str, int] = field(default_factory=dict)

    def add_event(self, event: Stored, fact: object) -> None:
        """Go on by one event."""
        if isinstance(fact, NamesCovered | PersonErased | PersonRenamed):
            self.names |= covered_names.read_name_digests(fact)
            self.erased_texts |= set(covered_names.list_gone_texts(fact))
            self.covers_any = self.covers_any or isinstance(fact, NamesCovered)
        for digest in covered_names.find_text_digests(event.body):
            self.first_positions.setdefault(digest, event.position)

    def findings(self, salon: Salon, remarks: list[str]) -> Iterator[Finding]:
        """Each name and each text that is not what was written, or is gone without a fact; what
        nothing covers is a remark.
        """
        closed, columns = covered_names.salon_is_closed(salon), ("pk", "name", "salt")
        people = {
            player: (name, salt)
            for player, name, salt in Player.objects.filter(salon=salon)
            .values_list(*columns)
            .iterator()
        }
        here = set[str]()
        yield from _texts(salon, here)
        moving = self._catch_up(salon)  # Last, so that whatever is missing by now is told of.
        yield from self._names(people, moving, remarks, closed=closed)
        yield from self._find_missing_texts(here, remarks, closed=closed)

    def _catch_up(self, salon: Salon) -> set[str]:
        """The players whose names were covered or erased while the log was read: the rows may
        be those of before or after.
        """
        facts = list(covered_names.readable_facts_of_names(salon))
        self.erased_texts |= {
            digest for fact in facts for digest in covered_names.list_gone_texts(fact)
        }
        return {
            player
            for player, digest in covered_names.digests_by(facts).items()
            if self.names.get(player) != digest
        }

    def _names(
        self,
        people: Mapping[str, tuple[str, str]],
        moving: set[str],
        remarks: list[str],
        *,
        closed: bool,
    ) -> Iterator[Finding]:
        left = [
            player
            for player, (name, salt) in people.items()
            if closed and not salt and name == pseudonym(player) and self.names.get(player)
        ]
        for player in sorted(self.names.keys() | people.keys()):
            if player not in moving and player not in left:
                what = _wrong(player, people.get(player), self.names.get(player))
                if what:
                    yield Finding(
                        kind="name",
                        table=PLAYER,
                        row=player,
                        column="name",
                        message=f"Player {player} {what}.",
                    )
        bare = sum(player not in self.names and player not in moving for player in people)
        if bare:
            remarks.append(
                f"Names of players that the log does not cover: {bare}. Until the next "
                f"checkpoint they could be changed."
            )
        if left:
            remarks.append(
                f"Names that were erased after the salon had moved, when its log took no facts: "
                f"{len(left)}."
            )

    def _find_missing_texts(
        self, here: set[str], remarks: list[str], *, closed: bool
    ) -> Iterator[Finding]:
        missing = sorted(
            (position, digest)
            for digest, position in self.first_positions.items()
            if digest not in here and digest not in self.erased_texts
        )
        if missing and (closed or not self.covers_any):
            remarks.append(
                f"Texts that are gone, of which the log could not tell so early or after a move: "
                f"{len(missing)}."
            )
            return
        for position, digest in missing:
            message = (
                f"The words of event {position} with the digest {digest[:12]}… are gone, and no "
                f"erasure tells of it."
            )
            yield Finding(kind="text", table=TEXT, row=position, column="text", message=message)


def _texts(salon: Salon, here: set[str]) -> Iterator[Finding]:
    """Each text that is not what was written; the digests of all are added to those that are
    `here`.
    """
    columns = ("pk", "salt", "text", "digest")
    for pk, salt, text, digest in (
        Text.objects.filter(salon=salon).order_by("pk").values_list(*columns).iterator()
    ):
        here.add(digest)
        if not gives_digest(salt, text, digest):
            message = (
                f"Text {pk} is not what was written: its words and its salt don't give its digest."
            )
            yield Finding(kind="text", table=TEXT, row=pk, column="text", message=message)


def _wrong(player: str, row: tuple[str, str] | None, digest: str | None) -> str:
    """The fault of a name that has this digest ("" once erased, None for one that nothing
    covers), "" if there is none.
    """
    if row is None:
        return "is covered by the log, and is not here" if digest is not None else ""
    name, salt = row
    if digest is None:
        return "has a salt, and nothing covers the name" if salt else ""
    if digest:
        return (
            ""
            if gives_digest(salt, name, digest)
            else "is not called what the log covers: the name or its salt was changed"
        )
    is_away = not salt and name in (pseudonym(player), nameless(player))
    return "" if is_away else "was erased, and has another name than the pseudonym"
