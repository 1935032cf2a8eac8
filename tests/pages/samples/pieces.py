"""The pieces of a board: sides with their cards, objectives, zones and the score."""

from __future__ import annotations

from typing import Any

import segno
from msgspec.structs import replace

from games import view_models

RED, BLUE = 1, 2
AT = "/t/K7QWXM"
BACK = view_models.Link(f"{AT}/", "Back to the table")


def gauge(left: int, of: int) -> view_models.Gauge:
    """Infantry of four to a rank when there are twelve, a solo figure otherwise."""
    if of != 12:
        return view_models.Gauge(left, of, f"{left} of {of} wounds")
    ranks = -(-left // 4)
    label = f"{left} of {of} wounds, {ranks} ranks"
    return view_models.Gauge(left, of, label, tuple(rank < ranks for rank in range(3)))


def unit(
    key: str, name: str, left: int = 12, of: int = 12, state: str = "ready", **more: Any
) -> view_models.Card:
    """A combat unit as its owner sees it."""
    words = {
        "ready": "Ready",
        "acting": "Acting",
        "done": "Activated",
        "out": "Destroyed",
        "away": "In Reserve",
    }
    label = "" if state == "ready" else words[state]
    return view_models.Card(
        key, name, gauge=gauge(left, of), state=state, state_label=label, sheet_url=f"{AT}/unit/{key}", **more
    )


def character(key: str, name: str, state: str = "ready", **more: Any) -> view_models.Card:
    """A non-combat unit."""
    label = "Activated" if state == "done" else ""
    return view_models.Card(key, name, state=state, state_label=label, sheet_url=f"{AT}/unit/{key}", **more)


def tappable(card: view_models.Card) -> view_models.Card:
    """The card with its activation on it."""
    return replace(card, offer=view_models.Offer(f"activate:{card.key}", "Activate"))


PANICKED = view_models.Badge("Panicked", "alert", "bad")
VULNERABLE = view_models.Badge("Vulnerable", "alert", "bad")


def stark(tap: bool = False) -> view_models.Side:
    """Red: seven activations, three of them taken."""
    combat = [
        unit(
            "honor-guard",
            "Eddard's Honor Guard",
            9,
            attached=("Eddard Stark, Lord of Winterfell",),
            leader="Commander",
            badges=(
                view_models.Badge("Centre", "objective", "hold"),
                view_models.Badge("Thenn Warriors", "fight", "fight"),
                PANICKED,
            ),
        ),
        unit("cavaliers", "House Tully Cavaliers", 7, 12, "done", attached=("Glory Seeker",)),
        unit(
            "crossbowmen",
            "Golden Company Crossbowmen",
            12,
            attached=("Crannogman Warden",),
            badges=(VULNERABLE,),
        ),
        unit("trackers", "Crannogman Trackers", 4, badges=(view_models.Badge("West", "objective", "lost"),)),
    ]
    talk = [
        character("arya", "Arya Stark"),
        character(
            "catelyn", "Catelyn Stark", "done", badges=(view_models.Badge("Letters", "letters", "hold"),)
        ),
        character("varys", "Lord Varys", "done", badges=(view_models.Badge("Crown", "crown", "hold"),)),
    ]
    if tap:
        combat = [tappable(card) if card.state == "ready" else card for card in combat]
        talk = [tappable(card) if card.state == "ready" else card for card in talk]
    return view_models.Side(
        "red",
        RED,
        "Red",
        "Anna",
        "Stark · 40 points",
        mine=True,
        facts=(view_models.Badge("Hand 3, deck 11", "cards"),),
        groups=(
            view_models.CardGroup("Combat units", tuple(combat), "3 to activate"),
            view_models.CardGroup("Non-combat units", tuple(talk), "1 to activate"),
        ),
        sheet_url=f"{AT}/army/red",
        timers=(view_models.Timer("Time left", 754, "12:34", runs=True),),
    )


def free_folk() -> view_models.Side:
    """Blue: eleven activations, one unit destroyed, one acting."""
    combat = (
        unit("varamyr", "Varamyr Sixskins", 5, 6, title="Master Skinchanger", leader="Commander"),
        unit("shadowcat", "Shadowcat", 2, 3, "done"),
        unit("wolves", "Wolf Pack", 4, 5, "done", badges=(view_models.Badge("North", "objective", "hold"),)),
        unit(
            "thenn",
            "Thenn Warriors",
            6,
            state="done",
            badges=(view_models.Badge("Eddard's Honor Guard", "fight", "fight"),),
        ),
        unit("raiders", "Free Folk Raiders", 0, state="out", attached=("Borroq, Boar Skinchanger",)),
        unit("boar", "Borroq's Boar", 4, 4),
        unit("raiders-2", "Free Folk Raiders", 8, attached=("Skinchanger",)),
        unit("spearwives", "Spearwives", 11, attached=("Jarl, Advance Raid Leader", "Skinchanger")),
    )
    talk = (
        character("craster", "Craster", "done", badges=(view_models.Badge("Swords", "swords", "hold"),)),
        character("val", "Lady Val"),
        character("jon", "Jon Snow"),
    )
    return view_models.Side(
        "blue",
        BLUE,
        "Blue",
        "Ben",
        "Free Folk · 45 points",
        facts=(view_models.Badge("Hand 4, deck 10", "cards"),),
        groups=(
            view_models.CardGroup("Combat units", combat, "4 to activate"),
            view_models.CardGroup("Non-combat units", talk, "2 to activate"),
        ),
        sheet_url=f"{AT}/army/blue",
    )


OBJECTIVES = (
    view_models.Card(
        "centre",
        "Centre",
        text="Scores 1 more; its unit then takes a panic test at −2.",
        badges=(view_models.Badge("Eddard's Honor Guard", tone="hold", mark=RED),),
        mark=RED,
        sheet_url=f"{AT}/objective/centre",
    ),
    view_models.Card(
        "north",
        "North",
        text="When scoring: an enemy in Long Range becomes Panicked.",
        badges=(view_models.Badge("Wolf Pack", tone="hold", mark=BLUE),),
        mark=BLUE,
        sheet_url=f"{AT}/objective/north",
    ),
    view_models.Card(
        "west",
        "West",
        text="While controlled: melee attacks gain Precision.",
        badges=(view_models.Badge("Contested", "fight", "lost"),),
        sheet_url=f"{AT}/objective/west",
    ),
    view_models.Card(
        "east", "East", text="While controlled: hand size is one larger.", sheet_url=f"{AT}/objective/east"
    ),
    view_models.Card(
        "south",
        "South",
        text="When scoring: a friendly unit may shift 3″.",
        sheet_url=f"{AT}/objective/south",
    ),
)

ZONES = (
    view_models.Tile("crown", "Crown", "crown", mark=RED, by="Lord Varys"),
    view_models.Tile("wealth", "Wealth", "wealth", text="Restore 3, drop a condition"),
    view_models.Tile("letters", "Letters", "letters", mark=RED, by="Catelyn Stark"),
    view_models.Tile("swords", "Swords", "swords", mark=BLUE, by="Craster"),
    view_models.Tile("horse", "Horse", "horse", text="Free maneuver or retreat"),
)


def scores(
    red: int = 5, blue: int = 4, to_act: str = "red", **more: Any
) -> tuple[view_models.SeatScore, view_models.SeatScore]:
    """Both cells of the header."""
    return (
        view_models.SeatScore("red", RED, "Red", "Anna", red, 10, first=True, to_act=to_act == "red", **more),
        view_models.SeatScore("blue", BLUE, "Blue", "Ben", blue, 10, to_act=to_act == "blue"),
    )


def header(phase: str = "Activation", round_number: int = 3, **more: Any) -> view_models.Header:
    """Round three of six."""
    track = tuple(
        view_models.Space(n, "past" if n < round_number else "now" if n == round_number else "")
        for n in range(1, 7)
    )
    return view_models.Header(f"Round {round_number} of 6", phase, scores(**more), track, "First Player")


def score_table() -> view_models.ScoreTable:
    """Two rounds scored, the third begun."""
    return view_models.ScoreTable(
        "Round",
        scores(),
        (
            view_models.ScoreLine("1", ("1", "0"), ("Red 1: Free Folk Raiders destroyed",)),
            view_models.ScoreLine("2", ("3", "3"), ("Red 3: Centre 2, West 1", "Blue 3: North, East, South")),
            view_models.ScoreLine(
                "3", ("1", "1"), ("Red 1: adjusted, forgot a kill", "Blue 1: House Tully Cavaliers destroyed")
            ),
        ),
        ("5", "4"),
    )


MIDDLE = view_models.Middle(
    "Table",
    "Objectives",
    OBJECTIVES,
    "Tactics board",
    ZONES,
    score=score_table(),
)

UNDO = view_models.Undo("to:86", "Craster activates, Swords (Blue)", "asks Blue")


def qr() -> str:
    """A code to scan, as the pages carry it: an SVG in a data address."""
    return segno.make("HTTP://192.168.1.20:8000/C/8F3KQ2ZT7M").svg_data_uri(scale=4, border=2, light="#fff")
