"""Models that point: at pixels, at one of some boxes, or at any number of things."""
