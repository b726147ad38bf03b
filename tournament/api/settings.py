"""Settings of the salon by its owner: its name, public names, how long players are
remembered, saved house rules; stopped background jobs.
"""

from base64 import b64decode

from django.shortcuts import get_object_or_404
from msgspec import Struct
from rest_framework.request import Request

from scoring.errors import NotationError
from scoring.games import GAMES
from scoring.options import Choice, Option, read_options
from scoring.shape import JsonObject, a_text, one_of
from tournament.accounts.permissions import Permission
from tournament.api.http.responses import Answer, answer_idempotently, build_struct
from tournament.api.http.schema import document_action
from tournament.api.http.viewsets import ApiViewSet
from tournament.formats.local.pictures import MOST_BYTES
from tournament.models import Preset, Progress, RetentionRun, Salon, new_id
from tournament.projections.background import resume
from tournament.queries.stopped_projections import work_of
from tournament.recording.house_rules import remove_logo, set_logo, set_paper, set_place
from tournament.salons.preferences import (
    LONGEST_PRESET_NAME,
    as_text,
    change_settings,
    keep_preset,
    option_value,
    preset_texts,
)

RUNS_SHOWN = 30


class NightRun(Struct, frozen=True, kw_only=True):
    """What a night's work took away: players erased who came no more, and invitations that had
    ended long ago.
    """

    ran_at: str
    players: int
    invitations: int


class SalonSettings(Struct, frozen=True, kw_only=True):
    """The salon's name, what players are called in public (`whole`, `first`, `pseudonym`), after
    how many days without a game those without an account are erased (0: never), and what the last
    nights took away. Time zone and language are "" for those of the server, `logo` is the SHA-256
    of the picture beside the name, "" for none, `paper` what is printed on (`a4`, `letter`).
    `tells_phones`: whoever has the own page of an entry may have their phone told. `address` is
    where phones open the salon, as slips print it, "" for what the server finds by itself."""

    name: str
    names_shown: str
    forget_players_days: int
    time_zone: str
    language: str
    logo: str
    paper: str
    tells_phones: bool
    address: str
    nights: list[NightRun]


class NewSettings(Struct, frozen=True, kw_only=True):
    """The settings that are to hold from now on. Time zone (`Europe/Lisbon`), language (`en-us`),
    paper (`a4`, `letter`), whether phones are told and the `address` (`https://cards.example.org`)
    stay as they are when null.
    """

    name: str
    names_shown: str
    forget_players_days: int = 0
    time_zone: str | None = None
    language: str | None = None
    paper: str | None = None
    tells_phones: bool | None = None
    address: str | None = None


class NewLogo(Struct, frozen=True, kw_only=True):
    """A PNG or WebP picture of 200 kB at most, in base64."""

    logo: str


class PresetLine(Struct, frozen=True, kw_only=True):
    """House rules of a game kept under a name: `options` are those that differ from the usual."""

    id: int
    game: str
    name: str
    options: JsonObject


class NewPreset(Struct, frozen=True, kw_only=True):
    """House rules to keep under a name, in place of those that had it; what isn't said is
    as usual.
    """

    game: str
    name: str
    options: JsonObject = {}


class ParkedLine(Struct, frozen=True, kw_only=True):
    """A tournament, a game or a season (its id is `subject`, "" for the whole salon) that could not
    be computed up to the line `position`, or not in full; all others go on.
    """

    subject: str
    name: str
    position: int
    error: str


class WorkLine(Struct, frozen=True, kw_only=True):
    """How far a computation in the background has read the log; with an `error` it stopped at the
    line `stopped_at`. `parked` could not be computed by themselves.
    """

    name: str
    position: int
    stopped_at: int | None
    error: str
    parked: list[ParkedLine]


