"""Model files: exact weights, tokens and options, read without a float and checked as a whole.

Read in this order: schema.py (every key), names.py (every matrix), reading.py (from a file to a
model); the other files are what these need.
"""

from derive.model.bundled import Bundled, bundled_names, bundled_text
from derive.model.matrix_kinds import Matrix
from derive.model.model import Model
from derive.model.reading import bundled, load, loads
from derive.model.schema import schema_keys
from derive.model.section import Section

__all__ = [
    "Bundled",
    "Matrix",
    "Model",
    "Section",
    "bundled",
    "bundled_names",
    "bundled_text",
    "load",
    "loads",
    "schema_keys",
]
