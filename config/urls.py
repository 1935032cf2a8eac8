"""All addresses: those of the games, then health, language, what a phone keeps, the admin, the API."""

from django.contrib import admin
from django.urls import include, path

from config import health, status, web_app
from config.https import trust
from games.api import api

urlpatterns = [
    path("", include("games.urls")),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", status.metrics),
    path("manifest.webmanifest", web_app.manifest, name="manifest"),
    path("worker.js", web_app.worker, name="worker"),
    path("offline", web_app.offline, name="offline"),
    path("trust", trust.trust, name="trust"),
    path("trust/certificate", trust.certificate, name="trust-file"),
    path("trust/known", trust.known, name="trust-known"),
    path("welcome/<str:key>", web_app.welcome, name="welcome"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
]
"""The addresses that taps ask for come first."""

handler400 = "games.web.refusals.bad_request"
handler403 = "games.web.refusals.forbidden"
handler404 = "games.web.refusals.not_found"
handler500 = "games.web.refusals.fault"
