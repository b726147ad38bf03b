from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0033_calls_for_the_director"),
    ]

    operations = [
        migrations.AddField(
            model_name="salon",
            name="paper",
            field=models.CharField(default="a4", max_length=16),
        ),
    ]
