"""`python -m derive`: the same program as the command `derive`."""

from derive.cli import main

main()
