"""The to-do list before the first round: its entries, and whom it asks about again."""

from tests.tournament.domain.tournament.desk import Desk, played, with_entries
from tournament.domain.standings.values import Duplicate, Scale, Stage
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CancelCheckIn, CheckIn
from tournament.domain.tournament.rounds import PublishRound
from tournament.domain.tournament.stage import OpenTournament
from tournament.domain.tournament.todo import todo

PATIENCE = Stage(
    kind="duplicate",
    rounds=1,
    duplicate=Duplicate(deals=3, scoring="built"),
    scale=Scale(kind="built"),
)


def steps(desk: Desk) -> list[str]:
    return [each.step for each in todo(desk.now, {})]


def asked_about(desk: Desk) -> tuple[str, ...]:
    return next(each.names for each in todo(desk.now, {}) if each.step == "draw")


def test_entering_comes_before_starting() -> None:
    desk = with_entries(0)
    assert steps(desk) == ["enter", "start"]

    desk.does(MakeEntry(players=(("1", "Ann"), ("2", "Bo"))))

    assert "enter" not in steps(desk)


def test_the_deals_of_a_patience_are_drawn_before_anybody_plays() -> None:
    opening = OpenTournament(
        record="patience", name="Patience", game="order_of_precedence", seed=7, stage=PATIENCE
    )
    desk = Desk(opening=opening).does(EnterPhase(phase="registration"))

    assert steps(desk) == ["enter", "deals", "start"]
    assert "deals" not in steps(with_entries(2))


def test_who_was_drawn_and_has_played_is_not_asked_about_again() -> None:
    desk = with_entries(4).does(EnterPhase(phase="running"))
    assert asked_about(desk) == ("1", "2", "3", "4")
    desk.does(DrawRound(round=1), PublishRound(round=1))
    assert asked_about(played(desk)) == ()

    desk.does(CheckIn(entry="2"), CancelCheckIn(entry="2"))
    assert asked_about(desk) == ("2",)
    desk.does(DrawRound(round=2), PublishRound(round=2))

    assert asked_about(played(desk)) == ()
