"""Entries at the desk: by the beginning of a name, alone, by list and file, checked in by name and
by code; how an event is played.
"""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ledger.models import Event
from scoring.commands import EndGame
from scoring.confirmation import DisputeHand
from tests.tournament.helpers.answers import Answer
from tests.tournament.helpers.evenings import (
    PAIRS,
    after_round_1,
    command_on,
    does,
    draft,
    in_round_1,
    registered,
    result,
    send,
)
from tests.tournament.helpers.played import game_at, hand, record
from tests.tournament.helpers.playing import a_command, flat, told
from tests.tournament.helpers.reading import match_in
from tests.tournament.helpers.salons import opened_salon
from tournament.domain.standings.reading import read_tournament
from tournament.domain.standings.values import Scale, Stage
from tournament.domain.tournament.conditions import Conditions
from tournament.domain.tournament.draws import DrawRound
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.entry_order import read_list
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.presence import CheckIn
from tournament.domain.tournament.results import ForfeitTable
from tournament.domain.tournament.rounds import CloseRound, PublishRound
from tournament.domain.tournament.singles import NoteSingle
from tournament.domain.tournament.state import State
from tournament.domain.tournament.substitutes import ReplacePlayer
from tournament.exchange.entry_lists import enter_list, reading_for, try_list
from tournament.exchange.game_records import Outcome
from tournament.exchange.tournament_records import export_tournament, import_tournament
from tournament.models import Game, Player, Salon, Table, Tournament
from tournament.projections.audit import audit
from tournament.projections.background import catch_up
from tournament.queries.players import all_names
from tournament.queries.tournament import load_tournament, unconfirmed
from tournament.recording.confirmations import record_attestation
from tournament.recording.door import start_game
from tournament.recording.tournaments import seats_at
from tournament.salons.public_names import Audience
from tournament.streams.game_results import outcomes_of
from tournament.streams.tournament_rows import state_of
from tournament.tasks import PROJECTIONS


def now(row: Tournament) -> State:
    row.refresh_from_db()
    return state_of(row)


def looked_at(owner: Client, row: Tournament, content: bytes = b"", **fields: str) -> Answer:
    """Send a list with a file, to look at it."""
    file = {"file": SimpleUploadedFile("list.csv", content)} if content else {}
    return owner.post(
        f"/tournaments/{row.pk}/desk/lists/", {"command": a_command()} | fields | file
    )


def listed(owner: Client, row: Tournament, content: bytes = b"", **fields: str) -> Answer:
    """Send a list with a file, and enter it as it was read."""
    return looked_at(owner, row, content, **{"keep": "yes"} | fields)


def test_a_file_from_a_spreadsheet_is_entered_and_told_line_by_line(
    owner: Client, salon: Salon
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))

    answer = listed(
        owner, row, "Name;Partner;Elo\r\nZoë Ångström;Łukasz Żak;1500\r\nAsha Renn;;\r\n".encode()
    )

    assert answer.status_code == 422
    assert "Line 1, “Name;Partner;Elo”: names of the columns" in told(answer)
    assert "Line 2, “Zoë Ångström;Łukasz Żak;1500”: entered" in told(answer)
    assert "Line 3, “Asha Renn;;”: 2 names are expected" in told(answer)
    assert [entry.rating for entry in now(row).entries] == [1500]


def test_a_file_in_an_older_encoding_is_read_too(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))

    listed(owner, row, "Zoë Ångström & René Åse".encode("cp1252"))

    assert "Zoë Ångström & René Åse" in told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))


def test_the_same_list_sent_twice_enters_nobody_twice(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    sent = {"command": a_command(), "list": "Asha Renn & Cato Liss\nOrla Venn & Pim Aster"}
    sent["keep"] = "yes"

    answers = [owner.post(f"/tournaments/{row.pk}/desk/lists/", sent).status_code for _ in range(2)]

    assert answers == [200, 200]
    assert len(now(row).entries) == 2


@pytest.mark.parametrize(
    ("content", "fields", "words"),
    [
        (b"x" * 500_001, {}, "A list has 500 kB at most"),
        (b"", {}, "Paste one entry a line, or choose a file."),
        (b"A & B", {"command": "x"}, "This form is incomplete"),
    ],
)
def test_a_list_that_can_not_be_taken_enters_nobody(
    owner: Client, salon: Salon, content: bytes, fields: dict[str, str], words: str
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))

    answer = listed(owner, row, content, **fields)

    assert answer.status_code == 400
    assert words in told(answer)
    assert not now(row).entries


def test_who_comes_alone_waits_and_is_paired_at_the_door(owner: Client, salon: Salon) -> None:
    row = registered(salon, 2)
    for name in ("Una Frey", "Vito Lark", "Wren Hale"):
        assert send(owner, row, "singles", "entries", **{"players.0": name}).status_code == 302
    assert "3 singles wait for a partner" in told(owner.get(f"/tournaments/{row.pk}/desk/"))

    send(owner, row, "pairs", "entries", one__number="1", two__number="3")
    page = told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))
    assert "Entry 3: Una Frey & Wren Hale." in page
    assert "2 singles" not in page
    refused = send(owner, row, "remaining-pairs", "entries")

    assert "a pair needs two singles; 1 waits for a partner" in told(refused)
    send(owner, row, "single-cancellations", "entries", number__number="2")
    assert now(row).singles == ()


