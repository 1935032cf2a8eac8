"""Player tables however they come: letters, separators, headings, deformations; our own tables read back."""

from __future__ import annotations

import csv
import html
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import Unreadable
from games.hall import commands, event_api, pasted_players
from games.hall.rules.event_state import EventState
from games.match.play import new_key
from games.web import limits, table_files
from tests.hall.halls import ANNA, opened, state
from tests.hall.test_organiser import phone_of, send

# --- what people have: made up, in the shapes in which such files come -------------------------------

LATIN = (
    ("Zoë Lefèvre", "Besançon"),
    ("Jürgen Groß", "Köln"),
    ("Noël Müller", "Nîmes"),
    ("Ana Peña", "Malmö"),
)
CENTRAL = (
    ("Łukasz Wójcik", "Gdańsk"),
    ("Jiří Dvořák", "Žižkov"),
    ("Örs Fűzfa", "Győr"),
    ("Ada Novák", "Brno"),
)
RUSSIAN = (("Иван Петров", "Москва"), ("Анна Сидорова", "Казань"), ("Юрий Орлов", "Тверь"), ("Ольга", "Тула"))
GREEK = (("Γιώργος Παππάς", "Αθήνα"), ("Ελένη Νίκου", "Πάτρα"), ("Νίκος Ρήγας", "Βόλος"), ("Άννα", "Σάμος"))
SIMPLE = (("王小明", "北京"), ("李雷", "上海"), ("韩梅梅", "广州"), ("赵云飞", "成都"))
TRADITIONAL = (("王小明", "台北"), ("陳美玲", "高雄"), ("林志豪", "台中"), ("黃雅婷", "新竹"))
JAPANESE = (("田中太郎", "東京"), ("鈴木はなこ", "大阪"), ("佐藤ケン", "名古屋"), ("高橋みどり", "札幌"))

WRITTEN = {
    "utf-8": (*LATIN, *CENTRAL, *RUSSIAN, *GREEK, *SIMPLE, *TRADITIONAL, *JAPANESE),
    "utf-8-sig": (*LATIN, *RUSSIAN, *SIMPLE),
    "utf-16": (*LATIN, *GREEK, *JAPANESE),
    "utf-16-le": LATIN,
    "cp1252": LATIN,
    "cp1250": CENTRAL,
    "cp1251": RUSSIAN,
    "cp1253": GREEK,
    "mac_roman": LATIN,
    "gbk": SIMPLE,
    "gb18030": SIMPLE,
    "big5": TRADITIONAL,
    "shift_jis": JAPANESE,
}
HEADED = {
    "en": ("Player", "Club", "E-mail"),
    "de": ("Spielername", "Heimatverein", "E-Mail"),
    "fr": ("Nom", "Club", "Téléphone"),
    "pl": ("Imię i nazwisko", "Drużyna", "Adres"),
    "ru": ("Имя игрока", "Клуб", "Почта"),
    "el": ("Ονοματεπώνυμο", "Ομάδα", "Ηλικία"),
    "zh": ("姓名", "俱乐部", "电话"),
    "zh-hant": ("姓名", "俱樂部", "電話"),
    "ja": ("名前", "クラブ", "番号"),
    "unknown": ("Izen", "Talde", "Adina"),
    "none": (),
}


def words_of(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def words_shown(table: pasted_players.ReadTable) -> set[str]:
    shown = [cell for player in table.players for cell in player]
    shown += [cell for label, cells in table.unused for cell in (str(label), *cells)]
    return words_of(" ".join((*shown, *table.headings)))


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, str, list[tuple[str, str]]]:
    """A code page, a table in it, and the players that it holds."""
    page = draw(st.sampled_from(sorted(WRITTEN)))
    named = st.sampled_from(WRITTEN[page])
    people = draw(st.lists(named, min_size=3, max_size=4, unique_by=lambda one: one[0]))
    head = list(HEADED[draw(st.sampled_from(sorted(HEADED)))])
    try:
        "".join(head).encode(page)
    except UnicodeError:
        head = list(HEADED["en"])
    rows = [[name, club, str(at * 7 + 1001)] for at, (name, club) in enumerate(people)]
    order = draw(st.permutations(range(3))) if head in map(list, list(HEADED.values())[:9]) else range(3)
    rows = [[row[at] for at in order] for row in ([head] if head else []) + rows]
    if draw(st.booleans()):
        rows = [
            [("№" if page == "cp1251" else "Nr") if at == 0 and head else str(at + 1), *row]
            for at, row in enumerate(rows)
        ]
    file = io.StringIO()
    separator = draw(st.sampled_from(";,\t|"))
    quoting = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    csv.writer(file, delimiter=separator, quoting=quoting, lineterminator=end).writerows(rows)
    text = file.getvalue()
    if quoting == csv.QUOTE_ALL and draw(st.booleans()):
        text = text.replace(" ", end) if "E-" not in text else text
    if separator == "|" and quoting == csv.QUOTE_MINIMAL and draw(st.booleans()):
        lines = [f"| {line.replace('|', ' | ')} |" for line in text.split(end) if line]
        text = end.join(
            [lines[0], "|".join(["", *["---"] * len(rows[0]), ""]), *lines[1:]] if head else lines
        )
    if draw(st.booleans()):
        text = text.replace(end, end * 2) if quoting == csv.QUOTE_MINIMAL else text
    if draw(st.booleans()) and separator != "|":
        text = f"sep={separator}{end}{text}"
    return page, text, people


