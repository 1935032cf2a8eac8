"""How pages are drawn: Jinja2 templates that are written to be read, and sent without their indentation.

A page is a template that extends `base.html` and gets a context. Everything smaller is a part: a file with
one macro `draw`, whose arguments are all that it knows. Pages import parts as `draw_card`; Python draws one
with `part("parts/card.html", card=card)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from django.template import engines
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_bidi
from jinja2 import Environment, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.idtracking import VAR_LOAD_PARAMETER, VAR_LOAD_RESOLVE
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

from games import translation
from games.core import Sentence, closed

TAKEN = frozenset({"concat", "context", "environment", "missing", "resolve", "undefined"})
"""The names that a compiled macro needs for itself."""

_SPECIAL = re.compile("[&<>\"']").search
# Signs become character references, here and in templates: a board that is all ASCII takes half the memory of
# one with a single minus sign in it, and needs no encoding to be sent. An emoji in a name is such a sign too:
# it would make each copy four times as large, and scripts count it as two characters.
_SIGN = re.compile(
    "[\N{MIDDLE DOT}\N{MULTIPLICATION SIGN}\N{DOUBLE PRIME}\N{MINUS SIGN}"
    # What emoji are made of: arrows to stars, joiners, variation selectors, and everything beyond.
    "\u2190-\u2bff\N{ZERO WIDTH JOINER}\N{VARIATION SELECTOR-16}\U00010000-\U0010ffff]"
)


def escaped(value: Any) -> str:
    """A value as a page shows it: its text escaped, unless it is markup already."""
    kind = type(value)
    if kind is str:
        if not value.isascii():
            return _SIGN.sub(_reference, escape(value))
        return escape(value) if _SPECIAL(value) else value
    if kind is int:
        return str(value)
    return value if kind is Markup else escape(value)


def _reference(sign: re.Match[str]) -> str:
    return f"&#{ord(sign.group())};"


class PlainPython(CodeGenerator):
    """Compiles templates to Python that reads attributes, calls parts and shows values directly.

    A macro becomes a function that returns its text. Jinja's own detours serve what no template of ours has:
    items that look like attributes, functions that want the template's context, escaping that is switched on
    and off, calls with a block. A part may only be drawn as output: as a value its text would be escaped.
    """

    in_part = False
    """Whether a macro is being compiled. It knows its arguments and the globals, nothing else."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
        """A whole file; everything that it defines or imports counts as drawing."""
        imported = (
            alias for statement in node.find_all(nodes.FromImport) for alias in map(_alias, statement.names)
        )
        own = (macro.name for macro in node.find_all(nodes.Macro))
        self.drawing = {"cached", *imported, *own}
        super().visit_Template(node, frame)

    def write_commons(self) -> None:
        """What every function of a file has available."""
        super().write_commons()
        self.writeline("_escaped = environment.escaped")
        self.writeline("_globals = environment.globals")

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        """`{% macro draw(card, level=3) %}`"""
        inner = frame.inner()
        inner.symbols.analyze_node(node)
        inner.require_output_check = False
        self.writeline(f"def {node.name}(", node)
        required: list[nodes.Expr | None] = [None] * (len(node.args) - len(node.defaults))
        for argument, default in zip(node.args, [*required, *node.defaults], strict=True):
            if argument.name in TAKEN:
                self.fail(f"no argument can be called {argument.name!r}", node.lineno)
            self.write(argument.name)
            if default is not None:
                self.write("=")
                self.visit(default, frame)
            self.write(", ")
        self.write("):")
        self.indent()
        for argument in node.args:
            self.writeline(f"{inner.symbols.ref(argument.name)} = {argument.name}")
        self.buffer(inner)
        self.in_part = True
        self.enter_frame(inner)
        self.blockvisit(node.body, inner)
        self.return_buffer_contents(inner, force_unescaped=True)
        self.leave_frame(inner, with_python_scope=True)
        self.in_part = False
        self.outdent()
        self.writeline(f"context.exported_vars.add({node.name!r})")
        self.writeline(f"context.vars[{node.name!r}] = {frame.symbols.ref(node.name)} = {node.name}")

    def enter_frame(self, frame: Frame) -> None:
        """The names that a part uses: globals are looked up directly."""
        for target, (action, name) in frame.symbols.loads.items():
            if action == VAR_LOAD_RESOLVE and self.in_part and name in self.environment.globals:
                self.writeline(f"{target} = _globals[{name!r}]")
                frame.symbols.loads[target] = (VAR_LOAD_PARAMETER, None)
        super().enter_frame(frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """`card.name`"""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """`draw_card(card)`"""
        if node.dyn_args or node.dyn_kwargs or forward_caller:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in (*node.args, *node.kwargs):
            given = argument.value if isinstance(argument, nodes.Keyword) else argument
            if self._is_drawn(given):
                self.fail("the text of a part cannot be an argument: it would be escaped", node.lineno)
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: object) -> None:
        self.write("(" if self._is_drawn(node) else "_escaped(")

    def _is_drawn(self, node: nodes.Node) -> bool:
        """`draw_card(card)`, `cached(draw_card, card)`, `part_of(board.side_template)(side)`"""
        drawn = node.node if isinstance(node, nodes.Call) else None
        if isinstance(drawn, nodes.Call):
            return isinstance(drawn.node, nodes.Name) and drawn.node.name == "part_of"
        return isinstance(drawn, nodes.Name) and drawn.name in self.drawing