def test_a_list_may_hold_singles_where_that_is_said(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))

    assert listed(owner, row, list="Una Frey\nVito Lark", singles="yes").status_code == 200
    send(owner, row, "remaining-pairs", "entries")

    assert len(now(row).entries) == 1


def test_checking_in_is_confirmed_by_name(owner: Client, salon: Salon) -> None:
    row = registered(salon)

    send(owner, row, "check-ins", "entries", entry="2")
    page = told(owner.get(f"/tournaments/{row.pk}/desk/entries/?here=no"))

    assert "Checked in: Ilse Marrow & Juno Dray." in page
    assert "Not here yet: 3" in page
    assert page.count("Ilse Marrow & Juno Dray") == 1


def test_a_code_leads_a_player_to_the_path_and_the_director_to_the_check_in(
    owner: Client, salon: Salon
) -> None:
    row = registered(salon)
    address = f"/tournaments/{row.pk}/entries/3/"
    assert "/e/spring-cup/3" in owner.get(f"/tournaments/{row.pk}/desk/slips/").content.decode()
    assert Client().get("/e/spring-cup/3/")["Location"] == address

    assert "Check in" not in told(Client().get(address))
    assert "Check in Orla Venn & Pim Aster" in told(owner.get(address))
    answer = send(owner, row, "check-ins", "entry-3", entry="3")

    assert answer["Location"] == f"/tournaments/{row.pk}/desk/entries/3/"
    assert "Checked in: Orla Venn & Pim Aster." in told(owner.get(answer["Location"]))


def test_what_is_refused_about_an_entry_is_said_on_its_page(owner: Client, salon: Salon) -> None:
    row = does(registered(salon), CheckIn(entry="1"))

    answer = send(owner, row, "check-ins", "entry-1", entry="1")

    assert answer.status_code == 422
    assert "entry 1 is checked in already" in told(answer)
    assert "Let them play" in told(answer)
    assert owner.get(f"/tournaments/{row.pk}/desk/entries/9/").status_code == 404


@pytest.mark.parametrize(
    "act",
    [
        NoteSingle(players=(("1", "Una Frey"),)),
        MakeEntry(players=(("1", "Una Frey"), ("2", "Vito Lark"))),
    ],
)
def test_singles_and_entries_are_told_in_the_history(
    owner: Client, salon: Salon, act: object
) -> None:
    row = does(registered(salon), act)

    assert "Una Frey" in told(owner.get(f"/tournaments/{row.pk}/history/"))


FORM = {
    "name": "Autumn Accord",
    "format": "swiss",
    "rounds": "7",
    "scale": "margin",
    "steps": "10 20,5 40",
    "usual": "no",
    "tie_breaks.0": "koya",
    "tie_breaks.2": "wins",
    "clubs_apart": "yes",
    "players": "2",
    "minutes": "45",
    "silent_from": "6",
    "options.hands_limit": "12",
}


def test_a_form_says_how_an_event_is_played(owner: Client, salon: Salon) -> None:
    page = owner.get("/tournaments/new/")
    answer = owner.post(
        "/tournaments/new/", FORM | {"command": command_on(page), "game": "precedence"}
    )

    state = now(Tournament.objects.get())
    assert answer.status_code == 302
    assert (state.stage.rounds, state.stage.tie_breaks, state.stage.clubs_apart) == (
        7,
        ("koya", "wins"),
        True,
    )
    assert state.stage.scale == Scale(kind="margin", bye=1200, steps=(1000, 2050, 4000))
    assert state.conditions == Conditions(players=2, options=(("hands_limit", 12),), minutes=45)
    assert (state.rated, state.silent_from) == (False, 6)


def test_the_form_shows_what_is_set_and_changes_nothing_by_being_sent_again(
    owner: Client, salon: Salon
) -> None:
    owner.post("/tournaments/new/", FORM | {"command": a_command(), "game": "precedence"})
    row = Tournament.objects.get()
    before, address = now(row), f"/tournaments/{row.pk}/desk/stage/"
    page = owner.get(address).content.decode()
    for value in ("Autumn Accord", "7", "10 20.5 40", "45", "6", "12"):
        assert f'value="{value}"' in page

    owner.post(address, FORM | {"command": a_command(), "version": str(row.version), "rated": ""})

    after = now(row)
    assert (after.stage, after.conditions, after.silent_from, after.rated) == (
        before.stage,
        before.conditions,
        6,
        False,
    )


