import msgspec
from django.db import migrations, models

from tournament.models.written_json import WrittenJSONField, json_text

SOMETIMES = ('marks', 'confirmation')
JSON = (
    ('Game', ('seats', 'state', *SOMETIMES)),
    ('Hand', ('result',)),
    ('Reckoning', ('state',)),
    ('Screen', ('state',)),
    ('Season', ('state',)),
    ('Tournament', ('state',)),
    ('TournamentRound', ('state',)),
)
UNREADABLE = 'null'


def only_json(apps, schema_editor):
    """Nothing said of a game was an empty text. What somebody made unreadable is nothing, too: the
    audit names it, and a rebuild mends it.
    """
    game = apps.get_model('tournament', 'Game').objects
    for column in SOMETIMES:
        game.filter(**{column: ''}).update(**{column: None})
    for name, columns in JSON:
        rows = apps.get_model('tournament', name).objects
        for column in columns:
            texts = rows.exclude(**{column: None}).values_list('pk', column).iterator()
            for key in [key for key, text in texts if not _is_json(text)]:
                rows.filter(pk=key).update(**{column: UNREADABLE})
    if schema_editor.connection.vendor == 'postgresql':
        # A row that was changed twice waits for its keys to be looked at, and no table changes till then.
        schema_editor.connection.check_constraints()


def _is_json(text):
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def written_alike(apps, schema_editor):
    """Tie-breaks as all JSON of rows is written."""
    rows = apps.get_model('tournament', 'Standing').objects
    for key, value in rows.values_list('pk', 'tie_breaks').iterator():
        rows.filter(pk=key).update(tie_breaks=json_text(value))


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0037_push_subscriptions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='game',
            name='marks',
            field=models.TextField(blank=True, default='', null=True),
        ),
        migrations.AlterField(
            model_name='game',
            name='confirmation',
            field=models.TextField(blank=True, default='', null=True),
        ),
        migrations.RunPython(only_json, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='game',
            name='seats',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='game',
            name='state',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='game',
            name='marks',
            field=WrittenJSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='game',
            name='confirmation',
            field=WrittenJSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='hand',
            name='result',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='reckoning',
            name='state',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='screen',
            name='state',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='season',
            name='state',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='state',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='tournamentround',
            name='state',
            field=WrittenJSONField(),
        ),
        migrations.AlterField(
            model_name='standing',
            name='tie_breaks',
            field=WrittenJSONField(help_text='In hundredths, in the order in which they decide.'),
        ),
        migrations.RunPython(written_alike, migrations.RunPython.noop),
    ]
