"""Django's own applications as this project wants them."""

from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    """The admin is the organiser's desk."""

    default_site = "config.admin_site.Desk"
