"""What a game shows on the table's page: its sides, what lies between them, its phase.

`Page` draws any game plainly; a game's own page overrides the regions that it
wants to draw better. It gets a position as the reader may see it and fills shapes
with finished words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any, TypeAlias, TypeVar

from games import view_models
from games.core import Line, Offer, System, Term, Thought, say, system
from games.core import gettext_noop as _

Words: TypeAlias = Callable[[Line], str]
"""Turns a line into a reader's language; always the same object, because drawings are kept by it."""

Drawn = TypeVar("Drawn")

MOST_DRAWN = 5000
"""More drawings than all readers of a table need for all its pieces."""


def signed(amount: int) -> str:
    """A change as people write it: "+2", "−1", "0"."""
    return f"{amount:+d}".replace("-", "\u2212") if amount else "0"


def plain_number(amount: int) -> str:
    """A number with the minus that `signed` writes."""
    return str(amount).replace("-", "\u2212")


class Page:
    """The regions of one table for one reader.

    `g` is the position as seen by `seat` (None: a spectator), `offers` is what that seat
    may tap, `words` turns a line into the reader's language, `sheet_url` a path such
    as "unit/wolves" into the address of its sheet ("" for spectators). `recent` gives the
    newest entries of the log, newest first: the action and the sentences of each.
    """

    side_template = "parts/side.html"
    middle_template = "parts/middle.html"
    icons_template = ""
    styles: tuple[str, ...] = ()
    screen_template = ""
    screen_styles: tuple[str, ...] = ()
    """What draws a field for a television, if there is one, and the style sheets for that."""
    beside: tuple[int, ...] = (-3, -2, -1, 1, 2, 3)
    """The steps by which a number is corrected beside the board."""
    has_profiles = False
    """Whether `profile` knows the printed cards of the units."""
    is_read_only = False
    """Whether the reader may correct nothing: a spectator, or anybody once the match is over."""
    thought: Thought | None = None
    """Everybody's time, if the match is played by the clock."""

    def __init__(
        self,
        g: Any,
        seat: str | None,
        offers: Iterable[Offer],
        words: Words,
        sheet_url: Callable[[str], str],
    ) -> None:
        self.g = g
        self.seat = seat
        self.words = words
        self.sheet_url = sheet_url
        self.game: System[Any] = system(g.system)
        self.left = {offer.action: offer for offer in offers}
        self.recent: Callable[[], Iterable[tuple[str, str]]] = tuple
        self.marks = {key: mark for mark, key in view_models.marked(g.seats)}
        self.names = tuple([army.name for army in g.armies.values()])
        self._values_of_all: dict[str, tuple[Any, ...]] = {}

    @property
    def scripts(self) -> tuple[str, ...]:
        """What the game adds to the scripts of this table."""
        return ()

    def ground(self) -> Any:
        """The part of the board that never changes, for `icons_template`: drawn once, outside the board."""
        return None

    def field_template(self) -> str:
        """The part that draws for watchers, on the ground, what lies between the sides; "" for nothing."""
        return ""

    # --- unchanged pieces ----------------------------------------------------------------------

    def cached_until_changed(self, draw: Callable[..., Drawn], piece: Any, *about: Any) -> Drawn:
        """`draw(page, piece, *about)`, remembered for as long as nobody changes the piece.

        `draw` may depend on the piece, on `about`, on the players' names, and on what stays the same for a
        whole match.
        """
        values = tuple(vars(piece).values())
        return self._cached((draw, type(piece), piece.key, *about), values, draw, piece, *about)

    def cached_until_any_changes(self, mapping: str, draw: Callable[..., Drawn], *about: Any) -> Drawn:
        """`draw(page, *about)`, remembered for as long as nobody changes any piece of a mapping ("units")."""
        if mapping not in self._values_of_all:
            values = tuple([tuple(vars(piece).values()) for piece in getattr(self.g, mapping).values()])
            self._values_of_all[mapping] = values
        return self._cached((draw, mapping, *about), self._values_of_all[mapping], draw, *about)

    def _cached(
        self, what: tuple[Any, ...], values: tuple[Any, ...], draw: Callable[..., Drawn], *given: Any
    ) -> Drawn:
        drawings, key = self.g.drawings, (self.words, self.names, *what)
        latest: tuple[tuple[Any, ...], Drawn] | None = drawings.get(key)
        if latest is None or latest[0] != values:
            # Other threads draw the same for other readers, and may clear or add at any moment.
            if len(drawings) > MOST_DRAWN:
                drawings.clear()
            latest = drawings[key] = (values, draw(self, *given))
        return latest[1]

    # --- words ---------------------------------------------------------------------------------

    def t(self, message: str, **arguments: Any) -> str:
        """A message in the reader's language; "" stays ""."""
        return self.words(say(message, **arguments)) if message else ""

    def colour(self, seat: str) -> str:
        """The name of a seat's colour."""
        return self.t(self.game.seat_names.get(seat, seat))

    def name(self, seat: str) -> str:
        """The player's name, or the seat's colour if they have none."""
        return self.g.armies[seat].name or self.colour(seat)

    # --- offers --------------------------------------------------------------------------------

    def about(self, path: str) -> list[Offer]:
        """The offers about a piece that are left."""
        return [offer for offer in self.left.values() if offer.about == path]

    def take_offer(self, path: str) -> view_models.Offer | None:
        """The one plain offer about a piece, for its card; several stay in the bar."""
        about = self.about(path)
        return self.offer(self.take(about[0])) if len(about) == 1 and not about[0].is_numeric else None

    def take(self, offer: Offer) -> Offer:
        """Take an offer away from the bar, to put it on the card of its piece."""
        return self.left.pop(offer.action)

    def offer(self, offer: Offer) -> view_models.Offer:
        """An offer with finished words."""
        tone = {"main": "main", "quiet": "quiet", "apart": "danger"}.get(offer.style, "")
        detail = self.words(offer.detail) if offer.detail else ""
        if offer.minimum is not None and offer.maximum is not None:
            return view_models.numeric_offer(
                offer.action, self.words(offer.label), offer.minimum, offer.maximum, detail=detail
            )
        return view_models.Offer(offer.action, self.words(offer.label), detail, tone=tone)

    def groups(self) -> tuple[view_models.OfferGroup, ...]:
        """What is left for the thumb bar after the cards have taken their offers, the expected answer first.

        Offers with a heading of their own (`Offer.group`) are folded behind it.
        """
        order = {"main": 0, "plain": 1, "quiet": 2, "apart": 3}
        headed = [offer for offer in self.left.values() if offer.group]
        folds = tuple(
            view_models.OfferGroup(tuple(map(self.offer, offers)), self.t(title), folded=True)
            for title, offers in groupby(headed, key=lambda offer: offer.group)
        )
        plain = (offer for offer in self.left.values() if not offer.group)
        rest = sorted(plain, key=lambda offer: order.get(offer.style, 1))
        answers = tuple(self.offer(offer) for offer in rest if offer.style in ("main", "plain"))
        ways_out = tuple(self.offer(offer) for offer in rest if offer.style not in ("main", "plain"))
        groups = (view_models.OfferGroup(answers), *folds, view_models.OfferGroup(ways_out))
        return tuple(group for group in groups if group.offers)

    # --- regions -------------------------------------------------------------------------------

    def phase(self) -> str:
        return ""

    def rounds(self) -> int | None:
        """How many rounds the round track has; None if there is no track."""
        return None

    def target(self, seat: str) -> int | None:
        """The points that win; None if there is no such number."""
        return None

    def first(self) -> str | None:
        """The seat with the first-player mark."""
        return None

    def sides(self) -> tuple[view_models.Side, ...]:
        """The armies, the reader's own first."""
        keys = sorted(self.g.seats, key=lambda key: key != self.seat)
        return tuple(self.side(key) for key in keys)

    def side(self, key: str) -> view_models.Side:
        """One army as it stands."""
        army = self.g.armies[key]
        cards = tuple(self.card(unit) for unit in self.g.units_of(key))
        return view_models.Side(
            key,
            self.marks[key],
            self.colour(key),
            self.name(key),
            army=army.faction,
            mine=key == self.seat,
            facts=self.facts(key),
            groups=(view_models.CardGroup(self.t(_("Units")), cards),) if cards else (),
            sheet_url=self.sheet_url(f"army/{key}"),
        )

    def facts(self, key: str) -> tuple[view_models.Badge, ...]:
        """Small facts about an army; anything it keeps hidden shows as "Sealed"."""
        return (view_models.Badge(self.t(_("Sealed")), icon="sealed"),) if self.g.armies[key].hidden else ()

    def card(self, unit: Any) -> view_models.Card:
        return view_models.Card(
            unit.key,
            unit.name,
            state="done" if unit.activated else "ready",
            sheet_url=self.sheet_url(f"unit/{unit.key}"),
            offer=self.take_offer(f"unit/{unit.key}"),
        )

    def middle(self) -> view_models.Middle:
        """What lies between the armies."""
        places = tuple(self.place(place) for place in self.g.objectives.values())
        return view_models.Middle(
            self.t(_("Table")),
            self.t(_("Objectives")) if places else "",
            places,
            score=self.score_table(),
        )

    def place(self, place: Any) -> view_models.Card:
        """One objective."""
        return view_models.Card(
            place.key,
            place.name,
            mark=self.marks.get(place.override or "", 0),
            sheet_url=self.sheet_url(f"objective/{place.key}"),
            offer=self.take_offer(f"objective/{place.key}"),
        )

    def sources(self) -> tuple[view_models.Source, ...]:
        """Where the points that are asked about come from."""
        return ()

    def doing(self) -> tuple[str, int]:
        """Which piece acts now (of the reader's own, what to enter), and its seat's mark; or ("", 0)."""
        return "", 0

    def profile(self, path: str) -> view_models.Profile | None:
        """What players would look up on a piece's printed card ("unit/wolves"); None for nothing."""
        return None

    def acting(self) -> view_models.Acting | None:
        """The unit that acts now, and what may be noted about it."""
        return None

    def attack(self) -> view_models.Attack | None:
        """An attack that is being resolved."""
        return None

    def correction(self, path: str, offer: Offer) -> view_models.Offer:
        """A correction as a button beside the board; a number gets buttons for its smallest steps."""
        action, label = f"{path} {offer.action}", self.words(offer.label)
        if offer.minimum is None or offer.maximum is None:
            return view_models.Offer(action, label, form="adjust", field="change")
        choices = tuple(
            view_models.Choice(f"{action}:{step}", signed(step))
            for step in self.inline_steps(offer)
            if offer.minimum <= step <= offer.maximum
        )
        value = "" if offer.value is None else str(offer.value)
        return view_models.Offer(action, label, value, choices=choices, form="adjust", field="change")

    def inline_steps(self, offer: Offer) -> tuple[int, ...]:
        """The steps by which this number is corrected beside the board."""
        return self.beside

    def walked(self, facts: Mapping[str, Any] | None) -> view_models.Guide | None:
        """A list to work through, from derived facts: its title, and steps "done", "current" or "next"."""
        if facts is None:
            return None
        looks = {"done": "done", "current": "now", "next": "next"}
        steps = tuple(
            view_models.GuideStep(self.t(step["title"]), looks[step["state"]]) for step in facts["steps"]
        )
        at = sum(step.state != "next" for step in steps)
        progress = self.t(_("%(at)s of %(all)s"), at=at, all=len(steps))
        return view_models.Guide(self.t(facts["title"]), steps, progress)

    # --- score ---------------------------------------------------------------------------------

    def seat_scores(self, asked: Iterable[str] = ()) -> tuple[view_models.SeatScore, ...]:
        """The cells of the score header, in seating order."""
        waiting = set(asked)
        return tuple(
            view_models.SeatScore(
                key,
                self.marks[key],
                self.colour(key),
                self.name(key),
                self.g.points(key),
                self.target(key),
                first=key == self.first(),
                to_act=key in waiting,
                answered=key not in waiting and self.has_sealed(key),
                mine=key == self.seat,
            )
            for key in self.g.seats
        )

    def has_sealed(self, key: str) -> bool:
        """Whether a seat has given an answer that is still secret."""
        return bool(self.g.armies[key].hidden)

    def score_table(self) -> view_models.ScoreTable | None:
        """The score round by round with its reasons; None before anybody has scored."""
        if not self.g.scores:
            return None
        total = tuple(plain_number(self.g.points(key)) for key in self.g.seats)
        lines = tuple(map(self.score_line, sorted(self.scores_by_round)))
        return view_models.ScoreTable(self.t(self.game.round_word), self.seat_scores(), lines, total)

    @cached_property
    def scores_by_round(self) -> dict[int, list[Any]]:
        by_round: dict[int, list[Any]] = {}
        for score in self.g.scores.values():
            by_round.setdefault(score.round, []).append(score)
        return by_round

    def points_in(self, number: int) -> dict[str, int]:
        """What each seat was given in a round."""
        points = dict.fromkeys(self.g.seats, 0)
        for score in self.scores_by_round.get(number, ()):
            points[score.seat] += score.points
        return points

    def score_line(self, number: int) -> view_models.ScoreLine:
        """One round of the score: what each seat was given, and why."""
        alike: dict[tuple[int, str], list[Any]] = {}
        for score in self.scores_by_round.get(number, ()):
            alike.setdefault((self.marks[score.seat], score.reason), []).append(score)
        return view_models.ScoreLine(
            self.words(self.game.round_name(number)),
            tuple(map(plain_number, self.points_in(number).values())),
            tuple(self.reason(scores) for _key, scores in sorted(alike.items(), key=lambda each: each[0][0])),
        )

    def reason(self, scores: list[Any]) -> str:
        """The points that a seat was given for one reason, in one sentence."""
        seat, why = self.name(scores[0].seat), Term(scores[0].reason)
        change = signed(sum(score.points for score in scores))
        sources = self.t(_(", ")).join(self.t(score.source) for score in scores if score.source)
        if sources:
            line = _("%(seat)s %(change)s: %(reason)s, %(source)s")
            return self.t(line, seat=seat, change=change, reason=why, source=sources)
        return self.t(_("%(seat)s %(change)s: %(reason)s"), seat=seat, change=change, reason=why)

    def tallies(self) -> Iterable[tuple[str, tuple[int, ...]]]:
        """What else the score card counts: a label, and a number for each seat in seating order."""
        return ()

    # --- result --------------------------------------------------------------------------------

    def ended_how(self, how: str) -> str:
        """The way a match ended as half a sentence."""
        return self.t(self.game.endings.get(how, how))

    def no_winner(self) -> str:
        """What a finished match is called that nobody has won."""
        return self.t(_("A draw"))
