"""What several processes take of a limit together."""

from django.db import migrations, models


def keep_off_the_log(apps, schema_editor):
    """A limit that a crash of the database forgets is no loss, and nothing waits for it to reach the disk."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE games_allowance SET UNLOGGED", params=None)
        # Room for new values beside the old ones, so that no index is touched.
        schema_editor.execute("ALTER TABLE games_allowance SET (fillfactor = 50)", params=None)


class Migration(migrations.Migration):
    dependencies = [("games", "0011_announcements")]

    operations = [
        migrations.CreateModel(
            "Allowance",
            [
                (
                    "key",
                    models.CharField(
                        max_length=40,
                        primary_key=True,
                        serialize=False,
                        verbose_name="limit (keyed hash)",
                    ),
                ),
                ("paid_at", models.FloatField(verbose_name="paid for at")),
            ],
            {"verbose_name": "allowance", "verbose_name_plural": "allowances"},
        ),
        migrations.RunPython(keep_off_the_log, migrations.RunPython.noop),
    ]
