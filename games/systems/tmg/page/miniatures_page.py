"""How the miniatures game shows itself on the table's page: units, tokens, tactics board, the guide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from games import view_models
from games.core import COMMA, Line, Offer, Term, say_count, step_of
from games.core import gettext_noop as _
from games.systems.tmg import ruleset
from games.systems.tmg.lists.army_cards import FACTIONS
from games.systems.tmg.page import acting_unit, attack_sheet, unit_card
from games.systems.tmg.pieces import Place, Side, Table, Unit
from games.systems.tmg.rules import destruction, objective_tokens, table_facts, tactics_board, tactics_cards
from games.systems.tmg.rules.clean_up_phase import ScorePoints, Tally
from games.systems.tmg.rules.missions import ENTERED, FACE_DOWN, MISSIONS, EnterPoints
from games.view_models.game_page import Page, signed

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
            (_("Sectors controlled"), tactics_board.sector_controllers(self.g)),
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
            one, several = _("Destroyed: 1 army point"), _("Destroyed: %(points)s army points")
            lost = self.t(one if points == 1 else several, points=points)
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
        return unit_card.card(self, unit)

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
            acting=acting_unit.last_activation(self),
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
        held = tactics_board.sector_controller(self.g, sector)
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
            unit_card.icon_of(zone.key),
            self.t(facts["effect"]),
            self.marks[seats[0]] if seats else 0,
            holder.name if holder else "",
            sheet_url=self.sheet_url(f"objective/{zone.key}"),
        )

    def guide(self) -> view_models.Guide | None:
        """Set-up and clean-up as an ordered list (TMG-74)."""
        return self.walked(self.steps) if self.steps else None

    def doing(self) -> tuple[str, int]:
        return acting_unit.doing(self)

    def profile(self, path: str) -> view_models.Profile | None:
        return unit_card.profile(self, path)

    def acting(self) -> view_models.Acting | None:
        return acting_unit.acting(self)

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
            unit_card.icon_of(noun),
            tone=shown.tone,
        )
