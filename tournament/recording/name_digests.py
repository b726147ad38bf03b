"""The log covers who played: a fact with a salted digest for every name, made before what the log
holds is signed.

Names lie beside the log so that they can be erased. Whoever changes one that is covered gives it
another digest, and the audit names it; whoever is erased is so by a fact. A name is covered minutes
after it was first written, by the job that signs, and once for all in a salon of before: from then
on it is what it was.
"""

import secrets
from collections.abc import Iterable
from itertools import batched, zip_longest

from django.db import transaction

from ledger.models import Log
from tournament.domain.house.covered_names import CoverNames, ErasePerson, NamesCovered
from tournament.models import Erasure, Player, Salon, new_id
from tournament.recording.house_rules import keep_in_house
from tournament.streams import covered_names
from tournament.streams.correction_period import house_of
from tournament.streams.texts import digest_of

ACTOR = "names"
DIGESTS_A_FACT = 200  # of names, and as many of texts


def cover_names(salon: Salon) -> int:
    """Cover the names that nothing covers yet; how many. A salon that has moved records nothing:
    there none is.

    The first fact of a salon says which texts were gone by then.
    """
    if not Player.objects.filter(salon=salon, salt="").exists():
        return 0
    with transaction.atomic():
        Log.objects.select_for_update().get(pk=salon.log_id)
        facts = list(covered_names.facts_of_names(salon))
        known = covered_names.digests_by(facts)
        new = [
            player
            for player in Player.objects.filter(salon=salon, salt="").order_by("pk")
            if player.pk not in known
        ]
        if covered_names.salon_is_closed(salon) or not new:
            return 0
        is_first = not any(isinstance(fact, NamesCovered) for fact in facts)
        _cover(salon, new, covered_names.untold_texts(salon) if is_first else [])
    return len(new)


def tell_what_stayed_behind(salon: Salon, *, names: bool) -> None:
    """Let the log of a salon that was just taken in say what did not come: without `names` every
    name and all words.

    With names it is what was erased after the salon had moved, when its log took no facts.
    """
    known = covered_names.digests_of_names(salon)
    if not names:
        _cover(
            salon,
            [
                player
                for player in Player.objects.filter(salon=salon).order_by("pk")
                if known.get(player.pk) != ""
            ],
            covered_names.untold_texts(salon),
        )
        return
    erased = (
        Erasure.objects.filter(salon=salon)
        .order_by("erased_at", "pk")
        .values_list("player", flat=True)
    )
    for player in [player for player in erased if known.get(player) != ""]:
        _record_coverage(
            salon, ErasePerson(player=player, texts=tuple(covered_names.untold_texts(salon)))
        )


def _cover(salon: Salon, players: Iterable[Player], gone: Iterable[str]) -> None:
    for named, lost in zip_longest(
        batched(players, DIGESTS_A_FACT, strict=False),
        batched(gone, DIGESTS_A_FACT, strict=False),
        fillvalue=(),
    ):
        for player in named:
            player.salt = secrets.token_hex(16)
        Player.objects.bulk_update(named, ["salt"])
        _record_coverage(
            salon,
            CoverNames(
                names=tuple((player.pk, digest_of(player.salt, player.name)) for player in named),
                gone=lost,
            ),
        )


def _record_coverage(salon: Salon, act: CoverNames | ErasePerson) -> None:
    keep_in_house(salon, act, actor=ACTOR, command=new_id(), version=house_of(salon).version)