class SettingsViewSet(ApiViewSet):
    """What an owner sets for the salon, kept house rules, and work that stopped."""

    act = Permission.ADMINISTER

    def read_settings(self, request: Request) -> SalonSettings:
        """What is set for the salon, and what the last nights took away by it."""
        return _settings(self.salon)

    @document_action(body=NewSettings)
    def set_settings(self, request: Request) -> Answer[SalonSettings]:
        """Set them anew."""
        new, salon = self.body(NewSettings), self.salon

        def keep_settings() -> SalonSettings:
            change_settings(
                salon,
                name=new.name,
                names_shown=new.names_shown,
                forget_players_days=new.forget_players_days,
                tells_phones=new.tells_phones,
                address=new.address,
            )
            time_zone = salon.time_zone if new.time_zone is None else new.time_zone
            language = salon.language if new.language is None else new.language
            set_place(salon, time_zone=time_zone, language=language, **self.by)
            set_paper(salon, salon.paper if new.paper is None else new.paper, **self.by)
            salon.refresh_from_db()
            return _settings(salon)

        return answer_idempotently(self, ["settings"], keep_settings)

    @document_action(body=NewLogo)
    def show_logo(self, request: Request) -> Answer[SalonSettings]:
        """Show a picture beside the salon's name, on pages and prints."""
        salon = self.salon
        written = a_text(self.body(NewLogo).logo, "logo", longest=MOST_BYTES * 2)
        try:
            content = b64decode(written, validate=True)
        except ValueError:
            raise NotationError("a picture in base64 is expected here", path="logo") from None

        def replace_logo() -> SalonSettings:
            set_logo(salon, content, **self.by)
            return _settings(salon)

        return answer_idempotently(self, ["logo"], replace_logo)

    def take_logo_away(self, request: Request) -> None:
        """Show no picture beside the salon's name any more."""
        if self.salon.logo:
            remove_logo(self.salon, actor=self.visitor.actor, command=new_id())

    @document_action(Permission.START_GAME)
    def list_presets(self, request: Request) -> list[PresetLine]:
        """The house rules that are kept under a name, to start games with."""
        return [
            _preset(row) for row in Preset.objects.filter(salon=self.salon).order_by("game", "name")
        ]

    @document_action(body=NewPreset)
    def keep_house_rules(self, request: Request) -> Answer[PresetLine]:
        """Keep house rules under a name."""
        new, salon = self.body(NewPreset), self.salon
        game = GAMES[one_of(new.game, GAMES, "game")]
        name = a_text(" ".join(new.name.split()), "name", shortest=1, longest=LONGEST_PRESET_NAME)
        chosen = read_options(new.options, game.options)
        game.read_rules(new.options)

        def store_preset() -> PresetLine:
            texts = {option: as_text(value) for option, value in chosen.items()}
            row = keep_preset(salon, game.name, name, texts)
            assert row is not None
            return _preset(row)

        return answer_idempotently(self, ["preset"], store_preset)

    def forget_preset(self, request: Request, preset: int) -> None:
        """Forget house rules that were kept."""
        self.row(Preset, preset).delete()

    def list_work(self, request: Request) -> list[WorkLine]:
        """How far everything has come that is computed in the background."""
        return [
            build_struct(
                WorkLine,
                each.row,
                name=each.row.projection,
                stopped_at=each.row.error_position,
                parked=[build_struct(ParkedLine, parked) for parked in each.parked],
            )
            for each in work_of(self.salon, self.salon.log.position)
        ]

    @document_action(Permission.DIRECT)
    def resume_work(self, request: Request, projection: str) -> None:
        """Let a computation that stopped at a line of the log go on."""
        get_object_or_404(Progress, log=self.salon.log_id, projection=projection)
        resume(self.salon.log, projection)


def _settings(salon: Salon) -> SalonSettings:
    runs = RetentionRun.objects.filter(salon=salon).order_by("-pk")[:RUNS_SHOWN]
    return build_struct(
        SalonSettings,
        salon,
        nights=[build_struct(NightRun, run, ran_at=run.ran_at.isoformat()) for run in runs],
    )


def _preset(row: Preset) -> PresetLine:
    texts, offered = preset_texts(row), {option.name: option for option in GAMES[row.game].options}
    values = {name: _choice(offered[name], text) for name, text in texts.items()}
    differing = {name: value for name, value in values.items() if value != offered[name].default}
    return build_struct(PresetLine, row, options=differing)


def _choice(option: Option, text: str) -> Choice:
    """The value that a text of the start page means; the text itself where it means none."""
    try:
        return option_value(option, text)
    except ValueError:
        return text
