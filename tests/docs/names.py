"""What a page may name: files, functions, commands, settings, addresses; why each is wrong, if it is.

A name such as `play.tap` is looked for in every module called `play` of the program, so that a module may
move into another folder without a page going stale. It goes stale when what it names is renamed or removed.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve

from games.discovery import GROUP
from games.live.stream import PREFIX

ROOT = Path(__file__).parents[2]
FILES = re.compile(r".*\.(md|toml|py|css|js|html|txt|csv|po|svg|ini|cfg|sqlite3)")
PATH = re.compile(r"\.?[\w.*-]+(/[\w.*-]+)*/?")
DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
SETTING = re.compile(r"ROUNDTABLE_\w+|DATABASE_URL")
ADDRESS = re.compile(r"(?:(?:GET|POST) )?(/[\w./-]*)")


def fault(span: str) -> str:
    """Why a piece of code in a sentence is stale; "" where it is not, or where it names nothing of ours."""
    setting, address = SETTING.match(span), ADDRESS.fullmatch(span)
    if span.startswith(("make ", "manage.py ", ".venv/bin/python ")) or span == "make":
        return command_fault(span)
    if setting:
        return "" if setting[0] in config_source() else f"no setting {setting[0]}"
    if address:
        return address_fault(address[1])
    if span == GROUP or (DOTTED.fullmatch(span) and is_known(span)):
        return ""
    if FILES.fullmatch(span) or (PATH.fullmatch(span) and "/" in span):
        return "" if exists(span) else f"no file {span}"
    return f"nothing is called {span}" if DOTTED.fullmatch(span) else ""


def command_fault(line: str) -> str:
    """Why a command cannot be given as it stands: its name, its options, the files that it names."""
    words = line.partition("#")[0].split()
    words = words[words.index("&&") + 1 :] if words[:1] == ["cd"] and "&&" in words else words
    if words[:1] == ["make"]:
        wanted = [word for word in shlex.split(line, comments=True)[1:] if "=" not in word]
        return next((f"no target {word}" for word in wanted if word not in targets()), "")
    if "manage.py" in words:
        return management_fault(words[words.index("manage.py") + 1 :])
    if "pytest" in words:
        # What stands beside the checkout is the reader's own.
        told = [word for word in words[words.index("pytest") + 1 :] if not word.startswith("../")]
        files = [word for word in told if "/" in word]
        return next((f"no tests {file}" for file in files if not (ROOT / file).exists()), "")
    return ""


def management_fault(words: list[str]) -> str:
    """Why a command of manage.py does not exist or does not know an option."""
    name, rest = words[0], words[1:]
    if name not in get_commands():
        return f"no command {name}"
    app = get_commands()[name]
    parser = load_command_class(app, name).create_parser("manage.py", name) if isinstance(app, str) else None
    known = set(parser._option_string_actions) if parser else set()
    return next((f"{name} has no {word}" for word in rest if word.startswith("--") and word not in known), "")


def address_fault(path: str) -> str:
    """Why nothing answers at an address; the stream's is the shell's own."""
    if path == PREFIX:
        return ""
    try:
        resolve(path)
    except Resolver404:
        return f"nothing answers at {path}"
    return ""


def exists(path: str) -> bool:
    """Whether a file or folder is there: in the repository, among the pages, or in a game's folder."""
    places = (ROOT, ROOT / "docs", *sorted((ROOT / "games" / "systems").iterdir()))
    return any(next(place.glob(path.rstrip("/")), None) is not None for place in places if place.is_dir())


@cache
def targets() -> set[str]:
    """What can be made."""
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


@cache
def config_source() -> str:
    """Where settings are read."""
    return "".join(path.read_text(encoding="utf-8") for path in (ROOT / "config").rglob("*.py"))


@cache
def modules() -> dict[str, list[ast.Module]]:
    """The program's modules by their last name; the games' own are theirs to name."""
    found: dict[str, list[ast.Module]] = defaultdict(list)
    for folder in ("config", "games"):
        for path in (ROOT / folder).rglob("*.py"):
            if "systems" not in path.relative_to(ROOT).parts:
                name = path.parent.name if path.stem == "__init__" else path.stem
                found[name].append(ast.parse(path.read_text(encoding="utf-8")))
    return found


def is_known(name: str) -> bool:
    """Whether a dotted name leads to something: from a package, a module or a class on."""
    parts = name.split(".")
    if parts[0] in ("games", "config", "tests"):
        file = ROOT.joinpath(*parts)
        return file.is_dir() or file.with_suffix(".py").exists() or is_known(".".join(parts[-2:]))
    if parts[0][0].isupper():
        return any(holds(tree, parts) for trees in modules().values() for tree in trees)
    return any(holds(tree, parts[1:]) for tree in modules().get(parts[0], []))


def holds(tree: ast.Module | ast.ClassDef, parts: list[str]) -> bool:
    """Whether a module or class has what the rest of a name says."""
    first, *rest = parts
    found = [node for node in tree.body if first in names(node)]
    if not rest:
        return bool(found)
    classes = [node for node in found if isinstance(node, ast.ClassDef)]
    return any(holds(node, rest) for node in classes) or any(inherits(node, rest) for node in classes)


def inherits(node: ast.ClassDef, parts: list[str]) -> bool:
    """Whether a class has this from one of its bases."""
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    return any(is_known(".".join((base, *parts))) for base in bases)


def names(node: ast.stmt) -> Iterator[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id
