"""A match calls its open request for an undo what pages call it; the column keeps its name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_opened_by_the_common_clock"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField(
                    model_name="match",
                    old_name="take_back",
                    new_name="undo_request",
                ),
                migrations.AlterField(
                    model_name="match",
                    name="undo_request",
                    field=models.JSONField(
                        blank=True, db_column="take_back", null=True, verbose_name="undo asked for"
                    ),
                ),
            ]
        ),
    ]
