"""The board as one audience may see it: rows in, finished shapes out, HTML from those.

It is rendered once for each audience and version: the page, the answer to a tap, the poll and the stream all
show the same bytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from msgspec.structs import replace

from games import core, rulebook, translation, view_models
from games.core import Offer, Step, going_on, together
from games.hall import event_tables
from games.history import commits
from games.live.hub import Audience
from games.match import play, storage, undoing
from games.match.storage import Altered
from games.models import Entry, SeatRequest
from games.monitoring import answer_times
from games.pages.opening import rematch
from games.pages.records import story
from games.pages.table import guiding, lobby
from games.pages.table.loaded import Table, active_seat
from games.templating import part
from games.translation import gettext as _
from games.view_models.game_page import Page


def html(table: Table, audience: Audience, notice: view_models.Notice | None = None) -> str:
    """The board's region for an audience, in its language; drawn once for all who see the same."""
    drawn = table.loaded.drawn if table.loaded and notice is None else {}
    looks = (audience, table.seating)
    if looks not in drawn:
        began = time.perf_counter()
        with translation.override_game(table.match.system, audience.language):
            drawn[looks] = part("table/board.html", board=board(table, audience, notice))
        answer_times.spend(answer_times.DRAWING, began)
    return drawn[looks]


def board(table: Table, audience: Audience, notice: view_models.Notice | None = None) -> view_models.Board:
    """The whole board for one audience; words in the active language."""
    if len(audience.seats) < 2:
        return BoardOf(table, audience, "".join(audience.seats)).shape(notice)
    seat = active_seat(table, audience.seats, audience.speaker)
    return SharedBoard(table, audience, seat).shape(notice)


