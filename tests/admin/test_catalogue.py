"""The catalogue at the admin, and tables of later seasons."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from games import catalogue
from games.admin import catalogue_admin
from games.core import system, systems
from games.match import play
from games.models import CatalogueEntry
from games.systems.tmg.lists import army_cards
from games.systems.tmg.lists.army_cards import CELLS
from tests.admin.in_admin import change_url
from tests.playing import state_of

pytestmark = pytest.mark.django_db

LIST = "/admin/games/catalogueentry/"
ADD = LIST + "add/?system=tmg&kind=card"
SWORDS = "10201"
CARDS = LIST + "?of=tmg:card"
NUMBERS = ("flags_models", "flags_vp", "flags_hand")
LINE = "id,faction,kind,name,title,tray,cost,wounds,commander,version"


@pytest.fixture
def planted(db):
    catalogue.plant("tmg")


def sent(slug=SWORDS, seen=0, **changes):
    """What a browser sends of a card's form: a box that is not ticked is not sent."""
    facts = (
        CatalogueEntry.objects.filter(kind="card", slug=slug).values_list("facts", flat=True).first() or {}
    )
    values = {**dict.fromkeys(CELLS, ""), **facts}
    boxes = catalogue_admin.initial(CELLS, values)
    return {"slug": slug, "seen": seen, **values, **{name: boxes[name] or "" for name in NUMBERS}} | {
        "flags": boxes["flags"], "commander": ["on"] if boxes["commander"] else [], **changes
    }  # fmt: skip


def row(slug=SWORDS):
    return CatalogueEntry.objects.get(kind="card", slug=slug)


def brought(text):
    match = play.open_match("tmg", "a-game-of-thrones", {"red": "Ada", "blue": "Bo"}, seed="x")
    play.bring(match.code, "red", text, play.new_key())
    match.refresh_from_db()
    return match, system("tmg").roster(state_of(match), "red")


def test_every_card_stands_at_the_admin(admin_client, planted):
    assert CatalogueEntry.objects.filter(kind="card").count() == 521
    page = admin_client.get(CARDS + "&q=Umber").content.decode()
    assert "Umber Champion" in page
    assert "Ironmakers" not in page
    form = admin_client.get(change_url(row())).content.decode()
    assert f'value="{row().facts["name"]}"' in form
    assert '<option value="infantry" selected>' in form


def test_what_the_form_does_not_ask_is_kept(admin_client, planted):
    """A fact that another version of the program knows of."""
    page = sent(cost="6")
    CatalogueEntry.objects.filter(pk=row().pk).update(facts={**row().facts, "of another version": "7"})
    assert admin_client.post(change_url(row()), page).status_code == 302
    assert (row().facts["cost"], row().facts["of another version"]) == ("6", "7")


def test_an_edited_card_is_what_the_next_list_reads(admin_client, planted):
    answer = admin_client.post(
        change_url(row()), sent(name="Sworn Blades of Winterfell", cost="6", wounds="2")
    )
    assert answer.status_code == 302
    assert (row().version, row().facts["cost"]) == (1, "6")
    match, roster = brought("Faction: Stark\n• Sworn Blades of Winterfell")
    unit = next(iter(state_of(match).units.values()))
    assert (unit.cost, unit.wounds_total) == (6, 24)
    assert [str(line) for _number, line in roster.warnings] == ["This list has no Commander."]


def test_a_new_card_can_be_added_and_taken_away(admin_client, planted):
    facts = {"faction": "stark", "kind": "unit", "name": "Men of Skagos", "tray": "infantry", "cost": "5"}
    assert admin_client.post(ADD, sent("10299", "", **facts)).status_code == 302
    assert brought("stark;10299")[1].rows[0].name == "Men of Skagos"
    answer = admin_client.post(
        reverse("admin:games_catalogueentry_delete", args=[row("10299").pk]), {"post": "yes"}
    )
    assert answer.status_code == 302
    assert brought("stark;10299")[1].rows[0].name == "10299"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"cost": "many"}, "whole number from 0 to 99"),
        ({"cost": "-1"}, "whole number from 0 to 99"),
        ({"wounds": "0"}, "whole number from 1 to 99"),
        ({"name": ""}, "Please enter a name"),
        ({"name": "a\u202eb"}, "reverse its direction"),
        ({"flags": ["flying"]}, "Select a valid choice"),
        ({"flags_vp": "100"}, "whole number from 0 to 99"),
        ({"flags_vp": "x"}, "whole number from 0 to 99"),
        ({"faction": "klingons"}, "valid choice"),
        ({"kind": "ncu"}, "cannot stand on a tray"),
        ({"seen": "7"}, "Someone else changed this."),
        ({"seen": ""}, "Someone else changed this."),
        ({"seen": "x"}, "whole number"),
    ],
    ids=str,
)
def test_what_cannot_be_gets_a_sentence_and_changes_nothing(admin_client, planted, changes, told):
    before = row().facts
    answer = admin_client.post(change_url(row()), sent(**changes))
    assert answer.status_code == 200
    assert told in answer.content.decode()
    assert (row().facts, row().version) == (before, 0)


def test_who_adds_a_sheet_is_asked_of_which_kind(admin_client):
    page = admin_client.get(LIST + "add/").content.decode()
    kinds = [(game.slug, kind) for game in systems() for kind in game.entry_kinds]
    assert len(kinds) > 1
    for slug, kind in kinds:
        assert f'href="?system={slug}&amp;kind={kind}"' in page
        assert 'name="slug"' in admin_client.get(LIST + f"add/?system={slug}&kind={kind}").content.decode()


