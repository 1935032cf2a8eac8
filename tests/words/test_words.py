"""Every language is whole: catalogues complete and compiled, pages without a word left in English."""

import html
import re
import shutil

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.translation import to_locale

from games.core import Line, systems
from games.management.commands import words
from games.management.commands.plant import planted, seeds
from games.match import play
from games.models import Seat
from games.people import seats
from games.systems.tmg.lists import army_cards
from tests.holding import holding

FOLDERS = words.catalogues()
PATHS = [
    folder / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"
    for folder, _sources in FOLDERS
    for language in words.translated_into()
]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%%")


def catalogue(path):
    return polib.pofile(str(path), encoding="utf-8")


@pytest.fixture(params=PATHS, ids=[f"{path.parents[3].name}-{path.parents[1].name}" for path in PATHS])
def path(request):
    return request.param


def test_every_language_is_in_every_catalogue(path):
    assert path.exists()


def test_there_are_languages_that_count_differently():
    assert {language: words.plural_forms(language)[:11] for language in words.translated_into()} == {
        "de": "nplurals=2;",
        "zh-hans": "nplurals=1;",
    }


def test_nothing_is_untranslated_or_doubtful(path):
    po = catalogue(path)
    assert len(po)
    assert [entry.msgid for entry in po if not entry.translated() or entry.fuzzy] == []


def test_translations_fill_the_same_places(path):
    for entry in catalogue(path):
        for text in (entry.msgstr, *entry.msgstr_plural.values()):
            if text or not entry.msgid_plural:
                assert places(text) == places(entry.msgid + entry.msgid_plural), entry.msgid


def places(text):
    """What is filled in: the names in a text, and its percent signs."""
    return {re.sub(r"[sd]$", "", found) for found in PLACEHOLDER.findall(text)}


def test_every_form_of_a_number_is_translated(path):
    forms = int(words.plural_forms(path.parents[1].name)[len("nplurals=")])
    counted = [entry for entry in catalogue(path) if entry.msgid_plural]
    assert {len(entry.msgstr_plural) for entry in counted} <= {forms}
    assert [entry.msgid for entry in counted if not all(entry.msgstr_plural.values())] == []


def test_no_sentence_is_left_in_english(path):
    """A name or a word may be the same in two languages: not two words with a full stop or a place."""
    for entry in catalogue(path):
        count = len(ENGLISH.findall(PLACEHOLDER.sub("", entry.msgid)))
        if count > 1 and (entry.msgid[-1] in ".?!…" or "%(" in entry.msgid):
            assert entry.msgid not in (entry.msgstr, *entry.msgstr_plural.values())


def test_what_is_compiled_is_what_is_written(path):
    compiled = polib.mofile(str(path.with_suffix(".mo")))
    said = {entry.msgid: entry.msgstr or entry.msgstr_plural for entry in compiled}
    assert said == {entry.msgid: entry.msgstr or entry.msgstr_plural for entry in catalogue(path)}


def test_a_sentence_names_a_button_as_the_button_is_called(path):
    """“Let in” in a sentence is the very word that the button shows."""
    shared = PATHS[0].parents[3] / path.relative_to(path.parents[3])
    told = {entry.msgid: entry.msgstr for one in (shared, path) for entry in catalogue(one)}
    wrong = [
        (name, entry.msgstr)
        for entry in catalogue(path)
        for name in re.findall("“([^”]+)”", entry.msgid)
        if told.get(name) and told[name] not in entry.msgstr
    ]
    assert wrong == []


TYPED = {
    "The first line must name the columns, “id” among them.": ("id",),
    "An attack is melee, short or long, not “%(name)s”.": ("melee", "short", "long"),
    "Commander: yes or no.": ("yes",),
    "A number, Special, Kami, or nothing.": ("Special", "Kami"),
    "“%(text)s” is not a check. Enter for example “4 points”.": ("4 points",),
}
"""Words that a file of game data must hold as they are; a translation of them could not be read."""


def test_what_a_file_must_hold_is_not_translated():
    found = [entry for path in PATHS for entry in catalogue(path) if entry.msgid in TYPED]
    assert {entry.msgid for entry in found} == TYPED.keys()
    assert [e.msgstr for e in found if not all(word in e.msgstr for word in TYPED[e.msgid])] == []


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="xgettext is not installed")
def test_no_word_of_the_program_is_missing_from_its_catalogue():
    for folder, sources in FOLDERS:
        wanted = words.gathered(sources).keys() | words.data_words(folder).keys()
        for path in (path for path in PATHS if path.parents[3] == folder):
            assert {entry.msgid for entry in catalogue(path)} == wanted - {""}, "run `make words`"


