"""`python -m mereo`, for when the `mereo` command is not on the path."""

from mereo.cli import main

if __name__ == "__main__":
    main()
