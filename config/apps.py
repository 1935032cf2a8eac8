"""Django's own applications as this project wants them."""

from django.contrib.admin.apps import AdminConfig


class RoundtableAdminConfig(AdminConfig):
    """The admin, in our order and colours."""

    default_site = "config.admin.admin_site.RoundtableAdmin"

    def ready(self) -> None:
        super().ready()
        self.keep_keys_to_their_owners()
        # Registers the checks of `check --deploy`.
        from config import checks as checks

    def keep_keys_to_their_owners(self) -> None:
        """Unlist the second factor's library, which would show everybody's keys in the admin."""
        from django.contrib import admin
        from django_otp.plugins.otp_static.models import StaticDevice
        from django_otp.plugins.otp_totp.models import TOTPDevice

        for kind in (StaticDevice, TOTPDevice):
            admin.site.unregister(kind)
