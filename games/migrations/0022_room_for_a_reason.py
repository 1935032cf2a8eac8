"""Why points were given has room for 200 letters as people count them, in every script."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0021_undo_request"),
    ]

    operations = [
        migrations.AlterField(
            model_name="score",
            name="source",
            field=models.CharField(blank=True, max_length=800, verbose_name="source"),
        ),
    ]