# --- pages -----------------------------------------------------------------------------------------

ENGLISH = re.compile(r"[A-Za-z]{3,}")
NAMES = {
    "Roundtable", *(name for _code, name in settings.LANGUAGES),
    "HMAC", "SHA", "seed", "http", "https", "testserver", "claim", "blue", "red",
    "III", "Sworn", "Swords", "Faction", "Commander", "Combat", "Units",
    "JSON", "localhost", "PDF", "UTC", "Python",
    *(rule.rstrip("-0123456789") for game in systems() for rule in game.checklist),
}  # fmt: skip


def shown(answer):
    """The words that a page shows: no markup, no addresses, no codes."""
    text = answer.content.decode()
    text = re.sub(r"<(script|style|code|textarea)\b.*?</\1>", " ", text, flags=re.S)
    text = re.sub(r'<p class="(address|code)">.*?</p>', " ", text, flags=re.S)
    attributes = " ".join(re.findall(r'(?:aria-label|alt|placeholder|title)="([^"]*)"', text))
    return html.unescape(f"{re.sub(r'<[^>]*>', ' ', text)} {attributes}")


def english(answer, names):
    """The English words of a page that are nobody's name."""
    return sorted(set(ENGLISH.findall(shown(answer))) - NAMES - names)


def gaps(answer):
    """Where a Chinese sentence is followed by a space, which its full stop includes already."""
    text = re.sub(r"<(script|style|textarea)\b.*?</\1>", " ", answer.content.decode(), flags=re.S)
    return re.findall(r"[^<>]{,20}[。！？；，] [^<>]{1,20}", html.unescape(text))


def crowded(answer):
    """Where a lettered name touches the Chinese word after it; the board game alone writes without spaces."""
    return re.findall(r"[^<>]{,9} [A-H][\u4e00-\u9fff][^<>]{,9}", html.unescape(answer.content.decode()))


@pytest.fixture
def finished(db):
    """A finished match of the miniatures."""
    return planted(seeds("tmg")[0])


def reader(match=None, language="zh-hans"):
    """A Chinese reader, or one of another language; with a match, the holder of its red seat."""
    client = Client(headers={"Accept-Language": language})
    if match is not None:
        Seat.objects.filter(match=match).update(is_taken=True)
        session = client.session
        session[seats.SESSION_SEATS] = holding(match.code, match.armies.first().key)
        session.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return client


def printed_names(unit):
    """The names of attacks and abilities that stand on a unit's printed card."""
    known = army_cards.known_stats().get(unit.extra.get("card", ""))
    return (*(attack.name for attack in known.attacks), *known.abilities) if known else ()


def names_in(match):
    """The words of all names that people typed or lists brought."""
    scenario = match.rules.get("scenario", {})
    found = [match.code, scenario.get("slug", ""), scenario.get("facts", {}).get("name", "")]
    for unit in match.units.all():
        attached = (part for row in unit.extra.get("attachments", ()) for part in row[:2])
        found += [unit.name, unit.extra.get("title", ""), *attached, *printed_names(unit)]
    for army in match.armies.all():
        found += [army.name, army.faction, army.extra.get("commander", ""), army.extra.get("roster", "")]
    return set(ENGLISH.findall(" ".join(map(str, found))))


SEEDED = [path for game in systems() for path in seeds(game.slug)]
STAGES = [f"{path.parent.name}-{path.stem}" for path in SEEDED]


PAGES = ("", "history", "seats", "verify", "join", "score", "print", "rules", "replay", "replay/1")


@pytest.mark.django_db
@pytest.mark.parametrize("path", SEEDED, ids=STAGES)
def test_a_table_in_chinese_has_no_english_word(path):
    match = planted(path)
    Client().get(f"/t/{match.code}/")  # What was drawn for a reader of English is not shown to others.
    names = names_in(match)
    for client in (reader(), reader(match)):
        for page in PAGES:
            answer = client.get(f"/t/{match.code}/{page}", follow=True)
            assert answer.status_code == 200
            assert english(answer, names) == [], page
            assert gaps(answer) == [], page


