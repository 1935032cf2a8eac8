"""Django's own applications as this project wants them."""

from django.contrib.admin.apps import AdminConfig


class RoundtableAdminConfig(AdminConfig):
    """The admin, in our order and colours."""

    default_site = "config.admin_site.RoundtableAdmin"
