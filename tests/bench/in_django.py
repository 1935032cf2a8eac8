"""Our parts in Django's own template language, translated on demand: what stock Django would draw.

It handles the parts of a table's board, which use little of the language: macros become included templates,
their arguments the names that those are given. A translation draws the same, except for white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.template import Context, Engine, Origin
from django.template.loaders.base import Loader

STATEMENT = re.compile(r"\{%-?\s*(.*?)\s*-?%\}|\{\{\s*(.*?)\s*\}\}|\{#.*?#\}", re.DOTALL)
MACRO = re.compile(r"macro (\w+)\((.*)\)")
IMPORT = re.compile(r'from "([^"]+)" import draw as (\w+)')
CALL = re.compile(r"(?:cached(?:_large)?\()?(part_of\(\S+?\)|\w+)(?:\(|, )(.*?)\)+")
WORDS = re.compile(r"""_\((["'])(.*?)\1(?:, (.*))?\)""", re.DOTALL)
TUPLE = re.compile(r'(\S+) in \("(\w+)", "(\w+)"\)')


class Translated(Loader):
    """Finds one of our parts, and hands out its macros as templates."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        yield Origin(template_name, template_name, self)

    def get_contents(self, origin: Origin) -> str:
        name = origin.name.partition("#")[0]
        return Part(name, source(name)).templates()[origin.name]


@cache
def engine() -> Engine:
    """Django's template engine with all our parts."""
    loaders = [("django.template.loaders.cached.Loader", ["tests.bench.in_django.Translated"])]
    return Engine(loaders=loaders, builtins=["django.templatetags.i18n", "django.templatetags.static"])


def source(name: str) -> str:
    """A part as it is written."""
    folders = map(Path, settings.TEMPLATES[0]["DIRS"])
    return next(path for folder in folders if (path := folder / name).exists()).read_text(encoding="utf-8")


def drawn(template_name: str, **values: object) -> str:
    """What a part's `draw` makes of these values, in Django's templates."""
    return engine().get_template(template_name).render(Context(values))


def parameters(name: str) -> tuple[tuple[str, str], ...]:
    """The arguments of a part's `draw`, with their defaults."""
    return next(_arguments(text) for macro, text in MACRO.findall(source(name)) if macro == "draw")


def _arguments(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (each.strip().partition("=") for each in text.split(",") if each.strip())
    return tuple((name.strip(), default.strip()) for name, _equals, default in pairs)


class Part:
    """One file of ours: the templates that its macros become."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.imports = {alias: path for path, alias in IMPORT.findall(text)}
        self.own = {macro: _arguments(given) for macro, given in MACRO.findall(text)}

    def templates(self) -> dict[str, str]:
        """Django's templates by name: `draw` under the file's own name, other macros with theirs after it."""
        found, position = {}, 0
        while macro := re.compile(r"\{% macro (\w+)\(.*?\) %\}").search(self.text, position):
            end = self.text.index("{% endmacro %}", macro.end())
            name = self.name if macro[1] == "draw" else f"{self.name}#{macro[1]}"
            found[name] = self.translated(self.text[macro.end() : end])
            position = end
        return found

    def translated(self, body: str) -> str:
        """The body of a macro."""
        open_blocks: list[str] = []

        def instead(found: re.Match[str]) -> str:
            statement, value = found[1], found[2]
            if statement is not None:
                return self.statement(statement, open_blocks)
            return self.value(value) if value is not None else ""

        squeezed = re.sub(r">\s*\n\s*<", "><", STATEMENT.sub(instead, body))
        return re.sub(r"\s*\n\s*", " ", squeezed).strip()

    def statement(self, text: str, open_blocks: list[str]) -> str:
        """A tag; Django has another word for what a loop does without any values."""
        kind = text.split()[0]
        if kind in ("if", "for"):
            open_blocks.append(kind)
        if kind in ("endif", "endfor"):
            open_blocks.pop()
        if kind == "from":
            return ""
        if kind == "else" and open_blocks[-1] == "for":
            return "{% empty %}"
        text = TUPLE.sub(r'\1 == "\2" or \1 == "\3"', text).replace("is not none", "is not None")
        return f"{{% {text.replace('loop.first', 'forloop.first')} %}}"

    def value(self, text: str) -> str:
        """A value, a message, or a call of a macro."""
        if text == '" "':
            return " "
        if words := WORDS.fullmatch(text):
            return self.words(words[2], words[3] or "")
        if call := CALL.fullmatch(text):
            if call[1] == "static":
                return f"{{% static {call[2]} %}}"
            return self.included(call[1], [each.strip() for each in call[2].split(",")])
        return f"{{{{ {text.replace('|length + 1', '|length|add:1')} }}}}"

    def words(self, message: str, arguments: str) -> str:
        """A message, with its arguments if it has any."""
        if not arguments:
            return f'{{% translate "{message}" %}}'
        given = " ".join(each.strip() for each in arguments.split(","))
        text = re.sub(r"%\((\w+)\)s", r"{{ \1 }}", message)
        return f"{{% blocktranslate with {given} %}}{text}{{% endblocktranslate %}}"

    def included(self, name: str, values: list[str]) -> str:
        """A macro with its arguments: from another part, from this one, or from one that a value names."""
        if name.startswith("part_of("):
            template = name.removeprefix("part_of(").removesuffix(")")
            known = tuple((value.rpartition(".")[2], "") for value in values)
        elif name in self.own:
            template, known = f'"{self.name}#{name}"', self.own[name]
        else:
            template, known = f'"{self.imports[name]}"', parameters(self.imports[name])
        given = [value.partition("=")[2] or value for value in values]
        given += [default for _name, default in known[len(given) :]]
        pairs = " ".join(f"{name}={value}" for (name, _default), value in zip(known, given, strict=True))
        return f"{{% include {template} with {pairs} only %}}"


def same(one: Any, other: Any) -> bool:
    """Whether two pages say the same, however they are spaced and escaped."""
    return _bare(str(one)) == _bare(str(other))


def _bare(page: str) -> str:
    page = page.replace("&#x27;", "&#39;").replace("&quot;", "&#34;")
    page = re.sub(r"&#(\d{3,});", lambda sign: chr(int(sign[1])), page)
    return re.sub(r"\s", "", page)
