"""When an announcement was taken down; those made before this stand."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0003_opened_by_the_common_clock"),
    ]

    operations = [
        migrations.AddField(
            model_name="announcement",
            name="down_at",
            field=models.BigIntegerField(
                blank=True, null=True, verbose_name="taken down (seconds since 1970)"
            ),
        ),
    ]
