from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Derandomised, so that a red run is red again; HYPOTHESIS_PROFILE=search looks further.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("suite", derandomize=True, max_examples=12, **_COMMON)
settings.register_profile("search", max_examples=2_000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