def test_it_can_be_set_anew_until_the_first_draw(owner: Client, salon: Salon) -> None:
    row = registered(salon)
    address = f"/tournaments/{row.pk}/desk/stage/"
    sent = FORM | {
        "command": a_command(),
        "version": str(row.version),
        "format": "double",
        "usual": "yes",
        "rated": "yes",
        "scale": "match",
    }

    assert owner.post(address, sent).status_code == 302
    assert (now(row).stage.kind, now(row).stage.double, now(row).rated, now(row).silent_from) == (
        "round_robin",
        True,
        True,
        6,
    )
    late = owner.post(address, sent | {"command": a_command()})
    assert late.status_code == 409
    assert "Somebody else was first" in told(late)

    row = in_round_1(salon)
    begun = Event.objects.count()
    refused = owner.post(
        f"/tournaments/{row.pk}/desk/stage/",
        sent | {"command": a_command(), "version": str(row.version)},
    )
    assert refused.status_code == 422
    assert "the first round is drawn; drop its draw" in told(refused)
    assert Event.objects.count() == begun


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"rounds": "0"}, "A Swiss has 1 to 99 rounds."),
        ({"minutes": "never"}, "A round lasts 1 to 1440 minutes."),
        ({"silent_from": "-1"}, "The number of a round is expected here"),
        ({"scale": "coins"}, "Choose what a table is worth"),
        ({"format": "coins"}, "Choose a format from the list."),
        ({"steps": "20 10"}, "each greater than the one before"),
        ({"steps": "ten"}, "A number is expected here, not “ten”."),
        ({"scale": "match", "win": "1", "draw": "2"}, "a draw at most a win"),
        ({"scale": "match", "win": "nan"}, "a number with two digits after the point"),
        ({"options.hands_limit": "many"}, "is a whole number from"),
        ({"name": " "}, "a name of 1 to 80 characters"),
        ({"game": "whist"}, "Choose a game from the list."),
    ],
)
def test_a_form_that_says_what_can_not_be_sets_nothing_up(
    owner: Client, salon: Salon, wrong: dict[str, str], words: str
) -> None:
    answer = owner.post(
        "/tournaments/new/", {"game": "precedence", "command": a_command()} | FORM | wrong
    )

    assert answer.status_code == 422
    assert words in told(answer)
    assert not Tournament.objects.exists()


def test_an_event_for_soloists_is_set_up_and_its_cards_typed(owner: Client, salon: Salon) -> None:
    form = {
        "command": a_command(),
        "game": "order_of_precedence",
        "name": "Solo night",
        "scale": "built",
        "rounds": "3",
        "minutes": "30",
    }
    assert (
        owner.post("/tournaments/new/", form | {"format": "swiss", "usual": "yes"}).status_code
        == 302
    )
    row = Tournament.objects.get()
    entries = [MakeEntry(players=(("1", name),)) for name, _ in PAIRS[:2]]
    row = does(row, EnterPhase(phase="registration"), *entries, EnterPhase(phase="running"))
    send(owner, row, "draws", round__number="1")
    send(owner, row, "publications", round__number="1")
    row.refresh_from_db()
    built = {"tables.t1.results.0.built:number": "52", "tables.t1.results.1.built:number": "40"}
    scores = {"tables.t1.results.0.score:half": "52", "tables.t1.results.1.score:half": "40"}
    sent = {"version": str(row.version), "command": a_command()} | built | scores

    assert (
        owner.post(f"/tournaments/{row.pk}/desk/rounds/1/results/?page=round-1", sent).status_code
        == 302
    )

    assert [result.built for result in now(row).rounds[0].tables[0].results] == [52, 40]


def test_games_are_started_at_every_table_at_once(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon, 6)
    sent = {"version": str(row.version), "command": a_command(), "round": "1", "table": "all"}

    assert owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent).status_code == 302

    assert [table.game for table in now(row).rounds[0].tables] == [
        Game.objects.get(table=str(number)).pk
        for number in range(1, len(now(row).rounds[0].tables) + 1)
    ]


def test_without_enough_tables_those_that_lack_are_made(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon, 6)
    Table.objects.filter(salon=salon).exclude(label__in=["1", "2"]).delete()
    sent = {"version": str(row.version), "command": a_command(), "round": "1", "table": "all"}

    answer = owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)

    assert answer.status_code == 302
    assert sorted(Game.objects.values_list("table", flat=True)) == ["1", "2", "3"]
    assert "Table 3 is new." in told(owner.get(answer["Location"]))


def test_a_disputed_hand_of_a_linked_game_comes_first_at_the_desk(
    owner: Client, salon: Salon
) -> None:
    row = in_round_1(salon)
    sent = {
        "version": str(row.version),
        "command": a_command(),
        "round": "1",
        "table": "2",
        "label": "4",
    }
    owner.post(f"/tournaments/{row.pk}/desk/games/?page=round-1", sent)
    game = Game.objects.get()
    record(game, *hand("N", (4, 3, 3, 4), (9, 4)))
    dispute = DisputeHand(hand=1, seat="E", reason="Ten tricks, not nine.")
    record_attestation(
        salon, game.pk, dispute, actor="user:1", command=a_command(), version=game.version
    )

    assert "Dispute at table 2, round 1" in told(owner.get(f"/tournaments/{row.pk}/desk/"))
    shown = owner.get(f"/tournaments/{row.pk}/desk/rounds/1/")
    assert "Disputed" in told(shown)
    assert f'href="/games/{game.pk}/confirmation/#hand-1"' in shown.content.decode()
    game.refresh_from_db()
    record(game, EndGame(kind="called", by="Mara", reason="Time is up."))
    (result,) = unconfirmed(load_tournament(row, Audience.SALON), until=1)
    assert (result.state, result.hand) == ("disputed", 1)


