import django.db.models.deletion
import games.web.clock
import games.webhooks.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('events', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.CharField(max_length=500, verbose_name='address (https)')),
                ('secret', models.CharField(default=games.webhooks.models.new_secret, max_length=100, verbose_name='secret of the signatures')),
                ('on_score', models.BooleanField(default=True, verbose_name='when a score changes')),
                ('on_finish', models.BooleanField(default=True, verbose_name='when a match is over')),
                ('on_agreed', models.BooleanField(default=True, verbose_name='when a result is agreed')),
                ('on_round', models.BooleanField(default=True, verbose_name='when a round is opened')),
                ('is_active', models.BooleanField(default=True, verbose_name='active')),
                ('looked_at', models.DateTimeField(default=games.web.clock.now, verbose_name='tables last checked')),
                ('created_at', models.DateTimeField(default=games.web.clock.now, verbose_name='registered')),
                ('event', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='events.event', verbose_name='only of this event')),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Knowledge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=12, verbose_name='code')),
                ('version', models.PositiveIntegerField(default=0, verbose_name='version')),
                ('state', models.JSONField(default=dict, verbose_name='what it knows')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='knowledge', to='webhooks.webhook', verbose_name='webhook')),
            ],
            options={
                'verbose_name': 'what a webhook knows',
                'verbose_name_plural': 'what webhooks know',
                'constraints': [models.UniqueConstraint(fields=('webhook', 'code'), name='webhook_told_once')],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(default=games.webhooks.models.new_id, max_length=64, unique=True, verbose_name='id of the message')),
                ('kind', models.CharField(max_length=24, verbose_name='kind')),
                ('code', models.CharField(blank=True, db_index=True, max_length=12, verbose_name='code')),
                ('body', models.TextField(verbose_name='message')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('sent', 'sent'), ('dead', 'given up')], default='waiting', max_length=8, verbose_name='state')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('due_at', models.DateTimeField(default=games.web.clock.now, verbose_name='next attempt')),
                ('status', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='status of the last answer')),
                ('answer', models.CharField(blank=True, max_length=300, verbose_name='last answer')),
                ('created_at', models.DateTimeField(default=games.web.clock.now, verbose_name='time')),
                ('sent_at', models.DateTimeField(blank=True, null=True, verbose_name='sent')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='webhooks.webhook', verbose_name='webhook')),
            ],
            options={
                'verbose_name': 'delivery',
                'verbose_name_plural': 'deliveries',
                'ordering': ('-pk',),
                'indexes': [models.Index(condition=models.Q(('state', 'waiting')), fields=['due_at'], name='delivery_due')],
            },
        ),
    ]
