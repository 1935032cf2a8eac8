"""Pages of which the component page shows parts, with sample values."""

from __future__ import annotations

from msgspec.structs import replace

from games import view_models as s
from tests.pages.samples.boards import board_ask
from tests.pages.samples.pieces import AT, RED, scores, unit


def step(key: str, amount: int) -> s.Change:
    """A signed button of a counter."""
    sign = "−" if amount < 0 else "+"
    return s.Change(f"{key}:{amount:+d}", f"{sign}{abs(amount)}")


def sheet() -> s.Sheet:
    """The sheet of Red's commander's unit."""
    wounds = s.Counter(
        "Wounds left",
        "9",
        (step("wounds", -3), step("wounds", -1)),
        (step("wounds", 1), step("wounds", 3)),
        "wounds:set",
        0,
        12,
    )
    conditions = (
        s.Change("panicked:off", "Panicked", on=True),
        s.Change("vulnerable:on", "Vulnerable", on=False),
        s.Change("weakened:on", "Weakened", on=False),
    )
    places = (
        s.Change("claim:centre:off", "Centre", on=True),
        s.Change("claim:east", "East", on=False),
        s.Change("claim:south", "South", on=False),
    )
    fights = (
        s.Change("engage:thenn:off", "Thenn Warriors", on=True),
        s.Change("engage:spearwives", "Spearwives", on=False),
        s.Change("engage:boar", "Borroq's Boar", on=False),
    )
    return s.Sheet(
        "unit:honor-guard",
        "Eddard's Honor Guard",
        f"{AT}/",
        RED,
        "Eddard Stark, Lord of Winterfell · 3 ranks",
        (
            s.SheetPart("Wounds left", (wounds,)),
            s.SheetPart("Conditions", changes=conditions),
            s.SheetPart("Stands on", changes=places),
            s.SheetPart("Engaged with", changes=fights),
            s.SheetPart(
                "Activation",
                changes=(
                    s.Change("activated:on", "Activated", on=False),
                    s.Change("barred:on", "Cannot activate this round", on=False),
                ),
            ),
            s.SheetPart(
                "Leaves the table", changes=(s.Change("destroyed", "Destroyed", "out", tone="danger"),)
            ),
        ),
        ("Misread a die", "Forgot a card"),
        profile=s.Profile(
            (("Speed", "4"), ("Defence", "3+"), ("Morale", "5+")),
            (s.AttackRow("Melee", "Greatsword", "3+", ("8", "6", "4"), 1),),
            ("Honour Bound",),
            ("Eddard's Honor Guard · 6 points", "Eddard Stark, Lord of Winterfell · 0 points"),
        ),
    )


def home() -> s.HomePage:
    """The home page with tables on it."""
    return s.HomePage(
        s.Share("One table", "Turns on every phone.", "/", "/icon.png", "Roundtable", (512, 512)),
        "/",
        "/new",
        "/join",
        (
            ("Your tables", (s.TableRow(f"{AT}/", "Miniatures", ("Dark Wings", "Round 3"), scores()),)),
            ("Finished", (s.TableRow("/t/ZZ34CD/", "Miniatures", ("ZZ34CD", "Finished"), scores(12, 9)),)),
            ("Demo tables", (s.TableRow("/t/AB34CD/", "Skirmish", ("AB34CD",), scores(8, 9), "Demo"),)),
        ),
        (s.Option("", "All games", True), s.Option("miniatures", "Miniatures")),
    )


def six() -> s.Board:
    """Six seats in the header, twenty-five pieces a side."""
    names = ("Stark", "Lannister", "Baratheon", "Greyjoy", "Tyrell", "Martell")
    cells = tuple(
        s.SeatScore(name.lower(), n + 1, "", name, n + 1, 7, n == 0, n in (1, 4), n == 2, n == 0)
        for n, name in enumerate(names)
    )
    cards = tuple(
        unit(f"p{n}", f"Footmen {n}", 12 - n % 12, state="done" if n % 3 else "ready") for n in range(25)
    )
    sides = tuple(
        s.Side(cell.key, cell.mark, "", cell.name, "House", groups=(s.CardGroup("Units", cards),))
        for cell in cells[:1]
    ) + tuple(s.Side(cell.key, cell.mark, "", cell.name, "House", empty="No units") for cell in cells[1:])
    board = board_ask()
    return replace(
        board,
        header=replace(board.header, seats=cells, phase="Bidding"),
        sides=sides,
        question=s.Question("Two houses still bid", "wait"),
    )
