"""Sample values for whole pages, beside those of their components in `tests.pages.samples`."""

from django.conf import settings

from games import view_models as s
from tests.pages.samples.pieces import AT

SITE = s.Site(
    home_url="/",
    language_url="/i18n/setlang/",
    here=f"{AT}/",
    languages=tuple(s.Language(code, name, code == "en") for code, name in settings.LANGUAGES),
)