@pytest.mark.django_db
@pytest.mark.parametrize("path", [path for path in SEEDED if "finished" not in path.stem])
def test_every_sheet_in_chinese_has_no_english_word(path):
    match = planted(path)
    paths = ["table", *(f"army/{army.key}" for army in match.armies.all())]
    paths += [f"objective/{place.key}" for place in match.objectives.all()]
    paths += [f"unit/{unit.key}" for unit in match.units.all()]
    client, names = reader(match), names_in(match)
    for path in paths:
        answer = client.get(f"/t/{match.code}/piece/{path}")
        assert answer.status_code == 200
        assert english(answer, names) == []
        assert gaps(answer) == []
        assert crowded(answer) == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", [path for path in SEEDED if "finished" not in path.stem])
def test_a_link_to_corrections_has_the_order_of_its_language(path):
    match = planted(path)
    page = reader(match, "de").get(f"/t/{match.code}/").content.decode()
    links = re.findall(r'<a class="pencil".*?</a>', page, re.S)
    assert {re.sub(r"<[^>]*>", " ", link).split()[-1] for link in links} == {"berichtigen"}


def test_the_way_to_a_table_in_chinese_has_no_english_word(db):
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "", "blue": ""}, seed="winter")
    client = reader(match)
    odd = (
        "Faction: Stark\nCombat Units\n • Stark Sworn Sords ( 5 )\n • Umber Berserkers ( 9 )\nodd ( here )\n"
    )
    pages = [
        client.get("/"),
        client.get("/new"),
        client.get(f"/t/{match.code}/"),
        client.get(f"/t/{match.code}/army/red"),
        client.post(f"/t/{match.code}/army/red", {"do": "read", "text": odd}, follow=True),
        client.post(f"/t/{match.code}/army/red", {"do": "read", "text": ""}, follow=True),
        client.get("/find", {"code": "NOSUCH"}),
        client.get("/nowhere"),
        client.post(f"/t/{match.code}/act", {"action": "pass", "seen": "1", "key": "a-key-of-a-tap"}),
        client.post(f"/t/{match.code}/act", {"action": "__class__", "seen": "1", "key": "a-key-of-a-tap"}),
        reader().post(f"/t/{match.code}/act", {"action": "pass", "seen": "1", "key": "a-key-of-a-tap"}),
    ]
    match.refresh_from_db()
    names = names_in(match) | set(ENGLISH.findall(odd)) | {"Outriders", "ros", "rosz", "json", "txt"}
    demos_titles = {word for title in _demo_words() for word in ENGLISH.findall(title)}
    for answer in pages:
        assert english(answer, names | demos_titles) == [], answer.request["PATH_INFO"]
        assert gaps(answer) == [], answer.request["PATH_INFO"]


def _demo_words():
    from games.systems.tmg.lists.army_grammar import demo_roster, demo_rosters

    tests_own = [
        f"{game.title} {mode.title}" for game in systems() if game.slug != "tmg" for mode in game.modes
    ]
    return [demo_roster(slug).commander for slug in demo_rosters()] + tests_own


def test_a_line_is_read_in_the_language_of_its_reader(finished):
    match = finished
    stored = [line for entry in match.entries.all() for line in entry.lines]
    assert any(str(Line.from_json(line)) == "Red wins the match." for line in stored)
    assert "红方赢得对局。" in shown(reader().get(f"/t/{match.code}/history"))


def test_the_switch_keeps_you_where_you_are(finished):
    client = Client()
    here = f"/t/{finished.code}/history"
    answer = client.post("/i18n/setlang/", {"language": "zh-hans", "next": here}, follow=True)
    assert answer.redirect_chain[-1][0] == here
    assert answer.headers["Content-Language"] == "zh-hans"


def test_translations_whose_source_is_elsewhere_are_not_thrown_away(tmp_path, monkeypatch):
    """An installed program has the compiled catalogues only: new ones would have nothing in them."""
    monkeypatch.setattr(words, "catalogues", lambda: [(tmp_path, [])])
    compiled = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.mo"
    compiled.parent.mkdir(parents=True)
    compiled.write_bytes(b"all the words")
    with pytest.raises(CommandError, match="lacks its source"):
        call_command("words")
    assert compiled.read_bytes() == b"all the words"
    assert [path.name for path in tmp_path.rglob("*.*")] == ["django.mo"]
