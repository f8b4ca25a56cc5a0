from django.db import migrations, models
from django.db.models import F


def everything_was_shared(apps, schema_editor):
    apps.get_model("journal", "Head").objects.update(shared=F("last"))


class Migration(migrations.Migration):
    dependencies = [("journal", "0003_deeds_stay")]

    operations = [
        migrations.AddField(
            model_name="head",
            name="shared",
            field=models.PositiveBigIntegerField(
                default=0, help_text="the newest deed that is not about one match, team or seat alone"
            ),
        ),
        migrations.AddIndex(
            model_name="deed",
            index=models.Index(fields=["tournament", "subject", "number"], name="deed_by_subject"),
        ),
        migrations.RunPython(everything_was_shared, migrations.RunPython.noop),
    ]
