"""What organisers keep of a game is called a catalogue entry."""

from django.db import migrations, models


def rename_permissions(apps, schema_editor):
    """Who might change sheets may change catalogue entries."""
    for permission in apps.get_model("auth", "Permission").objects.filter(
        content_type__app_label="games", codename__endswith="_sheet"
    ):
        permission.codename = permission.codename.replace("_sheet", "_catalogueentry")
        permission.name = permission.name.replace("sheet", "catalogue entry")
        permission.save()


class Migration(migrations.Migration):
    dependencies = [("games", "0008_words_of_people"), ("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        migrations.RemoveConstraint("sheet", "sheet_once"),
        migrations.RenameModel("Sheet", "CatalogueEntry"),
        migrations.AlterModelOptions(
            "catalogueentry",
            {
                "ordering": ("system", "kind", "slug"),
                "verbose_name": "catalogue entry",
                "verbose_name_plural": "catalogue entries",
            },
        ),
        migrations.AddConstraint(
            "catalogueentry",
            models.UniqueConstraint(fields=("system", "kind", "slug"), name="catalogue_entry_once"),
        ),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop),
    ]
