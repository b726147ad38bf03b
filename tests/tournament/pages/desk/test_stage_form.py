"""The form of how a tournament is played offers what goes together, refuses the rest beside its
field, and keeps what was set elsewhere.
"""

import json
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from scoring.errors import NotationError, Refusal
from scoring.games import GAMES
from tests.tournament.api.calling import owner_calls
from tests.tournament.helpers.forms import fields_sent
from tests.tournament.helpers.salons import opened_salon, owner_of
from tests.tournament.helpers.stage_forms import form_of, opened
from tournament.domain.standings.reading import read_stage
from tournament.domain.standings.writing import write_stage
from tournament.models import Tournament
from tournament.pages.desk.stage_fields import scale_choices
from tournament.pages.desk.stage_form import FORMATS, fields_of, read_form
from tournament.streams.tournament_rows import state_of

SCORINGS = ("matchpoints", "imps", "built")


def offered(game: str, format_: str, scoring: str) -> set[str]:
    """The scales that go with these by what the form says of each."""
    told = {game, f"{game}/{format_}", f"{game}/{format_}/{scoring}"}
    return {name for name, _words, goes in scale_choices() if told & set(goes.split())}


@pytest.mark.parametrize("format_", [name for name, _words in FORMATS])
@pytest.mark.parametrize("game", GAMES)
def test_what_the_form_offers_is_accepted_and_what_it_does_not_is_refused(
    game: str, format_: str
) -> None:
    formats = fields_of(read_form(QueryDict()))["formats"]
    goes = {each.value: each.goes.split() for each in formats}  # type: ignore[attr-defined]
    for scoring in SCORINGS if format_ == "duplicate" else ("",):
        own = {"duplicate__scoring": scoring} if scoring else {}
        for scale, _words, _goes in scale_choices()[1:]:
            form = form_of(game=game, format=format_, scale=scale, **own)
            if game in goes[format_] and scale in offered(game, format_, scoring):
                stage = opened(form)
                assert stage.scale.kind == scale
                assert read_stage(json.loads(json.dumps(write_stage(stage))), "", game) == stage
            else:
                with pytest.raises(Refusal) as refusal:
                    opened(form)
                assert refusal.value.path in ("stage.kind", "stage.scale.kind", "stage.scoring")


@pytest.mark.parametrize("format_", [name for name, _words in FORMATS])
@pytest.mark.parametrize("game", GAMES)
def test_a_later_stage_is_offered_what_goes_with_it(game: str, format_: str) -> None:
    formats = fields_of(read_form(QueryDict()))["formats"]
    goes = {each.value: each.goes.split() for each in formats}  # type: ignore[attr-defined]
    if game not in goes[format_]:
        return
    for scoring in SCORINGS if format_ == "duplicate" else ("",):
        own = {"stages__2__duplicate__scoring": scoring} if scoring else {}
        later = {"stages__2__kind": format_, "stages__2__rounds": "2", **own}
        for scale, _words, _goes in scale_choices()[1:]:
            first = "pods" if format_ == "pods" else "round_robin"
            form = form_of(game=game, format=first, stages__2__scale=scale, **later)
            if scale in offered(game, format_, scoring):
                assert opened(form).scale.kind == scale
            else:
                with pytest.raises(Refusal) as refusal:
                    opened(form)
                assert refusal.value.path.startswith("stages")


def test_the_imps_of_a_duplicate_may_come_to_victory_points_in_a_file_too() -> None:
    given = {"kind": "duplicate", "scoring": "imps", "scale": {"kind": "victory_points"}}

    assert read_stage(given, "stage", "precedence").scale.kind == "victory_points"
    with pytest.raises(NotationError, match="compared by matchpoints"):
        read_stage(given | {"scoring": "matchpoints"}, "stage", "precedence")


@pytest.mark.parametrize(
    ("game", "format_", "scale", "at"),
    [
        ("precedence", "swiss", "imps", "scale-kind-error"),
        ("precedence", "knockout", "margin", "scale-kind-error"),
        ("precedence", "pods", "usual", "stage.kind-error"),
        ("contract_sabacc", "movement", "usual", "stage.kind-error"),
    ],
)
def test_a_refusal_of_the_scale_or_the_format_stands_at_its_field(
    db: None, game: str, format_: str, scale: str, at: str
) -> None:
    page = owner_of(opened_salon()).post(
        "/tournaments/new/",
        form_of(game=game, name="Cup", format=format_, scale=scale).dict(),
    )

    assert page.status_code == 422
    assert f'id="{at}"' in page.text


@pytest.mark.parametrize("stage", ["", "stages.2."])
@pytest.mark.parametrize(
    "own", [{"movement": "howell", "rover": "yes"}, {"rover": "no", "small_groups": "by guess"}]
)
def test_a_refusal_of_what_a_movement_asks_stands_at_its_field(
    db: None, stage: str, own: dict[str, str]
) -> None:
    client = owner_of(opened_salon())
    chosen = {f"{stage}movement.{key}": value for key, value in own.items()}
    chosen |= {"stages.2.kind": "movement", "stages.2.top": "9"} if stage else {"rounds": ""}
    sent = fields_sent(client.get("/tournaments/new/").text) | {"name": "Cup"}

    page = client.post(
        "/tournaments/new/", sent | {"format": "swiss" if stage else "movement"} | chosen
    )

    assert page.status_code == 422
    path = "stages.1" if stage else "stage"
    assert f'id="{path}.{list(own)[-1]}-error"' in page.text


