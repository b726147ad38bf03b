from django.db import migrations, models


def without_nothing(apps, schema_editor):
    """No day, and no limit of what a token is for, were an empty text."""
    apps.get_model('tournament', 'Game').objects.filter(played_on='').update(played_on=None)
    apps.get_model('tournament', 'ApiToken').objects.filter(scopes='').update(scopes=None)


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0030_where_entries_stand'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='scopes',
            field=models.TextField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='game',
            name='played_on',
            field=models.CharField(blank=True, max_length=10, null=True),
        ),
        migrations.RunPython(without_nothing, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='apitoken',
            name='scopes',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='auditrun',
            name='findings',
            field=models.JSONField(default=list),
        ),
        migrations.AlterField(
            model_name='auditrun',
            name='outside',
            field=models.JSONField(default=list),
        ),
        migrations.AlterField(
            model_name='auditrun',
            name='remarks',
            field=models.JSONField(default=list),
        ),
        migrations.AlterField(
            model_name='game',
            name='played_on',
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='stock',
            name='drawn_on',
            field=models.DateField(),
        ),
        migrations.AlterField(
            model_name='webhook',
            name='events',
            field=models.JSONField(),
        ),
    ]
