"""What came after 2005: schemes, a recommendation, guessing, poisoning, audits, and more.

Every file here is found by itself, so that its schemes are registered.
"""

import importlib
import pkgutil

for _file in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_file.name}")
