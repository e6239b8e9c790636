"""Benchmarks: ratios between derive and its peers, measured side by side in one run."""
