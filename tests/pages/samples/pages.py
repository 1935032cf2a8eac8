"""Every page with sample values: what the tests look at."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games import view_models as s
from games.core.system import usual
from games.view_models.game_page import Page
from games.views.playing.table import PATIENCE, WATCHER_PATIENCE
from tests.pages.samples import SITE, hall, watching
from tests.pages.samples.boards import (
    board_acting,
    board_ask,
    board_cleanup,
    board_lobby,
    board_number,
    board_over,
    board_request,
    board_score,
    board_setup,
    board_watch,
)
from tests.pages.samples.lists import army_list, brought_list, several_lists
from tests.pages.samples.page_parts import home, sheet, six
from tests.pages.samples.pieces import AT, BACK, BLUE, RED, free_folk, qr, stark
from tests.pages.samples.record_parts import score_card
from tests.pages.samples.records import SHARE, moment, paper, replayed, statistics

MENU = (
    s.MenuGroup(
        "Match",
        (
            s.Link(f"{AT}/", "Table", "table", current=True),
            s.Link(f"{AT}/history", "History and undo", "history"),
        ),
    ),
    s.MenuGroup("Players", (s.Link(f"{AT}/seats", "Seats and sharing", "people"),)),
    s.MenuGroup("Reference", (s.Link(f"{AT}/verify", "Check random results", "sealed"),)),
)


def board_zone() -> s.Board:
    """Red's character chooses a zone, after a refused tap."""
    return replace(
        board_ask(),
        version=91,
        question=s.Question(
            "Arya Stark claims a zone",
            "ask",
            RED,
            groups=(
                s.OfferGroup(
                    (
                        s.Offer(
                            "zone:wealth",
                            "Wealth",
                            "Restore 3 wounds, drop a condition",
                            "wealth",
                            tone="main",
                        ),
                        s.Offer("zone:horse", "Horse", "Free maneuver or retreat", "horse", tone="main"),
                        s.Offer("zone:none", "No zone", tone="quiet"),
                    )
                ),
            ),
        ),
        sides=(stark(), free_folk()),
        notice=s.Notice("The table moved on: Ben took Crown back first.", "bad"),
    )


BOARDS = {
    "ask": board_ask,
    "acting": board_acting,
    "zone": board_zone,
    "cleanup": board_cleanup,
    "score-asked": board_score,
    "lobby": board_lobby,
    "setup": board_setup,
    "request": board_request,
    "number": board_number,
    "over": board_over,
    "watch": board_watch,
}


def table(board: s.Board) -> dict[str, object]:
    """The context of `playing/table.html`, with the drawings and styles of the game that forms begin with."""
    live = s.Live(
        f"{AT}/events", f"{AT}/stream", f"{AT}/board?seats=", PATIENCE if board.seat else WATCHER_PATIENCE
    )
    forms = (
        s.Forms(f"{AT}/act", f"{AT}/adjust", f"{AT}/undo", "n0nce7Qw", f"{AT}/guests") if board.seat else None
    )
    look: type[Page] = usual().page or Page
    page = s.TablePage(
        "A Game of Thrones",
        "K7QWXM",
        live,
        MENU,
        forms,
        SHARE,
        icons_template=look.icons_template,
        styles=look.styles,
    )
    return {"site": SITE, "page": page, "board": board}


def history() -> s.HistoryPage:
    """Two rounds of actions, one of them taken back."""
    third = (
        s.HistoryEntry(
            87,
            "Ben",
            BLUE,
            ("Craster claims Swords.",),
            "15:42",
            undo=s.Undo("to:87", "Take 1 action back", " Blue must agree"),
        ),
        s.HistoryEntry(
            86,
            "Ben",
            BLUE,
            ("Craster activates.",),
            "15:42",
            undo=s.Undo("to:86", "Take 2 actions back", " Blue must agree", 2),
        ),
        s.HistoryEntry(
            85,
            "Anna",
            RED,
            ("Eddard's Honor Guard: wounds 12 → 9.",),
            "15:40",
            adjusted=True,
            note="Misread a die",
            undo=s.Undo("to:85", "Take 3 actions back", " Blue must agree", 3),
        ),
        s.HistoryEntry(84, "Anna", RED, ("Takes back: House Tully Cavaliers activate.",), "15:38", "undo"),
        s.HistoryEntry(83, "Anna", RED, ("House Tully Cavaliers activate.",), "15:38", "undone"),
    )
    second = (
        s.HistoryEntry(
            71,
            "Round 2",
            0,
            ("Red scores 3: Centre 2, West 1.", "Blue scores 3: North, East, South."),
            "15:20",
        ),
    )
    return s.HistoryPage(
        "A Game of Thrones",
        BACK,
        (s.HistoryRound("Round 3", third), s.HistoryRound("Round 2", second)),
        forms=s.Forms(f"{AT}/act", f"{AT}/adjust", f"{AT}/undo", "n0nce7Qw"),
    )