def their_game(salon: Salon, row: Tournament, *, turned: bool) -> Game:
    """A game that those who meet at table 1 began at the salon's table 6 by themselves, the other
    way round if `turned`.
    """
    seats = seats_at(salon, now(row), round=1, table=1)
    if turned:
        seats = {seat: seats[{"N": "E", "E": "N", "S": "W", "W": "S"}[seat]] for seat in seats}
    return start_game(
        salon,
        actor="user:1",
        command=a_command(),
        kind="precedence",
        players=seats,
        options={},
        table="6",
    )


@pytest.mark.parametrize("turned", [False, True])
def test_a_game_that_its_people_began_by_themselves_counts_for_whom_it_was_played(
    owner: Client, salon: Salon, turned: bool
) -> None:
    row = in_round_1(salon, 2)
    game = their_game(salon, row, turned=turned)
    assert "Their game at table 6" in told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))

    answer = send(
        owner, row, "linked-games", "round-1", round__number="1", table__number="1", stream=game.pk
    )
    record(
        game,
        *hand("N", (4, 3, 3, 4), (9, 4)),
        EndGame(kind="called", by="Mara", reason="Time was up."),
    )

    assert answer.status_code == 302
    state = now(row)
    (outcome,) = outcomes_of(salon, state).values()
    by_player = {
        player: score
        for team, score in zip(("NS", "EW"), outcome.results, strict=True)
        for player in _players(game, team)
    }
    first = state.entry(state.rounds[0].tables[0].entries[0])
    assert first is not None
    assert [by_player[player] for _place, player in first.players] == [outcome.results[0]] * 2
    assert list(audit(salon)) == []


def _players(game: Game, team: str) -> list[str]:
    seats = game.seats
    return [seats[seat] for seat in team]


def test_a_game_of_others_does_not_count_at_a_table(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon)
    game = game_at(salon)

    answer = send(
        owner, row, "linked-games", "round-1", round__number="1", table__number="1", stream=game.pk
    )

    assert answer.status_code == 422
    assert "no game of those who meet at table 1 waits to be counted" in told(answer)


def test_a_substitute_is_entered_with_the_round_from_which_they_play(
    salon: Salon, owner: Client
) -> None:
    row = after_round_1(salon)

    page = owner.get(f"/tournaments/{row.pk}/desk/entries/1/").text
    assert re.findall(r"<option( selected)?>(\d)</option>", page) == [("", "1"), (" selected", "2")]
    answer = send(
        owner,
        row,
        "substitutes",
        "entry-1",
        entry="1",
        place="2",
        player="Sub Stitute",
        from_round__number="1",
    )
    late = send(
        owner,
        row,
        "substitutes",
        "entry-1",
        entry="1",
        place="1",
        player="Other Body",
        from_round__number="3",
    )

    assert (answer.status_code, late.status_code) == (302, 422)
    row.refresh_from_db()
    entry = state_of(row).entries[0]
    assert not entry.earlier
    assert "Sub Stitute" in told(owner.get(f"/tournaments/{row.pk}/rounds/1/"))


def test_a_list_that_is_tried_says_line_by_line_what_becomes_of_it_when_it_is_entered(
    salon: Salon,
) -> None:
    row = registered(salon, 1)
    text = (
        f"New One & New Two\nnew one & New Three\nÑew Four & New Five\nNew Six & new "
        f"six\n{PAIRS[0][0].upper()} & New Seven\nNew Eight"
    )
    lines = list(read_list(text, reading_for(state_of(row), singles=False)))

    tried = [each.problem for each in try_list(salon, state_of(row), lines, actor="user:1")]
    assert Tournament.objects.get().version == row.version, "nothing is kept"
    entered = [each.problem for each in enter_list(row, lines, actor="user:1", command=a_command())]

    assert tried == entered
    assert [bool(problem) for problem in tried] == [False, True, False, True, True, True]


def after_a_substitute(salon: Salon, *, until: int | None = None) -> Tournament:
    """Round 1 closed; from round 2 on, or up to `until`, Sue Kint plays for Cato Liss in entry 1.
    Round 2 is published.
    """
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    return does(
        row, ReplacePlayer(entry="1", players=(("2", "Sue Kint"),), from_round=2, until_round=until)
    )


BOTH = "Asha Renn & Sue Kint (entered as Asha Renn & Cato Liss)"


