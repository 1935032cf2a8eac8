"""The program's own settings, and one address more: the empty answer that a tap is measured against."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.empty"
