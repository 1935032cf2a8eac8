"""How our scripts and styles are served: the same program without its comments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.base import ContentFile

from config.static import GzippedStaticFilesStorage, is_ours, small

FOLDERS = [settings.BASE_DIR / "static", *settings.BASE_DIR.glob("games/**/static")]
"""The folders of their sources; the files collected for browsers are with the data."""
SOURCES = sorted(path for folder in FOLDERS for path in folder.glob("**/*.[cj]s*"))

STYLE = """/* What it is for,
   on two lines. */
@layer parts {
  /* one */
  a { color: red; } /* stays */
  /* two */ b { background: url(//x/y); }
}
"""


def test_a_script_loses_its_comments_and_indentation_and_nothing_else() -> None:
    assert small("a.js", "// why\n  go('//x'); // stays\n") == "go('//x'); // stays\n"


def test_a_style_sheet_loses_what_browsers_do_not_read_as_well() -> None:
    kept = "@layer parts{a{color:red}/* stays */ /* two */ b{background:url(//x/y)}}"
    assert small("a.css", STYLE) == kept
    assert small("a.css", kept) == kept
    assert small("a.css", "// why\n") == "// why "


def test_no_rule_is_within_another() -> None:
    """Phones of 2015 to 2017 drop such rules, and what follows them."""
    for path in SOURCES:
        if path.suffix == ".css":
            around: list[str] = []
            for prelude, sign in re.findall(
                r"([^{};]*)([{};])", small("a.css", path.read_text(encoding="utf-8"))
            ):
                if sign == "{":
                    assert all(outer.startswith("@") for outer in around), f"{path.name}: {prelude}"
                    around.append(prelude)
                elif sign == "}":
                    around.pop()


def test_a_blank_that_is_a_value_stays() -> None:
    assert small("a.css", "a { --light: ; --dark: initial; }") == "a{--light: ;--dark:initial}"


def test_texts_and_blanks_that_part_words_stay() -> None:
    style = 'a :hover > b, i { grid-template: "a b" 1fr\n    "c ; d"; content: "+" / ""; margin: 1px -2px }'
    kept = 'a :hover > b,i{grid-template:"a b" 1fr "c ; d";content:"+" / "";margin:1px -2px}'
    assert small("a.css", style) == kept


RULES = """text => { const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/(?<=[,:]) (?!;)/g, "")); }"""
"""A style sheet's rules; variables and conditions are kept as written, so blanks after signs do not count."""


@pytest.mark.browser
def test_a_browser_reads_the_same_rules(phone) -> None:  # type: ignore[no-untyped-def]
    page = phone()
    for path in SOURCES:
        if path.suffix == ".css" and is_ours(path.name):
            text = path.read_text(encoding="utf-8")
            rules = page.evaluate(RULES, text)
            assert rules
            assert page.evaluate(RULES, small(path.name, text)) == rules, path.name


@pytest.mark.parametrize("name", ["vendor/htmx.min.js", "admin/js/core.js", "icon.svg", "favicon.png"])
def test_what_others_wrote_stays_as_it_came(name: str) -> None:
    assert not is_ours(name)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_text_of_a_script_goes_over_several_lines(path: Path) -> None:
    """In such a text, a line that looks like a comment or is indented would be changed."""
    for line in path.read_text(encoding="utf-8").splitlines():
        assert line.count("`") % 2 == 0 or "vendor" in path.parts, line


def test_it_is_saved_small(tmp_path: Path) -> None:
    storage = GzippedStaticFilesStorage(location=tmp_path, base_url="/static/")
    for name in ("table.css", "vendor/htmx.min.js"):
        storage.save(name, ContentFile(STYLE.encode()))
    assert "What it is for" not in (tmp_path / "table.css").read_text()
    assert (tmp_path / "vendor/htmx.min.js").read_text() == STYLE
    assert isinstance(storage, StaticFilesStorage)


def test_a_sign_that_only_decorates_is_not_read_aloud() -> None:
    """The last declaration of a sign has an empty text to read; older browsers keep the one before it."""
    styles = "".join(path.read_text() for path in SOURCES if path.suffix == ".css" and is_ours(path.name))
    said = re.findall(r'content: "(?:\+|−|\\2212)"; }', styles)
    assert (said, styles.count('content: "+" / ""')) == ([], 2)
