"""The contracts of pyproject.toml hold for the rooms there are, and break where somebody imports upwards."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts.gate import ROOMS, ROOT

LINT = Path(sys.executable).parent / "lint-imports"
LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
ROOMS_THERE_ARE = {room for room in ROOMS if (ROOT / room / "__init__.py").exists()}


def breaks(folder: Path, module: str, text: str) -> bool:
    """Whether a house of empty rooms with this one module breaks a contract."""
    for room in LINTER["root_packages"]:
        (folder / room).mkdir(exist_ok=True)
        (folder / room / "__init__.py").touch()
    path = folder / module
    path.parent.mkdir(parents=True, exist_ok=True)
    (path.parent / "__init__.py").touch()
    path.write_text(text, encoding="utf-8")
    command = [str(LINT), "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return done.returncode != 0


def test_every_room_is_watched() -> None:
    assert set(LINTER["root_packages"]) == ROOMS_THERE_ARE


def test_the_layers_are_the_rooms_from_top_to_bottom() -> None:
    assert [layer.strip("()") for layer in LINTER["contracts"][0]["layers"]] == list(ROOMS)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        pytest.param("teams/services.py", "import tournaments", id="teams-import-tournaments"),
        pytest.param("matches/models.py", "from tournaments import Round", id="matches-import-tournaments"),
        pytest.param("journal/recording.py", "import teams", id="journal-imports-teams"),
        pytest.param("rulebook/turns.py", "import journal", id="rulebook-imports-journal"),
        pytest.param("tournaments/services.py", "import config", id="tournaments-import-config"),
        pytest.param("rulebook/turns.py", "from django.utils import timezone", id="rulebook-imports-django"),
        pytest.param("rulebook/modes/duel.py", "import celery", id="rulebook-imports-celery"),
        pytest.param("rulebook/turns.py", "import rest_framework", id="rulebook-imports-rest-framework"),
    ],
)
def test_an_import_that_points_up_is_caught(tmp_path: Path, module: str, text: str) -> None:
    assert breaks(tmp_path, module, text)


@pytest.mark.parametrize(
    ("module", "text"),
    [
        pytest.param("tournaments/services.py", "import matches, teams, journal, rulebook", id="down"),
        pytest.param("teams/admin.py", "import tournaments", id="an-admin-door"),
        pytest.param("teams/pages/desk.py", "import tournaments", id="a-page"),
        pytest.param("matches/tasks.py", "import tournaments", id="a-task"),
        pytest.param("teams/management/commands/load_demo.py", "import tournaments", id="a-command"),
        pytest.param("rulebook/turns.py", "import fractions", id="the-standard-library"),
    ],
)
def test_an_import_that_points_down_or_stands_in_a_door_passes(
    tmp_path: Path, module: str, text: str
) -> None:
    assert not breaks(tmp_path, module, text)
