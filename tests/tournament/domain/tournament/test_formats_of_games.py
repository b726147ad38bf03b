"""The game decides which formats an event can have: the desk, its form and files answer alike, and
the advice proposes what can be drawn.
"""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.http import QueryDict

from scoring.errors import Refusal, RuleViolation
from scoring.games import GAMES
from tests.tournament.domain.tournament.desk import Desk
from tournament.domain.pairing.advice import Occasion, Offer, advise
from tournament.domain.pairing.draw import draw
from tournament.domain.standings.fitting_tie_breaks import tie_breaks_for, usual_tie_breaks
from tournament.domain.standings.formats import formats_for, is_typed_only
from tournament.domain.standings.reading import read_stage, read_tournament
from tournament.domain.standings.tie_breaks import TIE_BREAKS
from tournament.domain.standings.values import SCALE_KINDS, STAGE_KINDS
from tournament.domain.tournament import standings_view
from tournament.domain.tournament.entries import MakeEntry
from tournament.domain.tournament.lifecycle import EnterPhase
from tournament.domain.tournament.sides import seats_of
from tournament.domain.tournament.stage import ChangeStage, OpenTournament
from tournament.pages.desk import stage_form

# How many people an entry has, and how many of them play at a table (0: all).
ENTRIES = ((1, 0), (2, 0), (3, 0), (2, 1), (3, 2))
SCORING = {"imps": "imps", "victory_points": "imps", "built": "built"}
PARTNERS = {"swiss", "round_robin", "rotating", "movement", "knockout", "duplicate"}
FITTING = {
    "precedence": PARTNERS,
    "preference": {"pods"},
    "contract_sabacc": {"pods"},
    "order_of_precedence": {"duplicate", "swiss", "round_robin", "knockout"},
}
USUAL = {"precedence": "swiss", "order_of_precedence": "duplicate"}


def stage_given(kind: str, scale: str, line_up: int) -> dict[str, Any]:
    given: dict[str, Any] = {"kind": kind, "scale": {"kind": scale}, "line_up": line_up}
    if kind in ("swiss", "pods"):
        given["rounds"] = 3
    if kind == "duplicate":
        given["scoring"] = SCORING.get(scale, "matchpoints")
    return given


def refused_at_the_desk(game: str, stage: dict[str, Any], people: int) -> str:
    """The code with which the desk refuses the set-up or an entry, "" if it takes both."""
    try:
        opened = OpenTournament(
            record="r", name="Cup", game=game, seed=1, stage=read_stage(stage, "stage", game)
        )
        desk = Desk(opening=opened).does(EnterPhase(phase="registration"))
        for number in range(1, 5):
            players = ((str(seat), f"{number}.{seat}") for seat in range(1, people + 1))
            desk.does(MakeEntry(players=tuple(players)))
    except Refusal as refusal:
        return refusal.code
    return ""


def refused_in_a_file(game: str, stage: dict[str, Any], people: int) -> str:
    """The code with which a file with the same set-up and entries is refused, "" if it is read."""
    entries = [
        {"id": str(number), "players": [f"{number}.{seat}" for seat in range(1, people + 1)]}
        for number in range(1, 5)
    ]
    value = {"format": "salon-tournament/1", "id": "r", "name": "Cup", "game": game, "seed": 1}
    try:
        read_tournament(value | {"stage": stage, "entries": entries})
    except Refusal as refusal:
        return refusal.code
    return ""


@pytest.mark.parametrize("game", GAMES)
def test_the_desk_and_files_take_and_refuse_the_same_set_ups(game: str) -> None:
    for kind, scale, (people, line_up) in product(STAGE_KINDS, SCALE_KINDS, ENTRIES):
        stage = stage_given(kind, scale, line_up)
        at_the_desk = refused_at_the_desk(game, stage, people)
        assert refused_in_a_file(game, stage, people) == at_the_desk, (stage, people)
        if kind not in FITTING[game]:
            assert at_the_desk, stage


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_format_names_those_that_fit(game: str) -> None:
    assert set(formats_for(game)) == FITTING[game]

    for kind in set(STAGE_KINDS) - FITTING[game]:
        with pytest.raises(Refusal) as refused:
            opened_as(game, kind)
        assert (refused.value.code, refused.value.path) == ("no_format", "stage.kind")
        assert GAMES[game].title in refused.value.message
        assert ("tables of three to five" in refused.value.message.split(":")[1]) == (
            "pods" in FITTING[game]
        )


def opened_as(game: str, kind: str) -> Desk:
    stage = read_stage(stage_given(kind, "match", 0) | {"scale": None}, "stage", game)
    return Desk(opening=OpenTournament(record="r", name="Cup", game=game, seed=1, stage=stage))


@pytest.mark.parametrize("game", GAMES)
def test_the_form_begins_with_a_format_whose_games_can_be_recorded(game: str) -> None:
    form = QueryDict(mutable=True)
    form["game"] = game
    written = stage_form.read_form(form)

    assert written.format == USUAL.get(game, "pods")
    assert not is_typed_only(written.kind, game)
    stage = stage_form.stage_of(written)
    Desk(opening=OpenTournament(record="r", name="Cup", game=game, seed=1, stage=stage))


