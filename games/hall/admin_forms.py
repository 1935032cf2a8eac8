"""Forms on the organisers' pages about events: each is tried as a command of `games.hall.commands`."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.admin.base import author_of
from games.admin.once import OnceForm
from games.core.system import is_served, system, systems
from games.core.words import Line
from games.hall import commands, event_actions
from games.hall.event_actions import Actor
from games.hall.models import Event, Pairing, Player
from games.hall.rules import drawing
from games.hall.rules.results import mark, winner_by
from games.hall.rules.scoring import SCORINGS, Scoring, ways
from games.hall.rules.standings import CRITERIA, MOST_CRITERIA
from games.history.verdict import RequestRefused
from games.translation import words


def actor(request: HttpRequest) -> Actor:
    """The organiser in the admin, as the history names them."""
    return Actor("", author_of(request))


class CommandForm(forms.ModelForm):
    """A form whose values are tried as a command during validation, and kept if the rules accept them."""

    who: ClassVar[Actor] = Actor()

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        """Carry out the command; a `RequestRefused` is shown above the form."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors or not self.has_changed():
            return cleaned
        try:
            self.carry_out(cleaned)
        except RequestRefused as refused:
            raise ValidationError(words(refused.line)) from refused
        return cleaned

    def save(self, commit: bool = True) -> Any:
        """Save nothing: the command has done so already."""
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to save."""


class ShownForm(CommandForm):
    """Only what differs from the page as it was shown is changed: another may have set the rest since."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.show_hidden_initial = True

    def changed_in(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """The fields that somebody has changed, with their values."""
        return {name: cleaned[name] for name in self.changed_data if name in cleaned}


class Ranking(forms.MultiValueField):
    """Ranking criteria in order: one choice for each place, and an empty place has none."""

    def __init__(self, **kwargs: Any) -> None:
        named = [("", "–"), *((name, gettext_lazy(title)) for name, title in CRITERIA.items())]
        labels = [gettext_lazy("Decides first"), *[gettext_lazy("then")] * (MOST_CRITERIA - 1)]
        widgets = [forms.Select({"aria-label": label}, named) for label in labels]
        places = [forms.ChoiceField(choices=named, required=False) for _label in labels]
        super().__init__(places, require_all_fields=False, widget=Selects(widgets), **kwargs)

    def compress(self, data_list: list[str]) -> list[str]:
        return [name for name in data_list if name]


class Selects(forms.MultiWidget):
    """A list to choose from for each place, under one common heading."""

    use_fieldset = True

    def decompress(self, value: list[str] | None) -> list[str]:
        return value or []


class HiddenSelects(Selects):
    """The same lists as they were shown."""

    template_name = "django/forms/widgets/multiple_hidden.html"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__([forms.HiddenInput] * MOST_CRITERIA, attrs)


Ranking.hidden_widget = HiddenSelects


class EventForm(ShownForm):
    """The settings of an event that is open already."""

    mode = forms.ChoiceField(label=gettext_lazy("Mode"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Kind of pairing"))
    scoring = forms.ChoiceField(label=gettext_lazy("Tournament points"))
    criteria = Ranking(label=gettext_lazy("Ranking criteria in their order"), required=False)

    class Meta:
        model = Event
        fields = (
            *("name", "mode", "kind", "size", "length", "cut", "minutes", "overtime", "days", "first_table"),
            *("scoring", "criteria", "apart", "is_open", "is_listed"),
        )
        help_texts: ClassVar = {"length": gettext_lazy("0: by the number of players")}

    def _scorings(self) -> dict[str, Scoring]:
        game = self.instance.system
        return ways(game) if game else SCORINGS

    def _modes(self) -> dict[str, str]:
        game = self.instance.system
        return {mode.slug: mode.title for mode in system(game).modes} if is_served(game) else {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        told: tuple[tuple[str, dict[str, str]], ...] = (
            ("mode", self._modes()),
            ("kind", drawing.KINDS),
            ("scoring", {slug: one.title for slug, one in self._scorings().items()}),
        )
        for name, choices in told:
            if name in self.fields:
                self.fields[name].choices = [(slug, words(Line(text))) for slug, text in choices.items()]  # type: ignore[attr-defined]

        if "criteria" in self.fields:
            chosen = list(self.instance.criteria)
            self.initial["criteria"] = chosen + [""] * (MOST_CRITERIA - len(chosen))

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        commands.change_settings(self.instance.code, self.who, self.changed_in(cleaned))


class OpeningForm(OnceForm):
    """A new event: its game and name; the rest is as usual for the game and can be changed afterwards."""

    system = forms.ChoiceField(label=gettext_lazy("Game"))
    who: ClassVar[Actor] = Actor()

    class Meta:
        model = Event
        fields = ("system", "name")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["system"].choices = [(game.slug, _(game.title)) for game in systems()]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not self.is_known:
            values = {name: cleaned[name] for name in ("system", "name")}
            try:
                self.instance = event_actions.open_event(values, self.who, key=cleaned["key"])
            except RequestRefused as refused:
                raise ValidationError(words(refused.line)) from refused
        return cleaned

    def find_earlier(self, key: str) -> Any:
        entry = event_actions.opening(key)
        return entry and entry.event

    def _post_clean(self) -> None:
        """Check nothing more: the rules have done so already."""

    def save(self, commit: bool = True) -> Any:
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to save."""


class PlayerForm(ShownForm):
    """A player's name, club and faction."""

    class Meta:
        model = Player
        fields = ("name", "club", "faction")

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        player = self.instance
        commands.amend(player.event.code, self.who, player.key, **self.changed_in(cleaned))


class RulingForm(CommandForm):
    """The result of a table of two, as a judge rules it."""

    first = forms.IntegerField()
    second = forms.IntegerField()
    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=200)

    class Meta:
        model = Pairing
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field, name in zip(("first", "second"), named(self.instance), strict=False):
            self.fields[field].label = _("Victory Points of %(name)s") % {"name": name}
        self.initial["seen"] = mark(self.instance)

    def carry_out(self, cleaned: dict[str, Any]) -> None:
        pairing = self.instance
        points = zip(pairing.players, (cleaned["first"], cleaned["second"]), strict=False)
        scores = {player: {**pairing.results.get(player, {}), "vp": vp} for player, vp in points}
        stated = {"scores": scores, **_named_beside(pairing, scores)}
        why, seen = cleaned["reason"], cleaned.get("seen", "")
        try:
            commands.rule(pairing.event.code, self.who, pairing.key, stated, why, seen=seen)
        except RequestRefused:
            # The page that says so shows what stands there now.
            self.data = {**dict(self.data.items()), "seen": self.initial["seen"]}
            raise


def _named_beside(pairing: Pairing, scores: dict[str, dict[str, int]]) -> dict[str, str]:
    """The winner of a result and how it ended, as long as the corrected points say the same as before."""
    if not pairing.results or winner_by(scores) != winner_by(pairing.results):
        return {}
    return {"winner": pairing.winner, "how": pairing.how}


def named(pairing: Pairing) -> list[str]:
    """The names of a pairing's players."""
    names = dict(Player.objects.filter(event=pairing.event_id).values_list("key", "name"))
    return [names.get(key, key) for key in pairing.players]
