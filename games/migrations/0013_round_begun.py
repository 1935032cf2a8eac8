"""When each round was begun; of rounds that were begun before this, nobody knows."""

from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [("games", "0012_allowance")]

    operations = [
        migrations.AddField(
            "round", "begun_at", models.DateTimeField("begun", blank=True, default=None, null=True)
        ),
        migrations.AlterField(
            "round", "begun_at", models.DateTimeField("begun", blank=True, default=games.models.now, null=True)
        ),
    ]
