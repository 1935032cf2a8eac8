"""An entry of an event's history is called what one of a match is called."""

import django.db.models.deletion
from django.db import migrations, models


def rename_permissions(apps, schema_editor):
    """Whoever was allowed to read the history of an event goes on being so."""
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="events")
    for permission in permissions.filter(codename__endswith="_record"):
        permission.codename = permission.codename.removesuffix("record") + "evententry"
        permission.save(update_fields=["codename"])


class Migration(migrations.Migration):
    dependencies = [("auth", "0012_alter_user_first_name_max_length"), ("events", "0001_initial")]

    operations = [
        migrations.RenameModel("Record", "EventEntry"),
        migrations.AlterField(
            "evententry",
            "event",
            models.ForeignKey(
                "events.Event", django.db.models.deletion.CASCADE, related_name="entries", verbose_name="event"
            ),
        ),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop),
    ]
