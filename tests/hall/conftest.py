"""What the tests of events share with those of the admin."""

from tests.admin.conftest import admin_client, organiser  # noqa: F401
