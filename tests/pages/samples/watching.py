"""A match as watchers see it."""

from __future__ import annotations

from games import view_models
from games.pages.watching import elsewhere, screens, watch
from games.pictures import charts
from tests.pages.samples import SITE
from tests.pages.samples.pieces import AT, BACK, BLUE, RED, qr
from tests.pages.samples.records import SHARE

NOON = view_models.Instant("2026-11-21T12:00:00+00:00", 1_795_262_400, "12:00")
SPANS = [charts.Span("Round 1", "1"), charts.Span("Round 2", "2")]
SERIES = [charts.Series(RED, "Anna", (2, 5)), charts.Series(BLUE, "Ben", (1, 4))]


def match() -> watch.Watched:
    """Round two of six; Anna's turn."""
    pieces = (
        watch.WatchedPiece("Honor Guard", "done", "Activated", 75, "9 of 12 wounds left", leads=True),
        watch.WatchedPiece("Crossbowmen", "acting", "Acting", 50, "6 of 12 wounds left"),
        watch.WatchedPiece("Arya Stark", "out", "Destroyed", 0, "0 of 4 wounds left"),
        watch.WatchedPiece("Influence", note="Iron Throne 2"),
    )
    facts = (view_models.Badge("Hand 3, deck 14", "cards"),)
    sides = (
        watch.WatchedSide(
            "red", RED, "Anna", 5, 10, 50, army="Stark", leader="Eddard", to_act=True,
            counted="2 of 3 left", facts=facts, pieces=pieces,
        ),
        watch.WatchedSide(
            "blue", BLUE, "Ben", 4, 10, 40, "+2", first=True, answered=True,
            clocks=(watch.Clock("Time left", "8:50", NOON.seconds + 530),), pieces=pieces[:1],
        ),
    )  # fmt: skip
    return watch.Watched(
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
        (view_models.Space(1, "past"), view_models.Space(2, "now"), view_models.Space(3)),
        "Objectives",
        (watch.Held("Centre", RED, "Anna"), watch.Held("Token A", 0, "")),
        (
            watch.Happening(RED, (watch.FeedLine("Arya Stark activates."),), NOON),
            watch.Happening(0, (watch.FeedLine("Round 2."),), NOON),
        ),
        charts.lines(charts.About("points", "Score", "Anna 5, Ben 4", "Round"), SPANS, SERIES),
        news="Arya Stark activates.",
    )


FEED = view_models.Feed(
    "/live/token?table=K7QWXM", f"{AT}/watch/stream?", f"{AT}/watch/news?", "abc", NOON.seconds
)
WAYS = (
    view_models.Link(f"{AT}/", "All pieces", "table"),
    view_models.Link(f"{AT}/join", "Take a seat", "plus"),
)


def page() -> dict[str, object]:
    """The context of `watching/watch.html`."""
    shown = watch.WatchPage("A Game of Thrones", "K7QWXM", FEED, WAYS, SHARE)
    return {"site": SITE, "page": shown, "watched": match()}


def screen() -> dict[str, object]:
    """The context of `watching/tv.html` for one table."""
    shown = view_models.Screen(
        "A Game of Thrones", FEED, "score", "?sheet=sides", "https://roundtable.example/t/K7QWXM/watch", qr()
    )
    return {"page": shown, "watched": match(), "several": None}


def several() -> screens.WatchedTables:
    """Two tables on one screen."""
    return screens.WatchedTables("K7QWXM-87.K7QWXN-87", ((match(), match()),))


def overlay() -> dict[str, object]:
    """The context of `watching/overlay.html`."""
    shown = elsewhere.OverlayPage("A Game of Thrones", FEED, "/overlay/look.css?", "top", "row", ("track",))
    return {"page": shown, "watched": match()}


def embed() -> dict[str, object]:
    """The context of `watching/embed.html`."""
    way = view_models.Link("https://roundtable.example/t/K7QWXM/watch", "Watch on Roundtable")
    shown = elsewhere.EmbedPage("A Game of Thrones", FEED, "auto medium only-all", way)
    return {"page": shown, "watched": match()}


def shared_links() -> dict[str, object]:
    """The context of `watching/shared_links.html`."""
    parameters = (
        elsewhere.Parameter("place", "top, bottom", "place in the picture"),
        elsewhere.Parameter("lang", "en, de", "language"),
    )
    address = "https://roundtable.example/t/K7QWXM/overlay"
    links = (
        elsewhere.SharedLink(
            "overlay", "In a stream", "Give your streaming program this address.", address, parameters
        ),
    )
    return {"site": SITE, "page": elsewhere.SharedLinks(BACK, links)}
