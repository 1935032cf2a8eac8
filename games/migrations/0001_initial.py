import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import games.models
from games.migrations import _postgresql


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Allowance',
            fields=[
                ('key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='limit (keyed hash)')),
                ('paid_at', models.FloatField(verbose_name='paid for at')),
            ],
            options={
                'verbose_name': 'allowance',
                'verbose_name_plural': 'allowances',
            },
        ),
        migrations.CreateModel(
            name='CatalogueEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('system', models.SlugField(verbose_name='game')),
                ('kind', models.SlugField(max_length=24, verbose_name='kind')),
                ('slug', models.SlugField(max_length=64, verbose_name='number or short name')),
                ('facts', models.JSONField(default=dict, verbose_name='facts')),
                ('version', models.PositiveIntegerField(default=1, verbose_name='version')),
                ('changed_at', models.DateTimeField(auto_now=True, verbose_name='changed')),
            ],
            options={
                'verbose_name': 'catalogue entry',
                'verbose_name_plural': 'catalogue entries',
                'ordering': ('system', 'kind', 'slug'),
                'constraints': [models.UniqueConstraint(fields=('system', 'kind', 'slug'), name='catalogue_entry_once')],
            },
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=12, unique=True, verbose_name='code')),
                ('system', models.SlugField(db_index=False, verbose_name='game')),
                ('mode', models.SlugField(db_index=False, verbose_name='mode')),
                ('rules', models.JSONField(default=dict, verbose_name='rules')),
                ('round', models.PositiveSmallIntegerField(default=0, verbose_name='round')),
                ('flow', models.JSONField(default=list, verbose_name='open questions')),
                ('asked', models.PositiveIntegerField(default=0, verbose_name='questions asked')),
                ('version', models.PositiveIntegerField(default=0, verbose_name='version')),
                ('since', models.PositiveIntegerField(default=0, verbose_name='version at which the open question was asked')),
                ('seed', models.CharField(max_length=64, verbose_name='seed of chance')),
                ('drawn', models.PositiveIntegerField(default=0, verbose_name='random results made')),
                ('result', models.JSONField(blank=True, null=True, verbose_name='result')),
                ('undo_request', models.JSONField(blank=True, null=True, verbose_name='undo asked for')),
                ('altered', models.JSONField(blank=True, null=True, verbose_name='changed outside the game')),
                ('extra', models.JSONField(default=dict, verbose_name='facts of this game')),
                ('chain', models.CharField(blank=True, max_length=64, verbose_name='fingerprint of the history')),
                ('opened_from', models.CharField(blank=True, max_length=64, verbose_name='opened from (keyed hash)')),
                ('opening_hash', models.CharField(blank=True, db_index=True, editable=False, max_length=64, verbose_name='key of its opening')),
                ('is_listed', models.BooleanField(default=True, verbose_name='shown among the live tables')),
                ('is_demo', models.BooleanField(default=False, verbose_name='demo table')),
                ('freed', models.PositiveIntegerField(default=0, editable=False, verbose_name='seats freed so far')),
                ('takes_requests', models.BooleanField(default=True, verbose_name='takes requests for seats')),
                ('watch_delay', models.SmallIntegerField(default=0, verbose_name='spectator delay in minutes')),
                ('is_practice', models.BooleanField(default=False, verbose_name='practice table')),
                ('is_guided', models.BooleanField(default=False, verbose_name='shows first steps')),
                ('created_at', models.DateTimeField(default=games.models.now, editable=False, verbose_name='opened')),
                ('changed_at', models.DateTimeField(auto_now=True, verbose_name='last tap')),
                ('finished_at', models.DateTimeField(blank=True, null=True, verbose_name='finished')),
            ],
            options={
                'verbose_name': 'match',
                'verbose_name_plural': 'matches',
                'ordering': ('-changed_at',),
                'indexes': [models.Index(condition=models.Q(('finished_at', None), ('is_listed', True)), fields=['-changed_at'], name='match_live'), models.Index(fields=['system', '-changed_at'], name='match_by_system')],
                'constraints': [models.CheckConstraint(condition=models.Q(('since__lte', models.F('version'))), name='match_since_not_ahead')],
            },
        ),
        migrations.CreateModel(
            name='Army',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(db_index=False, max_length=24, verbose_name='seat')),
                ('name', models.CharField(blank=True, max_length=320, verbose_name='player')),
                ('faction', models.CharField(blank=True, max_length=320, verbose_name='faction')),
                ('ready', models.BooleanField(default=False, verbose_name='ready')),
                ('hidden', models.JSONField(default=dict, verbose_name='hidden values')),
                ('extra', models.JSONField(default=dict, verbose_name='facts of this game')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='armies', to='games.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'army',
                'verbose_name_plural': 'armies',
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='number')),
                ('begun_at', models.DateTimeField(default=games.models.now, verbose_name='begun')),
                ('extra', models.JSONField(default=dict, verbose_name='facts of this game')),
                ('first', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='games.army', verbose_name='first player')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='games.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'round',
                'verbose_name_plural': 'rounds',
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='Score',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('round', models.PositiveSmallIntegerField(verbose_name='round')),
                ('points', models.SmallIntegerField(verbose_name='points')),
                ('reason', models.CharField(max_length=240, verbose_name='reason')),
                ('source', models.CharField(blank=True, max_length=800, verbose_name='source')),
                ('author', models.CharField(blank=True, max_length=320, verbose_name='author')),
                ('army', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='games.army', verbose_name='army')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='games.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'score',
                'verbose_name_plural': 'scores',
                'ordering': ('number',),
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(db_index=False, max_length=24, verbose_name='seat')),
                ('epoch', models.PositiveIntegerField(default=1, verbose_name='epoch')),
                ('salt', models.CharField(blank=True, default=games.models.new_salt, editable=False, max_length=16, verbose_name='salt')),
                ('is_taken', models.BooleanField(default=False, verbose_name='taken')),
                ('claimed_at', models.DateTimeField(blank=True, null=True, verbose_name='claimed by a phone')),
                ('claim_hash', models.CharField(blank=True, db_index=True, max_length=64, verbose_name='key of the claim')),
                ('blind_at', models.PositiveIntegerField(blank=True, null=True, verbose_name='taken over at this question')),
                ('move_shows', models.BooleanField(default=False, verbose_name='moving code shows sealed answers')),
                ('move_hash', models.CharField(blank=True, db_index=True, max_length=64, verbose_name='moving code')),
                ('move_until', models.DateTimeField(blank=True, null=True, verbose_name='moving code valid until')),
                ('army', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='seat', to='games.army', verbose_name='army')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='SeatRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=320, verbose_name='name')),
                ('asker_hash', models.CharField(db_index=True, max_length=64, verbose_name='asker')),
                ('address_hash', models.CharField(blank=True, max_length=64, verbose_name='address of the asker (keyed hash)')),
                ('granted_at', models.DateTimeField(blank=True, null=True, verbose_name='granted')),
                ('declined_at', models.DateTimeField(blank=True, null=True, verbose_name='declined')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='asked')),
                ('seat', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='requests', to='games.seat', verbose_name='seat')),
            ],
            options={
                'verbose_name': 'request for a seat',
                'verbose_name_plural': 'requests for seats',
                'ordering': ('created_at',),
            },
        ),
        migrations.CreateModel(
            name='Unit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(db_index=False, max_length=64, verbose_name='key')),
                ('name', models.CharField(max_length=320, verbose_name='name')),
                ('kind', models.SlugField(blank=True, db_index=False, max_length=24, verbose_name='kind')),
                ('order', models.PositiveSmallIntegerField(default=0, verbose_name='order')),
                ('cost', models.SmallIntegerField(default=0, verbose_name='cost')),
                ('place', models.SlugField(db_index=False, default='table', max_length=64, verbose_name='place')),
                ('activated', models.BooleanField(default=False, verbose_name='activated')),
                ('wounds', models.SmallIntegerField(default=0, verbose_name='wounds left')),
                ('extra', models.JSONField(default=dict, verbose_name='facts of this game')),
                ('army', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='units', to='games.army', verbose_name='army')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='units', to='games.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'unit',
                'verbose_name_plural': 'units',
                'ordering': ('army', 'order', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Objective',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(db_index=False, max_length=64, verbose_name='key')),
                ('name', models.CharField(max_length=320, verbose_name='name')),
                ('kind', models.SlugField(blank=True, db_index=False, max_length=24, verbose_name='kind')),
                ('extra', models.JSONField(default=dict, verbose_name='facts of this game')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='objectives', to='games.match', verbose_name='match')),
                ('override', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='overrides', to='games.army', verbose_name='controller set by the players')),
                ('claimed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='claims', to='games.unit', verbose_name='claimed by')),
            ],
            options={
                'verbose_name': 'objective',
                'verbose_name_plural': 'objectives',
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(verbose_name='version')),
                ('kind', models.CharField(choices=[('open', 'opened'), ('bring', 'army brought'), ('tap', 'tap'), ('adjust', 'correction'), ('edit', "organiser's edit"), ('undo', 'undo'), ('remark', 'remark')], max_length=8, verbose_name='kind')),
                ('seat', models.SlugField(blank=True, db_index=False, max_length=24, verbose_name='seat')),
                ('author', models.CharField(blank=True, max_length=320, verbose_name='author')),
                ('step', models.SlugField(blank=True, db_index=False, max_length=64, verbose_name='step')),
                ('round', models.PositiveSmallIntegerField(default=0, verbose_name='round')),
                ('path', models.CharField(blank=True, max_length=120, verbose_name='piece')),
                ('action', models.CharField(blank=True, max_length=120, verbose_name='action')),
                ('note', models.TextField(blank=True, verbose_name='note')),
                ('lines', models.JSONField(default=list, verbose_name='sentences')),
                ('before', models.JSONField(default=dict, verbose_name='values before')),
                ('after', models.JSONField(default=dict, verbose_name='values after')),
                ('sealed', models.JSONField(default=dict, verbose_name='sealed part')),
                ('draws', models.JSONField(default=list, verbose_name='random results')),
                ('is_final', models.BooleanField(default=False, verbose_name='final')),
                ('opens', models.JSONField(default=dict, verbose_name='secrets that it reveals, by place')),
                ('commitments', models.JSONField(default=dict, verbose_name='fingerprints of what is sealed')),
                ('hash', models.CharField(blank=True, max_length=64, verbose_name='fingerprint')),
                ('key', models.CharField(blank=True, max_length=64, verbose_name='idempotency key')),
                ('payload', models.CharField(blank=True, max_length=64, verbose_name='fingerprint of the request')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='time')),
                ('undoes', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='undone_by', to='games.entry', verbose_name='undoes')),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='games.match', verbose_name='match')),
            ],
            options={
                'verbose_name': 'history entry',
                'verbose_name_plural': 'history entries',
                'ordering': ('version',),
                'constraints': [models.UniqueConstraint(fields=('match', 'version'), name='entry_version_once'), models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('match', 'seat', 'key'), name='entry_key_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='army',
            constraint=models.UniqueConstraint(fields=('match', 'key'), name='army_one_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='round_number_once'),
        ),
        migrations.AddConstraint(
            model_name='score',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='score_number_once'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'key'), name='seat_key_once'),
        ),
        migrations.AddConstraint(
            model_name='seatrequest',
            constraint=models.UniqueConstraint(fields=('seat', 'asker_hash'), name='seat_request_once_an_asker'),
        ),
        migrations.AddConstraint(
            model_name='unit',
            constraint=models.UniqueConstraint(fields=('match', 'key'), name='unit_key_once'),
        ),
        migrations.AddConstraint(
            model_name='objective',
            constraint=models.UniqueConstraint(fields=('match', 'key'), name='objective_key_once'),
        ),
        migrations.RunPython(_postgresql.forwards, _postgresql.backwards),
    ]
