"""Every setting, chosen by the environment. Safe by default: production unless another profile is asked for.

| profile    | asked for by                    | for                                                     |
|------------|---------------------------------|---------------------------------------------------------|
| production | nothing                         | a server behind TLS; refuses to start without its key   |
| lan        | `ROUNDTABLE_LAN=1`              | a laptop in a club over plain http (`manage.py play`)   |
| test       | pytest, or `ROUNDTABLE_TEST=1`  | tests and checks                                        |

| variable                         | meaning                                                              |
|----------------------------------|----------------------------------------------------------------------|
| `ROUNDTABLE_SECRET_KEY`          | the key that signs cookies and links (production: required)          |
| `ROUNDTABLE_OLD_SECRET_KEYS`     | earlier keys, separated by spaces: what they signed still holds      |
| `ROUNDTABLE_HOSTS`               | host names served, separated by commas (production: required)        |
| `ROUNDTABLE_TRUSTED_PROXY_HOPS`  | how many proxies of ours stand in front (0: proxy headers are ignored) |
| `ROUNDTABLE_DATA`                | the folder of the database and the LAN profile's key (`data/`)       |
| `ROUNDTABLE_STATIC`              | the folder of static files, made ready by `prepare` (`.static/`)     |
| `ROUNDTABLE_TIME_ZONE`           | of times on paper and deadlines (UTC; in the LAN profile the machine's) |
| `ROUNDTABLE_KEEP_DAYS`           | days until unused tables and old backups are removed (0: never)      |
| `ROUNDTABLE_KEEP_UNUSED_DAYS`    | days until tables that nobody plays at are removed (7; 0: never)     |
| `ROUNDTABLE_STORED_MB`           | megabytes that one address may have stored a day (500; 0: any)       |
| `ROUNDTABLE_DEMO`                | the live demo table of two robots (1; 0: there is none)              |
| `ROUNDTABLE_THREADS`             | threads that answer pages; taps have their own (4)                   |
| `ROUNDTABLE_HTTPS`               | the LAN profile behind its own encryption (`play --https` sets it)   |
| `ROUNDTABLE_CERTIFICATE`         | a real certificate, with its chain, for `play --https` (PEM)         |
| `ROUNDTABLE_CERTIFICATE_KEY`     | its key (PEM), unless it is in the same file                         |
| `ROUNDTABLE_DEBUG`               | Django's debug pages; only in the LAN profile                        |
| `ROUNDTABLE_STREAMS`             | live streams of this process, all tables together (20000)            |
| `ROUNDTABLE_STREAMS_PER_MATCH`   | live streams of one match (15000)                                    |
| `ROUNDTABLE_STREAMS_PER_ADDRESS` | live streams of one address, which may be a whole hall's (4000)      |
| `ROUNDTABLE_STREAMS_PER_SEAT`    | live streams of one seat (6)                                         |
| `ROUNDTABLE_SECOND_FACTOR`       | the admin also asks for a code from the organiser's phone            |
| `ROUNDTABLE_WEBHOOKS_LOCAL`      | webhooks may also go over http and into private networks             |
| `ROUNDTABLE_METRICS_TOKEN`       | what a program shows to read `/metrics` (without: organisers only)  |
| `DATABASE_URL`                   | another database, as `postgres://user:password@host/name`            |
| `ROUNDTABLE_DATABASE_DIRECT`     | the same database past a pooler that carries no `LISTEN`             |
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import tomllib
from pathlib import Path
from zoneinfo import available_timezones

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import logs
from config.data import databases
from config.data.databases import kept_key
from games import discovery
from games.web import own_addresses

BASE_DIR = Path(__file__).resolve().parent.parent


def _flag(name: str, *, is_usual: bool = False) -> bool:
    said = os.environ.get(name, "").strip().lower()
    return said not in ("0", "false", "no", "off") if said else is_usual


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise ImproperlyConfigured(f"{name} must be a whole number below a billion, not {text[:40]!r}.")
    return int(text)


# --- profile --------------------------------------------------------------------------------------

TEST = _flag("ROUNDTABLE_TEST") or "pytest" in sys.modules
LAN = _flag("ROUNDTABLE_LAN") and not TEST
PRODUCTION = not (LAN or TEST)
HTTPS = _flag("ROUNDTABLE_HTTPS") and LAN
# The plain http port, which explains the certificate; `play --https` sets it.
PLAIN_PORT = 0
CERTIFICATE = os.environ.get("ROUNDTABLE_CERTIFICATE", "").strip()
CERTIFICATE_KEY = os.environ.get("ROUNDTABLE_CERTIFICATE_KEY", "").strip()
DEBUG = _flag("ROUNDTABLE_DEBUG")
if DEBUG and not LAN:
    raise ImproperlyConfigured(
        "ROUNDTABLE_DEBUG shows the inside of the program; only the LAN profile allows it."
    )

DATA_DIR = Path(os.environ.get("ROUNDTABLE_DATA") or (tempfile.gettempdir() if TEST else BASE_DIR / "data"))
VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text("utf-8"))["project"]["version"]


# --- keys and hosts -------------------------------------------------------------------------------

KEY_FILE = DATA_DIR / "secret-key"
OWNS_KEY = LAN and not TEST and not os.environ.get("ROUNDTABLE_SECRET_KEY", "")
"""Whether the key was made here and is kept in `KEY_FILE`; otherwise whoever runs the server keeps it."""


def _secret_key() -> str:
    if TEST:
        return "a-key-for-tests-only-" + "0123456789abcdef" * 3
    if given := os.environ.get("ROUNDTABLE_SECRET_KEY", ""):
        if PRODUCTION and (len(given) < 50 or len(set(given)) < 5):
            raise ImproperlyConfigured("ROUNDTABLE_SECRET_KEY must be at least 50 random characters.")
        return given
    if LAN:
        return kept_key(KEY_FILE)
    raise ImproperlyConfigured(
        "a server needs ROUNDTABLE_SECRET_KEY (50 random characters) and ROUNDTABLE_HOSTS. "
        "For a laptop in the club use `make play`, or set ROUNDTABLE_LAN=1."
    )


_HOST = re.compile(r"\.?[\w-]+(\.[\w-]+)*|\[[0-9a-f:]+\]", re.ASCII | re.IGNORECASE)


def _hosts() -> list[str]:
    given = [host.strip() for host in os.environ.get("ROUNDTABLE_HOSTS", "").split(",") if host.strip()]
    if PRODUCTION:
        if not given or "*" in given:
            raise ImproperlyConfigured("ROUNDTABLE_HOSTS must name the hosts that are served (not *).")
        # Anything else matches no request, and everybody would be refused.
        if wrong := next((host for host in given if not _HOST.fullmatch(host)), ""):
            raise ImproperlyConfigured(
                f"{wrong!r} in ROUNDTABLE_HOSTS is no host name. Write it as roundtable.example, without "
                "https://, port or path, with commas between several."
            )
        return given
    local = ["localhost", "127.0.0.1", "[::1]", ".local"]
    return given + local + (own_addresses() if LAN else ["testserver"])


SECRET_KEY = _secret_key()
# What was signed with an earlier key holds until that key is no longer listed here.
SECRET_KEY_FALLBACKS = [key for key in os.environ.get("ROUNDTABLE_OLD_SECRET_KEYS", "").split() if key]
ALLOWED_HOSTS = _hosts()
TRUSTED_PROXY_HOPS = _number("ROUNDTABLE_TRUSTED_PROXY_HOPS", 0)


# --- database -------------------------------------------------------------------------------------

THREADS = max(1, _number("ROUNDTABLE_THREADS", 4))
KEEP_DAYS = _number("ROUNDTABLE_KEEP_DAYS", 0)
KEEP_UNUSED_DAYS = _number("ROUNDTABLE_KEEP_UNUSED_DAYS", 7)
# Tests begin the demo table themselves: no thread of its own may tap between theirs.
DEMO = _flag("ROUNDTABLE_DEMO", is_usual=not TEST)
STORED_MB = _number("ROUNDTABLE_STORED_MB", 500)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

PROCESS = databases.PROCESS
DATABASES = {"default": databases.main(os.environ.get("DATABASE_URL", ""), DATA_DIR)}
# The way past a pooler, where there is one, for what has to stay on one connection.
DATABASE_DIRECT = databases.direct(os.environ.get("ROUNDTABLE_DATABASE_DIRECT", "").strip())


# --- applications ---------------------------------------------------------------------------------

PLACES = discovery.places()
SYSTEMS = [place.folder for place in PLACES]

INSTALLED_APPS = [
    "config.apps.RoundtableAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "games",
    "games.hall",
    "games.webhooks",
]

MIDDLEWARE = [
    "games.monitoring.answer_times.measured",
    # Before whatever may refuse, as htmx gets a sentence and a browser a page. It is no app here: the file of
    # htmx that it brings is not the one that pages load.
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Before the rules for pages, whose headers are longer than many a style sheet.
    "config.joined_files.joined_files",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "games.web.request_rules.browser_rules",
    "csp.middleware.CSPMiddleware",
    "games.web.request_rules.QuickGzip",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "games.web.request_rules.ReaderLanguage",
    "games.web.request_rules.body_limit",
    "games.web.request_rules.PlainWords",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.web.limits.limit_stored",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "games.pages.watching.watch.LateMatches",
    "games.pages.altered_rows.AlteredRows",
]

ROOT_URLCONF = "config.urls"

FORM_RENDERER = "config.admin.admin_site.Widgets"
TEMPLATES = [
    {
        # All our own pages.
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates", *(path / "templates" for path in SYSTEMS)],
        "OPTIONS": {
            "environment": "config.joined_files.environment",
            "context_processors": ["games.pages.context.site", "games.pages.context.token"],
        },
    },
    {
        # The organiser's admin, which extends Django's own.
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "games" / "admin" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.pages.context.site",
            ],
        },
    },
]


# --- languages and time ---------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [
    BASE_DIR / "games" / "locale",
    *(place.folder / "locale" for place in PLACES if discovery.catalogues_can_be_read(place)),
]
USE_I18N = True
USE_TZ = True


def _time_zone() -> str:
    """The zone of times on paper and of deadlines: the one asked for, or a laptop's own."""
    given = os.environ.get("ROUNDTABLE_TIME_ZONE", "").strip()
    if given and given not in available_timezones():
        raise ImproperlyConfigured(
            f"ROUNDTABLE_TIME_ZONE must be one such as Europe/Berlin, not {given[:40]!r}."
        )
    own = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2] if LAN and not TEST else ""
    return given or (own if own in available_timezones() else "UTC")


