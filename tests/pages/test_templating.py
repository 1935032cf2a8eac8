"""Templates are written for people: short lines, one look for parts, line breaks that are not sent."""

from __future__ import annotations

import inspect
import re
import traceback

import pytest
from django.conf import settings
from django.template import engines
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy
from jinja2 import DictLoader, TemplateAssertionError, TemplateRuntimeError, UndefinedError, nodes
from jinja2.compiler import CodeGenerator
from markupsafe import Markup
from msgspec.structs import replace

from games.match import play
from games.models import Seat
from games.people import seats
from games.translation import override_game
from tests.holding import holding
from tests.pages import gallery

gallery.configure()

from games.templating import PlainPython, _cached, environment, part  # noqa: E402 - settings first
from tests.pages.samples import boards  # noqa: E402 - settings first

WIDEST = 110
FOLDERS = (gallery.ROOT / "templates", *sorted(gallery.ROOT.glob("games/systems/*/templates")))
OURS = sorted(path for folder in FOLDERS for path in folder.glob("**/*.html"))
STATEMENTS = {
    *("extends", "block", "endblock", "from", "import", "macro", "endmacro"),
    *("if", "elif", "else", "endif", "for", "endfor", "with", "endwith"),
}
"""All that a template needs whose values are finished."""
FRAMES = {"base.html": {"set", "endset"}, "screen.html": {"set", "endset"}}
"""What else the frames of pages need: each page names its files for them."""


def env():
    """The environment of all pages."""
    return engines["jinja2"].env


def drawn(source: str, **values: object) -> str:
    """A template that stands in a test, with its values."""
    return env().from_string(source).render(**values)


OVERRIDDEN = sorted({name for name, value in vars(PlainPython).items() if callable(value)} - {"_is_drawn"})
CALLED = ("blockvisit", "buffer", "indent", "leave_frame", "outdent", "return_buffer_contents", "writeline")


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_jinja_still_calls_what_its_generator_does_our_way(name: str) -> None:
    """No documentation promises these names: after an upgrade of Jinja this says which one changed."""
    ours, its_own = (inspect.signature(getattr(each, name)) for each in (PlainPython, CodeGenerator))
    assert [*its_own.parameters] == [*ours.parameters]


def test_jinja_still_has_what_our_generator_calls() -> None:
    assert [name for name in CALLED if not hasattr(CodeGenerator, name)] == []


# --- how they are written ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_no_line_is_wider_than_a_screen(path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [number for number, line in enumerate(lines, 1) if len(line) > WIDEST] == []


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_template_keeps_the_rules(path) -> None:
    source = path.read_text(encoding="utf-8")
    assert set(re.findall(r"{%-?\s*(\w+)", source)) <= STATEMENTS | FRAMES.get(path.name, set())
    assert "|safe" not in source
    assert re.findall(r"""=\{\{""", source) == [], "an attribute without quotes"
    for attribute in re.findall(r"""\shx-[a-z-]+""", source):
        assert attribute.strip() in {"hx-post", "hx-target", "hx-swap", "hx-sync", "hx-ignore"}, attribute


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_template_is_a_page_or_a_part(path) -> None:
    """A part is kept once for all languages: what it says must stand within a macro."""
    tree = env().parse(path.read_text(encoding="utf-8"))
    if path.name in ("base.html", "screen.html") or tree.find(nodes.Extends):
        return
    assert {type(node) for node in tree.body} <= {nodes.FromImport, nodes.Macro}
    assert next(tree.find_all(nodes.Macro)).name == "draw"


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_a_template_imports_what_it_uses(path) -> None:
    tree = env().parse(path.read_text(encoding="utf-8"))
    imported = {alias for found in tree.find_all(nodes.FromImport) for _name, alias in found.names}
    used = {name.name for name in tree.find_all(nodes.Name)}
    assert imported <= used
    assert {name for name in used if name.startswith("draw_")} <= imported


