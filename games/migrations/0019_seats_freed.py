"""A match counts the seats that were freed: each one's epoch began with 1, and each freeing added 1."""

from django.db import migrations, models
from django.db.models import Count, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce


def count(apps, schema_editor):
    """From the epochs of the seats that are there."""
    chairs = apps.get_model("games", "Seat").objects.filter(match=OuterRef("pk")).order_by()
    freed = chairs.values("match").annotate(freed=Sum("epoch") - Count("pk")).values("freed")
    apps.get_model("games", "Match").objects.update(freed=Coalesce(Subquery(freed), 0))


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0018_opening_hash"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="freed",
            field=models.PositiveIntegerField(
                db_default=0, default=0, editable=False, verbose_name="seats freed so far"
            ),
        ),
        migrations.RunPython(count, migrations.RunPython.noop),
    ]