def test_a_substitute_stands_beside_those_who_began_and_every_round_has_its_own_names(
    owner: Client, salon: Salon
) -> None:
    row = after_a_substitute(salon)
    catch_up(salon.log, PROJECTIONS)
    at = f"/tournaments/{row.pk}"

    for page in (
        f"{at}/standings/",
        f"{at}/entries/1/",
        f"{at}/desk/",
        f"{at}/desk/entries/",
        f"{at}/files/standings.csv",
    ):
        assert BOTH in told(owner.get(page)), page
    for page in (f"{at}/rounds/1/", f"{at}/files/results.csv?round=1"):
        assert "Asha Renn & Cato Liss" in told(owner.get(page)), page
        assert "Sue Kint" not in told(owner.get(page)), page
    for page in (f"{at}/rounds/2/", f"{at}/files/seats.csv"):
        assert "Asha Renn & Sue Kint" in told(owner.get(page)), page
    history = told(owner.get(f"{at}/history/"))
    for line in (
        "Sue Kint plays for entry 1 instead of Cato Liss from round 2 on",
        "Round 1 is drawn",
    ):
        assert line in history
    drawn = re.findall(r"Round \d is drawn:.*?\d tables", history)
    assert len(drawn) == 2
    assert not any("Sue" in line for line in drawn), "when it was drawn, nobody knew of her"


def test_a_substitute_for_one_round_is_offered_and_taken_back_by_one_tap(
    owner: Client, salon: Salon
) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    before = now(row)
    assert "For that round only" in told(owner.get(f"/tournaments/{row.pk}/desk/entries/1/"))

    send(
        owner,
        row,
        "substitutes",
        "entry-1",
        entry="1",
        place="2",
        player="Sue Kint",
        from_round__number="2",
        only="yes",
    )

    page = owner.get(f"/tournaments/{row.pk}/desk/entries/1/").text
    assert "Sue Kint plays for Cato Liss in round 2" in page
    assert "Sue Kint in round 2" in told(owner.get(f"/tournaments/{row.pk}/entries/1/"))
    assert [
        dict(now(row).entries[0].players_in(number)) != dict(before.entries[0].players)
        for number in (1, 2, 3)
    ] == [False, True, False]
    form = match_in(page, r"Sue Kint plays for.*?</form>", re.DOTALL)[0]
    fields = dict(re.findall(r'name="([\w:]+)" value="([^"]*)"', form))

    assert (
        owner.post(f"/tournaments/{row.pk}/acts/substitutes/?page=entry-1", fields).status_code
        == 302
    )

    assert now(row).entries == before.entries


@pytest.mark.parametrize(
    ("substitutes", "name"),
    [
        ([("2", "Sue Kint", 2, 2)], "Asha Renn & Sue Kint (entered as Asha Renn & Cato Liss)"),
        ([("2", "Sue Kint", 1, 1)], "Asha Renn & Cato Liss"),
        ([("2", "Sue Kint", 2, None)], "Asha Renn & Sue Kint (entered as Asha Renn & Cato Liss)"),
        (
            [("2", "Sue Kint", 2, 3), ("1", "Tove Ask", 2, None)],
            "Tove Ask & Sue Kint (entered as Asha Renn & Cato Liss)",
        ),
        (
            [("2", "Sue Kint", 1, None), ("2", "Tove Ask", 1, 1)],
            "Asha Renn & Sue Kint",
        ),
    ],
)
def test_substitutes_come_back_from_a_file(
    salon: Salon, substitutes: list[tuple[str, str, int, int | None]], name: str
) -> None:
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    for place, player, first, last in substitutes:
        row = does(
            row,
            ReplacePlayer(
                entry="1", players=((place, player),), from_round=first, until_round=last
            ),
        )
    written = export_tournament(salon, row.pk, Audience.SALON)
    other = opened_salon("elsewhere", "other@example.org")

    import_tournament(other, read_tournament(written), actor="user:1")

    copied = Tournament.objects.get(salon=other)
    assert export_tournament(other, copied.pk, Audience.SALON) == written
    assert (
        load_tournament(row, Audience.SALON).entries["1"],
        load_tournament(copied, Audience.SALON).entries["1"],
    ) == (name, name)
    assert (
        next(entry for entry in written["entries"] if entry["id"] == "1")["name"]
        == load_tournament(row, Audience.SALON).entries["1"].partition(" (")[0]
    )
    assert import_tournament(other, read_tournament(written), actor="user:1") is Outcome.UNCHANGED


def test_checking_in_leads_to_the_next_who_is_missing_and_keeps_what_the_list_is_narrowed_to(
    owner: Client, salon: Salon
) -> None:
    row = registered(salon)
    at = f"/tournaments/{row.pk}"

    def tap(collection: str, entry: str, narrowed: str = "") -> str:
        sent = {"version": str(row.version), "command": a_command(), "entry": entry}
        return str(owner.post(f"{at}/acts/{collection}/?page=entries{narrowed}", sent)["Location"])

    assert tap("check-ins", "2") == f"{at}/desk/entries/#entry-3"
    assert tap("check-ins", "4", "&here=no") == f"{at}/desk/entries/?here=no#entry-1"
    assert tap("check-in-cancellations", "4") == f"{at}/desk/entries/#entry-4"
    assert [entry.checked_in for entry in now(row).entries] == [False, True, False, False]


