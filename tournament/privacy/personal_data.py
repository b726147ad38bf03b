"""All that a salon holds of one person, as JSON values: what they may ask for, and what an erasure
is about.
"""

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

from allauth.usersessions.models import UserSession

from ledger import times
from ledger.models import Account
from ledger.reading import entries_by
from scoring.shape import JsonObject
from tournament import models
from tournament.accounts.actors import actor_of_account
from tournament.accounts.seat_links import actor_for
from tournament.accounts.verified_email import is_verified
from tournament.privacy.erasure import invitations_of, texts_naming
from tournament.pushes.subscriptions import phones_of
from tournament.salons.persons import games_with, ids_of_person
from tournament.streams.covered_names import earlier_names
from tournament.streams.texts import digests_in, words_of

FORMAT = "accord-person/1"


def collect_personal_data(player: models.Player) -> JsonObject:
    """The name, account, sessions, invitations, phones that are told, games, chips, tournaments,
    ratings, what they entered or said, words that name them.
    """
    account = account_of(player)
    actors = _actors(player, account)
    return {
        "format": FORMAT,
        "salon": player.salon.name,
        "player": player.pk,
        "name": player.name,
        "earlier_names": earlier_names(player.salon, player.pk),
        "merged": [
            {"player": other.pk, "name": other.name}
            for other in models.Player.objects.filter(
                salon=player.salon_id, merged_into=player.pk
            ).order_by("pk")
        ],
        "erased_at": _time(
            models.Erasure.objects.filter(player=player.pk)
            .values_list("erased_at", flat=True)
            .first()
        ),
        "account": _account(account),
        "invitations": [
            {"email": each.email, "role": each.role, "made_at": each.made_at.isoformat()}
            for each in invitations_of(player)
        ],
        "phones": [_phone(row) for row in phones_of(player)],
        "games": [_game(row, player) for row in games_of(player)],
        "tournaments": list(_tournaments(player)),
        "worked_out": list(_list_computed_values(player)),
        "entered": list(_list_entries(player, actors)),
        "said": sorted(_find_written_words(player, actors)),
        "texts_naming_them": [text.text for text in texts_naming(player)],
    }


def account_of(player: models.Player) -> models.Membership | None:
    """The account in this salon that belongs to the player, if there is one."""
    return (
        models.Membership.objects.select_related("user")
        .filter(salon=player.salon_id, player__in=ids_of_person(player.salon, player.pk))
        .first()
    )


def games_of(player: models.Player) -> list[models.Game]:
    """The games in which the person sat, also for somebody else, in the order they began."""
    return list(
        models.Game.objects.filter(pk__in=games_with(player.salon, player.pk)).order_by(
            "started_position"
        )
    )


def _actors(player: models.Player, account: models.Membership | None) -> list[str]:
    """Return the actors of the player in log entries: by the account or the link of a
    seat, here or on a server before.
    """
    games = {row.pk: row.seats for row in games_of(player)}
    links = models.SeatLink.objects.filter(salon=player.salon_id, game__in=games).order_by("pk")
    known = ids_of_person(player.salon, player.pk)
    own = [actor_for(link) for link in links if games[link.game].get(link.seat) in known]
    before = (
        models.EarlierActor.objects.filter(salon=player.salon_id, player__in=known)
        .order_by("pk")
        .values_list("actor", flat=True)
    )
    return [
        *([actor_of_account(player.salon, account.user_id)] if account is not None else []),
        *own,
        *before,
    ]


def _account(account: models.Membership | None) -> dict[str, object] | None:
    if account is None:
        return None
    user = account.user
    return {
        "name": user.first_name,
        "email": user.email or user.username,
        "email_verified": is_verified(user),
        "role": account.role,
        "joined_at": user.date_joined.isoformat(),
        "last_sign_in": user.last_login.isoformat() if user.last_login else None,
        "sessions": [
            {
                "address": each.ip,
                "browser": each.user_agent,
                "last_seen": each.last_seen_at.isoformat(),
            }
            for each in UserSession.objects.filter(user=user).order_by("pk")
        ],
    }


def _phone(row: models.PushSubscription) -> dict[str, object]:
    """A phone that is told of an entry of theirs; whose it is, nobody knows."""
    return {
        "tournament": row.link.tournament,
        "entry": row.link.entry,
        "service": urlsplit(row.endpoint).hostname,
        "made_at": row.made_at.isoformat(),
        "seen_at": row.seen_at.isoformat(),
    }


def _game(row: models.Game, player: models.Player) -> dict[str, object]:
    known = ids_of_person(player.salon, player.pk)
    accounts = Account.objects.filter(
        log=player.salon.log_id, stream=row.pk, owner__in=known
    ).order_by("key")
    return {
        "id": row.record,
        "game": row.kind,
        "table": row.table,
        "played_on": row.played_on.isoformat() if row.played_on else "",
        "finished": row.finished,
        "seats": [seat for seat, sitting in row.seats.items() if sitting in known],
        "chips": {
            account.key.partition(":")[0]: account.credits - account.debits for account in accounts
        },
    }


def _tournaments(player: models.Player) -> Iterator[JsonObject]:
    known = set(ids_of_person(player.salon, player.pk))
    for row in models.Tournament.objects.filter(tournamentplayer__player__in=known).order_by(
        "started_position"
    ):
        entries = [
            entry
            for entry in row.state.entries
            if not known.isdisjoint(who for _place, who in entry.players)
        ]
        for entry in entries:
            yield {
                "id": row.record,
                "name": row.name,
                "entry": entry.id,
                "club": entry.club,
                "rating": entry.rating,
            }


def _list_computed_values(player: models.Player) -> Iterator[dict[str, object]]:
    """Yield what was computed about the player from all this: ratings, records."""
    log, known = player.salon.log_id, ids_of_person(player.salon, player.pk)
    counting = dict(models.Progress.objects.filter(log=log).values_list("projection", "generation"))
    for row in models.Reckoning.objects.filter(log=log, about__in=known).order_by(
        "projection", "subject"
    ):
        if counting.get(row.projection) == row.generation:
            yield {"what": row.projection, "state": row.state}


def _list_entries(player: models.Player, actors: list[str]) -> Iterator[dict[str, object]]:
    """The entries of the log that the player made."""
    for position, kind, recorded_at in entries_by(
        player.salon.log_id, actors, "position", "type", "recorded_at"
    ):
        yield {"entry": position, "what": kind, "recorded_at": _time(recorded_at)}


def _find_written_words(player: models.Player, actors: list[str]) -> set[str]:
    """The words that the player wrote into entries, as far as they were not erased."""
    bodies = entries_by(player.salon.log_id, actors, "body")
    return set(
        words_of(
            player.salon, {digest for (body,) in bodies for digest in digests_in(json.loads(body))}
        ).values()
    )


def _time(microseconds: int | None) -> str | None:
    return None if microseconds is None else times.moment(microseconds).isoformat()
