"""How the miniatures game shows itself on the table's page: units with their
printed cards, tokens, tactics board, the acting unit, the guide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from games import view_models
from games.core import COMMA, Line, Offer, Term, asked, say_count, step_of, together
from games.core import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.lists import army_cards
from games.systems.tmg.lists.army_cards import FACTIONS, catalogue
from games.systems.tmg.page import attack_sheet
from games.systems.tmg.pieces import CONDITIONS, Place, Side, Table, Unit
from games.systems.tmg.rules import attacks, destruction, objective_tokens, table_facts, tactics_cards
from games.systems.tmg.rules.activation_phase import Turn
from games.systems.tmg.rules.clean_up_phase import ScorePoints, Tally
from games.systems.tmg.rules.destruction import CONDITION_NAMES
from games.systems.tmg.rules.missions import ENTERED, FACE_DOWN, MISSIONS, EnterPoints
from games.systems.tmg.tmg_corrections import TmgCorrections
from games.view_models.game_page import Page, signed

STATES = {
    "ready": ("ready", ""),
    "acting": ("acting", _("Acting")),
    "done": ("done", _("Activated")),
    "barred": ("done", _("Cannot activate this round")),
    "destroyed": ("out", _("Destroyed")),
    "reserve": ("away", _("In Reserve")),
    "unplaced": ("", ""),
}
"""What a unit is doing → the look of its card, and the words for it."""

ZONE_ICONS = frozenset({"crown", "wealth", "letters", "swords", "horse"})


def card(page: TmgPage, unit: Unit) -> view_models.Card:
    path = f"unit/{unit.key}"
    look, words = STATES.get(table_facts.state_of(page.g, unit), ("", ""))
    return view_models.Card(
        unit.key,
        unit.name,
        unit.title,
        attached=tuple(_titled(name, title) for name, title, *_rest in unit.attachments),
        gauge=page.gauge(unit),
        badges=(*_own(page, unit), *_around(page, unit)),
        state=look,
        state_label=page.t(words),
        leader=page.t(_("Commander")) if unit.commander else "",
        text=unit.note,
        sheet_url=page.sheet_url(path),
        read=page.is_read_only,
        offer=page.take_offer(path),
    )


def _own(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    """Badges from the unit itself."""
    if page.g.tracks("conditions"):
        for condition in CONDITIONS:
            if condition in unit.conditions:
                yield view_models.Badge(page.t(CONDITION_NAMES[condition]), "condition", "bad")
        for name, count in unit.counters:
            yield view_models.Badge(f"{page.t(name)} {count}")
    if unit.marked:
        yield view_models.Badge(page.t(_("Marked")), "alert", "bad")
    if unit.order_used:
        yield view_models.Badge(page.t(_("Order used")), "check")
    if unit.pool is not None:
        yield view_models.Badge(page.t(_("Tokens %(count)s"), count=unit.pool))
    if unit.lent_to:
        yield view_models.Badge(page.t(_("Changed side")), mark=page.marks[unit.lent_to])
    if unit.kept:
        yield view_models.Badge(page.t(_("Keep it on its zone")), "check")


def _around(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    """Badges that depend on other pieces as well."""
    g = page.g
    for place in g.objectives.values():
        if place.claimed_by == unit.key:
            yield _place(page, unit, place)
    if speed := objective_tokens.speed(g, unit):
        yield view_models.Badge(page.t(_("Speed %(speed)s, no March"), speed=speed), "alert")
    if any(place.silences == unit.key for place in g.objectives.values()):
        yield view_models.Badge(page.t(_("No abilities")), "alert", "bad")
    for key in sorted(unit.engaged_with):
        if key in g.units:
            yield view_models.Badge(g.units[key].name, "fight", "fight")
    if unit.sector in g.objectives:
        yield view_models.Badge(page.t(g.objectives[unit.sector].name), "objective")
    if not g.round and unit.is_on_table:
        yield view_models.Badge(page.t(_("Deployed")), "check", "good")
    yield from _cards_with(page, unit)
    yield from _influence(page, unit)


def _influence(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    if unit.influences in page.g.units:
        yield view_models.Badge(page.t(_("Influences %(unit)s"), unit=page.g.units[unit.influences].name))
    for other in page.g.units.values():
        if other.influences == unit.key:
            words = page.t(_("Influenced by %(unit)s"), unit=other.name)
            yield view_models.Badge(words, mark=page.marks[other.player])


def _cards_with(page: TmgPage, unit: Unit) -> Iterator[view_models.Badge]:
    """The tactics cards that stay with a unit, and how long."""
    for key, seat, expiry in unit.cards:
        words = f"{page.called(seat, key)} · {page.t(tactics_cards.EXPIRIES.get(expiry, expiry))}"
        yield view_models.Badge(words, "cards", mark=page.marks[seat])


def _place(page: TmgPage, unit: Unit, place: Place) -> view_models.Badge:
    held = place.kind == "zone" or objective_tokens.controller(page.g, place) == unit.player
    icon = icon_of(place.key) if place.kind == "zone" else "objective"
    return view_models.Badge(_called(page, unit, place), icon, "hold" if held else "lost")


def icon_of(zone: str) -> str:
    """The icon of a zone of the tactics board; one without its own gets the objectives' icon."""
    return zone if zone in ZONE_ICONS else "objective"


