"""Every history becomes a chain; those that were there before are tied together as they stand."""

import django.utils.timezone
from django.db import migrations, models

from games.match import chain


def tie(apps, schema_editor):
    """Salt what is sealed and give every entry its fingerprint, match by match."""
    Match, Entry = apps.get_model("games", "Match"), apps.get_model("games", "Entry")
    for match in Match.objects.order_by("pk").iterator():
        match.chain, tied = "", []
        for entry in Entry.objects.filter(match=match).select_related("undoes").order_by("version"):
            entry.sealed = chain.salted(entry.sealed)
            chain.join(match, entry)
            tied.append(entry)
        Entry.objects.bulk_update(tied, ["sealed", "commitments", "hash"], batch_size=100)
        match.save(update_fields=["chain"])


class Migration(migrations.Migration):
    dependencies = [("games", "0009_catalogue_entry")]

    operations = [
        migrations.AddField(
            "match",
            "chain",
            models.CharField("fingerprint of the history", max_length=64, blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            "entry", "opens", models.JSONField("places of secrets that it reveals", default=list)
        ),
        migrations.AddField(
            "entry", "commitments", models.JSONField("fingerprints of what is sealed", default=dict)
        ),
        migrations.AddField(
            "entry",
            "hash",
            models.CharField("fingerprint", max_length=64, blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AlterField(
            "entry", "created_at", models.DateTimeField("time", default=django.utils.timezone.now)
        ),
        migrations.RunPython(tie, migrations.RunPython.noop),
    ]
