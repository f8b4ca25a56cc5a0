"""What the tests need from the system: found, or installed by apt, or named in one command to run.

python -m scripts.system         installs what is missing (as root or with a passwordless sudo), else says how
"""

import ctypes.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM_OF_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
POSTGRES_FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)


def postgres_programs() -> Path | None:
    """The folder of initdb, pg_ctl and psql; the newest where there are several."""
    folders = [found for pattern in POSTGRES_FOLDERS for found in Path("/").glob(pattern.lstrip("/"))]
    folders.sort(key=version_in, reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        folders.append(Path(on_path).parent)
    for folder in folders:
        if all((folder / name).exists() for name in ("initdb", "pg_ctl", "psql")):
            return folder
    return None


def version_in(folder: Path) -> int:
    digits = "".join(letter for letter in folder.parent.name if letter.isdigit())
    return int(digits or 0)


def chromium() -> str | None:
    """The browser the tests drive: $CHROMIUM, else the first known name."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    on_path = (shutil.which(name) for name in CHROMIUM_NAMES)
    installed = (path for path in CHROMIUM_OF_MACOS if Path(path).exists())
    return next((path for path in (*on_path, *installed) if path), None)


def has_cjk_font() -> bool:
    if sys.platform == "darwin":
        return True
    fonts = shutil.which("fc-list")
    if fonts is None:
        return False
    return bool(subprocess.run([fonts, ":lang=ja"], capture_output=True, text=True).stdout.strip())


def has_pango() -> bool:
    return all(ctypes.util.find_library(name) for name in ("pango-1.0", "pangoft2-1.0"))


# What must be there, the packages of Debian and Ubuntu that bring it, and the one of Homebrew.
NEEDS: tuple[tuple[Callable[[], object], str, str], ...] = (
    (postgres_programs, "postgresql", "postgresql@17"),
    (lambda: shutil.which("redis-server") or shutil.which("valkey-server"), "redis-server", "redis"),
    (chromium, "chromium", "--cask chromium"),
    (has_pango, "libpango-1.0-0 libpangoft2-1.0-0", "pango"),
    (lambda: shutil.which("msgfmt"), "gettext", "gettext"),
    (has_cjk_font, "fontconfig fonts-noto-cjk", ""),
)


def missing() -> list[tuple[str, str]]:
    return [(apt, brew) for is_there, apt, brew in NEEDS if not is_there()]


def apt_words(packages: list[str]) -> list[str]:
    return ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]


def how_to_install() -> str:
    """The one command that brings what is missing here."""
    wanted = missing()
    if sys.platform == "darwin":
        return " && ".join(f"brew install {brew}" for _, brew in wanted if brew)
    return "sudo " + " ".join(apt_words(debian_names(wanted)))


def debian_names(wanted: list[tuple[str, str]]) -> list[str]:
    names = [name for apt, _ in wanted for name in apt.split()]
    return [chromium_package() if name == "chromium" else name for name in names]


def chromium_package() -> str:
    """Debian calls the browser chromium; Ubuntu has only chromium-browser."""
    cache = shutil.which("apt-cache")
    if cache is None:
        return "chromium"
    policy = subprocess.run([cache, "policy", "chromium"], capture_output=True, text=True).stdout
    has_browser = subprocess.run([cache, "show", "chromium-browser"], capture_output=True).returncode == 0
    return "chromium-browser" if has_browser and "(none)" in policy.partition("Candidate")[2] else "chromium"


def root_words() -> list[str] | None:
    """What makes a command run as root here; None when nothing does without a password."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def install(as_root: list[str]) -> None:
    """The missing packages are installed; apt's own words go to the screen."""
    environment = ["env", "DEBIAN_FRONTEND=noninteractive"]
    subprocess.run([*as_root, *environment, "apt-get", "update", "-q"], stdin=subprocess.DEVNULL)
    packages = debian_names(missing())
    subprocess.run([*as_root, *environment, *apt_words(packages)], stdin=subprocess.DEVNULL)


def main() -> int:
    wanted = missing()
    if not wanted:
        return 0
    as_root = root_words()
    if as_root is not None:
        print(
            "The tests need these from the system, apt installs them now:", *debian_names(wanted), flush=True
        )
        install(as_root)
    if not missing():
        return 0
    print("The tests need more from the system. Run this, then again:", how_to_install(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
