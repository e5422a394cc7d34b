"""A quicker import of plotly, by a second, for whoever imports this module first.

plotly loads nbformat, nbformat loads jsonschema, and jsonschema loads rfc3987_syntax if it is
there, which builds a whole grammar at import. It serves only to check international web addresses,
which neither notebooks nor figures need; jsonschema does without it where it is not installed.
"""

import sys
from contextlib import suppress

NAME = "rfc3987_syntax"

if "jsonschema" not in sys.modules and NAME not in sys.modules:
    sys.modules[NAME] = None  # type: ignore[assignment]  # as if it were not installed, for this one import
    try:
        with suppress(ImportError):  # a browser's Python may lack it, and plotly does without
            import jsonschema  # noqa: F401
    finally:
        del sys.modules[NAME]
