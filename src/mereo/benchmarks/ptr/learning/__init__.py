"""What PTR has of its own for learning."""