# --- what is sent of them ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("<ul>\n  <li>\n    One\n  </li>\n</ul>\n", "<ul><li>One</li></ul>"),
        ("<p>one\n  two</p>", "<p>one two</p>"),
        ("<p>\n  {{ a }}\n  {{ b }}\n</p>", "<p>A B</p>"),
        ("<p>\n  one\n  {{ a }}\n  two\n</p>", "<p>one A two</p>"),
        ("<p>\n  {{ a }}\n  {% if a %} <b>B</b>{% endif %}\n</p>", "<p>A <b>B</b></p>"),
        ("<b>A</b> <b>B</b>\n<b>C</b>", "<b>A</b> <b>B</b><b>C</b>"),
        ('<b>A</b>{{ " " }}\n<b>B</b>', "<b>A</b> <b>B</b>"),
        ("<p>\n  one\n  {# a word on it #}\n  two\n</p>", "<p>one two</p>"),
        ('<a href="/"\n   class="x"\n   {% if a %} lang="en"{% endif %}\n   id="i">', None),
        ('<a href="/"\n   class="x"\n   {% if a %}\n     lang="en"\n   {% endif %}\n   id="i"\n>', None),
        ('<i class="one\n          {% if a %} two{% endif %}">', '<i class="one two">'),
        ('<i\n  {{ a }}\n  id="i"\n>', '<i A id="i">'),
        ('<path d="M1 1\n         2 2"/>', '<path d="M1 1 2 2"/>'),
        ("<i title='a \"\n>'>\n  x\n</i>", "<i title='a \">'>x</i>"),
        ('<a title="it\'s"\n   id="i">\n  x\n</a>', '<a title="it\'s" id="i">x</a>'),
    ],
)
def test_line_breaks_of_a_template_are_not_sent(written: str, sent: str | None) -> None:
    assert drawn(written, a="A", b="B") == (sent or '<a href="/" class="x" lang="en" id="i">')


def test_values_keep_their_line_breaks() -> None:
    assert drawn("<textarea>{{ text }}</textarea>", text=" a\n\n  b\n") == "<textarea> a\n\n  b\n</textarea>"


def test_values_are_escaped() -> None:
    assert drawn("<p title='{{ a }}'>\n  {{ a }}\n</p>", a="<'\"&") == (
        "<p title='&lt;&#39;&#34;&amp;'>&lt;&#39;&#34;&amp;</p>"
    )
    assert drawn('{{ _("Against %(name)s", name=name) }}', name="<b>") == "Against &lt;b&gt;"
    assert drawn('{{ _("Against %(name)s", name=name) }}', name="\U0001f43a <é>") == (
        "Against &#128058; &lt;é&gt;"
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("plain", "plain"),
        ("a < b", "a &lt; b"),
        (7, "7"),
        (None, "None"),
        (Markup("<b>"), "<b>"),
        (mark_safe("<i>"), "<i>"),
        (gettext_lazy("<u>"), "&lt;u&gt;"),
        (type("Name", (str,), {})("<s>"), "&lt;s&gt;"),
        (True, "True"),
        ("\N{MINUS SIGN}1 · <é>", "&#8722;1 &#183; &lt;é&gt;"),
        ("\U0001f43a & \u2694\ufe0f", "&#128058; &amp; &#9876;&#65039;"),
    ],
)
def test_whatever_is_no_markup_is_shown_as_text(value: object, said: str) -> None:
    assert drawn("{{ value }}|{{ [value][0] }}", value=value) == f"{said}|{said}"


def test_a_board_is_ascii_so_that_its_copies_are_short() -> None:
    assert drawn('<b title="→">·</b>') == '<b title="&#8594;">&#183;</b>'
    found = part("table/board.html", board=boards.board_acting())
    assert "&#8722;1" in found
    assert "&#183;" in found
    assert found.isascii()


def test_a_part_takes_its_values_by_place_and_by_name() -> None:
    part = "{% macro draw(a, b='<') %}{{ a }}{{ b }}{% endmacro %}"
    calls = "{{ draw(1) }} {{ draw(1, 2) }} {{ draw(b=2, a=1) }} {{ draw(*both) }}"
    assert drawn(part + calls, both=[3, 4]) == "1&lt; 12 12 34"


PART = "{% macro draw(a) %}<i>{{ a }}</i>{% endmacro %}"


def test_a_part_is_drawn_as_it_is_and_a_value_is_not() -> None:
    assert drawn(PART + "{{ draw('<') }}{{ cached(draw, '<') }}{{ shown }}", shown="<i>") == (
        "<i>&lt;</i><i>&lt;</i>&lt;i&gt;"
    )
    pencil = "parts/pencil.html"
    assert drawn("{{ part_of(path)('/', '<') }}", path=pencil) == part(pencil, url="/", name="<")
    assert drawn("{{ name() }}{{ found[0]() }}", name=lambda: "<", found=[lambda: ">"]) == "&lt;&gt;"
    assert drawn("{{ maker()() }}", maker=lambda: lambda: "<") == "&lt;"


