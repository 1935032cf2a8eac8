"""What the user of this program named when it was asked for: these packages and these folders.

They are the user's. None of them is ever designed away, renamed or folded into another, whatever changes.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "django": "django.contrib.staticfiles",
    "django-htmx": "django_htmx.middleware.HtmxMiddleware",
    "whitenoise": "whitenoise.middleware.WhiteNoiseMiddleware",
}
"""The packages that the program runs on, each with the app or middleware by which it is in use."""
FILES = ("manage.py", "pyproject.toml", "README.md")
FOLDERS = ("config", "games", "templates", "static", "tests", "seeds")


def required(*extras: str) -> set[str]:
    """The names of the packages that pyproject.toml asks for, with those of these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        *project["dependencies"],
        *(one for name in extras for one in project["optional-dependencies"][name]),
    ]
    return {re.split(r"[^\w-]", line, maxsplit=1)[0] for line in lines}


def locked(name: str) -> set[str]:
    """The names of the packages in a locked file of requirements."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return set(re.findall(r"^([\w-]+)(?:\[\w+\])?==", text, re.M))


def imported(folder: str) -> set[str]:
    """The packages that the modules of a folder import."""
    found: set[str] = set()
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
            elif isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_a_named_package_is_required_locked_and_in_use(package):
    assert package in required()
    assert all(package in locked(name) for name in ("requirements.txt", "requirements-dev.txt"))
    assert PACKAGES[package] in (*settings.INSTALLED_APPS, *settings.MIDDLEWARE)


def test_django_htmx_is_what_reads_the_headers_of_htmx():
    """Its middleware alone would be a name in a list."""
    assert "django_htmx" in imported("games/web")
    assert import_string(PACKAGES["django-htmx"])
    by_hand = [
        path
        for folder in ("games", "config")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"""["'](?:HTTP_HX_|HX-)""", path.read_text(encoding="utf-8"))
    ]
    assert by_hand == []


def test_pytest_django_runs_the_tests(pytestconfig):
    assert "pytest-django" in required("dev") & locked("requirements-dev.txt")
    assert pytestconfig.pluginmanager.hasplugin("django")


@pytest.mark.parametrize("name", FILES)
def test_a_named_file_stands_at_the_top(name):
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("name", FOLDERS)
def test_a_named_folder_stands_at_the_top_and_holds_something(name):
    assert any(path.is_file() for path in (ROOT / name).rglob("*"))
