"""Pages of which the component page shows parts, with sample values."""

from __future__ import annotations

from msgspec.structs import replace

from games import view_models
from games.pages.opening.home import HomePage, TableRow
from games.pages.table import piece_sheet
from tests.pages.samples.boards import board_ask
from tests.pages.samples.pieces import AT, RED, scores, unit


def step(key: str, amount: int) -> piece_sheet.Change:
    """A signed button of a counter."""
    sign = "−" if amount < 0 else "+"
    return piece_sheet.Change(f"{key}:{amount:+d}", f"{sign}{abs(amount)}")


def sheet() -> piece_sheet.Sheet:
    """The sheet of Red's commander's unit."""
    wounds = piece_sheet.Counter(
        "Wounds left",
        "9",
        (step("wounds", -3), step("wounds", -1)),
        (step("wounds", 1), step("wounds", 3)),
        "wounds:set",
        0,
        12,
    )
    conditions = (
        piece_sheet.Change("panicked:off", "Panicked", on=True),
        piece_sheet.Change("vulnerable:on", "Vulnerable", on=False),
        piece_sheet.Change("weakened:on", "Weakened", on=False),
    )
    places = (
        piece_sheet.Change("claim:centre:off", "Centre", on=True),
        piece_sheet.Change("claim:east", "East", on=False),
        piece_sheet.Change("claim:south", "South", on=False),
    )
    fights = (
        piece_sheet.Change("engage:thenn:off", "Thenn Warriors", on=True),
        piece_sheet.Change("engage:spearwives", "Spearwives", on=False),
        piece_sheet.Change("engage:boar", "Borroq's Boar", on=False),
    )
    return piece_sheet.Sheet(
        "unit:honor-guard",
        "Eddard's Honor Guard",
        f"{AT}/",
        RED,
        (
            piece_sheet.SheetPart("Wounds left", (wounds,)),
            piece_sheet.SheetPart("Conditions", changes=conditions),
            piece_sheet.SheetPart("Stands on", changes=places),
            piece_sheet.SheetPart("Engaged with", changes=fights),
            piece_sheet.SheetPart(
                "Activation",
                changes=(
                    piece_sheet.Change("activated:on", "Activated", on=False),
                    piece_sheet.Change("barred:on", "Cannot activate this round", on=False),
                ),
            ),
            piece_sheet.SheetPart(
                "Leaves the table",
                changes=(piece_sheet.Change("destroyed", "Destroyed", tone="danger"),),
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
