"""Speed claims, measured."""
