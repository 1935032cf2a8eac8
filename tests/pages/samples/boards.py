"""The board in every state: asked, acting, cleaning up, setting up, over, watched."""

from __future__ import annotations

from msgspec.structs import replace

from games import view_models
from tests.pages.samples.pieces import (
    AT,
    BLUE,
    MIDDLE,
    OBJECTIVES,
    PANICKED,
    RED,
    UNDO,
    free_folk,
    gauge,
    header,
    qr,
    stark,
)


def board_ask() -> view_models.Board:
    """Red's turn in round three."""
    return view_models.Board(
        version=87,
        title="A Game of Thrones",
        header=header(),
        question=view_models.Question(
            "Your turn, Anna",
            "ask",
            RED,
            "Tap a unit to activate it.",
            view_models.RuleNote(
                "No player may pass while they have a unit to activate.",
                "Round and turns · TMG-17",
                f"{AT}/rules#TMG-17",
            ),
        ),
        sides=(stark(True), free_folk()),
        middle=MIDDLE,
        seat="red",
        mark=RED,
        undo=UNDO,
        last="Craster claims Swords.",
        history_url=f"{AT}/history",
    )


HAND = view_models.OfferGroup(
    tuple(
        view_models.Offer(
            key,
            name,
            count,
            choices=(
                view_models.Choice(f"play:{key}", "Play"),
                view_models.Choice(f"lay:{key}", "On a unit"),
            ),
        )
        for key, name, count in (("c01", "Card 1", "×2"), ("c08", "Commander card 8", ""))
    ),
    "Your hand: 3 cards",
    folded=True,
)
PILE = view_models.Fold("Discard pile: 2 cards", ("Card 4", "Commander card 9"))


def target(key: str, name: str, mark: int, left: int, *, is_open: bool = False) -> view_models.Target:
    """A unit that may be hit."""
    hits = tuple(view_models.Choice(f"unit/{key} wounds:{key}:{-n}", f"\u2212{n}") for n in range(1, left))
    return view_models.Target(
        key,
        name,
        mark,
        gauge(left, 12),
        hits,
        view_models.Choice(f"unit/{key} destroy:{key}", "Destroyed"),
        is_open,
    )


PILES = (("Attack", (view_models.Choice("again:3", "4"), view_models.Choice("", "1"))),)


def attack() -> view_models.Attack:
    """Red's unit has hit; Blue's dice are due."""
    numbers = ("Melee", "Longsword"), ("Dice", "8"), ("To hit", "3+")
    fighters = (
        view_models.Fighter("Honor Guard", RED, gauge(7, 12), numbers, (PANICKED,), "Precision"),
        view_models.Fighter(
            "Spearwives", BLUE, gauge(12, 12), (("Defence", "5+"), ("Morale", "6+")), piles=PILES
        ),
    )
    return view_models.Attack(
        "Honor Guard attacks Spearwives",
        fighters,
        "How many hits were blocked?",
        BLUE,
        "5 hits.",
        "Check the range.",
        (view_models.Choice("again:0", "2"), view_models.Choice("", "5")),
        (view_models.Offer("roll-dice", "Roll in the app"),),
        view_models.numeric_offer("blocks", "Hits blocked", 0, 5),
        view_models.OfferGroup(
            (view_models.numeric_offer("dice", "Dice", 0, 24, 8),), "A card changes something", folded=True
        ),
        view_models.Offer("end-attack", "End the attack", tone="quiet"),
    )


def board_attack() -> view_models.Board:
    """An attack is resolved before the next activation."""
    return replace(board_ask(), attack=attack())


