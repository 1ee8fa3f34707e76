"""Networks that look at clouds of points."""
