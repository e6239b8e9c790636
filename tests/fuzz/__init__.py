"""Random trials of the kernel: pairs that must be equal, and pairs that must not."""