def board_acting() -> view_models.Board:
    """Red's unit acts; Blue is asked already; Red may note what it did."""
    acting = view_models.Acting(
        "Crannogman Trackers are acting",
        RED,
        "Note what it did before Blue's unit acts.",
        (
            view_models.OfferGroup(
                (
                    view_models.Offer("claim:east:trackers", "Claims East", icon="objective"),
                    view_models.Offer("claim:south:trackers", "Claims South", icon="objective"),
                ),
            ),
            view_models.OfferGroup(
                (
                    view_models.Offer("engage:trackers:spearwives", "Engages Spearwives", icon="fight"),
                    view_models.Offer("engage:trackers:boar", "Engages Borroq's Boar", icon="fight"),
                ),
            ),
        ),
        (
            view_models.TargetGroup(
                "Enter wounds",
                (
                    target("spearwives", "Spearwives", BLUE, 7, is_open=True),
                    target("raiders", "Free Folk Raiders", BLUE, 12),
                    target("boar", "Borroq's Boar", BLUE, 4),
                ),
            ),
            view_models.TargetGroup(
                "Your other units", (target("trackers", "Crannogman Trackers", RED, 12),), folded=True
            ),
        ),
    )
    return replace(
        board_ask(),
        version=88,
        header=header(to_act="blue"),
        question=view_models.Question(
            "Ben chooses a unit", "wait", BLUE, "Last chance to react to Crannogman Trackers."
        ),
        sides=(replace(stark(), free_actions=(HAND,), folds=(PILE,)), free_folk()),
        acting=acting,
        undo=view_models.Undo("to:87", "Crannogman Trackers activate (Red)"),
    )


CLEANUP = (
    ("Effects at the end of the round", "done"),
    ("Score victory points", "done"),
    ("Scoring effects of objectives", "now"),
    ("Check for victory", "next"),
    ("Remove activation tokens", "next"),
    ("Empty the tactics board", "next"),
    ("Remove influence", "next"),
    ("Discard any cards", "next"),
    ("Draw to three cards", "next"),
    ("Pass the First Player token", "next"),
)


def board_cleanup() -> view_models.Board:
    """The clean-up, third step of ten."""
    guide = view_models.Guide(
        "Clean-up",
        tuple(view_models.GuideStep(label, state) for label, state in CLEANUP),
        "3 of 10",
    )
    return replace(
        board_ask(),
        version=104,
        header=header("Clean-up", red=8, blue=5),
        question=view_models.Question(
            "Which effect first?",
            "ask",
            RED,
            "The centre: Eddard's Honor Guard takes a panic test at −2.",
            groups=(
                view_models.OfferGroup(
                    (
                        view_models.Offer(
                            "resolve:centre", "Centre: panic test", tone="main", icon="objective"
                        ),
                        view_models.Offer("resolve:north", "North: Panicked", tone="main", icon="objective"),
                    )
                ),
            ),
        ),
        sides=(stark(), free_folk()),
        middle=replace(MIDDLE, guide=guide),
        undo=view_models.Undo("to:103", "Points are scored", "Blue must agree"),
    )


def board_score() -> view_models.Board:
    """The score of a round, source by source, and what the last unit did."""
    sources = (
        view_models.Source(
            "Centre → Anna", "+2", "Eddard's Honor Guard · additional point", RED, f"{AT}/objective/centre"
        ),
        view_models.Source("East → Ben", "+1", "Spearwives", BLUE, f"{AT}/objective/east"),
        view_models.Source(
            "South", "0", "Borroq's Boar, contested by Crannogman Trackers", url=f"{AT}/objective/south"
        ),
    )
    agree = view_models.OfferGroup((view_models.Offer("agree", "Agree", tone="main"),))
    last = replace(
        board_acting().acting or view_models.Acting("", RED),
        title="Last activation: Crannogman Trackers",
        hint="Crannogman Trackers activate. Borroq's Boar suffers 2 wounds.",
    )
    cleanup = board_cleanup()
    return replace(
        cleanup,
        question=view_models.Question(
            "This round scores: Anna 2, Ben 1",
            "ask",
            RED,
            "Tap a line to correct it.",
            groups=(agree,),
            sources=sources,
        ),
        middle=replace(cleanup.middle, acting=last),
    )


