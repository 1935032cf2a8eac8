"""The pages and states that pictures are taken of: each with its name and how a page gets there.

The scenes of planted tables cover every installed game; those on the way to a match and
within one are played with the miniatures game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.match import storage, undoing
from games.models import Entry, Match
from tests.browser import driving
from tests.browser.driving import SET_UP, link, opened
from tests.browser.states import FIGHT, rare
from tests.browser.ways import Scene, at, seated, tab

LINES = [line for line in SET_UP.splitlines() if line]


def everything(planted: list[Match]) -> Iterator[Scene]:
    """All scenes, in the order in which people come to them; `planted` are the tables of seeds/."""
    yield from the_way_in()
    yield from the_set_up()
    yield from a_round()
    yield from tactics_cards()
    yield from of_tables(planted)
    yield from odds_and_ends()
    yield from rare()


def set_up_until(action: str) -> Match:
    """The table just before this answer in the set-up."""
    index = next(n for n, line in enumerate(LINES) if line.split()[1].startswith(action))
    return opened("\n".join(LINES[:index]))


def the_way_in() -> Iterator[Scene]:
    """Home, a new table, lists, seats, the lobby."""
    yield "home", at("/")
    yield "new", at("/new")
    yield "list-empty", seated(opened(), "red", "army/red")
    yield "list-warnings", seated(opened(), "red", "army/red", paste_with_faults)
    yield "seats", seated(opened(), "red", "seats")
    yield "claim", at(link(opened(), "blue"))
    yield "join", at(f"/t/{opened().code}/join")
    yield "lobby-1-no-army", seated(opened(), "red")
    yield "lobby-2-army", seated(opened("red demo:stark"), "red")
    yield "lobby-3-ready", seated(opened("red demo:stark\nred ready"), "red")
    yield "lobby-4-rival", seated(opened("red demo:stark\nred ready\nblue demo:lannister"), "red")


def paste_with_faults(page: Any) -> None:
    """A list with a misspelt name and a wrong cost."""
    text = driving.text_of("free-folk").replace("Craster", "Crasterr").replace("( 7 )", "( 9 )")
    page.fill("textarea", text)
    page.click("button:not(.unseen)[value=read]")
    page.wait_for_selector(".rows")


def the_set_up() -> Iterator[Scene]:
    """What is asked before the first round."""
    yield "setup-roll", seated(set_up_until("rolled"), "red")
    yield "setup-token", seated(set_up_until("placed"), "red")
    yield "setup-cards", seated(set_up_until("card"), "red")
    yield "setup-pick", seated(set_up_until("pick-zone"), "blue")
    yield "setup-deploy", seated(set_up_until("deployed"), "blue")


def a_round() -> Iterator[Scene]:
    """A turn, a fight, a zone, a request, the clean-up."""
    begun = opened(SET_UP)
    yield "turn", seated(begun, "red")
    yield "waiting", seated(begun, "blue")
    yield "rule", seated(begun, "red", also=lambda page: page.click(".rule summary"))
    yield "acting", seated(opened(SET_UP + "red activate:crannogman-trackers\n"), "red")
    fight = opened(SET_UP + FIGHT)
    yield "acting-fight", seated(fight, "red")
    mine = Entry.objects.filter(match=fight, kind="tap", seat="red").last()
    assert mine is not None
    yield "zone", seated(opened(SET_UP + "red activate:arya-stark\n"), "red")
    asked = opened(SET_UP + FIGHT)
    undoing.ask(asked.code, "blue", mine.version, "askingkey1")
    yield "request", seated(asked, "red")
    clean = opened(SET_UP)
    driving.play_until(clean, lambda state: state.round == 2 and state.question.step == "score-points")
    driving.do(clean, contest(clean))
    yield "clean-up", seated(clean, "red")
    yield "clean-up-watch", at(f"/t/{clean.code}/")


def contest(match: Match) -> str:
    """The actions by which a unit on a token is weakened, then engaged by an enemy that is now larger."""
    state = storage.load(match).state
    held = [state.units[token.claimed_by] for token in state.tokens() if token.claimed_by]
    weak = next(unit for unit in held if unit.rank_size)
    rival = next(unit for unit in state.combat_units(state.rival(weak.army)) if unit.ranks > 1)
    path, fewer = f"unit/{weak.key}", 1 - weak.wounds
    return f"red {path} wounds:{weak.key}:{fewer}\nred {path} engage:{weak.key}:{rival.key}\n"


def tactics_cards() -> Iterator[Scene]:
    """A table whose decks the app keeps: the hand, a card being played, the discard pile."""
    cards = opened(SET_UP, decks=1)
    driving.play_cards(cards)
    yield "cards-hand", seated(cards, "red", also=unfold)
    yield "cards-folded", seated(cards, "red")
    yield "cards-watch", at(f"/t/{cards.code}/")
    yield "cards-sheet", seated(cards, "red", "piece/army/red")
    yield "cards-unit-sheet", seated(cards, "red", "piece/unit/lannister-crossbowmen")
    laying = opened(SET_UP, decks=1)
    driving.lay_a_card(laying)
    yield "cards-lay", seated(laying, "red")
    driving.do(laying, "red on:lannister-crossbowmen\n")
    yield "cards-how-long", seated(laying, "red")
    driving.do(laying, "red until:game\n")
    driving.play_until(laying, lambda state: state.question.step == "discard")
    yield "cards-discard", seated(laying, "red")


def unfold(page: Any) -> None:
    """Open the folds on one's own side."""
    for fold in page.locator(".side.mine > .folded > summary").all():
        fold.click()
    page.wait_for_timeout(200)


def of_tables(planted: list[Match]) -> Iterator[Scene]:
    """Every demo table, as a seat and a watcher see it, with its pages."""
    for match in planted:
        name = f"{match.system}-{match.pk}"
        key = match.armies.values_list("key", flat=True)[0]
        rivals = list(match.armies.values_list("key", flat=True)[1:])
        yield f"{name}-seat", seated(match, key)
        yield f"{name}-watch", at(f"/t/{match.code}/")
        yield f"{name}-middle", seated(match, key, also=tab("middle"))
        yield f"{name}-rival", seated(match, key, also=tab(rivals[0]))
        yield f"{name}-history", seated(match, key, "history")
        yield f"{name}-score", seated(match, key, "score")
        yield f"{name}-print", at(f"/t/{match.code}/print")
        yield f"{name}-seats", seated(match, key, "seats")
        yield f"{name}-verify", at(f"/t/{match.code}/verify")
        yield f"{name}-rules", at(f"/t/{match.code}/rules")
        if match.result is None:
            yield f"{name}-sheet", seated(match, key, also=first_sheet)
            yield f"{name}-sheet-army", seated(match, key, f"piece/army/{key}")
            yield f"{name}-sheet-table", seated(match, key, "piece/table")
            place = match.objectives.first()
            if place is not None:
                yield f"{name}-sheet-place", seated(match, key, f"piece/objective/{place.key}")


def first_sheet(page: Any) -> None:
    """The sheet of the first card, over the board; if cards have none, that of the side."""
    of_cards, any_pencil = (page.locator(f"{each}.pencil:visible") for each in (".cards ", ""))
    (of_cards if of_cards.count() else any_pencil).first.click()
    page.wait_for_selector("#sheet[open]")
    page.wait_for_timeout(200)


def odds_and_ends() -> Iterator[Scene]:
    """The menu, and pages that do not exist."""
    begun = opened(SET_UP)
    yield "menu", seated(begun, "red", also=lambda page: page.click(".menu summary"))
    yield "not-found", at("/find?code=XXXXXX")
    yield "offline", at("/offline")
