"""An event as players and spectators see it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games import view_models
from games.hall.pages.event_forms import FormField, HallForm, PlayerFields
from games.hall.pages.event_page import (
    EventPage,
    EventRow,
    EventsPage,
    HallNow,
    HallRegion,
    NameOnPaper,
    RoundPage,
    StandingsPage,
)
from games.hall.pages.event_screens import HallStrip, Listed, TvHall, TvSheet
from games.hall.pages.player_card import PlayerCard
from games.hall.pages.rounds_and_standings import (
    Announced,
    HallClock,
    Paired,
    PairingRow,
    StandingRow,
    Standings,
)
from games.pages.watching import elsewhere
from games.pages.watching.watch import OfEvent
from games.view_models import Button
from tests.pages.samples import SITE
from tests.pages.samples.pieces import qr
from tests.pages.samples.watching import FEED, NOON, match

E = "/e/WNTR24"
BACK = view_models.Link(f"{E}/", "Back to the event")
TABS = (
    view_models.Link(f"{E}/", "Now", "table", current=True),
    view_models.Link(f"{E}/standings", "Standings", "finish"),
)
CLOCK = HallClock("Time left", "71:40", NOON.seconds + 4300, 900, "10 minutes added")
ANNA, BEN = Paired("p1", "Anna Bell", "Club North"), Paired("p2", "Ben Carver", "Club South")
PAIRINGS = (
    PairingRow("2-1", 7, (ANNA, BEN), "open", "being played", f"{E}/t"),
    PairingRow(
        "2-2",
        8,
        (Paired("p3", "Carla Diaz", "", "9", wins=True), Paired("p4", "Dmitri Volkov", "", "4")),
        "agreed",
        "agreed",
        f"{E}/t",
    ),
    PairingRow("2-3", 0, (Paired("p5", "Erin O’Neill", "Club East"),), "bye", "Bye"),
)
HEADS = ("Won", "VP", "+/−")


def figures(*texts: str) -> tuple[tuple[str, str], ...]:
    """The values of a line of the standings."""
    return tuple(zip(HEADS, texts, strict=True))


STANDINGS = Standings(
    "Standings after round 1",
    HEADS,
    (
        StandingRow(1, "p1", "Anna Bell", "Club North", "House Stark", "1–0–0", figures("1", "12", "7")),
        StandingRow(
            2, "p2", "Ben Carver", "Club South", "Free Folk", "0–1–0", figures("½", "9", "1"), "dropped out"
        ),
    ),
    f"{E}/standings",
)
ANNOUNCED = (Announced("Lunch is at half past twelve.", "Marta", NOON),)
CRITERIA = (("Games won", "A draw counts as half a win."), ("Victory points", "The sum over all games."))


def card() -> PlayerCard:
    """Where the player goes."""
    return PlayerCard(
        "Round 2 of 5 · A Game of Thrones",
        "Table 7",
        "against Ben Carver (Club South)",
        (Button("sit", "Go to your table", "main", "table", sits=True),),
        (
            view_models.Link(f"{E}/judge", "Call a judge", "people"),
            view_models.Link(f"{E}/result", "Report a result", "finish"),
        ),
        (view_models.Notice("Marta is coming to your table.", "good"),),
        "now",
    )


def region(own: PlayerCard | None = None) -> HallRegion:
    """The live region in the middle of a round."""
    earlier = (view_models.Link(f"{E}/round/1", "Round 1 of 5"),)
    shown = HallNow(
        "Round 2 of 5",
        "A Game of Thrones",
        CLOCK,
        ANNOUNCED,
        "Pairings",
        PAIRINGS,
        (STANDINGS,),
        earlier,
        ("5 rounds",),
    )
    me = "p1" if own else ""
    return HallRegion(7, "Lunch is at half past twelve.", shown, own, me, "2-1" if own else "")


def _page(**values: Any) -> dict[str, object]:
    return {"site": SITE, **values}


def event() -> dict[str, object]:
    """The phone of a player."""
    page = EventPage("Winterfell Open", "WNTR24", FEED, TABS, (), f"{E}/do", "key-of-a-page-0")
    return _page(page=page, region=region(card()))


def guest() -> dict[str, object]:
    """Before the event, for whoever looks."""
    shown = HallNow("The event has not begun yet", "A Game of Thrones", None, (), "", (), (), ())
    ways = (view_models.Link(f"{E}/register", "Register", "plus", tone="main"),)
    page = EventPage("Winterfell Open", "WNTR24", FEED, TABS, ways)
    return _page(page=page, region=HallRegion(1, "", shown))


def form() -> dict[str, object]:
    """A page with one form, and every kind of field in it."""
    fields = (
        FormField("name", "Your name", "Anna", error="A name?", needed=True, suggestions=("Anna",)),
        FormField("first", "Your army list", "Faction: House Stark", "Paste it.", rows=6),
        FormField("winner", "Winner", options=(view_models.Option("", "By points", True),)),
        FormField("faction", "", "House Stark"),
    )
    page = HallForm(
        "Register",
        BACK,
        f"{E}/register",
        "key-of-a-page-0",
        "Winterfell Open",
        ("No account needed.",),
        fields,
        (Button("", "Register", "main", "check"),),
        view_models.Notice("Handed in.", "good"),
        (("List 1", "Faction: House Stark"),),
        "https://example.org/e/WNTR24/me/p1",
        qr(),
        (view_models.Link(f"{E}/leave", "Drop out"),),
        (PlayerFields("Anna Bell", tuple(_number(name) for name in ("Victory points", "Points destroyed"))),),
    )
    return _page(page=page)


def _number(label: str) -> FormField:
    return FormField(label[:2].lower(), label, "7", least=0, most=99)


def standings() -> dict[str, object]:
    """The standings."""
    page = StandingsPage(
        "Winterfell Open", BACK, (STANDINGS,), CRITERIA, ("A bye is worth: Games won 1.",),
        "2026-11-22 12:00", "https://example.org/e/WNTR24/", f"{E}/print/standings", FEED, 7, TABS,
    )  # fmt: skip
    return _page(page=page)


def one_round() -> dict[str, object]:
    """The pairings of a round."""
    page = RoundPage(
        "Round 2 of 5", "Winterfell Open", BACK, "A Game of Thrones", PAIRINGS, at="2026-11-22 12:00",
        address="https://example.org/e/WNTR24/", print_url=f"{E}/print/round/2", tabs=TABS,
    )  # fmt: skip
    return _page(page=page)


def standings_on_paper() -> dict[str, object]:
    """The standings as they are printed."""
    return {**standings(), "ways": ()}


def round_on_paper() -> dict[str, object]:
    """The pairings of a round that may still change, as they are printed."""
    ways = (
        view_models.Link(f"{E}/print/round/2", "By table", "table"),
        view_models.Link(f"{E}/print/round/2/names", "By name", "people"),
    )
    names = (
        NameOnPaper("Anna Bell", "Club North", "7", "Ben Carver"),
        NameOnPaper("Erin O’Neill", "", "Bye", ""),
    )
    draft = "This round is not open yet and may still change."
    return {**one_round(), "ways": ways, "draft": draft, "names": names, "fields": ("Victory points",)}


def events() -> dict[str, object]:
    """The list of events."""
    row = EventRow(f"{E}/", "Winterfell Open", "A Song of Ice and Fire", ("32 players", "running"))
    return _page(page=EventsPage(view_models.Link("/", "Home"), (("Being played now", (row,)),)))


def tv() -> dict[str, object]:
    """The television."""
    page = view_models.Screen(
        "Winterfell Open", FEED, "pairings-1", "?", "https://example.org/e/WNTR24/", qr(), "WNTR24"
    )
    sheets = (
        TvSheet("pairings-1", "Pairings", PAIRINGS),
        TvSheet("standings-1", "Standings after round 1", standings=STANDINGS),
        TvSheet("players-1", "2 players", players=(Listed("", "Anna", ""), Listed("", "Ben", ""))),
    )
    hall = TvHall(7, "Round 2 of 5", "A Game of Thrones", CLOCK, ANNOUNCED[0], sheets)
    return {"page": page, "hall": hall, "watched": None}


def followed() -> dict[str, object]:
    """The television that follows one table."""
    shown = replace(match(), event=OfEvent("Winterfell Open", "Round 2 of 5 · Table 7", CLOCK))
    page = view_models.Screen(
        "Winterfell Open", FEED, "score", "?sheet=sides", "https://example.org/e/WNTR24/", qr(), "WNTR24"
    )
    return {**tv(), "page": page, "watched": shown}


def embed() -> dict[str, object]:
    """The context of `hall/embed.html`."""
    way = view_models.Link("https://example.org/e/WNTR24/", "Open on Roundtable")
    return {**tv(), "page": elsewhere.EmbedPage("Winterfell Open", FEED, "dark small only-standings", way)}


def strip() -> HallStrip:
    """What stands on the page of an event's table."""
    ways = (view_models.Link(f"{E}/judge", "Call a judge"),)
    return HallStrip("Winterfell Open", f"{E}/", CLOCK, ANNOUNCED[0], ways, NOON.seconds, 7, table="Table 2")