def test_everybody_is_here_by_one_tap_and_it_is_taken_back_by_one(
    owner: Client, salon: Salon
) -> None:
    row = does(registered(salon), CheckIn(entry="2"))
    page = owner.get(f"/tournaments/{row.pk}/desk/entries/")
    assert "All here" in told(page)

    answer = send(owner, row, "all-check-ins", "entries")

    assert all(entry.checked_in for entry in now(row).entries)
    after = owner.get(answer["Location"])
    assert "4 checked in." in told(after)
    assert "All here" not in told(after)
    form = match_in(after.text, r'action="[^"]*all-check-in-cancellations.*?</form>', re.DOTALL)[0]
    fields = dict(re.findall(r'name="([\w.]+)" value="([^"]*)"', form))
    assert (
        owner.post(
            f"/tournaments/{row.pk}/acts/all-check-in-cancellations/?page=entries", fields
        ).status_code
        == 302
    )
    assert [entry.id for entry in now(row).entries if entry.checked_in] == ["2"], (
        "who was here before still is"
    )


def test_after_an_entry_at_the_door_the_next_one_can_be_typed_at_once(
    owner: Client, salon: Salon
) -> None:
    row = registered(salon, 2)

    answer = send(
        owner, row, "entries", "entries", **{"players.0": "Una Frey", "players.1": "Vito Lark"}
    )

    assert answer["Location"] == f"/tournaments/{row.pk}/desk/entries/?door=open"
    page = owner.get(answer["Location"]).text
    assert re.search(r'<input[^>]*id="players\.0"[^>]* autofocus', page)
    assert page.index('id="new-entry"') < page.index('id="listed-entries"'), (
        "the form comes first where there is one column"
    )
    assert "autofocus" not in owner.get(f"/tournaments/{row.pk}/desk/entries/").text


def test_before_a_draw_the_desk_asks_about_who_is_not_here(owner: Client, salon: Salon) -> None:
    row = does(
        registered(salon, 6), *(CheckIn(entry=key) for key in "1234"), EnterPhase(phase="running")
    )
    desk = f"/tournaments/{row.pk}/desk/"
    page = told(owner.get(desk))
    for words in (
        "2 entries are not checked in.",
        "Draw with all of them",
        "They sit out: draw without them",
    ):
        assert words in page

    send(owner, row, "check-ins", "desk", entry="5")
    send(owner, row, "byes", "desk", entry="6", round__number="1")
    page = told(owner.get(desk))
    assert "not checked in" not in page
    assert "Round 1 goes without: Wren Hale & Yara Moss" in page
    send(owner, row, "bye-cancellations", "desk", entry="6", round__number="1")
    assert "One entry is not checked in." in told(owner.get(desk))
    answer = send(owner, row, "draws", "round-1", round__number="1", **{"away.0": "6"})

    assert answer["Location"].endswith("/desk/rounds/1/")
    assert dict(now(row).entries[5].asked) == {1: "zero"}
    assert "6" not in {entry for table in now(row).rounds[0].tables for entry in table.entries}
    assert "Wren Hale & Yara Moss are away in round 1" in told(
        owner.get(f"/tournaments/{row.pk}/history/")
    )


def test_after_a_no_show_the_desk_asks_again(owner: Client, salon: Salon) -> None:
    row = in_round_1(salon)
    absent = now(row).rounds[0].tables[0].entries[0]
    row = does(
        row,
        ForfeitTable(round=1, table=1, absent=(absent,)),
        result(2, 250, 180),
        CloseRound(round=1),
    )

    assert "One entry is not checked in." in told(owner.get(f"/tournaments/{row.pk}/desk/"))


def test_a_late_entry_is_offered_half_for_the_rounds_missed(owner: Client, salon: Salon) -> None:
    assert "rounds missed" not in told(
        owner.get(f"/tournaments/{registered(salon).pk}/desk/entries/")
    )
    row = does(after_round_1(salon), DrawRound(round=2), PublishRound(round=2))
    at = f"/tournaments/{row.pk}"
    assert "For each of the 2 rounds missed" in told(owner.get(f"{at}/desk/entries/"))

    send(
        owner,
        row,
        "entries",
        "entries",
        **{"players.0": "Una Frey", "players.1": "Vito Lark"},
        missed="half",
    )
    catch_up(salon.log, PROJECTIONS)

    assert dict(now(row).entries[4].asked) == {1: "half", 2: "half"}
    assert "half for round 1" in told(owner.get(f"{at}/desk/entries/"))
    assert "Una Frey & Vito Lark get half for round 2, before they joined" in told(
        owner.get(f"{at}/history/")
    )
    points = told(owner.get(f"{at}/entries/5/points/"))
    assert "Una Frey & Vito Lark: 0.5 points" in points
    assert (
        "Round 1 a bye with half the points From one line of the log Una Frey & Vito "
        "Lark get half for round 1"
    ) in points
    page = told(owner.get(f"{at}/desk/entries/5/"))
    assert "Half for round 1 Take it back" in page
    send(owner, row, "bye-cancellations", "entry-5", entry="5", round__number="1")
    assert "No points for round 1 Give half" in told(owner.get(f"{at}/desk/entries/5/"))
    send(owner, row, "byes", "entry-5", entry="5", round__number="1", kind="half")
    written = export_tournament(salon, row.pk, Audience.SALON)
    other = opened_salon("elsewhere", "other@example.org")
    import_tournament(other, read_tournament(written), actor="user:1")
    assert (
        export_tournament(other, Tournament.objects.get(salon=other).pk, Audience.SALON) == written
    )
    assert import_tournament(other, read_tournament(written), actor="user:1") is Outcome.UNCHANGED
    assert list(audit(salon)) == []


