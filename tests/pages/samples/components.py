"""Every component in every state, by kind: which template draws it, and what it is given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from games import view_models
from games.pages.opening import home, list_pages
from tests.pages.samples import boards, page_parts, pieces, record_parts
from tests.pages.samples.pieces import AT, BLUE, RED


class Sample(NamedTuple):
    """One component in one state; `label` says which state."""

    label: str
    template: str
    context: dict[str, Any]


class Kind(NamedTuple):
    """All states of one kind of component."""

    title: str
    samples: tuple[Sample, ...]


def kinds() -> Iterator[Kind]:
    """The kinds in the order in which a table uses them."""
    yield Kind("Offers", tuple(offers()))
    yield Kind("Cards", tuple(cards()))
    yield Kind("Score header", tuple(headers()))
    yield Kind("Thumb bar", tuple(bars()))
    yield Kind("Sides and middle", tuple(regions()))
    yield Kind("Sentences", tuple(sentences()))
    yield Kind("Lists and sheets", tuple(lists()))


def offers() -> Iterator[Sample]:
    """Buttons, steppers and groups of them."""
    given = {
        "main": view_models.Offer("roll", "Roll a die", tone="main"),
        "plain": view_models.Offer("draw", "Draw"),
        "with a detail and a mark": view_models.Offer("to:blue", "Ben", "takes the token", mark=BLUE),
        "quiet": view_models.Offer("decline", "Decline", tone="quiet"),
        "first steps point at it": view_models.Offer("draw", "Draw", next=True),
        "danger": view_models.Offer("concede", "Concede the match", tone="danger"),
        "short range": view_models.numeric_offer("rolled", "Enter my roll", 1, 6),
        "stepper": view_models.numeric_offer("lose", "Wounds lost", 0, 24, 3, "Of 24 left"),
    }
    for label, offer in given.items():
        yield Sample(label, "parts/offer.html", {"offer": offer})
    two = (given["plain"], given["danger"])
    yield Sample("group", "parts/group.html", {"group": view_models.OfferGroup(two, "A heading")})
    yield Sample(
        "folded group", "parts/group.html", {"group": view_models.OfferGroup(two, "Folded", folded=True)}
    )
    yield Sample(
        "way", "parts/way.html", {"way": view_models.Link(AT, "Paste your list", "list", tone="main")}
    )
    yield Sample("address", "parts/address.html", {"url": "https://roundtable.example/t/BPUCDK/"})
    yield Sample("link", "parts/link.html", {"way": view_models.Link(AT, "History", "history")})


def cards() -> Iterator[Sample]:
    """Cards in every state."""
    bad, held = pieces.PANICKED, view_models.Badge("Centre", "target", "hold", RED)
    given = {
        "ready": pieces.unit("ready", "Sworn Swords"),
        "may be tapped": pieces.tappable(pieces.unit("tap", "Umber Berserkers")),
        "acting": pieces.unit("acting", "Wolf Pack", 4, 5, "acting"),
        "activated": pieces.unit("done", "Grey Wind", 5, 6, "done"),
        "destroyed": pieces.unit("out", "Crannogman Trackers", 0, 12, "out"),
        "in Reserve": pieces.unit("away", "Tully Cavaliers", 12, 12, "away"),
        "leader, conditions, a note": pieces.unit(
            "led", "Honor Guard", 7, 12, leader="Commander", badges=(bad, held), text="Owes a panic test."
        ),
        "character": pieces.character("ncu", "Catelyn Stark"),
        "objective": pieces.OBJECTIVES[0],
    }
    for label, card in given.items():
        yield Sample(label, "parts/card.html", {"card": card})


def headers() -> Iterator[Sample]:
    """The score on top of a table."""
    given = {
        "one to act": pieces.header(to_act="red"),
        "both to act": replace(
            pieces.header(), seats=tuple(replace(one, to_act=True) for one in pieces.scores())
        ),
        "six seats": page_parts.six().header,
    }
    for label, header in given.items():
        yield Sample(label, "parts/header.html", {"header": header})


def bars() -> Iterator[Sample]:
    """The question at the bottom."""
    given = {
        "asked": boards.board_setup(),
        "lobby": boards.board_lobby(),
        "a number": boards.board_number(),
        "an attack": boards.board_attack(),
        "waiting": boards.board_acting(),
        "watching": boards.board_watch(),
        "somebody asks for an undo": boards.board_request(),
        "over": boards.board_over(),
        "refused": replace(
            boards.board_setup(), notice=view_models.Notice("Something changed.", "bad", "TMG-61")
        ),
    }
    for label, board in given.items():
        yield Sample(label, "table/bar.html", {"board": board})
    yield Sample("a score", "table/sources.html", {"sources": boards.board_score().question.sources})


def regions() -> Iterator[Sample]:
    """The parts of a board."""
    yield Sample("side", "parts/side.html", {"side": pieces.stark(), "acting": boards.board_acting().acting})
    yield Sample("middle", "parts/middle.html", {"middle": pieces.MIDDLE})
    yield Sample("places", "parts/places.html", {"middle": pieces.MIDDLE})
    yield Sample("header of a side", "parts/side_header.html", {"side": pieces.stark()})
    yield Sample("guide", "parts/guide.html", {"guide": boards.board_cleanup().middle.guide})
    yield Sample("invitation", "parts/invitee.html", {"invitee": boards.board_lobby().middle.invitee})
    yield Sample(
        "everybody has come", "parts/invitee.html", {"invitee": view_models.Invitee(2, "Here: Anna")}
    )
    yield Sample("a guest asks for a seat", "table/guests.html", {"guests": boards.board_lobby().guests})
    yield Sample("score", "parts/score.html", {"score": pieces.score_table()})


def sentences() -> Iterator[Sample]:
    """Notices and errors."""
    for tone in ("", "good", "bad"):
        notice = view_models.Notice("One sentence for a player.", tone, "TMG-17" if tone == "bad" else "")
        yield Sample(tone or "plain", "parts/notice.html", {"notice": notice})
    steps = view_models.FirstSteps("First steps", "Sides take turns.", "Activate Honor Guard", "Red", RED)
    yield Sample("first steps", "table/first_steps.html", {"steps": steps})
    over = view_models.FirstSteps(
        "First steps", "That was a round.", links=(view_models.Link(AT, "Start a table", "plus"),)
    )
    yield Sample("first steps are over", "table/first_steps.html", {"steps": over})
    rounds = (home.FirstRound(AT, "A game", "What it teaches.", "12 taps"),)
    given = {"rounds": rounds, "key": "key", "csrf_token": "token"}
    yield Sample("rounds to try", "opening/rounds.html", given)
    yield Sample("refused field", "parts/error.html", {"name": "target", "sentence": "Enter a whole number."})


def lists() -> Iterator[Sample]:
    """Tables, sheets and charts."""
    yield Sample(
        "tables", "opening/tables.html", {"rows": [rows[0] for _title, rows in page_parts.home().sections]}
    )
    leader = list_pages.ListRow(0, "Robb Stark", "The Wolf Lord", 3, leader=True)
    yield Sample("row of an army", "opening/row.html", {"row": leader})
    for chart in record_parts.score_card().charts:
        yield Sample("chart", "parts/chart.html", {"chart": chart})
    yield Sample("sheet", "table/piece_sheet.html", {"sheet": page_parts.sheet()})
