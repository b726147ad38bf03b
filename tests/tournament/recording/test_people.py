"""People can be put right: renamed, merged, separated and told apart; what was played follows, and
names stay beside the log.
"""

import json

import pytest

from ledger.models import Account, Event
from scoring.commands import EndGame
from scoring.errors import RuleViolation
from tests.tournament.helpers.commanding import run
from tests.tournament.helpers.evenings import does, draft, registered
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import a_command, told
from tests.tournament.helpers.salons import member, opened_salon
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.entry_order import read_list
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.exchange.entry_lists import reading_for, try_list
from tournament.exchange.game_records import export_game
from tournament.models import Erasure, Game, Player, Salon, Text
from tournament.privacy.erasure import erase
from tournament.privacy.personal_data import collect_personal_data
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.projections.careers import career_games
from tournament.projections.rebuild import differences
from tournament.queries.chips import net_chips
from tournament.recording import door
from tournament.recording.name_digests import cover_names
from tournament.recording.people import merge_persons, rename_person, separate_persons
from tournament.salons.public_names import Audience
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS

OTHERS = {"E": "Paper Comet", "S": "Velvet Heron", "W": "Copper Badger"}


@pytest.fixture
def salon(db: None) -> Salon:
    return opened_salon()


def player(salon: Salon, name: str) -> Player:
    return Player.objects.select_related("salon").get(salon=salon, name=name)


def played(salon: Salon, name: str, table: str) -> Game:
    """A game with this person at North, called after a hand."""
    game = door.start_game(
        salon,
        actor="user:0",
        command=a_command(),
        kind="precedence",
        players={"N": name, **OTHERS},
        options={},
        table=table,
    )
    record(
        game,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="called", by="Mara", reason="Time was up."),
    )
    return game


def renamed(person: Player, name: str, reason: str = "misspelt") -> Player:
    return rename_person(person, name, reason=reason, actor="user:1", command=a_command())


def merged(person: Player, other: Player, reason: str = "one person") -> None:
    merge_persons(person, other, reason=reason, actor="user:1", command=a_command())


def test_what_differs_only_by_accents_can_be_put_right(salon: Salon) -> None:
    game = played(salon, "Jurgen Kohler", "4")
    cover_names(salon)

    person = renamed(player(salon, "Jurgen Kohler"), "Jürgen Köhler")

    assert export_game(salon, game.pk, Audience.SALON)["players"]["N"] == "Jürgen Köhler"
    assert list(audit(salon)) == []
    bodies = "".join(Event.objects.values_list("body", flat=True))
    assert "hler" not in bodies, "names are in no event"
    back = renamed(person, "Jurgen Kohler")
    assert (back.pk, list(audit(salon))) == (person.pk, [])


def test_a_name_that_was_never_covered_can_be_changed_as_well(salon: Salon) -> None:
    played(salon, "Jurgen Kohler", "4")
    renamed(player(salon, "Jurgen Kohler"), "Jürgen Köhler")
    cover_names(salon)

    assert list(audit(salon)) == []


def test_a_changed_name_is_named_by_the_audit_after_a_renaming(salon: Salon) -> None:
    played(salon, "Jurgen Kohler", "4")
    person = renamed(player(salon, "Jurgen Kohler"), "Jürgen Köhler")
    Player.objects.filter(pk=person.pk).update(name="Somebody Else")

    assert [(found.kind, found.row) for found in audit(salon)] == [("name", person.pk)]


def test_a_renaming_says_why_once_something_was_played(salon: Salon) -> None:
    fresh = Player.objects.create(salon=salon, name="Nobdy Yet")
    assert renamed(fresh, "Nobody Yet", reason="").name == "Nobody Yet"

    played(salon, "Bob Lark", "4")
    with pytest.raises(RuleViolation) as refusal:
        renamed(player(salon, "Bob Lark"), "Robert Lark", reason="")
    assert refusal.value.code == "reason_missing"
    with pytest.raises(RuleViolation, match="someone else is called Paper Comet") as refusal:
        renamed(player(salon, "Bob Lark"), "Paper Comet")
    assert refusal.value.code == "name_taken"


def test_the_same_command_renames_once(salon: Salon) -> None:
    person, command = Player.objects.create(salon=salon, name="Nobdy"), a_command()
    for _each in range(2):
        rename_person(person, "Nobody", reason="", actor="user:1", command=command)

    assert Event.objects.filter(type="house.person_renamed").count() == 1