class BoardOf:
    """The board of one table as one seat ("" for a spectator) sees it."""

    is_chosen = False
    suffix = opened = ""

    def __init__(self, table: Table, audience: Audience, seat: str) -> None:
        self.table, self.match, self.seats, self.seat = table, table.match, audience.seats, seat
        self.is_blind = bool(seat) and table.is_blind(seat)
        shown = seat if (self.is_chosen or len(self.seats) == 1) and not self.is_blind else None
        self.reader = shown
        offers = tuple(offer for offer in table.offers(seat) if shown is not None or not offer.is_secret)
        page_type: type[Page] = table.game.page or Page
        self.page = page_type(
            core.view(table.state, shown), seat or None, offers, translation.translator(), self.sheet_url()
        )
        self.page.thought = table.thought
        self.page.is_read_only = not seat or self.match.result is not None
        self.page.recent = self.recent
        self.sentences_of: dict[int, tuple[str, ...]] = {}

    def sheet_url(self) -> Callable[[str], str]:
        if not self.seat or self.match.result is not None:
            return self.read_url
        return lambda path: f"/t/{self.match.code}/piece/{path}{self.suffix}"

    def read_url(self, path: str) -> str:
        """The address of a unit's printed numbers, for a reader who may correct nothing."""
        has_profile = self.page.has_profiles and path.startswith("unit/")
        return reverse("piece", args=[self.match.code, path]) if has_profile else ""

    def shape(self, notice: view_models.Notice | None) -> view_models.Board:
        page, table, match = self.page, self.table, self.match
        # The cards take their offers; the question gets those that are left.
        sides, acting, undo, middle = self.sides(), self.acting(), self.undo(), page.middle()
        is_open = bool(self.seat and table.open_seats)
        shown = view_models.Board(
            version=match.version,
            title=_(table.game.mode(match.mode).title),
            header=self.header(),
            question=question_for(table, page, self.seat),
            sides=sides,
            middle=middle,
            seat=self.seat,
            mark=page.marks.get(self.seat, 0),
            notice=notice or (self.closed() if self.is_blind else None),
            acting=acting,
            attack=page.attack(),
            undo=undo,
            request=self.request(),
            result=self.result(match.result, sides) if match.result is not None else None,
            news=self.news(),
            followed=self.followed() if undo else "",
            last="" if undo else self.last(),
            history_url=reverse("history", args=[match.code]) + self.suffix,
            several=len(self.seats) > 1,
            chosen=self.is_chosen,
            opened=self.opened,
            guests=self.guests() if is_open and match.result is None else (),
            asked=requests_key(table.asking) if is_open else None,
            ways=() if self.seat else (*self.way_in(), *self.way_to_watch()),
            side_template=page.side_template,
            middle_template=page.middle_template,
        )
        return shown if table.state.round else self.before_the_match(shown)

    def before_the_match(self, shown: view_models.Board) -> view_models.Board:
        return lobby.with_lobby(shown, self.table, self.page, self.seats)

    def sides(self) -> tuple[view_models.Side, ...]:
        return self.page.sides()

    def acting(self) -> view_models.Acting | None:
        return self.page.acting()

    def header(self) -> view_models.Header:
        page, number, rounds = self.page, self.table.state.round, self.page.rounds()
        label, phase = page.words(self.table.game.round_name(number, rounds)), page.phase()
        return view_models.Header(
            label,
            phase if phase != label else "",
            page.seat_scores(self.table.awaited),
            view_models.track(rounds, number),
            _("First Player"),
        )

    def undo(self) -> view_models.Undo | None:
        if not self.seat or self.match.undo_request is not None or self.match.altered:
            return None
        entry = self.table.newest_standing
        if entry is None or (self.match.result is not None and entry.kind != Entry.Kind.TAP):
            return None
        sequence = undoing.newest_sequence(self.table.state, self.match, entry)
        needs = undoing.needs(self.table.state.seats, self.seat, sequence)
        needs = () if {*needs} <= {*self.seats} else needs
        asks = (
            _("%(names)s must agree") % {"names": _(", ").join(self.page.name(seat) for seat in needs)}
            if needs
            else ""
        )
        label = self.attributed(entry)
        return view_models.Undo(str(entry.version), label, asks and going_on(label, asks))

    def way_to_watch(self) -> tuple[view_models.Link, ...]:
        """The link to the watchers' page, while there is something to watch."""
        if self.match.result is not None:
            return ()
        return (view_models.Link(reverse("watch", args=[self.match.code]), _("Spectator view"), "watch"),)

    def closed(self) -> view_models.Notice | None:
        """Why this phone does not see what is sealed on its seat, as long as the match goes on."""
        if self.match.result is not None or not self.table.state.armies[self.seat].hidden:
            return None
        line = _("Anything sealed before you took this seat stays hidden until the next question.")
        return view_models.Notice(together([line, _("Only the organiser can show it sooner.")]))

    def guests(self) -> tuple[view_models.Guest, ...]:
        return tuple(self.guest(asked) for asked in self.table.asking)

    def guest(self, asked: SeatRequest) -> view_models.Guest:
        key = asked.seat.key
        words = {"name": asked.name, "seat": _(self.table.game.seat_names.get(key, key))}
        title = _("%(name)s wants %(seat)s") if asked.name else _("A guest wants %(seat)s")
        return view_models.Guest(asked.pk, self.page.marks.get(key, 0), title % words)

    def way_in(self) -> tuple[view_models.Link, ...]:
        """The link to a seat that is still open, while somebody sits here who can grant it."""
        open_seats = len(self.table.open_seats) if self.match.result is None else 0
        if not 0 < open_seats < len(self.table.state.seats):
            return ()
        tone = "" if self.table.state.round else "main"
        return (
            view_models.Link(reverse("join", args=[self.match.code]), _("Take a seat"), "people", tone=tone),
        )

    def attributed(self, entry: Entry) -> str:
        """An action's first sentence, with its author if it neither names them nor speaks to them."""
        sentences = self.sentences(entry) or (self.page.words(storage.readable_lines(entry, self.reader)[0]),)
        speaks_to_them = bool(self.sentences(entry)) and not entry.lines
        if not entry.author or speaks_to_them or entry.author in sentences[0]:
            return sentences[0]
        return _("%(who)s: %(action)s") % {"who": entry.author, "action": sentences[0]}

    def request(self) -> view_models.UndoRequest | None:
        """What has to be decided before the game goes on."""
        if self.match.altered:
            return decision_on(self.page, self.match.altered, self.seat)
        return self.undo_request(self.match.undo_request) if self.match.undo_request else None

    def undo_request(self, asked: dict[str, Any]) -> view_models.UndoRequest:
        entries = Entry.objects.filter(match=self.match, version__in=asked["versions"]).order_by("-version")
        names = self.page.name(asked["by"]) if asked["by"] else _("The organiser")
        return view_models.UndoRequest(
            _("%(name)s asks to undo:") % {"name": names},
            self.page.marks.get(asked["by"], 0),
            tuple(self.attributed(entry) for entry in entries),
            self.request_choices(asked),
        )

    def request_choices(self, asked: dict) -> tuple[view_models.Offer, ...]:
        if self.seat and self.seat == asked["by"]:
            return (view_models.Offer("decline", _("Withdraw request"), tone="quiet"),)
        if self.seat in asked["needs"] and self.seat not in asked["agreed"]:
            return (
                view_models.Offer("agree", _("Agree to undo"), tone="main"),
                view_models.Offer("decline", _("Decline undo"), tone="quiet"),
            )
        return ()

    def result(self, result: dict[str, Any], sides: tuple[view_models.Side, ...]) -> view_models.Result:
        winner, how = result.get("winner"), self.page.ended_how(result.get("how", ""))
        mark = self.page.marks.get(winner, 0) if winner else 0
        return self.with_story(view_models.Result(who_won(self.page), how, mark), sides)

    def with_story(
        self, result: view_models.Result, sides: tuple[view_models.Side, ...]
    ) -> view_models.Result:
        """The result with how it came about, and where to go from a finished match."""
        code = self.match.code
        shares = view_models.Link(reverse("recap", args=[code]), _("Share"), "share")
        more = ("score", _("Score card")), ("replay", _("Replay")), ("history", _("History"))
        return replace(
            result,
            links=(*(self.to_event() or self.rematch()), shares),
            more=(
                *(view_models.Link(reverse(name, args=[code]), label) for name, label in more),
                view_models.Link(reverse("home"), _("Home")),
                view_models.Link(reverse("verify", args=[code]), _("Check random results")),
            ),
            story=story.of(self.table, sides),
        )

    def to_event(self) -> tuple[view_models.Link, ...]:
        """The link from an event's table to the event, where its next round will call for its players."""
        code = event_tables.event_of(self.match.code)
        if not code:
            return ()
        return (view_models.Link(reverse("event", args=[code]), _("Back to the event"), tone="main"),)

    def rematch(self) -> tuple[view_models.Link, ...]:
        """The link to the rematch: open one, take a seat at one that somebody has opened, or go there."""
        opened = rematch.opened(self.match)
        if opened is None:
            url, label = rematch.rematch_address(self.match), _("Rematch")
            return (view_models.Link(url, label, tone="main"),) if self.seat else ()
        label = _("Go to the rematch")
        if opened.waits_for(self.seats):
            label = _("A rematch is open: take your seat")
        return (view_models.Link(reverse("rematch", args=[self.match.code]), label, tone="main"),)

    def last(self) -> str:
        return next((said[-1] for entry in self.table.recent if (said := self.sentences(entry))), "")

    def sentences(self, entry: Entry) -> tuple[str, ...]:
        """What an entry tells this reader; kept, because the newest entry is shown in several places."""
        if entry.version not in self.sentences_of:
            self.sentences_of[entry.version] = tuple(
                map(self.page.words, commits.lines_for(entry, self.reader))
            )
        return self.sentences_of[entry.version]

    def recent(self) -> Iterator[tuple[str, str]]:
        """The newest entries not undone, as this seat may read them."""
        for entry in self.standing():
            yield entry.action, together(self.sentences(entry))

    def standing(self) -> Iterator[Entry]:
        """The newest entries not undone; the others are read only if the first does not do."""
        newest = self.newest()
        # Nothing can have undone the newest one.
        if newest is not None and newest.kind in undoing.UNDOABLE_KINDS:
            yield newest
        yield from (entry for entry in self.table.recent if entry != newest and _stands(entry))

    def news(self) -> str:
        """Everything the newest action did, for screen readers."""
        newest = self.newest()
        return together(self.sentences(newest)) if newest else ""

    def newest(self) -> Entry | None:
        return self.table.newest or next(iter(self.table.recent), None)

    def followed(self) -> str:
        """What an undo did, or what followed the newest answer; the board itself shows a correction."""
        newest, entry = self.newest(), self.table.newest_standing
        if newest is not None and newest.kind == Entry.Kind.UNDO:
            return self.news()
        if entry is None or entry.kind != Entry.Kind.TAP:
            return ""
        return together(self.sentences(entry)[1:])


