from django.db import migrations, models

import tournament.models.rows_made_by


class Migration(migrations.Migration):
    """Nobody knows which code made the rows of the salons there are: null, until `rebuild` was run once."""

    dependencies = [
        ("tournament", "0025_names_have_salts"),
    ]

    operations = [
        migrations.AddField(
            model_name="salon",
            name="rows_made_by",
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="salon",
            name="rows_made_by",
            field=models.PositiveIntegerField(
                blank=True, default=tournament.models.rows_made_by.rows_made_by, editable=False, null=True
            ),
        ),
    ]
