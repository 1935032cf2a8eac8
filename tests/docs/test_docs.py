"""No page leads nowhere, and none names a file, function, command, setting or address that is not there."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import polib
import pytest

from games.hall import commands, event_undo
from games.hall.event_api import COMMANDS, Command
from tests.docs import names, pages
from tests.fourth import tutorial

DOCS = pages.ROOT / "docs"
TUTORIAL = tutorial.files()


def own(span: str) -> bool:
    """Whether the tutorial speaks of what it builds itself."""
    return any(path == span or path.endswith(f"/{span}") for path in TUTORIAL)


@pytest.mark.parametrize("page", pages.ALL, ids=lambda page: str(page.relative_to(pages.ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert [f"{link}: {why}" for link in pages.links(page) if (why := pages.dead(page, link))] == []


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page: Path) -> None:
    found = [span for span in pages.spans(page) if not (page.name == "tutorial.md" and own(span))]
    assert [why for span in found if (why := names.fault(span))] == []


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_can_be_given(page: Path) -> None:
    parts = [part.strip() for line in pages.commands(page) for part in line.split("&&")]
    assert [why for part in parts if (why := names.command_fault(part))] == []
    asked = re.findall(r"https://roundtable\.example(/\S*)", "\n".join(parts))
    assert [why for path in asked if (why := names.address_fault(path))] == []


@pytest.mark.parametrize("page", pages.PAGES, ids=lambda page: page.name)
def test_nobody_is_sent_to_a_stranger_s_package(page: Path) -> None:
    """Until a release, what an index has under our name is somebody else's program."""
    asked = re.findall(r"(?:\bpip3?|\bpipx|\buvx?)\b[^`\n]*", page.read_text(encoding="utf-8"))
    assert [line for line in asked if re.search(r"(?<![\w/-])roundtable(?![\w-])", named(line))] == []
    wheels = set(re.findall(r"roundtable-([\d.]+)-py3-none-any\.whl", page.read_text(encoding="utf-8")))
    assert wheels <= {tomllib.loads((pages.ROOT / "pyproject.toml").read_text())["project"]["version"]}


def named(line: str) -> str:
    """A command that installs, without the program that `uvx --from FILE` starts."""
    return re.sub(r"(--from \S+\.whl) roundtable$", r"\1", line)


def test_every_page_is_in_the_table_of_contents_and_linked_from_the_start() -> None:
    contents = re.search(r"```\{toctree\}\n:hidden:\n\n(.+?)```", (DOCS / "index.md").read_text(), re.S)
    there = {page.name for page in DOCS.glob("*.md")} - {"index.md"}
    assert contents is not None
    assert {f"{name}.md" for name in contents[1].split()} == there
    assert set(pages.links(DOCS / "index.md")) == there


def test_the_page_of_the_house_names_every_room_of_it() -> None:
    """The page promises to say where everything is."""
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    packages = {f"{path.parent.relative_to(pages.ROOT)}/" for path in pages.ROOT.glob("[cg]*/*/__init__.py")}
    rooms = packages | {"config/deploy/"}
    assert len(rooms) > 15
    assert [room for room in sorted(rooms - {"games/migrations/"}) if f"`{room}`" not in text] == []


def test_the_picture_names_what_is_there() -> None:
    drawn = re.findall(r'<text class="code"[^>]*>([^<]+)<', (DOCS / "architecture.svg").read_text())
    spans = [span for line in drawn for span in line.split()]
    assert len(spans) > 15
    assert [why for span in spans if (why := names.fault(span))] == []


@pytest.mark.parametrize(
    "stale",
    [
        *("play.nothing", "nothing.tap", "Hub.nothing", "state.Army.nothing", "games.core.nothing"),
        *("games/nothing.py", "nothing.toml", "games/nothing/", "ROUNDTABLE_NOTHING"),
        *(
            "make nothing",
            'make fuzz FUZZ="--games 20" nothing',
            "manage.py nothing",
            "manage.py replay --nothing",
            "/api/nothing",
            "GET /api/nothing",
        ),
        ".venv/bin/python -m pytest tests/nothing -q",
    ],
)
def test_what_is_not_there_is_told(stale: str) -> None:
    assert names.fault(stale)


@pytest.mark.parametrize(
    "fresh",
    [
        *(
            "play.tap",
            "Hub.publish",
            "state.Army.hidden",
            "games.core.facts",
            "config/settings.py",
            "make play",
        ),
        *("manage.py replay --all --check", "/healthz", "POST /api/import", "DATABASE_URL", "/live/"),
    ],
)
def test_what_is_there_is_not(fresh: str) -> None:
    assert names.fault(fresh) == ""


def test_a_link_that_leads_nowhere_is_told() -> None:
    page = DOCS / "index.md"
    assert pages.dead(page, "nothing.md") == "no file nothing.md"
    assert pages.dead(page, "api.md#nothing") == "no heading #nothing in api.md"
    assert pages.dead(page, "api.md#refusals") == ""


@pytest.mark.slow
def test_the_pages_are_built_without_a_warning(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", str(DOCS), str(tmp_path)]
    done = subprocess.run(build, capture_output=True, encoding="utf-8", check=False, timeout=200)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_variable_of_the_environment_stands_in_the_table_of_settings() -> None:
    source = (pages.ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    _quotes, table, code = source.split('"""', 2)
    read = set(re.findall(r'"(ROUNDTABLE_\w+|DATABASE_URL)"', code))
    assert len(read) > 10
    assert read == set(re.findall(r"`(ROUNDTABLE_\w+|DATABASE_URL)(?:=1)?`", table))


def test_every_command_of_an_event_stands_in_the_page_of_the_api() -> None:
    table = (DOCS / "api.md").read_text(encoding="utf-8").partition("| `action` |")[2].partition("\n\n")[0]
    rows = [line.split(" | ", 1) for line in table.splitlines()[2:]]
    assert {name for actions, _needs in rows for name in re.findall(r"`([a-z-]+)`", actions)} == set(COMMANDS)
    members = {name for _actions, needs in rows for name in re.findall(r"`([a-z]+)`", needs)}
    assert members - {"loss", "bye"} == set(Command.model_fields) - {"action", "key"}


def test_every_function_that_acts_on_an_event_stands_in_the_page_of_events() -> None:
    text = (DOCS / "events.md").read_text(encoding="utf-8")
    acting = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in (commands, event_undo)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and {"code", "actor"} <= inspect.signature(function).parameters.keys()
    }
    assert len(acting) > 35
    assert {name for name in acting if f"`{name}`" not in text} == set()


def test_the_organisers_page_names_buttons_as_they_are_labelled() -> None:
    text = " ".join((DOCS / "organising.md").read_text(encoding="utf-8").split())
    catalogues = pages.ROOT.glob("games/**/locale/zh_Hans/LC_MESSAGES/django.po")
    entries = chain.from_iterable(polib.pofile(str(catalogue)) for catalogue in catalogues)
    labels = {re.sub(r"%\(\w+\)s", "1", entry.msgid) for entry in entries}
    pressed = set(re.findall(r"\*\*([^*]+)\*\*|(?<!\*)\*([A-Z+][^*]+)\*(?!\*)", text))
    assert len(pressed) > 25
    assert {bold or plain for bold, plain in pressed} - labels == set()