def test_two_records_become_one_person_and_two_again(salon: Salon) -> None:
    played(salon, "Bob Lark", "4")
    played(salon, "Robert Lark", "5")
    catch_up(salon.log, PROJECTIONS)
    bob, robert = player(salon, "Bob Lark"), player(salon, "Robert Lark")
    comet = player(salon, "Paper Comet")
    before = net_chips(salon)

    merged(robert, bob)
    catch_up(salon.log, PROJECTIONS)

    assert len(career_games(salon, robert.pk)) == 2
    assert {each for game in career_games(salon, comet.pk) for each in game.opponents} == {
        robert.pk,
        player(salon, "Velvet Heron").pk,
    }
    won = net_chips(salon)
    assert won[robert.pk] == (before[robert.pk][0] + before[bob.pk][0], 2)
    assert bob.pk not in won
    names = {
        export_game(salon, game.pk, Audience.SALON)["players"]["N"] for game in Game.objects.all()
    }
    assert names == {"Robert Lark"}
    assert list(audit(salon)) == []

    bob.refresh_from_db()
    separate_persons(bob, reason="", actor="user:1", command=a_command())
    catch_up(salon.log, PROJECTIONS)

    assert net_chips(salon) == before
    assert len(career_games(salon, bob.pk)) == 1
    assert list(audit(salon)) == []


def test_the_earlier_spelling_leads_to_the_person(salon: Salon) -> None:
    played(salon, "Bob Lark", "4")
    played(salon, "Robert Lark", "5")
    merged(player(salon, "Robert Lark"), player(salon, "Bob Lark"))

    game = played(salon, "Bob Lark", "6")

    assert game.seats["N"] == player(salon, "Robert Lark").pk


def test_who_sat_in_one_game_or_tournament_is_two_people(salon: Salon) -> None:
    game_at(salon)
    otter, comet = player(salon, "Brass Otter"), player(salon, "Paper Comet")
    with pytest.raises(RuleViolation, match="sat in one game") as refusal:
        merged(otter, comet)
    assert refusal.value.code == "played_together"

    registered(salon)
    with pytest.raises(RuleViolation, match="both in the tournament Spring Cup"):
        merged(player(salon, "Asha Renn"), player(salon, "Juno Dray"))
    merged(otter, player(salon, "Asha Renn"))
    with pytest.raises(RuleViolation) as refusal:
        merged(otter, player(salon, "Asha Renn"))
    assert refusal.value.code == "merged"


def test_a_merged_person_plays_in_a_tournament_once(salon: Salon) -> None:
    row = registered(salon)
    robert = Player.objects.create(salon=salon, name="Asha Rennick")
    merged(robert, player(salon, "Asha Renn"))

    with pytest.raises(RuleViolation, match="is in entry 1 already"):
        does(row, MakeEntry(players=(("1", "Asha Rennick"), ("2", "Una Frey"))))


def test_rows_that_say_otherwise_are_found_and_made_anew(salon: Salon) -> None:
    played(salon, "Bob Lark", "4")
    robert = Player.objects.create(salon=salon, name="Robert Lark")
    merged(robert, player(salon, "Bob Lark"))
    Player.objects.filter(name="Bob Lark").update(merged_into="")

    assert [found.column for found in audit(salon)] == ["merged_into"]
    assert list(differences(salon, mend=True, progress=print))
    assert player(salon, "Bob Lark").merged_into == robert.pk


def test_an_erasure_takes_every_name_that_they_had(salon: Salon) -> None:
    played(salon, "Bob Lark", "4")
    played(salon, "Robert Lark", "5")
    robert = renamed(player(salon, "Robert Lark"), "Robert Larkin")
    merged(robert, player(salon, "Bob Lark"))
    assert collect_personal_data(robert)["earlier_names"] == ["Robert Lark"]

    erase(robert, actor="user:1")

    assert not Player.objects.filter(name__contains="Lark").exists()
    assert not Text.objects.filter(text__contains="Lark").exists()
    assert Erasure.objects.count() == 2
    assert list(audit(salon)) == []


