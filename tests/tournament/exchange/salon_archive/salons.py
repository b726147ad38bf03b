"""A salon in which much has happened, by chance; and all that is kept of a salon, to be compared
with what is kept of another.
"""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet

from ledger import checkpoints, notes
from ledger.models import (
    Account,
    Checkpoint,
    Command,
    Cosignature,
    Event,
    SigningKey,
    Tile,
    Transfer,
    Witnessed,
)
from ledger.reading import head_of
from ledger.witness import countersign, read_request
from scoring.games import GAMES
from tests.invented_hands import SEATS, acts_of_a_hand
from tests.ledger.signing import Pocket
from tests.scoring.corrected import begun
from tests.tournament.helpers.correcting import correct
from tests.tournament.helpers.salons import opened_salon
from tests.tournament.helpers.tables import everything, new_command, recorded
from tournament.demo.evening import play_evening_of_pairs
from tournament.domain.calls.rules import TakeUpCall
from tournament.domain.screens.rules import HoldPart, Part
from tournament.domain.season.rules import AddEvent, SeasonRule
from tournament.exchange.game_records import export_game
from tournament.integrity.signing_keys import load_keyring
from tournament.models import (
    Erasure,
    Game,
    GameSeat,
    Hand,
    House,
    Membership,
    Player,
    Preset,
    Progress,
    Reckoning,
    RetentionRun,
    Salon,
    Season,
    SeasonEvent,
    Stock,
    StockDeal,
    StockSeed,
    Table,
    Text,
    Tournament,
    TournamentGame,
    TournamentPlayer,
    TournamentRound,
    Webhook,
)
from tournament.privacy.erasure import erase
from tournament.projections.background import catch_up
from tournament.recording import house_rules, stocks
from tournament.recording.calls import keep_call, make_call
from tournament.recording.door import record_acts, start_game
from tournament.recording.name_digests import cover_names
from tournament.recording.screens import add_screen, keep_screen
from tournament.recording.seasons import keep_season, open_season
from tournament.salons.public_names import Audience
from tournament.streams.correction_period import house_of
from tournament.streams.folds import fold_of
from tournament.tasks import PROJECTIONS
from tournament.webhooks.signing import new_secret, sealed

NAMES = ("Asha Renn", "Ilse Marrow", "Cato Liss", "Juno Dray")
OF_THE_SALON = (Player, Text, Erasure, Preset, StockSeed, Table, Webhook, RetentionRun)
ROWS = (Game, Stock, House, Tournament, Season)
BELOW = {GameSeat: "game__salon", Hand: "game__salon"} | dict.fromkeys(
    (StockDeal, TournamentPlayer, TournamentRound, TournamentGame, SeasonEvent), "stream__salon"
)
OF_THE_LOG = (
    Event,
    Command,
    Transfer,
    Account,
    Tile,
    Checkpoint,
    Cosignature,
    Witnessed,
    SigningKey,
    Reckoning,
)
# Ids that a database gives, and what begins anew on another server.
ANEW = {
    "id": {Text, Erasure, Preset, Table, RetentionRun, Hand, *OF_THE_LOG},
    "salon_id": set(),
    "log_id": set(),
} | {each: {Transfer} for each in ("source_id", "target_id")}
LEFT_BEHIND = {
    "token",
    "pin",
    "secret",
    "since",
    "standings_told",
    "paused_why",
    "made_at",
    "generation",
    "position",
}


def played_salon(seed: int) -> Salon:
    """A salon of all games, with corrections, an evening, a season, a stock, a house, an erasure
    and signatures.
    """
    chance, salon = Random(seed), opened_salon()
    recorded(salon, everything())
    for kind in SEATS:
        _hands(salon, kind, chance)
    sign(salon)
    for row in Game.objects.filter(salon=salon):
        value = export_game(salon, row.pk, Audience.SALON)
        correct(salon, value, chance, list(begun(value).intended.hands), times=1)
    _an_evening(salon, seed)
    cover_names(salon)
    _beside_the_log(salon, chance)
    countersign(
        salon.log, read_request(_elsewhere()), _elsewhere_key(), load_keyring(), now=7_000_000
    )
    catch_up(salon.log, PROJECTIONS)
    sign(salon)
    return salon


def sign(salon: Salon, *, now: int = 5_000_000) -> str:
    """The checkpoint of all that the salon holds, signed by another salon too."""
    signed = checkpoints.make(salon.log, load_keyring(), now=now)
    assert signed is not None
    pocket = Pocket("w").new("w", frozenset())
    line = notes.cosign(notes.read_note(signed.note).text, pocket, "w", seconds=6).line
    checkpoints.cosigned(signed, line, notes.verifier(pocket, "w").cosigner)
    return checkpoints.with_cosignatures(signed)