def test_a_number_is_given_once(admin_client, planted):
    answer = admin_client.post(ADD, sent(seen=""))
    assert "There is game data with this number already." in answer.content.decode()


def test_an_entry_of_a_game_that_is_gone_can_still_be_looked_at(admin_client):
    gone = CatalogueEntry.objects.create(
        system="chess", kind="opening", slug="e4", facts={"name": "King's pawn"}
    )
    assert "King&#x27;s pawn" in admin_client.get(change_url(gone)).content.decode()
    assert admin_client.get(LIST).status_code == 200


def test_who_may_only_look_sees_the_facts(onlooker, planted):
    page = onlooker.get(change_url(row())).content.decode()
    assert row().facts["name"] in page
    assert 'name="cost"' not in page


# --- import ---------------------------------------------------------------------------------------


def imported(tmp_path, text, **options):
    path = tmp_path / "season.csv"
    path.write_text(text, encoding="utf-8")
    call_command("import", str(path), **options)


def test_a_later_season_is_added_and_keeps_what_its_table_leaves_out(tmp_path, capsys):
    text = (
        f"{LINE}\n10310,freefolk,unit,Bear,,solo,1,4,,S07\n10399,freefolk,unit,Ice Spiders,,solo,4,4,,S07\n"
    )
    imported(tmp_path, text)
    assert capsys.readouterr().out == "2 new, 0 changed, 0 as before.\n"
    imported(tmp_path, text.replace("Spiders,,solo,4", "Spiders,,solo,5"))
    assert capsys.readouterr().out == "0 new, 1 changed, 1 as before.\n"
    assert row("10310").facts["flags"] == "no-control no-vp"
    _match, roster = brought("freefolk;10399,10310")
    assert [(one.name, one.cost, one.wounds) for one in roster.rows] == [
        ("Ice Spiders", 5, 4),
        ("Bear", 1, 4),
    ]


def test_bad_lines_are_named_and_nothing_is_written(tmp_path, planted):
    text = "\n".join(
        [
            LINE,
            "10901,stark,unit,Good Men,,infantry,5,,,S07",
            "10902,stork,unit,Bad Birds,,infantry,5,,,S07",
            "10903,stark,unit,,,infantry,5,,,S07",
            "x1,stark,unit,Nobody,,infantry,5,,,S07",
            "10901,stark,unit,Good Men,,infantry,5,,,S07",
            "10904,stark,unit,Dear Men,,infantry,-5,,,S07",
        ]
    )
    with pytest.raises(CommandError) as error:
        imported(tmp_path, text)
    told = str(error.value).splitlines()
    assert [line.partition(":")[0] for line in told] == [
        "Line 3", "Line 4", "Line 5", "Line 6", "Line 7", "Nothing was imported.",
    ]  # fmt: skip
    assert "no faction “stork”" in told[0]
    assert CatalogueEntry.objects.filter(kind="card").count() == 521


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "id,name\n", "\0", "x" * 200_000 + "\n"])
def test_what_is_no_table_gets_a_sentence(tmp_path, text):
    with pytest.raises(CommandError, match="Line 1"):
        imported(tmp_path, text)


def test_what_is_not_there_gets_a_sentence(tmp_path):
    with pytest.raises(CommandError, match=r"none.csv cannot be read: No such file or directory\.$"):
        call_command("import", str(tmp_path / "none.csv"))
    (tmp_path / "odd.csv").write_bytes(b"id,name\n\xff")
    with pytest.raises(CommandError, match=r"odd.csv cannot be read: it is not UTF-8 text\.$"):
        call_command("import", str(tmp_path / "odd.csv"))
    with pytest.raises(CommandError, match="no game called chess"):
        call_command("import", str(tmp_path / "none.csv"), system="chess")
    with pytest.raises(CommandError, match=r"agot keeps no catalogue entries\.$"):
        imported(tmp_path, LINE, system="agot")
    with pytest.raises(CommandError, match="no game called chess"):
        imported(tmp_path, LINE, system="chess")
    with pytest.raises(CommandError, match="no catalogue entries called song"):
        imported(tmp_path, LINE, kind="song")


def test_what_nobody_edited_follows_the_game(planted):
    CatalogueEntry.objects.filter(kind="card", slug=SWORDS).update(
        version=1, facts={**row().facts, "cost": "9"}
    )
    CatalogueEntry.objects.filter(kind="card", slug="10203").update(facts={})
    catalogue.plant("tmg")
    assert row().facts["cost"] == "9"
    assert row("10203").facts["name"] == "House Umber Berserkers"
    assert list(catalogue.current("tmg").of("card")) == [SWORDS]


def test_a_card_s_numbers_are_corrected_and_imported(admin_client, planted):
    crossbowmen = CatalogueEntry.objects.get(kind="stats", slug="10106")
    assert CatalogueEntry.objects.filter(kind="stats").count() == 148
    form = admin_client.get(change_url(crossbowmen)).content.decode()
    assert 'value="6.6.4"' in form
    facts = {"slug": "10106", "seen": 0, **crossbowmen.facts}
    answer = admin_client.post(change_url(crossbowmen), facts | {"attack1_dice": "6,6,4"})
    assert "Dice by rank look like 6.5.4" in answer.content.decode()
    assert admin_client.post(change_url(crossbowmen), facts | {"speed": "6"}).status_code == 302
    assert army_cards.known_stats(catalogue.current("tmg"))["10106"].speed == 6
    imported = catalogue.import_table("tmg", "stats", "id,speed\n10106,4\n")
    assert (imported.changed, army_cards.known_stats(catalogue.current("tmg"))["10106"].speed) == (1, 4)
