"""Whether a judge has ruled a result; those ruled before this may be contested once more."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0004_taken_down"),
    ]

    operations = [
        migrations.AddField(
            model_name="pairing",
            name="ruled",
            field=models.BooleanField(default=False, verbose_name="ruled by a judge"),
        ),
    ]
