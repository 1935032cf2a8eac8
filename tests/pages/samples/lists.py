"""The page that an army is brought on, with sample values."""

from __future__ import annotations

from msgspec.structs import replace

from games import view_models
from games.pages.opening import list_pages
from tests.pages.samples.pieces import BACK, RED


def army_list(read: bool) -> list_pages.ListPage:
    """The page of a pasted list, before and after reading it."""
    text = "Faction: Stark\nCommander: Eddard Stark - Lord of Winterfell\nPoints: 40 / 40\nActivations: 7\n"
    demos = (
        list_pages.DemoArmy("stark-0", "Stark", "40 points, Eddard"),
        list_pages.DemoArmy("free-folk-0", "Free Folk", "45 points, Varamyr"),
        list_pages.DemoArmy("lannister-0", "Lannister", "40 points, Tyrion"),
    )
    if not read:
        return list_pages.ListPage(
            "Red brings an army",
            RED,
            "/l",
            BACK,
            placeholder=text,
            file_url="/l/file",
            endings=".ros, .rosz",
            demos=demos,
        )
    return list_pages.ListPage(
        "Red brings an army",
        RED,
        "/l",
        BACK,
        text,
        summary="Stark · 41 of 40 points · 7 activations",
        warnings=(
            "41 points are more than 40.",
            "Line 12: “Crannogman Trakers” is not known.",
        ),
        unused=(
            list_pages.UnusedWords(
                "Line 20: “Made with care” was not used.",
                "Made with care",
                view_models.Option("1 Made with care", "Add to Eddard's Honor Guard"),
            ),
        ),
        typed=(
            *text.strip().split("\n"),
            "",
            "Combat Units",
            " • Eddard's Honor Guard ( 6 )",
            "Made with care",
        ),
        rows=(
            _list_row(1, "Eddard's Honor Guard", "infantry", 6, 12),
            _list_row(2, "Eddard Stark", "attachment", 0, 0, "Lord of Winterfell", "1"),
            _list_row(3, "House Tully Cavaliers", "cavalry", 8, 12),
            replace(
                _list_row(4, "Crannogman Trakers", "infantry", 5, 12),
                problem="Not in the catalogue: kept as it is.",
            ),
            _list_row(5, "Arya Stark", "ncu", 4, 0),
        ),
        names=("Stark Sworn Swords", "Stark Bowmen"),
        demos=demos,
    )


def _list_row(
    index: int, name: str, kind: str, cost: int, wounds: int, title: str = "", joins: str = ""
) -> list_pages.ListRow:
    kinds = ("Infantry", "Cavalry", "Attachment", "NCU")
    units = (("", "—"), ("1", "Eddard's Honor Guard"), ("3", "House Tully Cavaliers"))
    cells = (
        list_pages.ListCell("title", "Title", title),
        list_pages.ListCell(
            "kind",
            "Kind",
            kind,
            "choice",
            options=tuple(view_models.Option(one.lower(), one, one.lower() == kind) for one in kinds),
        ),
        list_pages.ListCell(
            "joins",
            "Joins",
            joins,
            "choice",
            options=tuple(view_models.Option(v, n, v == joins) for v, n in units),
        ),
        list_pages.ListCell("cost", "Cost", str(cost), "number"),
        list_pages.ListCell("wounds", "Wounds", str(wounds), "number"),
    )
    return list_pages.ListRow(index, name, title, cost, cells, True, bool(title), bool(joins))


def several_lists() -> list_pages.ListPage:
    """The page of a pasted text that holds more than one list."""
    choices = (
        list_pages.DemoArmy("0", "Eddard Stark - Lord of Winterfell", "Stark, 40 army points, 7 activations"),
        list_pages.DemoArmy("1", "Victarion", "Greyjoy, 42 army points, 8 activations"),
    )
    return list_pages.ListPage("Red brings an army", RED, "/l", BACK, "Faction: Stark\n…", choices=choices)


def brought_list() -> list_pages.ListPage:
    """The page of a list that can no longer be changed."""
    return replace(army_list(True), notice=view_models.Notice("The match has begun."))