@settings(max_examples=250, deadline=None)
@given(tables())
def test_no_word_of_a_table_is_lost_and_no_letter_is_another(
    made: tuple[str, str, list[tuple[str, str]]],
) -> None:
    page, text, people = made
    readings = table_files.readings(text.encode(page))
    certain = table_files.certain(readings)
    assert text in [one.text for one in readings]
    assert certain is None or certain.text == text
    table = pasted_players.read(text, EventState())
    assert table.wrong == ()
    used = 1 if "Izen" in text else 2
    assert [player[:used] for player in table.players] == [one[:used] for one in people]
    assert words_of(text) - {"sep"} <= words_shown(table)
    assert not {player[0] for player in table.players} & {head for heads in HEADED.values() for head in heads}
    assert not any(player[0].isdigit() for player in table.players)


# --- files of different origin, through the page -----------------------------------------------------

FILES = Path(__file__).parent / "player_files"
"""Made up, in the shapes in which spreadsheets, forms and wikis save them."""
GERMAN = [
    ("Jürgen Groß", "Würfelbund Köln", "Stark"),
    ("Zoë Schäfer", "Spieltreff Münster", "Lennister"),
    ("Björn Öztürk", "", "Graufreud"),
]
CHINESE = [("王小明", "北京", "史塔克"), ("李雷", "上海", "兰尼斯特"), ("韩梅梅", "广州", "守夜人")]
POLISH = [("Łukasz Wójcik", "Kości Gdańsk", "Starkowie"), ("Grażyna Źrebiec", "Smoki Łódź", "Nocna Straż")]
READ = {
    "club-wiki.md": [("Anna Berg", "North", ""), ("Bo O’Neill", "South", "")],
    "excel-german.csv": GERMAN,
    "excel-greek.txt": [("Γιώργος Παππάς", "Αθήνα", ""), ("Ελένη Νίκου", "Πάτρα", "")],
    "excel-japanese.csv": [("田中太郎", "東京", "スターク"), ("鈴木はなこ", "大阪", "ラニスター")],
    "excel-polish.csv": POLISH,
    "excel-taiwan.csv": [("王小明", "台北", "史塔克"), ("陳美玲", "高雄", "蘭尼斯特")],
    "export-russian.csv": [("Иван Петров", "Москва", ""), ("Анна Сидорова", "Казань", "")],
    "form-answers.csv": [("Anna Berg", "North Dice", "Stark"), ("Berg, Bo", "South", "Free Folk")],
    "libreoffice.ods": [("Jiří Dvořák", "Žižkov", ""), ("Šárka Nováková", "Brno", "")],
    "text-mac.csv": [("Jürgen Groß", "Köln", ""), ("Zoë Müller", "Düren", "")],
    "wps-chinese.csv": CHINESE,
    "excel-french.csv": [
        ("Zoé Dupont", "Dés de Nîmes", ""),
        ("Noël Lefèvre", "Les Pions, Besançon", ""),
        ("Hélène Martin", "", ""),
    ],
    "club.xlsx": [("Jürgen Groß", "Köln", ""), ("Zoë Müller", "", ""), ("王小明", "北京", "")],
}
ASKED = {"excel-french.csv": "Lefèvre", "club.xlsx": "Anmeldung"}
"""Files that do not say everything, and what is chosen then."""
OFFERED = re.compile(
    r'<textarea name="text" hidden>(.*?)</textarea>\s*<button class="choice">(.*?)</button>', re.S
)


def looked_at(code: str, phone: Client, **sent: object) -> str:
    limits.TAPS.forget()
    answer = phone.post(reverse("organise-preview", args=[code]), {"key": new_key(), **sent})
    assert answer.status_code == 200
    return answer.content.decode()


def entering(page: str) -> dict[str, str]:
    """What the form sends that enters the players; nothing if the page does not offer to."""
    form = re.search(r'<form class="form" method="post" action="[^"]*/do">(.*?)</form>', page, re.S)
    if form is None or 'value="import"' not in form[1]:
        return {}
    fields = dict(re.findall(r'<input type="hidden" name="(columns_shown)" value="([^"]*)"', form[1]))
    for name, options in re.findall(r'<select[^>]*name="([^"]+)".*?>(.*?)</select>', form[1], re.S):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    text = re.search(r'<textarea name="text" hidden>(.*?)</textarea>', form[1], re.S)
    return {**fields, "text": html.unescape(text[1]) if text else ""}


