"""Which tables the log speaks for, and a salon that has a row in each."""

import json
from typing import Any

from django.db.models import Model

from ledger.models import (
    Checkpoint,
    Command,
    Cosignature,
    Event,
    SigningKey,
    Tile,
    Transfer,
    Witnessed,
)
from tests.tournament.helpers.evenings import MEMBERS, does, of_teams
from tests.tournament.helpers.full_salon import full_salon
from tests.tournament.helpers.tables import a_salon, everything, new_command, recorded
from tournament.accounts import personal_links
from tournament.accounts.captain_links import links_of
from tournament.domain.calls.rules import AnswerCall
from tournament.domain.season.rules import AddEvent, SeasonRule
from tournament.domain.tournament.team_line_ups import HandInLineUp
from tournament.models import (
    ApiToken,
    AuditRun,
    BackupRun,
    Call,
    CaptainLink,
    Delivery,
    EarlierActor,
    Erasure,
    EventLink,
    Game,
    GameSeat,
    Hand,
    HandSide,
    House,
    Invitation,
    KeptAnswer,
    Logo,
    Mark,
    Membership,
    Notice,
    PersonalLink,
    Player,
    Preset,
    Progress,
    PushSubscription,
    Reckoning,
    RetentionRun,
    Salon,
    Screen,
    SealedLineUp,
    Season,
    SeasonEvent,
    SeatLink,
    Standing,
    Stock,
    StockDeal,
    Table,
    Text,
    Tournament,
    TournamentAddress,
    TournamentGame,
    TournamentPlayer,
    TournamentRound,
    Turn,
    Webhook,
)
from tournament.models.written_json import JSONText, as_stored, json_text
from tournament.projections.background import catch_up
from tournament.recording.calls import keep_call, make_call
from tournament.recording.house_rules import set_correction_hours
from tournament.recording.name_digests import cover_names
from tournament.recording.screens import add_screen
from tournament.recording.seasons import keep_season, open_season
from tournament.tasks import PROJECTIONS

PROJECTED = (
    Game, GameSeat, Hand, HandSide, Stock, StockDeal, House, Tournament, TournamentPlayer,
    TournamentRound, TournamentGame, TournamentAddress, Season, SeasonEvent, Standing,
    Call, Screen, Reckoning, Progress,
)  # fmt: skip

# Why nothing in the log speaks for these.
FREE: dict[type[Model], str] = {
    Salon: "its name and address are the owner's to change",
    Logo: "a picture, shown only while it has the digest that the house laid down",
    Membership: "who may do what is no part of what was played",
    Table: "labels, links and PINs open pads and are made anew at will",
    SeatLink: "links and PINs of seats",
    EventLink: "links and PINs of events",
    CaptainLink: "links and PINs of captains",
    PersonalLink: "links and codes of the pages of entries, which read and may have a phone told",
    PushSubscription: "phones that asked to be told; their keys are made anew by a button",
    Notice: "what phones were told of the log; the log is what counts",
    Preset: "house rules under a name; a game's own options are in its first event",
    RetentionRun: "what a night's work took away; it changes nothing that was played",
    ApiToken: "keys to the API",
    KeptAnswer: "answers to be given once more, which nobody counts by",
    Mark: "what is to be computed again: one too many costs a computation",
    Turn: "who is at work",
    Erasure: "an owner's note that a name was erased; a fact of the log tells it to the audit",
    EarlierActor: "what people were called on a server before; entries carry what they acted as",
    Invitation: "who was asked to come; what they may do is no part of what was played",
    Webhook: "who is told what happens",
    Delivery: "messages that were made from the log; the log is what counts",
    BackupRun: "who asked for a backup, and what came of it; the file tells what it holds",
    AuditRun: "what former audits found; the next one finds it again",
}

OWNED_BY: dict[type[Model], str] = {
    GameSeat: "game__salon", Hand: "game__salon", HandSide: "game__salon",
    Reckoning: "log__salon", Progress: "log__salon",
    **dict.fromkeys((StockDeal, TournamentPlayer, TournamentRound, Standing), "stream__salon"),
    **dict.fromkeys((TournamentGame, TournamentAddress, SeasonEvent), "stream__salon"),
}  # fmt: skip