@pytest.mark.parametrize("game", GAMES)
def test_a_format_that_an_address_proposes_gives_way_where_the_game_has_it_not(game: str) -> None:
    for format_, _words in stage_form.FORMATS:
        form = QueryDict(mutable=True)
        form.update({"game": game, "format": format_})
        written = stage_form.read_form(form)
        kind = "round_robin" if format_ == "double" else format_
        assert written.format == (format_ if kind in FITTING[game] else USUAL.get(game, "pods"))


@pytest.mark.parametrize("game", GAMES)
def test_without_scripts_another_game_is_shown_with_its_usual_format(game: str) -> None:
    form = QueryDict(mutable=True)
    form.update({"command": "a" * 32, "show": "yes", "game": game, "format": "rotating"})

    written = stage_form.read_form(form)

    assert written.kind == ("rotating" if game == "precedence" else USUAL.get(game, "pods"))
    shown = stage_form.fields_of(written)["formats"]
    assert {each.value for each in shown if each.fits} >= FITTING[game]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("kind", "game", "players", "typed_only"),
    [
        ("swiss", "precedence", 2, False),
        ("knockout", "precedence", 1, True),
        ("rotating", "precedence", 1, False),
        ("swiss", "order_of_precedence", 1, True),
        ("duplicate", "order_of_precedence", 1, False),
        ("pods", "preference", 1, False),
    ],
)
def test_where_no_game_can_be_begun_results_can_only_be_typed(
    kind: str, game: str, players: int, typed_only: bool
) -> None:
    assert is_typed_only(kind, game, players) is typed_only
    if kind in ("swiss", "knockout"):
        people = [f"p{seat}" for seat in range(players)]
        assert (seats_of(game, 2, 0, people) == ()) is typed_only


def given_by(offer: Offer, game: str) -> dict[str, Any]:
    """A file of the event that the advice proposes."""
    form = QueryDict(mutable=True)
    rounds = "" if offer.kind in ("round_robin", "knockout") else str(offer.rounds)
    form.update({"game": game, "format": offer.kind, "rounds": rounds, "players": "1"})
    form.update({f"{offer.kind}.{key}": value for key, value in offer.own.items()})
    return {"stage": stage_form.stage_of(stage_form.read_form(form)), "rounds": offer.rounds}


@pytest.mark.parametrize("game", GAMES)
def test_whatever_the_advice_proposes_can_be_drawn(game: str) -> None:
    for players in (3, 4, 5, 7, 8, 13, 16, 19, 22):
        for offer in advise(Occasion(game=game, players=players, rounds=4)):
            stage = given_by(offer, game)["stage"]
            desk = Desk(
                opening=OpenTournament(record="r", name="Cup", game=game, seed=1, stage=stage)
            )
            desk.does(EnterPhase(phase="registration"))
            for number in range(1, offer.entries + 1):
                seats = ((str(seat), f"{number}.{seat}") for seat in range(1, offer.people + 1))
                desk.does(MakeEntry(players=tuple(seats)))
            seen = standings_view.field_of(desk.now, {})
            assert draw(seen, 1).tables, (players, offer)
            assert offer.typed_only == is_typed_only(offer.kind, game, offer.people)


def test_the_advice_offers_the_patience_the_same_deals_first() -> None:
    offers = advise(Occasion(game="order_of_precedence", players=9, rounds=3))

    assert [(offer.kind, offer.typed_only) for offer in offers] == [
        ("duplicate", False),
        ("swiss", True),
    ]
    assert offers[0].own == {"deals": "3"}


@pytest.mark.parametrize("game", GAMES)
def test_the_desk_files_and_the_form_take_and_refuse_the_same_tie_breaks(game: str) -> None:
    for kind, scale in product(formats_for(game), SCALE_KINDS):
        given = stage_given(kind, scale, 0)
        if refused_in_a_file(game, given, 1) not in ("", "bad_entry"):
            continue
        people = 1 if not refused_in_a_file(game, given, 1) else 2
        stage = read_stage(given, "stage", game)
        fitting = tie_breaks_for(stage, game)
        assert set(usual_tie_breaks(stage, game)) <= set(fitting)
        for name in TIE_BREAKS:
            code = "" if name in fitting else "no_tie_break"
            asked = given | {"tie_breaks": [name]}
            assert refused_in_a_file(game, asked, people) == code, (kind, scale, name)
            assert refused_at_the_desk(game, asked, people) == code, (kind, scale, name)
            choices = stage_form.fields_of(stage_form.read_form(QueryDict(f"game={game}")))
            goes = {each.name: words for each, words in choices["tie_breaks"]}  # type: ignore[attr-defined]
            assert code or not goes[name] or f"{game}/{kind}" in goes[name].split()


def test_a_tie_break_that_was_set_up_before_stays() -> None:
    stage = read_stage(stage_given("pods", "chips", 0), "stage", "preference")
    before = replace(stage, tie_breaks=("wins", "tricks"))
    desk = Desk(
        opening=OpenTournament(record="r", name="Cup", game="preference", seed=1, stage=stage)
    )
    desk.state = replace(desk.now, stage=before)
    desk.does(ChangeStage(name="Another Cup", stage=before, conditions=desk.now.conditions))
    assert desk.now.stage.tie_breaks == ("wins", "tricks")
    with pytest.raises(RuleViolation) as refused:
        desk.does(
            ChangeStage(
                name="Cup",
                stage=replace(before, tie_breaks=("wins", "score_total")),
                conditions=desk.now.conditions,
            )
        )
    assert refused.value.path == "stage.tie_breaks"
    assert "there are: buchholz" in str(refused.value.sentence)
