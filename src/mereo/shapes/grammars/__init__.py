"""One file per category. Each is found by itself."""
