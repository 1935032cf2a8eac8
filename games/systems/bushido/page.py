"""How Bushido shows itself on the table's page: a row for each model, places, checks, who acted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from games import view_models
from games.core import Offer, Term, say, say_count, step_of
from games.core import gettext_noop as _
from games.systems.bushido.bushido_corrections import FEAT, HIT, BushidoCorrections
from games.systems.bushido.pieces import CONTROLLED, REMOVED, STATES, Objective, Table, Unit
from games.systems.bushido.rules import (
    main_phase,
    melee_exchange,
    model_actions,
    muster_and_deployment,
    scenarios,
    victory_and_end,
    warband_facts,
    wounds_and_ki,
)
from games.systems.bushido.rules.scenarios import CHECKS, Check
from games.view_models.game_page import Page


class Act(view_models.Offer):
    """A short button beside the name of its `model`: `detail` is its text, its label is read out in full."""

    model: str = ""

    @property
    def seen(self) -> str:
        return f"{self.model} › {self.detail}"


class Row(view_models.Card):
    acts: tuple[Act, ...] = ()


class Rows(view_models.CardGroup):
    """Models under a heading; groups that are done wait folded under it."""

    folded: bool = False


class Side(view_models.Side):
    """A warband, and what may be noted about its model in the fight."""

    fight: view_models.Acting | None = None


FOLDS = (
    *scenarios.COMPLEXITIES.values(), model_actions.SIMPLES, model_actions.PLACES, model_actions.MELEES,
    model_actions.CHARGES, model_actions.COMPLEXES, model_actions.FRIENDS,
)  # fmt: skip
"""The order of the headings that offers are grouped under."""

COUNTED = {scenarios.POINTS: _("SP %(count)s"), scenarios.FRIENDLY: _("Friendly %(count)s")}
"""The count beside the Victory Points, by what the next one is given for."""

BEFORE = {
    "opponent": _("Last chance to enter its feats, wounds and Ki before the opponent activates."),
    "again": _("Last chance to enter its feats, wounds and Ki before you activate again."),
    "end": _("Last chance to enter its feats, wounds and Ki before the End Phase."),
}
"""What to note by when, by what comes next."""


FEATS_OVER = _("The opponent has begun to act: no more Active feats, but wounds and Ki can be entered.")


BESIDE = {"wounds": (-3, -2, -1), "ki": (-2, -1, 1), "melee-dice": (-2, -1, 1, 2)}
"""Wounds, Ki and melee dice that are changed with one tap while a model acts."""

UNNAMED = {"simple", "complex", "disengage", "stay-held", "stand-up"}
"""The verbs that leave open whether a model fought: mere costs, and what is a melee in contact."""

NAMED = {*main_phase.Act.answers, "fights-back"} - {"back"} - UNNAMED
"""The verbs that say whether it did, and whom."""


class BushidoPage(Page):
    side_template = "bushido/side.html"
    styles = ("bushido/bushido.css",)
    scripts = ("bushido/clock.js",)
    g: Table

    @cached_property
    def derived(self) -> dict[str, Any]:
        return warband_facts.derived_facts(self.g, self.seat)

    def phase(self) -> str:
        return self.t(warband_facts.phase(self.g))

    def rounds(self) -> int | None:
        return warband_facts.turns(self.g)

    def tallies(self) -> Iterator[tuple[str, tuple[int, ...]]]:
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
        in_lobby = isinstance(step_of(self.g), muster_and_deployment.Muster)
        waiting = [key for key in asked if not (in_lobby and self.g.armies[key].ready)]
        return tuple(replace(seat, beside=self.counted(seat.key)) for seat in super().seat_scores(waiting))

    def has_sealed(self, key: str) -> bool:
        """VIMs and flanks stay hidden for most of the match; they are an answer only while VIMs are named."""
        step = step_of(self.g)
        if isinstance(step, melee_exchange.SplitDice):
            return melee_exchange.has_split(self.g, key)
        return isinstance(step, muster_and_deployment.NameVim) and super().has_sealed(key)

    def counted(self, key: str) -> str:
        """A side's count for the next check; "" if only the table can see that."""
        by = self.next_check()
        return self.t(COUNTED[by], count=victory_and_end.count(self.g, key, by)) if by else ""

    def next_check(self) -> str:
        """What the next Victory Point is given for, if it is something that is counted."""
        by = victory_and_end.next_check(self.g) if self.g.round and self.g.result is None else ""
        return by if by in COUNTED else ""

    def no_winner(self) -> str:
        is_lost = self.g.result is not None and self.g.result["how"] == victory_and_end.NEITHER
        return self.t(_("Both lose")) if is_lost else super().no_winner()

    # --- offers ------------------------------------------------------------------------------------

    def groups(self) -> tuple[view_models.OfferGroup, ...]:
        """Offers under the same heading stay together, the headings in their order.

        Zones and simple actions are open, walking first; enemies to fight are folded. Answers that name a
        player follow the seating order.
        """
        rank = {title: at for at, title in enumerate(FOLDS)}
        walks = {verb: at for at, verb in enumerate(model_actions.NAMED_SIMPLE)}
        seats = {seat: at for at, seat in enumerate(self.g.seats)}

        def place(offer: Offer) -> tuple[int, str, int, int]:
            named = seats.get(offer.action.rpartition(":")[2], 99)
            return rank.get(offer.group, 99), offer.group, walks.get(offer.action, 99), named

        self.left = dict(sorted(self.left.items(), key=lambda item: place(item[1])))
        open_ones = {self.t(place.name) for place in self.g.objectives.values()} | {
            self.t(model_actions.SIMPLES)
        }
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
            groups=tuple(rows(self, units)),
            sheet_url=self.sheet_url(f"army/{key}"),
            empty=self.t(_("No warband yet.")),
            fight=self.fight(key),
            timers=tuple(self.timers(key)),
        )

    def timers(self, key: str) -> Iterator[view_models.Timer]:
        """What a side has left of its time, and of the activation that it is in (BUSH-35, BUSH-36)."""
        if self.thought is None:
            return
        runs = self.g.active == key and self.derived["phase"] == warband_facts.MAIN
        if death := self.g.rules["death"]:
            left = death * 60 - self.thought.used(key, is_asked=runs)
            yield self.timer(_("Time left"), left, runs=runs)
        if runs and (limit := self.g.rules["activation"]):
            yield self.timer(_("This activation"), limit - (self.thought.now - self.thought.spell), runs=runs)

    def timer(self, label: str, left: float, *, runs: bool) -> view_models.Timer:
        seconds = int(left)
        minutes, rest = divmod(abs(seconds), 60)
        sign = "\u2212" if seconds < 0 else ""
        return view_models.Timer(self.t(label), seconds, f"{sign}{minutes}:{rest:02}", runs)

    def army(self, key: str) -> str:
        side = self.g.armies[key]
        rice = self.t(_("%(rice)s rice"), rice=side.rice) if side.rice else ""
        return " · ".join(part for part in (self.t(side.faction), rice) if part)

    def facts(self, key: str) -> tuple[view_models.Badge, ...]:
        side = self.derived["sides"][key]
        if not self.g.round:
            return (view_models.Badge(self.t(_("Ready")), "check", "good"),) if side["ready"] else ()
        points = self.t(_("Scenario Points %(count)s"), count=side["scenario_points"])
        texts = [points]
        if by := self.next_check():
            why = self.t(_("Next Victory Point: %(reason)s"), reason=Term(scenarios.CHECKS[by]))
            texts = [points, why] if by == scenarios.POINTS else [self.counted(key), why, points]
        if side["passes"]:
            texts.append(self.t(_("Pass tokens %(count)s"), count=side["passes"]))
        if scenarios.of(self.g).prayer or side["prayers"]:
            texts.append(self.t(_("Prayers %(count)s"), count=side["prayers"]))
        if side["communal"]:
            texts.append(self.t(_("Shared Ki %(count)s"), count=side["communal"]))
        vim = [view_models.Badge(self.t(_("VIM hidden")), "sealed")] if side["vim"] == "?" else []
        return (*(view_models.Badge(text) for text in texts), *vim)

    # --- the model that acted, and the one that it fights --------------------------------------------

    def doing(self) -> tuple[str, int]:
        """The reader's model that has acted, while they may still use its feats."""
        unit = self.g.units.get(self.g.acting or "")
        if unit is None or self.g.result is not None or self.doer(unit) != self.seat:
            return "", 0
        is_open = self.uses_feats(self.seat)
        return (
            (self.t(_("Enter what %(model)s did"), model=unit.name), self.marks[self.seat])
            if is_open
            else ("", 0)
        )

    def acting(self) -> view_models.Acting | None:
        unit = self.g.units.get(self.g.acting or "")
        if unit is None or self.g.result is not None:
            return None
        title, doer = self.t(_("Acted: %(model)s"), model=unit.name), self.doer(unit)
        if doer != self.seat:
            return view_models.Acting(title, self.marks[doer])
        hint = self.t(BEFORE[self.coming(doer)] if self.uses_feats(doer) else FEATS_OVER)
        return view_models.Acting(title, self.marks[doer], hint, tuple(self.noted(unit)))

    def coming(self, doer: str) -> str:
        """What comes after an activation: the opponent's, the same player's next, or the End phase."""
        if model_actions.able(self.g, self.g.rival(doer)):
            return "opponent"
        return "again" if model_actions.able(self.g, doer) else "end"

    def doer(self, unit: Unit) -> str:
        """Who had the model act; its last counter may have ended that player's control of it."""
        return self.g.actor or unit.player

    def uses_feats(self, doer: str) -> bool:
        """Whether whoever acted may still use Active feats, or already may again."""
        return doer in (self.g.feats, self.g.active)

    def fight(self, key: str) -> view_models.Acting | None:
        """What the side under attack may note about its model."""
        unit = self.g.units.get(self.g.target or "")
        if unit is None or unit.player != key or key != self.seat or not unit.is_in_play:
            return None
        title = self.t(_("In the fight: %(model)s"), model=unit.name)
        return view_models.Acting(title, self.marks[key], "", (*self.exchange(), self.group_of(unit)))

    def exchange(self) -> Iterator[view_models.OfferGroup]:
        """The tap that begins a Melee Exchange in the app."""
        for offer in BushidoCorrections().only(self.g, "table", "begin-exchange"):
            yield view_models.OfferGroup((self.correction("table", offer),))

    def noted(self, unit: Unit) -> Iterator[view_models.OfferGroup]:
        """Its own Ki and wounds; those of the enemy that it fights, or who fights back if that is open.

        What begins a Melee Exchange in the app comes first.
        """
        yield from self.exchange()
        if unit.is_in_play:
            yield self.group_of(unit)
            if self.uses_feats(self.doer(unit)):
                yield from self.amounts(unit, "feat", FEAT)
        target = self.g.units.get(self.g.target or "")
        if target is not None and target.is_on_table:
            yield self.group_of(target, named=True)
            yield from self.amounts(target, "hit", HIT)
            return
        if self.is_action_known():
            return
        others = self.g.on_table(self.g.rival(self.doer(unit)))
        enemies = [other for other in others if other.counters and other.key != unit.key]
        back = tuple(
            view_models.Offer(
                f"unit/{other.key} fights-back:{other.key}", other.name, form="adjust", field="change"
            )
            for other in enemies
        )
        if back:
            yield view_models.OfferGroup(back, self.t(_("It was a melee: who fights back?")), folded=True)

    def is_action_known(self) -> bool:
        """Whether the log says what the model did, so that nobody has to say whether and whom it fought."""
        verbs = (action.partition(":")[0] for action, _told in self.recent())
        return next((verb for verb in verbs if verb in NAMED or verb in UNNAMED), "") in NAMED

    def group_of(self, unit: Unit, *, named: bool = False) -> view_models.OfferGroup:
        path = f"unit/{unit.key}"
        offers = BushidoCorrections().only(self.g, path, "ki", "wounds")
        shown = tuple(self.correction(path, offer) for offer in offers)
        return view_models.OfferGroup(shown, unit.name if named else "")

    def amounts(self, unit: Unit, verb: str, title: str) -> Iterator[view_models.OfferGroup]:
        """A correction with a button for each amount, folded behind its title."""
        path = f"unit/{unit.key}"
        for offer in BushidoCorrections().only(self.g, path, verb):
            yield view_models.OfferGroup((self.every(path, offer),), self.t(title), folded=True)

    def inline_steps(self, offer: Offer) -> tuple[int, ...]:
        return BESIDE[offer.action.partition(":")[0]]

    def attack(self) -> view_models.Attack | None:
        """A Melee Exchange that is resolved here: both sides' dice, and what may be changed of them."""
        exchange = melee_exchange.current(self.g)
        if exchange is None or self.g.result is not None:
            return None
        sides = melee_exchange.order(self.g)
        shown = view_models.Attack(
            self.t(melee_exchange.MELEE),
            tuple(self.fighter(exchange, seat) for seat in sides),
            mark=self.marks[sides[0]],
        )
        if self.seat is None:
            return shown
        offers = BushidoCorrections().only(self.g, "table", "swap-order", "end-exchange")
        changes = (
            *(self.correction(path, offer) for path, offer in self.dice_to_change()),
            *(self.correction("table", offer) for offer in offers),
        )
        title = self.t(_("Change something"))
        return replace(
            shown, changes=view_models.OfferGroup(changes, title, folded=True) if changes else None
        )

    def fighter(self, exchange: melee_exchange.Exchange, seat: str) -> view_models.Fighter:
        """A side of a Melee Exchange: the dice that it has, or those that lie there and what they come to."""
        unit = melee_exchange.fighters(self.g)[seat]
        dice = melee_exchange.pools(self.g)[seat] if unit.fights(melee_exchange.POOL) else "?"
        at = melee_exchange.order(self.g).index(seat)
        special = melee_exchange.SPECIALS.get(exchange.splits[at][3]) if exchange.splits else None
        return view_models.Fighter(
            unit.name,
            self.marks[seat],
            self.gauge(unit),
            () if exchange.rolled else ((self.t(_("Dice")), str(dice)),),
            abilities=self.t(special.name) if special else "",
            piles=tuple(self.piles(exchange, at)) if exchange.rolled else (),
        )

    def piles(
        self, exchange: melee_exchange.Exchange, at: int
    ) -> Iterator[tuple[str, tuple[view_models.Choice, ...]]]:
        """The attack and the defence dice of a side, to roll again before the first damage roll."""
        can_roll = self.seat is not None and melee_exchange.can_reroll(self.g)
        before = sum(len(pile) for pair in exchange.rolled[:at] for pile in pair)
        for label, pile in zip((_("Attack"), _("Defence")), exchange.rolled[at], strict=True):
            dice = tuple(
                view_models.Choice(f"table again:{place}" if can_roll else "", str(face))
                for place, face in enumerate(pile, before + 1)
            )
            yield self.t(label), dice or (view_models.Choice("", "–"),)
            before += len(pile)

    def gauge(self, unit: Unit, *, has_begun: bool = True) -> view_models.Gauge | None:
        """Wounds left, and a dot for each activation counter."""
        if not unit.tracks_wounds:
            return None
        pips = view_models.pips(unit.counters, max(2, unit.counters)) if has_begun else ()
        words = {"left": unit.wounds, "of": unit.wounds_total}
        line = say_count(
            "%(left)s of %(of)s wounds left, %(count)s activation counter",
            "%(left)s of %(of)s wounds left, %(count)s activation counters",
            unit.counters,
            **words,
        )
        return view_models.Gauge(unit.wounds, unit.wounds_total, self.words(line), pips)

    def dice_to_change(self) -> Iterator[tuple[str, Offer]]:
        """How many dice each side has, while they are split."""
        for unit in melee_exchange.fighters(self.g).values():
            path = f"unit/{unit.key}"
            for offer in BushidoCorrections().only(self.g, path, "melee-dice"):
                line = say(_("Dice of %(model)s"), model=unit.name)
                yield path, replace(offer, label=line)

    def every(self, path: str, offer: Offer) -> view_models.Offer:
        """A correction with a button for each number that it takes."""
        numbers = range(offer.minimum or 0, (offer.maximum or 0) + 1)
        choices = tuple(
            view_models.Choice(f"{path} {offer.action}:{number}", str(number)) for number in numbers
        )
        label = self.words(offer.label)
        return view_models.Offer(
            f"{path} {offer.action}", label, choices=choices, form="adjust", field="change"
        )

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
        whose, holder = shown["aligned"] or "", shown["controller"] or ""
        text = self.whose(whose, _("Friendly to %(player)s"), _("Neutral"))
        mark = self.marks.get(whose, 0)
        badges = [view_models.Badge(text, mark=mark)]
        if place.kind == scenarios.ZONE:
            text = self.whose(holder, _("Controlled by %(player)s"), _("Controlled by no one"))
            mark = self.marks.get(holder, 0)
            badges.append(view_models.Badge(text, tone="hold" if holder else "", mark=mark))
        return view_models.Card(
            place.key,
            self.t(place.name),
            badges=tuple(badges),
            mark=mark,
            sheet_url=self.sheet_url(f"objective/{place.key}"),
            offer=self.take_offer(f"objective/{place.key}"),
        )

    def whose(self, seat: str, theirs: str, nobodys: str) -> str:
        return self.t(theirs, player=self.name(seat)) if seat else self.t(nobodys)

    def check(self, at: int, check: Check) -> view_models.Tile:
        """One Victory Point: when, for what, and who has it."""
        named = {"last": _("Last turn"), "any": _("Any turn")}
        took = self.taken(check)
        return view_models.Tile(
            f"check-{at}",
            self.t(named.get(check.turn, _("Turn %(number)s")), number=check.turn),
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
        sums = {seat: sum(award.points for award in given if award.seat == seat) for seat in self.g.seats}
        return next((seat for seat, points in sums.items() if points > 0), "")

    def guide(self) -> view_models.Guide | None:
        return self.walked(self.derived["guide"])


# --- the rows of a warband ---------------------------------------------------------------------------


ROW_STATES = {
    "ready": ("ready", "ready", ""),
    "acting": ("ready", "acting", _("Acting")),
    "exhausted": ("exhausted", "done", _("Exhausted")),
    "elsewhere": ("elsewhere", "away", _("Elsewhere")),
    "removed": ("removed", "out", _("Out of the match")),
    "unplaced": ("ready", "", ""),
}
"""What a model is doing → the group and the state of its row, and the words for it."""

GROUPS = {
    "ready": (_("Models"), False),
    "elsewhere": (_("Elsewhere"), False),
    "exhausted": (_("Exhausted"), True),
    "removed": (_("Out of the match"), True),
}
"""Headings of the rows, and whether they keep their models folded."""


SHORT = {"simple": _("Simple"), "complex": _("Complex"), "act": _("More")}
"""The texts of a row's three buttons; their labels are read out in full."""


def rows(page: BushidoPage, units: list[Unit]) -> Iterator[Rows]:
    """The models by group; those that are out, or exhausted while others are not, are folded."""
    by_group: dict[str, list[Unit]] = {}
    for unit in sorted(units, key=lambda unit: unit.order):
        group, _look, _words = ROW_STATES[page.derived["units"][unit.key]]
        by_group.setdefault(group, []).append(unit)
    for group, (title, folds) in GROUPS.items():
        if group in by_group:
            cards = tuple(card(page, unit) for unit in by_group[group])
            folded = folds and (group == "removed" or "ready" in by_group)
            note = str(len(cards)) if folds else _legend(page, cards)
            yield Rows(page.t(title), cards, note, folded=folded)


def _legend(page: BushidoPage, cards: Iterable[Row]) -> str:
    """What the signs and the number of these models count; "" if the app counts no wounds."""
    if not any(card.gauge for card in cards):
        return ""
    return page.t(_("activation counters, wounds left") if page.g.round else _("Wounds left"))


def card(page: BushidoPage, unit: Unit) -> Row:
    """A model's row, cached until anything on it changes."""
    path, has_begun = f"unit/{unit.key}", page.g.round > 0
    acts = _acts(page, unit)
    offer = None if acts else page.take_offer(path)
    around = (_is_vim(page, unit), _flank(page, unit), _zone(page, unit))
    state = page.derived["units"][unit.key]
    return page.cached_until_changed(_row, unit, state, has_begun, page.sheet_url(path), acts, offer, *around)


def _acts(page: BushidoPage, unit: Unit) -> tuple[Act, ...]:
    about = page.about(f"unit/{unit.key}")
    offers = [offer for verb in SHORT for offer in about if offer.action.startswith(f"{verb}:")]
    shown = (page.offer(page.take(offer)) for offer in offers)
    return tuple(
        Act(
            button.action,
            button.label,
            detail=page.t(SHORT[button.action.partition(":")[0]]),
            model=unit.name,
        )
        for button in shown
    )


def _is_vim(page: BushidoPage, unit: Unit) -> bool:
    """Whether the reader may know this model as its side's VIM."""
    side = page.g.armies[unit.army]
    return unit.key in (side.vim, side.hidden.get("vim")) and not wounds_and_ki.has_returned(page.g, unit)


def _flank(page: BushidoPage, unit: Unit) -> str:
    """A flank note: turn and edge for its author, only that there is one for others; "" for none."""
    if not unit.is_flanking:
        return ""
    note = page.g.armies[unit.army].hidden.get(f"flank-{unit.key}")
    if not note:
        return page.t(_("Flank"))
    left = note[1] == "left"
    line = _("Flank: turn %(turn)s, left edge") if left else _("Flank: turn %(turn)s, right edge")
    return page.t(line, turn=note[0])


def _zone(page: BushidoPage, unit: Unit) -> str:
    zone = page.g.objectives.get(unit.zone or "")
    return page.t(zone.name) if zone else ""


def _row(
    page: BushidoPage,
    unit: Unit,
    state: str,
    has_begun: bool,
    sheet_url: str,
    acts: tuple[Act, ...],
    offer: view_models.Offer | None,
    is_vim: bool,
    flank: str,
    zone: str,
) -> Row:
    _group, look, words = ROW_STATES[state]
    return Row(
        unit.key,
        unit.name,
        gauge=page.gauge(unit, has_begun=has_begun),
        badges=tuple(_badges(page, unit, flank, zone, has_begun=has_begun)),
        state=look,
        state_label=page.t(words),
        leader=page.t(_("Very Important Model")) if is_vim else "",
        text=unit.note,
        sheet_url=sheet_url,
        offer=offer,
        acts=acts,
    )


def _badges(
    page: BushidoPage, unit: Unit, flank: str, zone: str, *, has_begun: bool
) -> Iterator[view_models.Badge]:
    """Ki, states with their values, where it is, who controls it."""
    if unit.is_in_play or not has_begun:
        yield view_models.Badge(_ki(page, unit))
    if not unit.tracks_wounds and has_begun and unit.is_on_table:
        yield view_models.Badge(page.t(_("Counters %(count)s"), count=unit.counters))
    for name in sorted({name for name, _value in unit.markers}):
        yield _marker(page, unit, name)
    if flank:
        yield view_models.Badge(flank, "sealed")
    if zone:
        yield view_models.Badge(zone, "objective")


def _marker(page: BushidoPage, unit: Unit, name: str) -> view_models.Badge:
    """A state that a model is in, with its values or its number of markers."""
    values, state = unit.values(name), STATES.get(name)
    title = page.t(state.title) if state else name
    if state and state.has_value:
        title = f"{title} {'+'.join(map(str, values))}"
    elif len(values) > 1:
        title = f"{title} ×{len(values)}"
    whose = unit.controller if name == CONTROLLED else None
    return view_models.Badge(title, "alert", "bad", mark=page.marks.get(whose or "", 0))


def _ki(page: BushidoPage, unit: Unit) -> str:
    """Ki as its card allows: 3/6, 3/∞, or shared."""
    if unit.is_communal:
        return page.t(_("Ki shared"))
    if unit.ki_cap == "0" and not unit.ki:
        return page.t(_("No Ki"))
    cap = f"/{unit.ki_cap}" if unit.ki_cap else ""
    return page.t(_("Ki %(ki)s"), ki=f"{unit.ki}{cap}")
