"""The Markdown pages of the repository, read by a parser: their links, headings, code and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
"""The pages that name code; a game's README names its own steps, which the contract looks for."""
ALL = [*PAGES, *sorted(ROOT.glob("games/systems/*/README.md"))]


@cache
def tokens(page: Path) -> tuple[Token, ...]:
    """Everything on a page, what stands within a line included."""
    text = page.read_text(encoding="utf-8")
    return tuple(
        each
        for token in MarkdownIt().enable("table").parse(text)
        for each in (token, *(token.children or ()))
    )


def links(page: Path) -> Iterator[str]:
    """Where a page leads, pictures included."""
    for token in tokens(page):
        if token.type in ("link_open", "image"):
            yield str(token.attrGet("href") or token.attrGet("src"))


def spans(page: Path) -> Iterator[str]:
    """The pieces of code in its sentences."""
    return (token.content for token in tokens(page) if token.type == "code_inline")


def commands(page: Path) -> Iterator[str]:
    """The lines of its blocks of commands."""
    for token in tokens(page):
        if token.type == "fence" and token.info.split()[:1] == ["console"]:
            yield from (line for line in token.content.splitlines() if line.strip())


@cache
def anchors(page: Path) -> set[str]:
    """The names that a link to one of its headings has."""
    found = tokens(page)
    titles = [found[at + 1].content for at, token in enumerate(found) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def dead(page: Path, link: str) -> str:
    """Why a link of a page leads nowhere; "" if it leads somewhere, or to another site."""
    if link.startswith(("https://", "mailto:")):
        return ""
    path, _hash, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return f"no file {path}"
    if anchor and anchor not in anchors(target):
        return f"no heading #{anchor} in {target.name}"
    return ""
