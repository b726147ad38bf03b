"""Rows beside the events as lines of an archive, and as rows of the salon on the
server that takes it in.
"""

import hashlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from copy import replace
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import asdict

from ledger import times
from ledger.models import Checkpoint, Cosignature, SigningKey, Witnessed
from tournament import models
from tournament.exchange.salon_archive import file_format
from tournament.formats.local.pictures import read_picture
from tournament.salons.players import nameless
from tournament.webhooks.signing import new_secret, sealed

ROWS_AT_ONCE = 1000
# Lines that hold columns of a row as they are.
OF_THE_SALON: Mapping[type, type[Model]] = {
    file_format.PlayerLine: models.Player,
    file_format.TextLine: models.Text,
    file_format.ErasureLine: models.Erasure,
    file_format.PresetLine: models.Preset,
    file_format.SeedLine: models.StockSeed,
}
OF_THE_LOG: Mapping[type, type[Model]] = {
    file_format.CheckpointLine: Checkpoint,
    file_format.CosignatureLine: Cosignature,
    file_format.WitnessedLine: Witnessed,
    file_format.KeyLine: SigningKey,
}


def list_salon_lines(salon: models.Salon, *, names: bool) -> Iterator[object]:
    """Yield the rows that the salon keeps beside its log."""
    for player in as_they_are(file_format.PlayerLine, models.Player.objects.filter(salon=salon)):
        yield player if names else replace(player, name=nameless(player.id), salt="")
    if names:
        yield from as_they_are(file_format.TextLine, models.Text.objects.filter(salon=salon))
    yield from as_they_are(file_format.ErasureLine, models.Erasure.objects.filter(salon=salon))
    for table in _in_order(models.Table.objects.filter(salon=salon, retired=False)):
        yield file_format.TableLine(label=table.label)
    for table in _in_order(models.Table.objects.filter(salon=salon, retired=True)):
        yield file_format.RetiredTableLine(label=table.label)
    for logo in _in_order(models.Logo.objects.filter(salon=salon)):
        content = b64encode(bytes(logo.content)).decode()
        yield file_format.LogoLine(
            digest=logo.digest,
            media_type=logo.media_type,
            width=logo.width,
            height=logo.height,
            content=content,
        )
    yield from as_they_are(file_format.PresetLine, models.Preset.objects.filter(salon=salon))
    yield from as_they_are(file_format.SeedLine, models.StockSeed.objects.filter(salon=salon))
    for hook in _in_order(models.Webhook.objects.filter(salon=salon)):
        events = tuple(hook.events)
        yield file_format.WebhookLine(
            id=hook.pk, address=hook.address, events=events, made_by=hook.made_by
        )
    for night in _in_order(models.RetentionRun.objects.filter(salon=salon)):
        yield file_format.NightLine(
            ran_at=microseconds(night.ran_at), invitations=night.invitations, players=night.players
        )


def list_checkpoint_lines(log: int, size: int) -> Iterator[object]:
    """Checkpoints of a log over `size` entries at most, and all that belongs to them; the keys come
    last.
    """
    yield from as_they_are(
        file_format.CheckpointLine, Checkpoint.objects.filter(log=log, size__lte=size), "size"
    )
    yield from as_they_are(
        file_format.CosignatureLine, Cosignature.objects.filter(log=log, size__lte=size)
    )
    yield from as_they_are(
        file_format.WitnessedLine, Witnessed.objects.filter(log=log), "origin", "size"
    )
    yield from as_they_are(file_format.KeyLine, SigningKey.objects.filter(log=log), "number")


def as_they_are[L: Struct, M: Model](shape: type[L], rows: QuerySet[M], *order: str) -> Iterator[L]:
    """A line for each row, with the columns that the shape names."""
    for row in _in_order(rows, *order):
        yield shape(**{column: getattr(row, column) for column in shape.__struct_fields__})


def row_of(salon: models.Salon, line: Any, *, events: int) -> Model:  # noqa: ANN401 - one of the lines in the tables
    """The row of a line in the salon that was taken in with so many events."""
    shape = type(line)
    if shape in OF_THE_SALON:
        return OF_THE_SALON[shape](salon=salon, **asdict(line))
    if shape in OF_THE_LOG:
        return OF_THE_LOG[shape](log=salon.log, **asdict(line))
    match line:
        case file_format.TableLine() | file_format.RetiredTableLine():
            return models.Table(
                salon=salon,
                label=line.label,
                retired=isinstance(line, file_format.RetiredTableLine),
                pin=models.new_pin(),
            )
        case file_format.LogoLine():
            return _logo(salon, line)
        case file_format.NightLine():
            return models.RetentionRun(
                salon=salon,
                ran_at=times.moment(line.ran_at),
                invitations=line.invitations,
                players=line.players,
            )
        case file_format.ActorLine():
            return models.EarlierActor(
                salon=salon, actor=line.actor, name=line.name, player_id=line.player or None
            )
        case file_format.WebhookLine():
            return _webhook(salon, line, events)
        case _:
            raise TypeError(f"a line of {shape.__name__} has no row of its own")


def _logo(salon: models.Salon, line: file_format.LogoLine) -> models.Logo:
    """The picture as it is served: read again as if somebody had just sent it. Raises
    NotationError.
    """
    picture = read_picture(b64decode(line.content, validate=True))
    columns = {
        "media_type": picture.media_type,
        "width": picture.width,
        "height": picture.height,
        "content": picture.content,
    }
    return models.Logo(salon=salon, digest=hashlib.sha256(picture.content).hexdigest(), **columns)


def _webhook(salon: models.Salon, line: file_format.WebhookLine, events: int) -> models.Webhook:
    """An address that is told nothing before somebody gives it another secret, and nothing that
    happened before.
    """
    return models.Webhook(
        id=line.id,
        salon=salon,
        address=line.address,
        events=list(line.events),
        secret=sealed(new_secret()),
        since=events,
        standings_told=events,
        paused_why=_("The salon came from another server: give this address a new secret first."),
        made_by=line.made_by,
    )


def microseconds(time: datetime) -> int:
    """A time as archives have it."""
    return round(time.timestamp() * 1_000_000)


def _in_order[M: Model](rows: QuerySet[M], *order: str) -> Iterator[M]:
    return rows.order_by(*order or ("pk",)).iterator(chunk_size=ROWS_AT_ONCE)
