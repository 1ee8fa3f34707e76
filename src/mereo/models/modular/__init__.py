"""Module networks: programs whose functions are small networks, run for a whole batch at once."""