def board_setup() -> view_models.Board:
    """The roll-off of the set-up: roll in the app or enter the die."""
    steps = (
        ("Points and victory target", "done"),
        ("Armies", "done"),
        ("Objective tokens", "now"),
        ("Objective cards", "next"),
        ("Deployment zones", "next"),
        ("Deployment", "next"),
    )
    guide = view_models.Guide("Set-up", tuple(view_models.GuideStep(*step) for step in steps), "3 of 6")
    return replace(
        board_ask(),
        version=9,
        header=header("Set-up", 0, red=0, blue=0),
        question=view_models.Question(
            "Roll for the first token",
            "ask",
            RED,
            "Highest places the next objective token.",
            groups=(
                view_models.OfferGroup((view_models.Offer("roll", "Roll here", icon="roll", tone="main"),)),
                view_models.OfferGroup((view_models.numeric_offer("rolled", "or enter your die", 1, 6),)),
            ),
        ),
        sides=(stark(), free_folk()),
        middle=replace(MIDDLE, guide=guide, score=None),
        undo=view_models.Undo("to:8", "Anna is ready (Red)"),
    )


def board_lobby() -> view_models.Board:
    """The first screen: nobody else is here, and no army."""
    invitee = view_models.Invitee(BLUE, "Blue is not here yet", qr(), "K7QW2M", f"{AT}/seats")
    ready = tuple(
        view_models.Offer(f"demo:{army}", f"Bring {army}", "40 points") for army in ("Stark", "Lannister")
    )
    before = board_setup()
    return replace(
        before,
        question=view_models.Question(
            "Choose your army",
            "ask",
            RED,
            "Paste a list or pick an army. Then tap Ready.",
            groups=(view_models.OfferGroup(ready, "Use a sample army", folded=True),),
        ),
        ways=(view_models.Link(f"{AT}/army/red", "Paste your list", "list", tone="main"),),
        sides=tuple(replace(side, groups=(), facts=(), empty="No army yet.") for side in before.sides),
        middle=replace(before.middle, objectives=(), tiles=(), invitee=invitee),
        undo=None,
        guests=(view_models.Guest(7, BLUE, "Anna wants Blue"),),
        asked="7",
        last="The table is started.",
    )


def board_request() -> view_models.Board:
    """Blue asks to take three actions back."""
    request = view_models.UndoRequest(
        "Ben asks to take 3 actions back",
        BLUE,
        ("Crannogman Trackers activate (Red)", "Craster claims Swords (Blue)", "Craster activates (Blue)"),
        (view_models.Offer("accept:5", "Accept", tone="main"), view_models.Offer("decline:5", "Decline")),
    )
    return replace(board_ask(), version=88, request=request)


def board_number() -> view_models.Board:
    """A long range: a stepper."""
    question = view_models.Question(
        "How many wounds?",
        "ask",
        RED,
        groups=(view_models.OfferGroup((view_models.numeric_offer("lose:thenn", "Wounds lost", 0, 24, 3),)),),
    )
    return replace(board_ask(), version=89, question=question, sides=(stark(), free_folk()))


def board_over() -> view_models.Board:
    """Red has won."""
    result = view_models.Result(
        "Anna wins 11 to 7",
        "Ten points and ahead at the end of round 5.",
        RED,
        (
            view_models.Link(f"{AT}/history", "History"),
            view_models.Link(f"{AT}/verify", "Verify"),
            view_models.Link(f"{AT}/export", "Download"),
        ),
    )
    return replace(
        board_ask(),
        version=171,
        header=header("Finished", 5, red=11, blue=7, to_act=""),
        question=view_models.Question("Anna wins 11 to 7", "over"),
        result=result,
        sides=(stark(), free_folk()),
        undo=None,
    )


def without_sheets(side: view_models.Side) -> view_models.Side:
    """A side as a spectator sees it."""
    groups = tuple(
        replace(group, cards=tuple(replace(card, sheet_url="", offer=None) for card in group.cards))
        for group in side.groups
    )
    return replace(side, groups=groups, sheet_url="", mine=False)


def board_watch() -> view_models.Board:
    """What a spectator sees."""
    board = board_ask()
    return replace(
        board,
        question=view_models.Question("Anna chooses a unit", "watch", RED),
        sides=(without_sheets(stark()), without_sheets(free_folk())),
        middle=replace(MIDDLE, objectives=tuple(replace(card, sheet_url="") for card in OBJECTIVES)),
        seat="",
        mark=0,
        undo=None,
    )
