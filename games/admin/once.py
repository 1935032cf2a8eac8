"""A form that adds something: sent twice, even at the same moment, it adds one thing and leads to it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from games.core import validation
from games.match import play
from games.translation import words
from games.web.database import in_turn


class OnceForm(forms.ModelForm):
    """A form with a key, by which what it added is found again. The admin validates it in a transaction."""

    key = forms.CharField(required=False, widget=forms.HiddenInput, initial=play.new_key)

    is_known = False
    """Whether the same form added this a moment ago."""

    def find_earlier(self, key: str) -> Any:
        """What a form with this key added earlier; None for nothing."""
        raise NotImplementedError

    def clean_key(self) -> str:
        """The key; "" for a form without one, which cannot be repeated."""
        key = self.cleaned_data["key"]
        try:
            return validation.clean_key(key) if key else ""
        except validation.Unreadable as unreadable:
            raise ValidationError(words(unreadable.line)) from unreadable

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors or not cleaned["key"]:
            return cleaned
        in_turn(f"form {cleaned['key']}")
        if (earlier := self.find_earlier(cleaned["key"])) is not None:
            self.instance, self.is_known = earlier, True
        return cleaned

    def _post_clean(self) -> None:
        if not self.is_known:
            super()._post_clean()  # type: ignore[misc]


class OnceAdmin:
    """What the admin does with such a form: what was added earlier is neither saved nor reported again."""

    def save_model(self, request: Any, obj: Any, form: Any, change: bool) -> None:
        """Save what is new, and nothing else."""
        if not getattr(form, "is_known", False):
            super().save_model(request, obj, form, change)  # type: ignore[misc]

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        """What the admin's history says; None for what was added earlier."""
        if getattr(form, "is_known", False):
            return None
        return super().construct_change_message(request, form, formsets, add)  # type: ignore[misc]

    def log_addition(self, request: Any, obj: Any, message: Any) -> Any:
        """Log what is new, and nothing else."""
        return None if message is None else super().log_addition(request, obj, message)  # type: ignore[misc]