TIME_ZONE = _time_zone()


# --- static files ---------------------------------------------------------------------------------


_static = os.environ.get("ROUNDTABLE_STATIC") or (DATA_DIR / "static" if LAN else BASE_DIR / ".static")
STATIC_URL = "static/"
STATIC_ROOT = None if TEST else Path(_static)
STATICFILES_DIRS = [
    path for path in (BASE_DIR / "static", *(system / "static" for system in SYSTEMS)) if path.is_dir()
]
_STORAGE = "config.static.SmallStaticFilesStorage"
if LAN:
    _STORAGE = "config.static.GzippedStaticFilesStorage"
if TEST or DEBUG:
    _STORAGE = "django.contrib.staticfiles.storage.StaticFilesStorage"
STORAGES = {"staticfiles": {"BACKEND": _STORAGE}}
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
WHITENOISE_USE_FINDERS = TEST or DEBUG
WHITENOISE_AUTOREFRESH = DEBUG


# --- limits ---------------------------------------------------------------------------------------

BODY_LIMIT = 128 * 1024
# Room for a match of about 5,000 entries.
LARGE_BODIES = {
    r"/api/import": 4 * 1024 * 1024,
    r"/t/\w+/army/[\w-]+/file|/e/\w+/organise/preview": 1088 * 1024,
}
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT
# A match's page in the admin has a field for every fact of every piece; BODY_LIMIT stops a flood.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 4000
# A file stays in memory, limited by the address it is sent to; none is ever written to the disk.
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
FILE_UPLOAD_MAX_MEMORY_SIZE = max(LARGE_BODIES.values())


