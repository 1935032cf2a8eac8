"""What to do before tables are served: bring the database up to date, make the static files ready."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import CommandError


def prepare() -> bool:
    """Bring the database up to date and plant what a new one needs; whether static files had changed."""
    call_command("migrate", verbosity=0, interactive=False)
    call_command("plant", verbosity=0)
    return build_static()


def build_static() -> bool:
    """Collect, hash and compress the static files if they have changed; whether there was anything to do."""
    folder = Path(settings.STATIC_ROOT or "")
    if is_ready(folder):
        return False
    try:
        call_command("collectstatic", verbosity=0, interactive=False, clear=True)
        (folder / STAMP).write_text(source_digest())
    except OSError as problem:
        sentence = f"The static files cannot be written to {folder}: {problem.strerror}. "
        raise CommandError(sentence + "ROUNDTABLE_STATIC names another folder.") from problem
    return True


def refuse_unready() -> None:
    """Refuse to serve pages whose styles and scripts are not there: each page would be a fault."""
    folder = settings.STATIC_ROOT
    if folder is not None and not is_ready(Path(folder)):
        raise CommandError(
            f"The static files in {folder} are not those of this version, or cannot be read. "
            "`manage.py prepare` makes them ready; ROUNDTABLE_STATIC names another folder."
        )


STAMP = ".sources"


def is_ready(folder: Path) -> bool:
    """Whether a folder can be read and has the static files of exactly this program."""
    try:
        found = (folder / STAMP).read_text()
    except OSError:
        return False
    return found == source_digest()


def source_digest() -> str:
    """A digest that changes whenever a static file does, and not when it is copied."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda found: found[0]):
            with storage.open(path) as file:
                digest.update(f"{path} {hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return digest.hexdigest()
