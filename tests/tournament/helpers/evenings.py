"""An evening of a tournament, directed through its pages or behind them."""

from typing import Any

from django.test import Client

from tests.tournament.helpers.answers import Answer, Shown
from tests.tournament.helpers.playing import a_command
from tests.tournament.helpers.reading import match_in
from tournament.accounts.personal_links import links_of
from tournament.domain.standings.ranking import Standings, standings
from tournament.domain.standings.values import Result, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import EnterResult
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.standings_view import field_of
from tournament.domain.tournament.state import State
from tournament.models import Game, Salon, Tournament
from tournament.projections.background import catch_up
from tournament.recording.tournaments import direct, open_tournament, start_linked_game
from tournament.streams.acts import moments_of
from tournament.streams.game_results import outcomes_of
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

TREES = (
    "Alder",
    "Birch",
    "Cedar",
    "Elm",
    "Fir",
    "Hazel",
    "Ivy",
    "Juniper",
    "Larch",
    "Maple",
    "Oak",
    "Pine",
    "Rowan",
    "Sorrel",
)

SWISS = Stage(kind="swiss", rounds=5, tie_breaks=("buchholz", "score_difference"))
PAIRS = (
    ("Asha Renn", "Cato Liss"),
    ("Ilse Marrow", "Juno Dray"),
    ("Orla Venn", "Pim Aster"),
    ("Rhea Sol", "Tomas Quill"),
    ("Una Frey", "Vito Lark"),
    ("Wren Hale", "Yara Moss"),
)
TEAMS = Stage(kind="swiss", rounds=3, line_up=2)
MEMBERS = (
    ("Asha Renn", "Bruno Sol", "Cato Liss"),
    ("Dora Venn", "Emil Lark", "Fenn Moss", "Gila Hart"),
)


def draft(salon: Salon, stage: Stage = SWISS) -> Tournament:
    """A tournament just set up."""
    return open_tournament(
        salon,
        actor="user:1",
        command=a_command(),
        name="Spring Cup",
        game="precedence",
        stage=stage,
        seed=7,
    )


def does(row: Tournament, *commands: Any) -> Tournament:
    """The tournament after these commands, recorded in one go."""
    row.refresh_from_db()
    direct(row.salon, row.pk, commands, actor="user:1", command=a_command(), version=row.version)
    row.refresh_from_db()
    return row


def registered(salon: Salon, count: int = 4, stage: Stage = SWISS) -> Tournament:
    """The same with `count` pairs in registration."""
    entries = [MakeEntry(players=(("1", one), ("2", two))) for one, two in PAIRS[:count]]
    return does(draft(salon, stage), EnterPhase(phase="registration"), *entries)


def in_round_1(salon: Salon, count: int = 4, stage: Stage = SWISS) -> Tournament:
    """The same with everybody here and round 1 published."""
    row = registered(salon, count, stage)
    here = [CheckIn(entry=str(number)) for number in range(1, count + 1)]
    return does(row, *here, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))


def start_first_table(salon: Salon, row: Tournament) -> Game:
    """The game of table 1 in round 1, begun at table 4 of the salon."""
    return start_linked_game(
        salon,
        row.pk,
        round=1,
        table=1,
        label="4",
        actor="user:1",
        command=a_command(),
        version=row.version,
    )


def of_teams(salon: Salon) -> Tournament:
    """Two teams that meet in round 1, which is published."""
    entries = [
        MakeEntry(players=tuple((str(place), name) for place, name in enumerate(names, 1)))
        for names in MEMBERS
    ]
    return does(
        draft(salon, TEAMS),
        EnterPhase(phase="registration"),
        *entries,
        CheckIn(entry="1"),
        CheckIn(entry="2"),
        EnterPhase(phase="running"),
        DrawRound(round=1),
        PublishRound(round=1),
    )


def result(table: int, one: int, two: int, round: int = 1) -> EnterResult:
    """The result of a table by its two scores."""
    return EnterResult(
        round=round, table=table, results=(Result(score=100 * one), Result(score=100 * two))
    )


def after_round_1(salon: Salon, count: int = 4, stage: Stage = SWISS) -> Tournament:
    """The same with all results in and the round closed; standings computed."""
    row = in_round_1(salon, count, stage)
    row = does(
        row,
        *(result(table, 250 + table, 180) for table in range(1, count // 2 + 1)),
        CloseRound(round=1),
    )
    catch_up(row.salon.log, PROJECTIONS)
    return row


def send(
    client: Client, row: Tournament, collection: str, page: str = "desk", **fields: str
) -> Answer:
    """Send one act as the desk's forms do; `round__number` stands for `round:number`, `a_0_b` is as
    it is.
    """
    row.refresh_from_db()
    named = {name.replace("__", ":"): value for name, value in fields.items()}
    sent = {"version": str(row.version), "command": a_command()} | named
    return client.post(f"/tournaments/{row.pk}/acts/{collection}/?page={page}", sent)


def command_on(answer: Shown) -> str:
    """The command's id that a page offers."""
    return str(match_in(answer.content.decode(), r'name="command" value="(\w{32})"')[1])


def here(row: Tournament) -> list[CheckIn]:
    """What checks in everybody who is not here yet."""
    row.refresh_from_db()
    return [
        CheckIn(entry=entry.id)
        for entry in state_of(row).entries
        if not entry.checked_in and not entry.is_withdrawn
    ]


def at_the_door(salon: Salon) -> Tournament:
    entries = [
        MakeEntry(players=(("1", f"First {name}"), ("2", f"Second {name}"))) for name in TREES
    ]
    return does(draft(salon), EnterPhase(phase="registration"), *entries)


def own_page_of(row: Tournament) -> str:
    return f"/me/{links_of(row, ['1'])['1'].token}/"


def standings_now(row: Tournament) -> Standings:
    """The standings as any page computes them at this moment."""
    state: State = moments_of(row.salon.log_id, row.pk)[-1].state
    return standings(field_of(state, outcomes_of(row.salon, state)))
