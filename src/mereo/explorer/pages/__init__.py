"""The pages of the explorer, one module each."""
