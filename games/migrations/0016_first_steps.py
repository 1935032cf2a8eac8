"""Practice tables on which a newcomer is told what to tap next."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0015_watch_delay'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='is_guided',
            field=models.BooleanField(default=False, verbose_name='shows first steps'),
        ),
    ]
