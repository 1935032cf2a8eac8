"""Static files for a laptop in a club."""

from typing import Any

from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class GzippedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed names, and gzip alone: over plain http no browser asks for brotli, and that takes far longer."""

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
