"""A match as watchers see it."""

from __future__ import annotations

from games import view_models as s
from games.pictures import charts
from tests.pages.samples import SITE
from tests.pages.samples.pieces import AT, BACK, BLUE, RED, qr
from tests.pages.samples.records import SHARE

NOON = s.Instant("2026-11-21T12:00:00+00:00", 1_795_262_400, "12:00")
SPANS = [charts.Span("Round 1", "1"), charts.Span("Round 2", "2")]
SERIES = [charts.Series(RED, "Anna", (2, 5)), charts.Series(BLUE, "Ben", (1, 4))]


def match() -> s.Watched:
    """Round two of six; Anna's turn."""
    pieces = (
        s.WatchedPiece("Honor Guard", "done", "Activated", 75, "9 of 12 wounds left", leads=True),
        s.WatchedPiece("Crossbowmen", "acting", "Acting", 50, "6 of 12 wounds left"),
        s.WatchedPiece("Arya Stark", "out", "Destroyed", 0, "0 of 4 wounds left"),
        s.WatchedPiece("Influence", note="Iron Throne 2"),
    )
    facts = (s.Badge("Hand 3, deck 14", "cards"),)
    sides = (
        s.WatchedSide(
            "red", RED, "Anna", 5, 10, 50, army="Stark", leader="Eddard", to_act=True,
            counted="2 of 3 left", facts=facts, pieces=pieces,
        ),
        s.WatchedSide(
            "blue", BLUE, "Ben", 4, 10, 40, "+2", first=True, answered=True,
            clocks=(s.Clock("Time left", "8:50", NOON.seconds + 530),), pieces=pieces[:1],
        ),
    )  # fmt: skip
    return s.Watched(
        "K7QWXM",
        87,
        "A Game of Thrones",
        f"{AT}/watch",
        "Round 2 of 6",
        "Activation Phase",
        sides,
        "Anna",
        RED,
        "Anna activates a unit",
        NOON,
        (s.Space(1, "past"), s.Space(2, "now"), s.Space(3)),
        "Objectives",
        (s.Held("Centre", RED, "Anna"), s.Held("Token A", 0, "")),
        (
            s.Happening(RED, (s.Told("Arya Stark activates."),), NOON),
            s.Happening(0, (s.Told("Round 2."),), NOON),
        ),
        charts.lines(charts.About("points", "Score", "Anna 5, Ben 4", "Round"), SPANS, SERIES),
        news="Arya Stark activates.",
    )


FEED = s.Feed("/live/token?table=K7QWXM", f"{AT}/watch/stream?", f"{AT}/watch/news?", "abc", NOON.seconds)
WAYS = (s.Link(f"{AT}/", "All pieces", "table"), s.Link(f"{AT}/join", "Take a seat", "plus"))


def page() -> dict[str, object]:
    """The context of `watching/watch.html`."""
    shown = s.WatchPage("A Game of Thrones", "K7QWXM", FEED, WAYS, SHARE)
    return {"site": SITE, "page": shown, "watched": match()}


def screen() -> dict[str, object]:
    """The context of `watching/tv.html` for one table."""
    shown = s.Screen(
        "A Game of Thrones", FEED, "score", "?sheet=sides", "https://roundtable.example/t/K7QWXM/watch", qr()
    )
    return {"page": shown, "watched": match(), "several": None}


def several() -> s.WatchedTables:
    """Two tables on one screen."""
    return s.WatchedTables("K7QWXM-87.K7QWXN-87", ((match(), match()),))


def overlay() -> dict[str, object]:
    """The context of `watching/overlay.html`."""
    shown = s.OverlayPage("A Game of Thrones", FEED, "/overlay/look.css?", "top", "row", ("track",))
    return {"page": shown, "watched": match()}


def embed() -> dict[str, object]:
    """The context of `watching/embed.html`."""
    way = s.Link("https://roundtable.example/t/K7QWXM/watch", "Watch on Roundtable")
    shown = s.EmbedPage("A Game of Thrones", FEED, "auto medium only-all", way)
    return {"page": shown, "watched": match()}


def shared_links() -> dict[str, object]:
    """The context of `watching/shared_links.html`."""
    parameters = (
        s.Parameter("place", "top, bottom", "place in the picture"),
        s.Parameter("lang", "en, de", "language"),
    )
    address = "https://roundtable.example/t/K7QWXM/overlay"
    links = (
        s.SharedLink(
            "overlay", "In a stream", "Give your streaming program this address.", address, parameters
        ),
    )
    return {"site": SITE, "page": s.SharedLinks(BACK, links)}
