"""Django's own applications as this project wants them."""

from django.contrib.admin.apps import AdminConfig


class RoundtableAdminConfig(AdminConfig):
    """The admin, in our order and colours; what a server lacks is said in our words."""

    default_site = "config.admin_site.RoundtableAdmin"

    def ready(self) -> None:
        super().ready()
        from config import server_checks

        server_checks.speak_for_django()
