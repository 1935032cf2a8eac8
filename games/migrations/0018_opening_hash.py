"""A program that opens a match may ask for it again: the key that it gave is found by its hash."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_leaner_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="opening_hash",
            field=models.CharField(
                blank=True, db_index=True, editable=False, max_length=64, verbose_name="key of its opening"
            ),
        ),
    ]