@pytest.mark.parametrize(
    ("format", "seeding", "stored"),
    [
        ("swiss", "slide", "slide"),
        ("swiss", "lot", "lot"),
        ("round_robin", "fold", "rating"),
        ("double", "lot", "lot"),
    ],
)
def test_the_form_asks_how_round_1_is_drawn(
    owner: Client, salon: Salon, format: str, seeding: str, stored: str
) -> None:
    sent = FORM | {
        "command": a_command(),
        "game": "precedence",
        "format": format,
        "seeding": seeding,
    }
    assert owner.post("/tournaments/new/", sent).status_code == 302
    row = Tournament.objects.get()

    assert now(row).stage.seeding == stored
    page = owner.get(f"/tournaments/{row.pk}/desk/stage/").text
    chosen = "fold" if stored == "rating" else stored
    assert f'<option value="{chosen}" selected>' in flat(page)
    wrong = owner.post(
        "/tournaments/new/",
        FORM | {"command": a_command(), "game": "precedence", "seeding": "stars"},
    )
    assert "Choose how round 1 is drawn from the list." in told(wrong)


def test_the_form_asks_how_many_rounds_are_accelerated(owner: Client, salon: Salon) -> None:
    sent = FORM | {"command": a_command(), "game": "precedence"}
    assert owner.post("/tournaments/new/", sent | {"accelerated": "2"}).status_code == 302
    row = Tournament.objects.get()

    assert now(row).stage.accelerated == 2
    page = owner.get(f"/tournaments/{row.pk}/desk/stage/").text
    assert 'name="accelerated" inputmode="numeric" autocomplete="off" value="2"' in flat(page)
    again = sent | {"command": a_command(), "accelerated": "99"}
    assert "many rounds of a Swiss can be accelerated" in told(
        owner.post("/tournaments/new/", again)
    )
    chips = sent | {"command": a_command(), "accelerated": "1", "scale": "chips"}
    assert "nothing to accelerate with" in told(owner.post("/tournaments/new/", chips))


def test_ratings_that_were_typed_in_decide_round_1(owner: Client, salon: Salon) -> None:
    row = draft(salon, Stage(kind="swiss", rounds=3, seeding="fold"))
    ratings = (1400, 1700, 1500, 1600)
    entries = [
        MakeEntry(players=(("1", one), ("2", two)), rating=rating)
        for (one, two), rating in zip(PAIRS, ratings, strict=False)
    ]
    row = does(row, EnterPhase(phase="registration"), *entries, EnterPhase(phase="running"))

    send(owner, row, "draws", "round-1", round__number="1")

    assert {frozenset(table.entries) for table in now(row).rounds[0].tables} == {
        frozenset("21"),
        frozenset("43"),
    }
    page = told(owner.get(f"/tournaments/{row.pk}/desk/rounds/1/"))
    assert re.search(
        r"Round 1 goes by rating: number (1 of 4 meets number 4|4 of 4 meets number 1)", page
    )
    written = export_tournament(salon, row.pk, Audience.SALON)
    assert written["stage"]["seeding"] == "fold"
    other = opened_salon("elsewhere", "other@example.org")
    import_tournament(other, read_tournament(written), actor="user:1")
    assert (
        export_tournament(other, Tournament.objects.get(salon=other).pk, Audience.SALON) == written
    )


def test_a_list_is_looked_at_before_anybody_is_entered(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    people = Player.objects.count()

    page = looked_at(
        owner, row, "Name;Partner;Elo;Verein\nZoë Sol;Kit Two;1500;Nord\nAsha Renn;;;\n".encode()
    )

    assert page.status_code == 200
    assert "One entry fits, one line can’t be entered. Nothing is entered yet." in told(page)
    assert "Zoë Sol & Kit Two" in told(page)
    assert "2 names are expected" in told(page)
    assert "Column 4, “Verein”" in told(page)
    assert (now(row).entries, Player.objects.count()) == ((), people)


def test_columns_may_be_chosen_before_a_list_is_entered(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    text = "Sol;Bruno;Groß;Carla;17;Nord"
    roles = ("last", "first", "last", "first", "unused", "club")
    chosen = {f"column.{place}": role for place, role in enumerate(roles)}

    page = looked_at(owner, row, b"", **{"list": text, "looked": "yes"} | chosen)
    assert "Bruno Sol & Carla Groß" in told(page)
    listed(owner, row, b"", **{"list": text, "looked": "yes"} | chosen)

    (entry,) = now(row).entries
    assert (entry.club, entry.rating) == ("Nord", None)
    assert "Bruno Sol & Carla Groß" in told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))


