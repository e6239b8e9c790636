"""Every quantity and what counts it."""

from __future__ import annotations

from collections.abc import Callable

from derive.counting import storage, work
from derive.counting.question import QUANTITIES, Question
from derive.counting.result import Count
from derive.counting.spec import Spec

COUNTERS: dict[str, Callable[[Spec, Question], Count]] = {
    "parameters": work.parameters,
    "flops": work.flops,
    "kv-cache": storage.count_kv_cache,
    "memory": storage.count_memory,
    "scores": storage.count_scores,
    "tiles": storage.count_tiles,
    "io": storage.count_io,
    "intensity": work.intensity,
}
assert COUNTERS.keys() == QUANTITIES.keys()