def test_an_account_follows_its_person(salon: Salon) -> None:
    game = played(salon, "Bob Lark", "4")
    bob, robert = player(salon, "Bob Lark"), Player.objects.create(salon=salon, name="Robert Lark")
    browser = member(salon, "player", bob)
    merged(robert, bob)

    assert browser.get(f"/players/{robert.pk}/held/").status_code == 200
    assert browser.get(f"/games/{game.pk}/history/").status_code == 200


def test_namesakes_play_and_are_told_apart(salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    row = does(row, MakeEntry(players=(("1", "Anna Berg"), ("2", "Bruno Sol"))))
    with pytest.raises(RuleViolation, match=r"Anna Berg \(North\)"):
        does(row, MakeEntry(players=(("1", "Anna Berg"), ("2", "Cato Liss"))))

    does(row, MakeEntry(players=(("1", "Anna Berg (South)"), ("2", "Cato Liss"))))

    assert Player.objects.filter(name__startswith="Anna Berg").count() == 2


def test_a_list_asks_which_of_several_is_meant(salon: Salon) -> None:
    for name in ("Anna Berg", "Anna Berg (North)", "Anna Berg (South)"):
        Player.objects.create(salon=salon, name=name)
    row = does(draft(salon), EnterPhase(phase="registration"))
    text = (
        "Anna Berg & Bruno Sol\nAnna Berg & Cato Liss; South\n"
        "Anna Berg (North) & Dora Venn\nAnna Berg () & Emil Lark"
    )

    lines = list(read_list(text, reading_for(state_of(row), singles=False)))
    tried = list(try_list(salon, state_of(row), lines, actor="user:1"))

    assert [each.problem[:26] for each in tried] == ["several people are called ", "", "", ""]
    assert [each.act.players[0][1] for each in tried[1:]] == [
        "Anna Berg (South)",
        "Anna Berg (North)",
        "Anna Berg",
    ]


def test_all_of_it_is_done_on_a_page(salon: Salon) -> None:
    played(salon, "Bob Lark", "4")
    played(salon, "Robert Lark", "5")
    director, bob = member(salon, "director"), player(salon, "Bob Lark")
    robert = player(salon, "Robert Lark")
    address = f"/players/{robert.pk}/correction/"

    def sent(**fields: str) -> str:
        answer = director.post(address, {"command": a_command(), **fields}, follow=True)
        return told(answer)

    assert "Correct the name" in told(director.get(f"/players/{robert.pk}/"))
    assert "say why" in sent(what="rename", name="Robert Larkin")
    assert "The name is Robert Larkin now" in sent(
        what="rename", name="Robert Larkin", reason="misheard"
    )
    assert "Call them Robert Lark again" in told(director.get(address))
    assert "no player of this name" in sent(what="merge", other="Nobody", reason="x")
    page = sent(what="merge", other="Bob Lark", reason="one person")
    assert "Bob Lark is Robert Larkin now" in page
    assert director.get(f"/players/{bob.pk}/").headers["Location"] == f"/players/{robert.pk}/"
    assert "is a person of their own again" in sent(what="separate", other=bob.pk)
    assert "The name is Robert Larkin (North) now" in sent(
        what="tell_apart", note="North", reason="two of that name"
    )
    history = told(director.get("/house/"))
    assert "Robert Lark is called Robert Larkin (North) now." in history
    assert "Merged: another record is part of" in history


def test_a_command_puts_people_right(salon: Salon, capsys: pytest.CaptureFixture[str]) -> None:
    played(salon, "Bob Lark", "4")
    played(salon, "Robert Lark", "5")

    ran = run(
        capsys, "person", "rename", "Robert Lark", "Robert Larkin", "--reason", "typo", "--json"
    )
    assert json.loads(ran.out) == {
        "player": player(salon, "Robert Larkin").pk,
        "name": "Robert Larkin",
    }
    refused = run(capsys, "person", "rename", "Bob Lark", "Paper Comet", "--reason", "typo")
    assert (refused.status, "Nothing was recorded" in refused.err) == (1, True)
    assert (
        run(capsys, "person", "merge", "Robert Larkin", "Bob Lark", "--reason", "one").status == 0
    )
    assert run(capsys, "person", "separate", "Bob Lark").status == 0
    assert run(capsys, "person", "merge", "Robert Larkin", "Nobody").status == 1
    assert Account.objects.exists()
