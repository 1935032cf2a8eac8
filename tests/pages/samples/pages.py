"""Every page with sample values: what the tests look at."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games import view_models
from games.core import usual
from games.pages import common
from games.pages.opening import new_table, seating
from games.pages.opening.home import HomePage
from games.pages.records import history_pages
from games.pages.table import views
from games.pages.table.views import PATIENCE, WATCHER_PATIENCE
from games.pages.watching import screens
from games.view_models.game_page import Page
from tests.pages.samples import SITE, hall, watching
from tests.pages.samples.boards import (
    board_acting,
    board_ask,
    board_attack,
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
    views.MenuGroup(
        "Match",
        (
            view_models.Link(f"{AT}/", "Table", "table", current=True),
            view_models.Link(f"{AT}/history", "History and undo", "history"),
        ),
    ),
    views.MenuGroup("Players", (view_models.Link(f"{AT}/seats", "Seats and sharing", "people"),)),
    views.MenuGroup("Reference", (view_models.Link(f"{AT}/verify", "Check random results", "sealed"),)),
)


def board_zone() -> view_models.Board:
    """Red's character chooses a zone, after a refused tap."""
    return replace(
        board_ask(),
        version=91,
        question=view_models.Question(
            "Arya Stark claims a zone",
            "ask",
            RED,
            groups=(
                view_models.OfferGroup(
                    (
                        view_models.Offer(
                            "zone:wealth",
                            "Wealth",
                            "Restore 3 wounds, drop a condition",
                            "wealth",
                            tone="main",
                        ),
                        view_models.Offer(
                            "zone:horse", "Horse", "Free maneuver or retreat", "horse", tone="main"
                        ),
                        view_models.Offer("zone:none", "No zone", tone="quiet"),
                    )
                ),
            ),
        ),
        sides=(stark(), free_folk()),
        notice=view_models.Notice("The table moved on: Ben took Crown back first.", "bad"),
    )


