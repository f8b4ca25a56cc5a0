"""Many new rows that share most of their values, in one statement."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection, models

BATCH = 2000


def insert_alike(
    model: type[models.Model], each: Mapping[str, Sequence[Any]], alike: Mapping[str, Any]
) -> list[int]:
    """The ids of new rows, in order: row n has the n-th value of every column of `each`, all have `alike`.

    Columns are named as in the table (`team_id`); what is not named has its default. As with `bulk_create`,
    nobody hears of the rows. PostgreSQL is sent a shared value once and not with every row.
    """
    rows = list(zip(*each.values(), strict=True))
    if not rows:
        return []
    if connection.vendor == "postgresql":
        return _unnested(model, each, alike)
    made = model._default_manager.bulk_create(
        [model(**dict(zip(each, row, strict=True)), **alike) for row in rows], batch_size=BATCH
    )
    return [row.pk for row in made]


def _unnested(
    model: type[models.Model], each: Mapping[str, Sequence[Any]], alike: Mapping[str, Any]
) -> list[int]:
    quoted = connection.ops.quote_name
    primary = str(next(field.column for field in model._meta.concrete_fields if field.primary_key))
    fields = {field.attname: field for field in model._meta.concrete_fields if not field.primary_key}
    if unknown := {*each, *alike} - {*fields}:
        raise ValueError(f"{model.__name__} has no columns {sorted(unknown)}")
    # Without the length, as Django does it: a cast to varchar(16) would cut what is too long.
    kinds = {name: str(field.db_type(connection)).split("(")[0] for name, field in fields.items()}
    shared = {
        name: field.get_db_prep_save(alike.get(name, field.get_default()), connection)
        for name, field in fields.items()
        if name not in each
    }
    own = {
        name: [fields[name].get_db_prep_save(value, connection) for value in column]
        for name, column in each.items()
    }
    columns = ", ".join(quoted(str(fields[name].column)) for name in [*shared, *own])
    values = ", ".join([f"%s::{kinds[name]}" for name in shared] + [f"given.{quoted(name)}" for name in own])
    arrays = ", ".join(f"%s::{kinds[name]}[]" for name in own)
    names = ", ".join(quoted(name) for name in own)
    statement = (
        f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) SELECT {values} "
        f"FROM unnest({arrays}) WITH ORDINALITY AS given({names}, given_turn) ORDER BY given.given_turn "
        f"RETURNING {quoted(primary)}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*shared.values(), *own.values()])
        return [pk for (pk,) in cursor.fetchall()]
