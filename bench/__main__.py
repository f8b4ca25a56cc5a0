"""`make bench`: one table of ratios, measured in one run; sizes and goals are those of bench/RESULTS.md."""

import os
import platform
import sys

import django

from bench import pure
from scripts import services


def table(rows: list[tuple[str, str, str, str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip(), flush=True
        )


def main() -> int:
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    head = ("what", "measured", "goal", "ours")
    table([head, *pure.rows()])
    with services.running() as urls:
        os.environ["DATABASE_URL"] = urls["TEST_DATABASE_URL"]
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        django.setup()
        from django.core.management import call_command

        from bench import stored

        call_command("migrate", verbosity=0)
        table([head, *stored.rows()])
    return 0


if __name__ == "__main__":
    sys.exit(main())