BOARDS = {
    "ask": board_ask,
    "acting": board_acting,
    "attack": board_attack,
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


def table(board: view_models.Board) -> dict[str, object]:
    """The context of `table/table.html`, with the drawings and styles of the game that forms begin with."""
    live = views.Live(
        f"{AT}/events", f"{AT}/stream", f"{AT}/board?seats=", PATIENCE if board.seat else WATCHER_PATIENCE
    )
    forms = (
        common.Forms(f"{AT}/act", f"{AT}/adjust", f"{AT}/undo", "n0nce7Qw", f"{AT}/guests")
        if board.seat
        else None
    )
    look: type[Page] = usual().page or Page
    page = views.TablePage(
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


def history() -> history_pages.HistoryPage:
    """Two rounds of actions, one of them taken back."""
    third = (
        history_pages.HistoryEntry(
            87,
            "Ben",
            BLUE,
            ("Craster claims Swords.",),
            "15:42",
            undo=view_models.Undo("to:87", "Take 1 action back", " Blue must agree"),
        ),
        history_pages.HistoryEntry(
            86,
            "Ben",
            BLUE,
            ("Craster activates.",),
            "15:42",
            undo=view_models.Undo("to:86", "Take 2 actions back", " Blue must agree"),
        ),
        history_pages.HistoryEntry(
            85,
            "Anna",
            RED,
            ("Eddard's Honor Guard: wounds 12 → 9.",),
            "15:40",
            adjusted=True,
            note="Misread a die",
            undo=view_models.Undo("to:85", "Take 3 actions back", " Blue must agree"),
        ),
        history_pages.HistoryEntry(
            84, "Anna", RED, ("Takes back: House Tully Cavaliers activate.",), "15:38", "undo"
        ),
        history_pages.HistoryEntry(83, "Anna", RED, ("House Tully Cavaliers activate.",), "15:38", "undone"),
    )
    second = (
        history_pages.HistoryEntry(
            71,
            "Round 2",
            0,
            ("Red scores 3: Centre 2, West 1.", "Blue scores 3: North, East, South."),
            "15:20",
        ),
    )
    return history_pages.HistoryPage(
        "A Game of Thrones",
        BACK,
        (history_pages.HistoryRound("Round 3", third), history_pages.HistoryRound("Round 2", second)),
        forms=common.Forms(f"{AT}/act", f"{AT}/adjust", f"{AT}/undo", "n0nce7Qw"),
    )


def seats() -> seating.SeatsPage:
    """Red invites Blue; somebody else asks for the seat."""
    return seating.SeatsPage(
        "A Game of Thrones",
        BACK,
        (
            seating.SeatRow(
                RED,
                "Red",
                "Anna",
                "this device",
                True,
                posts=(
                    view_models.SeatPost("/m", "Move this seat to another phone", icon="share"),
                    view_models.SeatPost("/l", "Leave the seat"),
                ),
            ),
            seating.SeatRow(
                BLUE,
                "Blue",
                "Open seat",
                "open",
                open=True,
                invitation=seating.Invitation(
                    "http://192.168.1.20:8000/c/8F3KQ2ZT7M",
                    qr(),
                    "",
                    "Scan it with the other phone. It works once.",
                ),
                posts=(
                    view_models.SeatPost("/n", "New link"),
                    view_models.SeatPost("/h", "Play both seats on this phone"),
                ),
            ),
        ),
        seating.Invitation("http://192.168.1.20:8000/t/K7QWXM", qr(), "K7QWXM"),
        (
            seating.GuestRow(
                "Charlie",
                "asks for Blue",
                (view_models.SeatPost("/g", "Grant", tone="main"), view_models.SeatPost("/r", "Refuse")),
            ),
        ),
    )


def new() -> new_table.NewPage:
    """Opening a table."""
    return new_table.NewPage(
        "/new",
        view_models.Link("/", "Home"),
        (
            view_models.Link("/new", "Miniatures", current=True),
            view_models.Link("/new?game=board", "Board Game: tracks"),
        ),
        (
            view_models.Option("game/first", "A Game of Thrones", True, "Five objectives, six rounds"),
            view_models.Option("game/second", "A Clash of Kings", False, "Three objectives and reserves"),
        ),
        (view_models.Option("game/third", "Fire & Blood", False, "Marked units"),),
        tuple(view_models.Option(str(count), str(count), count == 3) for count in range(3, 7)),
        tuple(view_models.Option(str(points), f"{points} points", points == 40) for points in (30, 40, 50)),
        (view_models.Option("red", "Red", True), view_models.Option("blue", "Blue")),
        (view_models.Option("", "Paste a list next"), view_models.Option("stark-0", "Stark, 40 points")),
        (
            new_table.NewChoice(
                "ruleset",
                "Rules",
                (view_models.Option("1", "Of old", True), view_models.Option("2", "Of today")),
            ),
        ),
        (
            new_table.NewChoice(
                "minutes", "Minutes for each player", (), "0 for no limit", value="0", most=240
            ),
        ),
        most_target=50,
        points_label="Army points",
        army_label="Your army",
    )


def new_with_a_list() -> new_table.NewPage:
    """The same, filled by the link of a list builder."""
    warning = "Line 3: “Golden Crossbowmen” is not a unit of the catalogue."
    text = "Faction: Stark\nCommander: Robb Stark\n\n• Golden Crossbowmen (7)"
    return replace(new(), armies=(), brought=new_table.BroughtList(text, "Stark, 40 points", (warning,)))


def verify() -> history_pages.VerifyPage:
    """Two draws, checked."""
    return history_pages.VerifyPage(
        "3c9909afec25354d551dae21590bb26e38d53f2173b8d3dc3eee4c047e7ab1c1",
        BACK,
        "9b74c9897bac770ffc029102a200c5de",
        (
            history_pages.Draw(1, "first token, Red", "4", True),
            history_pages.Draw(2, "first token, Blue", "2", True),
        ),
        True,
        "HMAC-SHA-256(seed, number)",
        tuple(f"{number:02x}" * 32 for number in (60, 153, 9, 175)),
        answers=(
            history_pages.SealedAnswer(
                3, "Red", "5d41402abc4b2a76" * 4, '7d793037a0760186["army/red/hidden/bid",3]'
            ),
            history_pages.SealedAnswer(4, "Blue", "7d793037a0760186" * 4),
        ),
        export=view_models.Link("#", "Download the match (JSON)"),
        program=view_models.Link("#", "The program that checks it (Python)"),
    )


def page(template: str, value: object, **more: Any) -> tuple[str, dict[str, object]]:
    """A page with the site around it."""
    return template, {"site": SITE, "page": value, **more}


SITTING = (seating.Sitting(RED, "Anna", "Red"), seating.Sitting(BLUE, "Blue"))

PAGES: dict[str, tuple[str, dict[str, object]]] = {
    **{name: ("table/table.html", table(build())) for name, build in BOARDS.items()},
    "six": ("table/table.html", table(six())),
    "home": page("opening/home.html", home()),
    "door": page(
        "opening/home.html",
        HomePage(home().share, "/", "/new", "/join", code="K7QW", error="No table has this code."),
    ),
    "new": page("opening/new.html", new()),
    "new-with-a-list": page("opening/new.html", new_with_a_list()),
    "piece": (
        "table/piece.html",
        {"site": SITE, "sheet": sheet(), "forms": common.Forms("/a", "/b", "/c", "n0nce7Qw")},
    ),
    "history": page("records/history.html", history()),
    "seats": page("opening/seats.html", seats()),
    "claim": page(
        "opening/claim.html",
        seating.ClaimPage("A Game of Thrones", BLUE, "Sit down as Blue", "/c", "against Anna"),
    ),
    "name": page(
        "opening/name.html", seating.NamePage(BACK, "/n", (seating.NameRow("red", RED, "Red", "Anna"),))
    ),
    "join": page(
        "opening/join.html",
        seating.JoinPage(
            "A Game of Thrones",
            "/j",
            f"{AT}/",
            (view_models.Option("blue", "Blue", True),),
            move_url="/m",
            sitting=SITTING,
        ),
    ),
    "moving": page(
        "opening/moving.html", seating.MovingPage("A Game of Thrones", "/m", "ABC234", "k", sitting=SITTING)
    ),
    "lists": page("opening/lists.html", army_list(False)),
    "lists-several": page("opening/lists.html", several_lists()),
    "lists-read": page("opening/lists.html", army_list(True)),
    "lists-brought": page("opening/list_to_read.html", brought_list()),
    "verify": page("records/verify.html", verify()),
    "score": page("records/score.html", score_card()),
    "statistics": page("records/statistics.html", statistics()),
    "print": page("records/print.html", paper()),
    "watching": ("watching/watch.html", watching.page()),
    "replay": page("records/replay.html", replayed((usual().page or Page).icons_template)),
    "elsewhere": ("watching/shared_links.html", watching.shared_links()),
    "event": ("hall/event.html", hall.event()),
    "event-guest": ("hall/event.html", hall.guest()),
    "event-form": ("hall/form.html", hall.form()),
    "event-standings": ("hall/standings.html", hall.standings()),
    "event-round": ("hall/round.html", hall.one_round()),
    "event-print-standings": ("hall/print_standings.html", hall.standings_on_paper()),
    "event-print-round": ("hall/print_round.html", hall.round_on_paper()),
    "event-print-names": ("hall/print_names.html", hall.round_on_paper()),
    "event-print-slips": ("hall/print_slips.html", hall.round_on_paper()),
    "events": ("hall/events.html", hall.events()),
    "message": page(
        "message.html", view_models.MessagePage("This link was used", "Ask at the table for a new one.", BACK)
    ),
}

FRAGMENTS: dict[str, tuple[str, dict[str, object]]] = {
    "board": ("table/board.html", {"board": board_ask()}),
    "sheet": ("table/piece_sheet.html", {"sheet": sheet()}),
    "moment": ("records/moment.html", {"board": board_watch(), "moment": moment()}),
    "adjusted": ("table/adjusted.html", {"board": board_ask(), "sheet": sheet()}),
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
    "event-tv-followed": ("hall/tv.html", hall.followed()),
    "tv": ("watching/tv.html", watching.screen()),
    "overlay": ("watching/overlay.html", watching.overlay()),
    "embed": ("watching/embed.html", watching.embed()),
    "event-embed": ("hall/embed.html", hall.embed()),
    "screen-message": (
        "watching/screen_message.html",
        {"page": screens.ScreenMessage("No table", "There is none.", 60)},
    ),
}
"""Pages that nobody touches: they have no frame."""