def _stands(entry: Entry) -> bool:
    """Whether an entry is an action that nobody has undone."""
    return entry.kind in undoing.UNDOABLE_KINDS and not entry.is_undone


def requests_key(requests: Iterable[SeatRequest]) -> str:
    return ".".join(str(asked.pk) for asked in requests)


def who_won(page: Page) -> str:
    """How a match ended, in two words."""
    winner = page.g.result.get("winner")
    return _("%(name)s wins") % {"name": page.name(winner)} if winner else page.no_winner()


# --- the question ---------------------------------------------------------------------------------


def question_for(table: Table, page: Page, seat: str) -> view_models.Question:
    """The open question for a seat ("" for a spectator), once the page's cards have taken their offers."""
    step = core.step_of(table.state)
    if step is None:
        return view_models.Question(_("The match is over."), "over")
    if seat in table.asked:
        title, state, mark = page.words(step.asking(page.g, seat)), "ask", page.marks[seat]
        hint = page.words(step.helping(page.g, seat))
    else:
        title = _("Waiting for %(names)s") % {"names": _(", ").join(map(page.name, table.awaited))}
        state, hint = "wait" if seat else "watch", page.words(step.asking(page.g, None))
        mark = page.marks[table.awaited[0]] if len(table.awaited) == 1 else 0
    doing, doer = page.doing()
    if seat and doer == page.marks[seat]:
        # Their own piece acts: unless they are asked, that is their moment, and who is asked comes next.
        if state == "wait":
            title, mark, hint = doing, doer, _("Next: %(asked)s") % {"asked": hint}
        doing = ""
    rule, groups, sources = _rule(table, step), page.groups(), page.sources()
    return view_models.Question(title, state, mark, hint, rule, groups, sources, doing, doer)


