"""An event says itself when it was opened, by the clock that machines share; the column stays as it is."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0002_event_entry"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="event",
                    name="created_at",
                    field=models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="opened"
                    ),
                ),
            ]
        ),
    ]
