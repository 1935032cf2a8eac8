"""How the controls of forms are drawn: by templates that are compiled, where Django has them.

A page of a match in the organiser's admin has hundreds of choices, each a template of its own.
"""

from __future__ import annotations

from typing import Any

from django.forms.renderers import BaseRenderer, DjangoTemplates, Jinja2


class Widgets(BaseRenderer):
    """Django's own controls by Jinja2; the admin's, which exist in Django's language alone, by that."""

    def __init__(self) -> None:
        self.compiled, self.others = Jinja2(), DjangoTemplates()

    def get_template(self, template_name: str) -> Any:
        place = self.compiled if template_name.startswith("django/forms/") else self.others
        return place.get_template(template_name)