def _rule(table: Table, step: Step) -> view_models.RuleNote | None:
    rule = rulebook.rules(table.match.system).get(step.resting_on(table.state))
    if rule is None:
        return None
    url = f"{reverse('table-rules', args=[table.match.code])}#{rule.key}"
    return view_models.RuleNote(_(rule.text), f"{_(rule.chapter)} · {rule.key}", url)


# --- the halves of a shared device ----------------------------------------------------------------


class SharedBoard(BoardOf):
    """The board of a device that several players share.

    One of them may have said that they hold it: then it shows what is theirs alone (`is_chosen`).
    """

    def __init__(self, table: Table, audience: Audience, seat: str) -> None:
        self.is_chosen = bool(audience.speaker)
        self.suffix = f"?seat={seat}" if self.is_chosen else ""
        self.halves = opened_now(table, audience.opened)
        self.opened = audience.opened if self.halves else ""
        super().__init__(table, audience, seat)

    def shape(self, notice: view_models.Notice | None) -> view_models.Board:
        shown = super().shape(notice)
        if self.match.result is None:
            shown = replace(shown, hand_over=self.hand_over({side.key for side in shown.sides if side.asked}))
        # A newcomer plays all sides on this device until the first steps are closed.
        is_guided = self.match.is_guided and len(self.seats) == len(self.table.state.seats)
        return guiding.with_first_steps(shown, self.table, self.page, self.seat) if is_guided else shown

    def sides(self) -> tuple[view_models.Side, ...]:
        """All armies; a player who is asked, but not in the bar, has the question here."""
        if self.is_chosen:
            return super().sides()
        shared = Halves(self.table, self.page, self.seats, self.halves)
        return tuple(map(shared.side, self.page.sides()))

    def acting(self) -> view_models.Acting | None:
        """What may be noted about the unit that acts, whichever player's unit it is."""
        acting = self.page.acting()
        if self.is_chosen:
            return acting
        meant = self.page.doing()[1] or (acting.mark if acting and not acting.groups else 0)
        owner = next((key for key, mark in self.page.marks.items() if mark == meant), "")
        if owner not in self.seats:
            return acting
        page = type(self.page)(self.page.g, owner, (), self.page.words, self.sheet_url())
        page.recent = self.recent
        return page.acting()

    def hand_over(self, asked: Container[str]) -> tuple[view_models.Link, ...]:
        """Links to what one of this phone's seats sees alone, and from there back to what all may see."""
        url = reverse("table", args=[self.match.code])
        others = tuple(
            view_models.Link(f"{url}?seat={other}", _("Play as %(name)s") % {"name": self.page.name(other)})
            for other in self.seats
            if not (self.is_chosen and other == self.seat) and self.hides(other, asked)
        )
        return (*others, view_models.Link(url, _("Hide secrets"))) if self.is_chosen else others

    def hides(self, seat: str, asked: Container[str]) -> bool:
        """Whether one of this phone's seats sees or may do what the board for all its seats does not show."""
        state, offers = self.table.state, self.table.offers(seat)
        if state.armies[seat].hidden or any(offer.is_secret for offer in offers):
            return True
        may_think_again = seat in self.table.asked and seat not in self.table.awaited
        return may_think_again and seat != self.seat and seat not in asked


