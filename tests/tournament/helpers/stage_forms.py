"""The form that sets a tournament up, filled in, and the stage that comes of it."""

from django.http import QueryDict

from tournament.domain.standings.values import Stage
from tournament.domain.tournament.stage import OpenTournament, open_tournament
from tournament.pages.desk.stage_form import later_stages, read_form, stage_of


def form_of(**chosen: str) -> QueryDict:
    """The form as a browser sends it, with these choices; `__` stands for a dot."""
    form = QueryDict(mutable=True)
    form.update({"command": "a" * 32, "usual": "yes", "rounds": "3"})
    form.update({name.replace("__", "."): value for name, value in chosen.items()})
    return form


def opened(form: QueryDict) -> Stage:
    """The stage that comes of a form. Raises a Refusal where nothing does."""
    written = read_form(form)
    stage = stage_of(written)
    later = later_stages(written)
    game = written.game
    open_tournament(
        OpenTournament(record="r", name="Cup", game=game, seed=1, stage=stage, later=later)
    )
    return (stage, *later)[-1]
