"""Lists with headings in other languages than English, as players write them for themselves."""

import pytest

from games.systems.tmg.lists.army_cards import ENEMY, FACTIONS, NCU, UNIT, faction_key
from games.systems.tmg.lists.army_grammar import read_each
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
FRENCH = {
    "Commander": "Commandant", "Non Combat Units": "UCN/PNJ", "Combat Units": "Unités",
    "Enemy Attachments": "Attachements ennemis",
}  # fmt: skip
SPANISH = {
    "Faction": "Facción", "Commander": "Comandante", "Points": "Puntos", "Activations": "Activaciones",
    "Non Combat Units": "Unidades no combatientes", "Combat Units": "Unidades de combate",
    "Enemy Attachments": "Adjuntos enemigos",
}  # fmt: skip
ITALIAN = {
    "Faction": "Fazione", "Commander": "Comandante", "Points": "Punti", "Activations": "Attivazioni",
    "Non Combat Units": "Unità non combattenti (UNC)", "Combat Units": "UNITÀ",
    "Enemy Attachments": "Allegati nemici",
}  # fmt: skip
POLISH = {
    "Faction": "Frakcja", "Commander": "Dowódca", "Points": "Punkty", "Activations": "Aktywacje",
    "Non Combat Units": "Jednostki niebojowe", "Combat Units": "Jednostki bojowe",
    "Enemy Attachments": "Wrogie dodatki",
}  # fmt: skip
EACH = {
    "German": GERMAN, "by hand": BY_HAND, "Chinese": CHINESE, "French": FRENCH, "Spanish": SPANISH,
    "Italian": ITALIAN, "Polish": POLISH,
}  # fmt: skip


def written(text, words):
    for english, other in words.items():
        text = text.replace(english, other)
    return text


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("words", EACH.values(), ids=EACH)
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
        ("Maison Stark", "stark"),
        ("Garde de Nuit", "nightswatch"),
        ("Fraternité Sans Bannières", "brotherhood"),
        ("Casa Lannister", "lannister"),
        ("Guardia de la Noche", "nightswatch"),
        ("Popolo Libero", "freefolk"),
        ("Nocna Straż", "nightswatch"),
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


@pytest.mark.rule("TMG-06")
@pytest.mark.parametrize("word", ["avec", "con", "with", "mit"])
@pytest.mark.parametrize("price", ["(6 puntos)", "(6 punti)", "(6 punktów)", "6 points"])
def test_words_around_a_price_are_of_any_language(word, price):
    (unit,) = read(f"Stark\nStark Bowmen {price} {word} Sworn Sword Captain").entries
    assert (unit.cost, [one.name for one in unit.attachments]) == (6, ["Sworn Sword Captain"])


@pytest.mark.rule("TMG-05")
@pytest.mark.parametrize("heading", ["UCN/PNJ", "NCUs / Non-Combat Units", "Zivile Einheiten (NCU)", "UNC:"])
def test_a_heading_may_say_its_meaning_twice(heading):
    assert names(read(f"Stark\n• Stark Bowmen (6)\n{heading}\n• Nobody (4)"), NCU) == ["Nobody"]
    other = read("Stark\n• Stark Bowmen (6)\nUnits / NCUs\n• Nobody (4)")
    assert (names(other, NCU), said(other)[1]) == ([], "Line 3 was not understood: “Units / NCUs”.")


ATTACHED = ["Sworn Sword Captain", "Umber Champion"]


@pytest.mark.rule("TMG-05")
@pytest.mark.rule("TMG-10")
@pytest.mark.parametrize("word", ["Attachments", "Attachment", "Attachements", "Allegati", "附属"])
@pytest.mark.parametrize(
    "lines",
    [
        "- {}: Sworn Sword Captain (1)\n- {}: Umber Champion (1)",
        "  {}: Sworn Sword Captain & Umber Champion",
        "{}: Sworn Sword Captain, Umber Champion",
        "{}\n• Sworn Sword Captain (1)\n• Umber Champion (1)",
        "{}:\nSworn Sword Captain\nUmber Champion",
    ],
)
def test_what_a_heading_calls_attached_is(word, lines):
    roster = read(
        "Faction: Stark\n• Stark Bowmen (6)\n" + lines.format(word, word) + "\n• Stark Outriders (7)"
    )
    assert [(one.name, [a.name for a in one.attachments]) for one in roster.entries] == [
        ("Stark Bowmen", ATTACHED), ("Stark Outriders", []),
    ]  # fmt: skip
    assert said(roster) == ["This list has no Commander."]


@pytest.mark.rule("TMG-09")
def test_below_a_heading_of_attachments_a_name_is_one_unless_no_card_and_no_price_says_so():
    roster = read("Night's Watch\n• Ranger Trackers\nAttachments\n• Watch Marshal\n• Nobody of Note (2)")
    assert [one.name for one in roster.entries[0].attachments] == ["Watch Marshal", "Nobody of Note"]
    roster = read("Stark\n• Stark Bowmen (6)\n• Attachments: none\n• Dragons of Doom (9)")
    assert names(roster) == ["Stark Bowmen", "Dragons of Doom"]
    assert "Line 3 was not understood: “none”." in said(roster)


@pytest.mark.rule("TMG-88")
@pytest.mark.parametrize("heading", ["Taktikkarten", "Taktikdeck:", "战术牌"])
def test_the_names_of_tactics_cards_stand_below_a_heading_of_any_language(heading):
    assert read(f"Stark\n• Stark Bowmen (6)\n{heading}\nWinter\n寒冬").cards == ("Winter", "寒冬")
