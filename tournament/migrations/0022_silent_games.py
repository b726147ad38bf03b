import json

from django.db import migrations, models


def note_silent_games(apps, schema_editor):
    """What `tournament_rows` says from now on, for the tournaments that are silent while this is carried out."""
    tournaments = apps.get_model('tournament', 'Tournament').objects.filter(phase='running')
    games = apps.get_model('tournament', 'TournamentGame').objects
    for stream, state in tournaments.values_list('pk', 'state').iterator():
        begun = json.loads(state).get('silent_from')
        if begun is not None:
            games.filter(stream=stream, round__gte=begun).update(silent=True)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0021_how_right_is_said'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournamentgame',
            name='silent',
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(note_silent_games, migrations.RunPython.noop),
    ]