def test_a_list_whose_columns_nobody_changed_is_read_line_by_line(
    owner: Client, salon: Salon
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    text = "Asha & Cato; Core; 1510\nOrla;Pim;Rim\nNell, Kit"
    page = looked_at(owner, row, list=text)
    chosen = dict(
        re.findall(
            r'(?s)name="(column\.\d)">.*?value="(\w+)" selected', flat(page.content.decode())
        )
    )

    listed(owner, row, b"", **{"list": text, "looked": "yes"} | chosen)

    assert [entry.club for entry in now(row).entries] == ["Core", "Rim", None]


def test_surnames_may_be_turned(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    text = "O'Brien, Sean & D'Arcy, Zoe"
    assert "Surnames come first" in told(looked_at(owner, row, list=text))

    listed(owner, row, list=text, looked="yes", turned="yes")

    assert "Sean O'Brien & Zoe D'Arcy" in told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))


def test_who_is_known_may_be_written_surname_first(owner: Client, salon: Salon) -> None:
    row = registered(salon, 1)
    first, second = PAIRS[1]
    Player.objects.bulk_create(Player(salon=salon, name=name) for name in PAIRS[1])
    turned = " & ".join(", ".join(reversed(name.split(" "))) for name in (first, second))

    listed(owner, row, list=turned)

    assert f"{first} & {second}" in told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04" + bytes(range(256)) + b"Ann & Bob\n",
        b"%PDF-1.7\nAnn & Bob\n",
        b"\x89PNG\r\n\x1a\n Ann & Bob",
    ],
)
def test_a_wrong_file_enters_nobody_and_says_what_would_do(
    owner: Client, salon: Salon, content: bytes
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    people = Player.objects.count()

    answers = [
        listed(owner, row, content),
        owner.post("/players/list/", {"file": SimpleUploadedFile("l", content), "keep": "yes"}),
    ]

    assert [answer.status_code for answer in answers] == [400, 422]
    assert all("save the list as CSV" in told(answer) for answer in answers)
    assert (now(row).entries, Player.objects.count()) == ((), people)


def taken_back(page: str, owner: Client, collection: str) -> Answer:
    """Press the button that a list has there."""
    (form,) = re.findall(rf"(?s)<form[^>]*acts/{collection}/[^>]*>.*?</form>", page)
    fields = dict(re.findall(r'name="([\w.:]+)" value="([^"]*)"', form))
    return owner.post(match_in(form, r'action="([^"]*)"')[1], fields)


def test_a_list_is_taken_back_with_whom_it_brought_and_comes_again(
    owner: Client, salon: Salon
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    Player.objects.create(salon=salon, name="Asha Renn")
    text = "Asha Renn & Cato Liss\nOrla Venn & Pim Aster\nUna Frey"
    listed(owner, row, list=text, singles="yes")
    entries = f"/tournaments/{row.pk}/desk/entries/"

    page = flat(owner.get(entries).content.decode())
    answer = taken_back(page, owner, "list-removals")

    assert answer.status_code == 302
    assert (now(row).entries, now(row).singles) == ((), ())
    assert "The list is taken back" in told(owner.get(entries))
    assert all_names(salon) == ["Asha Renn"]
    assert "Cato Liss" not in told(Client().get(f"/tournaments/{row.pk}/"))

    taken_back(flat(owner.get(entries).content.decode()), owner, "list-removal-cancellations")

    assert [entry.id for entry in now(row).entries] == ["1", "2"]
    assert all_names(salon) == ["Asha Renn", "Cato Liss", "Orla Venn", "Pim Aster"]
    assert list(audit(salon)) == []


def test_who_was_taken_back_with_a_list_is_known_as_soon_as_somebody_names_them(
    owner: Client, salon: Salon
) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    listed(owner, row, list="Jurgen Kohler & Cato Liss\nOrla Venn & Pim Aster")
    taken_back(
        flat(owner.get(f"/tournaments/{row.pk}/desk/entries/").content.decode()),
        owner,
        "list-removals",
    )

    listed(owner, row, list="Jürgen Köhler & Cato Liss")

    assert all_names(salon) == ["Cato Liss", "Jürgen Köhler"]


def test_a_list_on_which_somebody_has_played_stays(owner: Client, salon: Salon) -> None:
    row = does(draft(salon), EnterPhase(phase="registration"))
    listed(owner, row, list="Asha Renn & Cato Liss\nOrla Venn & Pim Aster")
    row = does(row, EnterPhase(phase="running"), DrawRound(round=1), PublishRound(round=1))

    page = told(owner.get(f"/tournaments/{row.pk}/desk/entries/"))

    assert "It stays, for entry 1 is in a round." in page
    assert "Take this list back" not in page