# Columns by which nothing can be told falsely, and why; every other column of these tables, and of
# the ledger's, is tried.
MEANINGLESS: dict[tuple[type[Model], str], str] = {
    (
        Hand,
        "id",
    ): "given by the database; a hand is known by its game and number, and no row points to it",
    (
        HandSide,
        "id",
    ): "given by the database; it is known by its game, hand and side, and no row points to it",
    (Progress, "id"): "given by the database; a place is known by its log and projection",
    (
        Progress,
        "moved_at",
    ): (
        "when work was last done, for the page that says whether it stands still; "
        "nothing is computed from it"
    ),
    (
        Reckoning,
        "id",
    ): "given by the database; what was worked out is known by projection, generation and subject",
    (
        Reckoning,
        "position",
    ): (
        "as of which entry it was worked out: its state is compared with one worked out "
        "anew, whatever it says"
    ),
    (
        Player,
        "names_shown",
    ): (
        "a wish for privacy, not what happened: in public a name that is covered, the "
        "first part of it or a number"
    ),
    (
        Player,
        "practice",
    ): (
        "whether lists offer the name and a retention lets it go: no game, career or "
        "standing is read by it"
    ),
    **dict.fromkeys(
        ((Player, "from_list"), (Player, "set_aside")),
        "whether a list may still be taken back, and whether lists offer the name: no game, "
        "career or standing is read by it",
    ),
    (SealedLineUp, "id"): "given by the database; it is known by its round and entry",
    (Text, "id"): "given by the database; a text is found by its digest, and entries name no other",
    **dict.fromkeys(
        (
            (model, "id")
            for model in (
                Event,
                Command,
                Transfer,
                Tile,
                SigningKey,
                Checkpoint,
                Cosignature,
                Witnessed,
            )
        ),
        (
            "given by the database; it is known by its place in the log or its number, and "
            "no row points to it"
        ),
    ),
}

# Rows that may be taken away without a finding, and why.
MAY_GO: dict[type[Model], str] = {
    Cosignature: (
        "another one's signature under a checkpoint that is signed all the same; a copy "
        "kept outside tells that it was there"
    ),
    SealedLineUp: "its captain hands it in again, and the log has both commitments",
    Witnessed: (
        "what was countersigned of another salon, which has it, too; nothing of this "
        "one is proven by it"
    ),
}


def a_full_salon() -> Salon:
    """One with rows in every table, and another beside it."""
    a_salon("other")
    salon = full_salon("Rosewater").salon
    recorded(salon, everything())
    set_correction_hours(
        salon, 48, reason="League night", actor="user:1", command=new_command(), version=0
    )
    season = open_season(
        salon, name="Winter", rule=SeasonRule(), actor="user:1", command=new_command()
    )
    cup = AddEvent(tournament=Tournament.objects.get(salon=salon).pk)
    keep_season(salon, season.pk, cup, actor="user:1", command=new_command(), version=1)
    call = make_call(salon, "5", "card", game="", actor="user:1", command=new_command())
    keep_call(salon, call.game, AnswerCall, actor="user:1", command=new_command())
    add_screen(salon, name="Bar", address="", actor="user:1", command=new_command())
    teams = of_teams(salon)
    links_of(teams, ["1"])
    personal_links.links_of(teams, ["1"])
    does(teams, HandInLineUp(round=1, entry="1", members=MEMBERS[0][1:]))
    cover_names(salon)
    catch_up(salon.log, PROJECTIONS)
    return salon


def mine(salon: Salon, model: type[Model]) -> list[dict[str, Any]]:
    """The rows of this salon in a table; of the places of projections those of which something is
    kept.
    """
    rows = as_stored(
        model._default_manager.filter(**{OWNED_BY.get(model, "salon"): salon}).order_by("pk")
    )
    kept = {"careers", "standings"}
    return [row for row in rows if model is not Progress or row["projection"] in kept]


def changed_json(value: Any) -> Any:
    """With a part more, or another one where it has no parts."""
    if isinstance(value, JSONText):
        return json_text(changed_json(json.loads(value)))
    if isinstance(value, dict):
        return value | {f"{len(value)} more": 1}
    return [*value, 1] if isinstance(value, list) else [value]
