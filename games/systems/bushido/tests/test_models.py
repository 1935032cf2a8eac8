"""The catalogue: all its models can be read, found and edited; a table of more can be brought."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from games.catalogue import current, plant
from games.core import Unreadable, system
from games.models import CatalogueEntry
from games.systems.bushido.lists.warband_cards import (
    FACTIONS,
    MODEL,
    RONIN,
    catalogue,
    faction_of,
    planted,
    profile_of,
)
from games.systems.bushido.rules import figures

GOOD = {"faction": "Ito Clan", "name": "Somebody", "rice": "9", "ki": "2", "cap": "6", "wounds": "5"}


def test_every_model_can_be_read_and_is_found_by_its_name():
    models = catalogue()
    by_id = {profile.id: profile for profile in models.profiles}
    assert len(models.profiles) == len(by_id) == 599
    assert {profile.faction for profile in models.profiles} == set(FACTIONS)
    for slug, stated in planted():
        profile = profile_of(slug, stated)
        assert profile == by_id[slug]
        found = models.find(profile.name, profile.faction, profile.rice)
        assert (found.profile, found.guessed) == (profile, False)


def test_no_model_is_called_like_a_faction():
    assert [one.name for one in catalogue().profiles if faction_of(one.name)] == []


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("the savage wave", "The Savage Wave"),
        ("Savage Wave", "The Savage Wave"),
        ("Temple of Rokan", "Temple of Ro-Kan"),
        ("Shadow Wind Clan (Kage Kaze Zoku)", "Kage Kaze Zoku"),
        ("Golden Empire", "The Imperial Court"),
        ("MINIMOTO", "Minimoto Clan"),
        ("Faction: Ito", "Ito Clan"),
        ("Library-Ronin", RONIN),
        ("Nobody", None),
        ("", None),
    ],
)
def test_factions_are_known_by_their_usual_names(words, meant):
    assert faction_of(words) == meant


PAGES = (
    *(
        "幽灵教团",
        "阿塔卡骑马领主",
        "伊藤家",
        "荣氏海盗",
        "影风族",
        "金士寺",
        "皆本家",
        "龙之县",
        "四方家",
        "银月商会",
    ),
    *("罗汉寺", "觉醒者", "天降众", "朝廷", "蛮潮", "浪人"),
)


@pytest.mark.rule("BUSH-26")
def test_each_faction_is_known_by_its_name_in_chinese():
    """There was no faction of the name that the page itself shows."""
    assert [faction_of(name) for name in PAGES] == list(FACTIONS)


@pytest.mark.rule("BUSH-26")
@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("Präfektur Ryu", "Prefecture of Ryu"),
        ("Präfektur von Ryu", "Prefecture of Ryu"),
        ("Kult von Yurei", "Cult of Yurei"),
        ("Ito-Klan", "Ito Clan"),
        ("Der Shiho-Klan", "Shiho Clan"),
        ("Die Erwachten", "The Awoken"),
        ("Jung-Piraten", "Jung Pirates"),
        ("Tempel von Ro-Kan", "Temple of Ro-Kan"),
        ("Fraktion Minimoto", "Minimoto Clan"),
    ],
)
def test_factions_are_known_in_german(words, meant):
    assert faction_of(words) == meant


@pytest.mark.parametrize(
    ("read", "text", "meant"),
    [
        (figures.ki, "x", "X"),
        (figures.ki, "4", "4"),
        (figures.ki, "-", ""),
        (figures.ki, "-2", None),
        (figures.cap, "*", "*"),
        (figures.cap, "∞", "∞"),
        (figures.cap, "10", "10"),
        (figures.cap, "ten", None),
        (figures.wounds, "6 OOOOO O", "6"),
        (figures.wounds, "OO", "2"),
        (figures.wounds, "special", "Special"),
        (figures.wounds, "KAMI", "Kami"),
        (figures.wounds, "", ""),
        (figures.wounds, "0", None),
        (figures.wounds, "100", None),
    ],
)
def test_figures_are_read_as_cards_write_them(read, text, meant):
    assert read(text) == meant


@pytest.mark.parametrize(
    ("slug", "change", "told"),
    [
        ("Bad Slug", {}, "needs a short name"),
        ("ito-x", {"faction": "Klingons"}, "no faction “Klingons”"),
        ("ito-x", {"name": ""}, "Please enter a name"),
        ("ito-x", {"rice": "-1"}, "whole number from 0 to 99"),
        ("ito-x", {"ki": "lots"}, "This is not a Ki value: “lots”"),
        ("ito-x", {"cap": "-"}, ""),
        ("ito-x", {"cap": "?!"}, "This is not a Ki cap"),
        ("ito-x", {"wounds": "none"}, "This is not a wounds value"),
        ("ito-x", {"size": "vast"}, "no size “vast”"),
        ("ito-x", {"base": "3"}, "whole number from 10 to 200"),
    ],
)
def test_what_a_model_cannot_be_gets_a_sentence(slug, change, told):
    if not told:
        assert profile_of(slug, GOOD | change).cap == ""
        return
    with pytest.raises(Unreadable, match=told):
        profile_of(slug, GOOD | change)


@pytest.mark.django_db
def test_models_are_planted_and_edited_and_brought_from_a_table(tmp_path, capsys):
    plant("bushido")
    assert CatalogueEntry.objects.filter(system="bushido", kind=MODEL).count() == 599
    table = tmp_path / "more.csv"
    table.write_text(
        "id,faction,name,rice,ki,cap,wounds\n"
        "ito-newcomer,Ito Clan,The Newcomer,12,X,∞,Special\n"
        "ryu-hiromasa,Prefecture of Ryu,Hiromasa,18,2,6,6\n",
        encoding="utf-8",
    )
    call_command("import", str(table), system="bushido")
    assert capsys.readouterr().out == "1 new, 1 changed, 0 as before.\n"
    models = catalogue(current("bushido"))
    assert models.find("the newcomer").profile.cap == "∞"
    assert models.find("Hiromasa").profile.rice == 18
    assert models.find("Hiromasa").profile.base == "30", "what the table leaves out stays"


@pytest.mark.django_db
def test_a_bad_table_is_refused_with_its_lines(tmp_path):
    table = tmp_path / "bad.csv"
    table.write_text("id,faction,name,rice\nito-x,Ito Clan,X,many\nito-y,Ito,Y,3\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"Line 2: .*\nLine 3: .*“Ito”"):
        call_command("import", str(table), system="bushido")
    assert not CatalogueEntry.objects.filter(system="bushido", slug__startswith="ito-").exists()


def test_the_first_kind_that_is_kept_are_the_models():
    assert next(iter(system("bushido").entry_kinds)) == MODEL
