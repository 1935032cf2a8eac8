"""Pages of which the component page shows parts, with sample values."""

from __future__ import annotations

from msgspec.structs import replace

from games import view_models
from games.pages.opening.home import HomePage, TableRow
from games.pages.table import views
from tests.pages.samples.boards import board_ask
from tests.pages.samples.pieces import AT, RED, scores, unit


def step(key: str, amount: int) -> views.Change:
    """A signed button of a counter."""
    sign = "−" if amount < 0 else "+"
    return views.Change(f"{key}:{amount:+d}", f"{sign}{abs(amount)}")


def sheet() -> views.Sheet:
    """The sheet of Red's commander's unit."""
    wounds = views.Counter(
        "Wounds left",
        "9",
        (step("wounds", -3), step("wounds", -1)),
        (step("wounds", 1), step("wounds", 3)),
        "wounds:set",
        0,
        12,
    )
    conditions = (
        views.Change("panicked:off", "Panicked", on=True),
        views.Change("vulnerable:on", "Vulnerable", on=False),
        views.Change("weakened:on", "Weakened", on=False),
    )
    places = (
        views.Change("claim:centre:off", "Centre", on=True),
        views.Change("claim:east", "East", on=False),
        views.Change("claim:south", "South", on=False),
    )
    fights = (
        views.Change("engage:thenn:off", "Thenn Warriors", on=True),
        views.Change("engage:spearwives", "Spearwives", on=False),
        views.Change("engage:boar", "Borroq's Boar", on=False),
    )
    return views.Sheet(
        "unit:honor-guard",
        "Eddard's Honor Guard",
        f"{AT}/",
        RED,
        (
            views.SheetPart("Wounds left", (wounds,)),
            views.SheetPart("Conditions", changes=conditions),
            views.SheetPart("Stands on", changes=places),
            views.SheetPart("Engaged with", changes=fights),
            views.SheetPart(
                "Activation",
                changes=(
                    views.Change("activated:on", "Activated", on=False),
                    views.Change("barred:on", "Cannot activate this round", on=False),
                ),
            ),
            views.SheetPart(
                "Leaves the table",
                changes=(views.Change("destroyed", "Destroyed", tone="danger"),),
            ),
        ),
        ("Misread a die", "Forgot a card"),
        profile=view_models.Profile(
            (("Speed", "4"), ("Defence", "3+"), ("Morale", "5+")),
            (view_models.AttackRow("Melee", "Greatsword", "3+", ("8", "6", "4"), 1),),
            ("Honour Bound",),
            ("Eddard's Honor Guard · 6 points", "Eddard Stark, Lord of Winterfell · 0 points"),
        ),
    )


def home() -> HomePage:
    """The home page with tables on it."""
    return HomePage(
        view_models.Share("One table", "Turns on every phone.", "/", "/icon.png", "Roundtable", (512, 512)),
        "/",
        "/new",
        "/join",
        (
            ("Your tables", (TableRow(f"{AT}/", "Miniatures", ("Dark Wings", "Round 3"), scores()),)),
            ("Finished", (TableRow("/t/ZZ34CD/", "Miniatures", ("ZZ34CD", "Finished"), scores(12, 9)),)),
            ("Demo tables", (TableRow("/t/AB34CD/", "Skirmish", ("AB34CD",), scores(8, 9), "Demo"),)),
        ),
        (view_models.Option("", "All games", True), view_models.Option("miniatures", "Miniatures")),
    )


def six() -> view_models.Board:
    """Six seats in the header, twenty-five pieces a side."""
    names = ("Stark", "Lannister", "Baratheon", "Greyjoy", "Tyrell", "Martell")
    cells = tuple(
        view_models.SeatScore(name.lower(), n + 1, "", name, n + 1, 7, n == 0, n in (1, 4), n == 2, n == 0)
        for n, name in enumerate(names)
    )
    cards = tuple(
        unit(f"p{n}", f"Footmen {n}", 12 - n % 12, state="done" if n % 3 else "ready") for n in range(25)
    )
    sides = tuple(
        view_models.Side(
            cell.key, cell.mark, "", cell.name, "House", groups=(view_models.CardGroup("Units", cards),)
        )
        for cell in cells[:1]
    ) + tuple(
        view_models.Side(cell.key, cell.mark, "", cell.name, "House", empty="No units") for cell in cells[1:]
    )
    board = board_ask()
    return replace(
        board,
        header=replace(board.header, seats=cells, phase="Bidding"),
        sides=sides,
        question=view_models.Question("Two houses still bid", "wait"),
    )