def kept(salon: Salon) -> dict[str, list[str]]:
    """All that is kept of a salon and moves with it, but for ids that mean nothing outside of one
    database.
    """
    log = salon.log_id
    found = {
        model.__name__: _values(model, model._default_manager.filter(salon=salon))
        for model in (*OF_THE_SALON, *ROWS)
    }
    found |= {
        model.__name__: _values(model, model._default_manager.filter(**{path: salon}))
        for model, path in BELOW.items()
    }
    found |= {model.__name__: _values(model, _counting(log, model)) for model in OF_THE_LOG}
    posted = Transfer.objects.filter(log=log).order_by("position")
    found["accounts of transfers"] = [
        str(each) for each in posted.values_list("source__stream", "source__key", "target__key")
    ]
    found["records"] = [
        json.dumps(export_game(salon, row.pk, Audience.SALON))
        for row in Game.objects.filter(salon=salon).order_by("started_position")
    ]
    head, chosen = (
        head_of(log),
        (salon.name, salon.names_shown, salon.forget_players_days, salon.created_at),
    )
    found["salon"] = [*map(str, chosen), *map(str, head[1:])]
    return found


def _counting(log: int, model: type[Model]) -> QuerySet[Any]:
    rows = model._default_manager.filter(log=log)
    if model is not Reckoning:
        return rows
    generations = dict(Progress.objects.filter(log=log).values_list("projection", "generation"))
    pks = [
        row.pk
        for row in Reckoning.objects.filter(log=log)
        if generations.get(row.projection) == row.generation
    ]
    return rows.filter(pk__in=pks)


def _values(model: type[Model], rows: QuerySet[Any]) -> list[str]:
    away = {column for column, models in ANEW.items() if not models or model in models}
    away |= LEFT_BEHIND if model in {Table, Webhook, Reckoning} else set()
    return sorted(
        str({column: value for column, value in row.items() if column not in away})
        for row in rows.values()
    )


def _hands(salon: Salon, kind: str, chance: Random) -> None:
    players = dict(zip(SEATS[kind], NAMES, strict=False))
    row = start_game(
        salon,
        actor=owner_actor(salon),
        command=new_command(),
        kind=kind,
        players=players,
        options={},
        table="3",
    )
    for _ in range(2):
        folded = fold_of(salon.log_id, row.pk)
        assert folded is not None
        acts = acts_of_a_hand(chance, GAMES[kind].name, folded.state)
        record_acts(
            salon,
            row.pk,
            acts,
            actor=owner_actor(salon),
            command=new_command(),
            version=folded.version,
        )


def _an_evening(salon: Salon, seed: int) -> None:
    stream = play_evening_of_pairs(
        salon, entries=4, rounds=2, seed=seed, hands=1, actor="user:1", progress=lambda done: None
    ).stream
    season = open_season(
        salon, name="Winter", rule=SeasonRule(), actor="user:1", command=new_command()
    )
    row = Tournament.objects.filter(pk=stream).first() or Tournament.objects.get(salon=salon)
    act = AddEvent(tournament=row.pk)
    keep_season(
        salon, season.pk, act, actor="user:1", command=new_command(), version=season.version
    )


def _beside_the_log(salon: Salon, chance: Random) -> None:
    stocks.draw(salon, name="Stock A", actor="user:1", command=new_command())
    call = make_call(salon, "3", "rules", game="", actor="user:1", command=new_command())
    keep_call(salon, call.game, TakeUpCall, actor="user:1", command=new_command())
    screen = add_screen(salon, name="Bar", address="", actor="user:1", command=new_command())
    text = HoldPart(part=Part(kind="text", note="Soup from nine"))
    keep_screen(salon, screen.pk, text, actor="user:1", command=new_command(), version=1)
    version = house_of(salon).version
    house_rules.set_correction_hours(
        salon, 36, reason="a long way home", actor="user:1", command=new_command(), version=version
    )
    Preset.objects.create(
        salon=salon, game="precedence", name="As always", options="game=precedence"
    )
    RetentionRun.objects.create(salon=salon, invitations=3, players=1)
    Webhook.objects.create(
        salon=salon,
        address="https://told.example/",
        events=["hand.closed"],
        secret=sealed(new_secret()),
        since=1,
        standings_told=1,
        made_by="user:1",
    )
    erase(
        chance.choice(list(Player.objects.filter(salon=salon, name__in=NAMES).order_by("pk"))),
        actor="user:1",
    )


def owner_actor(salon: Salon) -> str:
    """What entries of the owner carry."""
    return f"user:{Membership.objects.get(salon=salon, role='owner').user_id}"


def strangers(count: int) -> list[User]:
    """Accounts that were on a server before: their ids are those that the owners of other servers
    have too.
    """
    return [
        User.objects.create_user(f"stranger.{number}@example.org", first_name=f"Stranger {number}")
        for number in range(count)
    ]


def _elsewhere() -> str:
    private = Pocket("e").new("e", frozenset())
    text = notes.Checkpoint(origin="accord/elsewhere", size=4, root=b"\7" * 32).text
    return str(notes.Note(text=text, signatures=(notes.sign(text, private, "accord/elsewhere"),)))


def _elsewhere_key() -> notes.Verifier:
    return notes.verifier(Pocket("e").new("e", frozenset()), "accord/elsewhere")


def differing(one: dict[str, list[str]], two: dict[str, list[str]]) -> Iterator[str]:
    """What is kept of one and not of the other, a line each, shortened."""
    for what in one.keys() | two.keys():
        here, there = set(one.get(what, [])), set(two.get(what, []))
        yield from (f"{what} only here: {each[:300]}" for each in sorted(here - there))
        yield from (f"{what} only there: {each[:300]}" for each in sorted(there - here))
        if here == there and len(one[what]) != len(two[what]):
            yield f"{what}: {len(one[what])} here, {len(two[what])} there"
