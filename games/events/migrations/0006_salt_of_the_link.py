"""A salt in every new link; those handed out before this stand, so their rows get none."""

from django.db import migrations, models

import games.events.models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0005_ruled"),
    ]

    operations = [
        operation
        for model in ("player", "helper")
        for operation in (
            migrations.AddField(
                model_name=model,
                name="salt",
                field=models.CharField(
                    blank=True, default="", editable=False, max_length=16, verbose_name="salt"
                ),
            ),
            migrations.AlterField(
                model_name=model,
                name="salt",
                field=models.CharField(
                    blank=True,
                    default=games.events.models.new_salt,
                    editable=False,
                    max_length=16,
                    verbose_name="salt",
                ),
            ),
        )
    ]
