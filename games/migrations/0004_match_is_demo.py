"""Demo tables are marked; those planted before are known by the keys of their entries."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def mark_planted(apps: Any, editor: Any) -> None:
    """Only what `plant` wrote has such keys."""
    planted = apps.get_model("games", "Entry").objects.filter(key__startswith="planted-")
    apps.get_model("games", "Match").objects.filter(pk__in=planted.values("match")).update(is_demo=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0003_seat_claims")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="is_demo",
            field=models.BooleanField(default=False, verbose_name="demo table"),
        ),
        migrations.RunPython(mark_planted, migrations.RunPython.noop),
    ]
