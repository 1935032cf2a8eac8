"""What webhooks have to be told is found by the clock that all machines share."""

from django.db import migrations, models

from games.web import clock


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0002_knowledge")]

    operations = [
        migrations.AlterField(model, name, models.DateTimeField(verbose_name, default=clock.now))
        for model, name, verbose_name in (
            ("delivery", "created_at", "time"),
            ("delivery", "due_at", "next attempt"),
            ("webhook", "created_at", "registered"),
            ("webhook", "looked_at", "last look at the tables"),
        )
    ]
