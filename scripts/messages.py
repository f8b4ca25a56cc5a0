"""`make messages`: gather the texts of the players' pages for translators, and compile what they wrote."""

import os
import re
import shutil
import sys
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django
from django.conf import settings
from django.core.management import call_command

# Staff read English; what is not of the project or only of its workshop has no words for players.
IGNORED = (
    *(".venv", "var", "tests", "scripts", "bench", "docs", "seeds", "examples", "static"),
    *(f"templates/{room}" for room in ("desk", "admin", "print", "store", "account", "allauth", "mfa")),
)
# They change at every run, or tell who ran it.
UNTOLD = re.compile(
    r'^"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Report-Msgid-Bugs-To): .*\n', re.M
)
REMARK = re.compile(r"\A(?:#.*\n)+")


def main() -> None:
    """Every .po file has every text of today, and every .mo file is what its .po file compiles to."""
    if not shutil.which("msgfmt"):
        sys.exit("This needs gettext: apt-get install gettext, or brew install gettext.")
    django.setup()
    root = Path(settings.BASE_DIR)
    os.chdir(root)
    codes = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    for code in codes:
        (root / "locale" / code / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
    call_command(
        "makemessages",
        locale=codes,
        ignore_patterns=list(IGNORED),
        no_location=True,
        no_obsolete=True,
        no_wrap=True,
        verbosity=0,
    )
    for code in codes:
        path = root / "locale" / code / "LC_MESSAGES" / "django.po"
        path.write_text(UNTOLD.sub("", REMARK.sub("", path.read_text())))
    call_command("compilemessages", locale=codes, ignore_patterns=[".venv", "var"], verbosity=0)
    print("Now look for empty and fuzzy texts in locale/, translate them, and run this again.")


if __name__ == "__main__":
    main()