@dataclass(frozen=True)
class Halves:
    """The halves of a device, by its `seats`. `page` is the bar's, drawn from a position without secrets."""

    table: Table
    page: Page
    seats: tuple[str, ...]
    opened: tuple[str, ...]

    def side(self, side: view_models.Side) -> view_models.Side:
        """A side with its player's question, and with the secrets that its player has opened."""
        if side.key not in self.seats:
            return side
        offers = self.table.offers(side.key)
        secret = tuple(offer for offer in offers if offer.is_secret)
        if side.key not in self.opened or self.table.is_blind(side.key):
            return replace(side, asked=self.asked(side.key, offers, None))
        own = self.page_of(core.view(self.table.state, side.key), side.key, secret)
        hand = own.side(side.key)
        return replace(
            side,
            free_actions=tuple(group.signed(side.key) for group in hand.free_actions),
            folds=hand.folds,
            asked=self.asked(side.key, offers, own),
        )

    def asked(self, seat: str, offers: tuple[Offer, ...], own: Page | None) -> view_models.Acting | None:
        """What a player is asked on this half; `own`, if given, is a page that shows their secrets, too."""
        step, is_of_bar = core.step_of(self.table.state), seat == self.page.seat
        has_secret = any(offer.is_secret for offer in offers)
        plain = () if is_of_bar else tuple(self.plain(seat, offers))
        if step is None or not (plain or has_secret):
            return None
        groups = self.page_of(self.page.g, seat, plain).groups()
        if any(group.template for group in groups):
            return None
        g, lid = own.g if own else self.page.g, self.lid(seat) if has_secret else ()
        is_question = bool(plain) or seat in self.table.asked
        return view_models.Acting(
            self.page.words(step.asking(g, seat)) if is_question else self.page.name(seat),
            self.page.marks[seat],
            self.page.words(step.helping(g, seat)) if is_question else "",
            tuple(group.signed(seat) for group in (*groups, *(own.groups() if own else ()))),
            ways=(*lobby.army_way(self.table, seat), *lid),
        )

    def plain(self, seat: str, offers: tuple[Offer, ...]) -> Iterator[Offer]:
        """What all may read of a player's offers; one device needs a quiet way out only once."""
        is_asked = seat in self.table.asked
        return (offer for offer in offers if not offer.is_secret and (is_asked or offer.style != "quiet"))

    def page_of(self, g: object, seat: str, offers: tuple[Offer, ...]) -> Page:
        return type(self.page)(g, seat, offers, self.page.words, self.page.sheet_url)

    def lid(self, seat: str) -> tuple[view_models.Link, ...]:
        """The link that opens or closes this half for the current question; the others stay as they are."""
        if self.table.is_blind(seat):
            return ()
        is_open = seat in self.opened
        shown = [half for half in self.seats if (half in self.opened) != (half == seat)]
        url = reverse("table", args=[self.table.match.code])
        query = f"?open={'.'.join((str(self.table.match.asked), *shown))}" if shown else ""
        label, icon = (_("Hide my secrets"), "sealed") if is_open else (_("Show my secrets"), "watch")
        return (view_models.Link(url + query, label, icon),)


def opened_now(table: Table, opened: str) -> tuple[str, ...]:
    """The seats whose halves were opened for the current question."""
    number, *seats = opened.split(".")
    return tuple(seats) if number == str(table.match.asked) else ()


# --- while something secret was changed outside the game ------------------------------------------


def decision_on(page: Page, altered: Altered, seat: str) -> view_models.UndoRequest:
    """The sentences, and the decisions that this seat ("" for a spectator) may make."""
    sentences = tuple(page.words(line) for line in storage.altered_sentences(page.g, altered))
    marks = [page.marks.get(owner, 0) for owner in storage.seats_of(altered["places"])]
    return view_models.UndoRequest(
        _("Play is paused"),
        marks[0] if len(marks) == 1 else 0,
        (*sentences, *_next_decision(page, altered)),
        (_decision(altered),) if seat and seat not in altered["agreed"] else (),
    )


def _next_decision(page: Page, altered: Altered) -> tuple[str, ...]:
    """Who decides, and what happens then."""
    if altered["restorable"]:
        return (
            _("Any seated player can restore the sealed answer. Its fingerprint proves that it is right."),
            _("Only an organiser can decide otherwise."),
        )
    everybody = _(
        "If all players agree, the match continues with what is stored. An organiser can decide alone."
    )
    if not altered["agreed"]:
        return (everybody,)
    names = _(", ").join(page.name(seat) for seat in altered["agreed"])
    return everybody, _("Agreed so far: %(names)s") % {"names": names}


def _decision(altered: Altered) -> view_models.Offer:
    if altered["restorable"]:
        return view_models.Offer(play.RESTORE, _("Put it back"), tone="main")
    return view_models.Offer(play.ACCEPT, _("Agree to continue"), tone="main")
