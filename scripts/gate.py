"""The rules of the house that no linter knows, read from the syntax trees of the rooms.

python -m scripts.gate           names every offence as file:line rule sentence; exit 1 when there is one

clock    time comes from journal.clock
locks    a row is locked by journal.locks
chance   a random source is handed in, with its seed
signals  nothing happens behind a service's back
save     a model saves what it is told to save
imports  an import stands at the top of its file
doors    pages, api, admin, tasks and commands are imported by nobody
"""

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("config", "integrations", "notices", "tournaments", "matches", "teams", "journal", "rulebook")
DOORS = frozenset({"pages", "api", "admin", "tasks", "management"})

CLOCKS = frozenset(
    {
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "django.db.models.functions.Now",
        "django.utils.timezone.localdate",
        "django.utils.timezone.now",
        "time.time",
        "time.time_ns",
    }
)
OWN_SOURCES = frozenset({"random.Random", "random.SystemRandom"})
HIDDEN_CHANCE = ("secrets.", "uuid.uuid1", "uuid.uuid4", "os.urandom", "numpy.random.", "random.SystemRandom")
SIGNALS = ("django.dispatch", "django.db.models.signals", "django.core.signals", "django.db.backends.signals")


@dataclass(frozen=True)
class Offence:
    path: PurePosixPath
    line: int
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.rule}: {self.sentence}"


@dataclass(frozen=True)
class Source:
    """One file of a room, with what its names stand for."""

    path: PurePosixPath
    nodes: tuple[ast.AST, ...]
    names: dict[str, str]

    @property
    def room(self) -> str:
        return self.path.parts[0]

    def offence(self, node: ast.AST, rule: str, sentence: str) -> Offence:
        return Offence(self.path, getattr(node, "lineno", 1), rule, sentence)

    def meaning(self, node: ast.AST) -> str:
        """The full name behind an expression like `tz.now`, by the file's imports; empty when it has none."""
        if isinstance(node, ast.Attribute):
            owner = self.meaning(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, "")
        return ""

    def references(self) -> Iterator[tuple[ast.AST, str]]:
        """Every name and attribute that stands for something imported, and what it stands for."""
        for node in self.nodes:
            name = self.meaning(node)
            if name:
                yield node, name

    def imports(self) -> Iterator[tuple[ast.AST, str]]:
        for node in self.nodes:
            for name in imported_names(node):
                yield node, name


def read(path: PurePosixPath, text: str) -> Source:
    nodes = tuple(ast.walk(ast.parse(text, filename=str(path))))
    names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return Source(path, nodes, names)


def imported_names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def clock(source: Source) -> Iterator[Offence]:
    if source.path == PurePosixPath("journal/clock.py") or "migrations" in source.path.parts:
        return  # a migration only repeats what its models say, some of them Django's own
    for node, name in source.references():
        if name in CLOCKS:
            yield source.offence(
                node, "clock", f"{name} is not the tournament's time; call journal.clock.now()"
            )
        if name == "django.utils.timezone.localtime" and reads_the_clock(source, node):
            yield source.offence(node, "clock", "localtime() reads the clock; hand it journal.clock.now()")
    for node in source.nodes:
        if isinstance(node, ast.keyword) and node.arg in ("auto_now", "auto_now_add"):
            yield source.offence(
                node.value, "clock", f"{node.arg} reads the clock; the service sets the time"
            )


def reads_the_clock(source: Source, function: ast.AST) -> bool:
    calls = (node for node in source.nodes if isinstance(node, ast.Call) and node.func is function)
    return any(not call.args and not call.keywords for call in calls)


def locks(source: Source) -> Iterator[Offence]:
    if source.path == PurePosixPath("journal/locks.py"):
        return
    for node in source.nodes:
        if isinstance(node, ast.Attribute) and node.attr == "select_for_update":
            yield source.offence(node, "locks", "a plain row lock can deadlock; lock by journal.locks")


def chance(source: Source) -> Iterator[Offence]:
    sentence = "{} cannot be replayed; take a random.Random with a stored seed"
    for node, name in source.references():
        is_module_level = name.startswith("random.") and name not in OWN_SOURCES
        is_hidden = source.room == "rulebook" and name.startswith(HIDDEN_CHANCE)
        if is_module_level or is_hidden:
            yield source.offence(node, "chance", sentence.format(name))
    for node in source.nodes:
        if isinstance(node, ast.Call) and source.meaning(node.func) == "random.Random" and not node.args:
            yield source.offence(node, "chance", sentence.format("random.Random() without a seed"))


def signals(source: Source) -> Iterator[Offence]:
    for node, name in source.imports():
        if name.startswith(SIGNALS):
            yield source.offence(
                node, "signals", f"{name}: a service calls what must follow, nothing listens"
            )


def save(source: Source) -> Iterator[Offence]:
    for node in source.nodes:
        if not isinstance(node, ast.ClassDef) or not is_model(source, node):
            continue
        for part in node.body:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name in ("save", "asave"):
                sentence = f"{node.name} overrides {part.name}(); the service does that work"
                yield source.offence(part, "save", sentence)


def is_model(source: Source, node: ast.ClassDef) -> bool:
    if "models.py" in source.path.parts or "models" in source.path.parts:
        return True
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return not bases.isdisjoint({"Model", "AbstractUser", "AbstractBaseUser"})


def imports(source: Source) -> Iterator[Offence]:
    for function in source.nodes:
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom) and not is_ready_hook(source, function):
                yield source.offence(node, "imports", "an import inside a function hides a cycle; move it up")


def is_ready_hook(source: Source, function: ast.AST) -> bool:
    """Django's own place to load what needs every app: AppConfig.ready."""
    return source.path.name == "apps.py" and getattr(function, "name", "") == "ready"


def doors(source: Source) -> Iterator[Offence]:
    if source.room == "config":
        return
    own = door_of(source.path.with_suffix("").parts)
    for node, name in source.imports():
        door = door_of(tuple(name.split(".")))
        if door and door != own and not (door[1] == "api" and own[1:] == ("api",)):  # the API is one door
            yield source.offence(node, "doors", f"{'.'.join(door)} is a door; import the service behind it")


def door_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The door a module belongs to, e.g. ("tournaments", "pages"); empty when it is inside a room."""
    is_door = len(parts) > 1 and parts[0] in ROOMS and parts[1] in DOORS
    return parts[:2] if is_door else ()


RULES: tuple[Callable[[Source], Iterator[Offence]], ...] = (
    clock,
    locks,
    chance,
    signals,
    save,
    imports,
    doors,
)


def offences_in(path: PurePosixPath, text: str) -> list[Offence]:
    source = read(path, text)
    found = {offence for rule in RULES for offence in rule(source)}
    return sorted(found, key=lambda offence: (offence.line, offence.rule, offence.sentence))


def offences(root: Path = ROOT) -> list[Offence]:
    files = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    found = []
    for path in files:
        found += offences_in(
            PurePosixPath(path.relative_to(root).as_posix()), path.read_text(encoding="utf-8")
        )
    return found


def main() -> int:
    found = offences()
    for offence in found:
        print(offence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
