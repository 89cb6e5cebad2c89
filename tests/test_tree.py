"""Facts about the whole tree: who imports what, and where a game may be named."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.registry import EXTENSIONS, GAMES

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "bot", "cogs")

DISCORD = {
    "bot/__main__.py", "bot/client.py", "bot/sandbox.py", "bot/ui/hands.py",
    "bot/ui/layout.py", "bot/ui/press.py", "bot/ui/replies.py", "bot/ui/screen.py",
}  # fmt: skip
ONLY = {
    "discord": DISCORD,
    "aiosqlite": {"bot/database.py"},
    "sqlite3": {"bot/care.py", "bot/database.py", "bot/rows.py"},
    "simcord": {"bot/sandbox.py"},
    "pydantic": {"engine/codec.py", "bot/settings.py"},
    "random": set(),
}


def sources(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("module", ONLY)
def test_is_imported_only_where_it_belongs(module):
    users = {str(p.relative_to(ROOT)) for p in sources(*PACKAGES) if module in imports(p)}
    users = {u for u in users if not (module == "discord" and u.startswith("cogs/"))}
    assert users <= ONLY[module]


def test_the_engine_needs_the_standard_library_alone():
    allowed = {"engine", "pydantic"}
    for path in sources("engine"):
        outside = {m for m in imports(path) if m not in _stdlib()} - allowed
        assert not outside, f"{path}: {outside}"


def _stdlib() -> frozenset[str]:
    import sys

    return frozenset(sys.stdlib_module_names)


@pytest.mark.parametrize("key", GAMES)
def test_a_game_is_named_only_in_its_own_files(key):
    own = {f"engine/{key}", f"bot/ui/{key}.py", f"cogs/{key}.py", "bot/registry.py"}
    for path in sources(*PACKAGES):
        name = str(path.relative_to(ROOT))
        if any(name == o or name.startswith((f"{o}/", f"bot/ui/{key}_")) for o in own):
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert key not in node.value.split("-")[0].split(), f"{name}:{node.lineno}"


def test_every_game_has_its_commands():
    assert {f"cogs.{key}" for key in GAMES} <= set(EXTENSIONS)


def test_settings_are_all_explained():
    from bot.settings import Settings

    example = (ROOT / ".env.example").read_text("utf-8")
    lines = example.splitlines()
    for name in Settings.model_fields:
        at = next((i for i, line in enumerate(lines) if line.startswith(f"{name.upper()}=")), None)
        assert at is not None, f"{name} is missing in .env.example"
    known = {f"{name.upper()}=" for name in Settings.model_fields}
    for line in lines:
        assert not line or line[0] == "#" or any(line.startswith(k) for k in known), line