STAGES: list[tuple[str, list[dict[str, Any]]]] = [
    ("precedence", [{"kind": "swiss", "rounds": 4, "scale": {"kind": "margin", "steps": [5, 9]}}]),
    ("precedence", [{"kind": "swiss", "rounds": 4, "scale": {"kind": "match", "win": 3, "draw": 1,
                     "bye": 2}, "accelerated": 2, "seeding": "slide", "clubs_apart": True}]),
    ("precedence", [{"kind": "round_robin", "rounds": 2, "double": True}]),
    ("precedence", [{"kind": "movement", "rounds": 3, "movement": "howell", "deals_a_round": 3,
                     "scale": {"kind": "imps", "steps": [2, 7, 20]}}]),
    ("precedence", [{"kind": "movement", "rover": True, "winners": 2, "small_groups": "spread",
                     "scale": {"kind": "matchpoints"}}]),
    ("precedence", [{"kind": "duplicate", "deals": 8, "scoring": "imps",
                     "scale": {"kind": "victory_points", "steps": [2, 7]}}]),
    ("preference", [{"kind": "pods", "sizes": [3], "seating": "score", "rounds": 3,
                     "scale": {"kind": "match", "opponents": 3}}]),
    ("contract_sabacc", [{"kind": "pods", "sizes": [3, 4, 5], "scale": {"kind": "chips"}}]),
    ("precedence", [
        {"kind": "swiss", "rounds": 3, "scale": {"kind": "match", "win": 2}},
        {"kind": "swiss", "rounds": 2, "takes": {"top": 12, "ties": "lots"},
         "scale": {"kind": "match", "win": 5, "draw": 2, "bye": 1}, "accelerated": 1,
         "seeding": "fold", "clubs_apart": True, "tie_breaks": ["wins", "score_total"],
         "bye_to": "lowest_score"},
        {"kind": "knockout", "takes": {"from": 2, "top": 4}, "best_of": 3, "third_place": True,
         "scale": {"kind": "points"}},
    ]),
    ("precedence", [
        {"kind": "swiss", "rounds": 3, "scale": {"kind": "margin"}},
        {"kind": "movement", "takes": {"top": 6}, "movement": "howell", "deals_a_round": 4,
         "scale": {"kind": "imps", "steps": [2, 5]}},
    ]),
    ("precedence", [
        {"kind": "swiss", "rounds": 3, "scale": {"kind": "margin"}},
        {"kind": "duplicate", "takes": {"from": 1, "top": 4}, "deals": 6, "scoring": "imps",
         "scale": {"kind": "victory_points"}},
    ]),
    ("precedence", [
        {"kind": "swiss", "rounds": 3},
        {"kind": "movement", "takes": {"top": 9}, "rover": True, "small_groups": "averages"},
    ]),
    ("precedence", [
        {"kind": "swiss", "rounds": 3},
        {"kind": "duplicate", "takes": {"top": 4}, "deals": 6, "small_groups": "averages"},
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "stages"), STAGES)
def test_the_form_saved_as_it_stands_changes_nothing_that_was_set_elsewhere(
    db: None, game: str, stages: list[dict[str, Any]]
) -> None:
    salon = opened_salon()
    first, *later = stages
    sent = {"name": "Cup", "game": game, "stage": first, "later_stages": later}
    made = owner_calls(salon).post("tournaments/", sent)
    assert made.status == 201, made.value
    row, client = Tournament.objects.get(), owner_of(salon)
    before = state_of(row)
    desk = f"/tournaments/{row.pk}/desk/stage/"

    answer = client.post(desk, fields_sent(client.get(desk).text))

    row.refresh_from_db()
    after = state_of(row)
    assert (answer.status_code, after.version) == (302, before.version + 1)
    assert after.every_stage == before.every_stage
    assert after.conditions == before.conditions


def test_a_later_stage_follows_the_scale_of_the_first_until_it_has_its_own(db: None) -> None:
    salon = opened_salon()
    client = owner_of(salon)
    form = form_of(game="precedence", name="Cup", format="swiss", scale="points")
    later = {"stages.2.kind": "knockout", "stages.2.top": "4"}
    client.post("/tournaments/new/", form.dict() | later)
    row = Tournament.objects.get()
    desk = f"/tournaments/{row.pk}/desk/stage/"

    client.post(desk, fields_sent(client.get(desk).text) | {"scale": "chips"})
    row.refresh_from_db()
    followed = [each.scale.kind for each in state_of(row).every_stage]
    client.post(desk, fields_sent(client.get(desk).text) | {"stages.2.scale": "points"})
    client.post(desk, _changed(client, desk, {"scale": "match"}))
    row.refresh_from_db()

    assert followed == ["chips", "chips"]
    assert [each.scale.kind for each in state_of(row).every_stage] == ["match", "points"]


def test_rounds_that_a_knock_out_is_not_asked_for_do_not_stand_in_its_way() -> None:
    assert opened(form_of(game="precedence", format="knockout", rounds="5")).rounds is None
    later = {"stages__2__kind": "knockout", "stages__2__rounds": "2"}
    assert opened(form_of(game="precedence", format="swiss", **later)).rounds is None


def _changed(client: Client, desk: str, choices: dict[str, str]) -> dict[str, str]:
    return fields_sent(client.get(desk).text) | choices
