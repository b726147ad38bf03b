"""Tie-breaks, seeding and numbers of points of a later stage in the form of a tournament: offered
as far as game and format go, set as they were chosen, and refused beside their field.
"""

import re
from dataclasses import replace

import pytest

from scoring.games import GAMES
from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.stage_forms import form_of, opened
from tournament.domain.standings.fitting_tie_breaks import tie_breaks_for
from tournament.domain.standings.formats import scales_for
from tournament.domain.standings.values import SEEDINGS, STAGE_KINDS, Duplicate, Scale, Stage
from tournament.models import Tournament
from tournament.pages.desk.later_rules import LaterRules, RuleChoice, rule_fields
from tournament.streams.tournament_rows import state_of

FORM = form_of(game="precedence", name="Cup", format="swiss", scale="usual", players="2").dict() | {
    "minutes": "45",
    "stages.2.kind": "swiss",
    "stages.2.rounds": "2",
    "stages.2.top": "4",
    "stages.2.scale": "match",
    "stages.2.win": "3",
    "stages.2.draw": "1",
    "stages.2.loss": "",
    "stages.2.bye": "2",
    "stages.2.usual": "no",
    "stages.2.tie_breaks.0": "wins",
    "stages.2.tie_breaks.2": "fewest_audits",
    "stages.2.seeding": "fold",
}


def told(choice: RuleChoice, game: str, format_: str) -> set[str]:
    """What can be chosen in a format of a game."""
    return {
        value
        for value, _words, goes in choice.choices
        if not goes or {game, f"{game}/{format_}"} & set(goes.split())
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_later_stage_is_offered_the_tie_breaks_and_seedings_that_go_with_it(game: str) -> None:
    for kind in STAGE_KINDS:
        shown = rule_fields(LaterRules(), game, 2, "stages.1")

        assert told(shown.seeding, game, kind) == set(SEEDINGS[kind])
        fits = {
            name
            for scoring in ("matchpoints", "imps", "built")
            for stage in (Stage(kind=kind, duplicate=Duplicate(scoring=scoring)),)
            for scale in scales_for(stage, game)
            for name in tie_breaks_for(replace(stage, scale=Scale(kind=scale)), game)
        }
        for each in shown.tie_breaks:
            assert told(each, game, kind) == {"", *fits}


def test_what_no_result_of_a_game_holds_is_no_tie_break_of_it() -> None:
    counted = {"fewest_audits", "fewest_excess", "tricks", "chips", "buchholz"}
    alone = Stage(kind="duplicate", scale=Scale(kind="built"), duplicate=Duplicate(scoring="built"))
    pods = Stage(kind="pods")

    assert set(tie_breaks_for(alone, "order_of_precedence")) == {"progressive", "lots"}
    assert counted & set(tie_breaks_for(Stage(), "order_of_precedence")) == {"buchholz"}
    assert counted <= set(tie_breaks_for(Stage(), "precedence"))
    assert counted & set(tie_breaks_for(pods, "preference")) == {"tricks", "chips", "buchholz"}


def test_a_tie_break_that_was_set_elsewhere_stays_among_the_choices() -> None:
    kept = LaterRules(usual=False, tie_breaks=("fewest_audits",))

    first, second, *_others = rule_fields(kept, "preference", 2, "").tie_breaks

    assert "fewest_audits" in told(first, "preference", "pods")
    assert "fewest_audits" not in told(second, "preference", "pods")


def test_what_is_chosen_for_a_later_stage_is_set_and_shown_again(db: None) -> None:
    client = owner_of(opened_salon())

    assert client.post("/tournaments/new/", FORM).status_code == 302
    row = Tournament.objects.get()
    stage = state_of(row).every_stage[1]
    shown = fields_sent(client.get(f"/tournaments/{row.pk}/desk/stage/").text)

    assert (stage.tie_breaks, stage.seeding) == (("wins", "fewest_audits"), "fold")
    scale = stage.scale
    assert (scale.kind, scale.win, scale.draw, scale.loss, scale.bye) == ("match", 300, 100, 0, 200)
    again = {name: shown[f"stages.2.{name}"] for name in ("win", "draw", "loss", "bye", "seeding")}
    assert again == {"win": "3", "draw": "1", "loss": "0", "bye": "2", "seeding": "fold"}
    assert [shown[f"stages.2.tie_breaks.{place}"] for place in range(3)] == [
        "wins",
        "fewest_audits",
        "",
    ]


def test_numbers_left_empty_are_usual_and_count_only_where_the_worth_is_chosen() -> None:
    asked = {"stages__2__kind": "swiss", "stages__2__rounds": "2", "stages__2__win": "3"}
    asked |= {"stages__2__draw": "", "stages__2__bye": ""}

    followed = opened(form_of(game="precedence", format="swiss", **asked)).scale
    chosen = opened(form_of(game="precedence", format="swiss", stages__2__scale="match", **asked))
    steps = {"stages__2__scale": "margin", "stages__2__steps": "10 25 60"}
    margin = opened(form_of(game="precedence", format="swiss", **(asked | steps))).scale

    assert (followed.win, followed.draw) == (100, 50)
    assert (chosen.scale.win, chosen.scale.draw, chosen.scale.bye) == (300, 150, 300)
    assert (margin.steps, margin.bye) == ((1000, 2500, 6000), 1200)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"stages.2.tie_breaks.2": "wins"}, "stages.1.tie_breaks.2"),
        ({"stages.2.tie_breaks.1": "toss"}, "stages.1.tie_breaks.1"),
        ({"stages.2.seeding": "rating"}, "stages.1.seeding"),
        ({"stages.2.win": "three"}, "stages.1.scale.win"),
        ({"stages.2.bye": "1.234"}, "stages.1.scale.bye"),
        ({"stages.2.draw": "4"}, "stages.1.scale"),
        ({"stages.2.scale": "margin", "stages.2.steps": "5 x"}, "stages.1.scale.steps"),
    ],
)
def test_a_refusal_stands_once_at_its_field_and_nothing_typed_is_lost(
    db: None, wrong: dict[str, str], field: str
) -> None:
    answer = owner_of(opened_salon()).post("/tournaments/new/", FORM | wrong)

    assert answer.status_code == 422
    assert re.findall(r'id="(stages[^"]*)-error"', answer.text) == [field]
    shown, sent = fields_sent(answer.text), FORM | wrong
    for name in sent:
        if name.startswith("stages.2.") and sent[name] != "toss":
            assert shown[name] == sent[name], name
