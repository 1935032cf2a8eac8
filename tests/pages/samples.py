"""Realistic values for every page, so that templates can be seen and tested without a match."""

from __future__ import annotations

from dataclasses import replace

from games import shapes as s

RED, BLUE = 1, 2
AT = "/t/K7QWXM"
ROMAN = ("I", "II", "III", "IV", "V", "VI")

SITE = s.Site(
    home_url="/",
    language_url="/i18n/setlang/",
    here=f"{AT}/",
    languages=(s.Language("en", "English", True), s.Language("zh-hans", "简体中文")),
)


def gauge(left: int, of: int) -> s.Gauge:
    """Infantry of four to a rank when there are twelve, a solo figure otherwise."""
    if of != 12:
        return s.Gauge(left, of, f"{left} of {of} wounds")
    ranks = -(-left // 4)
    label = f"{left} of {of} wounds, {ranks} ranks"
    return s.Gauge(left, of, label, tuple(rank < ranks for rank in range(3)))


def unit(key: str, name: str, left: int = 12, of: int = 12, state: str = "ready", **more: object) -> s.Card:
    """A combat unit as its owner sees it."""
    words = {
        "ready": "Ready",
        "acting": "Acting",
        "done": "Activated",
        "out": "Destroyed",
        "away": "In reserve",
    }
    label = "" if state == "ready" else words[state]
    return s.Card(
        key, name, gauge=gauge(left, of), state=state, state_label=label, sheet_url=f"{AT}/unit/{key}", **more
    )


def character(key: str, name: str, state: str = "ready", **more: object) -> s.Card:
    """A non-combat unit."""
    label = "Activated" if state == "done" else ""
    return s.Card(key, name, state=state, state_label=label, sheet_url=f"{AT}/unit/{key}", **more)


def tappable(card: s.Card) -> s.Card:
    """The card with its activation on it."""
    return replace(card, offer=s.Offer(f"activate:{card.key}", "Activate"))


PANICKED = s.Badge("Panicked", "alert", "bad")
VULNERABLE = s.Badge("Vulnerable", "alert", "bad")


def stark(tap: bool = False) -> s.Side:
    """Red: seven activations, three of them taken."""
    combat = [
        unit(
            "honor-guard",
            "Eddard's Honor Guard",
            9,
            attached=("Eddard Stark, Lord of Winterfell",),
            leader="Commander",
            badges=(
                s.Badge("Centre", "objective", "hold"),
                s.Badge("Thenn Warriors", "fight", "fight"),
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
        unit("trackers", "Crannogman Trackers", 4, badges=(s.Badge("West", "objective", "lost"),)),
    ]
    talk = [
        character("arya", "Arya Stark"),
        character("catelyn", "Catelyn Stark", "done", badges=(s.Badge("Letters", "letters", "hold"),)),
        character("varys", "Lord Varys", "done", badges=(s.Badge("Crown", "crown", "hold"),)),
    ]
    if tap:
        combat = [tappable(card) if card.state == "ready" else card for card in combat]
        talk = [tappable(card) if card.state == "ready" else card for card in talk]
    return s.Side(
        "red",
        RED,
        "Red",
        "Anna",
        "Stark · 40 points",
        mine=True,
        facts=(s.Badge("Hand 3, deck 11", "cards"),),
        groups=(
            s.CardGroup("Combat units", tuple(combat), "3 to activate"),
            s.CardGroup("Non-combat units", tuple(talk), "1 to activate"),
        ),
        sheet_url=f"{AT}/army/red",
    )


def free_folk() -> s.Side:
    """Blue: eleven activations, one unit destroyed, one acting."""
    combat = (
        unit("varamyr", "Varamyr Sixskins", 5, 6, title="Master Skinchanger", leader="Commander"),
        unit("shadowcat", "Shadowcat", 2, 3, "done"),
        unit("wolves", "Wolf Pack", 4, 5, "done", badges=(s.Badge("North", "objective", "hold"),)),
        unit(
            "thenn",
            "Thenn Warriors",
            6,
            state="done",
            badges=(s.Badge("Eddard's Honor Guard", "fight", "fight"),),
        ),
        unit("raiders", "Free Folk Raiders", 0, state="out", attached=("Borroq, Boar Skinchanger",)),
        unit("boar", "Borroq's Boar", 4, 4),
        unit("raiders-2", "Free Folk Raiders", 8, attached=("Skinchanger",)),
        unit("spearwives", "Spearwives", 11, attached=("Jarl, Advance Raid Leader", "Skinchanger")),
    )
    talk = (
        character("craster", "Craster", "done", badges=(s.Badge("Swords", "swords", "hold"),)),
        character("val", "Lady Val"),
        character("jon", "Jon Snow"),
    )
    return s.Side(
        "blue",
        BLUE,
        "Blue",
        "Ben",
        "Free Folk · 45 points",
        facts=(s.Badge("Hand 4, deck 10", "cards"),),
        groups=(
            s.CardGroup("Combat units", combat, "4 to activate"),
            s.CardGroup("Non-combat units", talk, "2 to activate"),
        ),
        sheet_url=f"{AT}/army/blue",
    )


OBJECTIVES = (
    s.Card(
        "centre",
        "Centre",
        text="Scores 1 more; its unit then takes a panic test at −2.",
        badges=(s.Badge("Eddard's Honor Guard", tone="hold", mark=RED),),
        mark=RED,
        sheet_url=f"{AT}/objective/centre",
    ),
    s.Card(
        "north",
        "North",
        text="When scoring: an enemy in Long Range becomes Panicked.",
        badges=(s.Badge("Wolf Pack", tone="hold", mark=BLUE),),
        mark=BLUE,
        sheet_url=f"{AT}/objective/north",
    ),
    s.Card(
        "west",
        "West",
        text="While controlled: melee attacks gain Precision.",
        badges=(s.Badge("Contested", "fight", "lost"),),
        sheet_url=f"{AT}/objective/west",
    ),
    s.Card(
        "east", "East", text="While controlled: hand size is one larger.", sheet_url=f"{AT}/objective/east"
    ),
    s.Card(
        "south",
        "South",
        text="When scoring: a friendly unit may shift 3″.",
        sheet_url=f"{AT}/objective/south",
    ),
)

ZONES = (
    s.Tile("crown", "Crown", "crown", mark=RED, by="Lord Varys"),
    s.Tile("wealth", "Wealth", "wealth", text="Restore 3, drop a condition"),
    s.Tile("letters", "Letters", "letters", mark=RED, by="Catelyn Stark"),
    s.Tile("swords", "Swords", "swords", mark=BLUE, by="Craster"),
    s.Tile("horse", "Horse", "horse", text="Free maneuver or retreat"),
)


def scores(
    red: int = 5, blue: int = 4, to_act: str = "red", **more: object
) -> tuple[s.SeatScore, s.SeatScore]:
    """Both cells of the header."""
    return (
        s.SeatScore("red", RED, "Red", "Anna", red, 10, first=True, to_act=to_act == "red", **more),
        s.SeatScore("blue", BLUE, "Blue", "Ben", blue, 10, to_act=to_act == "blue"),
    )


def header(phase: str = "Activation", round_number: int = 3, **more: object) -> s.Header:
    """Round three of six."""
    track = tuple(
        s.Space(n, "past" if n < round_number else "now" if n == round_number else "") for n in range(1, 7)
    )
    return s.Header(f"Round {round_number} of 6", phase, scores(**more), track, "First Player")


def score_table() -> s.ScoreTable:
    """Two rounds scored, the third begun."""
    return s.ScoreTable(
        scores(),
        (
            s.ScoreLine("1", ("1", "0"), ("Red 1: Free Folk Raiders destroyed",)),
            s.ScoreLine("2", ("3", "3"), ("Red 3: Centre 2, West 1", "Blue 3: North, East, South")),
            s.ScoreLine(
                "3", ("1", "1"), ("Red 1: adjusted, forgot a kill", "Blue 1: House Tully Cavaliers destroyed")
            ),
        ),
        ("5", "4"),
    )


MIDDLE = s.Middle(
    "Table",
    "Objectives",
    OBJECTIVES,
    "Tactics board",
    ZONES,
    score=score_table(),
)

UNDO = s.Undo("to:86", "Craster activates, Swords (Blue)", "asks Blue")


def board_ask() -> s.Board:
    """Red's turn in round three."""
    return s.Board(
        version=87,
        title="A Game of Thrones",
        header=header(),
        question=s.Question(
            "Your turn, Anna",
            "ask",
            RED,
            "Tap a unit to activate it.",
            "Start of turn: play what you hold first",
        ),
        sides=(stark(True), free_folk()),
        middle=MIDDLE,
        seat="red",
        mark=RED,
        undo=UNDO,
        last="Craster claims Swords.",
        history_url=f"{AT}/history",
    )


def board_acting() -> s.Board:
    """Red's unit acts; Blue is asked already; Red may note what it did."""
    acting = s.Acting(
        "Crannogman Trackers are acting",
        RED,
        "Note what it did before Blue's unit acts.",
        (
            s.OfferGroup(
                (
                    s.Offer("claim:east:trackers", "Claims East", icon="objective"),
                    s.Offer("claim:south:trackers", "Claims South", icon="objective"),
                ),
            ),
            s.OfferGroup(
                (
                    s.Offer("engage:trackers:spearwives", "Engages Spearwives", icon="fight"),
                    s.Offer("engage:trackers:boar", "Engages Borroq's Boar", icon="fight"),
                ),
            ),
        ),
    )
    return replace(
        board_ask(),
        version=88,
        header=header(to_act="blue"),
        question=s.Question(
            "Ben chooses a unit", "wait", BLUE, "Last chance to react to Crannogman Trackers."
        ),
        sides=(stark(), free_folk()),
        acting=acting,
        undo=s.Undo("to:87", "Crannogman Trackers activate (Red)"),
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


CLEANUP = (
    ("Effects at the end of the round", "done", ""),
    ("Score victory points", "done", "Red 3, Blue 1"),
    ("Scoring effects of objectives", "now", "Anna chooses first"),
    ("Check for victory", "next", ""),
    ("Remove activation tokens", "next", "by itself"),
    ("Empty the tactics board", "next", "by itself"),
    ("Remove influence", "next", "by itself"),
    ("Discard any cards", "next", ""),
    ("Draw to three cards", "next", "by itself"),
    ("Pass the First Player token", "next", "to Ben"),
)


def board_cleanup() -> s.Board:
    """The clean-up, third step of ten."""
    guide = s.Guide(
        "Clean-up", tuple(s.Step(label, state, detail) for label, state, detail in CLEANUP), "3 of 10"
    )
    return replace(
        board_ask(),
        version=104,
        header=header("Clean-up", red=8, blue=5),
        question=s.Question(
            "Which effect first?",
            "ask",
            RED,
            "The centre: Eddard's Honor Guard takes a panic test at −2.",
            groups=(
                s.OfferGroup(
                    (
                        s.Offer("resolve:centre", "Centre: panic test", tone="main", icon="objective"),
                        s.Offer("resolve:north", "North: Panicked", tone="main", icon="objective"),
                    )
                ),
            ),
        ),
        sides=(stark(), free_folk()),
        middle=replace(MIDDLE, guide=guide),
        undo=s.Undo("to:103", "Points are scored", "asks Blue"),
    )


def board_setup() -> s.Board:
    """The roll-off of the set-up: roll in the app or enter the die."""
    steps = (
        ("Points and victory target", "done", "40 points, 10 to win"),
        ("Armies", "done", "Stark, Free Folk"),
        ("Objective tokens", "now", "roll for who places next"),
        ("Objective cards", "next", ""),
        ("Deployment zones", "next", ""),
        ("Deployment", "next", ""),
    )
    guide = s.Guide("Set-up", tuple(s.Step(*step) for step in steps), "3 of 6")
    return replace(
        board_ask(),
        version=9,
        header=header("Set-up", 0, red=0, blue=0),
        question=s.Question(
            "Roll for the first token",
            "ask",
            RED,
            "Highest places the next objective token.",
            groups=(
                s.OfferGroup((s.Offer("roll", "Roll here", icon="roll", tone="main"),)),
                s.OfferGroup((s.numeric_offer("rolled", "or enter your die", 1, 6),)),
            ),
        ),
        sides=(stark(), free_folk()),
        middle=replace(MIDDLE, guide=guide, score=None),
        undo=s.Undo("to:8", "Anna is ready (Red)"),
    )


def board_lobby() -> s.Board:
    """The first screen: nobody else is here, and no army."""
    invitee = s.Invitee(BLUE, "Blue is not here yet", "data:,", "K7QW2M", f"{AT}/seats")
    ready = tuple(s.Offer(f"demo:{army}", f"Bring {army}", "40 points") for army in ("Stark", "Lannister"))
    before = board_setup()
    return replace(
        before,
        question=s.Question(
            "Bring your army",
            "ask",
            RED,
            "Paste a list or pick an army, then say that you are ready.",
            groups=(s.OfferGroup(ready, "Take a ready army", folded=True),),
        ),
        ways=(s.Link(f"{AT}/army/red", "Paste your list", "list", tone="main"),),
        sides=tuple(replace(side, groups=(), facts=(), empty="No army yet.") for side in before.sides),
        middle=replace(before.middle, objectives=(), tiles=(), invitee=invitee),
        undo=None,
        last="The table is open.",
    )


def board_request() -> s.Board:
    """Blue asks to take three deeds back."""
    request = s.UndoRequest(
        "Ben asks to take 3 deeds back",
        BLUE,
        ("Crannogman Trackers activate (Red)", "Craster claims Swords (Blue)", "Craster activates (Blue)"),
        (s.Offer("accept:5", "Accept", tone="main"), s.Offer("decline:5", "Decline")),
    )
    return replace(board_ask(), version=88, request=request)


def board_number() -> s.Board:
    """A long range: a stepper."""
    question = s.Question(
        "How many wounds?",
        "ask",
        RED,
        groups=(s.OfferGroup((s.numeric_offer("lose:thenn", "Wounds lost", 0, 24, 3),)),),
    )
    return replace(board_ask(), version=89, question=question, sides=(stark(), free_folk()))


def board_over() -> s.Board:
    """Red has won."""
    result = s.Result(
        "Anna wins 11 to 7",
        "Ten points and ahead at the end of round 5.",
        RED,
        (
            s.Link(f"{AT}/history", "History"),
            s.Link(f"{AT}/verify", "Verify"),
            s.Link(f"{AT}/export", "Download"),
        ),
    )
    return replace(
        board_ask(),
        version=171,
        header=header("Finished", 5, red=11, blue=7, to_act=""),
        question=s.Question("Anna wins 11 to 7", "over"),
        result=result,
        sides=(stark(), free_folk()),
        undo=None,
    )


def without_sheets(side: s.Side) -> s.Side:
    """A side as a spectator sees it."""
    groups = tuple(
        replace(group, cards=tuple(replace(card, sheet_url="", offer=None) for card in group.cards))
        for group in side.groups
    )
    return replace(side, groups=groups, sheet_url="", mine=False)


def board_watch() -> s.Board:
    """What a spectator sees."""
    board = board_ask()
    return replace(
        board,
        question=s.Question("Anna chooses a unit", "watch", RED),
        sides=(without_sheets(stark()), without_sheets(free_folk())),
        middle=replace(MIDDLE, objectives=tuple(replace(card, sheet_url="") for card in OBJECTIVES)),
        seat="",
        mark=0,
        undo=None,
    )


MENU = (
    s.Link(f"{AT}/history", "History and undo", "history"),
    s.Link(f"{AT}/seats", "Seats and sharing", "people"),
    s.Link(f"{AT}/verify", "Verify the draws", "sealed"),
    s.Link(f"{AT}/undo", "Concede or end early", "finish"),
)


def table(board: s.Board) -> dict[str, object]:
    """The context of `table.html`."""
    live = s.Live(f"{AT}/events?token=x", f"{AT}/stream", f"{AT}/board", 5000 if board.seat else 15000)
    forms = s.Forms(f"{AT}/act", f"{AT}/adjust", f"{AT}/undo", "n0nce7Qw") if board.seat else None
    page = s.TablePage(
        "A Game of Thrones",
        "K7QWXM",
        live,
        MENU,
        forms,
        icons_template="tmg/icons.html",
        styles=("tmg/tmg.css",),
    )
    return {"site": SITE, "page": page, "board": board}


BOARDS = {
    "ask": board_ask,
    "acting": board_acting,
    "zone": board_zone,
    "cleanup": board_cleanup,
    "lobby": board_lobby,
    "setup": board_setup,
    "request": board_request,
    "number": board_number,
    "over": board_over,
    "watch": board_watch,
}

BACK = s.Link(f"{AT}/", "Back to the table")


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
    )


def history() -> s.HistoryPage:
    """Two rounds of deeds, one of them taken back."""
    third = (
        s.Deed(
            87,
            "Ben",
            BLUE,
            ("Craster claims Swords.",),
            "15:42",
            undo=s.Undo("to:87", "Take 1 deed back", "asks Blue"),
        ),
        s.Deed(
            86,
            "Ben",
            BLUE,
            ("Craster activates.",),
            "15:42",
            undo=s.Undo("to:86", "Take 2 deeds back", "asks Blue", 2),
        ),
        s.Deed(
            85,
            "Anna",
            RED,
            ("Eddard's Honor Guard: wounds 12 → 9.",),
            "15:40",
            adjusted=True,
            note="Misread a die",
            undo=s.Undo("to:85", "Take 3 deeds back", "asks Blue", 3),
        ),
        s.Deed(84, "Anna", RED, ("Takes back: House Tully Cavaliers activate.",), "15:38", "undo"),
        s.Deed(83, "Anna", RED, ("House Tully Cavaliers activate.",), "15:38", "undone"),
    )
    second = (
        s.Deed(
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
        (s.DeedGroup("Round 3", third), s.DeedGroup("Round 2", second)),
        forms=s.Forms(f"{AT}/act", f"{AT}/adjust", f"{AT}/undo", "n0nce7Qw"),
    )


def qr() -> str:
    """A code to scan, as the pages carry it: an SVG in a data address."""
    import segno

    return segno.make("HTTP://192.168.1.20:8000/C/8F3KQ2ZT7M").svg_data_uri(scale=4, border=2, light="#fff")


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
                "this phone",
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


def army_list(read: bool) -> s.ListPage:
    """The page of a pasted list, before and after reading it."""
    text = "Faction: Stark\nCommander: Eddard Stark - Lord of Winterfell\nPoints: 40 / 40\nActivations: 7\n"
    demos = (
        s.DemoArmy("stark-0", "Stark", "40 points, Eddard"),
        s.DemoArmy("free-folk-0", "Free Folk", "45 points, Varamyr"),
        s.DemoArmy("lannister-0", "Lannister", "40 points, Tyrion"),
    )
    if not read:
        return s.ListPage("Red brings an army", RED, "/l", BACK, placeholder=text, demos=demos)
    return s.ListPage(
        "Red brings an army",
        RED,
        "/l",
        BACK,
        text,
        summary="Stark · 41 of 40 points · 7 activations",
        warnings=(
            s.ListWarning("41 points are more than 40."),
            s.ListWarning("“Crannogman Trakers” is not known.", 12),
        ),
        rows=(
            s.ListRow(1, "Eddard's Honor Guard", kind="infantry", cost=6, wounds=12),
            s.ListRow(2, "Eddard Stark", "Lord of Winterfell", "attachment", 0, 0, True, "1"),
            s.ListRow(3, "House Tully Cavaliers", kind="cavalry", cost=8, wounds=12),
            s.ListRow(
                4,
                "Crannogman Trakers",
                kind="infantry",
                cost=5,
                wounds=12,
                problem="Not in the catalogue: kept as it is.",
            ),
            s.ListRow(5, "Arya Stark", kind="ncu", cost=4),
        ),
        kinds=(
            s.Option("infantry", "Infantry"),
            s.Option("cavalry", "Cavalry"),
            s.Option("attachment", "Attachment"),
            s.Option("ncu", "Non-combat unit"),
        ),
        units=(s.Option("1", "Eddard's Honor Guard"), s.Option("3", "House Tully Cavaliers")),
        demos=demos,
    )


def home() -> s.HomePage:
    """The front door with tables on it."""
    return s.HomePage(
        "/new",
        "/join",
        (s.TableRow(f"{AT}/", "A Game of Thrones", "round 3 of 6, your turn", scores(), True),),
        (s.TableRow("/t/AB34CD/", "A Game of Thrones", "round 5 of 6", scores(8, 9), True),),
        (s.TableRow("/t/ZZ34CD/", "A Game of Thrones", "after round 6", scores(12, 9)),),
    )


def new() -> s.NewPage:
    """Opening a table."""
    return s.NewPage(
        "/new",
        s.Link("/", "Home"),
        (
            s.Option("tmg/a-game-of-thrones", "A Game of Thrones", True, "Five objectives, six rounds"),
            s.Option("tmg/a-clash-of-kings", "A Clash of Kings", False, "Three objectives and reserves"),
        ),
        tuple(s.Option(str(points), f"{points} points", points == 40) for points in (30, 40, 50)),
        (s.Option("red", "Red", True, mark=RED), s.Option("blue", "Blue", mark=BLUE)),
        (s.Option("", "Paste a list next"), s.Option("stark-0", "Stark, 40 points")),
        default_target="10",
    )


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


def page(template: str, value: object, **more: object) -> tuple[str, dict[str, object]]:
    """A page with the site around it."""
    return template, {"site": SITE, "page": value, **more}


PAGES: dict[str, tuple[str, dict[str, object]]] = {
    **{name: ("table.html", table(build())) for name, build in BOARDS.items()},
    "six": ("table.html", table(six())),
    "home": page("home.html", home()),
    "door": page("home.html", s.HomePage("/new", "/join", code="K7QW", error="No table has the code K7QW.")),
    "new": page("new.html", new()),
    "piece": ("piece.html", {"site": SITE, "sheet": sheet(), "forms": s.Forms("/a", "/b", "/c", "n0nce7Qw")}),
    "history": page("history.html", history()),
    "seats": page("seats.html", seats()),
    "claim": page(
        "claim.html", s.ClaimPage("A Game of Thrones", BLUE, "Sit down as Blue", "/c", "against Anna")
    ),
    "join": page(
        "join.html",
        s.JoinPage(
            "A Game of Thrones", "/j", f"{AT}/", (s.Option("blue", "Blue", True, mark=BLUE),), move_url="/m"
        ),
    ),
    "lists": page("lists.html", army_list(False)),
    "lists-read": page("lists.html", army_list(True)),
    "verify": page("verify.html", verify()),
    "message": page(
        "message.html", s.MessagePage("This link was used", "Ask at the table for a new one.", BACK)
    ),
}

FRAGMENTS: dict[str, tuple[str, dict[str, object]]] = {
    "board": ("board.html", {"board": board_ask()}),
    "sheet": ("piece_sheet.html", {"sheet": sheet()}),
    "adjusted": ("adjusted.html", {"board": board_ask(), "sheet": sheet()}),
}