# --- what a browser may do ------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
PERMISSIONS_POLICY = {
    "screen-wake-lock": "self",
    "fullscreen": "self",
    "clipboard-write": "self",
    **dict.fromkeys(
        [
            *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer"),
            *("microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb"),
        ],
        "",
    ),
}
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

_COOKIE = {True: "__Host-roundtable-{}", False: "roundtable-lan-{}"}[PRODUCTION]
SESSION_COOKIE_NAME = _COOKIE.format("session")
CSRF_COOKIE_NAME = _COOKIE.format("csrf")
LANGUAGE_COOKIE_NAME = _COOKIE.format("language")
NAME_COOKIE_NAME = _COOKIE.format("name")
CLAIM_COOKIE_NAME = _COOKIE.format("claims")
PLAIN_COOKIE_NAME = _COOKIE.format("plain")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = PRODUCTION or HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_ENGINE = "games.people.sessions"
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
CSRF_FAILURE_VIEW = "games.web.refusals.csrf_failure"

if PRODUCTION:
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    # Whether to put a whole domain on the browsers' preload list is for its owner to decide, not a program.
    SILENCED_SYSTEM_CHECKS = ["security.W021"]
    if TRUSTED_PROXY_HOPS:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")


# --- the organiser --------------------------------------------------------------------------------

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in [
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
    ]
]
# A code after the password; games.web.limits says how many may be tried, for all processes.
SECOND_FACTOR = _flag("ROUNDTABLE_SECOND_FACTOR")
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0
# Where a log-in leads if it asked to go on to another site.
LOGIN_REDIRECT_URL = "admin:index"
if TEST:
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


# Logging: one JSON object per line on a server, plain lines on a laptop; never an address that opens a seat

LOGGING = logs.configuration(as_json=PRODUCTION)

# Anyone allowed to name an address in the club's network could have this server knock there.
WEBHOOKS_LOCAL = _flag("ROUNDTABLE_WEBHOOKS_LOCAL")

METRICS_TOKEN = os.environ.get("ROUNDTABLE_METRICS_TOKEN", "").strip()

LIVE_LIMITS = {
    "seat": _number("ROUNDTABLE_STREAMS_PER_SEAT", 6),
    "address": _number("ROUNDTABLE_STREAMS_PER_ADDRESS", 4000),
    "match": _number("ROUNDTABLE_STREAMS_PER_MATCH", 15_000),
    "process": _number("ROUNDTABLE_STREAMS", 20_000),
}
