"""`manage.py words`: gather every sentence for translation, keep what is translated, compile the catalogues.

Needs polib and no other tool. Shared words live in `games/locale`, a game's own in its folder; its
`System.words()` names the texts in its data. `manage.py words lanterns` gathers only the words of that game,
wherever its package is installed.
"""

from __future__ import annotations

import ast
import gettext
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import django
import polib
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.template import Template, engines
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation import to_locale, trim_whitespace
from jinja2.ext import extract_from_ast

from games import discovery, rulebook
from games.core import systems
from games.translation import compile_catalogues

ROOT = settings.BASE_DIR
ADMIN = ROOT / "games" / "admin"
"""The folder whose pages are written in Django's own template language."""
MARKERS = {"_", "noop", "say", "gettext", "gettext_lazy", "gettext_noop"}
"""Calls whose first text is a message."""
PAIRS = {"ngettext", "ngettext_lazy", "say_count"}
"""Calls whose first two texts are a message and its plural form."""


class Command(BaseCommand):
    help = "Gather the words of all pages and rules into the catalogues, and compile them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", help="only these games (all of this repository)")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = [of_game(slug) for slug in options["games"]] or catalogues()
        refuse_compiled(folder for folder, _sources in wanted)
        for folder, sources in wanted:
            messages = gathered(sources) | data_words(folder)
            for language in translated_into():
                catalogue = folder / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"
                po = merged(catalogue, messages, language)
                missing = len(po.untranslated_entries())
                shown = catalogue.relative_to(ROOT) if catalogue.is_relative_to(ROOT) else catalogue
                self.stdout.write(f"{shown}: {len(po)} messages, {missing} untranslated")


def refuse_compiled(folders: Iterable[Path]) -> None:
    """Refuse where translations are compiled only: new catalogues would be empty, and take their place."""
    for compiled in (path for folder in folders for path in folder.glob("locale/*/LC_MESSAGES/django.mo")):
        if not compiled.with_suffix(".po").exists():
            raise CommandError(f"{compiled} lacks its source. Gather the words in a checkout that has it.")


def translated_into() -> list[str]:
    """The languages of the settings, except the one in which the messages are written."""
    return [language for language, _name in settings.LANGUAGES if language != settings.LANGUAGE_CODE]


def of_game(slug: str) -> tuple[Path, list[Path]]:
    """The folder of one game, with the sources whose words are in its catalogue."""
    try:
        folder = discovery.place_of(slug).folder
    except KeyError:
        raise CommandError(f"There is no game called {slug}.") from None
    return folder, _sources(folder)


def catalogues() -> list[tuple[Path, list[Path]]]:
    """Each folder that has a catalogue, with the sources whose words are in it."""
    games = ROOT / "games"
    own = [path for path in sorted((games / "systems").iterdir()) if (path / "__init__.py").exists()]
    shared = [
        path for path in _sources(games, ROOT / "templates", ROOT / "config") if not _is_within(path, own)
    ]
    return [(games, shared), *((path, _sources(path)) for path in own)]


def gathered(sources: Iterable[Path]) -> dict[str, str]:
    """Every message of these sources, with its plural form ("" for none)."""
    messages: dict[str, str] = {}
    for path in sources:
        for message, plural in _messages(path):
            messages[message] = plural or messages.get(message, "")
    return messages


def _messages(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix == ".py":
        return _of_python(path)
    return _of_admin_page(path) if _is_within(path, [ADMIN]) else _of_page(path)


def _of_python(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if called in MARKERS | PAIRS:
            wanted = node.args[: 2 if called in PAIRS else 1]
            texts = [text.value for text in wanted if isinstance(text, ast.Constant)]
            if texts and all(isinstance(text, str) for text in texts):
                yield str(texts[0]), str(texts[1]) if called in PAIRS else ""


def _of_page(path: Path) -> Iterator[tuple[str, str]]:
    tree = engines["jinja2"].env.parse(path.read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    for line, function, texts in extract_from_ast(tree, sorted(MARKERS | PAIRS)):
        message, plural, *_more = (texts, None) if isinstance(texts, str) else (*(texts or ()), None, None)
        if message is None:
            raise CommandError(f"{path}, line {line}: a message must be a text that stands in the template.")
        yield message, (plural or "") if function in PAIRS else ""


def _of_admin_page(path: Path) -> Iterator[tuple[str, str]]:
    nodes = Template(path.read_text(encoding="utf-8")).nodelist
    node: Any
    for node in nodes.get_nodes_by_type(TranslateNode):
        yield node.filter_expression.var.literal, ""
    for node in nodes.get_nodes_by_type(BlockTranslateNode):
        singular, plural = (
            node.render_token_list(tokens or [])[0] for tokens in (node.singular, node.plural)
        )
        yield (trim_whitespace(singular), trim_whitespace(plural)) if node.trimmed else (singular, plural)


def data_words(folder: Path) -> dict[str, str]:
    """The texts in a game's data, which no extraction reads."""
    for game in systems():
        if discovery.place_of(game.slug).folder == folder:
            return dict.fromkeys({*game.words(), *rulebook.messages(game.slug)}, "")
    return {}


def merged(path: Path, messages: dict[str, str], language: str) -> polib.POFile:
    """The catalogue with exactly these messages, translations kept; it is saved, and compiled beside it."""
    kept = {entry.msgid: entry for entry in polib.pofile(str(path))} if path.exists() else {}
    po = polib.POFile(wrapwidth=110)
    plurals = plural_forms(language)
    po.metadata = {
        "Language": to_locale(language),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": plurals,
    }
    forms = int(plurals.partition("nplurals=")[2].partition(";")[0])
    for message in sorted(messages):
        po.append(_entry(message, messages[message], kept.get(message), forms))
    path.parent.mkdir(parents=True, exist_ok=True)
    po.save(str(path))
    compile_catalogues(path.parents[3])
    return po


def plural_forms(language: str) -> str:
    """How a language forms plurals, according to Django's own catalogue: a gettext header."""
    folder = Path(django.__file__).parent / "conf" / "locale"
    own = gettext.translation("django", str(folder), [to_locale(language)], fallback=True).info()
    return str(own.get("plural-forms", "nplurals=2; plural=(n != 1);"))


def _entry(message: str, plural: str, kept: polib.POEntry | None, forms: int) -> polib.POEntry:
    flags = ["python-format"] if "%(" in message else []
    translations = {0: kept.msgstr, **kept.msgstr_plural} if kept else {}
    if plural:
        texts = {form: translations.get(form) or "" for form in range(forms)}
        return polib.POEntry(msgid=message, msgid_plural=plural, msgstr_plural=texts, flags=flags)
    return polib.POEntry(msgid=message, msgstr=translations.get(0) or "", flags=flags)


def _sources(*folders: Path) -> list[Path]:
    paths = [path for folder in folders for pattern in ("*.py", "*.html") for path in folder.rglob(pattern)]
    return sorted(path for path in paths if not {"tests", "migrations"} & set(path.parts))


def _is_within(path: Path, folders: list[Path]) -> bool:
    return any(folder in path.parents for folder in folders)
