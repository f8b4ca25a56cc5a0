"""What the system lacks is installed where that is allowed, else named in one command."""

from pathlib import Path

import pytest

from scripts import system


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        system,
        "NEEDS",
        ((lambda: None, "chromium", "--cask chromium"), (lambda: True, "gettext", "gettext")),
    )
    monkeypatch.setattr(system, "chromium_package", lambda: "chromium")
    monkeypatch.setattr(system.sys, "platform", "linux")


@pytest.mark.usefixtures("no_browser")
def test_without_root_the_one_command_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "root_words", lambda: None)
    assert system.main() == 1
    said = capsys.readouterr().err
    assert "sudo apt-get install -y -q --no-install-recommends chromium\n" in said
    assert said.count("\n") == 1


@pytest.mark.usefixtures("no_browser")
def test_as_root_only_what_is_missing_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[list[str]] = []

    def note(command: list[str], **words: object) -> None:
        calls.append(command)

    monkeypatch.setattr(system, "root_words", lambda: ["sudo", "-n"])
    monkeypatch.setattr(system.subprocess, "run", note)
    assert system.main() == 1
    assert capsys.readouterr().out.startswith("The tests need these from the system")
    assert [call[4:6] for call in calls] == [["apt-get", "update"], ["apt-get", "install"]]
    assert calls[1][-1] == "chromium"


def test_macos_is_told_in_its_own_words(monkeypatch: pytest.MonkeyPatch, no_browser: None) -> None:
    monkeypatch.setattr(system.sys, "platform", "darwin")
    assert system.how_to_install() == "brew install --cask chromium"


def test_nothing_is_asked_for_when_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "NEEDS", ((lambda: True, "gettext", "gettext"),))
    monkeypatch.setattr(system, "root_words", lambda: pytest.fail("asked for root without a need"))
    assert system.main() == 0


def test_the_newest_postgresql_is_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for version in ("9", "15", "16"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        for name in ("initdb", "pg_ctl", "psql"):
            (folder / name).touch()
    monkeypatch.setattr(system, "POSTGRES_FOLDERS", (f"{tmp_path}/*/bin",))
    assert system.postgres_programs() == tmp_path / "16" / "bin"
