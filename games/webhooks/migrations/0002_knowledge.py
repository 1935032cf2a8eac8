"""What a webhook knows is called so."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0001_initial")]

    operations = [
        migrations.RenameModel("Told", "Knowledge"),
        migrations.AlterField(
            "knowledge",
            "webhook",
            models.ForeignKey(
                "webhooks.Webhook",
                django.db.models.deletion.CASCADE,
                related_name="knowledge",
                verbose_name="webhook",
            ),
        ),
    ]