def seats() -> s.SeatsPage:
    """Red invites Blue; somebody else asks for the seat."""
    return s.SeatsPage(
        "A Game of Thrones",
        BACK,
        (
            s.SeatRow(
                RED,
                "Red",
                "Anna",
                "this device",
                True,
                posts=(
                    s.SeatPost("/m", "Move this seat to another phone", icon="share"),
                    s.SeatPost("/l", "Leave the seat"),
                ),
            ),
            s.SeatRow(
                BLUE,
                "Blue",
                "Open seat",
                "open",
                open=True,
                invitation=s.Invitation(
                    "http://192.168.1.20:8000/c/8F3KQ2ZT7M",
                    qr(),
                    "",
                    "Scan it with the other phone. It works once.",
                ),
                posts=(s.SeatPost("/n", "New link"), s.SeatPost("/h", "Play both seats on this phone")),
            ),
        ),
        s.Invitation("http://192.168.1.20:8000/t/K7QWXM", qr(), "K7QWXM"),
        (
            s.SeatRequest(
                "Charlie",
                "asks for Blue",
                (s.SeatPost("/g", "Grant", tone="main"), s.SeatPost("/r", "Refuse")),
            ),
        ),
    )


def new() -> s.NewPage:
    """Opening a table."""
    return s.NewPage(
        "/new",
        s.Link("/", "Home"),
        (s.Link("/new", "Miniatures", current=True), s.Link("/new?game=board", "The Board Game")),
        (
            s.Option("game/first", "A Game of Thrones", True, "Five objectives, six rounds"),
            s.Option("game/second", "A Clash of Kings", False, "Three objectives and reserves"),
        ),
        (s.Option("game/third", "Fire & Blood", False, "Marked units"),),
        tuple(s.Option(str(count), str(count), count == 3) for count in range(3, 7)),
        tuple(s.Option(str(points), f"{points} points", points == 40) for points in (30, 40, 50)),
        (s.Option("red", "Red", True, mark=RED), s.Option("blue", "Blue", mark=BLUE)),
        (s.Option("", "Paste a list next"), s.Option("stark-0", "Stark, 40 points")),
        (s.NewChoice("ruleset", "Rules", (s.Option("1", "Of old", True), s.Option("2", "Of today"))),),
        (s.NewChoice("minutes", "Minutes for each player", (), "0 for no limit", value="0", most=240),),
        most_target=50,
        points_label="Army points",
        army_label="Your army",
    )


def new_with_a_list() -> s.NewPage:
    """The same, filled by the link of a list builder."""
    warning = "Line 3: “Golden Crossbowmen” is no unit of the catalogue."
    text = "Faction: Stark\nCommander: Robb Stark\n\n• Golden Crossbowmen (7)"
    return replace(new(), armies=(), brought=s.BroughtList(text, "Stark, 40 points", (warning,)))


def verify() -> s.VerifyPage:
    """Two draws, checked."""
    return s.VerifyPage(
        "3c9909afec25354d551dae21590bb26e38d53f2173b8d3dc3eee4c047e7ab1c1",
        BACK,
        "9b74c9897bac770ffc029102a200c5de",
        (
            s.Draw(1, "first token, Red", "4", "5d41402abc4b2a76", True),
            s.Draw(2, "first token, Blue", "2", "7d793037a0760186", True),
        ),
        True,
        "HMAC-SHA-256(seed, number)",
        tuple(f"{number:02x}" * 32 for number in (60, 153, 9, 175)),
        answers=(
            s.SealedAnswer(3, "Red", "5d41402abc4b2a76" * 4, '7d793037a0760186["army/red/hidden/bid",3]'),
            s.SealedAnswer(4, "Blue", "7d793037a0760186" * 4),
        ),
        export=s.Link("#", "Take the match along (JSON)"),
        program=s.Link("#", "The program that checks it (Python)"),
    )


def page(template: str, value: object, **more: Any) -> tuple[str, dict[str, object]]:
    """A page with the site around it."""
    return template, {"site": SITE, "page": value, **more}


