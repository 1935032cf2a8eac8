"""Indexes that nothing asks for are gone: every tap wrote them."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_first_steps"),
    ]

    operations = [
        migrations.AlterField(
            model_name="army",
            name="key",
            field=models.SlugField(db_index=False, max_length=24, verbose_name="seat"),
        ),
        migrations.AlterField(
            model_name="army",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="armies",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="entries",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="seat",
            field=models.SlugField(blank=True, db_index=False, max_length=24, verbose_name="seat"),
        ),
        migrations.AlterField(
            model_name="entry",
            name="step",
            field=models.SlugField(blank=True, db_index=False, max_length=64, verbose_name="step"),
        ),
        migrations.AlterField(
            model_name="match",
            name="mode",
            field=models.SlugField(db_index=False, verbose_name="mode"),
        ),
        migrations.AlterField(
            model_name="match",
            name="system",
            field=models.SlugField(db_index=False, verbose_name="game"),
        ),
        migrations.AlterField(
            model_name="objective",
            name="key",
            field=models.SlugField(db_index=False, max_length=64, verbose_name="key"),
        ),
        migrations.AlterField(
            model_name="objective",
            name="kind",
            field=models.SlugField(blank=True, db_index=False, max_length=24, verbose_name="kind"),
        ),
        migrations.AlterField(
            model_name="objective",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="objectives",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="round",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rounds",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="score",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="scores",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="seat",
            name="key",
            field=models.SlugField(db_index=False, max_length=24, verbose_name="seat"),
        ),
        migrations.AlterField(
            model_name="seat",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="seats",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="seatrequest",
            name="seat",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requests",
                to="games.seat",
                verbose_name="seat",
            ),
        ),
        migrations.AlterField(
            model_name="unit",
            name="key",
            field=models.SlugField(db_index=False, max_length=64, verbose_name="key"),
        ),
        migrations.AlterField(
            model_name="unit",
            name="kind",
            field=models.SlugField(blank=True, db_index=False, max_length=24, verbose_name="kind"),
        ),
        migrations.AlterField(
            model_name="unit",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="units",
                to="games.match",
                verbose_name="match",
            ),
        ),
        migrations.AlterField(
            model_name="unit",
            name="place",
            field=models.SlugField(db_index=False, default="table", max_length=64, verbose_name="place"),
        ),
    ]
