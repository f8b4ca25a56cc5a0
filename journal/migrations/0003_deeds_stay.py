"""A deed is never changed and never deleted: the database refuses it."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SENTENCE = "a deed in the journal is never changed or deleted"
POSTGRESQL = [
    f"""
    CREATE FUNCTION journal_deed_stays() RETURNS trigger AS $$
    BEGIN RAISE EXCEPTION '{SENTENCE}'; END;
    $$ LANGUAGE plpgsql
    """,
    """
    CREATE TRIGGER journal_deed_stays BEFORE UPDATE OR DELETE ON journal_deed
    FOR EACH ROW EXECUTE FUNCTION journal_deed_stays()
    """,
]
SQLITE = [
    f"""
    CREATE TRIGGER journal_deed_stays_{deed} BEFORE {deed.upper()} ON journal_deed
    BEGIN SELECT RAISE(ABORT, '{SENTENCE}'); END
    """
    for deed in ("update", "delete")
]
POSTGRESQL_BACK = ["DROP TRIGGER journal_deed_stays ON journal_deed", "DROP FUNCTION journal_deed_stays()"]
SQLITE_BACK = ["DROP TRIGGER journal_deed_stays_update", "DROP TRIGGER journal_deed_stays_delete"]


def refuse_changes(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def allow_changes(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in POSTGRESQL_BACK if schema_editor.connection.vendor == "postgresql" else SQLITE_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("journal", "0002_initial")]
    operations = [migrations.RunPython(refuse_changes, allow_changes)]
