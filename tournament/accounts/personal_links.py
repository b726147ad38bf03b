"""The pages of the people of an entry: the link on their slip, and the code that somebody types
instead.

Whoever holds one reads where the entry sits and how it stands, under whole names, may call the
director to the table where it plays, and may have a phone told of it; nothing else.
"""

import hashlib
from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from tournament.models import PersonalLink, PushSubscription, Salon, Tournament, new_code, new_id

ACTOR = "entry:"
HALF = 4  # a code is written in two halves


def links_of(event: Tournament, entries: Iterable[str]) -> Mapping[str, PersonalLink]:
    """The link of each of these entries; those that there weren't yet are made."""
    wanted = list(entries)
    found = _links_by_entry(event)
    missing = [
        PersonalLink(salon=event.salon, tournament=event.pk, entry=entry)
        for entry in wanted
        if entry not in found
    ]
    while missing:  # once more where a code was another's already: one in a billion
        PersonalLink.objects.bulk_create(missing, ignore_conflicts=True)
        found = _links_by_entry(event)
        missing = [_another(each) for each in missing if each.entry not in found]
    return {entry: found[entry] for entry in wanted}


def renew(link: PersonalLink) -> None:
    """Give the entry another link and code, in the place of one that was ended too; the old ones
    open nothing any more, and the phones that had them are told nothing.
    """
    link.token, link.code, link.ended = new_id(), new_code(), False
    link.save(update_fields=["token", "code", "ended"])
    PushSubscription.objects.filter(link=link).delete()


def end(link: PersonalLink) -> None:
    """From now on there is no such page, until the link is renewed, and no phone is told of it."""
    link.ended = True
    link.save(update_fields=["ended"])
    PushSubscription.objects.filter(link=link).delete()


def actor_for(link: PersonalLink) -> str:
    """The actor of events made through this link: "entry:" and 32 digits that don't give the link
    away.
    """
    return ACTOR + hashlib.sha256(f"accord entry actor {link.token}".encode()).hexdigest()[:32]


def link_by_token(token: str, salon: Salon | None) -> PersonalLink | None:
    """The link with this token that holds, in this salon where it is given."""
    return _select_valid_links(salon).filter(token=token).first()


def link_by_code(written: str, salon: Salon) -> PersonalLink | None:
    """The link with this code, however it is capitalised and spaced, that holds in this salon."""
    return _select_valid_links(salon).filter(code=read_code(written)).first()


def read_code(written: str) -> str:
    """The letters and digits of a code that somebody typed."""
    return "".join(letter for letter in written.upper() if letter.isalnum())


def format_code(link: PersonalLink) -> str:
    """Format the code as printed: `K7QM 3RTV`."""
    return f"{link.code[:HALF]} {link.code[HALF:]}"


def _select_valid_links(salon: Salon | None) -> QuerySet[PersonalLink]:
    links = PersonalLink.objects.filter(ended=False).select_related("salon__log")
    return links if salon is None else links.filter(salon=salon)


def _links_by_entry(event: Tournament) -> dict[str, PersonalLink]:
    links = PersonalLink.objects.filter(tournament=event.pk, salon=event.salon)
    return {link.entry: link for link in links}


def _another(link: PersonalLink) -> PersonalLink:
    return PersonalLink(salon=link.salon, tournament=link.tournament, entry=link.entry)
