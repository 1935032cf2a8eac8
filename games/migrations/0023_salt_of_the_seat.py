"""A salt in every new link; those handed out before this stand, so their rows get none."""

from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_room_for_a_reason"),
    ]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="salt",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=16, verbose_name="salt"
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="salt",
            field=models.CharField(
                blank=True,
                db_default="",
                default=games.models.new_salt,
                editable=False,
                max_length=16,
                verbose_name="salt",
            ),
        ),
    ]
