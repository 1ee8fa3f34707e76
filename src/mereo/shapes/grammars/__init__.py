"""One file or folder per category. Each is found by itself."""