def _called(page: TmgPage, unit: Unit, place: Place) -> str:
    """Where a unit stands, and who contests it there."""
    rivals = objective_tokens.outranking(page.g, unit) if place.kind == "token" else ()
    names = page.t(COMMA).join(rival.name for rival in rivals)
    if names:
        return page.t(_("%(place)s, contested by %(rivals)s"), place=Term(place.name), rivals=names)
    return page.t(place.name)


def _titled(name: str, title: str) -> str:
    return f"{name}, {title}" if title else name


# --- the printed card -------------------------------------------------------------------------------------


def profile(page: TmgPage, path: str) -> view_models.Profile | None:
    """The costs of a unit and its attachments, and its numbers if known; None for other pieces."""
    kind, _slash, key = path.partition("/")
    unit = page.g.units.get(key) if kind == "unit" else None
    if unit is None:
        return None
    printed = army_cards.known_stats(page.g.entries).get(unit.card)
    lines = tuple(_lines(page, unit))
    if printed is None:
        return view_models.Profile(lines=lines)
    numbers = (
        (page.t(_("Speed")), str(objective_tokens.speed(page.g, unit) or printed.speed)),
        (page.t(_("Defence")), printed.defence),
        (page.t(_("Morale")), printed.morale),
    )
    attacks = tuple(_attack(page, unit, attack) for attack in printed.attacks)
    return view_models.Profile(numbers, attacks, printed.abilities, lines, _season(page, unit, printed))


def _attack(page: TmgPage, unit: Unit, attack: army_cards.Attack) -> view_models.AttackRow:
    """An attack, its current dice marked while the app counts wounds and the unit has any left (TMG-39)."""
    is_counted = page.g.tracks("wounds") and unit.wounds > 0
    now = attack.at(army_cards.lost_ranks(unit)) if is_counted else None
    dice = tuple(map(str, attack.dice))
    return view_models.AttackRow(
        page.t(army_cards.RANGES.get(attack.kind, "")), attack.name, attack.hit, dice, now
    )


def _lines(page: TmgPage, unit: Unit) -> Iterator[str]:
    yield _priced(page, unit.name, unit.title, unit.cost)
    for name, title, cost, *_owner in unit.attachments:
        yield _priced(page, name, title, cost)


def _priced(page: TmgPage, name: str, title: str, cost: int) -> str:
    points = page.words(say_count("%(count)s point", "%(count)s points", cost))
    return " · ".join(part for part in (f"{name}, {title}" if title else name, points) if part)


def _season(page: TmgPage, unit: Unit, printed: army_cards.Stats) -> str:
    """The season of the numbers, if the catalogue's card is of another."""
    card = catalogue(page.g.entries).by_id.get(unit.card)
    if card is None or not printed.version or card.version == printed.version:
        return ""
    line = _("Shows %(season)s numbers; the army list uses the %(other)s card.")
    return page.t(line, season=printed.version, other=card.version or "?")


SCORES = _("%(place)s → %(player)s")


