"""A page, parsed quickly and strictly: its elements, their names, the words on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urljoin

TOKEN = re.compile(r'<(/?)([a-zA-Z][\w:-]*)((?:[^>"]|"[^"]*")*)>|<!--.*?-->|<![^>]*>|([^<]+)', re.DOTALL)
ATTRIBUTE = re.compile(r'([^\s="/]+)(?:="([^"]*)")?')
VOID = frozenset({"meta", "link", "input", "img", "br", "hr", "base", "wbr", "source"})
CODE = frozenset({"script", "style", "code", "pre", "textarea"})
SAID = ("aria-label", "title", "alt", "placeholder")
_ARIA = ("aria-labelledby", "aria-describedby", "aria-controls")
POINTS_AT = ("for", *_ARIA, "popovertarget", "form", "list")
"""Attributes that name elements of the page."""
FIELDS = frozenset({"input", "select", "textarea"})
NAMED = FIELDS | {"a", "button", "summary", "legend", "label", "h1", "h2", "h3"}
LEFT_OVER = re.compile(
    r"%\(|\{\{|\{%|(?<![\w-])(?:None|undefined|nan)(?![\w-])|<[\w.]+ object| at 0x[0-9a-f]{6}"
)
"""What a template or a sentence leaves behind when a value is missing."""


@dataclass
class Element:
    """An element with the text within it."""

    tag: str
    told: dict[str, str]
    said: list[str] = field(default_factory=list)


class Markup:
    """A page or a fragment; `wrong` lists what does not fit together."""

    def __init__(self, source: str) -> None:
        self.elements: list[Element] = []
        self.words: list[str] = []
        self.wrong: list[str] = []
        self.open: list[Element] = []
        self.wrapped: list[Element] = []
        end = 0
        for found in TOKEN.finditer(source):
            if found.start() != end:
                self.wrong.append(f"cannot be read: {source[end : end + 60]!r}")
            end = found.end()
            self._read(*found.groups())
        self.wrong += [f"{one.tag} does not end" for one in self.open]
        self.ids = Counter(one.told["id"] for one in self.elements if "id" in one.told)
        self.wrong += [f"the id {key} stands there twice" for key, number in self.ids.items() if number > 1]

    def _read(self, slash: str | None, tag: str | None, attributes: str | None, text: str | None) -> None:
        if text is not None:
            self._hear(text)
        elif tag and slash:
            if not self.open or self.open.pop().tag != tag:
                self.wrong.append(f"{tag} ends where it has not begun")
        elif tag:
            self._begin(tag, attributes or "")

    def _begin(self, tag: str, attributes: str) -> None:
        told = {name: unescape(value) for name, value in ATTRIBUTE.findall(attributes)}
        one = Element(tag, told)
        self.elements.append(one)
        if any(outer.tag == "label" for outer in self.open):
            self.wrapped.append(one)
        if tag not in VOID and not attributes.endswith("/"):
            self.open.append(one)
        for name in SAID:
            if told.get(name):
                self._hear(told[name], one)

    def _hear(self, text: str, by: Element | None = None) -> None:
        said = unescape(text).strip()
        if not said or (self.open and self.open[-1].tag in CODE):
            return
        self.words.append(said)
        for one in self.open:
            one.said.append(said)
        if by is not None and (not self.open or self.open[-1] is not by):
            by.said.append(said)

    def of(self, form: str, name: str) -> Iterator[Element]:
        """The controls of a form with this name."""
        return (one for one in self.elements if one.told.get("form") == form and one.told.get("name") == name)

    def faults(self, labels: frozenset[str] = frozenset()) -> Iterator[str]:
        """What would be wrong on any page; `labels` are words that look odd, but are right."""
        yield from self.wrong
        for words in self.words:
            if words not in labels and LEFT_OVER.search(words):
                yield f"left over: {words!r:.120}"
        labelled = {one.told.get("for") for one in self.elements if one.tag == "label" and one.said}
        for one in self.elements:
            if one.tag in NAMED and not self._is_named(one, labelled):
                yield f"without a name: {one.tag} {one.told}"

    def _is_named(self, one: Element, labelled: set[str | None]) -> bool:
        if one.said or "aria-labelledby" in one.told or one.told.get("id") in labelled:
            return True
        return one.told.get("type") == "hidden" or (one.tag in FIELDS and one in self.wrapped)

    def strays(self, *, has_forms: bool = True) -> Iterator[str]:
        """References to elements that are not on the page; without `has_forms`, forms may be missing."""
        for one in self.elements:
            href = one.told.get("href", "")
            if href.startswith("#") and len(href) > 1 and href[1:] not in self.ids:
                yield f"{one.tag} leads to {href}, which is not there"
            for name in POINTS_AT if has_forms else set(POINTS_AT) - {"form"}:
                for key in one.told.get(name, "").split():
                    if key not in self.ids:
                        yield f"{one.tag}: {name} is {key}, which is not there"

    def addresses(self, path: str) -> set[str]:
        """Every address of ours that it names, as a browser resolves it."""
        found = set()
        for one in self.elements:
            for name in ("href", "src", "action"):
                value = one.told.get(name, "")
                if value and not value.startswith(("#", "data:", "mailto:")):
                    found.add(urljoin(f"//here{path}", value))
        return {one.removeprefix("//here") for one in found if one.startswith("//here/")}
