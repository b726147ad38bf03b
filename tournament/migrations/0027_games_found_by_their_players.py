import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0026_rows_say_which_code_made_them'),
    ]

    operations = [
        migrations.CreateModel(
            name='GameSeat',
            fields=[
                ('id', models.CharField(max_length=48, primary_key=True, serialize=False)),
                ('seat', models.CharField(help_text='As the game calls it: N, or A.', max_length=8)),
                ('started_position', models.BigIntegerField(help_text='Where in the log the game began.')),
            ],
        ),
        migrations.CreateModel(
            name='TournamentPlayer',
            fields=[
                ('id', models.CharField(max_length=80, primary_key=True, serialize=False)),
            ],
        ),
        migrations.RemoveIndex(
            model_name='game',
            name='games_by_who_sat',
        ),
        migrations.RemoveIndex(
            model_name='game',
            name='games_that_are_not_final',
        ),
        migrations.AddField(
            model_name='game',
            name='disputed',
            field=models.BooleanField(default=False, help_text='One of its hands is disputed, and nobody has ruled yet.'),
        ),
        migrations.AddField(
            model_name='game',
            name='final',
            field=models.BooleanField(default=False, help_text='Confirmed for good: only a director can correct it, with a reason.'),
        ),
        migrations.AddField(
            model_name='game',
            name='not_played',
            field=models.BooleanField(default=False, help_text='It ended before a hand was played: it has no result and counts nowhere.'),
        ),
        migrations.AddField(
            model_name='tournament',
            name='practice',
            field=models.BooleanField(default=False, help_text='To practise directing: it counts for nothing at all.'),
        ),
        migrations.AddField(
            model_name='tournamentround',
            name='closed',
            field=models.BooleanField(default=False, help_text='Whether all its results are in and the next one may be drawn.'),
        ),
        migrations.AddField(
            model_name='tournamentround',
            name='published',
            field=models.BooleanField(default=False, help_text='Whether everybody may see who meets whom.'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['salon', 'started_position'], name='games_as_they_began'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('final', False)), fields=['salon', 'finished', 'started_position'], name='games_that_are_not_final'),
        ),
        migrations.AddField(
            model_name='gameseat',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='tournament.game'),
        ),
        migrations.AddField(
            model_name='gameseat',
            name='player',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='tournament.player'),
        ),
        migrations.AddField(
            model_name='tournamentplayer',
            name='player',
            field=models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, to='tournament.player'),
        ),
        migrations.AddField(
            model_name='tournamentplayer',
            name='stream',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='tournament.tournament'),
        ),
        migrations.AddIndex(
            model_name='gameseat',
            index=models.Index(fields=['player', 'started_position', 'game'], name='games_of_a_player'),
        ),
    ]
