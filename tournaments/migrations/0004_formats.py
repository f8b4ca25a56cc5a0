from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0003_ordering"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="cut_method",
            field=models.CharField(
                blank=True,
                choices=[
                    ("single", "single elimination"),
                    ("third-place", "single elimination with a match for the third place"),
                    ("draft", "single elimination in the order of a draft's seats"),
                    ("double", "double elimination"),
                    ("pods", "playoff pods of four"),
                ],
                help_text="how the elimination is played; empty: as the mode says",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="format",
            field=models.CharField(
                choices=[
                    ("swiss", "Swiss rounds"),
                    ("round-robin", "round robin"),
                    ("elimination", "elimination only"),
                ],
                default="swiss",
                max_length=12,
            ),
        ),
        migrations.AddField(
            model_name="tournament",
            name="keeps_results",
            field=models.BooleanField(
                default=False, help_text="round robin: results of who leaves before half of his matches stay"
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="method",
            field=models.CharField(
                choices=[
                    ("swiss", "Swiss"),
                    ("round-robin", "round robin"),
                    ("elimination", "single elimination"),
                    ("double", "double elimination"),
                    ("pods", "playoff pods"),
                ],
                max_length=20,
            ),
        ),
    ]