def players_of(code: str) -> list[tuple[str, str, str]]:
    return [(one.name, one.club, one.faction) for one in state(code).players.values()]


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(READ))
def test_a_file_enters_its_players_and_no_other_letters(name: str) -> None:
    code = opened(0)
    phone = phone_of(code)
    shown = looked_at(code, phone, file=SimpleUploadedFile(name, (FILES / name).read_bytes()))
    if name in ASKED:
        assert not entering(shown)
        choices = [html.unescape(text) for text, label in OFFERED.findall(shown) if ASKED[name] in label]
        assert len(choices) == 1
        shown = looked_at(code, phone, text=choices[0])
    fields = entering(shown)
    assert send(phone, code, "import", "import", **fields).status_code == 302
    assert players_of(code) == READ[name]


def test_every_file_is_tried() -> None:
    assert {file.name for file in FILES.iterdir()} == {*READ}


# --- letters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Jürgen Groß;Köln\nZoë Müller;Düren", "Ulla Müller\nJörg Weiß"])
def test_a_western_file_needs_nobody_to_choose(text: str) -> None:
    certain = table_files.certain(table_files.readings(text.encode("cp1252")))
    assert certain is not None
    assert certain.text == text


def test_a_cell_of_two_lines_does_not_join_two_players() -> None:
    table = pasted_players.read('Ada;North\n"Bo\nCy"\nDi;East', EventState())
    assert [number for number, _line in table.wrong] == [2]


@pytest.mark.parametrize("page", ["cp1251", "gb18030", "big5", "shift_jis", "cp1253"])
def test_what_was_pasted_with_the_wrong_letters_is_not_entered_as_it_is(page: str) -> None:
    (name, club), (other, home) = WRITTEN[page][:2]
    octets = f"{name};{club}\n{other};{home}".encode(page)
    wrong = "".join(bytes([one]).decode("cp1252", errors="ignore") or chr(one) for one in octets)
    texts = [one.text for one in table_files.readings(wrong)]
    assert wrong not in texts
    assert f"{name};{club}\n{other};{home}" in texts


def test_utf_8_that_was_read_as_something_else_is_read_again() -> None:
    wrong = "Zoë;Nörd\nBo;Šúth".encode().decode("cp1252", errors="replace")
    assert [one.text for one in table_files.readings(wrong)] == ["Zoë;Nörd\nBo;Šúth"]


@pytest.mark.parametrize("octets", [bytes(range(128, 256)), b"\x89PNG\r\n\x1a\n\xff\xd8\x81\x8d" * 9])
def test_bytes_that_are_no_text_are_refused(octets: bytes) -> None:
    with pytest.raises(Unreadable):
        pasted_players.read(octets, EventState())


@pytest.mark.parametrize(
    "name", ["Şükrü", "Þórð", "Đỗ Thị Ánh", "Аlex", "A队", "Żółć", "O’Neill", "J€ff", "🐺", "McÉwan"]
)
def test_a_name_in_any_alphabet_is_entered_as_it_is_typed(name: str) -> None:
    assert [one[0] for one in pasted_players.read(f"{name};Club", EventState()).players] == [name]


def test_names_that_only_look_alike_are_remarked_on() -> None:
    table = pasted_players.read(
        "Name;Club\nAlex;North\n\u0410lex;North\nZo\u0435;South\nИван;X", EventState()
    )
    assert [number for number, _line in table.remarks] == [3, 4]
    assert "looks like Alex" in str(table.remarks[0][1])
    assert len(table.players) == 4


# --- workbooks ---------------------------------------------------------------------------------------


def workbook(cells: str) -> bytes:
    """The workbook of the club with other cells on its first sheet."""
    file = io.BytesIO()
    with zipfile.ZipFile(FILES / "club.xlsx") as old, zipfile.ZipFile(file, "w") as new:
        for member in old.namelist():
            content = old.read(member)
            if member.endswith("sheet1.xml"):
                content = re.sub(
                    rb"(?s)(<sheetData>).*(</sheetData>)", rb"\1" + cells.encode() + rb"\2", content
                )
            new.writestr(member, content)
    return file.getvalue()


FAR = """<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>"""


@pytest.mark.parametrize(
    "octets", [workbook(FAR), b"PK\x03\x04rest", (FILES / "club.xlsx").read_bytes()[:900]]
)
def test_a_workbook_that_is_broken_or_means_harm_is_refused(octets: bytes) -> None:
    with pytest.raises(Unreadable, match="Save it as CSV"):
        table_files.readings(octets)