SITTING = (s.Sitting(RED, "Anna", "Red"), s.Sitting(BLUE, "Blue"))

PAGES: dict[str, tuple[str, dict[str, object]]] = {
    **{name: ("playing/table.html", table(build())) for name, build in BOARDS.items()},
    "six": ("playing/table.html", table(six())),
    "home": page("opening/home.html", home()),
    "door": page(
        "opening/home.html",
        s.HomePage(home().share, "/", "/new", "/join", code="K7QW", error="No table has this code."),
    ),
    "new": page("opening/new.html", new()),
    "new-with-a-list": page("opening/new.html", new_with_a_list()),
    "piece": (
        "playing/piece.html",
        {"site": SITE, "sheet": sheet(), "forms": s.Forms("/a", "/b", "/c", "n0nce7Qw")},
    ),
    "history": page("record/history.html", history()),
    "seats": page("opening/seats.html", seats()),
    "claim": page(
        "opening/claim.html", s.ClaimPage("A Game of Thrones", BLUE, "Sit down as Blue", "/c", "against Anna")
    ),
    "name": page("opening/name.html", s.NamePage(BACK, "/n", (s.NameRow("red", RED, "Red", "Anna"),))),
    "join": page(
        "opening/join.html",
        s.JoinPage(
            "A Game of Thrones",
            "/j",
            f"{AT}/",
            (s.Option("blue", "Blue", True, mark=BLUE),),
            move_url="/m",
            sitting=SITTING,
        ),
    ),
    "moving": page(
        "opening/moving.html", s.MovingPage("A Game of Thrones", "/m", "ABC234", "k", sitting=SITTING)
    ),
    "lists": page("opening/lists.html", army_list(False)),
    "lists-several": page("opening/lists.html", several_lists()),
    "lists-read": page("opening/lists.html", army_list(True)),
    "lists-brought": page("opening/list_to_read.html", brought_list()),
    "verify": page("record/verify.html", verify()),
    "score": page("record/score.html", score_card()),
    "statistics": page("record/statistics.html", statistics()),
    "print": page("record/print.html", paper()),
    "watching": ("watching/watch.html", watching.page()),
    "replay": page("record/replay.html", replayed((usual().page or Page).icons_template)),
    "elsewhere": ("watching/shared_links.html", watching.shared_links()),
    "event": ("hall/event.html", hall.event()),
    "event-guest": ("hall/event.html", hall.guest()),
    "event-form": ("hall/form.html", hall.form()),
    "event-standings": ("hall/standings.html", hall.standings()),
    "event-round": ("hall/round.html", hall.one_round()),
    "event-print-standings": ("hall/print_standings.html", hall.standings()),
    "event-print-round": ("hall/print_round.html", hall.one_round()),
    "events": ("hall/events.html", hall.events()),
    "message": page(
        "message.html", s.MessagePage("This link was used", "Ask at the table for a new one.", BACK)
    ),
}

FRAGMENTS: dict[str, tuple[str, dict[str, object]]] = {
    "board": ("playing/board.html", {"board": board_ask()}),
    "sheet": ("playing/piece_sheet.html", {"sheet": sheet()}),
    "moment": ("record/moment.html", {"board": board_watch(), "moment": moment()}),
    "adjusted": ("playing/adjusted.html", {"board": board_ask(), "sheet": sheet()}),
    "event-region": ("hall/region.html", {"region": hall.region(hall.card())}),
    "event-tv": ("hall/tv_region.html", {"hall": hall.tv()["hall"]}),
    "event-strip": ("hall/strip.html", {"strip": hall.strip()}),
    "watched": ("watching/watch_region.html", {"watched": watching.match()}),
    "television": ("watching/tv_region.html", {"watched": watching.match()}),
    "several": ("watching/tables_region.html", {"several": watching.several()}),
    "overlay": ("watching/overlay_region.html", {"watched": watching.match()}),
}

SCREENS: dict[str, tuple[str, dict[str, object]]] = {
    "event-tv": ("hall/tv.html", hall.tv()),
    "tv": ("watching/tv.html", watching.screen()),
    "overlay": ("watching/overlay.html", watching.overlay()),
    "embed": ("watching/embed.html", watching.embed()),
    "event-embed": ("hall/embed.html", hall.embed()),
    "screen-message": (
        "watching/screen_message.html",
        {"page": s.ScreenMessage("No table", "There is none.", 60)},
    ),
}
"""Pages that nobody touches: they have no frame."""