@pytest.mark.parametrize(("changes", "said"), [(True, "two"), (False, "one")])
def test_a_part_is_found_once_unless_its_file_may_change(changes: bool, said: str) -> None:
    files = {"part.html": "{% macro draw() %}one{% endmacro %}"}
    part_of = environment(loader=DictLoader(files), auto_reload=changes).globals["part_of"]
    assert part_of("part.html")() == "one"
    files["part.html"] = "{% macro draw() %}two{% endmacro %}"
    assert part_of("part.html")() == said


@pytest.mark.parametrize("argument", ["draw_badge(1)", "more=draw_badge(1)", "cached(draw_badge, 1)"])
def test_a_part_is_no_argument_of_another(argument: str) -> None:
    badge = '{% from "parts/badge.html" import draw as draw_badge %}'
    with pytest.raises(TemplateAssertionError, match="cannot be an argument"):
        drawn(f"{badge}{{% macro draw(more) %}}{{{{ more }}}}{{% endmacro %}}{{{{ draw({argument}) }}}}")


def test_an_argument_hides_nothing_that_drawing_needs() -> None:
    assert drawn("{% macro draw(escaped) %}{{ escaped }}{% endmacro %}{{ draw('<') }}") == "&lt;"
    with pytest.raises(TemplateAssertionError, match="'concat'"):
        drawn("{% macro draw(concat) %}{{ concat }}{% endmacro %}")


@pytest.mark.django_db
def test_all_forms_of_a_page_carry_one_token(client) -> None:
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""})
    found = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page_of_red(client, match))
    assert len(found) > 3
    assert len(set(found)) == 1


def page_of_red(client, match) -> str:
    """The table as its red seat sees it, with all its forms."""
    session = client.session
    session[seats.SESSION_SEATS] = holding(match.code, "red")
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    Seat.objects.filter(match=match).update(is_taken=True)
    return client.get(f"/t/{match.code}/").content.decode()


def test_a_mistake_names_its_line() -> None:
    with pytest.raises(UndefinedError) as caught:
        drawn("<ul>\n  <li>\n    {{ a }}\n    {{ missing }}\n  </li>\n</ul>", a="A")
    assert [call.lineno for call in traceback.extract_tb(caught.tb) if call.filename == "<template>"] == [4]


# --- what they are given -----------------------------------------------------------------------------


def test_what_nobody_has_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        drawn("{{ page.title }}")
    with pytest.raises(AttributeError):
        drawn("{% if page.titel %}x{% endif %}", page=object())
    with pytest.raises(TypeError):
        part("parts/badge.html")
    with pytest.raises(TypeError):
        part("parts/badge.html", badge=None, bagde=None)
    with pytest.raises(TemplateRuntimeError):
        drawn('{% from "parts/badge.html" import drow %}{{ drow() }}')


def test_a_part_speaks_the_language_and_the_words_of_its_reader() -> None:
    assert "Correct Arya" in part("parts/pencil.html", url="/", name="Arya")
    with translation.override("zh-hans"):
        assert "更正 Arya" in part("parts/pencil.html", url="/", name="Arya")


@pytest.mark.parametrize(("game", "said"), [("bushido", "影响"), ("agot", "势力")])
def test_a_template_speaks_the_words_of_its_game(game: str, said: str) -> None:
    with override_game(game, "zh-hans"):
        assert drawn('{{ _("Influence") }}') == said


CACHED = '{% from "parts/card.html" import draw as draw_card %}{{ cached(draw_card, card) }}'


def test_what_is_remembered_is_drawn_again_when_it_changes() -> None:
    from tests.pages.samples.pieces import unit

    card = unit("wolves", "Wolf Pack", 4, 5)
    first, again, wounded, renamed = (
        drawn(CACHED, card=each)
        for each in (card, replace(card), unit("wolves", "Wolf Pack", 3, 5), replace(card, name="<b>Wolf"))
    )
    assert first == again
    assert "<b>4</b>/5" in first
    assert "<b>3</b>/5" in wounded
    assert "&lt;b&gt;Wolf" in renamed


def test_what_is_remembered_is_drawn_again_in_other_words() -> None:
    from tests.pages.samples.pieces import unit

    card = replace(unit("wolves", "Wolf Pack", 4, 5), sheet_url="/")
    assert "Correct Wolf Pack" in drawn(CACHED, card=card)
    with translation.override("zh-hans"):
        assert "更正 Wolf Pack" in drawn(CACHED, card=card)
    _cached.cache_clear()
    for game in ("bushido", "agot"):
        with override_game(game, "zh-hans"):
            drawn(CACHED, card=card)
    assert _cached.cache_info().currsize == 2