class TmgPage(Page):
    """Two armies of units, objective tokens and zones between them."""

    icons_template = "tmg/icons.html"
    has_profiles = True
    styles = ("tmg/tmg.css",)
    g: Table

    @cached_property
    def steps(self) -> dict[str, Any] | None:
        """The steps of set-up or clean-up, while one of them is asked about."""
        return table_facts.guide(self.g)

    def phase(self) -> str:
        """The phase or, in set-up, the name of the rules if they are not the usual ones."""
        is_usual = self.g.rules["ruleset"] == ruleset.USUAL
        return self.t(table_facts.phase(self.g) if self.g.round or is_usual else self.g.rules["title"])

    def rounds(self) -> int:
        rounds: int = self.g.rules["rounds"]
        return rounds

    def tallies(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Wounds, losses and what is controlled, row by row; nothing that the players keep on the table."""
        if not self.g.round:
            return
        if self.g.tracks("wounds"):
            yield self.t(_("Wounds missing")), tuple(map(self.wounds_missing, self.g.seats))
        lost = tuple(sum(map(destruction.losses, self.g.units_of(key))) for key in self.g.seats)
        yield self.t(_("Units destroyed")), lost
        places = (
            (_("Objectives controlled"), objective_tokens.controllers(self.g)),
            (_("Sectors controlled"), tactics_cards.sector_controllers(self.g)),
        )
        for called, holders in places:
            if holders:
                yield self.t(called), tuple(list(holders.values()).count(key) for key in self.g.seats)

    def wounds_missing(self, key: str) -> int:
        """The wounds that a side's Combat Units have lost; destroyed ones have lost all."""
        units = (unit for unit in self.g.combat_units(key) if unit.place in ("table", "destroyed"))
        return sum(unit.wounds_total - (unit.wounds if unit.is_on_table else 0) for unit in units)

    def target(self, seat: str) -> int | None:
        """The Victory Points that win; None for the Defender of a siege, who scores nothing (TMG-99)."""
        points: int = self.g.rules["target"]
        return None if seat == self.g.defender else points

    def first(self) -> str | None:
        return self.g.first

    def has_sealed(self, key: str) -> bool:
        """A hand is hidden too, but only a face-down mission is an answer."""
        return self.g.armies[key].mission == FACE_DOWN and super().has_sealed(key)

    # --- armies ----------------------------------------------------------------------------------

    def side(self, key: str) -> view_models.Side:
        side = self.g.armies[key]
        # A hand takes its offers off those that are left, so it comes last.
        has_cards = tactics_cards.is_tracked(self.g)
        folds, free_actions = (self.folds(key), self.hand(key)) if has_cards else ((), ())
        groups = (
            self.group(_("Castle Walls"), list(self.g.walls(key))),
            self.group(_("Combat Units"), list(self.g.combat_units(key))),
            self.group(_("Non-Combat Units"), list(self.g.ncus(key))),
        )
        return view_models.Side(
            key,
            self.marks[key],
            self.colour(key),
            self.name(key),
            army=self.army(key),
            leader=side.commander,
            mine=key == self.seat,
            facts=self.facts(key),
            free_actions=free_actions,
            folds=folds,
            groups=tuple(group for group in groups if group.cards),
            sheet_url=self.sheet_url(f"army/{key}"),
            empty=self.t(_("No army yet.")),
        )

    def army(self, key: str) -> str:
        side = self.g.armies[key]
        points = (
            self.words(say_count("%(count)s point", "%(count)s points", side.points)) if side.points else ""
        )
        parts = (self.t(FACTIONS.get(side.faction, side.faction)), points)
        return " · ".join(part for part in parts if part)

    def facts(self, key: str) -> tuple[view_models.Badge, ...]:
        side = self.g.armies[key]
        siege = self.besieged(side) if self.g.attacker else ()
        missions = self.missions(side) if side.mission or side.missions else ()
        if not self.g.round:
            badges = [view_models.Badge(self.t(_("Ready")), "check", "good")] if side.ready else []
            return (*badges, *siege, *missions)
        cards = self.t(_("Hand %(hand)s, deck %(deck)s"), hand=side.hand, deck=side.deck)
        badges = [view_models.Badge(cards, "cards")] if self.g.tracks("cards") else []
        if points := destruction.destroyed_points(self.g, key):
            singular, several = _("Destroyed: 1 army point"), _("Destroyed: %(points)s army points")
            lost = self.t(singular if points == 1 else several, points=points)
            badges.append(view_models.Badge(lost, "out"))
        return (*siege, *badges, *missions)

    def besieged(self, side: Side) -> Iterator[view_models.Badge]:
        """A side's part in a siege, and the Siege cards that it has left."""
        attacks = side.key == self.g.attacker
        yield view_models.Badge(self.t(_("Attacker") if attacks else _("Defender")), "objective")
        if side.siege_cards and self.g.tracks("cards"):
            words = self.t(_("Siege cards: %(count)s"), count=side.siege_cards)
            yield view_models.Badge(words, "cards")

    def missions(self, side: Side) -> Iterator[view_models.Badge]:
        """A side's missions: the round's for everybody once it is revealed, its hand for its owner only."""
        if side.mission in MISSIONS:
            yield view_models.Badge(
                self.t(_("Mission %(mission)s"), mission=Term(MISSIONS[side.mission])), "objective"
            )
        elif side.mission:
            yield view_models.Badge(self.t(_("Mission face down")), "sealed")
        hand = [str(int(key.removeprefix("m"))) for key in side.hidden.get("missions") or ()]
        if hand:
            yield view_models.Badge(
                self.t(_("Your missions: %(numbers)s"), numbers=", ".join(hand)), "sealed"
            )
        elif side.missions:
            yield view_models.Badge(self.t(_("Missions: %(count)s"), count=side.missions), "sealed")

    def group(self, title: str, units: list[Unit]) -> view_models.CardGroup:
        """Units under a heading, with a count of those that may still activate."""
        units.sort(key=lambda unit: (unit.place == "destroyed", unit.order))
        cards = tuple(map(self.card, units))
        ready = sum(card.state == "ready" for card in cards)
        notes = [self.t(_("wounds left"))] if any(card.gauge for card in cards) else []
        if self.g.round and ready:
            notes.append(self.t(_("%(count)s to activate"), count=ready))
        return view_models.CardGroup(self.t(title), cards, " · ".join(notes))

    def card(self, unit: Unit) -> view_models.Card:
        return card(self, unit)

    def gauge(self, unit: Unit) -> view_models.Gauge | None:
        """Wounds left, and ranks where the unit has them (TMG-39), in numbers and in words."""
        left, of = unit.wounds, unit.wounds_total
        if not (unit.is_combat and of and self.g.tracks("wounds")):
            return None
        full = 1 if unit.kind == "solo" else -(-of // unit.rank_size) if unit.rank_size else 0
        if unit.kind == "war-machine" or not full:
            return view_models.Gauge(left, of, self.t(_("%(left)s of %(of)s wounds left"), left=left, of=of))
        line = say_count(
            "%(left)s of %(of)s wounds left, %(count)s rank",
            "%(left)s of %(of)s wounds left, %(count)s ranks",
            unit.standing_ranks,
            left=left,
            of=of,
        )
        return view_models.Gauge(left, of, self.words(line), view_models.pips(unit.standing_ranks, full))

    # --- tactics cards ---------------------------------------------------------------------------

    def hand(self, seat: str) -> tuple[view_models.OfferGroup, ...]:
        """The reader's own hand, each card with where it may be played to; folded like every note."""
        held = tactics_cards.hand(self.g, seat) if self.is_playable(seat) else []
        offers = tuple(self.card_in_hand(seat, key, held.count(key)) for key in sorted(set(held)))
        return (view_models.OfferGroup(offers, self.hand_title(held), folded=True),) if offers else ()

    def folds(self, seat: str) -> tuple[view_models.Fold, ...]:
        """A hand that cannot be played just now, in words; the discard pile, the latest card first."""
        held = () if self.is_playable(seat) else tactics_cards.hand(self.g, seat)
        pile = self.g.armies[seat].discards[::-1]
        discarded = say_count("Discard pile: %(count)s card", "Discard pile: %(count)s cards", len(pile))
        folds = ((self.hand_title(held), held), (self.words(discarded), pile))
        return tuple(
            view_models.Fold(title, tuple(self.called(seat, key) for key in keys))
            for title, keys in folds
            if keys
        )

    def is_playable(self, seat: str) -> bool:
        return seat == self.seat and any(action.startswith("play:") for action in self.left)

    def card_in_hand(self, seat: str, key: str, count: int) -> view_models.Offer:
        """One card: how often it is held, and a button for each place that it may be played to."""
        ways = {f"play:{key}": _("Play"), f"lay:{key}": _("On a unit")}
        choices = tuple(view_models.Choice(action, self.t(label)) for action, label in ways.items())
        for action in ways:
            del self.left[action]
        detail = f"×{count}" if count > 1 else ""
        return view_models.Offer(f"hand:{key}", self.called(seat, key), detail, choices=choices)

    def hand_title(self, held: Sequence[str]) -> str:
        return self.words(say_count("Your hand: %(count)s card", "Your hand: %(count)s cards", len(held)))

    def called(self, seat: str, key: str) -> str:
        """What a card is called, in the reader's language where it has no name of its own."""
        name = tactics_cards.called(self.g, seat, key)
        return self.words(name) if isinstance(name, Line) else str(name)

    # --- between the armies ----------------------------------------------------------------------

    def middle(self) -> view_models.Middle:
        places = [place for place in self.g.objectives.values() if place.kind in ("sector", "mission")]
        tokens = (
            *(self.token(token) for token in self.g.tokens()),
            *(self.sector(place) if place.kind == "sector" else self.mission(place) for place in places),
        )
        zones = tuple(self.zone(zone) for zone in self.g.zones())
        return view_models.Middle(
            self.t(_("Table")),
            self.t(_("Objectives")) if tokens else "",
            tokens,
            self.t(_("Tactics board")) if zones else "",
            zones,
            self.guide(),
            self.score_table(),
            acting=last_activation(self),
        )

    def sources(self) -> tuple[view_models.Source, ...]:
        step = step_of(self.g)
        if isinstance(step, EnterPoints):
            return tuple(self.entered_points())
        return tuple(self.scored_places(step.tally(self.g))) if isinstance(step, ScorePoints) else ()

    def entered_points(self) -> Iterator[view_models.Source]:
        """What the players have entered so far; each is corrected, with a reason, at the side that scored."""
        for row in self.g.scores.values():
            if (row.round, row.reason) == (self.g.round, ENTERED):
                title = self.t(SCORES, place=Term(row.source), player=self.name(row.seat))
                url = self.sheet_url(f"army/{row.seat}")
                yield view_models.Source(title, signed(row.points), mark=self.marks[row.seat], url=url)

    def scored_places(self, tally: Tally) -> Iterator[view_models.Source]:
        """What gives the points asked about, and the tokens that a unit stands on without scoring."""
        for place in self.g.objectives.values():
            own = [source for source in tally if source.place.key == place.key]
            url = self.sheet_url(f"objective/{place.key}")
            if own:
                seat, points = own[0].seat, sum(source.points for source in own)
                title = self.t(SCORES, place=Term(place.name), player=self.name(seat))
                yield view_models.Source(
                    title, signed(points), self.why_scored(place, own), self.marks[seat], url
                )
            elif place.kind == "token" and place.claimed_by in self.g.units:
                yield view_models.Source(self.t(place.name), "0", self.claimant(place), url=url)

    def why_scored(self, place: Place, own: Tally) -> str:
        """What controls a place, and what it grants beyond its point."""
        words = [self.sector_points(place) if place.kind == "sector" else self.claimant(place)]
        words += [self.t(source.reason) for source in own if source.is_extra]
        return " · ".join(word for word in words if word)

    def claimant(self, token: Place) -> str:
        """The unit on a token and who contests it; what the players say overrides both."""
        if token.override is not None or token.uncontrolled:
            return self.t(_("Set by the players"))
        unit = self.g.units.get(token.claimed_by or "")
        if unit is None:
            return ""
        rivals = self.t(COMMA).join(rival.name for rival in objective_tokens.outranking(self.g, unit))
        if rivals:
            return self.t(_("%(unit)s, contested by %(rivals)s"), unit=unit.name, rivals=rivals)
        return unit.name

    def token(self, token: Place) -> view_models.Card:
        facts = table_facts.token(self.g, token)
        badges: list[view_models.Badge] = []
        unit = self.g.units.get(facts["claimed_by"] or "")
        if unit is not None and facts["contested"]:
            badges.append(view_models.Badge(self.claimant(token), "fight", "lost"))
        elif unit is not None:
            badges.append(view_models.Badge(unit.name, tone="hold", mark=self.marks[unit.player]))
        if token.override is not None or token.uncontrolled:
            badges.append(view_models.Badge(self.t(_("Set by the players")), "adjust"))
        if token.silences in self.g.units:
            words = self.t(_("%(unit)s has no abilities"), unit=self.g.units[token.silences].name)
            badges.append(view_models.Badge(words, "alert"))
        return view_models.Card(
            token.key,
            self.t(token.name),
            title=self.t(facts["card"]) if facts["card"] != token.name else "",
            text=self.t(facts["effect"]),
            badges=tuple(badges),
            mark=self.marks.get(facts["controller"] or "", 0),
            sheet_url=self.sheet_url(f"objective/{token.key}"),
            offer=self.take_offer(f"objective/{token.key}"),
        )

    def sector(self, sector: Place) -> view_models.Card:
        held = tactics_cards.sector_controller(self.g, sector)
        return view_models.Card(
            sector.key,
            self.t(sector.name),
            text=self.sector_points(sector),
            mark=self.marks.get(held or "", 0),
            sheet_url=self.sheet_url(f"objective/{sector.key}"),
        )

    def sector_points(self, sector: Place) -> str:
        points = table_facts.sector(self.g, sector)["points"]
        return " · ".join(f"{self.name(seat)} {count}" for seat, count in points.items())

    def mission(self, mission: Place) -> view_models.Card:
        """An open mission; its printed card says how it scores."""
        return view_models.Card(mission.key, self.t(_("Mission %(mission)s"), mission=Term(mission.name)))

    def zone(self, zone: Place) -> view_models.Tile:
        """A zone of the tactics board: what it does, or who has it."""
        facts = table_facts.zone(self.g, zone)
        holder = self.g.units.get(zone.claimed_by or "")
        seats = facts["holders"]
        return view_models.Tile(
            zone.key,
            self.t(facts["name"]),
            icon_of(zone.key),
            self.t(facts["effect"]),
            self.marks[seats[0]] if seats else 0,
            holder.name if holder else "",
            sheet_url=self.sheet_url(f"objective/{zone.key}"),
        )

    def guide(self) -> view_models.Guide | None:
        """Set-up and clean-up as an ordered list (TMG-74)."""
        return self.walked(self.steps) if self.steps else None

    def doing(self) -> tuple[str, int]:
        return doing(self)

    def profile(self, path: str) -> view_models.Profile | None:
        return profile(self, path)

    def acting(self) -> view_models.Acting | None:
        return acting(self)

    def attack(self) -> view_models.Attack | None:
        return attack_sheet.attack(self) if self.g.attack else None

    def offer(self, offer: Offer) -> view_models.Offer:
        shown = super().offer(offer)
        verb, _colon, noun = offer.action.partition(":")
        if verb != "claim" or noun not in self.g.objectives:
            return shown
        return view_models.Offer(
            shown.action,
            self.t(self.g.objectives[noun].name),
            self.t((self.g.zone_entry(noun) or {}).get("effect", "")),
            icon_of(noun),
            tone=shown.tone,
        )


MOST_FIGHTS = 3
"""More enemies than this fold away under their heading, so that the board stays in sight."""

MOST_RESTORED = 3
"""More wounds than this are restored on the unit's own sheet."""


def acting_unit(g: Table, seat: str | None) -> Unit | None:
    """The unit that this seat activated last, while it is on the table and the match runs.

    While the round's score is asked about (TMG-14), both sides get the unit that acted last.
    """
    if seat is None:
        return None
    unit = g.actor if isinstance(step_of(g), ScorePoints) else g.units.get(g.armies[seat].acted or "")
    return unit if unit is not None and unit.is_on_table and g.result is None else None


def doing(page: TmgPage) -> tuple[str, int]:
    """Which unit acts now and whose it is, with the seat's mark.

    The player who activates next waits for it; once they have begun, it has acted, as its own player is told.
    """
    unit, is_open = page.g.actor, isinstance(step_of(page.g), Turn)
    if unit is None or _is_done(page) or (unit.player == page.seat and not is_open):
        return "", 0
    line = _("Enter what %(unit)s did") if unit.player == page.seat else _("%(player)s: %(unit)s is acting")
    if page.seat in asked(page.g):
        if not is_open:
            return "", 0
        line = _("When %(player)s is done with %(unit)s")
    return page.t(line, player=page.name(unit.player), unit=unit.name), page.marks[unit.player]


def acting(page: TmgPage) -> view_models.Acting | None:
    """The reader's own last activation until their next; for anyone else, the unit that acts now.

    It folds away once it is the reader's turn again, when they look for a unit to activate.
    """
    mine = acting_unit(page.g, page.seat)
    unit = mine or page.g.actor
    if unit is None or _is_done(page):
        return None
    is_now = unit.key == page.g.acting
    title = page.t(_("Acting: %(unit)s") if is_now else _("Just acted: %(unit)s"), unit=unit.name)
    hint = page.t(_reminder(page, unit)) if mine and is_now else ""
    if mine is None:
        return view_models.Acting(title, page.marks[unit.player])
    is_past = not is_now and page.g.turn == page.seat
    return view_models.Acting(title, page.marks[unit.player], hint, notes(page), targets(page), is_past)


def last_activation(page: TmgPage) -> view_models.Acting | None:
    """The unit that acted last in the round, what it did, and what may still be noted (TMG-14)."""
    unit = page.g.units.get(page.g.acting or "")
    if unit is None or not isinstance(step_of(page.g), ScorePoints):
        return None
    title = page.t(_("Last activation: %(unit)s"), unit=unit.name)
    return view_models.Acting(title, page.marks[unit.player], _what_it_did(page), notes(page), targets(page))


def _what_it_did(page: TmgPage) -> str:
    """The sentences of the log since the last unit was activated."""
    lines: list[str] = []
    for action, sentences in page.recent():
        verb = action.partition(":")[0]
        if verb not in ("agree", "done", "enter"):
            lines.append(sentences)
        if verb == "activate":
            break
    return together(reversed(lines))


def notes(page: TmgPage) -> tuple[view_models.OfferGroup, ...]:
    """Where the reader's acting unit stands and whom it fights."""
    offers = [(offer.action.rpartition(":")[2], offer) for offer in acting_corrections(page.g, page.seat)]
    places = tuple(_switch(page, offer) for key, offer in offers if key in page.g.objectives)
    rivals = tuple(_switch(page, offer) for key, offer in offers if key in page.g.units)
    where = _("Carries") if objective_tokens.are_carried(page.g) else _("Stands on")
    groups = ((where, places, False), (_("Engaged with"), rivals, len(rivals) > MOST_FIGHTS))
    return tuple(
        view_models.OfferGroup(switches, page.t(title), folded)
        for title, switches, folded in groups
        if switches
    )


def acting_corrections(g: Table, seat: str | None) -> tuple[Offer, ...]:
    """Where a seat's acting unit stands and whom it fights, as corrections of the unit; only a few.

    On a token, only leaving it; off one, the tokens that are free.
    """
    unit = acting_unit(g, seat)
    if unit is None or not unit.is_combat:
        return ()
    place = objective_tokens.claimed(g, unit)
    taken = {f"claim:{unit.key}:{token.key}" for token in g.tokens() if place or token.claimed_by}
    verbs = ("claim", "enter", *(("engage",) if g.tracks("engagements") else ()))
    offers = TmgCorrections().only(g, f"unit/{unit.key}", *verbs)
    return tuple(offer for offer in offers if offer.action not in taken)


def _switch(page: TmgPage, offer: Offer) -> view_models.Offer:
    """A switch for where the acting unit stands or whom it fights, named without its heading's words."""
    _verb, unit, key = offer.action.split(":")
    place = page.g.objectives.get(key)
    label = page.t(place.name) if place else page.g.units[key].name
    icon = "check" if offer.on else ""
    return view_models.Offer(f"unit/{unit} {offer.action}", label, icon=icon, form="adjust", field="change")


def targets(page: TmgPage) -> tuple[view_models.TargetGroup, ...]:
    """Every Combat Unit on the table, to wound: those near first, then enemies; own ones are folded away."""
    unit = acting_unit(page.g, page.seat)
    if unit is None or not page.g.round:
        return ()
    near, units = _near(page.g, unit), filter(_can_be_hit, page.g.units.values())
    others = sorted(units, key=lambda other: (other.key not in near, other.player == page.seat))
    at_hand = [other for other in others if other.key in near or other.player != page.seat]
    groups = ((_("Enter wounds"), at_hand, False), (_("Your other units"), others[len(at_hand) :], True))
    return tuple(
        view_models.TargetGroup(
            page.t(title), tuple(_target(page, other, unit.key, other.key in near) for other in group), folded
        )
        for title, group, folded in groups
        if group
    )


def _target(page: TmgPage, unit: Unit, by: str, is_near: bool) -> view_models.Target:
    """A unit with a button for each number of wounds that it may suffer or get back, and for its last."""
    left, lost = (unit.wounds, unit.wounds_total - unit.wounds) if page.g.tracks("wounds") else (0, 0)
    path = f"unit/{unit.key}"
    return view_models.Target(
        f"{unit.key}-{by}",
        unit.name,
        page.marks[unit.player],
        page.gauge(unit),
        tuple(
            view_models.Choice(f"{path} wounds:{unit.key}:{change}", signed(change))
            for change in (*range(-1, -left, -1), *range(1, min(MOST_RESTORED, lost) + 1))
        ),
        view_models.Choice(f"{path} destroy:{unit.key}", page.t(_("Destroyed"))),
        is_near,
        _attack_on(page, unit, by),
    )


def _attack_on(page: TmgPage, unit: Unit, by: str) -> view_models.Choice | None:
    """The tap that opens the attack sheet; an NCU attacks nobody."""
    actor = page.g.units[by]
    if not page.g.tracks("wounds") or unit.army == actor.army or not attacks.can_attack(page.g, actor):
        return None
    return view_models.Choice(f"unit/{by} attack:{by}:{unit.key}", page.t(_("Attack")))


def _near(g: Table, unit: Unit) -> frozenset[str]:
    """Those that fight the acting unit, with itself; of an NCU those that its claimed zone may restore."""
    if unit.is_combat:
        return unit.engaged_with | {unit.key} if unit.engaged_with else frozenset()
    if "wealth" not in tactics_cards.working(g, unit):
        return frozenset()
    own = (other for other in g.units.values() if _can_be_hit(other) and other.player == unit.player)
    return frozenset(other.key for other in own if other.wounds < other.wounds_total)


def _can_be_hit(unit: Unit) -> bool:
    return unit.is_combat and unit.is_on_table


def _is_done(page: TmgPage) -> bool:
    """Whether no turn is being played: it is set-up or clean-up, or the match is over."""
    return page.g.result is not None or page.steps is not None


def _reminder(page: TmgPage, unit: Unit) -> str:
    """The reminder for the acting unit's player: what its zone does, or to note what it did."""
    effects = [_left_to_do(page, key) for key in tactics_cards.working(page.g, unit)]
    token = objective_tokens.carried(page.g, unit)
    if token is not None and (facts := table_facts.token(page.g, token))["active"]:
        effects.append(facts["effect"])
    usual = _("Enter what it did now, before the next unit activates.")
    return next((effect for effect in effects if effect), usual)


def _left_to_do(page: TmgPage, zone: str) -> str:
    """What a zone does that its player has yet to do: where the app keeps the decks, it has drawn."""
    entry = page.g.zone_entry(zone) or {}
    effect: str = entry.get("effect", "")
    has_drawn = tactics_cards.is_tracked(page.g) and page.g.tracks("cards")
    return str(entry.get("drawn", effect)) if has_drawn else effect
