"""What came after 2005: schemes, a recommendation, guessing, poisoning, audits, and more.

Every file here is found by itself, so that its schemes are registered. Those that have none are
imported when they are asked for, so that `import frapp_lab` is quick.
"""

import importlib
import pkgutil

NO_SCHEMES = {"audit", "composition", "fit_noise", "flawed_schemes", "guessing", "poisoning"}
NO_SCHEMES |= {"hadamard_noise", "recommend", "shuffling"}

for _file in pkgutil.iter_modules(__path__):
    if _file.name not in NO_SCHEMES:
        importlib.import_module(f"{__name__}.{_file.name}")
