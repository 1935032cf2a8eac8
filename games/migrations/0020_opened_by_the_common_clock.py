"""A match says itself when it was opened, by the clock that machines share; the column stays as it is."""

from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0019_seats_freed"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="match",
                    name="created_at",
                    field=models.DateTimeField(default=games.models.now, editable=False, verbose_name="opened"),
                ),
            ]
        ),
    ]
