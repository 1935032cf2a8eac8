"""Sample values for whole pages, beside those of their components in `tests.pages.samples`."""

from django.conf import settings

from games.pages import context
from tests.pages.samples.pieces import AT

SITE = context.Site(
    home_url="/",
    language_url="/i18n/setlang/",
    here=f"{AT}/",
    languages=tuple(context.Language(code, name, code == "en") for code, name in settings.LANGUAGES),
)
