"""Names of players get the salt of the digest by which the log covers them; those from before have none until then."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournament", "0024_games_found_by_table_and_who_sat")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="salt",
            field=models.CharField(blank=True, default="", editable=False, max_length=32),
        ),
    ]