# --- columns -----------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_columns_are_changed_looked_at_and_remembered() -> None:
    code = opened(0)
    phone = phone_of(code)
    text = "Izen;Talde;Adina\nMiren;Bilbo;31\nJon;Donostia;44"
    fields = entering(looked_at(code, phone, text=text))
    assert fields["head"] == "1"
    assert [fields[f"column-{at}"] for at in range(3)] == ["name", "", ""]
    changed = {**fields, "column-1": "club"}
    refused = send(phone, code, "import", "import", **changed)
    assert refused.status_code == 409
    assert "The columns have changed." in refused.content.decode()
    assert players_of(code) == []
    again = entering(refused.content.decode())
    assert again["column-1"] == "club"
    send(phone, code, "import", "import", **again)
    assert players_of(code) == [("Miren", "Bilbo", ""), ("Jon", "Donostia", "")]
    later = entering(looked_at(code, phone, text="Adina;Talde;Izen\n27;Irun;Ane\n28;Irun;Unai"))
    assert [later[f"column-{at}"] for at in range(3)] == ["", "club", "name"]
    page = phone.get(reverse("organise-log", args=[code])).content.decode()
    assert "Not used: “Adina”." in page


@pytest.mark.django_db
def test_what_is_not_used_is_shown_whole() -> None:
    code = opened(0)
    shown = looked_at(code, phone_of(code), text="Herbstcup\nNr;Name;Mail\n1;Ada;a@x.org\n2;Bo;b@x.org;late")
    parts = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", html.unescape(shown))
    assert parts == [
        ("Above the headings", "Herbstcup"),
        ("“Nr”", "1 · 2"),
        ("“Mail”", "a@x.org · b@x.org"),
        ("Column 4", "late"),
    ]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("1\tAnna\tNorth", [("Anna", "North", "")]),
        ("1. Anna;North\n2. Bo;South", [("Anna", "North", ""), ("Bo", "South", "")]),
        ('"Name\nof player","Verein"\n"Anna\nBerg","North"', [("Anna Berg", "North", "")]),
        ("王小明;北京\n李雷；上海；史塔克", [("王小明", "北京", ""), ("李雷", "上海", "史塔克")]),
        ("王小明，北京\n李雷，上海", [("王小明", "北京", ""), ("李雷", "上海", "")]),
        ("• Anna\n• Bo", [("Anna", "", ""), ("Bo", "", "")]),
        ("Name | Club\n--- | ---\nAnna | North", [("Anna", "North", "")]),
        (
            "<table><tr><th>Name</th><th>Club</th></tr><tr><td>Anna</td><td>North</td></tr></table>",
            [("Anna", "North", "")],
        ),
        (
            'Name;Club\n"Anna\nBerg";North\nBo;"South\nPark"',
            [("Anna Berg", "North", ""), ("Bo", "South Park", "")],
        ),
    ],
)
def test_a_list_is_read_as_people_send_it(text: str, players: list[tuple[str, str, str]]) -> None:
    assert list(pasted_players.read(text, EventState()).players) == players


@pytest.mark.parametrize("text", ["1\n2\n3", "Mail;Nr\na@x.org;1\nb@x.org;2"])
def test_a_number_or_an_address_is_no_player(text: str) -> None:
    table = pasted_players.read(text, EventState())
    assert table.players == ()
    assert [str(line) for _number, line in table.wrong] == ["Choose the column with the players’ names."]


# --- our own tables ----------------------------------------------------------------------------------

ODD = [
    "=1+1",
    "'=1+1",
    "''-x",
    "@home",
    "+49",
    "-",
    "Berg, Bo",
    "a;b",
    "a|b",
    'Bo "the" Brave',
    "1. Ada",
    "• Bo",
    "sep=;",
]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "zh-hans"])
def test_our_own_table_read_back_gives_the_same_players(language: str) -> None:
    code, other = opened(0), opened(0)
    for name in ODD:
        commands.register(code, ANNA, name, name[::-1].strip("'"), "=Stark")
    with translation.override(language):
        table = event_api.players_csv(state(code))
    assert table.startswith("\ufeffkey;" if language == "de" else "\ufeffkey,")
    cells = csv.reader(io.StringIO(table.removeprefix("\ufeff")), delimiter=table[4])
    assert not [cell for row in cells for cell in row if cell.startswith(tuple("=+-@"))]
    commands.import_table(other, ANNA, table)
    assert players_of(other) == players_of(code)


def test_a_table_has_the_decimal_sign_of_its_reader() -> None:
    with translation.override("de"):
        assert table_files.as_csv(["a"], [[0.5, None, True]]) == "\ufeffa\r\n0,5;;1\r\n"
    with translation.override("en"):
        assert table_files.as_csv(["a"], [[0.5, "=1", False]]) == "\ufeffa\r\n0.5,'=1,0\r\n"
