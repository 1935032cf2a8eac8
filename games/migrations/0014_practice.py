"""Tables that go on from a moment of another match are told apart."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0013_round_begun'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='is_practice',
            field=models.BooleanField(default=False, verbose_name='practice table'),
        ),
    ]
