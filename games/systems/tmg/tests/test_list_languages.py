"""Lists with headings in German and Chinese, as players write them for themselves."""

import pytest

from games.systems.tmg.lists.catalogue import FACTIONS, NCU, UNIT, faction_key
from games.systems.tmg.lists.reading import ENEMY, read_each
from games.systems.tmg.tests.reading import CARDS, REAL, names, read, said

GERMAN = {
    "Faction": "Fraktion", "Commander": "Heerführer", "Points": "Punkte", "Activations": "Aktivierungen",
    "Non Combat Units": "Zivile Einheiten (NCU)", "Combat Units": "Kampfeinheiten",
    "Enemy Attachments": "Gegnerische Attachments",
}  # fmt: skip
BY_HAND = {**GERMAN, "Commander": "Kommandant", "Non Combat Units": "Nicht-Kampfeinheiten"}
CHINESE = {
    "Faction": "阵营", "Commander": "指挥官", "Points": "总分", "Activations": "激活",
    "Non Combat Units": "非战斗单位", "Combat Units": "战斗单位", "Enemy Attachments": "敌方附属",
    ":": "：",
}  # fmt: skip


def written(text, words):
    for english, other in words.items():
        text = text.replace(english, other)
    return text


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("words", [GERMAN, BY_HAND, CHINESE], ids=["German", "by hand", "Chinese"])
@pytest.mark.parametrize("slug", REAL)
def test_a_real_list_is_the_same_army_with_headings_of_another_language(slug, words):
    roster = read(written(REAL[slug], words))
    assert roster == read(REAL[slug])
    assert said(roster) == said(read(REAL[slug]))


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("words", [GERMAN, CHINESE], ids=["German", "Chinese"])
def test_headings_of_another_language_tell_two_lists_apart(words):
    both = written(REAL["stark"], words) + "\n\n" + written(REAL["bolton"], words)
    assert [roster.faction for _text, roster in read_each(both, CARDS)] == [
        "stark", "bolton",
    ]  # fmt: skip


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize(
    ("words", "faction"),
    [
        ("Haus Lennister", "lannister"),
        ("Graufreud", "greyjoy"),
        ("Nachtwache", "nightswatch"),
        ("Freies Volk", "freefolk"),
        ("Bruderschaft ohne Banner", "brotherhood"),
        ("史塔克家族", "stark"),
        ("守夜人", "nightswatch"),
        ("无旗兄弟会", "brotherhood"),
    ],
)
def test_factions_are_known_by_their_names_in_the_languages_of_the_pages(words, faction):
    assert faction_key(words) == faction
    assert all(faction_key(label) == key for key, label in FACTIONS.items())
    assert read(f"{words}\n• Dragons of Doom (9)").faction == faction


@pytest.mark.rule("TMG-06")
@pytest.mark.rule("TMG-11")
@pytest.mark.parametrize("mark", ["(Heerführer)", " - Kommandant", "（指挥官）"])
def test_an_attachment_is_joined_and_a_commander_marked_in_other_languages(mark):
    roster = read(
        f"Haus Stark - 40 Punkte\nKampfeinheiten\nStark Bowmen (6) mit Robb Stark{mark}\n"
        "Sansa Stark (4)\nFeindliche Attachments: Turncoat (1)"
    )
    (unit,) = roster.of_kind(UNIT)
    assert [one.full_name for one in unit.attachments] == ["Robb Stark - The Wolf Lord"]
    assert (roster.commander, roster.limit) == ("Robb Stark - The Wolf Lord", 40)
    assert (names(roster, NCU), names(roster, ENEMY)) == (["Sansa Stark - Little Bird"], ["Turncoat"])


@pytest.mark.rule("TMG-88")
@pytest.mark.parametrize("heading", ["Taktikkarten", "Taktikdeck:", "战术牌"])
def test_the_names_of_tactics_cards_stand_below_a_heading_of_any_language(heading):
    assert read(f"Stark\n• Stark Bowmen (6)\n{heading}\nWinter\n寒冬").cards == ("Winter", "寒冬")
