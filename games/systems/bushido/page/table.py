"""How Bushido shows itself on the table's page: a row for each model, places, checks, who acted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from games import view_models
from games.core import engine
from games.core.steps import Offer
from games.core.words import gettext_noop as _
from games.systems.bushido.page import models
from games.systems.bushido.page.fights import FightPage
from games.systems.bushido.page.view_models import Row, Side
from games.systems.bushido.pieces import REMOVED, Objective, Table, Unit
from games.systems.bushido.rules import actions, derived, ending, objectives, scenarios, setup, victory
from games.systems.bushido.rules.scenarios import CHECKS, Check

FOLDS = (
    *scenarios.COMPLEXITIES.values(),
    *(actions.SIMPLES, actions.PLACES, actions.MELEES, actions.CHARGES, actions.COMPLEXES, actions.FRIENDS),
)
"""The order of the headings that offers are grouped under."""


COUNTED = {scenarios.POINTS: _("SP %(count)s"), scenarios.FRIENDLY: _("Friendly %(count)s")}
"""The count beside the Victory Points, by what the next one is given for."""


class BushidoPage(FightPage):
    """Two warbands of models, objectives and zones between them, the three checks."""

    side_template = "bushido/side.html"
    styles = ("bushido/bushido.css",)
    scripts = ("bushido/clock.js",)
    g: Table

    @cached_property
    def derived(self) -> dict[str, Any]:
        """The worked-out facts of the position."""
        return derived.derived_facts(self.g, self.seat)

    def phase(self) -> str:
        return self.t(derived.phase(self.g))

    def rounds(self) -> int | None:
        return derived.turns(self.g)

    def tallies(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Wounds and losses, row by row."""
        if not self.g.round:
            return
        missing = (sum(map(self.wounds_missing, self.g.units_of(key))) for key in self.g.seats)
        gone = (sum(unit.place == REMOVED for unit in self.g.units_of(key)) for key in self.g.seats)
        yield self.t(_("Wounds missing")), tuple(missing)
        yield self.t(_("Models out of play")), tuple(gone)

    def wounds_missing(self, unit: Unit) -> int:
        """The wounds that a model has lost; one out of play has lost all."""
        if not unit.tracks_wounds:
            return 0
        return unit.wounds_total - (0 if unit.place == REMOVED else unit.wounds)

    def target(self, seat: str) -> int | None:
        return len(scenarios.of(self.g).checks) if "scenario" in self.g.rules else None

    def first(self) -> str | None:
        return self.g.starter or None

    def seat_scores(self, asked: Iterable[str] = ()) -> tuple[view_models.SeatScore, ...]:
        """In the lobby nobody waits for players who are ready; a named VIM is not an answer to a question."""
        in_lobby = isinstance(engine.step_of(self.g), setup.Muster)
        waiting = [key for key in asked if not (in_lobby and self.g.armies[key].ready)]
        return tuple(replace(seat, beside=self.counted(seat.key)) for seat in super().seat_scores(waiting))

    def has_sealed(self, key: str) -> bool:
        """VIMs and flanks stay hidden for most of the match; they are an answer only while VIMs are named."""
        return isinstance(engine.step_of(self.g), setup.NameVim) and super().has_sealed(key)

    def counted(self, key: str) -> str:
        """A side's count for the next check; "" if only the table can see that."""
        by = victory.next_check(self.g) if self.g.round and self.g.result is None else ""
        if by not in COUNTED:
            return ""
        return self.t(COUNTED[by], count=victory.count(self.g, key, by))

    def no_winner(self) -> str:
        is_lost = self.g.result is not None and self.g.result["how"] == ending.NEITHER
        return self.t(_("Both lose")) if is_lost else super().no_winner()

    # --- offers ------------------------------------------------------------------------------------

    def groups(self) -> tuple[view_models.OfferGroup, ...]:
        """Offers under the same heading stay together, the headings in their order.

        Zones and simple actions are open, walking first; enemies to fight are folded. Answers that name a
        player follow the seating order.
        """
        rank = {title: at for at, title in enumerate(FOLDS)}
        walks = {verb: at for at, verb in enumerate(actions.NAMED_SIMPLE)}
        seats = {seat: at for at, seat in enumerate(self.g.seats)}

        def place(offer: Offer) -> tuple[int, str, int, int]:
            named = seats.get(offer.action.rpartition(":")[2], 99)
            return rank.get(offer.group, 99), offer.group, walks.get(offer.action, 99), named

        self.left = dict(sorted(self.left.items(), key=lambda item: place(item[1])))
        open_ones = {self.t(place.name) for place in self.g.objectives.values()} | {self.t(actions.SIMPLES)}
        return tuple(
            replace(group, folded=False) if group.title in open_ones else group for group in super().groups()
        )

    # --- warbands ------------------------------------------------------------------------------------

    def side(self, key: str) -> view_models.Side:
        side, units = self.g.armies[key], list(self.g.units_of(key))
        return Side(
            key,
            self.marks[key],
            self.colour(key),
            self.name(key),
            army=self.army(key),
            leader=side.theme,
            mine=key == self.seat,
            facts=self.facts(key),
            groups=tuple(models.rows(self, units)),
            sheet_url=self.sheet_url(f"army/{key}"),
            empty=self.t(_("No warband yet.")),
            fight=self.fight(key),
            timers=tuple(self.timers(key)),
        )

    def timers(self, key: str) -> Iterator[view_models.Timer]:
        """What a side has left of its time, and of the activation that it is in (BUSH-35, BUSH-36)."""
        if self.thought is None:
            return
        runs = self.g.active == key and self.derived["phase"] == derived.MAIN
        if death := self.g.rules["death"]:
            left = death * 60 - self.thought.used(key, is_asked=runs)
            yield self.timer(_("Time left"), left, runs=runs)
        if runs and (limit := self.g.rules["activation"]):
            yield self.timer(_("This activation"), limit - (self.thought.now - self.thought.spell), runs=runs)

    def timer(self, label: str, left: float, *, runs: bool) -> view_models.Timer:
        """A clock as minutes and seconds."""
        seconds = int(left)
        minutes, rest = divmod(abs(seconds), 60)
        sign = "\u2212" if seconds < 0 else ""
        return view_models.Timer(self.t(label), seconds, f"{sign}{minutes}:{rest:02}", runs)

    def army(self, key: str) -> str:
        """Faction and size of a side in a few words."""
        side = self.g.armies[key]
        rice = self.t(_("%(rice)s rice"), rice=side.rice) if side.rice else ""
        return " · ".join(part for part in (self.t(side.faction), rice) if part)

    def facts(self, key: str) -> tuple[view_models.Badge, ...]:
        side = self.derived["sides"][key]
        if not self.g.round:
            return (view_models.Badge(self.t(_("Ready")), "check", "good"),) if side["ready"] else ()
        found = [self.t(_("Scenario Points %(count)s"), count=side["scenario_points"])]
        if side["passes"]:
            found.append(self.t(_("Pass tokens %(count)s"), count=side["passes"]))
        if scenarios.of(self.g).prayer or side["prayers"]:
            found.append(self.t(_("Prayers %(count)s"), count=side["prayers"]))
        if side["communal"]:
            found.append(self.t(_("Shared Ki %(count)s"), count=side["communal"]))
        vim = [view_models.Badge(self.t(_("VIM hidden")), "sealed")] if side["vim"] == "?" else []
        return (*(view_models.Badge(text) for text in found), *vim)

    def card(self, unit: Unit) -> Row:
        return models.card(self, unit)

    # --- between the warbands ------------------------------------------------------------------------

    def middle(self) -> view_models.Middle:
        # Not as they were laid out: PostgreSQL's images keep that order only among those of a kind.
        by_letter = sorted(self.g.objectives.values(), key=lambda place: (place.order, place.kind))
        places = tuple(map(self.place, by_letter))
        scenario = scenarios.of(self.g) if "scenario" in self.g.rules else None
        checks = tuple(self.check(at, check) for at, check in enumerate(scenario.checks)) if scenario else ()
        return view_models.Middle(
            self.t(_("Table")),
            self.t(_("Objectives")) if places else "",
            places,
            self.t(_("Victory Points: %(scenario)s"), scenario=scenario.name) if scenario else "",
            checks,
            self.guide(),
            self.score_table(),
        )

    def place(self, place: Objective) -> view_models.Card:
        """An objective with its alignment, or a zone with who controls it."""
        shown = self.derived["places"][place.key]
        whose = shown["aligned"]
        told = (
            self.t(_("Neutral"))
            if whose is None
            else self.t(_("Friendly to %(player)s"), player=self.name(whose))
        )
        badges = [view_models.Badge(told, mark=self.marks.get(whose or "", 0))]
        if place.kind == objectives.ZONE:
            holder = shown["controller"]
            held = (
                self.t(_("Controlled by %(player)s"), player=self.name(holder))
                if holder
                else self.t(_("Controlled by nobody"))
            )
            badges.append(
                view_models.Badge(held, tone="hold" if holder else "", mark=self.marks.get(holder or "", 0))
            )
        mark = shown["controller"] if place.kind == objectives.ZONE else whose
        return view_models.Card(
            place.key,
            self.t(place.name),
            badges=tuple(badges),
            mark=self.marks.get(mark or "", 0),
            sheet_url=self.sheet_url(f"objective/{place.key}"),
            offer=self.take_offer(f"objective/{place.key}"),
        )

    def check(self, at: int, check: Check) -> view_models.Tile:
        """One Victory Point: when, for what, and who has it."""
        if check.turn == "last":
            when = self.t(_("Last turn"))
        elif check.turn == "any":
            when = self.t(_("Any turn"))
        else:
            when = self.t(_("Turn %(number)s"), number=check.turn)
        took = self.taken(check)
        return view_models.Tile(
            f"check-{at}",
            when,
            "finish",
            self.t(CHECKS[check.by]),
            self.marks[took] if took else 0,
            self.name(took) if took else "",
        )

    def taken(self, check: Check) -> str:
        """Who was given the point of a check; "" while nobody was."""
        reason, last = CHECKS[check.by], self.g.round if self.g.is_final else 0
        turn = {"last": last, "any": None}.get(check.turn) if not check.turn.isdigit() else int(check.turn)
        given = [
            score
            for score in self.g.scores.values()
            if score.reason == reason and turn in (None, score.round)
        ]
        sums = {seat: sum(one.points for one in given if one.seat == seat) for seat in self.g.seats}
        return next((seat for seat, points in sums.items() if points > 0), "")

    def guide(self) -> view_models.Guide | None:
        """Set-up, Starting phase and End phase as an ordered list."""
        return self.walked(self.derived["guide"])
