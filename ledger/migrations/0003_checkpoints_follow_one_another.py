from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce


def number(apps, schema_editor):
    """Tell every checkpoint which one it follows."""
    checkpoint = apps.get_model('ledger', 'Checkpoint')
    before = checkpoint.objects.filter(log=OuterRef('log'), size__lt=OuterRef('size')).order_by('-size').values('size')[:1]
    checkpoint.objects.update(previous=Coalesce(Subquery(before), 0))


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0002_checkpoints'),
    ]

    operations = [
        migrations.RenameField(
            model_name='cosignature',
            old_name='received_at',
            new_name='signed_at',
        ),
        migrations.RemoveConstraint(
            model_name='checkpoint',
            name='ledger_checkpoint_counted',
        ),
        migrations.AddField(
            model_name='checkpoint',
            name='previous',
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='checkpoint',
            constraint=models.CheckConstraint(condition=Q(size__gt=F('previous')) & Q(previous__gte=0), name='ledger_checkpoint_counted'),
        ),
    ]
