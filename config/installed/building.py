"""What is added when the package is built: files the repository lacks or has under another name."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import polib
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Additions(BuildHookInterface):
    """Adds the compiled translations in their places, and what `python -m roundtable` starts."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it puts the package together."""
        root, self.made = Path(self.root), Path(tempfile.mkdtemp())
        added = {self.made / "__main__.py": Path("__main__.py")}
        shutil.copy(root / "config" / "installed" / "launcher.py", self.made / "__main__.py")
        for source in sorted((root / "games").rglob("locale/*/LC_MESSAGES/django.po")):
            place = source.relative_to(root).with_suffix(".mo")
            added[self.made / place] = place
            (self.made / place).parent.mkdir(parents=True)
            polib.pofile(str(source)).save_as_mofile(str(self.made / place))
        build_data["force_include"] |= {str(file): place.as_posix() for file, place in added.items()}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the package is whole."""
        shutil.rmtree(self.made)
