"""How pages are drawn: Jinja2 templates that are written to be read and sent without their indentation.

A page is a template that extends `base.html` and is given a context. Everything smaller is a part: a file
with one macro `draw`, whose arguments are all that it knows. Pages import parts as `draw_card`; Python
draws one by `part("parts/card.html", card=card)`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.template import engines
from django.templatetags.static import static
from django.utils.safestring import SafeString
from django.utils.translation import get_language, get_language_bidi, gettext
from jinja2 import Environment, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup, escape

from games import translation

_SPECIAL = re.compile("[&<>\"']").search


def shown(value: object) -> str:
    """A value as a page shows it: its text escaped, unless it is markup already."""
    if type(value) is Markup or (type(value) is str and not _SPECIAL(value)):
        return value
    return escape(value)


class Straight(CodeGenerator):
    """Compiles templates to Python that reads attributes, calls parts and shows values without a detour.

    What Jinja does instead serves what no template of ours has: items that look like attributes, functions
    that want the template's context, escaping that is switched on and off.
    """

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
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: object) -> None:
        self.write("environment.shown(")


class Parts(Environment):
    """Templates that show values as `shown` does."""

    code_generator_class = Straight
    shown = staticmethod(shown)


def environment(**options: Any) -> Environment:
    """Jinja2 as our templates expect it; a name that nobody has given is an error, never a gap."""
    given = {**options, "extensions": [LineBreaks], "undefined": StrictUndefined, "autoescape": True}
    env = Parts(**given)
    env.globals.update(static=static, get_language=get_language, get_language_bidi=get_language_bidi)
    env.globals.update(_=_said, kept=kept, part_of=lambda name: env.get_template(name).module.draw)  # type: ignore[attr-defined]
    return env


def part(template_name: str, **values: object) -> SafeString:
    """What the part's `draw` makes of these values, in the language that is spoken."""
    env: Environment = engines["jinja2"].env  # type: ignore[attr-defined]
    try:
        with _speaking(translation.tongue()):
            return SafeString(env.get_template(template_name).module.draw(**values))  # type: ignore[attr-defined]
    except Exception:
        env.handle_exception()  # The same error, with the lines of the template in its traceback.


class _Speaker(threading.local):
    """Whose words this thread's part is drawn in: what Django keeps takes long to find, hundreds of times."""

    tongue: translation.Tongue | None = None


_speaker = _Speaker()


@contextmanager
def _speaking(tongue: translation.Tongue | None) -> Iterator[None]:
    before, _speaker.tongue = _speaker.tongue, tongue
    try:
        yield
    finally:
        _speaker.tongue = before


def _text(message: str) -> str:
    tongue = _speaker.tongue
    return tongue.text(message) if tongue else gettext(message)


def _said(message: str, **values: object) -> Markup:
    """A message in the language that is spoken, with these values in it."""
    text = Markup(_text(message))  # noqa: S704 - our own words
    return text % values if values else text


def kept(draw: Callable[..., Markup], *values: object) -> Markup:
    """What a part's `draw` makes of these values, remembered: `kept(draw_card, card)`.

    Shapes are frozen, so their values are the key: the same card in the same words is drawn once, however
    many phones, taps and tables show it. Nothing needs to be told when a piece changes, because a changed
    piece is another key, and nobody can be shown more than his own values say.
    """
    return _kept(draw, _speaker.tongue or translation.tongue() or get_language(), values)


@lru_cache(maxsize=8192)
def _kept(draw: Callable[..., Markup], tongue: object, values: tuple[object, ...]) -> Markup:
    return draw(*values)


class LineBreaks(Extension):
    """Leaves out a template's line breaks and indentation while it is compiled.

    Between two words or values a line break is a space, as everywhere in HTML. Beside a tag or a
    statement it is nothing: a space that shall be seen there stands within a line, or as `{{ " " }}`.
    Within a tag it is the space between two attributes, and nothing before a statement or the end.
    What stands within one line, and what values contain, is never touched.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """The same tokens, their text without line breaks; each keeps its line for messages."""
        text, before = _Text(), ""
        tokens = list(_joined(stream))
        for token, following in zip(tokens, [*tokens[1:], None], strict=True):
            after = following.type if following else ""
            is_text = token.type == "data"
            value = text.squeezed(token.value, before, after) if is_text else token.value
            yield Token(token.lineno, token.type, value)
            before = token.type


def _joined(stream: Iterable[Token]) -> Iterator[Token]:
    """The tokens, with text that only a comment had cut joined again."""
    for is_data, tokens in groupby(stream, key=lambda token: token.type == "data"):
        if is_data:
            found = list(tokens)
            yield Token(found[0].lineno, "data", "".join(token.value for token in found))
        else:
            yield from tokens


_BREAK = re.compile(r"\s*\n\s*")
_MARKUP = re.compile(r"""<(?=[A-Za-z/!])|[>"']""")


class _Text:
    """The text of a template from its beginning on: whether it is within a tag, and in which quotes."""

    def __init__(self) -> None:
        self.is_tag = False
        self.quote = ""

    def squeezed(self, text: str, before: str, after: str) -> str:
        """`text` without line breaks, between tokens of these types."""
        kept, position = [], 0
        for found in _BREAK.finditer(text):
            kept.append(text[position : found.start()])
            self._read(kept[-1])
            position = found.end()
            kept.append(self._instead(text[: found.start()], text[position:], before, after))
        kept.append(text[position:])
        self._read(kept[-1])
        return "".join(kept)

    def _read(self, text: str) -> None:
        for found in _MARKUP.finditer(text):
            sign = found.group()
            if not self.is_tag:
                self.is_tag = sign == "<"
            elif self.quote:
                self.quote = "" if sign == self.quote else self.quote
            elif sign == ">":
                self.is_tag = False
            elif sign != "<":
                self.quote = sign

    def _instead(self, left: str, right: str, before: str, after: str) -> str:
        """What a line break between `left` and `right` becomes."""
        if self.is_tag:
            is_over = right.startswith((">", "/>")) or (not right and after == "block_begin")
            return "" if is_over else " "
        is_word_before = not left.endswith(">") if left else before == "variable_end"
        is_word_after = not right.startswith("<") if right else after == "variable_begin"
        return " " if is_word_before and is_word_after else ""