def _alias(name: str | tuple[str, str]) -> str:
    return name if isinstance(name, str) else name[1]


class Parts(Environment):
    """Templates that show values as `escaped` does."""

    code_generator_class = PlainPython
    escaped = staticmethod(escaped)


def environment(**options: Any) -> Environment:
    """Jinja2 as our templates expect it; an undefined name is an error, never a gap."""
    given = {**options, "extensions": [LineBreaks], "undefined": StrictUndefined, "autoescape": True}
    env = Parts(**given)
    env.globals.update(static=static, get_language=get_language, get_language_bidi=get_language_bidi)
    env.globals.update(_=_translated, cached=cached, part_of=_finder(env))
    return env


def _finder(env: Environment) -> Callable[[str], Callable[..., str]]:
    """A function that finds the `draw` of a part: once, unless its file may change meanwhile."""

    def part_of(name: str) -> Callable[..., str]:
        draw: Callable[..., str] = env.get_template(name).module.draw  # type: ignore[attr-defined]
        return draw

    return part_of if env.auto_reload else cache(part_of)


def part(template_name: str, **values: object) -> SafeString:
    """What the part's `draw` makes of these values, in the active language."""
    env: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    try:
        draw: Callable[..., str] = env.globals["part_of"](template_name)  # type: ignore[operator]
        return SafeString(draw(**values))
    except Exception:
        env.handle_exception()  # Raises the same error, with the template's lines in its traceback.


def _translated(message: str, **values: object) -> Markup:
    """A message in the active language, with these values in it."""
    translated = translation.gettext(message)
    if values and isinstance(translated, Sentence):
        translated = closed(translated, values)
    text = Markup(translated)  # noqa: S704 - our own words
    return _with_references(text % values) if values else text


def _with_references(text: Markup) -> Markup:
    """The same text, if a value has brought a sign into it."""
    return text if text.isascii() else Markup(_SIGN.sub(_reference, text))  # noqa: S704 - escaped already


def cached(draw: Callable[..., str], *values: object) -> str:
    """What a small part's `draw` makes of these values, remembered: `cached(draw_card, card)`.

    View models are frozen, so their values are the key: the same card in the same words is drawn once,
    however many phones, taps and tables show it. Nothing needs invalidating when a piece changes, because a
    changed piece is another key, and nobody can be shown more than their own values say.
    """
    return _cached(draw, translation.active() or get_language(), values)


@lru_cache(maxsize=16384)
def _cached(draw: Callable[..., str], language: object, values: tuple[object, ...]) -> str:
    return draw(*values)


class LineBreaks(Extension):
    """Leaves out a template's line breaks and indentation while it is compiled; writes signs as references.

    Between two words or values a line break is a space, as everywhere in HTML. Next to a tag or a statement
    it is nothing: a visible space there has to be written within a line, or as `{{ " " }}`. Inside a tag it
    is the space between two attributes, and nothing before a statement or the end. Text within one line, and
    the contents of values, are never touched.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The same tokens, their text without line breaks; each keeps its line for messages."""
        text, before = _Text(), ""
        tokens = list(_join_text(stream))
        for token, following in zip(tokens, [*tokens[1:], None], strict=True):
            after = following.type if following else ""
            is_text = token.type == "data"
            value = _ascii(text.squeezed(token.value, before, after)) if is_text else token.value
            yield Token(token.lineno, token.type, value)
            before = token.type


def _join_text(stream: Iterable[Token]) -> Iterator[Token]:
    """The tokens, with text joined again that only a comment had split."""
    for is_data, tokens in groupby(stream, key=lambda token: token.type == "data"):
        if is_data:
            texts = list(tokens)
            yield Token(texts[0].lineno, "data", "".join(token.value for token in texts))
        else:
            yield from tokens


def _ascii(text: str) -> str:
    return text.encode("ascii", "xmlcharrefreplace").decode()


_BREAK = re.compile(r"\s*\n\s*")
_MARKUP = re.compile(r"""<(?=[A-Za-z/!])|[>"']""")


class _Text:
    """Follows the text of a template from the start: whether it is inside a tag, and in which quotes."""

    def __init__(self) -> None:
        self.is_tag = False
        self.quote = ""

    def squeezed(self, text: str, before: str, after: str) -> str:
        """`text` without line breaks, between tokens of these types."""
        kept, position = [], 0
        for gap in _BREAK.finditer(text):
            kept.append(text[position : gap.start()])
            self._read(kept[-1])
            position = gap.end()
            kept.append(self._replacement(text[: gap.start()], text[position:], before, after))
        kept.append(text[position:])
        self._read(kept[-1])
        return "".join(kept)

    def _read(self, text: str) -> None:
        for match in _MARKUP.finditer(text):
            sign = match.group()
            if not self.is_tag:
                self.is_tag = sign == "<"
            elif self.quote:
                self.quote = "" if sign == self.quote else self.quote
            elif sign == ">":
                self.is_tag = False
            elif sign != "<":
                self.quote = sign

    def _replacement(self, left: str, right: str, before: str, after: str) -> str:
        """What replaces a line break between `left` and `right`."""
        if self.is_tag:
            is_over = right.startswith((">", "/>")) or (not right and after == "block_begin")
            return "" if is_over else " "
        is_word_before = not left.endswith(">") if left else before == "variable_end"
        is_word_after = not right.startswith("<") if right else after == "variable_begin"
        return " " if is_word_before and is_word_after else ""
