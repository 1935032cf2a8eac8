"""How form controls are drawn: by compiled templates, where Django has them.

A match's page in the organiser's admin has hundreds of choices, each a template of its own.
"""

from __future__ import annotations

from typing import Any

from django.forms.renderers import BaseRenderer, DjangoTemplates, Jinja2


class Widgets(BaseRenderer):
    """Draws Django's own controls with Jinja2; the admin's exist only as Django templates."""

    def __init__(self) -> None:
        self.compiled, self.others = Jinja2(), DjangoTemplates()

    def get_template(self, template_name: str) -> Any:
        place = self.compiled if template_name.startswith("django/forms/") else self.others
        return place.get_template(template_name)
